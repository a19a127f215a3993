"""Moments as iCalendar (RFC 5545): in UTC, without an organizer, to whom some programs would write that their owner comes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from referee.core.values import Value
from referee.report.html import TIE

MEDIA_TYPE = "text/calendar"
_FIRST, _NEXT = 75, 74  # octets of a line, and of what goes on with it behind a blank


class Moment(Value):
    """When something is due. ``uid`` never changes; ``sequence`` rises whenever ``at`` was moved, ``changed`` says when.

    ``summary`` and ``description`` are for people; ``url`` may be empty.
    """

    uid: str
    sequence: int
    at: datetime
    changed: datetime
    summary: str
    description: str
    url: str = ""


def calendar(moments: Iterable[Moment], name: str = "") -> bytes:
    """Return a calendar to be imported, or, with the *name* that programs show of it, to be subscribed to."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//railway-referee//deadlines//EN", "METHOD:PUBLISH"]
    if name:
        wait = "DURATION:PT6H"
        lines += [f"NAME:{_text(name)}", f"X-WR-CALNAME:{_text(name)}", f"REFRESH-INTERVAL;VALUE={wait}"]
    for moment in moments:
        lines += _event(moment)
    return "".join(f"{_folded(line)}\r\n" for line in (*lines, "END:VCALENDAR")).encode()


def _event(moment: Moment) -> list[str]:
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
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        "TRIGGER:-P1D",
        f"DESCRIPTION:{told}",
        "END:VALARM",
        "END:VEVENT",
    ]


def _utc(time: datetime) -> str:
    return time.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(words: str) -> str:
    """Return words as a value; controls other than ends of lines have no place in it."""
    kept = "".join(char for char in words.replace(TIE, " ") if char == "\n" or char.isprintable())
    return re.sub(r"([\\;,])", r"\\\1", kept).replace("\n", "\\n")


def _folded(line: str) -> str:
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
