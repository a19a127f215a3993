"""Our own letters as they were written and on their way out, those that came back; the digest's news; and the umpire's log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta

from referee.core import NotFound, Numbers, Value

from .club import fact, keep, load
from .database import (
    Column,
    Database,
    Number,
    One,
    Rows,
    Update,
    all_but_raw,
    change,
    column,
    first,
    format_time,
    insert,
    select,
)
from .files import pack, readable, words_of
from .rows import BounceRow, LogRow, NewsRow, OutboxRow


class Answered(Value):
    """The beginning of a letter of ours, which somebody answers."""

    game: str | None
    raw: bytes


def put(db: Database, row: OutboxRow) -> bool:
    """Write a letter to be sent unless its key was used before; return whether it was new. Inside a transaction."""
    if has(db, row.key):
        return False
    insert(db, pack(db, row))
    return True


# How many letters of that key were ever written: one or none.
has = Number[str]("SELECT count(*) FROM outbox WHERE key = ?")


# The number of the last letter of ours, 0 if there is none.
highest = Number[()]("SELECT coalesce(max(id), 0) FROM outbox")


def outgoing(db: Database, number: int) -> OutboxRow:
    """Return one letter of ours as it is kept: ``files.whole`` makes it what leaves."""
    return select(db, OutboxRow, "SELECT * FROM outbox WHERE id = ?", number)[0]


def letters_by_id(db: Database, ids: Sequence[str], size: int) -> tuple[Answered, ...]:
    """Return the first *size* bytes of our letters with these Message-IDs, the newest first."""
    which = "message_id IN (SELECT value FROM json_each(?)) ORDER BY id DESC"
    return _beginnings(db, which, size, json.dumps(ids))


def last_to(db: Database, recipient: str, most: int, size: int) -> tuple[Answered, ...]:
    """Return the first *size* bytes of our last letters to *recipient*, the newest first."""
    return _beginnings(db, "recipient = ? ORDER BY created DESC, id DESC LIMIT ?", size, recipient, most)


def _beginnings(db: Database, which: str, size: int, *values: object) -> tuple[Answered, ...]:
    sql = f"SELECT game, iif(enclosed = '', substr(raw, 1, ?), raw) AS raw, enclosed FROM outbox WHERE {which}"  # noqa: S608 (our own words)
    found = db.query(sql, [size, *values])
    return tuple(Answered(game=row["game"], raw=readable(row["raw"], row["enclosed"])[:size]) for row in found)


def newsletters(db: Database, game: str, turn: int) -> tuple[OutboxRow, ...]:
    """Return the newsletters of a turn (0: the opening), the newest edition last; without what is in their files.

    Raises:
        LetterDamaged: one of them cannot be read any more.
    """
    sql = "SELECT * FROM outbox WHERE game = ? AND turn = ? AND kind = 'newsletter' ORDER BY id"
    return tuple(words_of(row) for row in select(db, OutboxRow, sql, game, turn))


def newsletter_to(db: Database, game: str, player: str, turn: int | None) -> OutboxRow | None:
    """Return a player's newsletter of a turn, without one that of the last turn in force, in its newest edition; None if there is
    none.

    Its files are empty, and so is all of it where it is damaged; ``files.with_files`` brings them.
    """
    sql = (
        "SELECT * FROM outbox WHERE game = ? AND player = ? AND kind = 'newsletter' AND (turn = ? OR (? IS NULL "
        "AND turn <= (SELECT turn - (status = 'running') FROM games WHERE games.id = outbox.game))) "
        "ORDER BY turn DESC, id DESC LIMIT 1"
    )
    found = first(db, OutboxRow, sql, game, player, turn, turn)
    return found.but(raw=readable(found.raw, found.enclosed)) if found else None


# The letter of that key as it is kept, None if there is none.
written = One[OutboxRow, str](OutboxRow, "SELECT * FROM outbox WHERE key = ?")


def answers_to(db: Database, letter: int) -> tuple[OutboxRow, ...]:
    """Return what we wrote because of a letter to its writer, readable."""
    rows = select(db, OutboxRow, "SELECT * FROM outbox WHERE letter = ? AND key LIKE 'reply:%' ORDER BY id", letter)
    return tuple(row.but(raw=readable(row.raw, row.enclosed)) for row in rows)


# The Message-IDs of a player's newsletters of a game, that of the opening first.
newsletter_ids = Column[str, str, str](
    "SELECT message_id FROM outbox WHERE game = ? AND player = ? AND kind = 'newsletter' ORDER BY id"
)


# What of a kind stands in the umpire's log, the oldest first.
logged = Rows[LogRow, str](LogRow, "SELECT * FROM log WHERE what = ? ORDER BY id")


# What of some kinds stands in the umpire's log under the name of a game that had not begun, the oldest first.
logged_about = Rows[LogRow, str, Sequence[str]](
    LogRow,
    "SELECT * FROM log WHERE game IS NULL AND (text = ?1 OR text LIKE ?1 || ': %') "
    "AND what IN (SELECT value FROM json_each(?2)) ORDER BY id",
)


# How many reminders were written to whoever reads at *recipient*, for their seat in a game.
reminders = Number[str, str, str](
    "SELECT count(*) FROM outbox WHERE kind = 'reminder' AND game = ? AND player = ? AND lower(recipient) = lower(?)"
)


# What waits for the umpire's digest.


def put_news(db: Database, row: NewsRow) -> None:
    """Keep something for the next digest, once for each key. Inside a transaction."""
    if not column(db, "SELECT 1 FROM news WHERE key = ?", row.key):
        insert(db, row)


# What no digest has told, the oldest first.
unreported = Rows[NewsRow](NewsRow, "SELECT * FROM news WHERE told_at IS NULL ORDER BY id")


# Say that a digest has told all of it. Inside a transaction.
mark_reported = Update[datetime]("UPDATE news SET told_at = ? WHERE told_at IS NULL")


# Letters of ours that came back, by the address they were written to.


# The letter of ours with that Message-ID.
letter_of_ours = One[OutboxRow, str](OutboxRow, "SELECT * FROM outbox WHERE message_id = ?")


# What came back from an address since its owner last wrote, in order of time.
since_heard = Rows[BounceRow, str](
    BounceRow, "SELECT * FROM bounces WHERE address = lower(?) AND cleared_at IS NULL ORDER BY at, id"
)


# Counts what came back from an address no longer: its owner has written.
clear_bounces = Update[str, datetime](
    "UPDATE bounces SET cleared_at = ?2 WHERE address = lower(?1) AND cleared_at IS NULL"
)


# Letters of ours on their way out: who may send which now, and what became of each try.

# How often, and how long, a letter that could not be sent is tried again.

FIRST_WAIT = timedelta(minutes=5)
LONGEST_WAIT = timedelta(hours=1)
GIVEN_UP = timedelta(days=5)


def wait_after(since: datetime, now: datetime) -> timedelta:
    """Return how long to wait after a try at *now*: 5, 10, 20 and 40 minutes from the first trouble on, then hours."""
    return min(FIRST_WAIT + max(now - since, timedelta()), LONGEST_WAIT)


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


def take(db: Database, now: datetime, most: int) -> Numbers:
    """Lease at most *most* letters that are due to the caller, for ``LEASE``; return their numbers, the oldest first.

    Nobody else is given them, nor any letter to the same recipients, until each is marked or the lease is over: what is
    written to a reader arrives in the order of writing. Inside a transaction.
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


