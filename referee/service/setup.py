"""Settings of a new club: which servers a mailbox has, settings tried before they are written, and what makes its passes."""

from __future__ import annotations

import os
import plistlib
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from http.client import HTTPException, HTTPSConnection
from pathlib import Path
from urllib.parse import quote
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from referee.config import FILE, Config, Settings, config_from, sample_toml, with_settings
from referee.config.values import password_of
from referee.core import MailDown, Value
from referee.mail.servers import imapline, smtp
from referee.resources import shipped_folder
from referee.system import name_of, our_id, write_whole

from .club import login_of, make_club
from .doctor.dns import Lookup

# Which servers a mailbox has: told by a table of providers, by the domain over HTTPS, or by its SRV records (RFC
# 6186, 8314).
#
# Of what a server answers nothing is used but the name of a host and a port, and whether its line begins with TLS or
# STARTTLS.

PATIENCE, LARGEST = 10, 100_000  # seconds, bytes of an answer

_HOST = re.compile(r"(?=.{4,253}$)(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.)+[A-Za-z][A-Za-z0-9-]{0,62}")
_PLACE = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9.-]{1,253})(?::([0-9]{1,5}))?(?:/(tls|starttls|none))?")
_STARTTLS = (25, 143, 587)  # all other ports begin with TLS
_PORTS = {"imap": 993, "smtp": 465}
_SRV = {
    "imap": (("_imaps", "tls"), ("_imap", "starttls")),
    "smtp": (("_submissions", "tls"), ("_submission", "starttls")),
}

Fetch = Callable[[str, str], bytes]  # (host, path) → what it answers over HTTPS; raises OSError or HTTPException


class Endpoint(Value, kw_only=False):
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

    imap: Endpoint
    smtp: Endpoint
    by: str
    vouched: bool = True
    note: str = ""
    profile: str = ""


def place_of(text: str, section: str) -> Endpoint | None:
    """Return the place that HOST, HOST:PORT or HOST:PORT/SECURITY names, None if it is none of them."""
    found = _PLACE.fullmatch(text.strip())
    port = int(found[2] or _PORTS[section]) if found else 0
    if not found or not 1 <= port <= 65_535:
        return None
    return Endpoint(found[1], port, found[3] or ("starttls" if port in _STARTTLS else "tls"))


def discover(address: str, lookup: Lookup | None, fetch: Fetch | None = None) -> Servers | None:
    """Return the servers of a mailbox, None where nobody names them; *lookup* is None where nobody can be asked for records."""
    domain = address.rpartition("@")[2].lower()
    known = (servers for domains, _, servers in _providers() if domain in domains)
    found = next(known, None) or _autoconfig(address, domain, fetch or fetch_page)
    if found or not lookup:
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


def fetch_page(host: str, path: str, port: int = 443) -> bytes:
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
    found = []
    for name, said in tomllib.loads(Path(__file__).with_name("providers.toml").read_text("utf-8")).items():
        imap, smtp = place_of(said["imap"], "imap"), place_of(said["smtp"], "smtp")
        assert imap
        assert smtp
        told = {key: said.get(key, "") for key in ("note", "profile")}
        servers = Servers(imap=imap, smtp=smtp, by=f"the table of providers, {name}", **told)
        found.append((frozenset[str](said.get("domains", ())), frozenset[str](said.get("mx", ())), servers))
    return tuple(found)


def _autoconfig(address: str, domain: str, fetch: Fetch) -> Servers | None:
    asked = f"/mail/config-v1.1.xml?emailaddress={quote(address)}"
    for host, path in ((f"autoconfig.{domain}", asked), (domain, "/.well-known/autoconfig/mail/config-v1.1.xml")):
        try:
            root = fromstring(fetch(host, path))
        except (OSError, HTTPException, ParseError, DefusedXmlException, ValueError):
            continue
        imap, smtp = next(_listed_places(root, "imap"), None), next(_listed_places(root, "smtp"), None)
        if imap and smtp:
            return Servers(imap=imap, smtp=smtp, by=f"https://{host}")
    return None


