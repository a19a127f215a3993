"""The track on the board as a directed graph, for the search of routes. Rule: D6.2, D6.3.

An edge is hex-sides in one direction up to where a train has a choice: of the next hex-side, or of whose track it uses. So
which edges may follow an edge is known, and what each of them costs then. A node of the search is an edge that was run over,
and whether own track was used up to its end.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from heapq import heapify, heappop, heappush
from itertools import combinations, pairwise
from typing import NamedTuple, TypeVar

from referee.core import Numbers, Value
from referee.core.hexes import Hex, Path, Side, side

from .board import RailMap, ends_of, points_to_enter
from .state import NEUTRAL, Codes, Race, State

# What a train pays for a rival's track, the rate and the most of it. Rule: D6.3, D6.4.

NO_CAP = 10**6

Owner = TypeVar("Owner", str, int)  # a company's code, or its place among others


def cap_of(state: State) -> int:
    """Return the most one train may pay one rival. Rule: D6.4 (``toll_cap``)."""
    cap = state.options.toll_cap
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


Links = Mapping[Hex, Mapping[Hex, Numbers]]  # whose track may be used, by both hexes
Head = tuple[Hex, Hex, int]  # how an edge begins: two hexes, and whose track is used between them

Arcs = list[list[tuple[int, int]]]  # by node, others with what is due between

OWN = 0  # whose track: own, or a rival's place among the rivals, from 1


class Edge(NamedTuple):
    """Hex-sides in one direction, over certain owners' track."""

    path: Path
    owners: Numbers  # by hex-side
    own: int  # hex-sides of own track
    points: int
    tolls: Mapping[int, int]  # units by rival, if a go begins with it
    saved: int  # how many units less that is if a go over the first owner's track is under way

    @property
    def sides(self) -> tuple[Side, ...]:
        """The hex-sides in its order."""
        return sides_on(self.path)


class Network(Value):
    """The edges that a run may use from the start on; those that lead nowhere are mostly left out."""

    edges: tuple[Edge, ...]  # the first ones begin at the start
    starts: int  # how many do
    onward: tuple[Numbers, ...]  # by edge, the places of those that may follow
    ends: frozenset[Hex]
    rivals: Codes  # in order of play, the first is owner 1
    tariff: Tariff
    free: frozenset[int]  # whose track costs nothing

    def tolls(self, path: Path, owners: Numbers) -> dict[int, int]:
        """Return units by rival, where a go begins with the path."""
        return self.tariff.tolls(sides_on(path), owners, self.free)


def may_pass(board: RailMap, before: Hex, here: Hex, after: Hex) -> bool:
    """Return whether a train may run through *here*: foreign hexes only along permitted builds, or where the map is free.

    Rule: D2.6.
    """
    if not board.is_foreign(here) or board.foreign_build == "free":
        return True
    return side(before, here) in board.permitted and side(here, after) in board.permitted


def sides_on(path: Path) -> tuple[Side, ...]:
    """Return the hex-sides of a path, some perhaps twice."""
    return tuple([side(one, other) for one, other in pairwise(path)])


def network_of(
    state: State,
    companies: Codes,
    race: Race,
    free: Codes = (),
) -> Network:
    """Return the network for a train in a race. Own track goes before a rival's, except before a bridge that costs nothing.

    *free*: rivals whose track costs nothing without being own. Rule: D2.6 (the neutral railway is a rival), R9.
    """
    board, tariff = state.board, tariff_of(state.board, state.options.toll)
    rivals = tuple(code for code in (*state.codes, NEUTRAL) if code not in companies)
    unpaid = frozenset((OWN, *[owner for owner, code in enumerate(rivals, start=1) if code in free]))
    starts, ends = (ends_of(board, number) for number in (race.start, race.end))
    links = _core(_links(state, rivals, tariff), starts, ends)

    @cache
    def heads(before: Hex, here: Hex) -> list[Head]:
        around = links.get(here, {}).items()
        onward = [
            each for each in around if each[0] != before and (not before or may_pass(board, before, here, each[0]))
        ]
        return [(here, there, owner) for there, owners in onward for owner in owners]

    todo = [head for start in starts for head in heads("", start)]
    places, starting = {head: place for place, head in enumerate(todo)}, len(todo)
    edges: list[Edge] = []
    onward: list[Numbers] = []
    for one, other, owner in todo:
        path, owners = [one, other], [owner]
        while path[-1] not in ends and len(follow := heads(path[-2], path[-1])) == 1 and follow[0][1] not in path:
            path.append(follow[0][1])
            owners.append(follow[0][2])
        follow = heads(path[-2], path[-1])
        new = [head for head in follow if head not in places]
        places |= {head: len(todo) + place for place, head in enumerate(new)}
        todo += new
        onward.append(tuple([places[head] for head in follow]))
        sides = sides_on(tuple(path))
        edges.append(
            Edge(
                path=tuple(path),
                owners=tuple(owners),
                own=owners.count(OWN),
                points=sum([points_to_enter(board, here, there) for here, there in pairwise(path)]),
                tolls=tariff.tolls(sides, owners, unpaid),
                saved=0 if owner in unpaid or sides[0] in tariff.special else tariff.again,
            )
        )
    return Network(
        edges=tuple(edges),
        starts=starting,
        onward=tuple(onward),
        ends=frozenset(ends),
        rivals=rivals,
        tariff=tariff,
        free=unpaid,
    )


