"""What steps of building cost a built-in player, and which hexes it likes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from referee.bots.dampfross.tempers import temper_of
from referee.core.hexes import Hex, side
from referee.games.dampfross.costs import fees_due, points_of, step_refusal
from referee.games.dampfross.state import State

LEAST_TASTE = 60  # per cent
FAR = 60  # points; no step costs more


@lru_cache(maxsize=8192)
def taste(company: str, label: Hex) -> int:
    """Return 60..140 per cent: companies differ in what they like, the same one always likes the same."""
    return LEAST_TASTE + hashlib.sha256(f"{company}/{label}".encode()).digest()[0] % 81


@dataclass(frozen=True, slots=True)
class Edges:
    """What a company's next steps cost: ten for a point, and what fees weigh for its temper; "" pays none."""

    state: State
    company: str

    def __call__(self, label: Hex) -> Iterable[tuple[Hex, int]]:
        board, state = self.state.table.board, self.state
        weight = temper_of(state.table.codes, self.company).fee_weight
        for other in board.linked(label):
            if other not in board.ground or not may_lay(state, self.company, label, other):
                continue
            cost = 10 * points_of(board, state.table.options.costs, label, other)
            if not self.company:
                yield other, cost
                continue
            # A company's own taste for a hex, up to half a point, parts those who start from the same town.
            cost += (taste(self.company, other) - LEAST_TASTE) // 16
            yield other, cost + weight * sum(fee.amount for fee in fees_due(state, self.company, label, other))


def may_lay(state: State, company: str, start: Hex, end: Hex) -> bool:
    """Return whether a company may lay a step at all, were its network there. Rule: D2.2-D2.6."""
    if not company:
        return side(start, end) not in state.table.board.closed
    return step_refusal(state, company, start, end, FAR) is None


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