def _listed_places(root: Element, kind: str) -> Iterator[Endpoint]:
    for each in root.iter():
        if each.tag in ("incomingServer", "outgoingServer") and each.get("type") == kind:
            host, port, line = (str(each.findtext(name, "")).strip() for name in ("hostname", "port", "socketType"))
            yield from _check_place(host, port, {"SSL": "tls", "STARTTLS": "starttls"}.get(line, ""))


def _by_srv(domain: str, lookup: Lookup) -> Servers | None:
    """Name servers are asked over open lines: whoever sits on them could name hosts of their own."""
    imap, smtp = (next(_service_records(domain, lookup, kind), None) for kind in ("imap", "smtp"))
    if not imap or not smtp:
        return None
    own = all(each.host.lower().endswith(f".{domain}") for each in (imap, smtp))
    return Servers(imap=imap, smtp=smtp, by=f"the SRV records of {domain}", vouched=own)


def _service_records(domain: str, lookup: Lookup, kind: str) -> Iterator[Endpoint]:
    for service, security in _SRV[kind]:
        records = [record.split() for record in lookup(f"{service}._tcp.{domain}", "SRV")]
        for _, _, port, host in sorted((each for each in records if len(each) == 4), key=lambda each: each[0].zfill(5)):
            yield from _check_place(host.rstrip("."), port, security)


def _check_place(host: str, port: str, security: str) -> Iterator[Endpoint]:
    """Yield the place if a stranger's words name one: a whole name of a host, no number, a port, a line with TLS."""
    if (
        security
        and _HOST.fullmatch(host)
        and port.isascii()
        and port.isdecimal()
        and len(port) <= 5
        and 0 < int(port) <= 65_535
    ):
        yield Endpoint(host, int(port), security)


# What makes a pass every five minutes: written into the club's folder.


def write_timer(folder: Path, kind: str) -> str:
    """Write what a *kind* of timer needs for the club in *folder*, and return the command that puts it in place."""
    return {"systemd": _systemd, "cron": _cron, "launchd": _launchd, "schtasks": _schtasks}[kind](folder)


def usual_timer() -> str:
    """Return the kind of this system's own timer."""
    return {"win32": "schtasks", "darwin": "launchd"}.get(sys.platform, "systemd")


def tick_command(folder: Path) -> list[str]:
    """Return the command of one pass, as this very program is run."""
    return [sys.executable, "-m", "referee", "--club", str(folder), "tick"]


def _schtasks(folder: Path) -> str:
    script = folder / "tick.cmd"  # a task's own command has room for 261 letters
    script.write_text(
        f"@chcp 65001 >nul\n@{subprocess.list2cmdline(tick_command(folder))} >nul\n".replace("%", "%%"), "utf-8"
    )
    return subprocess.list2cmdline(
        ["schtasks", "/Create", "/SC", "MINUTE", "/MO", "5", "/TN", f"referee-{folder.name}", "/TR", f'"{script}"']
    )


def _launchd(folder: Path) -> str:
    file = folder / f"referee-{folder.name}.plist"
    told = {"Label": file.stem, "ProgramArguments": tick_command(folder), "StartInterval": 300}
    file.write_bytes(plistlib.dumps(told))
    return (
        f"cp {shlex.quote(str(file))} ~/Library/LaunchAgents/ && launchctl load -w ~/Library/LaunchAgents/{file.name}"
    )


