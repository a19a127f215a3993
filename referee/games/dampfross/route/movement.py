"""What a train's way costs in points of movement. Rule: D6.6."""

from __future__ import annotations

from referee.core.hexes import Hex, side
from referee.games.dampfross.board.railmap import MOUNTAIN, RailMap

LEVEL, CLIMB = 1, 2  # points to enter a hex; a mountain from a hex that is none


def points_to_enter(board: RailMap, here: Hex, ahead: Hex) -> int:
    """Return the points of movement from one hex of a route to the next. Rule: D6.6."""
    ferry = board.ferries.get(side(here, ahead)) if board.ferries else None
    if ferry is not None:
        return ferry.moves
    return CLIMB if board.ground[ahead] == MOUNTAIN and board.ground[here] != MOUNTAIN else LEVEL
