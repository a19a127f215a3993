"""What a train pays for a rival's track, the rate and the most of it. Rule: D6.3, D6.4."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import TypeVar

from referee.core.hexes import Side
from referee.core.values import Value
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.state import State

NO_CAP = 10**6

Owner = TypeVar("Owner", str, int)  # a company's code, or its place among others


def cap_of(state: State) -> int:
    """Return the most one train may pay one rival. Rule: D6.4 (``toll_cap``)."""
    cap = state.table.options.toll_cap
    return cap if isinstance(cap, int) else NO_CAP


class Tariff(Value, eq=False):
    """One unit per hex: the first side of a go over a rival's line uses two hexes, half of each. Rule: D6.3.

    So a go of n hex-sides costs n + 1 (``toll = "hexes"``) or n; bridges and ferries their own toll.
    """

    again: int  # units that the first hex-side of a go costs more than each further one
    special: Mapping[Side, int]  # bridges and ferries with a toll of their own

    def toll(self, laid: Side, under_way: bool) -> int:
        """Return the units for one hex-side; *under_way*: the hex-side before was the same rival's."""
        return self.special.get(laid, 1 if under_way else 1 + self.again)

    def tolls(self, sides: Iterable[Side], owners: Iterable[Owner], free: Collection[Owner]) -> dict[Owner, int]:
        """Return units by owner for the sides of a way, where a go begins with it; the track of *free* ones costs nothing."""
        tolls: dict[Owner, int] = {}
        before: Owner | None = None
        for laid, owner in zip(sides, owners, strict=True):
            if owner not in free:
                tolls[owner] = tolls.get(owner, 0) + self.toll(laid, owner == before)
            before = owner
        return tolls


@lru_cache(maxsize=8)  # a map and an option
def tariff_of(board: RailMap, toll: str) -> Tariff:
    """Return what hex-sides cost on a map. *toll*: the option of that name."""
    bridges = {laid: bridge.toll for laid, bridge in board.bridges.items() if bridge.toll is not None}
    ferries = {laid: ferry.toll for laid, ferry in board.ferries.items()}
    return Tariff(again=1 if toll == "hexes" else 0, special=bridges | ferries)
