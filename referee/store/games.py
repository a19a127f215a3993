"""Games, their players and their adjudicated turns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from referee.core import CHAIN_END, DOTLESS, N_, NotFound, Numbers, Texts, mailbox, seed_of_turn

from . import letters
from .database import (
    Column,
    Database,
    Number,
    One,
    Rows,
    Update,
    change,
    column,
    insert,
    parse_time,
    select,
    update,
)
from .hashes import (
    booking,
    hash_of_act,
    hash_of_agreement,
    hash_of_letters,
    hash_of_turn,
)
from .rows import ActRow, GameRow, PlayerRow, TurnRow

# A turn is in force unless it was undone, or a higher edition of it, or of an earlier turn, was written since.
_SUPERSEDED = """
    (EXISTS (
        SELECT 1 FROM turns AS later
        WHERE later.game = turn_row.game AND later.edition > turn_row.edition AND later.turn <= turn_row.turn
    ) OR EXISTS (
        SELECT 1 FROM acts WHERE acts.game = turn_row.game AND acts.kind = 'undo' AND acts.turn <= turn_row.turn
        AND json_extract(acts.parameters, '$.edition') >= turn_row.edition
    ))
"""
_IN_FORCE = f"SELECT * FROM turns AS turn_row WHERE game = ? AND NOT {_SUPERSEDED}"  # noqa: S608 (our own words)
_OUT_OF_FORCE = f"SELECT * FROM turns AS turn_row WHERE game = ? AND {_SUPERSEDED}"  # noqa: S608


# Every game, the oldest first.
all_games = Rows[GameRow](GameRow, "SELECT * FROM games ORDER BY created, id")


# The games that await orders, the oldest first.
running_games = Rows[GameRow](GameRow, "SELECT * FROM games WHERE status = 'running' ORDER BY created, id")


# The ids of the games that await orders, the oldest first.
running_ids = Column[str]("SELECT id FROM games WHERE status = 'running' ORDER BY created, id")


# The games of which a turn may be due by a time, the oldest first: those whose deadline has passed, and those in which
# something was changed that was not looked at, or that must be looked at again by then (see ``write``).
to_look_at = Rows[GameRow, datetime](
    GameRow,
    "SELECT * FROM games WHERE status = 'running' AND deadline < ?1 UNION "
    "SELECT * FROM games WHERE status = 'running' AND changed IS NOT NULL AND changed <= ?1 ORDER BY created, id",
)


def moments(db: Database) -> tuple[datetime, ...]:
    """Return when games are to be looked at again though nothing is changed in them, and when closing statements are told."""
    sql = (
        "SELECT changed AS at FROM games WHERE status = 'running' AND changed > '' "
        "UNION SELECT statements_due FROM games WHERE statements_due IS NOT NULL"
    )
    return tuple(map(parse_time, column(db, sql)))


# The running games whose deadline lies between two times, the later one included, in the order of deadlines.
due_between = Rows[GameRow, datetime, datetime](
    GameRow,
    "SELECT * FROM games WHERE status = 'running' AND deadline > ? AND deadline <= ? ORDER BY deadline, created, id",
)


def game(db: Database, game_id: str) -> GameRow:
    """Return one game; capitals do not matter.

    Raises:
        NotFound: there is none of that name.
    """
    if found := known(db, game_id):
        return found
    if names := ", ".join(row.id for row in all_games(db)):
        raise NotFound(N_("there is no game {game} (there is {known})"), game=game_id, known=names)
    raise NotFound(N_("there is no game {game}"), game=game_id)


# One game, None if there is none of that name; capitals do not matter.
known = One[GameRow, str](GameRow, "SELECT * FROM games WHERE id = upper(?)")


def all_names(db: Database) -> frozenset[str]:
    """Return the names of all games, of those that wait for players, too."""
    return frozenset(column(db, "SELECT id FROM games UNION SELECT id FROM open_games"))


def next_id(db: Database, prefix: str) -> str:
    """Return the first free name of a game: the prefix and a number one above the highest, of those that wait for players too."""
    numbers = (re.fullmatch(rf"{prefix}(\d+)", name) for name in all_names(db))
    return f"{prefix}{max((int(number[1]) for number in numbers if number), default=0) + 1}"


# A game's players in their order of seats.
players = Rows[PlayerRow, str](PlayerRow, "SELECT * FROM players WHERE game = ? ORDER BY place")


def seat(db: Database, game_id: str, code: str) -> PlayerRow | None:
    """Return the player of that code, None if there is none; capitals do not matter."""
    return seat_among(players(db, game_id), code)


def seat_among(seats: Iterable[PlayerRow], code: str) -> PlayerRow | None:
    """Return the one of these players who has that code, None if none has; capitals do not matter."""
    return next((each for each in seats if each.code.upper() == code.upper()), None)


def seats_of(db: Database, address: str) -> tuple[PlayerRow, ...]:
    """Return every seat in any game held from the box of *address*."""
    box = mailbox(address)
    if box.rpartition("@")[2] not in DOTLESS:
        return select(db, PlayerRow, "SELECT * FROM players WHERE lower(address) = ? ORDER BY game", box)
    ends = (f"%@{domain}" for domain in DOTLESS)
    found = select(db, PlayerRow, "SELECT * FROM players WHERE address LIKE ? OR address LIKE ? ORDER BY game", *ends)
    return tuple(each for each in found if mailbox(each.address) == box)


def write_language(db: Database, address: str, language: str) -> None:
    """Have every player and newcomer who reads at an address written to in a language. Inside a transaction."""
    for table in ("players", "signups", "standbys"):
        change(db, f"UPDATE {table} SET language = ? WHERE lower(address) = ?", language, address.lower())  # noqa: S608


def add_game(db: Database, row: GameRow, seats: tuple[PlayerRow, ...], opening: TurnRow) -> None:
    """Write a new game with its players and opening. Inside a transaction."""
    insert(db, row)
    for seat in seats:
        insert(db, seat)
    add_turn(db, opening)


def add_turn(db: Database, row: TurnRow) -> None:
    """Write an adjudicated turn with its hash; an edition that is there already is an IntegrityError. Inside a transaction."""
    before = select(db, TurnRow, f"{_IN_FORCE} AND turn < ? ORDER BY turn DESC LIMIT 1", row.game, row.turn)
    insert(db, chain_turn(row, before[0].hash if before else agreement_hash(game(db, row.game))))


def chain_turn(row: TurnRow, before: str) -> TurnRow:
    """Return a turn with its hash over the hash of the turn *before*: one changed turn changes all that follow."""
    return row.but(hash=hash_of_turn(before, row.game, row))


def agreement_hash(row: GameRow) -> str:
    """Return the hash that the opening's builds on."""
    return hash_of_agreement(row.id, row.setup, chain_end(row))


