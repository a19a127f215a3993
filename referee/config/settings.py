"""The settings of a club, as ``settings.toml`` explains them; and what is wrong with a value, as a sentence, "" for nothing: of a
setting, or of what the umpire types elsewhere.
"""

from __future__ import annotations

import re
import tomllib
import zoneinfo
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

from referee.core import Texts, beyond_ascii, from_typed

from .values import Setting

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
# What may stand beside newsletters: board, position, all on paper, deadline, the page on which orders are drawn.
FILES = ("png", "svg", "json", "pdf", "ics", "desk")
NO_FILES = "none"
# Of a PDF: the size of its pages, that of its board where it is another, and that the board has no ground in colour.
PAGES, MAPS, INKS = ("a4", "letter"), ("a3", "a2"), ("grey",)
LONGEST = 366  # days: what lasts longer than a year is a slip of the pen


def zone_fault(zone: str) -> str:
    """Return what is wrong with the name of a time zone, "" if nothing."""
    try:
        zoneinfo.ZoneInfo(zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        import difflib

        known = sorted(zoneinfo.available_timezones())
        places = [each for each in known if each.rpartition("/")[2].casefold() == zone.casefold()]
        # Three letters are like many others, and mean many zones: IST is that of Ireland, Israel and India.
        near = places or (difflib.get_close_matches(zone, known, 1) if len(zone) > 4 else [])
        return f"{zone!r} is no time zone" + (f" (did you mean {near[0]!r}?)" if near else " (as Europe/Dublin)")
    return ""


def language_fault(language: str) -> str:
    """Return what is wrong with a language, "" if letters can be written in it."""
    if not re.fullmatch(r"[a-z]{2}", language):
        return f"{language!r} is no language (two letters, as en)"
    if language == "en":  # what is written without a catalogue
        return ""
    from referee import locale

    known = locale.languages()
    return "" if language in known else f"no letters can be written in {language!r} yet (there is {', '.join(known)})"


def weekday_fault(weekday: str) -> str:
    """Return what is wrong with the names of weekdays; none at all is right too."""
    wrong = [each for each in map(str.strip, weekday.split(",")) if each not in WEEKDAYS]
    if not weekday or not wrong:
        return ""
    return f"{wrong[0]!r} is no weekday ({', '.join(WEEKDAYS)}; several with commas between them; nothing for any day)"


def days_fault(days: object) -> str:
    """Return what is wrong with the days that a turn lasts."""
    right = isinstance(days, int) and not isinstance(days, bool) and 1 <= days <= LONGEST
    return "" if right else f"days must be a whole number from 1 to {LONGEST}, {days!r} was given"


def every_fault(text: str) -> str:
    """Return what is wrong with the time a turn lasts, in words; none at all is right too."""
    right = re.fullmatch(r"([1-9][0-9]{0,2}) (day|week|month)s?", text)
    most = {"day": LONGEST, "week": LONGEST // 7, "month": 12}
    if not text or (right and int(right[1]) <= most[right[2]]):
        return ""
    return f"{text!r} is no distance of deadlines (as 10 days, 1 week, 3 weeks or 1 month; at most a year)"


def closed_fault(text: str) -> str:
    """Return what is wrong with a list of days without deadlines; an empty one is right too."""
    for part in filter(None, (each.strip() for each in text.split(","))):
        ends = part.split("..")
        if part not in WEEKDAYS and (
            len(ends) > 2 or len({len(end) for end in ends}) > 1 or not all(map(_is_day, ends))
        ):
            return f"{part!r} is no day without deadlines (as Sunday, 2027-03-26, 12-24 or 12-24..01-06)"
        if part not in WEEKDAYS and len(ends[0]) == len("2027-03-26") and ends[-1] < ends[0]:
            return f"{part!r} ends before it begins"
    return ""


def hours_fault(text: str) -> str:
    """Return what is wrong with a list of hours; an empty one is right too."""
    parts = [part.strip() for part in text.split(",")] if text.strip() else []
    right = all(re.fullmatch(r"[1-9][0-9]{0,3}", part) and int(part) <= LONGEST * 24 for part in parts)
    return "" if right else f"{text!r} is no list of hours (as 72, 24)"


def _is_day(text: str) -> bool:
    """Return whether a text is a date (2027-03-26) or one of every year (03-26)."""
    whole = f"2024-{text}" if len(text) == len("03-26") else text
    try:
        return date.fromisoformat(whole).isoformat() == whole
    except ValueError:
        return False


def address_fault(text: str, example: str = "referee@example.org") -> str:
    """Return what is wrong with a mail address as somebody typed it; its domain may be of any script."""
    strange = beyond_ascii(text)
    if strange:
        return (
            f"{text!r} has {strange} before the @: letters to such addresses need SMTPUTF8, which is not supported; choose one "
            f"with plain letters (a to z) before the @, as {example}; the domain behind it may have others"
        )
    return "" if from_typed(text) else f"{text!r} is no mail address (as {example})"


def files_fault(text: str) -> str:
    """Return what is wrong with kinds of files that stand beside letters, and sizes of paper for PDF, "" if nothing."""
    wrong = next((word for word in text.split() if word not in (*FILES, *PAGES, *MAPS, *INKS)), "")
    if not wrong or text.strip() == NO_FILES:
        return ""
    return f"{wrong!r} is no kind of file that letters bring ({', '.join(FILES)}, or {NO_FILES} alone)"


def choice_fault(*words: str) -> Callable[[str], str]:
    """Return what says what is wrong with a text that is none of *words*."""

    def fault(text: str) -> str:
        return "" if text in words else f"{text!r} is not possible (" + " or ".join(map(repr, words)) + ")"

    return fault


def pattern_fault(pattern: str, wrong: str) -> Callable[[str], str]:
    """Return what says of a text that does not fit a pattern what is *wrong* with it: ``is no time of day (as 20:00)``."""
    return lambda text: "" if re.fullmatch(pattern, text, re.DOTALL) else f"{text!r} {wrong}"


# The settings, a row of the file each.

_ROWS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def _choices(section: str, name: str) -> Texts:
    return tuple(_ROWS[section][name]["choices"])


SECURITY = _choices("imap", "security")
POLICIES = _choices("identity", "policy")
FORMATS = _choices("players", "format")
LOG_FORMATS = _choices("log", "format")


def _fault(name: str) -> Callable[[str], str] | None:
    """Return a function of those above; with ``?`` at the end of its name nothing at all is right too."""
    look: Callable[[str], str] | None = globals()[f"{name.rstrip('?')}_fault"] if name else None
    return (lambda text: look(text) if text else "") if look and name.endswith("?") else look


def _settings() -> Iterator[Setting]:
    for section, rows in _ROWS.items():
        for name, row in rows.items():
            told = dict(row)
            look = _fault(told.pop("fault", ""))
            if "choices" in told:
                look = choice_fault(*told.pop("choices"))
            elif "pattern" in told:
                look = pattern_fault(told.pop("pattern"), told.pop("wrong"))
            yield Setting(path=f"{section}.{name}", fault=look, **told)


SETTINGS: tuple[Setting, ...] = tuple(_settings())
