"""The best route a train may take, where a player leaves the choice to the referee. Rule: D6.2-D6.4, D6.6.

The answer is exact. A search first looks for the best walk. What hex-sides it runs over twice, if any, may be used once in the
next search. Each search allows all that is legal, so the first walk that breaks nothing is the best route.

Without the share of own track no best walk comes to a hex twice: leaving out the loop costs no rival's account more. And
whoever may use own track does: a side over a rival in the middle of own ones costs no less. Only a bridge that costs nothing
may join two goes over a rival, so that there the choice is open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from heapq import heappop, heappush
from itertools import combinations
from typing import NamedTuple

from referee.core import Numbers, Path, Side, Value, complaint_of

from .network import OWN, Edge, Network, network_of, sides_on
from .state import Codes, Race, Route, State

FASTEST = "fastest"
CHEAPEST = "cheapest"
UNSETTLED = "illegal-best-route-unsettled"
MOST_TRIES = 100_000  # some seconds
SOON_TRIES = 1_000  # some hundredths
FEW_TRIES = 4_000  # less than a second


class Demands(Value):
    """What a way is to keep to, beside that own track is used and no hex-side twice."""

    cap: int | None = None  # units that each rival may take
    most: int | None = None  # units of all tolls
    shares: bool = False  # whether own track must be the greater part


# What a way comes to, and what the rest of it comes to at least: its cost, and what is limited. Rule: D6.2, D6.4.
#
# Tolls are limited for each rival, and so for each set of rivals together: a bound for the sum is far better than the sum of
# bounds. All sums lie side by side in one integer, a spare bit above each: one addition adds all of them, and one subtraction
# compares them, for a spare bit that is set before is borrowed from where a sum is too small. The cost is the uppermost.
#
# Below it is the same less a point for each own hex-side, and with a point more for each other one, where own track must be the
# greater part. That it is, if this sum is less than the cost by a point: so with that point, it is what the cost comes to at
# least, too.

_WIDTH = 64
_FIELD = (1 << _WIDTH) - 1
_BASE = 1 << 16  # more than points, units or hex-sides of any walk that can be the best
_ANY = 1 << _WIDTH - 2
_START = 0  # the node of a way without an edge


def _sums(
    network: Network, aim: str, demands: Demands, takers: AbstractSet[int], own: int, limit: int
) -> Iterator[Numbers]:
    """Yield of each sum the most there may be, and what counts a point, an own hex-side, another one, a unit to each owner.

    First those of several *takers* of tolls together, which say nothing of two ways that those of each taker do not say.
    """
    owners = range(len(network.rivals) + 1)
    if demands.cap is not None:
        for size in owners[:0:-1]:
            for some in combinations(takers, size):
                yield size * demands.cap, 0, 0, 0, *[owner in some for owner in owners]
    if demands.most is not None:
        yield demands.most, 0, 0, 0, *[1 for _ in owners]
    if demands.shares:
        yield own - 1, 0, 0, 1, *[0 for _ in owners]
    point, unit = {FASTEST: (_BASE**2, _BASE), CHEAPEST: (_BASE, _BASE**2)}[aim]
    for tilt in (point * demands.shares, 0):
        yield limit, point, 1 - tilt, 1 + tilt, *[unit for _ in owners]


def _side_by_side(sums: Sequence[int]) -> int:
    return sum([each << place * _WIDTH for place, each in enumerate(sums)])


class Label(NamedTuple):
    """A way, in the order in which ways are tried: of two that promise the same the first path."""

    least: int  # what it costs to the end at least
    path: Path
    owners: Numbers
    node: int
    paid: int  # all sums
    used: int  # bits of the hex-sides that may be used once


_Arcs = list[list[tuple[int, int]]]  # by node, others with what is due between


class Search:
    """A resource-constrained shortest path: label setting, the label that promises most first (A*). Rule: D6.2-D6.4.

    A label is a way up to the end of an edge. It promises what it has cost and the rest costs at least; one that would break a
    limit whatever comes is dropped. So is one that is dominated: another at its node has cost and paid no more, and can go on
    wherever it can.
    """

    def __init__(self, network: Network, aim: str, demands: Demands, limit: int) -> None:
        edges, self.network = network.edges, network
        own = {laid for edge in edges for laid, owner in zip(edge.sides, edge.owners, strict=True) if owner == OWN}
        self.own: AbstractSet[Side] = own if demands.shares else frozenset()
        takers = {owner for edge in edges for owner in edge.owners} - network.free
        sums = [*_sums(network, aim, demands, takers, len(own), limit)]
        self.apart = 0 if demands.cap is None else _WIDTH * (2 ** len(takers) - len(takers) - 1)
        self.top = (len(sums) - 1) * _WIDTH
        most, point, own_side, rival_side, *units = map(_side_by_side, zip(*sums, strict=True))
        self.spare = _side_by_side([1 << _WIDTH - 1 for _ in sums])
        self.most = most + self.spare

        @cache
        def due(edge: Edge, is_going: bool) -> int:
            ours = edge.owners.count(OWN)
            tolls = network.tariff.tolls(edge.sides, edge.owners, network.free, edge.owners[0] if is_going else None)
            sides = ours * own_side + (len(edge.owners) - ours) * rival_side
            return edge.points * point + sides + sum([units[owner] * toll for owner, toll in tolls.items()])

        self.after: _Arcs = [[] for _ in range(2 * len(edges))]
        before: _Arcs = [[] for _ in self.after]
        for place, edge in enumerate(edges):
            for onward in edge.onward:
                follow = edges[onward]
                cost = due(follow, edge.owners[-1:] == follow.owners[:1])
                for used in (False, True):
                    node, other = 2 * place + used, 2 * onward + (used or OWN in follow.owners)
                    self.after[node].append((other, cost))
                    before[other].append((node, cost))
        at_end = [2 * place + 1 for place, edge in enumerate(edges) if network.ends.intersection(edge.path[-1:])]
        ends = dict.fromkeys(at_end, point >> self.top << self.top - _WIDTH if demands.shares else 0)
        # Where an arc is left out the bounds of others may rise: all are found anew until none is.
        spent, known = dict.fromkeys(range(len(self.after)), 0), None
        while spent != known:
            self.least = self._least(ends, before, spent)
            spent, known = self._least({_START: 0}, self.after, self.least), spent

    def _may_come_to(self, sums: int) -> bool:
        return (self.most - sums) & self.spare == self.spare

    def _least(self, begin: Mapping[int, int], arcs: _Arcs, beyond: Mapping[int, int]) -> dict[int, int]:
        """Return the least sums by node: Dijkstra's algorithm, and again where a lesser sum comes later.

        An arc is left out where its sums and the least *beyond* it come to too much.
        """
        spare = self.spare
        least = {node: due for node, due in begin.items() if node in beyond}
        queue = [(due, node) for node, due in least.items()]
        while queue:
            here, node = heappop(queue)
            if here != least[node]:
                continue
            for other, due in arcs[node]:
                rest = here + due
                if other not in beyond or not self._may_come_to(rest + beyond[other]):
                    continue
                if other in least:
                    known = least[other]
                    less = ((rest | spare) - known & spare) ^ spare
                    if not less:
                        continue
                    rest = known ^ (known ^ rest) & less - (less >> _WIDTH - 1)  # the lesser of each two sums
                least[other] = rest
                heappush(queue, (rest, other))
        return least

    def best(self, once: AbstractSet[Side], tries: int) -> tuple[Label | None, int]:
        """Return the best way, None where there is none, and how many of *tries* are left, 0 if they did not settle it.

        *once*: hex-sides that may not be used twice.
        """
        edges, least, spare = self.network.edges, self.least, self.spare
        bits = {laid: 1 << place for place, laid in enumerate(once)}
        lines = [sum([bits.get(laid, 0) for laid in edge.sides]) for edge in edges]
        fronts: dict[int, list[tuple[int, Label]]] = {}
        apart, spare_apart = self.apart, spare >> self.apart
        queue = [Label(0, (), (), _START, 0, 0)]
        while queue and tries:
            label = heappop(queue)
            promised, path, owners, node, paid, used = label
            if node % 2 and path[-1] in self.network.ends and promised == paid >> self.top:
                return label, tries
            tries -= 1
            front, most = fronts.setdefault(node, []), (paid | spare) >> apart
            cheaper = (other for sums, other in front if (most - sums) & spare_apart == spare_apart)
            if any(self._spares(other, label) for other in cheaper):
                continue
            front.append((paid >> apart, label))
            for following, due in self.after[node]:
                place = following // 2
                if following not in least or used & lines[place]:
                    continue
                sums, edge = paid + due + least[following], edges[place]
                if self._may_come_to(sums):
                    promised = max(sums >> self.top, sums >> self.top - _WIDTH & _FIELD)
                    way = path + edge.path[bool(path) :], owners + edge.owners
                    heappush(queue, Label(promised, *way, following, paid + due, used | lines[place]))
        return None, tries

    def _spares(self, other: Label, label: Label) -> bool:
        """Return whether a label at the same node is dominated by an *other* one that has paid no more."""
        less = label.paid - other.paid
        cost = less >> self.top
        has_own = cost <= (less >> self.top - _WIDTH & _FIELD)  # as much of it more than of others'
        return has_own and not other.used & ~label.used and (cost > 0 or other[1:3] < label[1:3])


def best_route(
    state: State,
    companies: Codes,
    race: Race,
    *,
    aim: str,
    most: int | None = None,
    free: Codes = (),
    tries: int = MOST_TRIES,
) -> Route | None:
    """Return the best legal route of a train in *race* on the track as it lies, None where there is none.

    *companies*: one, or the two of a joint train. *aim*: ``fastest`` is fewest movement points, then units of toll, then
    hex-sides; ``cheapest`` is units, then points, then hex-sides; of equal ones the path first in the order of hexes, and on
    it the owners first in the order of play. *most*: units the whole route may cost. *free*: rivals whose track costs nothing
    without being own. Own track goes before a rival's on the same hex-side, unless a bridge or ferry of the rival's is free of
    toll.
    Tolls keep to the cap without netting; balances are not looked at. ``over`` names each rival, "" is own track.

    Where *tries* do not settle it the route has a fault, and the player must write it: mostly where caps and own track
    leave no route at all, and hardly ever unless own track must be the greater part. No other route is ever given.
    """
    network = network_of(state, companies, race, free)
    found, tries = best_walk(network, aim, all_demands(state, most), tries)
    if not tries:
        return Route(fault=complaint_of(UNSETTLED, "D6.2", race=race.number))
    if found is None:
        return None
    codes = ("", *network.rivals)
    return Route(path=found.path, over=tuple([codes[owner] for owner in found.owners]))


def why_none(
    state: State,
    companies: Codes,
    race: Race,
    *,
    most: int | None,
    free: Codes = (),
) -> str:
    """Return the code of what keeps a train from every route, where ``best_route`` has found none; as there."""
    network = network_of(state, companies, race, free)
    if network.ends.isdisjoint([edge.path[-1] for edge in network.edges[1:]]):
        return "illegal-no-track-between"
    found, left = best_walk(network, CHEAPEST, Demands(), tries=FEW_TRIES)
    if found is None and left:
        return "illegal-no-own-between"
    if most is not None and best_walk(network, CHEAPEST, all_demands(state, None), tries=FEW_TRIES)[0] is not None:
        return "illegal-none-so-cheap" if most else "illegal-none-over-own"
    return "illegal-no-best-route"


def all_demands(state: State, most: int | None) -> Demands:
    """Return all that the rules demand of a route, but that it uses no hex-side twice. Rule: D6.2, D6.4."""
    options = state.options
    cap = options.toll_cap if isinstance(options.toll_cap, int) else None
    return Demands(cap=cap, most=most, shares=options.own_share == "greater-part")


def best_walk(network: Network, aim: str, demands: Demands, tries: int = MOST_TRIES) -> tuple[Label | None, int]:
    """Return the best walk that keeps to all *demands*, None where there is none, and how many of *tries* are left.

    0 tries are left where they did not settle it.
    """
    # A low limit of the cost bars most ways from the first; it is raised until one keeps to it.
    once: AbstractSet[Side] = frozenset()
    least, most = 0, min(tries, SOON_TRIES)
    for more in (0, 1, 2, 4, 8, 16, 32, 0):
        search = Search(network, aim, demands, least + more * _BASE**2 if more else _ANY)
        once |= search.own  # hex-sides that are watched, and others as they come to light
        while True:
            found, left = search.best(once, most)
            sides = sides_on(found.path) if found else ()
            twice = [laid for place, laid in enumerate(sides) if laid in sides[:place]]
            if not twice:
                break
            # The fewer are watched the better. Mostly these are the ends of one run, and another way avoids one of them only.
            once |= {twice[0], twice[-1]}
        if found or bool(more) != bool(left):
            return found, left
        least, most = least or search.least[_START] >> search.top, left or tries
    return None, 0
