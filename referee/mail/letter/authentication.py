"""What our own mail server found out about a letter's sender: Authentication-Results (RFC 8601), read for one answer alone.

Anybody may write such a field. Ours is believed where our server is known by name and the field stands above everything that
came from outside: the topmost one, and none below it, whatever that says. A field that is not of the grammar proves nothing, for
a server that writes a stranger's words without quotes writes results that he made up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from referee.core.values import Value
from referee.mail.letter.headers import RESULTS, Head
from referee.mail.letter.identity import QUOTED, outline

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
    properties: tuple[tuple[str, str], ...]

    def property(self, name: str) -> str:
        """Return the property of that name, "" where it is not told."""
        return next((value for each, value in self.properties if each == name), "")


def is_authenticated(head: Head, sender: str, authserv_id: str, profile: str = "") -> bool:
    """Return whether our mail server says that *sender* (the address in From) wrote the letter, or somebody of his domain.

    ``dmarc=pass``; where his domain publishes no such policy, a signature of that very domain or one above it.
    """
    domain = sender.rpartition("@")[2].lower()
    results = _results(head, authserv_id, profile) if domain else ()
    dmarc = [each for each in results if each.method == "dmarc"]
    if any(each.verdict not in ("none", "bestguesspass") for each in dmarc):
        is_his = dmarc[0].property("header.from") in ("", domain)
        return len(dmarc) == 1 and dmarc[0].verdict == "pass" and is_his
    return any(each.method == "dkim" and each.verdict == "pass" and _signs_for(each, domain) for each in results)


def is_from_its_server(head: Head, sender: str, authserv_id: str, profile: str = "") -> bool:
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


def _signs_for(result: Result, domain: str) -> bool:
    signer = result.property("header.d") or result.property("header.i").rpartition("@")[2]
    return is_aligned(signer, domain)


def _results(head: Head, authserv_id: str, profile: str) -> tuple[Result, ...]:
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
    if received and _FROM.match(received) is None:
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
