"""The calendars of games: the club's settings, and what a game says itself laid over them."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from referee.config import SETTINGS, Config, SettingValue, days_fault, setting_fault
from referee.config.reading import Misplaced
from referee.core.errors import ConfigError
from referee.core.texts.wording import N_
from referee.service.club.duetimes import NAMES, Rhythm, at_hour

_DOTTED = re.compile(r"^(\d{2})\.(\d{2})\.(\d{4})")
_AHEAD = timedelta(days=36_500)  # a deadline beyond a hundred years is a slip of the pen
_ALWAYS = ("days", "every", "weekday", "hour", "zone")  # written down with each game: they stay as they were agreed
_BOOLEAN = {"yes": True, "true": True, "no": False, "false": False}
_ELSEWHERE = {"zone": "club.zone", "hints": "players.hints"}
_PLACES = {name: _ELSEWHERE.get(name, f"deadlines.{name}") for name in NAMES}
_SETTINGS = {name: next(each for each in SETTINGS if each.path == path) for name, path in _PLACES.items()}


def format_rhythm(given: Mapping[str, SettingValue]) -> str:
    """Return what a game says of its calendar as JSON."""
    return json.dumps(dict(given), sort_keys=True)


def counted_from(due: datetime, kept: Mapping[str, SettingValue], zone: str) -> dict[str, SettingValue]:
    """Return what a game keeps of its calendar whose deadlines are counted from one that is *due*."""
    return {**kept, "begins": due.astimezone(ZoneInfo(zone)).date().isoformat()}


def laid_over(before: Mapping[str, SettingValue], given: Mapping[str, SettingValue]) -> dict[str, SettingValue]:
    """Return what is said of a calendar after more was *given*: ``days`` and ``every`` take each other's place."""
    same = {"days", "every"}
    return {name: value for name, value in before.items() if not (name in same and same & given.keys())} | dict(given)


def checked_rhythm(given: Mapping[str, SettingValue], config: Config) -> dict[str, SettingValue]:
    """Return what is kept with a new game that says so much of its calendar.

    Raises:
        Misplaced: a value is wrong.
    """
    check_rhythm(given)
    said = {"every": "", **given} if "days" in given else given
    return {name: getattr(config, name) for name in _ALWAYS} | dict(said)


def check_rhythm(given: Mapping[str, SettingValue]) -> None:
    """Raises Misplaced: a name is no setting of a calendar, or a value is wrong."""
    for name, value in given.items():
        fault = _fault(name, value)
        if fault:
            raise Misplaced(f"rhythm: {fault}", section="rhythm", name=name)
    if given.get("every") and "days" in given:
        raise Misplaced("rhythm: days and every say the same: give one of them", section="rhythm", name="days")


def parse_setting(text: str) -> tuple[str, SettingValue]:
    """Return the setting written as ``every=3 weeks``.

    Raises:
        ConfigError: it is not written so.
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name:
        raise ConfigError(f'rhythm {text!r}: write a name and a value, as "every=3 weeks"')
    kind = type(_SETTINGS[name].default) if name in _SETTINGS else str
    if kind is bool:
        return name, _BOOLEAN.get(value.lower(), value)
    return name, int(value) if kind is int and re.fullmatch(r"-?[0-9]{1,9}", value) else value


def parse_deadline(text: str, rhythm: Rhythm, now: datetime) -> datetime:
    """Return the time written as ``2026-12-20 20:00``, in the game's zone unless it names its own; a date alone has its hour.

    Raises:
        ConfigError: it is no time, past, or more than a hundred years ahead.
    """
    text = _DOTTED.sub(r"\3-\2-\1", text.strip())
    try:
        due = datetime.fromisoformat(text)
    except ValueError:
        raise ConfigError(
            N_('deadline {given}: write it as "2026-12-20 20:00", or the date alone'), given=repr(text)
        ) from None
    if len(text) <= len("2026-12-20"):
        due = at_hour(due.date(), rhythm.hour, rhythm.zone)
    due = due if due.tzinfo else due.replace(tzinfo=ZoneInfo(rhythm.zone))
    if not now < due < now + _AHEAD:
        past = N_("deadline {given} is past")
        raise ConfigError(
            past if due <= now else N_("deadline {given} is more than a hundred years ahead"), given=repr(text)
        )
    return due


def _fault(name: str, value: SettingValue) -> str:
    if name not in _SETTINGS:
        near = difflib.get_close_matches(name, NAMES, 1)
        return f"unknown setting {name} (" + (f"did you mean {near[0]}?)" if near else f"known: {', '.join(NAMES)})")
    if name == "days":
        return days_fault(value)
    fault = setting_fault(_SETTINGS[name], value)
    return fault if not fault or name in ("weekday", "hour", "zone") else f"{name}: {fault}"
