"""What waits for the umpire's digest."""

from __future__ import annotations

from datetime import datetime

from referee.store.database.connection import Database
from referee.store.database.database import change, insert, select
from referee.store.database.rows import NewsRow


def put(db: Database, row: NewsRow) -> None:
    """Keep something for the next digest, once for each key. Inside a transaction."""
    if not list(db.query("SELECT 1 FROM news WHERE key = ?", [row.key])):
        insert(db, "news", row)


def unreported(db: Database) -> tuple[NewsRow, ...]:
    """Return what no digest has told, the oldest first."""
    return select(db, NewsRow, "SELECT * FROM news WHERE told_at IS NULL ORDER BY id")


def mark_reported(db: Database, at: datetime) -> None:
    """Say that a digest has told all of it. Inside a transaction."""
    change(db, "UPDATE news SET told_at = ? WHERE told_at IS NULL", at)
