"""How far track joins two hexes for a train, which leaves a foreign hex only along a permitted build. Rule: D2.6."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.graph import cheapest_costs
from referee.core.hexes import Hex, Side
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.routing import may_pass

_Arrival = tuple[Hex, Hex]  # a hex, and the one before it; "" where a train starts


def track_distances(
    board: RailMap, sides: Iterable[Side], starts: Iterable[Hex], within: int | None = None
) -> dict[Hex, int]:
    """Return the hex-sides from the nearest of *starts* to every hex that track over *sides* joins with it.

    A start is there where track touches it. *within*: hexes farther than this are left out. Rule: D2.6, D5.4, D7.2.
    """
    next_to: dict[Hex, list[Hex]] = {}
    for one, other in sides:
        next_to.setdefault(one, []).append(other)
        next_to.setdefault(other, []).append(one)

    def onward(arrival: _Arrival) -> Iterable[tuple[_Arrival, int]]:
        here, before = arrival
        return [((after, here), 1) for after in next_to[here] if not before or may_pass(board, before, here, after)]

    costs = cheapest_costs([(label, "") for label in starts if label in next_to], onward, within)
    nearest: dict[Hex, int] = {}
    for (label, _), cost in costs.items():
        nearest[label] = min(cost, nearest.get(label, cost))
    return nearest
