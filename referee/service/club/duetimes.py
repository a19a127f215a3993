"""When turns are due. Pure: times come in as values, wall times are those of the rhythm's zone."""

from __future__ import annotations

import calendar
import json
from collections.abc import Iterator
from dataclasses import asdict, fields, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain
from typing import Any
from zoneinfo import ZoneInfo

from referee.config import WEEKDAYS, Config
from referee.core.values import dataclass
from referee.store.database.rows import GameRow

ON_TIME = timedelta(days=1)  # a turn played this soon after its deadline keeps the rhythm of that deadline

_SEARCHED = 800  # days: where none of them is open, days without deadlines count for nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """A game's calendar. A turn lasts at least ``days`` days, or ``every`` (``3 weeks``) where that is not "", and ends on
    ``weekday`` ("" for any) at ``hour`` (``20:00``) in ``zone``, on no day of ``closed`` (as ``deadlines.closed`` in
    ``referee.toml``) and not within ``notice`` hours. ``grace``: minutes; ``early_delay``: hours, -1 for never.
    ``reminders`` (``72, 24``) and ``outlook`` (0 for never): hours before a deadline; what follows says what becomes of a turn
    whose orders are missing, as the settings of these names do. ``statements``: days after the end of the game, 0 for none.
    """

    days: int
    every: str = ""
    weekday: str
    hour: str
    zone: str
    closed: str = ""
    notice: int = 0
    grace: int = 10
    early_delay: int = 12
    reminders: str = ""
    outlook: int = 0
    missing: str = "play"
    missing_from: int = 1
    extension: int = 3
    stop_from: int = 0
    absence: int = 0
    statements: int = 0

    @property
    def allowance(self) -> timedelta:
        """The grace after a deadline."""
        return timedelta(minutes=self.grace)

    @property
    def delay(self) -> timedelta | None:
        """How long everybody's orders must be in before a turn is played early; None: it never is."""
        return None if self.early_delay < 0 else timedelta(hours=self.early_delay)


def club_rhythm(config: Config) -> Rhythm:
    """Return the calendar of a game that says nothing itself."""
    return Rhythm(**{field.name: getattr(config, field.name) for field in fields(Rhythm)})


def rhythm_of(config: Config, row: GameRow) -> Rhythm:
    """Return a game's calendar: what it says itself over the club's settings as they are now."""
    return replace(club_rhythm(config), **json.loads(row.rhythm))


def rhythm_values(rhythm: Rhythm) -> dict[str, Any]:
    """Return what templates tell of a calendar; its weekday by number too, from 1 for Monday, 0 for any."""
    number = WEEKDAYS.index(rhythm.weekday) + 1 if rhythm.weekday else 0
    return {**asdict(rhythm), "weekday_number": str(number)}


def statements_time(rhythm: Rhythm, now: datetime) -> datetime | None:
    """Return until when closing statements of a game that ends *now* are awaited; None: they are not asked for."""
    day = now.astimezone(ZoneInfo(rhythm.zone)).date() + timedelta(days=rhythm.statements)
    return first_open(rhythm, day, now, weekday=False) if rhythm.statements else None


def last_moment(config: Config, row: GameRow) -> datetime | None:
    """Return until when letters for the awaited turn are in time: deadline and grace; None: it has no deadline."""
    return row.deadline + rhythm_of(config, row).allowance if row.deadline else None


def next_deadline(rhythm: Rhythm, now: datetime, previous: datetime | None = None) -> datetime:
    """Return when the turn that begins *now* is due, in UTC.

    The days are counted from the deadline just passed, so that a tick after midnight does not shift the rhythm; from
    *now* where a turn ended early or very late.
    """
    base = previous if previous is not None and timedelta() <= now - previous <= ON_TIME else now
    day = _after(rhythm, base.astimezone(ZoneInfo(rhythm.zone)).date())
    return first_open(rhythm, day, now + timedelta(hours=rhythm.notice))


def first_open(rhythm: Rhythm, day: date, after: datetime, *, weekday: bool = True) -> datetime:
    """Return the first time in UTC *after* which a deadline may fall, on *day* or later, and on the rhythm's own *weekday* unless
    that does not matter.
    """
    opened = (each for each in _days(rhythm, day, weekday=weekday) if not is_closed(rhythm.closed, each))
    # One after the other: of two years of days the first few are looked at.
    days = chain(opened, _days(rhythm, day, weekday=weekday))
    times = (at_hour(each, rhythm.hour, rhythm.zone) for each in days)
    return next(due for due in times if due > after)


def _days(rhythm: Rhythm, day: date, *, weekday: bool) -> Iterator[date]:
    days = (day + timedelta(days=ahead) for ahead in range(_SEARCHED))
    return (each for each in days if not weekday or rhythm.weekday in ("", WEEKDAYS[each.weekday()]))


def is_closed(closed: str, day: date) -> bool:
    """Return whether no deadline falls on a day."""
    parts = ([end.strip() for end in part.split("..")] for part in closed.split(",") if part.strip())
    return any(_lies_in(day, ends[0], ends[-1]) for ends in parts)


def at_hour(day: date, hour: str, zone: str) -> datetime:
    """Return a local wall time in UTC: one that the clocks skip moves on by the hour skipped, of two alike it is the first."""
    return datetime.combine(day, time.fromisoformat(hour), ZoneInfo(zone)).astimezone(UTC)


def _after(rhythm: Rhythm, day: date) -> date:
    """Return the day on which a turn ends at the earliest that begins on *day*; a month later is the same date, or the last."""
    if not rhythm.every:
        return day + timedelta(days=rhythm.days)
    number, unit = rhythm.every.split()
    if not unit.startswith("month"):
        return day + timedelta(days=int(number) * (7 if unit.startswith("week") else 1))
    years, month = divmod(day.month - 1 + int(number), 12)
    last = calendar.monthrange(day.year + years, month + 1)[1]
    return date(day.year + years, month + 1, min(day.day, last))


def _lies_in(day: date, first: str, last: str) -> bool:
    if first in WEEKDAYS:
        return WEEKDAYS[day.weekday()] == first
    if len(first) > len("12-24"):
        return first <= day.isoformat() <= last
    yearly = f"{day:%m-%d}"
    return first <= yearly <= last if first <= last else yearly >= first or yearly <= last
