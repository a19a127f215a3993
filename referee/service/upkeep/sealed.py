"""A whole game in a file that only a passphrase opens: scrypt makes the key, Fernet (AES and HMAC) keeps what is inside."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import secrets
import zlib
from typing import Any

from referee.core.errors import ConfigError
from referee.core.unpacking import unpacked

HEAD = b"referee-whole-game-1"  # first line: this, salt, and the hash of the second one, by which damage is known
LEAST = 12  # characters of a passphrase
MOST = 100_000_000  # bytes of such a file, and of what is in it

_SALT = 16  # bytes
_COST = {"n": 2**16, "r": 8, "p": 1, "length": 32}  # of scrypt: 64 MB, some tenths of a second
_BYTES = "base64"  # the name under which bytes stand in JSON


def sealed(plain: Any, passphrase: str) -> bytes:
    """Return a value that JSON can hold (and bytes in it) as the bytes of such a file.

    Raises:
        ConfigError: the passphrase is too short, or the library is not installed.
    """
    if len(passphrase) < LEAST:
        raise ConfigError(f"the passphrase has {len(passphrase)} characters: take {LEAST} or more, several words say")
    salt = secrets.token_bytes(_SALT)
    packed = zlib.compress(json.dumps(plain, default=_as_text, ensure_ascii=False).encode())
    token = _fernet(passphrase, salt).encrypt(packed)
    return b"%s %s %s\n%s\n" % (HEAD, salt.hex().encode(), _hash(token), token)


def opened(raw: bytes, passphrase: str) -> Any:
    """Return what such a file holds.

    Raises:
        ConfigError: it is none, is damaged, or another passphrase opens it; or the library is not installed.
    """
    if len(raw) > MOST:
        raise ConfigError(f"this is no whole game: it has more than {MOST:,} bytes")
    head, _, token = raw.partition(b"\n")
    words, token = head.split(), token.strip()
    if not words or words[0] != HEAD:
        raise ConfigError("this is no whole game: `referee game export GAME --secrets` writes one")
    if len(words) != 3 or words[2] != _hash(token) or not re.fullmatch(rb"[0-9a-f]{32}", words[1]):
        raise ConfigError("the file is damaged or was cut off: copy it once more")
    fernet = _fernet(passphrase, bytes.fromhex(words[1].decode()))
    from cryptography.fernet import InvalidToken

    try:
        packed = fernet.decrypt(token)
    except InvalidToken:
        raise ConfigError("another passphrase opens this file") from None
    try:
        return json.loads(unpacked(packed, MOST), object_hook=_from_text)
    except (ValueError, TypeError, RecursionError) as error:
        raise ConfigError(f"this is no whole game: {error}") from error


def _fernet(passphrase: str, salt: bytes) -> Any:
    try:
        from cryptography.fernet import Fernet
        from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
    except ImportError as error:
        raise ConfigError("whole games need the extra `secrets`: pip install '.[secrets]'") from error
    return Fernet(base64.urlsafe_b64encode(Scrypt(salt=salt, **_COST).derive(passphrase.encode())))


def _hash(token: bytes) -> bytes:
    return hashlib.sha256(token).hexdigest().encode()


def _as_text(value: bytes) -> dict[str, str]:
    return {_BYTES: base64.b64encode(value).decode()}


def _from_text(value: dict[str, Any]) -> Any:
    return base64.b64decode(value[_BYTES]) if value.keys() == {_BYTES} else value
