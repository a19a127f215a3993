"""From nothing to a club that can work: what must be known is said as options, settled already, found out, or asked; copies."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import TextIO

import click

from referee.config import FILE, SETTINGS, Config, SettingValue, club_folder, read_config, setting_fault, zone_fault
from referee.core import ConfigError, LoginRefused, MailDown, Pair, RefereeError, from_typed
from referee.service.backup import back_up, check_forgettable
from referee.service.backup import forget as forget_person
from referee.service.club import Club, utc_now
from referee.service.doctor.dns import dns_lookup
from referee.service.doctor.finding import about
from referee.service.doctor.roundtrip import FORGERY, PLUS, forgery_findings, plus_finding, round_trip
from referee.service.setup import (
    OWN_FILE,
    Endpoint,
    as_owner,
    discover,
    has_login,
    log_in,
    place_of,
    plan,
    usual_timer,
    write_club,
    write_timer,
)

from .base import ClubFolder, CommandMaker, private
from .printing import Percent, is_terminal, is_watched, say
from .status import doctor, say_finding

command = CommandMaker(__file__)

TRIES = 5  # at servers and passwords

_QUESTIONS = {
    "address": ("mail.address", "The referee's own mail address (a mailbox that nobody else uses)"),
    "umpire": ("mail.umpire", "Your own address, which is told of trouble"),
    "name": ("club.name", "The club's name"),
    "zone": ("club.zone", "The time zone of its deadlines, as Europe/Dublin"),
}
Given = dict[str, SettingValue]  # settings by their paths
_BY_PATH = {setting.path: setting for setting in SETTINGS}
_SECTIONS = ("imap", "smtp")
_PLACE = "HOST[:PORT][/tls|/starttls]"
_TIMERS = ("systemd", "cron", "launchd", "schtasks", "none")
_AUTHSERV = re.compile(r"[A-Za-z0-9.:_-]{1,253}")


@command("setup")
def setup(
    ctx: click.Context, /, folder: Path, file: TextIO | None, token: str | None, timer: str | None, **said: str | None
) -> None:
    """Make a club with its mailbox, or change one.

    What no option says is asked on a terminal; what is settled already stays. The servers are found (a table of providers, the
    domain's autoconfig, its SRV records) and logged in to before anything is written. Letters to the referee itself
    then show whether a plus address arrives and whether Authentication-Results can be trusted, and `doctor` looks at the rest.
    """
    folder = folder.absolute()
    old = plan(folder, {})
    fresh = not (folder / FILE).exists()
    # Without these a club cannot work.
    is_open = {"umpire": not old.umpire, "address": old.address.endswith("@localhost")}
    unsaid = [name for name in _QUESTIONS if said[name] is None and (fresh or is_open.get(name))]
    no_login = not file and not token and not has_login(old)
    _need_terminal([*unsaid, *["password-file (or --token-command)"] * no_login, *["timer"] * (fresh and not timer)])
    given: Given = {}
    for name, (path, question) in _QUESTIONS.items():
        answer = _ask(path, question, given.get("mail.address") or old.address) if name in unsaid else said[name]
        if answer and (fault := _fault(path, answer, given.get("mail.address") or old.address)):
            raise click.UsageError(f"--{name}: {fault}")
        if answer is not None:
            given[path] = answer
    both: dict[str, str | None] = {
        "user": said["user"],
        "ca_file": said["ca_file"] and str(Path(str(said["ca_file"])).absolute()),
    }
    given |= _both({name: text for name, text in both.items() if text is not None})
    given |= _servers(plan(folder, given), fresh or "mail.address" in given, said["imap"], said["smtp"])
    password = file.read().rstrip("\r\n") if file else ""
    if no_login:
        password, token = _ask_login()
    if token or password:
        given |= _login(token)
    password = _let_in(folder, given, password)
    with private():
        config = write_club(folder, given, password)
        say(f"Both servers let {config.imap.user} in, and {folder / FILE} is written.")
        if any(path.startswith(("imap.", "smtp.", "mail.address")) for path in given):
            config = write_club(folder, _ask_server(config), "")
        timer = timer or (
            click.prompt("A pass every five minutes by", usual_timer(), type=click.Choice(_TIMERS)) if fresh else "none"
        )
        club = f"{as_owner()}referee --club {shlex.quote(str(folder))}"
        first = f"{club} tick" if timer == "none" else write_timer(folder, timer)
    ctx.obj = ClubFolder(str(folder))
    try:
        ctx.invoke(doctor, local=False, send="", selector="", as_json=False)
    finally:
        say(f"What comes next, a pass every five minutes and a first game:\n  {first}")
        say(f"  {club} game open dampfross --map ireland --seats 5")


def _need_terminal(unsaid: list[str]) -> None:
    if unsaid and not _can_ask():
        raise click.UsageError(f"nobody can be asked here, so say {', '.join(f'--{name}' for name in unsaid)}")


def _can_ask() -> bool:
    return sys.stdin.isatty() and is_terminal()


def _both(given: dict[str, str]) -> Given:
    return {f"{section}.{name}": text for section in _SECTIONS for name, text in given.items()}


def _login(token: str | None) -> Given:
    return _both({"token_command": token or "", "password_file": "" if token else OWN_FILE})


def _ask(path: str, question: str, address: SettingValue) -> str:
    zone = str(Path("/etc/localtime").resolve()).rpartition("zoneinfo/")[2]
    default = zone if path == "club.zone" and not zone_fault(zone) else None
    while fault := _fault(path, answer := str(click.prompt(question, default)).strip(), address):
        say(f"  {fault}")
    return answer


def _fault(path: str, answer: str, address: SettingValue) -> str:
    if path == "mail.umpire" and from_typed(answer).lower() == from_typed(str(address)).lower():
        return "that is the referee's own address, which would write to itself: name your own mailbox"
    return setting_fault(_BY_PATH[path], answer)


def _ask_login() -> Pair:
    password = token = ""
    while not (password or token):
        password = _ask_secret("Its password (none: a command shall print an OAuth2 token)", hide_input=True)
        token = "" if password else _ask_secret("The command that prints a token (none: it has a password)")
    return password, token


def _ask_secret(question: str, *, hide_input: bool = False) -> str:
    return str(click.prompt(question, "", hide_input=hide_input, show_default=False))


def _servers(config: Config, new: bool, *said: str | None) -> Given:
    """Return the settings of both servers: those that were *said*, else found out where they are *new* or lacking."""
    places = {section: _place(section, text) for section, text in zip(_SECTIONS, said, strict=True) if text}
    there = {"imap": config.imap.host, "smtp": config.smtp.host}
    lacking = [section for section in _SECTIONS if section not in places and (new or not there[section])]
    profile: Given = {}
    if lacking:
        domain = config.address.rpartition("@")[2]
        found = discover(config.address, dns_lookup())
        if not found:
            say(f"Nobody names the mail servers of {domain}.")
        else:
            say(
                f"Letters arrive at {found.imap}, and leave through {found.smtp} (so says {found.by}).\n{found.note}".rstrip()
            )
            if _can_ask() and not click.confirm("Is that right?", default=True):
                found = None
        if not found or not (
            found.vouched or _can_ask()
        ):  # who sits on the way to a name server may have named their own
            _need_terminal([f"{section} HOST" for section in lacking])
        for section in lacking:
            places[section] = getattr(found, section) if found else _ask_place(section, f"{section}.{domain}")
        profile = {"identity.profile": found.profile} if found and found.profile else {}
    return profile | _settings(places)


def _settings(places: dict[str, Endpoint]) -> Given:
    given: Given = {}
    for section, place in places.items():
        given |= {f"{section}.host": place.host, f"{section}.port": place.port, f"{section}.security": place.security}
    return given


def _place(section: str, text: str) -> Endpoint:
    place = place_of(text, section)
    if not place:
        raise click.BadParameter(
            f"{text!r} is no server (as {section}.example.org, or {section}.example.org:587/starttls)"
        )
    return place


def _ask_place(section: str, default: str) -> Endpoint:
    return click.prompt(
        f"The {section.upper()} server, as HOST or HOST:PORT", default, value_proc=lambda text: _place(section, text)
    )


def _let_in(folder: Path, given: Given, password: str) -> str:
    """Log in, asking anew for what was refused, which changes *given*; return the password with which it went well."""
    for left in reversed(range(TRIES)):
        config, section = plan(folder, given), ""
        servers = {"imap": config.imap, "smtp": config.smtp}
        try:
            for section in servers:
                log_in(config, section, password)
            break
        except (MailDown, ConfigError) as error:
            if not (left and _can_ask()):
                raise
            say(str(error))
            each = servers[section]
            if isinstance(error, LoginRefused) or (each.token_command and isinstance(error, ConfigError)):
                given |= _both({"user": click.prompt("Who logs in", each.user)})
                password, token = _ask_login()
                given |= _login(token)
            else:
                given |= _settings({section: _ask_place(section, f"{each.host}:{each.port}/{each.security}")})
    return password


def _ask_server(config: Config) -> Given:
    """Return what letters to ourselves tell of the mail server, as settings."""
    say(f"Two letters to {config.address} are sent, and awaited for a minute.")
    try:
        trip = round_trip(config, utc_now())
    except RefereeError as error:
        say(f"They could not leave: {error}")
        return {}
    say_finding(plus_finding(config, trip).but(topic=PLUS))
    head = trip.plain or trip.plus
    if not head:
        return {}
    given: Given = {"identity.plus": trip.plus is not None}
    if not trip.plus:
        say("So identity.plus is false now: the code in the subject alone shows whose an answer is.")
    name = _AUTHSERV.match(head.first("authentication-results"))
    if not name:
        say("The server writes no Authentication-Results: none is believed, and codes prove who wrote.")
        return given
    believed = config.but(identity=config.identity.but(authserv_id=name[0]))
    findings = list(about(FORGERY, forgery_findings(believed, utc_now())))
    for each in findings:
        say_finding(each)
    trusted = all(each.level == "ok" for each in findings)
    return given | {"identity.authserv_id": name[0] if trusted and not config.identity.profile else ""}


# Upkeep of a club: a copy from which it can be set up again, and a person forgotten.


@command("forget")
def forget(club: Club, address: str, yes: bool) -> None:
    """Forget a person: games stay as they were played, all that the club knows of the person goes.

    ADDRESS is the one that the person's letters come from. Letters from it and to it lose their words, and it stands nowhere
    any more. Seats in games that run are given to somebody else first (`referee replace`). What players were sent before names
    the person as ever, and so does what hashes cover: what was agreed before a game, and your own reasons in its log.
    """
    check_forgettable(club, address)
    if not yes:
        click.confirm("Name, address and letters are gone then for good. Go on?", abort=True)
    done = forget_person(club, address)
    for seat in done.seats:
        say(f"{seat}: the seat is nobody's any more")
    say(
        f"{address} is forgotten, and is called {done.alias} where the name stood; backups and mail servers may have it still"
    )


@command("backup")
def backup(where: ClubFolder, folder: Path) -> None:
    """Copy the club into a new folder, while the referee runs or not.

    DEST gets the settings, a checked copy of the database, which holds every letter, and the umpire's own maps, templates and
    orders; its owner alone can read them. Files with passwords and the Maildirs are not copied. To restore, see docs/setup.md.
    """
    with private():
        made = back_up(read_config(club_folder(where.club)), folder, Percent("copying") if is_watched() else None)
    say(f"{made.folder}: {', '.join(made.copied)}")
    if made.secrets:
        which = " and ".join(made.secrets)
        say(f"not copied, keep it elsewhere: what {which} stands for")
