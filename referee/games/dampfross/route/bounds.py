"""What a way comes to, and what the rest of it comes to at least: costs, and what is limited. Rule: D6.2, D6.4.

Tolls are limited for each rival, and so for each set of rivals together: a bound for the sum is far better than the sum of
bounds. All sums lie side by side in one integer, a spare bit above each: one addition adds all of them, and one subtraction
compares them, for a spare bit that is set before is borrowed from where a sum is too small.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import combinations
from typing import NamedTuple

from referee.core.hexes import Side
from referee.core.values import Value
from referee.games.dampfross.route.network import OWN, Edge, Network


class Demands(Value):
    """What a search looks at, beside that own track is used; the rest is checked afterwards, and demanded if it was broken."""

    cap: int | None = None  # units that each rival may take
    most: int | None = None  # units of all tolls
    shares: bool = False  # whether own track must be the greater part
    once: tuple[Side, ...] = ()  # hex-sides that may not be used twice, as they came to light


class Weights(NamedTuple):
    """What a way comes to."""

    units: tuple[int, ...]  # by owner, for each unit of toll
    point: int = 0
    own_side: int = 0
    rival_side: int = 0

    def of(self, edge: Edge) -> int:
        """Return the sum for an edge, if a go begins there."""
        sides = edge.own * self.own_side + (len(edge.owners) - edge.own) * self.rival_side
        return edge.points * self.point + sides + sum([self.units[owner] * toll for owner, toll in edge.tolls.items()])


class Bounds(Value):
    """Sums on a network, and the lower bounds for the rest of a way."""

    dues: Sequence[int]  # by edge, if a go begins there
    going: Sequence[int]  # the same while a go over the first owner's track is under way
    begun: Sequence[int]  # by owner, how much less that is
    point: int  # for each point of movement
    least: Mapping[int, int]  # by node, where a way from there may end


class Limits(Value):
    """What there may not be more of."""

    bounds: Bounds
    most: int  # with the spare bits
    spare: int
    width: int  # of a sum with its spare bit
    first: int  # how many of the sums imply the others
    own: frozenset[Side]  # own track, where it must be the greater part


def bounds_of(network: Network, weights: Weights, spare: int, width: int) -> Bounds:
    """Return the bounds of sums of that *width*."""
    begun = [network.tariff.again * units for units in weights.units]
    dues = [weights.of(edge) for edge in network.edges]
    going = [due - begun[edge.owners[0]] * bool(edge.saved) for due, edge in zip(dues, network.edges, strict=True)]
    return Bounds(
        dues=dues, going=going, begun=begun, point=weights.point, least=_least(network, dues, going, spare, width - 1)
    )


def _least(network: Network, dues: Sequence[int], going: Sequence[int], spare: int, top: int) -> dict[int, int]:
    """Return by node the least sums after it: Dijkstra's algorithm backwards, and again where a lesser sum comes later."""
    edges, before = network.edges, _before(network)
    least = {2 * place + 1: 0 for place, edge in enumerate(edges) if edge.path[-1] in network.ends}
    queue, waiting = [(0, node) for node in least], set(least)
    heapify(queue)
    while queue:
        _, node = heappop(queue)
        if node not in waiting:
            continue
        waiting.remove(node)
        rests = least[node] + dues[node // 2], least[node] + going[node // 2]
        for other, is_going in before[node]:
            rest = rests[is_going]
            if other in least:
                known = least[other]
                less = ((rest | spare) - known & spare) ^ spare
                if not less:
                    continue
                rest = known ^ (known ^ rest) & less - (less >> top)  # the lesser of each two sums
            least[other] = rest
            waiting.add(other)
            heappush(queue, (rest, other))
    return least


def _before(network: Network) -> list[list[tuple[int, bool]]]:
    """Return by node those before it, and whether a go over a rival's track is under way from there."""
    edges = network.edges
    before: list[list[tuple[int, bool]]] = [[] for _ in range(2 * len(edges))]
    for place, onward in enumerate(network.onward):
        last = edges[place].owners[-1]
        for follow in onward:
            is_going, own = last == edges[follow].owners[0], edges[follow].own > 0
            before[2 * follow + own].append((2 * place, is_going))
            before[2 * follow + 1].append((2 * place + 1, is_going))
    return before


def limits_of(network: Network, demands: Demands) -> Limits:
    """Return what is limited by *demands*. Rule: D6.2, D6.4."""
    edges, owners = network.edges, range(len(network.rivals) + 1)
    cap, takers = demands.cap, sorted({owner for edge in edges for owner, toll in edge.tolls.items() if toll})
    sums = (
        [(some, len(some) * cap) for size in owners[1:] for some in combinations(takers, size)]
        if cap is not None
        else []
    )
    first = len(takers) if sums else 0
    own: frozenset[Side] = frozenset()
    if demands.most is not None:
        sums.insert(0, (tuple(owners), demands.most))
    if demands.shares:  # hex-sides over rivals must be fewer than all own ones there are
        own = frozenset(
            {laid for edge in edges for laid, owner in zip(edge.sides, edge.owners, strict=True) if owner == OWN}
        )
        sums.insert(0, ((), len(own) - 1))
    first += (demands.most is not None) + demands.shares
    everything = sum([len(edge.owners) + sum(edge.tolls.values()) for edge in edges])
    width = (everything + max([most for _, most in sums], default=0)).bit_length() + 2
    ones = [1 << place * width for place in range(len(sums))]
    spare = sum(ones) << width - 1
    weights = Weights(
        units=tuple(
            [sum([one for one, (some, _) in zip(ones, sums, strict=True) if owner in some]) for owner in owners]
        ),
        rival_side=1 if demands.shares else 0,
    )
    return Limits(
        bounds=bounds_of(network, weights, spare, width),
        most=sum([one * most for one, (_, most) in zip(ones, sums, strict=True)]) + spare,
        spare=spare,
        width=width,
        first=first,
        own=own,
    )
