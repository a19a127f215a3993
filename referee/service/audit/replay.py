"""Stored turns played again from their orders and seeds, and compared byte by byte."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from referee.core.dice import seed_of_turn
from referee.core.game import Outcome
from referee.service.audit.rerun import outcome_of
from referee.service.club.club import Club
from referee.service.club.positions import Position
from referee.service.turns.throws import dice_of
from referee.store import games
from referee.store.database.rows import TurnRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What came of one turn: ``differs`` names what was not the same (``events``, ``state``, ``fold``, ``seed``, ``hash``).

    ``rules`` is the version the turn was played with; another version than today's may differ by right.
    """

    turn: int
    edition: int
    rules: int
    events: int
    size: int
    differs: tuple[str, ...]


def replay(club: Club, game_id: str) -> Iterator[Compared]:
    """Play every stored turn of a game again, from the opening on, in the order in which they were played: undone ones too.

    Raises:
        NotFound: there is no such game.
    """
    row = games.game(club.db, game_id)
    position = club.positions.of(club.db, row)
    opening = replace(position, state=position.rules.lay_out(position.setup))
    known: list[tuple[TurnRow, Position]] = []
    rows = (*games.turns(club.db, row.id), *games.superseded(club.db, row.id))
    for turn in sorted(rows, key=lambda each: (each.edition, each.turn)):
        last = max((each for each in known if each[0].turn < turn.turn), key=_edition, default=None)
        before, hashed = (last[1], last[0].hash) if last else (opening, games.agreed(row))
        dice = dice_of(turn.seed, turn.salts, turn.typed)
        outcome = outcome_of(before.rules, before.setup, before.state, turn, dice)
        yield _compared(before, turn, outcome, hashed)
        known.append((turn, replace(before, state=outcome.state)))


def _edition(known: tuple[TurnRow, Position]) -> tuple[int, int]:
    return known[0].turn, known[0].edition


def chain_end(club: Club, game_id: str) -> str:
    """Return the end of a game's chain of seeds, as its opening newsletter printed it."""
    return games.chain_end(games.game(club.db, game_id))


def _compared(before: Position, turn: TurnRow, outcome: Outcome, hashed: str) -> Compared:
    rules = before.rules
    events = rules.encode(outcome.events)
    same: dict[str, Any] = {
        "events": events == turn.events,
        "state": rules.encode(outcome.state) == turn.state,
        "fold": rules.encode(reduce(rules.apply, outcome.events, before.state)) == turn.state,
        "seed": seed_of_turn(before.row.chain, turn.turn) == turn.seed,
        "hash": games.chained(turn, hashed) == turn,
    }
    return Compared(
        turn=turn.turn,
        edition=turn.edition,
        rules=turn.rules,
        events=len(outcome.events),
        size=len(events.encode()),
        differs=tuple(name for name, equal in same.items() if not equal),
    )
