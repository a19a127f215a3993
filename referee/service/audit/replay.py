"""Stored turns played again from their orders and seeds, and compared byte by byte."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from referee.core.dice import seed_of_turn
from referee.core.game import Outcome
from referee.service.club.club import Club
from referee.service.club.positions import OPENING, Position, parse_orders
from referee.service.turns.throws import dice_of
from referee.store import games
from referee.store.database.rows import TurnRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What came of one turn: ``differs`` names what was not the same (``events``, ``state``, ``fold``, ``seed``, ``hash``).

    ``rules`` is the version the turn was played with; another version than today's may differ by right.
    """

    turn: int
    rules: int
    events: int
    size: int
    differs: tuple[str, ...]


def replay(club: Club, game_id: str) -> Iterator[Compared]:
    """Play every stored turn of a game again, from the opening on.

    Raises:
        NotFound: there is no such game.
    """
    row = games.game(club.db, game_id)
    position = club.positions.of(club.db, row)
    before = replace(position, state=position.rules.lay_out(position.setup))
    hashed = games.agreed(row)
    for turn in games.turns(club.db, row.id):
        outcome = _played(before, turn)
        yield _compared(before, turn, outcome, hashed)
        before, hashed = replace(before, state=outcome.state), turn.hash


def chain_end(club: Club, game_id: str) -> str:
    """Return the end of a game's chain of seeds, as its opening newsletter printed it."""
    return games.chain_end(games.game(club.db, game_id))


def _played(before: Position, turn: TurnRow) -> Outcome:
    rules, dice = before.rules, dice_of(turn.seed, turn.salts, turn.typed)
    if turn.turn == OPENING:
        return rules.start(before.state, dice)
    return rules.adjudicate(before.state, parse_orders(rules, turn.orders, before.setup), dice)


def _compared(before: Position, turn: TurnRow, outcome: Outcome, hashed: str) -> Compared:
    rules = before.rules
    events = rules.encode(outcome.events)
    same: dict[str, Any] = {
        "events": events == turn.events,
        "state": rules.encode(outcome.state) == turn.state,
        "fold": rules.encode(_folded(before, outcome)) == turn.state,
        "seed": seed_of_turn(before.row.chain, turn.turn) == turn.seed,
        "hash": games.chained(turn, hashed) == turn,
    }
    return Compared(
        turn=turn.turn,
        rules=turn.rules,
        events=len(outcome.events),
        size=len(events.encode()),
        differs=tuple(name for name, equal in same.items() if not equal),
    )


def _folded(before: Position, outcome: Outcome) -> Any:
    state = before.state
    for event in outcome.events:
        state = before.rules.apply(state, event)
    return state
