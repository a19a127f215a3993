"""What the umpire has done with a game: one row an act, in the order of his acts, none ever changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from referee.store.database.connection import Database
from referee.store.database.database import format_time, insert, select
from referee.store.database.hashes import hash_of_act, hash_of_reason
from referee.store.database.rows import ActRow
from referee.store.games import agreed, game


def write_act(db: Database, row: ActRow) -> ActRow:
    """Write an act behind the others of its game and return it with its number and hash. Inside a transaction."""
    last = select(db, ActRow, "SELECT * FROM acts WHERE game = ? ORDER BY number DESC LIMIT 1", row.game)
    number, before = (last[0].number + 1, last[0].hash) if last else (1, agreed(game(db, row.game)))
    written = chain_act(replace(row, number=number), before)
    insert(db, "acts", written)
    return written


def acts(db: Database, game_id: str) -> tuple[ActRow, ...]:
    """Return all acts of a game, the first one first."""
    return select(db, ActRow, "SELECT * FROM acts WHERE game = ? ORDER BY number", game_id)


def head(db: Database, game_id: str) -> str:
    """Return number and hash of the last act of a game, "" if there is none."""
    sql = "SELECT number || ' ' || hash AS told FROM acts WHERE game = ? ORDER BY number DESC LIMIT 1"
    return next((str(row["told"]) for row in db.query(sql, [game_id])), "")


def acts_for(db: Database, game_id: str, turn: int, *kinds: str) -> tuple[ActRow, ...]:
    """Return the acts of some kinds that are about a turn of a game, the first one first."""
    marks = ", ".join("?" * len(kinds))
    sql = f"SELECT * FROM acts WHERE game = ? AND turn = ? AND kind IN ({marks}) ORDER BY number"  # noqa: S608 (marks alone)
    return select(db, ActRow, sql, game_id, turn, *kinds)


def chain_act(row: ActRow, before: str) -> ActRow:
    """Return an act with its hash over the hash of the act *before*: one changed act changes all that follow."""
    hashed = hash_of_act(
        before,
        game=row.game,
        number=row.number,
        turn=row.turn,
        at=format_time(row.at),
        actor=row.actor,
        kind=row.kind,
        parameters=row.parameters,
        reason=(not row.reason and row.withheld) or hash_of_reason(row.reason),
    )
    return replace(row, hash=hashed)


def act_faults(rows: Iterable[ActRow], before: str) -> Iterator[tuple[ActRow, str]]:
    """Yield the acts that are not as they were written, each with what is wrong; *before*: the hash of the agreement."""
    for number, row in enumerate(rows, 1):
        if row.number != number:
            yield row, f"act {number} of the umpire's log is missing"
            return
        if chain_act(row, before).hash != row.hash:
            yield row, f"act {number} of the umpire's log does not fit its hash, and the act before it"
        before = row.hash
