"""Codes that umpires were given, each good for one command, and the letters that used them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from .database import Column, Database, Number, One, Rows, Update, insert, scalar, update
from .rows import CodeRow, HeldRow, MoveRow


def issue(db: Database, row: CodeRow) -> None:
    """Keep a code, unless it was given out before. Inside a transaction."""
    if not given(db, row.address, (row.token,)):
        insert(db, row.but(address=row.address.lower()))


# Those of some tokens that an address was given, the newest first.
given = Rows[CodeRow, str, Sequence[str]](
    CodeRow,
    "SELECT * FROM codes WHERE address = lower(?) AND token IN (SELECT value FROM json_each(?)) ORDER BY issued_at DESC",
)


# Keeps which letter has used a code; None: that came to nothing.
use = Update[str, int | None]("UPDATE codes SET used_by = ?2 WHERE token = ?1")


# Letters that wait for their player's word, the epochs of players' codes, and how often somebody was told of either.

NOTICE = "held"  # the kind of our letters about letters that were not proved
WRONG = "wrong code"  # how the reason of a letter with a code that nobody was given begins


# The letters that wait for a word that would still count: for turns that are awaited, or were just before.
to_decide = Column[int](
    "SELECT letter FROM held_letters JOIN letters ON letters.id = letter JOIN games ON games.id = held_letters.game "
    "WHERE letters.status = 'held' AND games.status = 'running' AND held_letters.turn >= games.turn - 1"
)


# The letters of a player that were held since *turn* was awaited, released ones too, the newest first.
held_of = Rows[HeldRow, str, str, int](
    HeldRow, "SELECT * FROM held_letters WHERE game = ? AND player = ? AND turn >= ? ORDER BY letter DESC"
)


# The players of a game whose letters for a turn wait for their word.
waiting_held = Column[str, str, int](
    "SELECT DISTINCT held_letters.player FROM held_letters JOIN letters ON letters.id = letter "
    "WHERE held_letters.game = ? AND turn = ? AND released_by IS NULL AND status = 'held' ORDER BY held_letters.player"
)


# Keeps that a held letter was confirmed by another one.
release = Update[int, int, datetime]("UPDATE held_letters SET released_by = ?2, released_at = ?3 WHERE letter = ?1")


# How often a player's codes were renewed.
epoch = Number[str, str]("SELECT epoch FROM token_epochs WHERE game = ? AND player = ?")


# Make all codes of a player void that were given out until now. Inside a transaction.
renew = Update[str, str](
    "INSERT INTO token_epochs (game, player, epoch) VALUES (?, ?, 1) "
    "ON CONFLICT (game, player) DO UPDATE SET epoch = epoch + 1"
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


# New addresses that players ask for, until they are confirmed.

BEFORE, AFTER = "before", "after"  # the two sides of a move: the address that a player has, and the one wanted


def ask_move(db: Database, row: MoveRow) -> int:
    """Keep that a player wants another address, instead of any asked for before; return its number. Inside a transaction."""
    void_move(db, row.game, row.player)
    return insert(db, row)


# Let the address that waits to be confirmed wait no longer; return whether there was one. Inside a transaction.
void_move = Update[str, str](
    "UPDATE address_changes SET void = 1 WHERE game = ? AND player = ? AND void = 0 AND confirmed_by IS NULL"
)


# What waits to be confirmed of a player, None if nothing does; capitals of the code do not matter.
waiting_move = One[MoveRow, str, str](
    MoveRow,
    "SELECT * FROM address_changes WHERE game = ? AND upper(player) = upper(?) AND void = 0 AND confirmed_by IS NULL "
    "ORDER BY id DESC",
)


# Every new address that a player ever asked for, the last one first.
moves_of = Rows[MoveRow, str, str](
    MoveRow, "SELECT * FROM address_changes WHERE game = ? AND player = ? ORDER BY id DESC"
)


def agree_move(db: Database, number: int, side: str, letter: int) -> None:
    """Keep that a letter from one *side* wants the new address. Inside a transaction."""
    update(db, "address_changes", number, {f"agreed_{side}": letter})


# How often somebody at an address has asked for another one since then.
moves_asked = Number[str, datetime](
    "SELECT count(*) FROM address_changes WHERE lower(before) = lower(?) AND asked_at > ?"
)


# Keeps that a letter was the last to confirm a new address. Inside a transaction.
confirm_move = Update[int, datetime, int]("UPDATE address_changes SET confirmed_by = ?, confirmed_at = ? WHERE id = ?")


# Gives every seat held from one address another one.
move_seats = Update[str, str]("UPDATE players SET address = ?2 WHERE lower(address) = lower(?1)")
