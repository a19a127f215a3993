"""Our own letters, from the transaction that wrote them until they are sent; and the umpire's log."""

from __future__ import annotations

from datetime import datetime

from sqlite_utils import Database

from referee.store.database import change, format_time, insert, select
from referee.store.rows import LogRow, OutboxRow

REPLIES = ("acknowledgement", "rejected")


def put(db: Database, row: OutboxRow) -> bool:
    """Write a letter to be sent unless its key was used before; return whether it was new. Inside a transaction."""
    if has(db, row.key):
        return False
    insert(db, "outbox", row)
    return True


def has(db: Database, key: str) -> bool:
    """Return whether a letter of that key was ever written."""
    return bool(list(db.query("SELECT 1 FROM outbox WHERE key = ?", [key])))


def waiting(db: Database) -> tuple[int, ...]:
    """Return the numbers of the letters still to be sent, the oldest first."""
    return tuple(row["id"] for row in db.query("SELECT id FROM outbox WHERE state = 'waiting' ORDER BY id"))


def outgoing(db: Database, number: int) -> OutboxRow:
    """Return one letter of ours."""
    return select(db, OutboxRow, "SELECT * FROM outbox WHERE id = ?", number)[0]


def mark_sent(db: Database, number: int, now: datetime) -> None:
    """Say that a letter is out. Inside a transaction."""
    change(
        db,
        "UPDATE outbox SET state = 'sent', attempts = attempts + 1, error = '', sent_at = ? WHERE id = ?",
        now,
        number,
    )


def mark_failed(db: Database, number: int, error: str) -> None:
    """Say why a letter could not be sent; it waits on. Inside a transaction."""
    change(db, "UPDATE outbox SET attempts = attempts + 1, error = ? WHERE id = ?", error, number)


def replies_since(db: Database, recipient: str, since: datetime) -> int:
    """Return how many answers to letters were written to an address from *since* on."""
    sql = "SELECT count(*) AS number FROM outbox WHERE lower(recipient) = ? AND created > ? AND kind IN (?, ?)"
    return int(next(iter(db.query(sql, [recipient.lower(), format_time(since), *REPLIES])))["number"])


def newsletters(db: Database, game: str, turn: int) -> tuple[OutboxRow, ...]:
    """Return the newsletters of a turn (0: the opening), the newest edition last."""
    sql = "SELECT * FROM outbox WHERE game = ? AND turn = ? AND kind = 'newsletter' ORDER BY id"
    return select(db, OutboxRow, sql, game, turn)


def newsletter_ids(db: Database, game: str, player: str) -> tuple[str, ...]:
    """Return the Message-IDs of a player's newsletters of a game, that of the opening first."""
    sql = "SELECT message_id FROM outbox WHERE game = ? AND player = ? AND kind = 'newsletter' ORDER BY id"
    return tuple(row["message_id"] for row in db.query(sql, [game, player]))


def log(db: Database, row: LogRow) -> None:
    """Write into the umpire's log. Inside a transaction."""
    insert(db, "log", row)


def logged(db: Database) -> tuple[LogRow, ...]:
    """Return the umpire's log, the oldest first."""
    return select(db, LogRow, "SELECT * FROM log ORDER BY id")
