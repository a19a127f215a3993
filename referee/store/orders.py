"""What players say: order sets, press and notes, every one ever received; and of their seats, that a turn shall wait for its
deadline, that they are away, that they leave.
"""

from __future__ import annotations

from datetime import date, datetime

from referee.core import Amounts

from .database import Column, Database, Number, Rows, Update, change, column, insert, select
from .rows import AbsenceRow, LaterRow, ObserverRow, OrderSet, PlayerRow, PressRow, StandbyRow, ThrowRow

# Lets a faulty set count as the player's wish.
confirm = Update[int, datetime]("UPDATE order_sets SET confirmed = 1, changed_at = ?2 WHERE id = ?1")


# Takes back all a player had on file for a turn at a time.
withdraw = Update[str, int, str, datetime](
    "UPDATE order_sets SET withdrawn = 1, changed_at = ?4 "
    "WHERE game = ?1 AND turn = ?2 AND player = ?3 AND withdrawn = 0 AND arrived <= ?4"
)


# Every set for a turn, withdrawn ones too, in their order of arrival.
sets = Rows[OrderSet, str, int](OrderSet, "SELECT * FROM order_sets WHERE game = ? AND turn = ? ORDER BY arrived, id")


# The sets that a letter gave.
of_letter = Rows[OrderSet, int](OrderSet, "SELECT * FROM order_sets WHERE letter = ? ORDER BY id")


# The texts of two kinds that are those of a code in any game, the first first.
exchanged = Rows[PressRow, str, str, str](
    PressRow, "SELECT * FROM press WHERE upper(player) = upper(?) AND kind IN (?, ?) ORDER BY arrived, id"
)


# How many letters of private press a player has had sent since then, one to each reader.
private_since = Number[str, str, datetime](
    "SELECT sum(1 + length(readers) - length(replace(readers, ',', ''))) FROM press "
    "WHERE game = ? AND player = ? AND kind = 'private' AND arrived > ?"
)


# How many texts of a kind a player has written since then.
texts_since = Number[str, str, str, datetime](
    "SELECT count(*) FROM press WHERE game = ? AND player = ? AND kind = ? AND arrived > ?"
)


# The texts of a kind of a turn, in the order in which they arrived.
texts = Rows[PressRow, str, int, str](
    PressRow, "SELECT * FROM press WHERE game = ? AND turn = ? AND kind = ? ORDER BY arrived, id"
)


# Letters with orders for a turn that has not come.


def keep_for_later(db: Database, row: LaterRow) -> None:
    """Keep a letter until its turn is awaited. Inside a transaction."""
    if not column(db, "SELECT 1 FROM later_orders WHERE letter = ?", row.letter):
        insert(db, row)


# The letters for an awaited turn that were not filed, in their order of arrival; none whose player has confirmed that
# it meant the turn that was awaited when it came.
kept_due = Rows[LaterRow, str, int](
    LaterRow,
    "SELECT * FROM later_orders WHERE game = ? AND turn = ? AND filed_at IS NULL AND NOT EXISTS (SELECT 1 FROM order_sets "
    "WHERE order_sets.game = later_orders.game AND order_sets.letter = later_orders.letter AND confirmed = 1) "
    "ORDER BY arrived, letter",
)


# The letters of a player that wait for a later turn, those of the nearest turn first.
kept_of = Rows[LaterRow, str, str](
    LaterRow,
    "SELECT * FROM later_orders WHERE game = ? AND player = ? AND filed_at IS NULL ORDER BY turn, arrived, letter",
)


# Says that a letter was filed for its turn. Inside a transaction.
mark_filed = Update[datetime, int]("UPDATE later_orders SET filed_at = ? WHERE letter = ?")


# Files no letter of a player's any more that waits for its turn. Inside a transaction.
give_up_kept = Update[datetime, str, str](
    "UPDATE later_orders SET filed_at = ? WHERE game = ? AND player = ? AND filed_at IS NULL"
)


# The throws that the umpire types for a turn to come: every one ever typed, and those that count.


