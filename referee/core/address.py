"""Mail addresses: the one spelling by which two are compared, which letters can be sent to; and what is enclosed in letters."""

from __future__ import annotations

import base64
import ipaddress
import re
import unicodedata
from collections.abc import Iterable

from .values import Value

LONGEST = 254  # characters

_LOCAL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}){0,20}"
_DOMAIN = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})(?:\.[A-Za-z0-9][A-Za-z0-9-]{0,62}){0,20}"
_ADDRESS = re.compile(rf"{_LOCAL}@{_DOMAIN}")
# Under which name Gmail knows its domains: one box has both, with any dots in its name.
DOTLESS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}
_LABEL = 63  # letters of a domain's part
_TYPED = 4 * LONGEST  # characters that may become one address; ordering the marks of more takes quadratic time


def number_of(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the number of a host that is called by it, in brackets perhaps; None for a name."""
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


def is_this_machine(host: str) -> bool:
    """Return whether a host is the one that asks."""
    number = number_of(host)
    return host.lower() == "localhost" or (number is not None and number.is_loopback)


def is_address(text: str) -> bool:
    """Return whether *text* is one plain ASCII address, safe in a header and on an envelope."""
    return len(text) <= LONGEST and _ADDRESS.fullmatch(text) is not None


def canonical(address: str) -> str:
    """Return *address* with its domain in lower case and ASCII, "" where that is no domain, or all is too long for a letter;
    what stands before the @ is the owner's to compare.
    """
    if len(address) > LONGEST:  # no letter can be sent there, and what follows is for a few letters
        return ""
    local, at, domain = address.rpartition("@")
    if address.isascii():
        return f"{local}{at}{domain.lower()}"
    labels = [_ascii_label(label) for label in domain.split(".")]
    return f"{local}{at}{'.'.join(labels)}" if all(labels) and _is_spelled(local) else ""


def mailbox(address: str) -> str:
    """Return the one spelling of all addresses of a box: capitals do not matter, nor do Gmail's dots and its second name."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.replace('.', '')}@{DOTLESS[domain]}" if domain in DOTLESS else f"{local}@{domain}"


def from_typed(text: str) -> str:
    """Return the address that somebody typed as letters are sent to it, "" where none can be: ``ann@bücher.example`` is
    ``ann@xn--bcher-kva.example``.

    A keyboard may make one letter of two (u and its dots): they are put together, as no sender's address is that we read.
    """
    address = canonical(_compose(text))
    return address if is_address(address) else ""


def beyond_ascii(text: str) -> str:
    """Return what before the @ of *text* is no plain letter, each once in order: no server of ours takes letters to such (they
    need SMTPUTF8); "" where the fault is another.
    """
    local, _, domain = _compose(text).rpartition("@")
    strange = "".join(dict.fromkeys(letter for letter in local if not letter.isascii()))
    return strange if strange.isprintable() and from_typed(f"a@{domain}") else ""


def _compose(text: str) -> str:
    """Return what was typed with letters put together of their parts, "" where it is far too long for an address."""
    plain = text.strip()
    return unicodedata.normalize("NFC", plain) if len(plain) <= _TYPED else ""


def _ascii_label(label: str) -> str:
    """Return a part of a domain as the name servers know it, "" where its spelling is doubtful.

    The codec of the standard library makes ``strasse`` of ``straße``: another domain, another man's. Here every letter stays.
    """
    lower = label.lower()
    if label.isascii():
        return lower if len(label) <= _LABEL else ""
    if len(label) > _LABEL or not _is_spelled(lower):
        return ""
    encoded = f"xn--{lower.encode('punycode').decode('ascii')}"
    return encoded if len(encoded) <= _LABEL else ""


def _is_spelled(text: str) -> bool:
    """Return whether *text* has one spelling: no letter beyond ASCII in it may pass for another (the sign of Kelvin for a K)."""
    wide = [letter for letter in text if not letter.isascii()]
    return unicodedata.normalize("NFKC", text) == text and not any(
        letter.lower().isascii() or not (letter.isalnum() or unicodedata.category(letter)[0] == "M") for letter in wide
    )


# Files in letters of ours, apart from their words: the same board is in many letters.


class Enclosed(Value):
    """A file whose lines of base64 stand in a letter behind the first *at* bytes of its words."""

    at: int
    content: bytes


def whole_letter(words: bytes, files: Iterable[Enclosed]) -> bytes:
    """Return a letter as it leaves; *files* in the order in which they stand in it."""
    parts, begin = [], 0
    for file in files:
        parts += [words[begin : file.at], _lines(file.content)]
        begin = file.at
    return b"".join([*parts, words[begin:]])


def size_of_letter(words: bytes, files: Iterable[Enclosed]) -> int:
    """Return how many bytes such a letter has."""
    return len(words) + sum(_encoded_size(len(file.content)) for file in files)


def _lines(content: bytes) -> bytes:
    """Return base64 in lines of 76 characters."""
    return base64.encodebytes(content).replace(b"\n", b"\r\n")


def _encoded_size(size: int) -> int:
    letters = -(-size // 3) * 4
    return letters + 2 * -(-letters // 76)
