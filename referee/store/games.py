"""Games, their players and their adjudicated turns."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from sqlite_utils import Database

from referee.core.dice import CHAIN_END, seed_of_turn
from referee.core.errors import NotFound
from referee.store.database.database import change, insert, select
from referee.store.database.hashes import hash_of_agreement, hash_of_turn
from referee.store.database.rows import GameRow, PlayerRow, TurnRow

# A turn is in force unless a higher edition of it, or of an earlier turn, was written since.
_IN_FORCE = """
    SELECT * FROM turns AS turn_row WHERE game = ? AND NOT EXISTS (
        SELECT 1 FROM turns AS later
        WHERE later.game = turn_row.game AND later.edition > turn_row.edition AND later.turn <= turn_row.turn
    )
"""


def all_games(db: Database) -> tuple[GameRow, ...]:
    """Return every game, the oldest first."""
    return select(db, GameRow, "SELECT * FROM games ORDER BY created, id")


def running_games(db: Database) -> tuple[GameRow, ...]:
    """Return the games that await orders, the oldest first."""
    return select(db, GameRow, "SELECT * FROM games WHERE status = 'running' ORDER BY created, id")


def to_look_at(db: Database, fallen: datetime, settled: datetime) -> tuple[GameRow, ...]:
    """Return the games of which a turn may be due, the oldest first: those whose deadline was before *fallen*, and those in
    which something was changed that stands since *settled* and was not looked at (see ``looked_at``).
    """
    sql = (
        "SELECT * FROM games WHERE status = 'running' AND deadline < ? UNION "
        "SELECT * FROM games WHERE status = 'running' AND changed IS NOT NULL AND changed <= ? ORDER BY created, id"
    )
    return select(db, GameRow, sql, fallen, settled)


def looked_at(db: Database, game_id: str, last: datetime | None) -> None:
    """Say that no turn of a game is due by its orders before these change; or, with *last*, before that change has stood long
    enough. Inside a transaction.
    """
    change(db, "UPDATE games SET changed = ? WHERE id = ?", last, game_id)


def due_between(db: Database, after: datetime, until: datetime) -> tuple[GameRow, ...]:
    """Return the running games whose deadline lies between two times, the later one included, in the order of deadlines."""
    sql = (
        "SELECT * FROM games WHERE status = 'running' AND deadline > ? AND deadline <= ? ORDER BY deadline, created, id"
    )
    return select(db, GameRow, sql, after, until)


def game(db: Database, game_id: str) -> GameRow:
    """Return one game; capitals do not matter.

    Raises:
        NotFound: there is none of that name.
    """
    found = select(db, GameRow, "SELECT * FROM games WHERE id = ?", game_id.upper())
    if not found:
        names = ", ".join(row.id for row in all_games(db))
        raise NotFound(f"there is no game {game_id} (there is {names})" if names else f"there is no game {game_id}")
    return found[0]


def known(db: Database, game_id: str) -> GameRow | None:
    """Return one game, None if there is none of that name."""
    return next(iter(select(db, GameRow, "SELECT * FROM games WHERE id = ?", game_id.upper())), None)


def next_id(db: Database, prefix: str) -> str:
    """Return the first free name of a game: the prefix and a number one above the highest."""
    numbers = (re.fullmatch(rf"{prefix}(\d+)", row.id) for row in all_games(db))
    return f"{prefix}{max((int(number[1]) for number in numbers if number), default=0) + 1}"


def players(db: Database, game_id: str) -> tuple[PlayerRow, ...]:
    """Return a game's players in their order of seats."""
    return select(db, PlayerRow, "SELECT * FROM players WHERE game = ? ORDER BY place", game_id)


def seats_of(db: Database, address: str) -> tuple[PlayerRow, ...]:
    """Return every seat in any game held from *address*; capitals do not matter."""
    return select(db, PlayerRow, "SELECT * FROM players WHERE lower(address) = ? ORDER BY game", address.lower())


def add_game(db: Database, row: GameRow, seats: tuple[PlayerRow, ...], opening: TurnRow) -> None:
    """Write a new game with its players and opening. Inside a transaction."""
    insert(db, "games", row)
    for seat in seats:
        insert(db, "players", seat)
    add_turn(db, opening)


def add_turn(db: Database, row: TurnRow) -> None:
    """Write an adjudicated turn with its hash; an edition that is there already is an IntegrityError. Inside a transaction."""
    before = select(db, TurnRow, f"{_IN_FORCE} AND turn < ? ORDER BY turn DESC LIMIT 1", row.game, row.turn)
    insert(db, "turns", chained(row, before[0].hash if before else agreed(game(db, row.game))))


def chained(row: TurnRow, before: str) -> TurnRow:
    """Return a turn with its hash over the hash of the turn *before*: one changed turn changes all that follow."""
    hashed = hash_of_turn(
        before,
        game=row.game,
        turn=row.turn,
        rules=row.rules,
        seed=row.seed,
        salts=row.salts,
        orders=row.orders,
        events=row.events,
        typed=row.typed,
    )
    return replace(row, hash=hashed)


def agreed(row: GameRow) -> str:
    """Return the hash that the opening's builds on."""
    return hash_of_agreement(row.id, row.setup, chain_end(row))


def chain_end(row: GameRow) -> str:
    """Return the end of a game's chain of seeds, published before the first throw."""
    return seed_of_turn(row.chain, CHAIN_END)


def turns(db: Database, game_id: str) -> tuple[TurnRow, ...]:
    """Return a game's adjudicated turns in force, from the opening on."""
    return select(db, TurnRow, f"{_IN_FORCE} ORDER BY turn", game_id)


def last_turn(db: Database, game_id: str) -> TurnRow:
    """Return the newest adjudicated turn: the position all play on."""
    return select(db, TurnRow, f"{_IN_FORCE} ORDER BY turn DESC LIMIT 1", game_id)[0]


def advance(db: Database, game_id: str, turn: int, deadline: datetime | None) -> None:
    """Await orders for *turn* until *deadline*; without a deadline the game is over. Inside a transaction."""
    status = "running" if deadline else "finished"
    change(db, "UPDATE games SET turn = ?, deadline = ?, status = ? WHERE id = ?", turn, deadline, status, game_id)


def move_deadline(db: Database, game_id: str, deadline: datetime) -> None:
    """Set the deadline of the awaited turn. Inside a transaction."""
    change(db, "UPDATE games SET deadline = ? WHERE id = ?", deadline, game_id)