def _links(state: State, rivals: Codes, tariff: Tariff) -> Links:
    links: dict[Hex, dict[Hex, Numbers]] = {}
    for laid, codes in {**dict.fromkeys(state.board.permitted, (NEUTRAL,)), **state.track}.items():
        owners = tuple([owner for owner, code in enumerate(rivals, start=1) if code in codes])
        if len(owners) < len(codes):
            owners = (OWN, *(owners if tariff.again and tariff.special.get(laid) == 0 else ()))
        if owners:
            for here, there in (laid, laid[::-1]):
                links.setdefault(here, {})[there] = owners
    return links


def _core(links: Links, starts: Iterable[Hex], ends: Iterable[Hex]) -> Links:
    """Return the links on rings, where starts and ends are joined outside the board: a run over others would have to come back.

    Each link beside a spanning tree closes a ring, and has a bit. A link of the tree is on the rings whose bits are set just
    once below it: one on none is a bridge, and what is beyond it is left out.
    """
    outside = {"<": [">", *starts], ">": ["<", *ends]}
    around = {
        here: [*there, *[root for root, joined in outside.items() if here in joined]] for here, there in links.items()
    }
    around |= {root: [each for each in joined if each in around or each in outside] for root, joined in outside.items()}
    above, order = {"<": ""}, ["<"]
    for here in order:
        new = [there for there in around[here] if there not in above]
        above |= dict.fromkeys(new, here)
        order += new
    rings, bit = dict.fromkeys(("", *order), 0), 1
    for here in order:
        for there in around[here]:
            if here < there and above[there] != here and above[here] != there:
                rings[here] ^= bit
                rings[there] ^= bit
                bit <<= 1
    for here in reversed(order):
        rings[above[here]] ^= rings[here]
    kept = {"<"}
    for here in order:
        if rings[here] and above[here] in kept:
            kept.add(here)
    return {
        here: {there: owners for there, owners in links[here].items() if there in kept} for here in kept & links.keys()
    }


# What a way comes to, and what the rest of it comes to at least: costs, and what is limited. Rule: D6.2, D6.4.
#
# Tolls are limited for each rival, and so for each set of rivals together: a bound for the sum is far better than the sum of
# bounds. All sums lie side by side in one integer, a spare bit above each: one addition adds all of them, and one subtraction
# compares them, for a spare bit that is set before is borrowed from where a sum is too small.


class Demands(Value):
    """What a way is to keep to, beside that own track is used and no hex-side twice."""

    cap: int | None = None  # units that each rival may take
    most: int | None = None  # units of all tolls
    shares: bool = False  # whether own track must be the greater part


class Weights(NamedTuple):
    """What a way comes to."""

    units: Numbers  # by owner, for each unit of toll
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


def bounds_of(network: Network, weights: Weights, spare: int, width: int, most: int | None = None) -> Bounds:
    """Return the bounds of sums of that *width*; *most*: what a whole way may come to, with the spare bits."""
    begun = [network.tariff.again * units for units in weights.units]
    dues = [weights.of(edge) for edge in network.edges]
    going = [due - begun[edge.owners[0]] * bool(edge.saved) for due, edge in zip(dues, network.edges, strict=True)]
    least = _least(network, (dues, going), spare, width - 1, most)
    return Bounds(dues=dues, going=going, begun=begun, point=weights.point, least=least)


def _least(
    network: Network, dues: tuple[Sequence[int], Sequence[int]], spare: int, top: int, most: int | None
) -> dict[int, int]:
    """Return by node the least sums after it, of nodes over which a way may lead that comes to no more than *most*.

    Where a node is left out the bounds of others may rise: all are found anew until none is.
    """
    before, after = _arcs(network, dues)
    ends = {2 * place + 1: 0 for place, edge in enumerate(network.edges) if edge.path[-1] in network.ends}
    starts = {2 * place + (network.edges[place].own > 0): dues[0][place] for place in range(network.starts)}
    least, kept = _least_sums(ends, before, spare, top, None), None
    while most is not None:
        spent = _least_sums(starts, after, spare, top, kept)
        kept = {node for node in least.keys() & spent.keys() if (most - least[node] - spent[node]) & spare == spare}
        if kept == least.keys():
            break
        least = _least_sums(ends, before, spare, top, kept)
    return least


def _least_sums(
    begin: Mapping[int, int], arcs: Arcs, spare: int, top: int, kept: Container[int] | None
) -> dict[int, int]:
    """Return the least sums by node of *kept*: Dijkstra's algorithm, and again where a lesser sum comes later."""
    least = {node: due for node, due in begin.items() if kept is None or node in kept}
    queue, waiting = [(due, node) for node, due in least.items()], set(least)
    heapify(queue)
    while queue:
        _, node = heappop(queue)
        if node not in waiting:
            continue
        waiting.remove(node)
        here = least[node]
        for other, due in arcs[node]:
            if kept is not None and other not in kept:
                continue
            rest = here + due
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


def _arcs(network: Network, dues: tuple[Sequence[int], Sequence[int]]) -> tuple[Arcs, Arcs]:
    """Return by node those before it and those after it, each with what the later one costs then."""
    edges = network.edges
    before: Arcs = [[] for _ in range(2 * len(edges))]
    after: Arcs = [[] for _ in range(2 * len(edges))]
    for place, onward in enumerate(network.onward):
        last = edges[place].owners[-1]
        for follow in onward:
            due = dues[last == edges[follow].owners[0]][follow]
            for node, other in ((2 * place, 2 * follow + (edges[follow].own > 0)), (2 * place + 1, 2 * follow + 1)):
                before[other].append((node, due))
                after[node].append((other, due))
    return before, after


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
    limit = sum([one * most for one, (_, most) in zip(ones, sums, strict=True)]) + spare
    return Limits(
        bounds=bounds_of(network, weights, spare, width, limit if sums else None),
        most=limit,
        spare=spare,
        width=width,
        first=first,
        own=own,
    )
