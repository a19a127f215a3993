"""When turns are due. Pure: times come in as values, wall times are those of the rhythm's zone."""

from __future__ import annotations

import calendar
import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain, count
from zoneinfo import ZoneInfo

from msgspec.structs import asdict

from referee.config import WEEKDAYS, Config
from referee.config.values import Calendar
from referee.core import Texts, View, shared_fields
from referee.store import GameRow

_DAYS = {"day": 1, "week": 7, "month": 31}

_EVER = datetime.min.replace(tzinfo=UTC)
_SEARCHED = 800  # days: where none of them is open, days without deadlines count for nothing


class Rhythm(Calendar):
    """A game's calendar. ``begins``: the date from which its deadlines are counted, "" before the first."""

    begins: str = ""

    @property
    def weekdays(self) -> Texts:
        """The weekdays on which deadlines fall; none for any day."""
        return tuple(each.strip() for each in self.weekday.split(",") if each.strip())

    @property
    def interval(self) -> tuple[int, str]:
        """The number and unit (day, week, month) that deadlines lie apart; whole weeks are told as weeks."""
        number, unit = (
            int((self.every or f"{self.days} days").split()[0]),
            (self.every or "day").split()[-1].rstrip("s"),
        )
        return (number // 7, "week") if unit == "day" and number % 7 == 0 else (number, unit)

    @property
    def minimum(self) -> timedelta:
        """The least time that a turn has."""
        number, unit = self.interval
        share = len(self.weekdays) or 1 if unit == "week" else 1
        half = timedelta(days=number * _DAYS[unit]) / (2 * share)
        return half if self.notice < 0 else timedelta(hours=self.notice)

    @property
    def allowance(self) -> timedelta:
        """The grace after a deadline."""
        return timedelta(minutes=self.grace)

    @property
    def delay(self) -> timedelta | None:
        """How long everybody's orders must be in before a turn is played early; None: it never is."""
        return None if self.early_delay < 0 else timedelta(hours=self.early_delay)


NAMES = Calendar.__struct_fields__  # what settings say of a calendar


def club_rhythm(config: Config) -> Rhythm:
    """Return the calendar of a game that says nothing itself."""
    return Rhythm(**shared_fields(config, Calendar))


def rhythm_of(config: Config, row: GameRow) -> Rhythm:
    """Return a game's calendar: what it says itself over the club's settings as they are now."""
    return club_rhythm(config).but(**json.loads(row.rhythm))


def rhythm_values(rhythm: Rhythm) -> View:
    """Return what templates tell of a calendar: its weekdays by number, from 1 for Monday, and what lies between deadlines."""
    numbers = [str(WEEKDAYS.index(each) + 1) for each in rhythm.weekdays]
    return {**asdict(rhythm), "weekdays": numbers, "interval": rhythm.interval}


def statements_time(rhythm: Rhythm, now: datetime) -> datetime | None:
    """Return until when closing statements of a game that ends *now* are awaited; None: they are not asked for."""
    day = now.astimezone(ZoneInfo(rhythm.zone)).date() + timedelta(days=rhythm.statements)
    return first_open(rhythm, day, now, weekday=False) if rhythm.statements else None


def last_moment(config: Config, row: GameRow) -> datetime | None:
    """Return until when letters for the awaited turn are in time: deadline and grace; None: it has no deadline."""
    return row.deadline + rhythm_of(config, row).allowance if row.deadline else None


def next_deadline(rhythm: Rhythm, now: datetime, least: timedelta | None = None) -> datetime:
    """Return the first deadline of a calendar, in UTC, that leaves a turn beginning *now* its minimum of time, or *least*."""
    enough = now + (rhythm.minimum if least is None else least)
    days = _calendar(rhythm, now.astimezone(ZoneInfo(rhythm.zone)).date())
    return next(due for day in days if (due := first_open(rhythm, day, _EVER)) >= enough)


def first_open(rhythm: Rhythm, day: date, after: datetime, *, weekday: bool = True) -> datetime:
    """Return the first time in UTC *after* which a deadline may fall, on *day* or later, and on the rhythm's own *weekday* unless
    that does not matter.
    """
    opened = (each for each in _days(rhythm, day, weekday=weekday) if not is_closed(rhythm.closed, each))
    # One after the other: of two years of days the first few are looked at.
    times = (at_hour(each, rhythm.hour, rhythm.zone) for each in chain(opened, _days(rhythm, day, weekday=weekday)))
    return next(due for due in times if due > after)


def _days(rhythm: Rhythm, day: date, *, weekday: bool) -> Iterator[date]:
    days = (day + timedelta(days=ahead) for ahead in range(_SEARCHED))
    return (each for each in days if not weekday or _suits(rhythm, each))


def _suits(rhythm: Rhythm, day: date) -> bool:
    return not rhythm.weekdays or WEEKDAYS[day.weekday()] in rhythm.weekdays


def _calendar(rhythm: Rhythm, today: date) -> Iterator[date]:
    """Yield the days from *today* on which deadlines would fall if none was closed, without end.

    A calendar without a beginning takes any of its weekdays; one without weekdays begins today.
    """
    number, unit = rhythm.interval
    begins = date.fromisoformat(rhythm.begins) if rhythm.begins else None
    if rhythm.weekdays and (unit == "week" or not begins):
        first = begins - timedelta(days=begins.weekday()) if begins else None
        days = (today + timedelta(days=ahead) for ahead in count())
        for day in days:
            if _suits(rhythm, day) and (not first or (day - first).days // 7 % number == 0):
                yield day
    else:
        steps = (today - begins).days // (number * _DAYS[unit]) - 1 if begins else 1  # below 0: it begins after today
        days = (_later(begins or today, number * step, unit) for step in count(steps))
        yield from (day for day in days if day >= today)


def is_closed(closed: str, day: date) -> bool:
    """Return whether no deadline falls on a day."""
    parts = ([end.strip() for end in part.split("..")] for part in closed.split(",") if part.strip())
    return any(_lies_in(day, ends[0], ends[-1]) for ends in parts)


def at_hour(day: date, hour: str, zone: str) -> datetime:
    """Return a local wall time in UTC: one that the clocks skip moves on by the hour skipped, of two alike it is the first."""
    return datetime.combine(day, time.fromisoformat(hour), ZoneInfo(zone)).astimezone(UTC)


def _later(day: date, number: int, unit: str) -> date:
    """Return the date so many days, weeks or months after a day; a month later is the same date, or the month's last."""
    if unit != "month":
        return day + timedelta(days=number * _DAYS[unit])
    years, month = divmod(day.month - 1 + number, 12)
    last = calendar.monthrange(day.year + years, month + 1)[1]
    return date(day.year + years, month + 1, min(day.day, last))


def _lies_in(day: date, first: str, last: str) -> bool:
    if first in WEEKDAYS:
        return WEEKDAYS[day.weekday()] == first
    if len(first) > len("12-24"):
        return first <= day.isoformat() <= last
    yearly = f"{day:%m-%d}"
    return first <= yearly <= last if first <= last else yearly >= first or yearly <= last
