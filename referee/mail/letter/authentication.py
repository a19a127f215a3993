"""What our own mail server found out about a letter's sender: Authentication-Results (RFC 8601), read for one answer alone.

Anybody may write such a field. Ours is believed where our server is known by name and the field stands above everything that
came from outside: the topmost one, and none below it, whatever that says. A field that is not of the grammar proves nothing, for
a server that writes a stranger's words without quotes writes results that the stranger made up.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import takewhile
from types import ModuleType
from typing import Any

from referee.core import ConfigError, Pair, Value, how_to_install

from .headers import QUOTED, RESULTS, HeaderFields, addresses, outline, parse_date

_BY = re.compile(r"(?:^|\s)by\s+([A-Za-z0-9.:_-]{1,255})", re.IGNORECASE)
_FROM = re.compile(r"\s*from\s", re.IGNORECASE)
# Microsoft writes action=none where a property has a type before its name.
_PROPERTY = r"\s+([a-z0-9-]{1,40}(?:\s*\.\s*[a-z0-9_-]{1,40})?)\s*=\s*([^\s;\"\\]{1,500})"
_EACH = re.compile(_PROPERTY, re.IGNORECASE)
_RESULT = re.compile(
    rf"\s*([a-z0-9-]{{1,40}})(?:\s*/\s*\d+)?\s*=\s*([a-z]{{1,20}})((?:{_PROPERTY}){{0,50}})\s*", re.IGNORECASE
)
_PLAIN = re.compile(r"[\w.@+-]+")
_MICROSOFT = (".protection.outlook.com", ".prod.outlook.com")


class Result(Value):
    """One result: ``method`` as ``dmarc``, ``verdict`` as ``pass``, the properties as ``header.d``; all in lower case."""

    method: str
    verdict: str
    properties: tuple[Pair, ...]

    def property(self, name: str) -> str:
        """Return the property of that name, "" where it is not told."""
        return next((value for each, value in self.properties if each == name), "")


def is_authenticated(head: HeaderFields, sender: str, authserv_id: str, profile: str = "") -> bool:
    """Return whether our mail server says that *sender* (the address in From) wrote the letter, or somebody of that domain.

    ``dmarc=pass``; where the domain publishes no such policy, a signature of that very domain or one above it.
    """
    domain = sender.rpartition("@")[2].lower()
    results = _results(head, authserv_id, profile) if domain else ()
    dmarc = [each for each in results if each.method == "dmarc"]
    if any(each.verdict not in ("none", "bestguesspass") for each in dmarc):
        is_senders = dmarc[0].property("header.from") in ("", domain)
        return len(dmarc) == 1 and dmarc[0].verdict == "pass" and is_senders
    signed = (each for each in results if each.method == "dkim" and each.verdict == "pass")
    signers = (each.property("header.d") or each.property("header.i").rpartition("@")[2] for each in signed)
    return any(is_aligned(signer, domain) for signer in signers)


def is_from_its_server(head: HeaderFields, sender: str, authserv_id: str, profile: str = "") -> bool:
    """Return whether our mail server says that it had the letter from a server of the *sender*'s domain, or one above it."""
    spf = [each for each in _results(head, authserv_id, profile) if each.method == "spf"]
    domain = sender.rpartition("@")[2].lower()
    by = spf[0].property("smtp.mailfrom").rpartition("@")[2] if len(spf) == 1 and spf[0].verdict == "pass" else ""
    return is_aligned(by, domain)


def is_aligned(signer: str, domain: str) -> bool:
    """Return whether a signature of the domain *signer* speaks for *domain*: it is the same, or one above it.

    One below does not: without a list of public suffixes nobody knows whether ``evil.github.io`` may speak for ``github.io``.
    """
    return "." in signer and (domain == signer or domain.endswith(f".{signer}"))


def _results(head: HeaderFields, authserv_id: str, profile: str) -> tuple[Result, ...]:
    """Return the results that our server wrote, () where it wrote none or what stands there is not of the grammar."""
    if (
        profile == "microsoft"
    ):  # writes no name: it is the first field, of a letter that one of its servers has handed over
        top = _BY.search(_outline(head.first("received")))
        is_theirs = top is not None and top[1].lower().endswith(_MICROSOFT)
        return _read(_outline(head.first(RESULTS))) if is_theirs else ()
    above = takewhile(lambda field: _is_above(*field, authserv_id.lower()), head.fields if authserv_id else ())
    name, _, results = next((_outline(value) for name, value in above if name == RESULTS), "").partition(";")
    return _read(results) if name.lower().split()[:1] == [authserv_id.lower()] else ()


