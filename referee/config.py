"""``referee.toml`` and the environment as one frozen ``Config``: the only reader of either."""

from __future__ import annotations

import difflib
import os
import re
import tomllib
import zoneinfo
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from referee import locale
from referee.core.errors import ConfigError

FILE = "referee.toml"
FOLDER_VARIABLE = "REFEREE_CLUB"
CRASH_VARIABLE = "REFEREE_CRASH_AT"  # names a labelled step at which the process kills itself; for crash tests alone
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
LATE = ("refuse", "until-adjudication")
LONGEST = 366  # days: what lasts longer than a year is a slip of the pen

Value = str | int

_HEADING = re.compile(r"\s*\[\[?([\w\s.\"'-]+)\]\]?\s*(?:#.*)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """All settings of one club. Folders are absolute; ``grace`` is in minutes, ``early_delay`` and ``downtime_hold`` in hours."""

    folder: Path
    club: str
    zone: str
    language: str
    address: str
    address_name: str
    umpire: str
    mail_in: Path
    mail_out: Path
    replies_per_day: int
    poll: int
    prefix: str
    days: int
    weekday: str
    hour: str
    grace: int
    early_delay: int
    late: str
    downtime_hold: int
    crash_at: str = ""

    @property
    def database(self) -> Path:
        """Where the club's store lies."""
        return self.folder / "referee.db"


def read_config(folder: Path, environment: Mapping[str, str] | None = None) -> Config:
    """Return the settings of the club in *folder*; ``REFEREE_MAIL_GRACE``-like variables override the file.

    Raises:
        ConfigError: the file is missing or damaged; the sentence names file and line.
    """
    environment = os.environ if environment is None else environment
    path = folder / FILE
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise ConfigError(f"{path} is missing: make a club folder with `referee init {folder}`") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
    values = {setting.path: setting.default for setting in SETTINGS}
    values |= _from_file(path, text)
    values |= _from_environment(environment)
    return _config(folder.absolute(), values, environment.get(CRASH_VARIABLE, ""))


def club_folder(given: str | None, environment: Mapping[str, str] | None = None) -> Path:
    """Return the club's folder: the one given, else ``REFEREE_CLUB``, else the current folder if it holds ``referee.toml``.

    Raises:
        ConfigError: none of them.
    """
    environment = os.environ if environment is None else environment
    named = given or environment.get(FOLDER_VARIABLE, "")
    if named:
        return Path(named)
    if Path(FILE).is_file():
        return Path()
    raise ConfigError(
        f"no {FILE} here: name the club's folder with --club DIR or {FOLDER_VARIABLE}, or make one with `referee init DIR`"
    )


def sample_toml(given: Mapping[str, Value]) -> str:
    """Return the text of a new ``referee.toml``: every setting with its comment, *given* values over defaults."""
    blocks = ["# The settings of this club. Every line may be left out: the value in brackets then holds.\n"]
    section = ""
    for setting in SETTINGS:
        if setting.section != section:
            section = setting.section
            blocks.append(f"\n[{section}]\n")
        comment = setting.comment.replace("\n", "\n# ")
        value = given.get(setting.path, setting.default)
        blocks.append(f"# {comment} [{_toml(setting.default)}]\n{setting.name} = {_toml(value)}\n")
    return "".join(blocks)


def check_toml(path: Path, text: str) -> None:
    """Raises ConfigError, as ``read_config`` does, where *text* would not do as the settings at *path*."""
    for _ in _from_file(path, text):
        pass


def is_address(text: str) -> bool:
    """Return whether *text* is one bare mail address."""
    return re.fullmatch(r"[^@\s<>,;:\"]+@[^@\s<>,;:\"]+", text) is not None and len(text) <= 254


def zone_fault(zone: str) -> str:
    """Return what is wrong with the name of a time zone, "" if nothing."""
    try:
        zoneinfo.ZoneInfo(zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        near = difflib.get_close_matches(zone, sorted(zoneinfo.available_timezones()), 1)
        return f"{zone!r} is no time zone" + (f" (did you mean {near[0]!r}?)" if near else " (as Europe/Dublin)")
    return ""


def language_fault(language: str) -> str:
    """Return what is wrong with a language, "" if letters can be written in it."""
    if not re.fullmatch(r"[a-z]{2}", language):
        return f"{language!r} is no language (two letters, as en)"
    known = locale.languages()
    return "" if language in known else f"no letters can be written in {language!r} yet (there is {', '.join(known)})"


def hour_fault(hour: str) -> str:
    """Return what is wrong with a time of day, "" if nothing."""
    right = re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", hour) is not None
    return "" if right else f"{hour!r} is no time of day (as 20:00)"


def weekday_fault(weekday: str) -> str:
    """Return what is wrong with the name of a weekday; none at all is right too."""
    return "" if weekday in ("", *WEEKDAYS) else f"{weekday!r} is no weekday (as Friday, or nothing)"


def days_fault(days: object) -> str:
    """Return what is wrong with the days that a turn lasts."""
    right = isinstance(days, int) and not isinstance(days, bool) and 1 <= days <= LONGEST
    return "" if right else f"days must be a whole number from 1 to {LONGEST}, {days!r} was given"


def line_of(text: str, section: str, name: str = "", number: int = 0) -> int:
    """Return the line of a TOML text on which a setting stands, or without *name* a section; 0 if it is written otherwise.

    *section* is "" above the first heading; *number* counts the tables of a list (``[[player]]``) from 1.
    """
    here, count = "", 0
    for at, line in enumerate(text.splitlines(), 1):
        heading = _HEADING.fullmatch(line)
        if heading:
            here = re.sub(r"[\s\"']", "", heading[1])
            count += here == section
            if here == section and not name and number in (0, count):
                return at
        elif (
            here == section
            and name
            and number in (0, count)
            and re.match(rf"\s*[\"']?{re.escape(name)}[\"']?\s*=", line)
        ):
            return at
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Setting:
    path: str
    default: Value
    comment: str
    fault: Callable[[str], str] | None = None  # what is wrong with a text, "" if nothing
    least: int = 0
    most: int = 0  # of a number

    @property
    def section(self) -> str:
        return self.path.split(".")[0]

    @property
    def name(self) -> str:
        return self.path.split(".")[1]


def _address_fault(text: str) -> str:
    return "" if is_address(text) else f"{text!r} is no mail address (as referee@example.org)"


def _late_fault(text: str) -> str:
    return "" if text in LATE else f"{text!r} is not possible (" + " or ".join(repr(word) for word in LATE) + ")"


def _prefix_fault(text: str) -> str:
    return "" if re.fullmatch(r"[A-Z]{1,6}", text) else f"{text!r} is not possible (1 to 6 capital letters, as RR)"


SETTINGS: tuple[_Setting, ...] = (
    _Setting(path="club.name", default="Railway club", comment="The club's name, at the foot of every letter."),
    _Setting(
        path="club.zone",
        default="UTC",
        fault=zone_fault,
        comment="Time zone of deadlines and of players who named none.",
    ),
    _Setting(path="club.language", default="en", fault=language_fault, comment="Language of players who named none."),
    _Setting(
        path="mail.address",
        default="referee@localhost",
        fault=_address_fault,
        comment="The referee's own address: players write to it, letters come from it.",
    ),
    _Setting(path="mail.name", default="The Referee", comment="The name beside that address."),
    _Setting(
        path="mail.umpire",
        default="",
        fault=lambda text: _address_fault(text) if text else "",
        comment="The umpire's own address, told of trouble and of players' notes; empty: nobody is told.",
    ),
    _Setting(path="mail.in", default="mail/in", comment="Maildir in which letters arrive; seen from this folder."),
    _Setting(
        path="mail.out", default="mail/out", comment="Maildir into which letters are sent; seen from this folder."
    ),
    _Setting(
        path="mail.replies_per_day",
        default=10,
        most=10_000,
        comment="So many letters of one player are answered within 24 hours.",
    ),
    _Setting(
        path="mail.poll",
        default=60,
        least=1,
        most=86_400,
        comment="So many seconds `referee run` waits between two passes.",
    ),
    _Setting(path="games.prefix", default="RR", fault=_prefix_fault, comment="Games are called RR1, RR2 ..."),
    _Setting(
        path="deadlines.days",
        default=14,
        least=1,
        most=LONGEST,
        comment="Days a turn lasts at least, where a game says nothing else.",
    ),
    _Setting(
        path="deadlines.weekday",
        default="",
        fault=weekday_fault,
        comment="The day on which deadlines fall, as Friday; empty: any day.",
    ),
    _Setting(
        path="deadlines.hour", default="20:00", fault=hour_fault, comment="The time of day at which deadlines fall."
    ),
    _Setting(
        path="deadlines.grace",
        default=10,
        most=LONGEST * 24 * 60,
        comment="Minutes after the deadline in which a letter is still in time.",
    ),
    _Setting(
        path="deadlines.early_delay",
        default=12,
        most=LONGEST * 24,
        comment="When everybody's clean orders are in, a turn is adjudicated so many hours after the last change.",
    ),
    _Setting(
        path="deadlines.late",
        default="refuse",
        fault=_late_fault,
        comment='Orders after deadline and grace: "refuse", or take them "until-adjudication".',
    ),
    _Setting(
        path="deadlines.downtime_hold",
        default=24,
        most=LONGEST * 24,
        comment="If the referee did not run for so many hours and a deadline fell in that time, players get as many hours more;\n"
        "0: never.",
    ),
)


def _from_file(path: Path, text: str) -> Iterator[tuple[str, Value]]:
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"line (\d+)", str(error))
        line = int(at[1]) if at else len(text.splitlines())
        reason = re.sub(r" \(at .*", "", str(error))
        raise ConfigError(f"{path}:{line}: this is not TOML: {reason}") from None
    known = {setting.path: setting for setting in SETTINGS}
    for section, table in tables.items():
        if not isinstance(table, dict):
            raise _fault(path, text, "", section, f"{section!r} stands outside a section")
        if section not in {setting.section for setting in SETTINGS}:
            raise _fault(path, text, section, "", _unknown(f"[{section}]", [f"[{each.section}]" for each in SETTINGS]))
        for name, value in table.items():
            setting = known.get(f"{section}.{name}")
            if setting is None:
                names = [each.name for each in SETTINGS if each.section == section]
                raise _fault(path, text, section, name, _unknown(name, names))
            fault = _value_fault(setting, value)
            if fault:
                raise _fault(path, text, section, name, f"{name}: {fault}")
            yield setting.path, value


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, Value]]:
    for setting in SETTINGS:
        variable = "REFEREE_" + setting.path.replace(".", "_").upper()
        if variable not in environment:
            continue
        text = environment[variable]
        value: Value = int(text) if isinstance(setting.default, int) and re.fullmatch(r"\d{1,9}", text) else text
        fault = _value_fault(setting, value)
        if fault:
            raise ConfigError(f"environment variable {variable}: {fault}")
        yield setting.path, value


