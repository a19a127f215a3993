"""Order sets, press and notes: every one ever received, and which set of a player runs."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlite_utils import Database

from referee.store.database.database import change, format_time, insert, select
from referee.store.database.rows import OrderSet, PressRow


def file_set(db: Database, row: OrderSet) -> int:
    """Write an order set and return its number. Inside a transaction."""
    return insert(db, "order_sets", row)


def confirm(db: Database, number: int, at: datetime) -> None:
    """Let a faulty set count as the player's wish. Inside a transaction."""
    change(db, "UPDATE order_sets SET confirmed = 1, changed_at = ? WHERE id = ?", at, number)


def withdraw(db: Database, game: str, turn: int, player: str, at: datetime) -> int:
    """Take back all a player had on file for a turn *at* that time; return how many sets that were. Inside a transaction."""
    sql = (
        "UPDATE order_sets SET withdrawn = 1, changed_at = :at "
        "WHERE game = :game AND turn = :turn AND player = :player AND withdrawn = 0 AND arrived <= :at"
    )
    told = {"at": format_time(at), "game": game, "turn": turn, "player": player}
    return db.execute(sql, told).rowcount


def sets(db: Database, game: str, turn: int) -> tuple[OrderSet, ...]:
    """Return every set for a turn, withdrawn ones too, in their order of arrival."""
    return select(db, OrderSet, "SELECT * FROM order_sets WHERE game = ? AND turn = ? ORDER BY arrived, id", game, turn)


def on_file(rows: Iterable[OrderSet], player: str) -> tuple[OrderSet, ...]:
    """Return a player's sets that are not withdrawn, in their order of arrival."""
    return tuple(row for row in rows if row.player == player and not row.withdrawn)


def counts_as_in(row: OrderSet | None) -> bool:
    """Return whether a set answers what its player owes."""
    return row is not None and (row.clean or row.confirmed)


def set_to_run(rows: Iterable[OrderSet], player: str) -> OrderSet | None:
    """Return the set that runs: the newest clean or confirmed one, else the newest faulty one written for this turn."""
    filed = on_file(rows, player)
    good = [row for row in filed if counts_as_in(row)]
    faulty = [row for row in filed if not row.held]
    wanted = good or faulty
    return wanted[-1] if wanted else None


def set_to_confirm(rows: Iterable[OrderSet], player: str) -> OrderSet | None:
    """Return the faulty set a word of confirmation means: the newest on file, if no clean or confirmed one came after it."""
    filed = on_file(rows, player)
    return filed[-1] if filed and not counts_as_in(filed[-1]) else None


def keep_text(db: Database, row: PressRow) -> None:
    """Write press, a note or a word of salt. Inside a transaction."""
    insert(db, "press", row)


def press(db: Database, game: str, turn: int) -> tuple[PressRow, ...]:
    """Return the press of a turn: of each player the newest text, in the order in which these arrived."""
    return newest_texts(db, game, turn, "press")


def unsigned_press(db: Database, game: str, turn: int) -> tuple[PressRow, ...]:
    """Return the press of a turn that nobody signs: of each player the newest text, in the order of the texts, which tells
    nothing of who wrote when.
    """
    return tuple(sorted(newest_texts(db, game, turn, "unsigned"), key=lambda row: row.text))


def private_since(db: Database, game: str, player: str, since: datetime) -> int:
    """Return how many letters of private press a player has had sent since then."""
    sql = "SELECT * FROM press WHERE game = ? AND player = ? AND kind = 'private' AND arrived > ?"
    return sum(len(row.readers.split(",")) for row in select(db, PressRow, sql, game, player, since))


def texts_since(db: Database, game: str, player: str, kind: str, since: datetime) -> int:
    """Return how many texts of a kind a player has written since then."""
    sql = "SELECT * FROM press WHERE game = ? AND player = ? AND kind = ? AND arrived > ?"
    return len(select(db, PressRow, sql, game, player, kind, since))


def newest_texts(db: Database, game: str, turn: int, kind: str) -> tuple[PressRow, ...]:
    """Return the texts of a kind of a turn: of each player the newest, in the order in which these arrived."""
    sql = "SELECT * FROM press WHERE game = ? AND turn = ? AND kind = ? ORDER BY arrived, id"
    rows = select(db, PressRow, sql, game, turn, kind)
    newest = {row.player: row for row in rows}
    return tuple(row for row in rows if newest[row.player] == row)
