"""All track on the board as lines between knots, for the search of routes. Rule: D6.2, D6.3.

A train never has to choose on a line: knots are where track branches, where the race may start or end, where there is a choice
of owners. What no run from start to end can use without coming back over the same hex-side is left out.

Entries of a round are looked at one after another on the same track: what was made of it last is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import count, pairwise, permutations
from typing import NamedTuple

from msgspec import field
from msgspec.structs import replace

from referee.core.hexes import Hex, Side, side
from referee.core.values import Value
from referee.games.dampfross.board.railmap import RailMap, ends_of, points_to_enter
from referee.games.dampfross.position.state import NEUTRAL, Race, State
from referee.games.dampfross.route.tolls import Tariff, tariff_of

MayPass = Callable[[RailMap, Hex, Hex, Hex], bool]

OWN = 0  # whose track: own, or a rival's place among the rivals, from 1


class Line(NamedTuple):
    """A line over certain owners' track from one knot to the next, in one direction. Its path are places in ``hexes``."""

    place: int  # in ``Network.lines``
    number: int  # the same in both directions, and over each of several owners
    start: int
    path: tuple[int, ...]  # after ``start``, the next knot is the last
    owners: tuple[int, ...]
    own: int  # how many hex-sides are own track
    points: int
    tolls: tuple[tuple[int, int], ...]  # (rival, units), if a go begins at ``start``
    again: int  # how much less that is if a go over the first owner's track is under way


# A line seen from its last knot: (its first knot, first owner, last owner, whether there is own track, again, place).
Arrival = tuple[int, int, int, bool, int, int]


class Network(Value):
    """The lines that a run from start to end may use."""

    hexes: tuple[Hex, ...]  # in order, so that paths of places are in the order of paths of hexes
    tariff: Tariff
    free: frozenset[int]  # whose track costs nothing
    usual: bool  # whether every hex-side over a rival costs a unit or more, so that no detour ever saves one
    lines: tuple[Line, ...]
    exits: Mapping[int, tuple[Line, ...]]  # by knot
    arrivals: Mapping[int, tuple[Arrival, ...]]  # by knot
    starts: tuple[int, ...]
    ends: frozenset[int]
    rivals: tuple[str, ...]  # in order of play, the first is owner 1
    barred: frozenset[tuple[int, int, int]]  # (before, here, after): no train may run through like this

    def tolls(self, path: tuple[int, ...], owners: tuple[int, ...]) -> dict[int, int]:
        """Return units by rival, where a go begins with the path."""
        sides = [side(self.hexes[one], self.hexes[other]) for one, other in pairwise(path)]
        return self.tariff.tolls(sides, owners, self.free)


def passes_anywhere(board: RailMap, before: Hex, here: Hex, after: Hex) -> bool:
    """Return True: a train that came from *before* may run through *here* to *after*."""
    return True


def network_of(
    state: State,
    companies: tuple[str, ...],
    race: Race,
    may_pass: MayPass = passes_anywhere,
    free: tuple[str, ...] = (),
) -> Network:
    """Return the network for a train in a race. Own track goes before a rival's, except before a bridge that costs nothing.

    *free*: rivals whose track costs nothing without being own. Rule: D2.6 (the neutral railway is a rival), R9.
    """
    running = _Running(
        track=_Laid(state.track),
        board=state.table.board,
        tariff=tariff_of(state.table.board, state.table.options.toll),
        companies=companies,
        rivals=tuple(code for code in (*state.table.codes, NEUTRAL) if code not in companies),
        free=free,
        may_pass=may_pass,
    )
    return _network(running, race.start, race.end)


class _Laid(Value, kw_only=False, eq=False):
    """The track of a position: the same only where it is the same mapping, which nobody ever changes in place."""

    track: Mapping[Side, tuple[str, ...]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Laid) and self.track is other.track

    def __hash__(self) -> int:
        return id(self.track)


class _Running(Value):
    """All that decides which hex-sides a train may use, whatever the race."""

    track: _Laid
    board: RailMap
    tariff: Tariff
    companies: tuple[str, ...]
    rivals: tuple[str, ...]
    free: tuple[str, ...]
    may_pass: MayPass


