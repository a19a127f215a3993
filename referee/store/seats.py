"""What players say of their seats: that a turn shall wait for its deadline, that they are away, that they leave."""

from __future__ import annotations

from datetime import date, datetime

from .database import Database, Rows, change, insert, select
from .rows import AbsenceRow, ObserverRow, PlayerRow, StandbyRow, WaitRow


def end_wait(db: Database, game: str, turn: int, player: str, at: datetime) -> int:
    """End a player's waits for a turn and return how many there were; the game is looked at again. Inside a transaction."""
    sql = "UPDATE waits SET ended_at = ? WHERE game = ? AND turn = ? AND player = ? AND ended_at IS NULL"
    change(db, "UPDATE games SET changed = '' WHERE id = ?", game)
    return change(db, sql, at, game, turn, player)


def waiting(db: Database, game: str, turn: int) -> tuple[str, ...]:
    """Return the codes of the players who want a turn to wait for its deadline."""
    sql = "SELECT * FROM waits WHERE game = ? AND turn = ? AND ended_at IS NULL ORDER BY id"
    return tuple(dict.fromkeys(row.player for row in select(db, WaitRow, sql, game, turn)))


def end_absences(db: Database, game: str, player: str, at: datetime) -> int:
    """A player is there; return how many of his absences end by that. Inside a transaction."""
    sql = "UPDATE absences SET ended_at = ? WHERE game = ? AND player = ? AND ended_at IS NULL"
    return change(db, sql, at, game, player)


def away_until(db: Database, game: str, player: str, day: date) -> date | None:
    """Return the last day of the absence in which a day lies, None if the player is there."""
    sql = "SELECT * FROM absences WHERE game = ? AND player = ? AND ended_at IS NULL AND since <= ? AND until >= ?"
    found = select(db, AbsenceRow, sql, game, player, day.isoformat(), day.isoformat())
    return max((date.fromisoformat(row.until) for row in found), default=None)


def give(db: Database, row: PlayerRow) -> None:
    """Give a seat to the person of *row*; the game is looked at again. Inside a transaction."""
    sql = "UPDATE players SET name = ?, address = ?, zone = ?, language = ?, resigned_at = NULL WHERE game = ? AND code = ?"
    change(db, sql, row.name, row.address, row.zone, row.language, row.game, row.code)
    change(db, "UPDATE games SET changed = '' WHERE id = ?", row.game)


def resign(db: Database, game: str, player: str, at: datetime) -> None:
    """Let a player leave his seat; the game is looked at again. Inside a transaction."""
    change(db, "UPDATE players SET resigned_at = ? WHERE game = ? AND code = ?", at, game, player)
    change(db, "UPDATE games SET changed = '' WHERE id = ?", game)


# The club's list of stand-bys.


def add_standby(db: Database, row: StandbyRow) -> None:
    """Put somebody at the end of the list, in the place of what was said of his address before. Inside a transaction."""
    end_standby(db, row.address, row.since)
    insert(db, row)


def end_standby(db: Database, address: str, at: datetime) -> int:
    """Take an address from the list; return how many entries that were. Inside a transaction."""
    sql = "UPDATE standbys SET ended_at = ? WHERE lower(address) = ? AND ended_at IS NULL"
    return change(db, sql, at, address.lower())


# Who stands by, the longest first.
standbys: Rows[StandbyRow] = Rows(StandbyRow, "SELECT * FROM standbys WHERE ended_at IS NULL ORDER BY id")


# Who watches a game without playing in it.


# Those who watch a game, in the order in which they came.
observers_of: Rows[ObserverRow, str] = Rows(
    ObserverRow, "SELECT * FROM observers WHERE game = ? AND ended_at IS NULL ORDER BY id"
)


def observed_from(db: Database, address: str) -> tuple[ObserverRow, ...]:
    """Return what is watched from an address; capitals do not matter."""
    sql = "SELECT * FROM observers WHERE address = ? AND ended_at IS NULL ORDER BY id"
    return select(db, ObserverRow, sql, address.lower())


def end_observer(db: Database, number: int, now: datetime, letter: int | None) -> None:
    """Let somebody watch no longer, as a letter asked, or without one. Inside a transaction."""
    change(db, "UPDATE observers SET ended_at = ?, ended_by = ? WHERE id = ?", now, letter, number)
