"""Letters with orders for a turn that has not come."""

from __future__ import annotations

from datetime import datetime

from referee.store.database.connection import Database
from referee.store.database.database import change, insert, select
from referee.store.database.rows import LaterRow


def keep(db: Database, row: LaterRow) -> None:
    """Keep a letter until its turn is awaited. Inside a transaction."""
    if not list(db.query("SELECT 1 FROM later_orders WHERE letter = ?", [row.letter])):
        insert(db, "later_orders", row)


def due(db: Database, game: str, turn: int) -> tuple[LaterRow, ...]:
    """Return the letters for an awaited turn that were not filed, in their order of arrival; none whose player has confirmed that
    he meant the turn that was awaited when it came.
    """
    sql = (
        "SELECT * FROM later_orders WHERE game = ? AND turn = ? AND filed_at IS NULL AND NOT EXISTS (SELECT 1 FROM order_sets "
        "WHERE order_sets.game = later_orders.game AND order_sets.letter = later_orders.letter AND confirmed = 1) "
        "ORDER BY arrived, letter"
    )
    return select(db, LaterRow, sql, game, turn)


def waiting(db: Database, game: str, player: str) -> tuple[LaterRow, ...]:
    """Return the letters of a player that wait for a later turn, those of the nearest turn first."""
    sql = "SELECT * FROM later_orders WHERE game = ? AND player = ? AND filed_at IS NULL ORDER BY turn, arrived, letter"
    return select(db, LaterRow, sql, game, player)


def mark_filed(db: Database, letter: int, at: datetime) -> None:
    """Say that a letter was filed for its turn. Inside a transaction."""
    change(db, "UPDATE later_orders SET filed_at = ? WHERE letter = ?", at, letter)


def give_up(db: Database, game: str, player: str, at: datetime) -> None:
    """File no letter of a player's any more that waits for its turn. Inside a transaction."""
    change(
        db, "UPDATE later_orders SET filed_at = ? WHERE game = ? AND player = ? AND filed_at IS NULL", at, game, player
    )
