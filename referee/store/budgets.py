"""How many letters came from somebody, and how many answers went out: what limits of both are measured by."""

from __future__ import annotations

from datetime import datetime

from .database import Database, Number, column, format_time, parse_time, scalar
from .letters import Fate

# Those to commands have a limit of their own: anybody can write in an umpire's name.
_ANSWERS = "FROM outbox WHERE letter IS NOT NULL AND kind <> 'command' AND created > ?"
UNSURE = 5000  # letters, of which each further one is one of too many


def answers_to(db: Database, recipient: str, since: datetime) -> int:
    """Return how many answers to letters were written to an address since then."""
    return scalar(db, f"SELECT count(*) {_ANSWERS} AND lower(recipient) = ?", since, recipient.lower())


def times_of_answers(
    db: Database, recipient: str, game: str, since: datetime, *, asking: bool
) -> tuple[tuple[datetime, ...], tuple[datetime, ...]]:
    """Return when answers to letters were written since then, the oldest first: to an address, and about a game. To the address
    those to letters that only asked, or asked for a seat, are counted apart (*asking*) from all others.
    """
    asked = "(kind = 'signup' OR letter IN (SELECT id FROM letters WHERE stored_at > ? AND reason = ?))"
    sql = (
        f"SELECT 0 AS about, created {_ANSWERS} AND lower(recipient) = ? AND {asked} = ? "
        f"UNION ALL SELECT 1, created {_ANSWERS} AND game = ? ORDER BY created"
    )
    day = format_time(since)
    found = list(db.query(sql, [day, recipient.lower(), day, Fate.ONLY_ASKS, asking, day, game]))
    to, about = ([parse_time(row["created"]) for row in found if row["about"] == each] for each in (0, 1))
    return tuple(to), tuple(about)


# How many letters of a kind were written to an address since then.
written: Number[str, str, datetime] = Number(
    "SELECT count(*) FROM outbox WHERE recipient = ? AND kind = ? AND created > ?"
)


# How many letters of strangers about seats were answered since then, whatever the game.
signups_answered: Number[datetime] = Number(f"SELECT count(*) {_ANSWERS} AND game IS NULL AND kind = 'signup'")


def watches_asked(db: Database, game: str, since: datetime, address: str = "") -> int:
    """Return how many letters were written about a game since then that ask, at all or at one address, who wants to watch it."""
    one = "" if not address else " AND lower(recipient) = ?"
    values = [address.lower()] if address else []
    return scalar(db, f"SELECT count(*) {_ANSWERS} AND kind = 'watch' AND game = ?{one}", since, game, *values)


def unsure_since(db: Database, sender: str, since: datetime) -> dict[str, tuple[int, float]]:
    """Return how many letters whose header does not prove them came to us since then by our own clock, and how many seconds
    reading them took: of a ``sender``, of his ``domain``, in the whole ``club``. Of more than UNSURE the last are counted.
    """
    sql = (
        "SELECT total(s), total(s * seconds), total(d), total(d * seconds), count(*), total(seconds) FROM (SELECT seconds, "
        "sender = ? COLLATE NOCASE AS s, substr(sender, ?) = ? COLLATE NOCASE AS d FROM letters "
        "WHERE stored_at > ? AND NOT sure AND status <> 'stored' ORDER BY stored_at DESC LIMIT ?)"
    )
    domain = sender[sender.rfind("@") :]
    (row,) = db.query(sql, [sender, -len(domain), domain, format_time(since), UNSURE])
    told = [float(each) for each in row.values()]
    return {of: (int(told[at]), told[at + 1]) for at, of in zip((0, 2, 4), ("sender", "domain", "club"), strict=True)}


def letters_about_games(db: Database, address: str, since: datetime) -> dict[str, int]:
    """Return how many such letters are about each running game in which an address has a seat."""
    sql = (
        "SELECT id, (SELECT count(*) FROM letters WHERE letters.game = games.id AND stored_at > ? AND NOT sure) AS number "
        "FROM games WHERE status = 'running' AND id IN (SELECT game FROM players WHERE lower(address) = ?) ORDER BY id"
    )
    return {row["id"]: int(row["number"]) for row in db.query(sql, [format_time(since), address.lower()])}


def last_reasons(db: Database, sender: str, most: int) -> tuple[str, ...]:
    """Return the reasons of a sender's last letters that were taken, or refused with an answer, the newest first."""
    sql = (
        "SELECT reason FROM letters WHERE lower(sender) = ? AND status IN ('done', 'refused') "
        "ORDER BY stored_at DESC, id DESC LIMIT ?"
    )
    return column(db, sql, sender.lower(), most)