@lru_cache(maxsize=64)  # all trains of a round of races in the orders of a player or two
def _network(running: _Running, start: int, end: int) -> Network:
    sides = _sides_of(running)
    places = {each: place for place, each in enumerate(sides.hexes)}
    starts = [places[each] for each in ends_of(running.board, start) if each in places]
    ends = [places[each] for each in ends_of(running.board, end) if each in places]
    kept = _core([[(other, leg.number) for other, leg in legs.items()] for legs in sides.legs], starts, ends)
    sides = sides.within(kept)
    knots = sides.knots(frozenset((*starts, *ends)))
    lines = tuple(sides.lines(knots))
    return Network(
        hexes=sides.hexes,
        tariff=running.tariff,
        free=sides.free,
        usual=sides.usual,
        lines=lines,
        exits=_exits(knots, lines),
        arrivals=_arrivals(knots, lines),
        starts=tuple(place for place in starts if place in kept),
        ends=frozenset(ends) & kept,
        rivals=running.rivals,
        barred=sides.barred,
    )


class _Leg(NamedTuple):
    """A hex-side with track, in one direction."""

    number: int  # of the hex-side, from 1
    laid: Side
    owners: tuple[int, ...]  # whose track may be used
    points: int


_Legs = list[dict[int, _Leg]]  # for each hex, to its neighbours


@lru_cache(maxsize=16)  # all trains of a position, joint ones not counted
def _sides_of(running: _Running) -> _Sides:
    board, special = running.board, running.tariff.special
    built = {laid: codes for laid, codes in running.track.track.items() if codes}
    track = {**dict.fromkeys(sorted(board.permitted), (NEUTRAL,)), **built}
    hexes = tuple(sorted({each for laid in track for each in laid}))
    legs = _legs(running, track, {each: place for place, each in enumerate(hexes)})
    return _Sides(
        hexes=hexes,
        legs=legs,
        barred=_barred(board, hexes, legs, running.may_pass),
        tariff=running.tariff,
        free=frozenset((OWN, *(owner for owner, code in enumerate(running.rivals, start=1) if code in running.free))),
        usual=not running.free and all(special.get(laid, 1) > 0 for laid in track),
    )


def _legs(running: _Running, track: Mapping[Side, tuple[str, ...]], places: Mapping[Hex, int]) -> _Legs:
    owner_of = {code: owner for owner, code in enumerate(running.rivals, start=1)}
    legs: _Legs = [{} for _ in places]
    for number, (laid, codes) in enumerate(track.items(), start=1):
        owners = tuple(sorted(owner_of[code] for code in codes if code not in running.companies))
        if len(owners) < len(codes):
            bridging = running.tariff.again and running.tariff.special.get(laid) == 0
            owners = (OWN, *(owners if bridging else ()))
        for one, other in (laid, laid[::-1]):
            points = points_to_enter(running.board, one, other)
            legs[places[one]][places[other]] = _Leg(number, laid, owners, points)
    return legs


def _barred(board: RailMap, hexes: tuple[Hex, ...], legs: _Legs, may_pass: MayPass) -> frozenset[tuple[int, int, int]]:
    if may_pass is passes_anywhere:
        return frozenset()
    return frozenset(
        (before, here, after)
        for here, around in enumerate(legs)
        for before, after in permutations(around, 2)
        if not may_pass(board, hexes[before], hexes[here], hexes[after])
    )


def mirrored(network: Network) -> Network:
    """Return the network for runs from the end to the start, over the same lines for the same tolls.

    A go that is under way spares its first hex-side everywhere, on bridges and ferries too: no way is dearer than it is.
    """
    lines = tuple(
        [
            line._replace(
                start=line.path[-1],
                path=(*line.path[-2::-1], line.start),
                owners=line.owners[::-1],
                again=network.tariff.again,
            )
            for line in network.lines
        ]
    )
    knots = tuple(network.exits)
    return replace(
        network,
        lines=lines,
        exits=_exits(knots, lines),
        arrivals=_arrivals(knots, lines),
        starts=tuple(sorted(network.ends)),
        ends=frozenset(network.starts),
        barred=frozenset((after, here, before) for before, here, after in network.barred),
    )


def _exits(knots: tuple[int, ...], lines: tuple[Line, ...]) -> dict[int, tuple[Line, ...]]:
    found: dict[int, list[Line]] = {knot: [] for knot in knots}
    for line in lines:
        found[line.start].append(line)
    return {knot: tuple(ways) for knot, ways in found.items()}


def _arrivals(knots: tuple[int, ...], lines: tuple[Line, ...]) -> dict[int, tuple[Arrival, ...]]:
    found: dict[int, list[Arrival]] = {knot: [] for knot in knots}
    for line in lines:
        first, last = line.owners[0], line.owners[-1]
        found[line.path[-1]].append((line.start, first, last, line.own > 0, line.again, line.place))
    return {knot: tuple(ways) for knot, ways in found.items()}