def _value_fault(setting: _Setting, value: object) -> str:
    if isinstance(setting.default, int):
        if not isinstance(value, int) or isinstance(value, bool):
            return f"{value!r} is no whole number"
        if value < setting.least:
            return f"{value} is too small (at least {setting.least})"
        return "" if value <= setting.most else f"{value} is too large (at most {setting.most})"
    if not isinstance(value, str):
        return f"{value!r} is no text (in quotation marks)"
    if any(ord(character) < 32 for character in value):
        return f"{value!r} holds a control character"
    return setting.fault(value) if setting.fault else ""


def _unknown(name: str, names: list[str]) -> str:
    near = difflib.get_close_matches(name, names, 1)
    known = ", ".join(dict.fromkeys(names))
    return f"unknown setting {name}" + (f" (did you mean {near[0]}?)" if near else f" (known: {known})")


def _fault(path: Path, text: str, section: str, name: str, sentence: str) -> ConfigError:
    line = line_of(text, section, name)
    return ConfigError(f"{path}:{line}: {sentence}" if line else f"{path}: {sentence}")


def _config(folder: Path, values: Mapping[str, Value], crash_at: str) -> Config:
    text = {path: value for path, value in values.items() if isinstance(value, str)}
    number = {path: value for path, value in values.items() if isinstance(value, int)}
    return Config(
        folder=folder,
        club=text["club.name"],
        zone=text["club.zone"],
        language=text["club.language"],
        address=text["mail.address"],
        address_name=text["mail.name"],
        umpire=text["mail.umpire"],
        mail_in=folder / text["mail.in"],
        mail_out=folder / text["mail.out"],
        replies_per_day=number["mail.replies_per_day"],
        poll=number["mail.poll"],
        prefix=text["games.prefix"],
        days=number["deadlines.days"],
        weekday=text["deadlines.weekday"],
        hour=text["deadlines.hour"],
        grace=number["deadlines.grace"],
        early_delay=number["deadlines.early_delay"],
        late=text["deadlines.late"],
        downtime_hold=number["deadlines.downtime_hold"],
        crash_at=crash_at,
    )


def _toml(value: Value) -> str:
    if isinstance(value, int):
        return str(value)
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
