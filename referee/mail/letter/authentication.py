"""What our own mail server found out about a letter's sender: Authentication-Results (RFC 8601), read for one answer alone.

Anybody may write such a field. Ours is believed where our server is known by name and the field stands above everything that
came from outside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.core.regex import regex
from referee.core.values import dataclass
from referee.mail.letter.headers import Head

FIELDS = 10  # fields with results that are looked at
RESULTS = 50  # results in one

_FIELD = "authentication-results"
_BY = regex(r"(?:^|\s)by\s+([A-Za-z0-9.:_-]{1,255})", re.IGNORECASE)
_FROM = regex(r"\s*from\s", re.IGNORECASE)
_RESULT = regex(r"\s*([a-z0-9-]{1,40})(?:/\d+)?\s*=\s*([a-z]{1,20})(?![\w-])", re.IGNORECASE)
_PROPERTY = regex(r"([a-z]{1,20}\.[a-z0-9-]{1,40})\s*=\s*\"?([^\s\";]{1,255})", re.IGNORECASE)
_MICROSOFT = (".protection.outlook.com", ".prod.outlook.com")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One result: ``method`` as ``dmarc``, ``verdict`` as ``pass``, the properties as ``header.d``; all in lower case."""

    method: str
    verdict: str
    properties: tuple[tuple[str, str], ...]

    def property(self, name: str) -> str:
        """Return the property of that name, "" where it is not told."""
        return next((value for each, value in self.properties if each == name), "")


def is_authenticated(head: Head, sender: str, authserv_id: str, profile: str = "") -> bool:
    """Return whether our mail server says that *sender* (the address in From) wrote the letter, or somebody of his domain.

    ``dmarc=pass``; where his domain publishes no such policy, a signature of that very domain or one above it.
    """
    domain = sender.rpartition("@")[2].lower()
    results = tuple(_results(head, authserv_id, profile)) if domain else ()
    dmarc = next((each for each in results if each.method == "dmarc"), None)
    if dmarc is not None and dmarc.verdict not in ("none", "bestguesspass"):
        return dmarc.verdict == "pass" and dmarc.property("header.from") in ("", domain)
    return any(each.method == "dkim" and each.verdict == "pass" and _signs_for(each, domain) for each in results)


def is_aligned(signer: str, domain: str) -> bool:
    """Return whether a signature of the domain *signer* speaks for *domain*: it is the same, or one above it.

    One below does not: without a list of public suffixes nobody knows whether ``evil.github.io`` may speak for ``github.io``.
    """
    return "." in signer and (domain == signer or domain.endswith(f".{signer}"))


def _signs_for(result: Result, domain: str) -> bool:
    signer = result.property("header.d") or result.property("header.i").rpartition("@")[2]
    return is_aligned(signer, domain)


def _results(head: Head, authserv_id: str, profile: str) -> Iterator[Result]:
    """Yield the results that our server wrote, the topmost first."""
    if profile == "microsoft":
        yield from _results_of_microsoft(head)
    elif authserv_id:
        for value in _fields_above_the_border(head, authserv_id.lower()):
            yield from _read(_bare(value).partition(";")[2])


def _results_of_microsoft(head: Head) -> Iterator[Result]:
    """Microsoft writes no name into its field: it is the first one, of a letter that one of its servers has handed over."""
    top = _BY.search(_bare(head.first("received")))
    if top is not None and top[1].lower().endswith(_MICROSOFT):
        yield from _read(_bare(head.first(_FIELD)))


def _fields_above_the_border(head: Head, authserv_id: str) -> Iterator[str]:
    """Yield the fields with our server's name, up to what was written outside: the first Received of another server, or the
    first such field of somebody else.
    """
    found = 0
    for name, value in head.fields:
        if name == "received" and not _is_ours(_bare(value), authserv_id):
            return
        if name == _FIELD:
            words = _bare(value).partition(";")[0].split()
            if not words or words[0].lower() != authserv_id or found == FIELDS:
                return
            found += 1
            yield value


def _is_ours(received: str, authserv_id: str) -> bool:
    """Return whether a server of ours took the letter: that of this name, a neighbour of it, or one within our own house that
    names nobody who gave it the letter.
    """
    by = _BY.search(received)
    if _FROM.match(received) is None:
        return True
    parent = authserv_id.partition(".")[2]
    host = by[1].lower() if by else ""
    return host == authserv_id or host.endswith(f".{authserv_id}") or ("." in parent and host.endswith(f".{parent}"))


def _read(text: str) -> Iterator[Result]:
    for part in text.split(";")[:RESULTS]:
        match = _RESULT.match(part)
        if match:
            found = _PROPERTY.findall(part[match.end() :])
            properties = tuple((name.lower(), value.lower()) for name, value in found)
            yield Result(method=match[1].lower(), verdict=match[2].lower(), properties=properties)


def _bare(value: str) -> str:
    """Return *value* without comments; a ``;`` in a quoted string does not part results."""
    kept: list[str] = []
    depth, quoted, escaped = 0, False, False
    for letter in value:
        if escaped:
            escaped = False
        elif letter == "\\" and (quoted or depth):
            escaped = True
        elif letter == '"' and not depth:
            quoted = not quoted
            kept.append(letter)
        elif letter in "()" and not quoted:
            depth = max(0, depth + (1 if letter == "(" else -1))
        elif not depth:
            kept.append(" " if quoted and letter in ";=" else letter)
    return "".join(kept)
