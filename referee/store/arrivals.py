"""Letters as a mail server names them: those we had need not be fetched again, those it does not give out are given up."""

from __future__ import annotations

from datetime import datetime

from referee.store.database.connection import Database
from referee.store.database.database import change, scalar

_STAYS = "stays"


def is_taken(db: Database, key: str, size: int) -> bool:
    """Return whether the letter of that name and size was had or given up."""
    sql = "SELECT 1 FROM arrivals WHERE key = ? AND size = ? AND taken_at IS NOT NULL"
    return bool(list(db.query(sql, [key, size])))


def stays(db: Database, key: str) -> bool:
    """Return whether the letter of that name cannot be taken out of the inbox."""
    return bool(list(db.query("SELECT 1 FROM arrivals WHERE key = ? AND error = ?", [key, _STAYS])))


def let_stay(db: Database, key: str) -> None:
    """Keep that a letter cannot be taken out of the inbox. Inside a transaction."""
    change(db, "UPDATE arrivals SET error = ? WHERE key = ?", _STAYS, key)


def take(db: Database, key: str, size: int, now: datetime) -> None:
    """Keep that a letter was had or given up. Inside a transaction."""
    change(
        db,
        "INSERT INTO arrivals (key, size, attempts, error, taken_at) VALUES (?, ?, 0, '', ?) "
        "ON CONFLICT (key) DO UPDATE SET size = excluded.size, taken_at = excluded.taken_at",
        key,
        size,
        now,
    )


def fail(db: Database, key: str, size: int, error: str) -> int:
    """Keep that a letter could not be had; return how often by now. Inside a transaction."""
    change(
        db,
        "INSERT INTO arrivals (key, size, attempts, error) VALUES (?, ?, 1, ?) "
        "ON CONFLICT (key) DO UPDATE SET attempts = attempts + 1, error = excluded.error",
        key,
        size,
        error,
    )
    return scalar(db, "SELECT attempts FROM arrivals WHERE key = ?", key)
