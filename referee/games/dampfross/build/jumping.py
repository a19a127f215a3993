"""Jumping along a rival's track. Rule: D7.2."""

from __future__ import annotations

from referee.core.hexes import Hex, Side
from referee.core.orders import Complaint
from referee.games.dampfross.position.names import format_path
from referee.games.dampfross.position.state import Jump, State
from referee.games.dampfross.route.joined import track_distances

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
    """Return whether at most three hex-sides of *rival*'s track lead from *start* to *end*, from abroad only where track may.

    Rule: D2.6, D7.2.
    """
    board = state.table.board
    shut = board.is_foreign(start) and board.foreign_build != "free"
    sides = [laid for laid in _track_of(state, rival) if not (shut and start in laid) or laid in board.permitted]
    return start != end and end in track_distances(board, sides, (start,), within=LONGEST_JUMP)


def _is_given_back(state: State, jump: Jump) -> bool:
    return jump.end in track_distances(state.table.board, _track_of(state, jump.company), (jump.start,))


def _track_of(state: State, company: str) -> tuple[Side, ...]:
    return tuple(laid for laid, owners in state.track.items() if company in owners)
