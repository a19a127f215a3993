"""Letters that wait for their player's word, the epochs of players' codes, and how often somebody was told of either."""

from __future__ import annotations

from datetime import datetime

from referee.store.database.connection import Database
from referee.store.database.database import change, insert, scalar, select
from referee.store.database.rows import HeldRow

NOTICE = "held"  # the kind of our letters about letters that were not proved
WRONG = "wrong code"  # how the reason of a letter with a code that nobody was given begins


def hold(db: Database, row: HeldRow) -> None:
    """Let a letter wait. Inside a transaction."""
    insert(db, "held_letters", row)


def to_decide(db: Database) -> frozenset[int]:
    """Return the letters that wait for a word that would still count: for turns that are awaited, or were just before."""
    sql = (
        "SELECT letter FROM held_letters JOIN letters ON letters.id = letter JOIN games ON games.id = held_letters.game "
        "WHERE letters.status = 'held' AND games.status = 'running' AND held_letters.turn >= games.turn - 1"
    )
    return frozenset(row["letter"] for row in db.query(sql))


def held_of(db: Database, game: str, player: str, turn: int) -> tuple[HeldRow, ...]:
    """Return the letters of a player that were held since *turn* was awaited, released ones too, the newest first."""
    sql = "SELECT * FROM held_letters WHERE game = ? AND player = ? AND turn >= ? ORDER BY letter DESC"
    return select(db, HeldRow, sql, game, player, turn)


def waiting(db: Database, game: str, turn: int) -> tuple[str, ...]:
    """Return the players of a game whose letters for a turn wait for their word."""
    sql = (
        "SELECT DISTINCT held_letters.player FROM held_letters JOIN letters ON letters.id = letter "
        "WHERE held_letters.game = ? AND turn = ? AND released_by IS NULL AND status = 'held' ORDER BY held_letters.player"
    )
    return tuple(row["player"] for row in db.query(sql, [game, turn]))


def release(db: Database, letter: int, by: int, now: datetime) -> None:
    """Keep that letter *by* has confirmed a held one. Inside a transaction."""
    change(db, "UPDATE held_letters SET released_by = ?, released_at = ? WHERE letter = ?", by, now, letter)


def epoch(db: Database, game: str, player: str) -> int:
    """Return how often a player's codes were renewed."""
    sql = "SELECT epoch FROM token_epochs WHERE game = ? AND player = ?"
    return next((int(row["epoch"]) for row in db.query(sql, [game, player])), 0)


def renew(db: Database, game: str, player: str) -> None:
    """Make all codes of a player void that were given out until now. Inside a transaction."""
    change(
        db,
        "INSERT INTO token_epochs (game, player, epoch) VALUES (?, ?, 1) "
        "ON CONFLICT (game, player) DO UPDATE SET epoch = epoch + 1",
        game,
        player,
    )


def wrong_codes(db: Database, sender: str, since: datetime) -> int:
    """Return how many letters of a sender came since then with a code that nobody was given."""
    sql = "SELECT count(*) FROM letters WHERE lower(sender) = ? AND stored_at > ? AND reason LIKE ?"
    return scalar(db, sql, sender.lower(), since, f"{WRONG}%")


def notices(db: Database, recipient: str, since: datetime, *, sure: bool) -> tuple[int, int]:
    """Return how many letters about letters that were not proved were written to an address since then, and how many since the
    last letter from there was taken. *sure*: only of those about letters whose header proves them, which nobody else writes.
    """
    sql = (
        'SELECT count(*) FROM outbox WHERE kind = ? AND lower(recipient) = ? AND (NOT ? OR "key" IN '
        "(SELECT 'reply:' || hash FROM letters WHERE lower(sender) = ? AND sure)) AND created > "
    )
    taken = "(SELECT coalesce(max(handled_at), '') FROM letters WHERE lower(sender) = ? AND status = 'done')"
    address = recipient.lower()
    values = (NOTICE, address, sure, address)
    return scalar(db, f"{sql} ?", *values, since), scalar(db, sql + taken, *values, address)
