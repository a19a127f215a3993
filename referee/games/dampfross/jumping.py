"""Jumping along a rival's track. Rule: D7.2."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.graph import cheapest_costs
from referee.core.hexes import Hex
from referee.core.orders import Complaint
from referee.games.dampfross.names import format_path
from referee.games.dampfross.state import Jump, State

LONGEST_JUMP = 3  # hex-sides from connection to connection. Rule: R8


def jumped_rival(state: State, company: str, start: Hex, end: Hex) -> str | Complaint:
    """Return the rival along whose track *company* may jump from *start* to *end*, or why it may not.

    Of several the first in order of play on whom a jump is left is taken. Rule: D7.2, R8.
    """
    words = format_path(state.table.board, (start, end))
    if not state.table.options.jumps:
        return Complaint(code="illegal-no-jumps", paragraph="D7.2", text=words)
    if start not in state.reached[company]:
        return Complaint(code="illegal-off-network", paragraph="D2.4", text=words, params=(("place", words),))
    carrying = [code for code in state.table.codes if code != company and _lies_between(state, code, start, end)]
    for rival in carrying:
        if jumps_made(state, company, rival) < state.table.options.jumps:
            return rival
    code = "illegal-jumps-used" if carrying else "illegal-jump"
    params = (("jumps", state.table.options.jumps), ("most", LONGEST_JUMP))
    return Complaint(code=code, paragraph="D7.2", text=words, params=params)


def jumps_made(state: State, company: str, rival: str) -> int:
    """Return how many jumps on *rival* count: one is given back when own track joins its two ends. Rule: D7.2."""
    return sum(
        jump.company == company and jump.rival == rival and not _is_given_back(state, jump) for jump in state.jumps
    )


def _lies_between(state: State, rival: str, start: Hex, end: Hex) -> bool:
    """Return whether at most three hex-sides of *rival*'s track lead from *start* to *end*."""
    return start != end and end in cheapest_costs((start,), _Track(state, rival), LONGEST_JUMP)


def _is_given_back(state: State, jump: Jump) -> bool:
    return jump.end in cheapest_costs((jump.start,), _Track(state, jump.company))


class _Track:
    """The graph of one company's track; every hex-side costs one."""

    def __init__(self, state: State, company: str) -> None:
        self._next: dict[Hex, list[tuple[Hex, int]]] = {}
        for (one, other), owners in state.track.items():
            if company in owners:
                self._next.setdefault(one, []).append((other, 1))
                self._next.setdefault(other, []).append((one, 1))

    def __call__(self, label: Hex) -> Iterable[tuple[Hex, int]]:
        return self._next.get(label, ())