def chain_end(row: GameRow) -> str:
    """Return the end of a game's chain of seeds, published before the first throw."""
    return seed_of_turn(row.chain, CHAIN_END)


# A game's adjudicated turns in force, from the opening on.
turns = Rows[TurnRow, str](TurnRow, f"{_IN_FORCE} ORDER BY turn")


# The letters that the turns in force cover.
booked = Column[str, str](f"{_IN_FORCE} AND booked <> ''".replace("*", "booked", 1))


def last_turn(db: Database, game_id: str) -> TurnRow:
    """Return the newest adjudicated turn: the position all play on."""
    return select(db, TurnRow, f"{_IN_FORCE} ORDER BY turn DESC LIMIT 1", game_id)[0]


# The turns that are no longer in force, in the order in which they were written.
superseded = Rows[TurnRow, str](TurnRow, f"{_OUT_OF_FORCE} ORDER BY edition, turn")


# The last edition of a turn that is no longer in force, None if there is none.
replaced = One[TurnRow, str, int](TurnRow, f"{_OUT_OF_FORCE} AND turn = ? ORDER BY edition DESC LIMIT 1")


# The edition in which a turn is written next: 1, or one above all that were undone from there or before.
next_edition = Number[str, int](
    "SELECT coalesce(max(json_extract(parameters, '$.edition')), 0) + 1 FROM acts "
    "WHERE game = ? AND kind = 'undo' AND turn <= ?"
)


# The highest edition in which a turn, or one after it, was ever written.
highest_edition = Number[str, int](
    "SELECT coalesce(max(edition), 0) AS edition FROM turns WHERE game = ? AND turn >= ?"
)


def editions(db: Database, game_id: str) -> dict[int, Numbers]:
    """Return the editions in which each turn was written, undone ones too: the first of a turn is the first that it had, whatever
    its number in the game."""
    sql = "SELECT turn, edition FROM turns WHERE game = ? ORDER BY turn, edition"
    found: dict[int, Numbers] = {}
    for row in db.query(sql, [game_id]):
        found[row["turn"]] = (*found.get(row["turn"], ()), row["edition"])
    return found


