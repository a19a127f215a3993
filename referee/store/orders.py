"""Order sets, press and notes: every one ever received."""

from __future__ import annotations

from datetime import datetime

from referee.core import Amounts

from .database import Change, Database, Rows, change, column, format_time, insert, select
from .rows import LaterRow, OrderSet, PressRow, ThrowRow


def confirm(db: Database, number: int, at: datetime) -> None:
    """Let a faulty set count as the player's wish. Inside a transaction."""
    change(db, "UPDATE order_sets SET confirmed = 1, changed_at = ? WHERE id = ?", at, number)


def withdraw(db: Database, game: str, turn: int, player: str, at: datetime) -> int:
    """Take back all a player had on file for a turn *at* that time; return how many sets that were. Inside a transaction."""
    sql = (
        "UPDATE order_sets SET withdrawn = 1, changed_at = :at "
        "WHERE game = :game AND turn = :turn AND player = :player AND withdrawn = 0 AND arrived <= :at"
    )
    return db.execute(sql, {"at": format_time(at), "game": game, "turn": turn, "player": player}).rowcount


# Every set for a turn, withdrawn ones too, in their order of arrival.
sets: Rows[OrderSet, str, int] = Rows(
    OrderSet, "SELECT * FROM order_sets WHERE game = ? AND turn = ? ORDER BY arrived, id"
)


# The sets that a letter gave.
of_letter: Rows[OrderSet, int] = Rows(OrderSet, "SELECT * FROM order_sets WHERE letter = ? ORDER BY id")


def exchanged(db: Database, player: str, kinds: tuple[str, str]) -> tuple[PressRow, ...]:
    """Return the texts of two kinds that are those of a code in any game, the first first."""
    sql = "SELECT * FROM press WHERE upper(player) = upper(?) AND kind IN (?, ?) ORDER BY arrived, id"
    return select(db, PressRow, sql, player, *kinds)


def private_since(db: Database, game: str, player: str, since: datetime) -> int:
    """Return how many letters of private press a player has had sent since then."""
    sql = "SELECT * FROM press WHERE game = ? AND player = ? AND kind = 'private' AND arrived > ?"
    return sum(len(row.readers.split(",")) for row in select(db, PressRow, sql, game, player, since))


def texts_since(db: Database, game: str, player: str, kind: str, since: datetime) -> int:
    """Return how many texts of a kind a player has written since then."""
    sql = "SELECT * FROM press WHERE game = ? AND player = ? AND kind = ? AND arrived > ?"
    return len(select(db, PressRow, sql, game, player, kind, since))


# The texts of a kind of a turn, in the order in which they arrived.
texts: Rows[PressRow, str, int, str] = Rows(
    PressRow, "SELECT * FROM press WHERE game = ? AND turn = ? AND kind = ? ORDER BY arrived, id"
)


# Letters with orders for a turn that has not come.


def keep_for_later(db: Database, row: LaterRow) -> None:
    """Keep a letter until its turn is awaited. Inside a transaction."""
    if not column(db, "SELECT 1 FROM later_orders WHERE letter = ?", row.letter):
        insert(db, row)


# The letters for an awaited turn that were not filed, in their order of arrival; none whose player has confirmed that
# he meant the turn that was awaited when it came.
kept_due: Rows[LaterRow, str, int] = Rows(
    LaterRow,
    "SELECT * FROM later_orders WHERE game = ? AND turn = ? AND filed_at IS NULL AND NOT EXISTS (SELECT 1 FROM order_sets "
    "WHERE order_sets.game = later_orders.game AND order_sets.letter = later_orders.letter AND confirmed = 1) "
    "ORDER BY arrived, letter",
)


# The letters of a player that wait for a later turn, those of the nearest turn first.
kept_of: Rows[LaterRow, str, str] = Rows(
    LaterRow,
    "SELECT * FROM later_orders WHERE game = ? AND player = ? AND filed_at IS NULL ORDER BY turn, arrived, letter",
)


# Says that a letter was filed for its turn. Inside a transaction.
mark_filed: Change[datetime, int] = Change("UPDATE later_orders SET filed_at = ? WHERE letter = ?")


# Files no letter of a player's any more that waits for its turn. Inside a transaction.
give_up_kept: Change[datetime, str, str] = Change(
    "UPDATE later_orders SET filed_at = ? WHERE game = ? AND player = ? AND filed_at IS NULL"
)


# The throws that the umpire types for a turn to come: every one ever typed, and those that count.


def type_throw(db: Database, game: str, turn: int, name: str, number: int | None, at: datetime) -> None:
    """Write a throw for a turn, or with None take it back. Inside a transaction."""
    insert(db, ThrowRow(game=game, turn=turn, name=name, number=number, typed_at=at))


def typed_throws(db: Database, game: str, turn: int) -> Amounts:
    """Return the throws that count for a turn, sorted by name."""
    rows = select(db, ThrowRow, "SELECT * FROM typed_throws WHERE game = ? AND turn = ? ORDER BY id", game, turn)
    newest = {row.name: row.number for row in rows}
    return {name: number for name, number in sorted(newest.items()) if number is not None}
