"""What the domain name system says of the club's domain: without it, our letters end among the spam."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable

from referee.config import Config
from referee.core import MailDown, Texts, how_to_install, is_this_machine, number_of

from .finding import Finding, Findings, fault, ok, warning

PATIENCE = 5.0  # seconds for one question

_NOWHERE = ("localhost", "local", "lan", "internal", "test", "example", "invalid", "home.arpa")

Lookup = Callable[[str, str], Texts]  # (name, kind) → the records; none where there are none; raises MailDown


def dns_lookup(server: str = "", port: int = 53) -> Lookup | None:
    """Return how records are asked for, at the machine's name server or the one given; None where dnspython is missing."""
    try:
        import dns.exception
        import dns.resolver
    except ImportError:
        return None
    resolver = dns.resolver.Resolver(configure=not server)
    resolver.lifetime = PATIENCE
    if server:
        resolver.nameservers, resolver.port = [server], port

    def lookup(name: str, kind: str) -> Texts:
        try:
            return tuple(_text(record) for record in resolver.resolve(name, kind))
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return ()
        except (dns.exception.DNSException, OSError, ValueError) as error:
            raise MailDown(f"{kind} of {name} cannot be asked for: {type(error).__name__}") from error

    return lookup


def dns_findings(config: Config, lookup: Lookup | None, selector: str) -> Findings:
    """Return what is to be said of the domain of ``mail.address``; *selector*: of the DKIM key, "" if it is not known."""
    domain = config.address.rpartition("@")[2].lower()
    if domain in _NOWHERE or domain.endswith(tuple(f".{name}" for name in _NOWHERE)) or "." not in domain:
        yield ok(f"{domain} is no domain of the internet: nothing to look up")
        return
    if not lookup:
        yield warning("the records were not looked up", how_to_install("dns"))
        return
    try:
        yield _mx(domain, lookup)
        yield _spf(domain, lookup)
        yield _dkim(domain, lookup, selector)
        yield _dmarc(domain, lookup)
        yield from _ptr(config, lookup)
    except MailDown as error:
        yield warning(str(error), "look whether the machine's name server answers")


def _mx(domain: str, lookup: Lookup) -> Finding:
    hosts = [host for host in lookup(domain, "MX") if host.rpartition(" ")[2] != "."]
    if hosts:
        return ok(f"MX of {domain}: {', '.join(hosts)}")
    return fault(f"{domain} has no MX record", "add one, or players' letters find no mailbox")


def _spf(domain: str, lookup: Lookup) -> Finding:
    found = [text for text in lookup(domain, "TXT") if text.lower().split(" ")[0] == "v=spf1"]
    if len(found) == 1:
        return ok(f"SPF of {domain}: {found[0]}")
    if found:
        return fault(f"{domain} has {len(found)} SPF records", "leave one: with more none counts")
    remedy = f'add a TXT record to {domain} that names whoever sends for it, as "v=spf1 include:PROVIDER -all"'
    return warning(f"{domain} has no SPF record", remedy)


def _dkim(domain: str, lookup: Lookup, selector: str) -> Finding:
    if not selector:
        remedy = "name the selector with --dkim-selector (s= in the DKIM-Signature of a letter of ours)"
        return warning("the DKIM key was not looked up", remedy)
    name = f"{selector}._domainkey.{domain}"
    keys = [text for text in lookup(name, "TXT") if "p=" in text.replace(" ", "")]
    if not keys:
        return fault(f"there is no DKIM key at {name}", "publish the key that your mail server signs with")
    revoked = all("p=" in text.replace(" ", "").split(";") for text in keys)
    if revoked:
        return fault(f"the DKIM key at {name} was revoked", "publish the key that your mail server signs with")
    return ok(f"there is a DKIM key at {name}")


def _dmarc(domain: str, lookup: Lookup) -> Finding:
    """A domain without a record of its own has that of one above it."""
    parts = domain.split(".")
    for at in range(len(parts) - 1):
        name = "_dmarc." + ".".join(parts[at:])
        found = [text for text in lookup(name, "TXT") if text.lower().startswith("v=dmarc1")]
        if found:
            return ok(f"DMARC at {name}: {found[0]}")
    remedy = f'add a TXT record _dmarc.{domain}, to begin with "v=DMARC1; p=none"'
    return warning(f"{domain} has no DMARC record", remedy)


def _ptr(config: Config, lookup: Lookup) -> Findings:
    """The machine that hands our letters to the world should have a name both ways."""
    host = config.smtp.host.strip("[]")
    if not host or is_this_machine(host):
        host = socket.gethostname()
        if "." not in host:
            remedy = "where this machine itself sends, give it a whole name (hostname -f) with A and PTR records"
            yield warning(f"this machine calls itself {host!r}: its PTR record was not looked up", remedy)
            return
    addresses = [host] if number_of(host) else [*lookup(host, "A"), *lookup(host, "AAAA")]
    for address in addresses[:1]:
        back = lookup(ipaddress.ip_address(address).reverse_pointer, "PTR")
        if back:
            yield ok(f"PTR of {address}: {back[0].rstrip('.')}")
        else:
            yield warning(f"{address} ({host}) has no PTR record", "ask whoever gave you the address for one")
    if not addresses:
        yield warning(f"{host} has no address", "add an A record, or mend smtp.host")


def _text(record: object) -> str:
    """Return a record as one text; a TXT record's pieces belong together."""
    pieces = getattr(record, "strings", None)
    return b"".join(pieces).decode("utf-8", "replace") if pieces is not None else str(record)
