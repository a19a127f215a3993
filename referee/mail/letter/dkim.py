"""DKIM signatures of a letter's own domain, checked here where no mail server of ours does so. Needs the extra ``dkim``.

Anybody may send a signed letter on to us: where no code stands beside the signature, ``replay`` looks whom it was written to.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

from referee.core.errors import ConfigError, how_to_install
from referee.mail.letter.authentication import is_aligned
from referee.mail.letter.headers import Head

SIGNATURES = 3  # that are looked at
LARGEST = 500_000  # bytes of a letter whose signature is checked
TIMEOUT = 5  # seconds until a name server must have answered
SHORTEST_KEY = 1024  # bits

_ALGORITHMS = ("rsa-sha256", "ed25519-sha256")
# dkimpy takes quadratic time over these.
_COSTLY = re.compile(rb"[ \t]{500}|(?:\r?\n){500}")
_FIELD = "dkim-signature"

Lookup = Callable[..., bytes | None]  # the TXT record of a name, with ``timeout`` in seconds


def is_signed(raw: bytes, head: Head, sender: str, lookup: Lookup | None = None) -> bool:
    """Return whether the whole letter is signed by the domain of *sender* (the address in From), or one above it.

    *lookup* asks a name server, unless it is given.

    Raises:
        ConfigError: dkimpy is not installed.
    """
    library = _library()
    fields = head.all(_FIELD)[:SIGNATURES]
    domain = sender.rpartition("@")[2].lower()
    if len(raw) > LARGEST or head.overfull or len(head.all("from")) != 1 or _COSTLY.search(raw):
        return False
    return any(_is_good(library, raw, index, lookup) for index, field in enumerate(fields) if _counts(field, domain))


def signed_fields(field: str) -> set[str]:
    """Return the names of the fields that a signature covers, in small letters; none where it does not cover all of the text."""
    tags = _tags(field)
    if tags is None or "l" in tags:  # l= signs the beginning: anybody may add orders below it
        return set()
    return {name.strip().lower() for name in tags.get("h", "").split(":")}


def _library() -> ModuleType:
    try:
        return importlib.import_module("dkim")
    except ImportError as error:
        raise ConfigError(
            "identity.dkim: signatures are checked by dkimpy, which is not installed: "
            f"{how_to_install('dkim')}, or set identity.dkim = false"
        ) from error


def _counts(field: str, domain: str) -> bool:
    """Return whether a signature is one we would believe: of the right domain, over the sender and all of the text."""
    tags = _tags(field) or {}
    is_known = tags.get("a", "") in _ALGORITHMS and is_aligned(tags.get("d", "").lower(), domain)
    return is_known and "from" in signed_fields(field)


def _tags(field: str) -> dict[str, str] | None:
    """Return the tags of a signature, None where one is there twice."""
    parts = [part.partition("=") for part in field.split(";") if part.strip()]
    tags = {name.strip(): value.strip() for name, _, value in parts}
    return tags if len(tags) == len(parts) else None


def _is_good(library: ModuleType, raw: bytes, index: int, lookup: Lookup | None) -> bool:
    asked: dict[str, Any] = {} if lookup is None else {"dnsfunc": lookup}
    try:
        return bool(library.DKIM(raw, minkey=SHORTEST_KEY, timeout=TIMEOUT).verify(idx=index, **asked))
    except Exception:
        # What a stranger wrote into a field, or his name server into a record: not proved, whatever it is.
        return False
