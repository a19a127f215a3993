"""Who watches a game without playing in it."""

from __future__ import annotations

from datetime import datetime

from referee.store.database.connection import Database
from referee.store.database.database import change, insert, select
from referee.store.database.rows import ObserverRow


def add(db: Database, row: ObserverRow) -> int:
    """Keep a new observer and return his number. Inside a transaction."""
    return insert(db, "observers", row)


def of_game(db: Database, game: str) -> tuple[ObserverRow, ...]:
    """Return those who watch a game, in the order in which they came."""
    return select(db, ObserverRow, "SELECT * FROM observers WHERE game = ? AND ended_at IS NULL ORDER BY id", game)


def of_address(db: Database, address: str) -> tuple[ObserverRow, ...]:
    """Return what is watched from an address; capitals do not matter."""
    sql = "SELECT * FROM observers WHERE address = ? AND ended_at IS NULL ORDER BY id"
    return select(db, ObserverRow, sql, address.lower())


def end(db: Database, number: int, now: datetime, letter: int | None) -> None:
    """Let somebody watch no longer, as a letter asked, or without one. Inside a transaction."""
    change(db, "UPDATE observers SET ended_at = ?, ended_by = ? WHERE id = ?", now, letter, number)
