"""Whether the database lacks what was done already: put back from a copy, or cut short by a disk. What is to be done about it
stands in ``recovery``.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from referee.core.errors import LoginRefused
from referee.core.values import Value
from referee.service.club.club import Club
from referee.service.club.tally import counted, lacks_something, read_tally
from referee.service.post.lockout import check_lockout, note_refusal
from referee.store.club import fact, last_poll, write_fact
from referee.store.database.database import format_time, parse_time, transaction

DAY = timedelta(days=1)  # a mail server counts days by a clock and zone of its own

_FACT = "lost"


class Loss(Value):
    """What the database does not know: letters that came after ``since``, and what was done ``until`` then, if that is known.

    ``ended``: when the last whole pass of that time ended, if that is known: what was written before had left.
    """

    since: datetime
    until: datetime | None = None
    ended: datetime | None = None


def loss(club: Club) -> Loss | None:
    """Return what the database was seen to lack; None if it lacks nothing, or has it again."""
    text = fact(club.db, _FACT)
    if not text:
        return None
    return Loss(**{name: parse_time(time) for name, time in json.loads(text).items()})


def notice_loss(club: Club) -> None:
    """Look, before anything is written, whether the database is older than what the referee has done with it."""
    if loss(club) is not None or not lacks_something(club.config.folder, club.db):
        return
    ours, known = counted(club.db), read_tally(club.config.folder)
    if known is not None and not known.knows_more_than(ours) and known.at != ours.at:
        known = None  # of another time: it tells nothing
    since = last_poll(club.db) or datetime.fromtimestamp(0, UTC)
    ended = known.at if known else None
    with transaction(club.db):
        write_loss(club, Loss(since=since, until=ended, ended=ended))
    club.step("recovery:noticed")


def bring_back(club: Club) -> None:
    """Let the letters wait again that the database may not know; it knows those that it has. Raises as ``Source.bring_back``."""
    found = loss(club)
    if found is None:
        return
    check_lockout(club, "imap")
    try:
        newest = club.source.bring_back(found.since - DAY)
    except LoginRefused as error:
        note_refusal(club, "imap", error)
        raise
    if newest is not None and (found.until is None or newest > found.until):
        with transaction(club.db):
            write_loss(club, replace(found, until=min(newest, club.clock())))
    club.step("recovery:brought")


def write_loss(club: Club, found: Loss | None) -> None:
    """Keep what the database lacks, None: nothing any more. Inside a transaction."""
    if found is None:
        write_fact(club.db, _FACT, "")
        return
    times = {name: getattr(found, name) for name in ("since", "until", "ended")}
    write_fact(
        club.db, _FACT, json.dumps({name: format_time(time) for name, time in times.items() if time is not None})
    )
