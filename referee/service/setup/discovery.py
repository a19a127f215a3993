"""Which servers a mailbox has: told by a table of providers, by the domain over HTTPS, or by its SRV records (RFC 6186, 8314).

Of what a server answers nothing is used but the name of a host and a port, and whether its line begins with TLS or STARTTLS.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import cache
from http.client import HTTPException, HTTPSConnection
from pathlib import Path
from urllib.parse import quote
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from referee.core.errors import MailDown
from referee.core.regex import regex
from referee.core.values import Value
from referee.service.doctor import Lookup

PATIENCE, LARGEST = 10, 100_000  # seconds, bytes of an answer

_HOST = regex(r"(?=.{4,253}$)(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.)+[A-Za-z][A-Za-z0-9-]{0,62}")
_PLACE = regex(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9.-]{1,253})(?::([0-9]{1,5}))?(?:/(tls|starttls|none))?")
_STARTTLS = (25, 143, 587)  # all other ports begin with TLS
_PORTS = {"imap": 993, "smtp": 465}
_WELL_KNOWN = "/.well-known/autoconfig/mail/config-v1.1.xml"
_SRV = {
    "imap": (("_imaps", "tls"), ("_imap", "starttls")),
    "smtp": (("_submissions", "tls"), ("_submission", "starttls")),
}

Fetch = Callable[[str, str], bytes]  # (host, path) → what it answers over HTTPS; raises OSError or HTTPException


class Place(Value):
    """Where a server is: its line begins with ``security``, as in the settings."""

    host: str
    port: int
    security: str

    def __str__(self) -> str:
        return f"{self.host}:{self.port}/{self.security}"


class Servers(Value):
    """The two servers of a mailbox; ``by`` says who named them, ``note`` what the provider wants, ``profile`` as in the settings.
    ``vouched``: nobody on the way can have named others.
    """

    imap: Place
    smtp: Place
    by: str
    vouched: bool = True
    note: str = ""
    profile: str = ""


def place_of(text: str, section: str) -> Place | None:
    """Return the place that HOST, HOST:PORT or HOST:PORT/SECURITY names, None if it is none of them."""
    found = _PLACE.fullmatch(text.strip())
    port = int(found[2] or _PORTS[section]) if found else 0
    if not found or not 1 <= port <= 65_535:
        return None
    return Place(host=found[1], port=port, security=found[3] or ("starttls" if port in _STARTTLS else "tls"))


def discover(address: str, lookup: Lookup | None, fetch: Fetch | None = None) -> Servers | None:
    """Return the servers of a mailbox, None where nobody names them; *lookup* is None where nobody can be asked for records."""
    domain = address.rpartition("@")[2].lower()
    known = (servers for domains, _, servers in _providers() if domain in domains)
    found = next(known, None) or _autoconfig(address, domain, fetch or fetched)
    if found or lookup is None:
        return found
    try:
        hosts = [f".{record.rpartition(' ')[2].rstrip('.').lower()}" for record in lookup(domain, "MX")]
        holding = (
            servers
            for _, ends, servers in _providers()
            if any(host.endswith(f".{end}") for host in hosts for end in ends)
        )
        return next(holding, None) or _by_srv(domain, lookup)
    except MailDown:
        return None


def fetched(host: str, path: str, port: int = 443) -> bytes:
    """Return what a host answers over HTTPS. Nobody is followed to another place."""
    with closing(HTTPSConnection(host, port, timeout=PATIENCE)) as line:
        line.request("GET", path)
        answer = line.getresponse()
        raw = answer.read(LARGEST + 1)
    if answer.status != 200 or len(raw) > LARGEST:
        raise OSError(f"{host} answers {answer.status} with {len(raw)} bytes")
    return raw


@cache
def _providers() -> tuple[tuple[frozenset[str], frozenset[str], Servers], ...]:
    """Return of each provider the domains of addresses, the ends of MX hosts, and the servers."""
    table = tomllib.loads(Path(__file__).with_name("providers.toml").read_text("utf-8"))
    return tuple(
        (frozenset(said.get("domains", ())), frozenset(said.get("mx", ())), _servers_of(name, said))
        for name, said in table.items()
    )


def _servers_of(name: str, said: Mapping[str, str]) -> Servers:
    imap, smtp = place_of(said["imap"], "imap"), place_of(said["smtp"], "smtp")
    assert imap
    assert smtp
    by, note, profile = f"the table of providers, {name}", said.get("note", ""), said.get("profile", "")
    return Servers(imap=imap, smtp=smtp, by=by, note=note, profile=profile)


def _autoconfig(address: str, domain: str, fetch: Fetch) -> Servers | None:
    asked = f"/mail/config-v1.1.xml?emailaddress={quote(address)}"
    for host, path in ((f"autoconfig.{domain}", asked), (domain, _WELL_KNOWN)):
        try:
            root = fromstring(fetch(host, path))
        except (OSError, HTTPException, ParseError, DefusedXmlException, ValueError):
            continue
        imap, smtp = next(_listed(root, "imap"), None), next(_listed(root, "smtp"), None)
        if imap and smtp:
            return Servers(imap=imap, smtp=smtp, by=f"https://{host}")
    return None


def _listed(root: Element, kind: str) -> Iterator[Place]:
    for each in root.iter():
        if each.tag in ("incomingServer", "outgoingServer") and each.get("type") == kind:
            host, port, line = (str(each.findtext(name, "")).strip() for name in ("hostname", "port", "socketType"))
            yield from _checked(host, port, {"SSL": "tls", "STARTTLS": "starttls"}.get(line, ""))


def _by_srv(domain: str, lookup: Lookup) -> Servers | None:
    """Name servers are asked over open lines: whoever sits on them could name hosts of his own."""
    imap, smtp = (next(_served(domain, lookup, kind), None) for kind in ("imap", "smtp"))
    if not imap or not smtp:
        return None
    own = all(each.host.lower().endswith(f".{domain}") for each in (imap, smtp))
    return Servers(imap=imap, smtp=smtp, by=f"the SRV records of {domain}", vouched=own)


def _served(domain: str, lookup: Lookup, kind: str) -> Iterator[Place]:
    for service, security in _SRV[kind]:
        records = [record.split() for record in lookup(f"{service}._tcp.{domain}", "SRV")]
        for _, _, port, host in sorted((each for each in records if len(each) == 4), key=lambda each: each[0].zfill(5)):
            yield from _checked(host.rstrip("."), port, security)


def _checked(host: str, port: str, security: str) -> Iterator[Place]:
    """Yield the place if a stranger's words name one: a whole name of a host, no number, a port, a line with TLS."""
    if (
        security
        and _HOST.fullmatch(host)
        and port.isascii()
        and port.isdecimal()
        and len(port) <= 5
        and 0 < int(port) <= 65_535
    ):
        yield Place(host=host, port=int(port), security=security)
