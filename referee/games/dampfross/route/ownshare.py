"""How much more own track than rivals' the rest of a train's way can still be, for the search of routes. Rule: D6.2.

All own track not used before, less the cheapest T-join: where the rest of a way and that track differ, hex-sides join in pairs
the hexes where an odd number of such own sides meet, the train's own hex and its end counted once more. Each hex-side of
difference costs one: own track left out, or a rival's used. Each hex has a share in halves, and no two have more between them
than their distance: the sum of all shares is the bound. The share begins as half the way to the nearest other one, and grows
where there is room, the farthest first.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.graph import cheapest_costs
from referee.core.hexes import Hex, Side
from referee.games.dampfross.route.network import Network

_APART = 1 << 40  # no track joins these hexes


class OwnShare:
    """The bound for one network. *bits*: those of the own hex-sides."""

    def __init__(self, network: Network, bits: Mapping[Side, int]) -> None:
        self.ends, self.bits = network.ends, bits
        self.links: dict[Hex, set[tuple[Hex, int]]] = {}
        for one, other in {laid for edge in network.edges for laid in edge.sides}:
            self.links.setdefault(one, set()).add((other, 1))
            self.links.setdefault(other, set()).add((one, 1))
        self.far: dict[Hex, dict[Hex, int]] = {}
        self.free: dict[int, tuple[frozenset[Hex], int]] = {}  # by bits used, the odd hexes and how many sides
        self.known: dict[tuple[Hex, int], int] = {}

    def gain(self, here: Hex, used: int) -> int:
        """Return the most that own hex-sides can outnumber others from *here* on. *used*: the bits of those used before."""
        if (here, used) not in self.known:
            if used not in self.free:
                self.free[used] = self._all_free(used)
            odd, sides = self.free[used]
            self.known[here, used] = sides - min([self._joined(odd ^ {here} ^ {end}) for end in self.ends])
        return self.known[here, used]

    def _all_free(self, used: int) -> tuple[frozenset[Hex], int]:
        odd: set[Hex] = set()
        free = [laid for laid, bit in self.bits.items() if not used & bit]
        for laid in free:
            odd ^= set(laid)
        return frozenset(odd), len(free)

    def _joined(self, odd: frozenset[Hex]) -> int:
        """Return what joining these hexes in pairs costs at least."""
        for here in odd - self.far.keys():
            self.far[here] = cheapest_costs((here,), lambda each: self.links.get(each, ()))
        far = {here: {other: self.far[here].get(other, _APART) for other in odd - {here}} for here in odd}
        shares = {here: min(ways.values(), default=_APART) for here, ways in far.items()}
        for here in sorted(odd, key=lambda each: (-shares[each], each)):
            shares[here] = min([2 * cost - shares[other] for other, cost in far[here].items()], default=_APART)
        return (sum(shares.values()) + 1) // 2
