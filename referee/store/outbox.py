"""Our own letters as they were written (how they are sent: ``deliveryqueue``); and the umpire's log."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from referee.core.values import Value
from referee.store.database.connection import Database
from referee.store.database.database import insert, scalar, select
from referee.store.database.rows import LogRow, OutboxRow
from referee.store.files import pack, readable, words_of


class Answered(Value):
    """The beginning of a letter of ours, which somebody answers."""

    game: str | None
    raw: bytes


def put(db: Database, row: OutboxRow) -> bool:
    """Write a letter to be sent unless its key was used before; return whether it was new. Inside a transaction."""
    if has(db, row.key):
        return False
    insert(db, "outbox", pack(db, row))
    return True


def has(db: Database, key: str) -> bool:
    """Return whether a letter of that key was ever written."""
    return bool(list(db.query("SELECT 1 FROM outbox WHERE key = ?", [key])))


def highest(db: Database) -> int:
    """Return the number of the last letter of ours, 0 if there is none."""
    return scalar(db, "SELECT coalesce(max(id), 0) FROM outbox")


def outgoing(db: Database, number: int) -> OutboxRow:
    """Return one letter of ours as it is kept: ``files.whole`` makes it what leaves."""
    return select(db, OutboxRow, "SELECT * FROM outbox WHERE id = ?", number)[0]


def answered(db: Database, ids: Sequence[str], size: int) -> tuple[Answered, ...]:
    """Return the first *size* bytes of our letters with these Message-IDs, the newest first."""
    names = ", ".join("?" * len(ids))
    return _beginnings(db, f"message_id IN ({names}) ORDER BY id DESC", size, *ids)


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
    found = next(iter(select(db, OutboxRow, sql, game, player, turn, turn)), None)
    return replace(found, raw=readable(found.raw, found.enclosed)) if found else None


def written(db: Database, key: str) -> OutboxRow | None:
    """Return the letter of that key as it is kept, None if there is none."""
    return next(iter(select(db, OutboxRow, "SELECT * FROM outbox WHERE key = ?", key)), None)


def answers_to(db: Database, letter: int) -> tuple[OutboxRow, ...]:
    """Return what we wrote because of a letter to its writer, readable."""
    rows = select(db, OutboxRow, "SELECT * FROM outbox WHERE letter = ? AND key LIKE 'reply:%' ORDER BY id", letter)
    return tuple(replace(row, raw=readable(row.raw, row.enclosed)) for row in rows)


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


def logged_about(db: Database, name: str, kinds: Sequence[str]) -> tuple[LogRow, ...]:
    """Return what of these kinds stands in the umpire's log under the name of a game that had not begun, the oldest first."""
    marks = ", ".join("?" * len(kinds))
    sql = f"SELECT * FROM log WHERE game IS NULL AND what IN ({marks}) AND (text = ? OR text LIKE ?) ORDER BY id"  # noqa: S608
    return select(db, LogRow, sql, *kinds, name, f"{name}: %")


def reminders(db: Database, game: str, player: str, recipient: str) -> int:
    """Return how many reminders were written to whoever reads at *recipient*, for his seat in a game."""
    sql = (
        "SELECT count(*) FROM outbox "
        "WHERE kind = 'reminder' AND game = ? AND player = ? AND lower(recipient) = lower(?)"
    )
    return scalar(db, sql, game, player, recipient)
