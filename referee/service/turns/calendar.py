"""When turns are due. Pure: times come in as values, wall times are those of the rhythm's zone."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
ON_TIME = timedelta(days=1)  # a turn played this soon after its deadline keeps the rhythm of that deadline


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """A turn lasts at least ``days`` days and ends on ``weekday`` ("" for any) at ``hour`` (``20:00``) in ``zone``."""

    days: int
    weekday: str
    hour: str
    zone: str


def format_rhythm(rhythm: Rhythm) -> str:
    """Return the rhythm as JSON."""
    return json.dumps(asdict(rhythm), sort_keys=True)


def parse_rhythm(text: str) -> Rhythm:
    """Return the rhythm written by ``format_rhythm``."""
    return Rhythm(**json.loads(text))


def next_deadline(rhythm: Rhythm, now: datetime, previous: datetime | None = None) -> datetime:
    """Return when the turn that begins *now* is due, in UTC.

    The days are counted from the deadline just passed, so that a tick after midnight does not shift the rhythm; from
    *now* where a turn ended early or very late.
    """
    base = previous if previous is not None and timedelta() <= now - previous <= ON_TIME else now
    day = base.astimezone(ZoneInfo(rhythm.zone)).date() + timedelta(days=rhythm.days)
    due = at_hour(_on_weekday(day, rhythm.weekday), rhythm.hour, rhythm.zone)
    return due if due > now else next_deadline(rhythm, now)


def at_hour(day: date, hour: str, zone: str) -> datetime:
    """Return a local wall time in UTC: one that the clocks skip moves on by the hour skipped, of two alike it is the first."""
    return datetime.combine(day, time.fromisoformat(hour), ZoneInfo(zone)).astimezone(UTC)


def _on_weekday(day: date, weekday: str) -> date:
    if not weekday:
        return day
    return day + timedelta(days=(WEEKDAYS.index(weekday) - day.weekday()) % 7)