def _is_above(name: str, value: str, authserv_id: str) -> bool:
    """Return whether a field stands above what was written outside, which begins with the first Received of another server: it
    is none, or that of a server of ours, a neighbour of it, or one within our own house that names nobody who gave it the letter.
    """
    if name != "received":
        return True
    received = _outline(value)
    by = _BY.search(received)
    if received and not _FROM.match(received):
        return True
    parent = authserv_id.partition(".")[2]
    host = by[1].lower() if by else ""
    return host == authserv_id or host.endswith(f".{authserv_id}") or ("." in parent and host.endswith(f".{parent}"))


def _read(text: str) -> tuple[Result, ...]:
    parts = [part for part in text.split(";") if part.strip()]
    found = [match for part in parts if (match := _RESULT.fullmatch(part))]
    return tuple(map(_result, found)) if len(found) == len(parts) else ()


def _result(match: re.Match[str]) -> Result:
    properties = ((re.sub(r"\s", "", name), value) for name, value in _EACH.findall(match[3].lower()))
    return Result(method=match[1].lower(), verdict=match[2].lower(), properties=tuple(properties))


def _outline(value: str) -> str:
    """Return *value* without comments, and without what it quotes unless that is one word; "" where something is not closed."""
    text, quoted = outline(value) or ("", [])
    strings: Iterator[str] = iter(quoted)
    return re.sub(QUOTED, lambda _: each if _PLAIN.fullmatch(each := next(strings)) else QUOTED, text)


# DKIM signatures of a letter's own domain, checked here where no mail server of ours does so. Needs the extra
# ``dkim``.
#
# Anybody may send a signed letter on to us: where no code stands beside the signature, ``replay`` looks whom it was
# written to.

SIGNATURES = 3  # that are looked at
LARGEST = 500_000  # bytes of a letter whose signature is checked
TIMEOUT = 5  # seconds until a name server must have answered
SHORTEST_KEY = 1024  # bits

_ALGORITHMS = ("rsa-sha256", "ed25519-sha256")
# dkimpy takes quadratic time over these.
_COSTLY = re.compile(rb"[ \t]{500}|(?:\r?\n){500}")
_FIELD = "dkim-signature"

Lookup = Callable[..., bytes | None]  # the TXT record of a name, with ``timeout`` in seconds


def is_signed(raw: bytes, head: HeaderFields, sender: str, lookup: Lookup | None = None) -> bool:
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
    asked: dict[str, Any] = {} if not lookup else {"dnsfunc": lookup}
    try:
        return bool(library.DKIM(raw, minkey=SHORTEST_KEY, timeout=TIMEOUT).verify(idx=index, **asked))
    except Exception:
        # What a stranger wrote into a field, or a stranger's name server into a record: not proved, whatever it is.
        return False


# Was a letter that is vouched for written to us, and these days? Whoever else got it could hand it on to us as its sender's.

AROUND = timedelta(days=3)  # between the day that a letter names and its arrival


def is_meant(head: HeaderFields, is_ours: Callable[[str], bool], arrived: datetime, *, direct: bool) -> bool:
    """Return whether a letter names an address of ours in To or Cc, and a Date near its arrival if any.

    Unless it came *direct* from a server of its sender's, its signatures stand alone: each must cover From, To, Date and the
    field that names us, all of which are there once. Without a signature nothing can have been handed on.
    """
    dates, signatures = head.all("date"), head.all("dkim-signature")
    near = [date for date in map(parse_date, dates) if date and abs(arrived - date) <= AROUND]
    naming = [name for name in ("to", "cc") if any(map(is_ours, addresses(head.all(name))))]
    if direct or not signatures:
        return bool(naming) and len(near) == len(dates)
    covered = set.intersection(*map(signed_fields, signatures))
    return bool(near) and any(
        all(each in covered and len(head.all(each)) == 1 for each in ("from", "to", "date", name)) for name in naming
    )