# The highest number of a turn that was ever played, undone ones too.
furthest_turn = Number[str]("SELECT max(turn) FROM turns WHERE game = ?")


def write(db: Database, game_id: str, **columns: object) -> None:
    """Write some columns of a game: ``changed`` is when it must be looked at again, None: not before its deadline. Inside a
    transaction.
    """
    update(db, "games", game_id, columns)


def advance(db: Database, game_id: str, turn: int, deadline: datetime | None) -> None:
    """Await orders for *turn* until *deadline*; without a deadline the game is over. Inside a transaction."""
    status = "running" if deadline else "finished"
    write(db, game_id, turn=turn, deadline=deadline, status=status, play=None, statements_due=None)


# The games that are over and whose closing statements are to be told now.
with_statements_due = Rows[GameRow, datetime](
    GameRow, "SELECT * FROM games WHERE statements_due < ? ORDER BY statements_due, id"
)


def close(db: Database, game_id: str, at: datetime) -> None:
    """Say that a game is given up. Inside a transaction."""
    write(db, game_id, status="closed", deadline=None, play=None, archived_at=at)
    update(db, "open_games", game_id, {"closed_at": at})


# Stops a game at a time and puts its deadline aside.
hold = Update[str, datetime](
    "UPDATE games SET stopped_at = ?2, stopped_due = deadline, deadline = NULL, play = NULL WHERE id = ?1"
)


# What the umpire has done with a game: one row an act, in the order in which they were done, none ever changed.


def write_act(db: Database, row: ActRow) -> ActRow:
    """Write an act behind the others of its game and return it with its number and hash. Inside a transaction."""
    last = select(db, ActRow, "SELECT * FROM acts WHERE game = ? ORDER BY number DESC LIMIT 1", row.game)
    number, before = (last[0].number + 1, last[0].hash) if last else (1, agreement_hash(game(db, row.game)))
    written = chain_act(row.but(number=number), before)
    insert(db, written)
    return written


# All acts of a game, the first one first.
acts = Rows[ActRow, str](ActRow, "SELECT * FROM acts WHERE game = ? ORDER BY number")


def head(db: Database, game_id: str) -> str:
    """Return number and hash of the last act of a game, "" if there is none."""
    sql = "SELECT number || ' ' || hash AS told FROM acts WHERE game = ? ORDER BY number DESC LIMIT 1"
    return "".join(column(db, sql, game_id))


# The acts of some kinds that are about a turn of a game, the first one first.
acts_for = Rows[ActRow, str, int, Texts](
    ActRow,
    "SELECT * FROM acts WHERE game = ? AND turn = ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY number",
)


def chain_act(row: ActRow, before: str) -> ActRow:
    """Return an act with its hash over the hash of the act *before*: one changed act changes all that follow."""
    return row.but(hash=hash_of_act(before, row))


def act_faults(rows: Iterable[ActRow], before: str) -> Iterator[tuple[ActRow, str]]:
    """Yield the acts that are not as they were written, each with what is wrong; *before*: the hash of the agreement."""
    for number, row in enumerate(rows, 1):
        if row.number != number:
            yield row, f"act {number} of the umpire's log is missing"
            return
        if chain_act(row, before).hash != row.hash:
            yield row, f"act {number} of the umpire's log does not fit its hash, and the act before it"
        before = row.hash


# The letters of players that a turn covers: each under a name that its writer was told, and that tells nobody else anything.


def booked_letters(db: Database, row: GameRow, runs: Mapping[str, int | None]) -> dict[str, dict[str, list[str]]]:
    """Return by player the letters ``received`` that no turn in force covers, and the one that ``counted``; *runs*: its
    number by player.
    """
    covered = {name for told in booked(db, row.id) for each in json.loads(told).values() for name in each["received"]}
    named = [(each, booking(row.chain, each.hash)) for each in letters.of_players(db, row.id)]
    return {
        code: {
            "received": sorted(name for each, name in named if each.player == code and name not in covered),
            "counted": [name for each, name in named if each.player == code and each.id == number],
        }
        for code, number in runs.items()
    }


def sealed_letters(game: str, turn: int, booked: Mapping[str, Mapping[str, list[str]]]) -> dict[str, dict[str, str]]:
    """Return of booked letters what everybody may know: a hash of each list, which does not even tell how many there are."""
    return {
        code: {kind: hash_of_letters(game, turn, code, kind, names) for kind, names in lists.items()}
        for code, lists in booked.items()
    }
