"""What steps of building cost a built-in player, and which hexes it likes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from referee.bots.dampfross.tempers import temper_of
from referee.core.hexes import Hex, side
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.build.costs import fees_due, points_of, step_refusal
from referee.games.dampfross.position.options import Options
from referee.games.dampfross.position.state import State, Table

LEAST_TASTE = 60  # per cent
FAR = 60  # points; no step costs more

Land = Mapping[Hex, tuple[tuple[Hex, int], ...]]  # a hex to those beside it, with what the step costs


@lru_cache(maxsize=8192)
def taste(company: str, label: Hex) -> int:
    """Return 60..140 per cent: companies differ in what they like, the same one always likes the same."""
    return LEAST_TASTE + hashlib.sha256(f"{company}/{label}".encode()).digest()[0] % 81


class Steps:
    """What a company's next steps cost on one position: ten for a point, and what fees weigh for its temper.

    The rules are asked once for a hex, and not at all where nobody's track is near: only the map counts there.
    """

    def __init__(self, state: State, company: str) -> None:
        self.state, self.company = state, company
        self._weight = temper_of(state.table.codes, company).fee_weight
        self._land = _open_land(state.table.board, state.table.options)
        self._settled = frozenset().union(*state.reached.values(), *state.track)
        self._known: dict[Hex, tuple[tuple[Hex, int], ...]] = {}

    def __call__(self, label: Hex) -> tuple[tuple[Hex, int], ...]:
        if label not in self._known:
            self._known[label] = tuple(self._steps(label))
        return self._known[label]

    def _steps(self, label: Hex) -> Iterator[tuple[Hex, int]]:
        state, company = self.state, self.company
        for other, cost in self._land[label]:
            # A company's own taste for a hex, up to half a point, parts those who start from the same town.
            cost += (taste(company, other) - LEAST_TASTE) // 16
            if label not in self._settled and other not in self._settled:
                yield other, cost
            elif step_refusal(state, company, label, other, FAR) is None:
                yield other, cost + self._weight * sum(fee.amount for fee in fees_due(state, company, label, other))


@lru_cache(maxsize=16)
def points_alone(board: RailMap, costs: str) -> Land:
    """Return what steps cost, in tenths of a point, were there neither rivals nor a border."""

    def steps(label: Hex) -> Iterator[tuple[Hex, int]]:
        for other in board.linked(label):
            if other in board.ground and side(label, other) not in board.closed:
                yield other, 10 * points_of(board, costs, label, other)

    return {label: tuple(steps(label)) for label in board.ground}


@lru_cache(maxsize=16)
def _open_land(board: RailMap, options: Options) -> Land:
    """Return what steps cost that may be laid on the empty board. Rule: D2.2-D2.6."""
    empty = State(table=Table(board=board, options=options, players=()))

    def may_lay(start: Hex, end: Hex) -> bool:
        return step_refusal(empty, "", start, end, FAR) is None

    steps = points_alone(board, options.costs)
    return {label: tuple(step for step in steps[label] if may_lay(label, step[0])) for label in steps}


def affordable(state: State, company: str, way: tuple[Hex, ...], left: int) -> tuple[tuple[Hex, ...], int]:
    """Return the beginning of *way* that *left* points pay for, and its points."""
    spent, path = 0, way[:1]
    for start, end in pairwise(way):
        cost = points_of(state.table.board, state.table.options.costs, start, end)
        if spent + cost > left:
            break
        spent, path = spent + cost, (*path, end)
    return path, spent


def fees_of(state: State, company: str, path: tuple[Hex, ...]) -> int:
    """Return the units that rivals would get for laying *path* on the board as it lies."""
    return sum(fee.amount for step in pairwise(path) for fee in fees_due(state, company, *step))
