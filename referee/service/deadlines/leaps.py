"""A clock that leaps: where nothing explains it nothing is done, so that no time of it stands anywhere when it is right again."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from referee.config import Config
from referee.core.errors import RefereeError, TemporaryTrouble
from referee.core.regex import regex
from referee.service.club.club import Club
from referee.service.club.uptime import Uptime
from referee.store import outages
from referee.store.database.connection import Database
from referee.store.database.database import format_time, transaction

LEAP = timedelta(days=1)
AWAY = timedelta(days=90)  # a machine that was off for longer is asked about

_HEAD, _LOOKED_AT = 16_000, 20  # bytes, letters
_DATE = regex(rb"^date:([^\r\n]{1,100})", re.MULTILINE | re.IGNORECASE)


def check_clock(club: Club, now: datetime) -> None:
    """Ask the umpire, once, about a leap that neither uptime nor a letter that waits explains.

    Raises:
        TemporaryTrouble: nothing is to be done until the clock is right, or the umpire says that it is.
    """
    told = leap(club.config, club.db, club.uptime(), now)
    if not told or _is_explained(club, now):
        return
    from referee.service.post.deliver import send_waiting
    from referee.service.post.writing import tell_umpire

    before = outages.awake(club.db)
    assert before is not None
    sane = replace(club, clock=lambda: _expected(before, club.uptime())[0])
    with transaction(club.db):
        tell_umpire(sane, f"leap:{format_time(before.at)}", "leap", {"since": before.at, "until": now})
    with suppress(RefereeError):
        send_waiting(sane)
    raise TemporaryTrouble(told)


def leap(config: Config, db: Database, up: Uptime | None, now: datetime) -> str:
    """Return what is to be said of a clock that leapt since the last pass, "" if it did not."""
    before = outages.awake(db) if config.downtime_hold else None
    if before is None:
        return ""
    expected, most = _expected(before, up)
    if -LEAP <= now - expected <= most:
        return ""
    times = f"it is {now:%Y-%m-%d %H:%M} UTC, and was {before.at:%Y-%m-%d %H:%M} UTC at the last pass"
    return (
        f"this machine says that {times}, which nothing explains: nothing is read, played or told until its clock is "
        "right again; if it is right, say `referee tick --clock-is-right`"
    )


def _expected(before: outages.Awake, up: Uptime | None) -> tuple[datetime, timedelta]:
    """Return what time it is by how long the machine runs, at least, and by how much it may be later."""
    if up is not None and up.boot == before.boot:
        return before.at + timedelta(seconds=up.seconds - before.seconds), LEAP
    return before.at, AWAY


def _is_explained(club: Club, now: datetime) -> bool:
    """Return whether a letter that waits was written in these days, by the clock of its writer."""
    from email.utils import parsedate_to_datetime  # no pass of a sane clock needs it

    with suppress(RefereeError):
        for arrival in club.source.waiting()[-_LOOKED_AT:]:
            with suppress(RefereeError, OSError, ValueError, TypeError, LookupError, OverflowError):
                date = _DATE.search(club.source.read(arrival.key, _HEAD))
                if date and abs(parsedate_to_datetime(date[1].decode()).astimezone(UTC) - now) <= LEAP:
                    return True
    return False
