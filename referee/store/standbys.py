"""The club's list of stand-bys."""

from __future__ import annotations

from datetime import datetime

from referee.store.database.connection import Database
from referee.store.database.database import change, insert, select
from referee.store.database.rows import StandbyRow


def add(db: Database, row: StandbyRow) -> None:
    """Put somebody at the end of the list, in the place of what was said of his address before. Inside a transaction."""
    end(db, row.address, row.since)
    insert(db, "standbys", row)


def end(db: Database, address: str, at: datetime) -> int:
    """Take an address from the list; return how many entries that were. Inside a transaction."""
    sql = "UPDATE standbys SET ended_at = ? WHERE lower(address) = ? AND ended_at IS NULL"
    return change(db, sql, at, address.lower())


def listed(db: Database) -> tuple[StandbyRow, ...]:
    """Return who stands by, the longest first."""
    return select(db, StandbyRow, "SELECT * FROM standbys WHERE ended_at IS NULL ORDER BY id")
