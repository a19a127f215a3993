"""New addresses that players ask for, until they are confirmed."""

from __future__ import annotations

from datetime import datetime

from referee.store.database.connection import Database
from referee.store.database.database import change, insert, scalar, select
from referee.store.database.rows import MoveRow

BEFORE, AFTER = "before", "after"  # the two sides of a move: the address that a player has, and the one that he wants

_AGREE = {
    BEFORE: "UPDATE address_changes SET agreed_before = ? WHERE id = ?",
    AFTER: "UPDATE address_changes SET agreed_after = ? WHERE id = ?",
}


def ask(db: Database, row: MoveRow) -> int:
    """Keep that a player wants another address, instead of any he asked for before; return its number. Inside a transaction."""
    forget(db, row.game, row.player)
    return insert(db, "address_changes", row)


def highest(db: Database) -> int:
    """Return the number of the last address change, 0 if there is none."""
    return scalar(db, "SELECT coalesce(max(id), 0) FROM address_changes")


def forget(db: Database, game: str, player: str) -> int:
    """Let the address that waits to be confirmed wait no longer; return whether there was one. Inside a transaction."""
    sql = "UPDATE address_changes SET void = 1 WHERE game = ? AND player = ? AND void = 0 AND confirmed_by IS NULL"
    return change(db, sql, game, player)


def waiting(db: Database, game: str, player: str) -> MoveRow | None:
    """Return what waits to be confirmed of a player, None if nothing does; capitals of his code do not matter."""
    sql = (
        "SELECT * FROM address_changes WHERE game = ? AND upper(player) = ? AND void = 0 AND confirmed_by IS NULL "
        "ORDER BY id DESC"
    )
    return next(iter(select(db, MoveRow, sql, game, player.upper())), None)


def of_player(db: Database, game: str, player: str) -> tuple[MoveRow, ...]:
    """Return every new address that a player ever asked for, the last one first."""
    sql = "SELECT * FROM address_changes WHERE game = ? AND player = ? ORDER BY id DESC"
    return select(db, MoveRow, sql, game, player)


def agree(db: Database, number: int, side: str, letter: int) -> None:
    """Keep that a letter from one *side* wants the new address. Inside a transaction."""
    change(db, _AGREE[side], letter, number)


def asked_since(db: Database, before: str, since: datetime) -> int:
    """Return how often somebody at an address has asked for another one since then."""
    sql = "SELECT count(*) FROM address_changes WHERE lower(before) = ? AND asked_at > ?"
    return scalar(db, sql, before.lower(), since)


def confirm(db: Database, number: int, letter: int, now: datetime) -> None:
    """Keep that a letter was the last to confirm a new address. Inside a transaction."""
    change(db, "UPDATE address_changes SET confirmed_by = ?, confirmed_at = ? WHERE id = ?", letter, now, number)


def move(db: Database, before: str, after: str) -> int:
    """Give every seat held from one address another one; return how many. Inside a transaction."""
    return change(db, "UPDATE players SET address = ? WHERE lower(address) = ?", after, before.lower())
