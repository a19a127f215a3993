"""Letters of ours that came back, by the address they were written to."""

from __future__ import annotations

from datetime import datetime

from referee.store.database.connection import Database
from referee.store.database.database import change, insert, select
from referee.store.database.rows import BounceRow, OutboxRow


def letter_of_ours(db: Database, message_id: str) -> OutboxRow | None:
    """Return the letter of ours with that Message-ID."""
    found = select(db, OutboxRow, "SELECT * FROM outbox WHERE message_id = ?", message_id)
    return found[0] if found else None


def note(db: Database, row: BounceRow) -> None:
    """Keep that a letter came back. Inside a transaction."""
    insert(db, "bounces", row)


def since_heard(db: Database, address: str) -> tuple[BounceRow, ...]:
    """Return what came back from *address* since its owner last wrote, in order of time."""
    sql = "SELECT * FROM bounces WHERE address = ? AND cleared_at IS NULL ORDER BY at, id"
    return select(db, BounceRow, sql, address.lower())


def clear(db: Database, address: str, now: datetime) -> None:
    """Count what came back from *address* no longer: its owner has written. Inside a transaction."""
    change(db, "UPDATE bounces SET cleared_at = ? WHERE address = ? AND cleared_at IS NULL", now, address.lower())
