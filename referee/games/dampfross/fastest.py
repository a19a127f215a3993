"""The best route a train may take, where a player leaves the choice to the referee. Rule: D6.2-D6.4, D6.6.

The answer is exact. A search first looks for the best walk with few demands (as a rule it breaks none). What the walk breaks, a
toll cap, the share of own track, a hex-side run over twice, is demanded in the next search. Each search allows all that is
legal, so the first walk that breaks nothing is the best route.

Without the share of own track no best walk comes to a hex twice: leaving out the loop costs no rival's account more. And
whoever may use own track does: a side over a rival in the middle of own ones costs no less. Only a bridge that costs nothing
may join two goes over a rival, so that there the choice is open.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush
from typing import NamedTuple

from referee.core import Numbers
from referee.core.hexes import Hex, Path, Side, cheapest_costs
from referee.core.orders import complaint_of

from .network import (
    OWN,
    Bounds,
    Demands,
    Limits,
    Network,
    Weights,
    bounds_of,
    limits_of,
    network_of,
    sides_on,
)
from .state import Codes, Race, Route, State

# How much more own track than rivals' the rest of a train's way can still be, for the search of routes. Rule: D6.2.
#
# All own track not used before, less the cheapest T-join: where the rest of a way and that track differ, hex-sides join in
# pairs the hexes where an odd number of such own sides meet, the train's own hex and its end counted once more. Each hex-side
# of difference costs one: own track left out, or a rival's used. Each hex has a share in halves, and no two have more between
# them than their distance: the sum of all shares is the bound. The share begins as half the way to the nearest other one, and
# grows where there is room, the farthest first.

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


# A resource-constrained shortest path: label setting, the label that promises most first (A*). Rule: D6.2-D6.4.
#
# A label is a way up to the end of an edge. It promises what it has cost and the rest costs at least; one that would break a
# limit whatever comes is dropped. So is one that is dominated: others at its hex have cost and paid no more, and can go on in
# each way in which it can.

_START = -2  # the node of a way without an edge
_DEAR = 4  # what one try counts while own track must be the greater part: it takes longer


class Label(NamedTuple):
    """A way, in the order in which ways are tried: of two that promise the same the first path."""

    least: int  # what it costs to the end at least
    path: Path
    owners: Numbers
    cost: int
    node: int
    paid: int  # all that is limited
    used: int  # bits of the hex-sides that may be used once


class Step(NamedTuple):
    """An edge after a node."""

    node: int
    path: Path  # what it adds to that of a way
    owners: Numbers
    cost: int
    least: int  # what the rest costs
    tilted: int  # the same, if a point came off each own hex-side and on each other one
    paid: int
    room: int  # what may have been paid before
    gain: int  # own hex-sides less others
    bits: int


class Search:
    """A search with fixed limits. *tilted*: as ``Step`` has it; *once*: hex-sides that may not be used twice."""

    def __init__(self, network: Network, cost: Bounds, tilted: Bounds, limits: Limits, once: tuple[Side, ...]) -> None:
        self.network, self.cost, self.tilted, self.limits = network, cost, tilted, limits
        bits = {laid: 1 << 2 * place for place, laid in enumerate(dict.fromkeys((*limits.own, *once)))}
        self.bits = [sum({bits.get(laid, 0) for laid in edge.sides}) for edge in network.edges]
        self.share = OwnShare(network, {laid: bits[laid] for laid in limits.own}) if limits.own else None
        self.steps: dict[int, dict[int, Step]] = {}
        self.fronts: dict[Hex, list[tuple[int, Label, dict[int, Step]]]] = {}
        # A row has all that a label is compared by but its cost: what is paid, the lack of own track, the lines used.
        width, first = limits.width, limits.first
        self.at = first * width, (first + 1) * width, (first + 2) * width
        self.spare = sum([1 << place * width - 1 for place in range(1, first + 3)])
        self.spare |= sum(bits.values()) << self.at[2] + 1
        self.first = (1 << first * width) - 1

    def best(self, tries: int) -> tuple[Label | None, int]:
        """Return the best way, None where there is none, and how many of *tries* are left, 0 if they did not settle it."""
        queue: list[Label] = []
        begin = Label(0, (), (), 0, _START, 0, 0)
        self._extend(begin, self._steps(begin), queue)
        while queue and tries:
            label = heappop(queue)
            if label.node % 2 and label.path[-1] in self.network.ends and (not self.share or _gain(label) > 0):
                return label, tries
            tries -= 1 if not self.share else min(tries, _DEAR)
            if not self.share or self.share.gain(label.path[-1], label.used) + _gain(label) > 0:
                self._extend(label, self._undominated(label), queue)
        return None, tries

    def _extend(self, label: Label, steps: dict[int, Step], queue: list[Label]) -> None:
        _, path, owners, cost, _, paid, used = label
        share, spare = self.share, self.limits.spare
        for step in steps.values():
            node, hexes, whose, due, least, tilted, pays, room, gain, bits = step
            if used & bits or (room - paid) & spare != spare:
                continue
            if share:  # what is still to be gained on own track was made cheaper
                least = max(least, tilted + (1 - gain - _gain(label)) * self.cost.point)
            due += cost
            heappush(queue, Label(due + least, path + hexes, owners + whose, due, node, paid + pays, used | bits))

    def _undominated(self, label: Label) -> dict[int, Step]:
        """Return the steps after a label that others do not spare it; where there are some it is kept for comparison."""
        _, path, owners, cost, node, paid, used = label
        at_own, at_gain, at_used = self.at
        row = paid & self.first | 1 - node % 2 << at_own | used << at_used
        if self.share:
            row |= len(self.share.bits) - _gain(label) << at_gain
        steps, front, spare, last = self._steps(label), self.fronts.setdefault(path[-1], []), self.spare, owners[-1]
        # Who comes over another's track may have to begin a go where this one is under way.
        room, cost_room = (row | spare) - (self.limits.bounds.begun[last] & self.first), cost - self.cost.begun[last]
        left = steps
        for other_row, other, other_steps in front:
            if other.owners[-1] == last:
                fits, most = ((row | spare) - other_row) & spare == spare, cost
            else:
                fits, most = (room - other_row) & spare == spare, cost_room
            if fits and (other.cost, other.path, other.owners) <= (most, path, owners):
                left = {place: step for place, step in left.items() if place not in other_steps}
                if not left:
                    return left
        front.append((row, label, steps))
        return left

    def _steps(self, label: Label) -> dict[int, Step]:
        """Return by edge the steps after a label from which there may be a way to the end."""
        node = label.node
        if node not in self.steps:
            last = label.owners[-1] if label.owners else OWN
            onward = range(self.network.starts) if node == _START else self.network.onward[node // 2]
            self.steps[node] = {
                place: self._step(place, node % 2, last, node == _START)
                for place in onward
                if 2 * place + (node % 2 or self.network.edges[place].own > 0) in self.limits.bounds.least
            }
        return self.steps[node]

    def _step(self, place: int, own: int, last: int, first: bool) -> Step:
        edge, cost, limits = self.network.edges[place], self.cost, self.limits.bounds
        is_going, node = edge.owners[0] == last, 2 * place + (1 if own or edge.own else 0)
        paid = (limits.going if is_going else limits.dues)[place]
        return Step(
            node=node,
            path=edge.path if first else edge.path[1:],
            owners=edge.owners,
            cost=(cost.going if is_going else cost.dues)[place],
            least=cost.least[node],
            tilted=self.tilted.least[node],
            paid=paid,
            room=self.limits.most - paid - limits.least[node],
            gain=2 * edge.own - len(edge.owners),
            bits=self.bits[place],
        )


def _gain(label: Label) -> int:
    """Return own hex-sides less others."""
    return 2 * label.owners.count(OWN) - len(label.owners)


FASTEST = "fastest"
CHEAPEST = "cheapest"
UNSETTLED = "illegal-best-route-unsettled"
MOST_TRIES = 100_000  # some seconds
FEW_TRIES = 800


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
    if all(edge.path[-1] not in network.ends for edge in network.edges):
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
    cost, limits = _cost(network, aim), limits_of(network, demands)
    tilted = _cost(network, aim, 1) if demands.shares else cost
    once: tuple[Side, ...] = ()  # hex-sides that are watched, as they came to light
    while True:
        found, tries = Search(network, cost, tilted, limits, once).best(tries)
        sides = sides_on(found.path) if found else ()
        twice = [laid for place, laid in enumerate(sides) if laid in sides[:place]]
        if not twice:
            return found, tries
        # The fewer are watched the better. Mostly these are the ends of one run, and another way avoids one of them only.
        once = tuple(dict.fromkeys((*once, *twice[:1], *twice[-1:])))


def _cost(network: Network, aim: str, tilt: int = 0) -> Bounds:
    """Return points, units and hex-sides as one number: what comes later in the aim never outweighs what comes before.

    *tilt*: points that come off each own hex-side and on each other one.
    """
    base = 1 << 16  # more than points, units or hex-sides of any walk that can be the best
    point, unit = {FASTEST: (base**2, base), CHEAPEST: (base, base**2)}[aim]
    units, tilt = (0, *[unit for _ in network.rivals]), tilt * point
    weights = Weights(units=units, point=point, own_side=1 - tilt, rival_side=1 + tilt)
    return bounds_of(network, weights, base**3 << 11, 60)