# How many letters were last tried after *since*.
tried_since = Number[datetime, datetime]("SELECT count(*) FROM outbox WHERE tried_at > ? AND tried_at <= ?")


# How many letters left from then on.
sent_since = Number[datetime]("SELECT count(*) FROM outbox WHERE tried_at >= ? AND state = 'sent'")


# Says that a letter is out.
mark_sent = Update[int, datetime](
    "UPDATE outbox SET state = 'sent', attempts = attempts + 1, error = '', sent_at = ?2, tried_at = ?2, "
    "lease = NULL, next_try = NULL WHERE id = ?1"
)


# Say that all letters written until then are out that wait; return how many did. Inside a transaction.
regard_as_sent = Update[datetime](
    "UPDATE outbox SET state = 'sent', sent_at = created, lease = NULL, next_try = NULL "
    "WHERE state = 'waiting' AND created <= ?"
)


# Says why a letter will not be sent, unless the umpire wants it tried again.
mark_failed = Update[int, datetime, str](
    "UPDATE outbox SET state = 'failed', attempts = attempts + 1, error = ?3, failed_at = ?2, tried_at = ?2, "
    "lease = NULL, next_try = NULL WHERE id = ?1"
)


# Says why a letter was not sent, for a reason that is not its own; it waits on. Inside a transaction.
mark_tried = Update[str, datetime, int](
    "UPDATE outbox SET attempts = attempts + 1, error = ?, tried_at = ?, lease = NULL WHERE id = ?"
)


def mark_delayed(db: Database, row: OutboxRow, now: datetime, error: str) -> None:
    """Say why a letter could not be sent now, and when it is tried again. Inside a transaction.

    Others to its reader wait behind it in the first hour; after that it may be this letter that the server does not like.
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


# Gives back what was leased until then and not tried.
release = Update[Numbers, datetime](
    "UPDATE outbox SET lease = NULL WHERE id IN (SELECT value FROM json_each(?)) AND lease = ?"
)


def pause(db: Database) -> Pause | None:
    """Return the pause of the whole post; None where there is none. It may be over."""
    return load(db, _PAUSE, Pause)


def current_pause(db: Database, now: datetime) -> Pause | None:
    """Return the pause of the whole post if it is not over."""
    found = pause(db)
    # One that ends later than any can was begun before the clock was set back.
    return found if found and now < found.until <= now + LONGEST_WAIT else None


def write_pause(db: Database, now: datetime, why: str) -> Pause:
    """Begin a pause of the whole post, or go on with it: longer, the longer it lasts. Inside a transaction."""
    before = pause(db)
    since = before.since if before else now
    made = Pause(since=since, until=now + wait_after(since, now), why=why)
    keep(db, _PAUSE, made)
    return made


def end_pause(db: Database) -> None:
    """Say that the post can be reached. Inside a transaction."""
    if fact(db, _PAUSE):
        keep(db, _PAUSE, None)


# The letters that wait or have failed, the oldest first; without their bytes, which are many.
unsent = Rows[OutboxRow](OutboxRow, f"{all_but_raw(OutboxRow)} WHERE state IN ('waiting', 'failed') ORDER BY id")


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
