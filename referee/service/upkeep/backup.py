"""A copy of a club's folder from which it can be set up again."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import secrets
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from referee import system
from referee.config import FILE, Config
from referee.core.errors import ConfigError
from referee.core.values import Value
from referee.service.club.club import make_folder
from referee.store.database.database import copy_store
from referee.store.files import unpack

OWN_FOLDERS = ("maps", "templates", "orders")  # what an umpire may have put into the club's folder


class Backup(Value):
    """A copy that was made: where, of what, and the ``secrets`` that are deliberately not in it (settings that name files)."""

    folder: Path
    copied: tuple[str, ...]
    secrets: tuple[str, ...]


def back_up(config: Config, into: Path, watch: Callable[[int, int], None] | None = None) -> Backup:
    """Copy settings, database and the umpire's own files of a club into the new folder *into*.

    The referee may run meanwhile. *watch*: as of ``copy_store``.

    Every letter is in the database, so the Maildirs are not copied; passwords are not either.

    Raises:
        ConfigError: the folder is there already, or something cannot be read or written.
        StoreBusy: the database cannot be copied now.
    """
    if into.exists():
        raise ConfigError(f"{into} is there already: name a folder that is not, so that no backup is ever overwritten")
    draft = into.with_name(f".{into.name}.{os.getpid()}.part")
    try:
        make_folder(draft.parent)
        draft.mkdir(mode=0o700)
        copied = _copied(config, draft, watch)
        _sync(draft)
        draft.rename(into)
    except OSError as error:
        raise ConfigError(f"{into} cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    servers = {"imap": config.imap, "smtp": config.smtp}
    secrets = tuple(f"{section}.password_file" for section, server in servers.items() if server.password_file)
    return Backup(folder=into, copied=copied, secrets=secrets)


def _copied(config: Config, draft: Path, watch: Callable[[int, int], None] | None) -> tuple[str, ...]:
    copy_store(config.database, draft / config.database.name, watch)
    _copy_file(config.folder / FILE, draft / FILE)
    copied = [FILE, config.database.name]
    for name in OWN_FOLDERS:
        if (config.folder / name).is_dir():
            _copy_folder(config.folder / name, draft / name)
            copied.append(f"{name}/")
    return tuple(copied)


def _copy_folder(source: Path, copy: Path) -> None:
    copy.mkdir(mode=0o700)
    for entry in sorted(source.iterdir()):
        if entry.is_dir():
            _copy_folder(entry, copy / entry.name)
        elif entry.is_file():
            _copy_file(entry, copy / entry.name)


def _copy_file(source: Path, copy: Path) -> None:
    with os.fdopen(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        file.write(source.read_bytes())


def _sync(folder: Path) -> None:
    """Make the copies outlive a power cut."""
    for path in (*folder.rglob("*"), folder):
        system.sync(path)


# A whole game in a file that only a passphrase opens: scrypt makes the key, Fernet (AES and HMAC) keeps what is
# inside.

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
        return json.loads(unpack(packed, MOST), object_hook=_from_text)
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