def _systemd(folder: Path) -> str:
    name = "referee-" + re.sub(r"[^A-Za-z0-9_-]", "-", folder.name)
    club, tick = str(folder).replace("%", "%%"), shlex.join(tick_command(folder)).replace("%", "%%")
    # What a unit with ProtectHome=yes does not see.
    at_home = any(
        str(place).startswith(("/home/", "/root/", "/run/user/"))
        for place in (folder, Path(sys.executable), Path(__file__))
    )
    lines = {  # of the unit for a club in /var/lib/referee, and what stands there for this one
        "ExecStart=": f"ExecStart={tick}",
        "User=": f"User={name_of(our_id())}",
        "Group=": "",  # the one of that account
        "StateDirectory=": f'ReadWritePaths="{club}"',
        "StateDirectoryMode=": "",
        "WorkingDirectory=": f"WorkingDirectory={club}",
        "LoadCredential=": "",
        "ProtectHome=": f"ProtectHome={'no' if at_home else 'yes'}",
        "# One pass": "# One pass of the referee; the timer of the same name starts it.",
    }
    files = [folder / f"{name}.service", folder / f"{name}.timer"]
    for file in files:
        text = (
            shipped_folder("docs/systemd")
            .joinpath(f"referee-tick@{file.suffix}")
            .read_text("utf-8")
            .replace("%i", folder.name)
        )
        said = [next((new for old, new in lines.items() if line.startswith(old)), line) for line in text.splitlines()]
        file.write_text("\n".join(said) + "\n", "utf-8")
    return f"sudo cp {shlex.join(map(str, files))} /etc/systemd/system/ && sudo systemctl enable --now {name}.timer"


def _cron(folder: Path) -> str:
    tick, file = shlex.join(tick_command(folder)), folder / "referee.cron"
    file.write_text(f"*/5 * * * * {tick} > /dev/null\n".replace("%", "\\%"), "utf-8")
    sudo = as_owner()
    others = f"{sudo}crontab -l 2> /dev/null | grep -vF {shlex.quote(tick)}"
    return f"({others}; {sudo}cat {shlex.quote(str(file))}) | {sudo}crontab -"


def as_owner() -> str:
    """Return what is typed before a command of ours by who came here with sudo, to be again who they are now."""
    return f"sudo -u {name_of(our_id())} " if "SUDO_USER" in os.environ and our_id() else ""


# Settings that are tried before they are written: what a server refuses changes nothing.

OWN_FILE = "mail-password"


def plan(folder: Path, given: Settings) -> Config:
    """Return the settings of the club in *folder*, there or not, with *given* ones. Raises ConfigError: they do not do."""
    return config_from(folder, _text(folder, given))


def has_login(config: Config) -> bool:
    """Return whether both servers are told who we are. Raises ConfigError: a password is set, and cannot be read."""
    servers = (("imap", config.imap), ("smtp", config.smtp))
    return all(server.token_command or password_of(server, name, config.folder) for name, server in servers)


def log_in(config: Config, section: str, password: str) -> None:
    """Log in to the server of ``imap`` or ``smtp``, with *password* or, where that is "", as the settings say.

    Raises:
        ConfigError: a setting is wrong.
        LoginRefused, MailDown: as ``open_line``.
    """
    ask = login_of(config, section, password)
    if section == "imap":
        imapline.hang_up(imapline.open_line(config.imap, ask, config.folder), polite=True)
    else:
        smtp.hang_up(smtp.open_line(config.smtp, ask, config.folder), polite=True)


def write_club(folder: Path, given: Settings, password: str) -> Config:
    """Make the club, or change *given* settings of one that is there; a *password* that is not "" is written, too.

    Raises:
        ConfigError: a setting is wrong, or something cannot be written.
    """
    if not (folder / FILE).exists():
        make_club(folder, dict(given))
    text = _text(folder, given)
    config = config_from(folder, text)
    if password:
        write_whole(folder / OWN_FILE, f"{password}\n".encode())
    write_whole(folder / FILE, text.encode())
    return config


def _text(folder: Path, given: Settings) -> str:
    path = folder / FILE
    return with_settings(path.read_text("utf-8") if path.exists() else sample_toml({}), given)
