"""Letters of ours on their way out: who may send which now, and what became of each try. When the next is due: ``retries``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta

from referee.core.errors import NotFound
from referee.core.values import Value
from referee.store.club import fact, write_fact
from referee.store.database.connection import Database
from referee.store.database.database import change, format_time, parse_time, scalar, select
from referee.store.database.rows import OutboxRow
from referee.store.retries import LONGEST_WAIT, wait_after

LEASE = timedelta(minutes=5)

_PAUSE = "post-pause"

# A lease or a next try farther away than any is written was written before the clock was set back: it holds no more.
_LEASED = "lease > :now AND lease <= :longest_lease"
_BEHIND = """
    other.id < outbox.id AND other.next_try > :now AND other.next_try <= :longest_wait AND other.delayed_since > :hour_ago
"""
_DUE = f"""
    state = 'waiting' AND (next_try IS NULL OR next_try <= :now OR next_try > :longest_wait)
    AND NOT EXISTS (
        SELECT 1 FROM outbox AS other
        WHERE other.state = 'waiting' AND other.recipient = outbox.recipient
        AND ({_LEASED.replace("lease ", "other.lease ")} OR {_BEHIND})
    )"""  # noqa: S608 (our own words)


class Pause(Value):
    """The post is down ``since``; nobody is sent anything ``until``."""

    since: datetime
    until: datetime
    why: str


def take(db: Database, now: datetime, most: int) -> tuple[int, ...]:
    """Lease at most *most* letters that are due to the caller, for ``LEASE``; return their numbers, the oldest first.

    Nobody else is given them, nor any letter to the same recipients, until each is marked or the lease is over: what is
    written to a reader reaches him in the order of writing. Inside a transaction.
    """
    sql = f"SELECT id FROM outbox WHERE {_DUE} ORDER BY id LIMIT :most"  # noqa: S608 (our own words)
    numbers = tuple(row["id"] for row in db.query(sql, {**_times(now), "most": most}))
    for number in numbers:
        change(db, "UPDATE outbox SET lease = ? WHERE id = ?", now + LEASE, number)
    return numbers


def due(db: Database, now: datetime) -> int:
    """Return how many letters could be sent now."""
    sql = f"SELECT count(*) AS number FROM outbox WHERE {_DUE}"  # noqa: S608 (our own words)
    return int(next(iter(db.query(sql, _times(now))))["number"])


def tried_since(db: Database, since: datetime, now: datetime) -> int:
    """Return how many letters were last tried after *since*."""
    sql = "SELECT count(*) FROM outbox WHERE tried_at > ? AND tried_at <= ?"
    return scalar(db, sql, since, now)


def sent_since(db: Database, since: datetime) -> int:
    """Return how many letters left from then on."""
    sql = "SELECT count(*) FROM outbox WHERE tried_at >= ? AND state = 'sent'"
    return scalar(db, sql, since)


def mark_sent(db: Database, number: int, now: datetime) -> None:
    """Say that a letter is out. Inside a transaction."""
    sql = (
        "UPDATE outbox SET state = 'sent', attempts = attempts + 1, error = '', sent_at = ?, tried_at = ?, "
        "lease = NULL, next_try = NULL WHERE id = ?"
    )
    change(db, sql, now, now, number)


def regard_as_sent(db: Database, until: datetime) -> int:
    """Say that all letters written until then are out that wait; return how many did. Inside a transaction."""
    sql = (
        "UPDATE outbox SET state = 'sent', sent_at = created, lease = NULL, next_try = NULL "
        "WHERE state = 'waiting' AND created <= ?"
    )
    return change(db, sql, until)


def mark_failed(db: Database, number: int, now: datetime, error: str) -> None:
    """Say why a letter will not be sent, unless the umpire wants it tried again. Inside a transaction."""
    sql = (
        "UPDATE outbox SET state = 'failed', attempts = attempts + 1, error = ?, failed_at = ?, tried_at = ?, "
        "lease = NULL, next_try = NULL WHERE id = ?"
    )
    change(db, sql, error, now, now, number)


def mark_tried(db: Database, number: int, now: datetime, error: str) -> None:
    """Say that a letter was not sent for a reason that is not its own; it waits on. Inside a transaction."""
    sql = "UPDATE outbox SET attempts = attempts + 1, error = ?, tried_at = ?, lease = NULL WHERE id = ?"
    change(db, sql, error, now, number)


def mark_delayed(db: Database, row: OutboxRow, now: datetime, error: str) -> None:
    """Say why a letter could not be sent now, and when it is tried again. Inside a transaction.

    Others to its reader wait behind it in the first hour; after that it may be this letter that his server does not like.
    """
    since = row.delayed_since or now
    wait = wait_after(since, now)
    sql = (
        "UPDATE outbox SET attempts = attempts + 1, error = ?, tried_at = ?, delayed_since = ?, next_try = ?, "
        "lease = NULL WHERE id = ?"
    )
    change(db, sql, error, now, since, now + wait, row.id)
    if wait < LONGEST_WAIT:
        behind = (
            "UPDATE outbox SET next_try = ?, lease = NULL WHERE state = 'waiting' AND recipient = ? AND id > ? "
            "AND (next_try IS NULL OR next_try < ?)"
        )
        change(db, behind, now + wait, row.recipient, row.id, now + wait)


def release(db: Database, numbers: Sequence[int], lease: datetime) -> None:
    """Give back what was leased until *lease* and not tried. Inside a transaction."""
    for number in numbers:
        change(db, "UPDATE outbox SET lease = NULL WHERE id = ? AND lease = ?", number, lease)


def pause(db: Database) -> Pause | None:
    """Return the pause of the whole post; None where there is none. It may be over."""
    text = fact(db, _PAUSE)
    if not text:
        return None
    kept = json.loads(text)
    return Pause(since=parse_time(kept["since"]), until=parse_time(kept["until"]), why=kept["why"])


def current_pause(db: Database, now: datetime) -> Pause | None:
    """Return the pause of the whole post if it is not over."""
    found = pause(db)
    # One that ends later than any can was begun before the clock was set back.
    return found if found is not None and now < found.until <= now + LONGEST_WAIT else None


def write_pause(db: Database, now: datetime, why: str) -> Pause:
    """Begin a pause of the whole post, or go on with it: longer, the longer it lasts. Inside a transaction."""
    before = pause(db)
    since = before.since if before else now
    made = Pause(since=since, until=now + wait_after(since, now), why=why)
    kept = {"since": format_time(made.since), "until": format_time(made.until), "why": why}
    write_fact(db, _PAUSE, json.dumps(kept, ensure_ascii=False))
    return made


def end_pause(db: Database) -> None:
    """Say that the post can be reached. Inside a transaction."""
    if fact(db, _PAUSE):
        write_fact(db, _PAUSE, "")


def unsent(db: Database) -> tuple[OutboxRow, ...]:
    """Return the letters that wait or have failed, the oldest first; without their bytes, which are many."""
    columns = [name for name in OutboxRow.__struct_fields__ if name not in OutboxRow.unstored]
    names = [f"x'' AS {name}" if name == "raw" else name for name in columns]
    sql = f"SELECT {', '.join(names)} FROM outbox WHERE state IN ('waiting', 'failed') ORDER BY id"  # noqa: S608 (our own names)
    return select(db, OutboxRow, sql)


def try_again(db: Database, number: int) -> None:
    """Let a letter that waits or has failed be sent with the next pass. Inside a transaction.

    Raises:
        NotFound: no such letter waits or has failed.
    """
    sql = (
        "UPDATE outbox SET state = 'waiting', next_try = NULL, delayed_since = NULL, failed_at = NULL "
        "WHERE id = ? AND state IN ('waiting', 'failed')"
    )
    if not change(db, sql, number):
        raise NotFound(f"no letter {number} waits in the outbox or has failed")


def _times(now: datetime) -> dict[str, str]:
    return {
        "now": format_time(now),
        "longest_lease": format_time(now + LEASE),
        "longest_wait": format_time(now + LONGEST_WAIT),
        "hour_ago": format_time(now - LONGEST_WAIT),
    }
