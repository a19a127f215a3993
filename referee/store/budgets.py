"""How many letters came from somebody, and how many answers went out: what limits of both are measured by."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlite_utils import Database

from referee.store.database.database import format_time, parse_time, scalar

_ANSWERS = "FROM outbox WHERE letter IS NOT NULL AND created > ?"


def answers_to(db: Database, recipient: str, since: datetime) -> int:
    """Return how many answers to letters were written to an address since then."""
    return len(times_of_answers_to(db, recipient, since))


def times_of_answers_to(db: Database, recipient: str, since: datetime) -> tuple[datetime, ...]:
    """Return when answers to letters were written to an address since then, the oldest first."""
    return _times(db, f"{_ANSWERS} AND lower(recipient) = ?", format_time(since), recipient.lower())


def times_of_answers_about(db: Database, game: str, since: datetime) -> tuple[datetime, ...]:
    """Return when answers to letters about a game were written since then, the oldest first."""
    return _times(db, f"{_ANSWERS} AND game = ?", format_time(since), game)


def written(db: Database, recipient: str, kind: str, since: datetime) -> int:
    """Return how many letters of a kind were written to an address since then."""
    sql = "SELECT count(*) FROM outbox WHERE recipient = ? AND created > ? AND kind = ?"
    return scalar(db, sql, recipient, since, kind)


def watches_asked(db: Database, game: str, since: datetime, address: str = "") -> int:
    """Return how many letters were written about a game since then that ask, at all or at one address, who wants to watch it."""
    one = "" if not address else " AND lower(recipient) = ?"
    values = [address.lower()] if address else []
    sql = f"SELECT count(*) {_ANSWERS} AND kind = 'watch' AND game = ?{one}"
    return scalar(db, sql, since, game, *values)


def letters_from(db: Database, sender: str, since: datetime) -> int:
    """Return how many letters of a sender, that have been looked at, came to us since then by our own clock."""
    sql = "SELECT count(*) FROM letters WHERE lower(sender) = ? AND stored_at > ?"
    return scalar(db, sql, sender.lower(), since)


def proved_from(db: Database, sender: str, since: datetime) -> int:
    """Return how many letters of a sender came since then that were taken as his, or answered as his."""
    sql = "SELECT count(*) FROM letters WHERE lower(sender) = ? AND stored_at > ? AND status IN ('done', 'refused')"
    return scalar(db, sql, sender.lower(), since)


def letters_about_games(db: Database, address: str, since: datetime) -> dict[str, int]:
    """Return how many letters about each running game in which an address has a seat came to us since then by our own clock."""
    sql = (
        "SELECT id, (SELECT count(*) FROM letters WHERE letters.game = games.id AND stored_at > ?) AS number FROM games "
        "WHERE status = 'running' AND id IN (SELECT game FROM players WHERE lower(address) = ?) ORDER BY id"
    )
    return {row["id"]: int(row["number"]) for row in db.query(sql, [format_time(since), address.lower()])}


def last_reasons(db: Database, sender: str, most: int) -> tuple[str, ...]:
    """Return the reasons of a sender's last letters that were taken, or refused with an answer, the newest first."""
    sql = (
        "SELECT reason FROM letters WHERE lower(sender) = ? AND status IN ('done', 'refused') "
        "ORDER BY stored_at DESC, id DESC LIMIT ?"
    )
    return tuple(str(row["reason"] or "") for row in db.query(sql, [sender.lower(), most]))


def _times(db: Database, sql: str, *values: Any) -> tuple[datetime, ...]:
    rows = db.query(f"SELECT created {sql} ORDER BY created", list(values))
    return tuple(parse_time(row["created"]) for row in rows)
