"""Time: our clock beside what the store remembers, and the time zones that deadlines are told in."""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from referee.config import Config, zone_fault
from referee.core.errors import RefereeError
from referee.service.club.uptime import machine_uptime
from referee.service.deadlines.downtime import leap
from referee.service.doctor.finding import Finding, fault, ok, warning
from referee.store.club import last_poll, last_tick
from referee.store.database.connection import Database
from referee.store.database.database import open_for_reading, parse_time
from referee.store.database.database import pending_steps as pending_steps

TOPIC = "clock"
DRIFT = timedelta(minutes=5)
BUILT = datetime(2026, 11, 1, tzinfo=UTC)  # no clock that is right shows less

_LATEST = 50  # letters whose times are compared
_SET_CLOCK = "set the clock and let NTP keep it (`timedatectl set-ntp true`): deadlines are decided by it"


def clock_findings(config: Config, now: datetime) -> Iterator[Finding]:
    """Return what is to be said of clock and time zones."""
    if now < BUILT:
        yield fault(TOPIC, f"this machine says it is {now:%Y-%m-%d %H:%M} UTC", _SET_CLOCK)
    yield from _zones(config)
    try:
        with open_for_reading(config.database) as db:
            if not pending_steps(db):
                yield from _remembered(config, db, now)
                yield from _players_zones(db)
    except RefereeError:
        return  # what is wrong with the database is said elsewhere


def _zones(config: Config) -> Iterator[Finding]:
    known = len(zoneinfo.available_timezones())
    if known < 100:
        yield fault(TOPIC, f"only {known} time zones are installed", "apt-get install tzdata, or `pip install tzdata`")
    else:
        yield ok(TOPIC, f"{known} time zones are installed; the club's is {config.zone}")


def _players_zones(db: Database) -> Iterator[Finding]:
    rows = db.query("SELECT DISTINCT zone FROM players ORDER BY zone")
    for wrong in filter(None, (zone_fault(row["zone"]) for row in rows)):
        yield fault(TOPIC, f"a player's time zone: {wrong}", "install time zones (tzdata)")


def _remembered(config: Config, db: Database, now: datetime) -> Iterator[Finding]:
    """Compare our clock with itself earlier, and with the server that wrote when letters arrived."""
    leapt = leap(config, db, machine_uptime(), now)
    if leapt:
        yield fault(TOPIC, leapt, _SET_CLOCK)
    last = max(filter(None, (last_tick(db), last_poll(db))), default=now)
    if last > now + DRIFT:
        yield fault(TOPIC, f"the last pass was at {last:%Y-%m-%d %H:%M} UTC, which is still to come", _SET_CLOCK)
        return
    rows = list(db.query("SELECT arrived, stored_at FROM letters ORDER BY id DESC LIMIT ?", [_LATEST]))
    ahead = max((parse_time(row["arrived"]) - parse_time(row["stored_at"]) for row in rows), default=timedelta())
    if ahead > DRIFT:
        minutes = int(ahead.total_seconds() // 60)
        yield warning(TOPIC, f"the mail server's clock is {minutes} minutes ahead of ours, or ours is slow", _SET_CLOCK)
    else:
        yield ok(TOPIC, f"it is {now:%Y-%m-%d %H:%M:%S} UTC, and no letter came from the future")