def type_throw(db: Database, game: str, turn: int, name: str, number: int | None, at: datetime) -> None:
    """Write a throw for a turn, or with None take it back. Inside a transaction."""
    insert(db, ThrowRow(game=game, turn=turn, name=name, number=number, typed_at=at))


def typed_throws(db: Database, game: str, turn: int) -> Amounts:
    """Return the throws that count for a turn, sorted by name."""
    rows = select(db, ThrowRow, "SELECT * FROM typed_throws WHERE game = ? AND turn = ? ORDER BY id", game, turn)
    newest = {row.name: row.number for row in rows}
    return {name: number for name, number in sorted(newest.items()) if number is not None}


# What players say of their seats.


def end_wait(db: Database, game: str, turn: int, player: str, at: datetime) -> int:
    """End a player's waits for a turn and return how many there were; the game is looked at again. Inside a transaction."""
    sql = "UPDATE waits SET ended_at = ? WHERE game = ? AND turn = ? AND player = ? AND ended_at IS NULL"
    change(db, "UPDATE games SET changed = '' WHERE id = ?", game)
    return change(db, sql, at, game, turn, player)


# The codes of the players who want a turn to wait for its deadline.
waiting = Column[str, str, int](
    "SELECT player FROM waits WHERE game = ? AND turn = ? AND ended_at IS NULL GROUP BY player ORDER BY min(id)"
)


# A player is there again: ends their absences by that.
end_absences = Update[str, str, datetime](
    "UPDATE absences SET ended_at = ?3 WHERE game = ?1 AND player = ?2 AND ended_at IS NULL"
)


def away_until(db: Database, game: str, player: str, day: date) -> date | None:
    """Return the last day of the absence in which a day lies, None if the player is there."""
    sql = "SELECT * FROM absences WHERE game = ? AND player = ? AND ended_at IS NULL AND since <= ? AND until >= ?"
    found = select(db, AbsenceRow, sql, game, player, day.isoformat(), day.isoformat())
    return max((date.fromisoformat(row.until) for row in found), default=None)


def give_seat(db: Database, row: PlayerRow) -> None:
    """Give a seat to the person of *row*; the game is looked at again. Inside a transaction."""
    sql = "UPDATE players SET name = ?, address = ?, zone = ?, language = ?, resigned_at = NULL WHERE game = ? AND code = ?"
    change(db, sql, row.name, row.address, row.zone, row.language, row.game, row.code)
    change(db, "UPDATE games SET changed = '' WHERE id = ?", row.game)


def resign(db: Database, game: str, player: str, at: datetime) -> None:
    """Let a player leave the seat; the game is looked at again. Inside a transaction."""
    change(db, "UPDATE players SET resigned_at = ? WHERE game = ? AND code = ?", at, game, player)
    change(db, "UPDATE games SET changed = '' WHERE id = ?", game)


# The club's list of stand-bys.


def add_standby(db: Database, row: StandbyRow) -> None:
    """Put somebody at the end of the list, in the place of what was said of that address before. Inside a transaction."""
    end_standby(db, row.address, row.since)
    insert(db, row)


# Takes an address from the list.
end_standby = Update[str, datetime](
    "UPDATE standbys SET ended_at = ?2 WHERE lower(address) = lower(?1) AND ended_at IS NULL"
)


# Who stands by, the longest first.
standbys = Rows[StandbyRow](StandbyRow, "SELECT * FROM standbys WHERE ended_at IS NULL ORDER BY id")


# Those who watch a game without playing in it, in the order in which they came.
observers_of = Rows[ObserverRow, str](
    ObserverRow, "SELECT * FROM observers WHERE game = ? AND ended_at IS NULL ORDER BY id"
)


# What is watched from an address; capitals do not matter.
observed_from = Rows[ObserverRow, str](
    ObserverRow, "SELECT * FROM observers WHERE address = lower(?) AND ended_at IS NULL ORDER BY id"
)


# Lets somebody watch no longer, as a letter asked, or without one.
end_observer = Update[int, datetime, int | None]("UPDATE observers SET ended_at = ?2, ended_by = ?3 WHERE id = ?1")
