"""The throws that the umpire types for a turn to come: every one ever typed, and those that count."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from referee.store.database.connection import Database
from referee.store.database.database import insert, select
from referee.store.database.rows import ThrowRow


def type_throw(db: Database, game: str, turn: int, name: str, number: int | None, at: datetime) -> None:
    """Write a throw for a turn, or with None take it back. Inside a transaction."""
    insert(db, "typed_throws", ThrowRow(game=game, turn=turn, name=name, number=number, typed_at=at))


def typed_throws(db: Database, game: str, turn: int) -> Mapping[str, int]:
    """Return the throws that count for a turn, sorted by name."""
    rows = select(db, ThrowRow, "SELECT * FROM typed_throws WHERE game = ? AND turn = ? ORDER BY id", game, turn)
    newest = {row.name: row.number for row in rows}
    return {name: number for name, number in sorted(newest.items()) if number is not None}