class _Sides(Value):
    """The hex-sides that may be used, before they are made into lines."""

    hexes: tuple[Hex, ...]
    legs: _Legs
    barred: frozenset[tuple[int, int, int]]
    tariff: Tariff
    free: frozenset[int]  # whose track costs nothing
    usual: bool
    # By path, its lines as if each were the first: most are the same in every race.
    drawn: dict[tuple[int, ...], tuple[Line, ...]] = field(default_factory=dict)

    def within(self, kept: frozenset[int]) -> _Sides:
        """Return the hex-sides between hexes that are *kept*."""
        legs = [
            {other: leg for other, leg in around.items() if other in kept} if here in kept else {}
            for here, around in enumerate(self.legs)
        ]
        return replace(self, legs=legs, barred=frozenset(turn for turn in self.barred if kept.issuperset(turn)))

    def knots(self, terminals: frozenset[int]) -> tuple[int, ...]:
        """Return where lines meet."""
        barred = {here for _, here, _ in self.barred}
        return tuple(
            here
            for here, legs in enumerate(self.legs)
            if here in terminals
            or here in barred
            or (legs and (len(legs) != 2 or any(len(leg.owners) > 1 for leg in legs.values())))
        )

    def lines(self, knots: tuple[int, ...]) -> Iterator[Line]:
        """Give the lines from each knot, one for each owner that can be chosen."""
        places, stops = count(), frozenset(knots)
        for knot in knots:
            for first in self.legs[knot]:
                path = self._followed(knot, first, stops)
                if path not in self.drawn:
                    self.drawn[path] = self._lines_on(path)
                for line in self.drawn[path]:
                    yield Line(next(places), *line[1:])

    def _lines_on(self, path: tuple[int, ...]) -> tuple[Line, ...]:
        legs = [self.legs[here][there] for here, there in pairwise(path)]
        # Where there is a choice of owners both hexes are knots.
        owners = [(owner, *[leg.owners[0] for leg in legs[1:]]) for owner in legs[0].owners]
        return tuple([self._line(path, legs, each) for each in owners])

    def _line(self, path: tuple[int, ...], legs: list[_Leg], owners: tuple[int, ...]) -> Line:
        sides = [leg.laid for leg in legs]
        return Line(
            place=0,
            number=min([leg.number for leg in legs]),
            start=path[0],
            path=path[1:],
            owners=owners,
            own=owners.count(OWN),
            points=sum([leg.points for leg in legs]),
            tolls=tuple(self.tariff.tolls(sides, owners, self.free).items()),
            again=0 if owners[0] in self.free or sides[0] in self.tariff.special else self.tariff.again,
        )

    def _followed(self, knot: int, first: int, knots: frozenset[int]) -> tuple[int, ...]:
        """Return the whole way from a knot to the next one."""
        path, before, here = [knot, first], knot, first
        while here not in knots:
            one, other = self.legs[here]
            before, here = here, other if one == before else one
            path.append(here)
        return tuple(path)


def _core(links: list[list[tuple[int, int]]], starts: list[int], ends: list[int]) -> frozenset[int]:
    """Return the hexes that a run from a start to an end without a hex-side used twice may touch.

    Starts and ends are tied together outside the board: what lies behind a bridge, seen from there, is not touched.
    *links*: (neighbour, number of the hex-side, from 1) by hex.
    """
    root = len(links)
    links = [*links, []]
    for knot, place in enumerate((*starts, *ends), start=1):
        links[root].append((place, -knot))
        links[place].append((root, -knot))
    order, via, above = {root: 0}, {root: 0}, {root: root}  # by a search in depth
    todo = [(root, iter(links[root]))]
    while todo:
        here, others = todo[-1]
        for other, number in others:
            if other not in order:
                order[other], via[other], above[other] = len(order), number, here
                todo.append((other, iter(links[other])))
                break
        else:
            todo.pop()
    return _on_rings(links, order, via, above) - {root}


def _on_rings(
    links: list[list[tuple[int, int]]], order: dict[int, int], via: dict[int, int], above: dict[int, int]
) -> frozenset[int]:
    """Return what no single link parts from the root, the first in *order*."""
    low = dict(order)  # the first that a place and those below it are tied to, not counting the link to the one above
    for here in reversed(order):
        for other, number in links[here]:
            if number == via[other]:
                low[here] = min(low[here], low[other])
            elif number != via[here]:
                low[here] = min(low[here], order[other])
    kept: set[int] = set()
    for here in order:
        if not kept or (above[here] in kept and low[here] <= order[above[here]]):
            kept.add(here)
    return frozenset(kept)
