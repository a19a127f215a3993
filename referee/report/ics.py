"""Moments as iCalendar (RFC 5545): in UTC, without an organizer, to whom some programs would write that their owner comes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from referee.core import ConfigError, Value

from .html import TIE
from .sentences import Sentences

MEDIA_TYPE = "text/calendar"
_FIRST, _NEXT = 75, 74  # octets of a line, and of what goes on with it behind a blank


class DueDate(Value):
    """When something is due. ``uid`` never changes; ``sequence`` rises whenever ``at`` was moved, ``changed`` says when.

    ``summary`` and ``description`` are for people; ``url`` may be empty; ``alarm``: programs remind of it a day before.
    """

    uid: str
    sequence: int
    at: datetime
    changed: datetime
    summary: str
    description: str
    url: str = ""
    alarm: bool = True


def calendar(moments: Iterable[DueDate], name: str = "") -> bytes:
    """Return a calendar to be imported, or, with the *name* that programs show of it, to be subscribed to."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//railway-referee//deadlines//EN", "METHOD:PUBLISH"]
    if name:
        wait = "DURATION:PT6H"
        lines += [f"NAME:{_text(name)}", f"X-WR-CALNAME:{_text(name)}", f"REFRESH-INTERVAL;VALUE={wait}"]
    for moment in moments:
        lines += _event(moment)
    return "".join(f"{_fold(line)}\r\n" for line in (*lines, "END:VCALENDAR")).encode()


def _event(moment: DueDate) -> list[str]:
    told = _text(moment.summary)
    return [
        "BEGIN:VEVENT",
        f"UID:{_text(moment.uid)}",
        f"SEQUENCE:{moment.sequence}",
        f"DTSTAMP:{_utc(moment.changed)}",
        f"LAST-MODIFIED:{_utc(moment.changed)}",
        f"DTSTART:{_utc(moment.at)}",
        "DURATION:PT15M",
        f"SUMMARY:{told}",
        f"DESCRIPTION:{_text(moment.description)}",
        *([f"URL:{moment.url}"] if moment.url else []),
        "STATUS:CONFIRMED",
        "TRANSP:TRANSPARENT",
        *(
            ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-P1D", f"DESCRIPTION:{told}", "END:VALARM"]
            if moment.alarm
            else []
        ),
        "END:VEVENT",
    ]


def _utc(time: datetime) -> str:
    return time.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(words: str) -> str:
    """Return words as a value; controls other than ends of lines have no place in it."""
    kept = "".join(char for char in words.replace(TIE, " ") if char == "\n" or char.isprintable())
    return re.sub(r"([\\;,])", r"\\\1", kept).replace("\n", "\\n")


def _fold(line: str) -> str:
    """Return a line in pieces of at most 75 octets, none of which ends inside a character."""
    pieces, room = [""], _FIRST
    for char in line:
        size = len(char.encode())
        if size > room:
            pieces.append("")
            room = _NEXT
        pieces[-1] += char
        room -= size
    return "\r\n ".join(pieces)


# Days and deadlines in the reader's own zone and language. Names and forms stand in ``words.toml``, never in a
# locale.


class DayWriter:
    """Writes days for one reader."""

    def __init__(self, zone: str, sentences: Sentences) -> None:
        """*zone*: an IANA name (``Europe/Dublin``).

        Raises:
            ConfigError: there is no such zone.
        """
        try:
            self._zone = ZoneInfo(zone)
        except (OSError, ValueError, KeyError) as error:
            raise ConfigError(f"time zone {zone!r} is not known (a name as Europe/Dublin is expected)") from error
        self._name = zone
        self._sentences = sentences

    def day(self, value: date) -> str:
        """Return ``Friday 4 December 2026``; a moment's day is the day in the reader's zone.

        Raises:
            ValueError: a moment without a zone.
        """
        return self._day(self._here(value) if isinstance(value, datetime) else value)

    def deadline(self, value: datetime) -> str:
        """Return ``Friday 4 December 2026, 20:00 (Europe/Dublin), that is 20:00 UTC``; UTC's day where it differs.

        Raises:
            ValueError: a moment without a zone.
        """
        here, there = self._here(value), value.astimezone(UTC)
        if self._name in ("UTC", "Etc/UTC"):
            form = "deadline-utc"
        else:
            form = "deadline" if here.date() == there.date() else "deadline-other-day"
        return self._sentences.word(
            "when",
            form,
            day=self._day(here),
            time=f"{here:%H:%M}",
            zone=self._name,
            utc_day=self._day(there),
            utc_time=f"{there:%H:%M}",
        )

    def _here(self, value: datetime) -> datetime:
        if not value.tzinfo:
            raise ValueError(f"{value} has no time zone")
        return value.astimezone(self._zone)

    def _day(self, value: date) -> str:
        return self._sentences.word(
            "when",
            "first-day" if value.day == 1 else "day",
            weekday=self._sentences.word("weekday", str(value.isoweekday())),
            day=value.day,
            month=self._sentences.word("month", str(value.month)),
            year=value.year,
        )
