"""All track on the board as lines between knots, for the search of routes. Rule: D6.2, D6.3.

A train never has to choose on a line: knots are where track branches, where the race may start or end, where there is a choice
of owners. What no run from start to end can use without coming back over the same hex-side is left out.

Entries of a round are looked at one after another on the same track: what was made of it last is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count, pairwise, permutations
from typing import NamedTuple

from referee.core.hexes import Hex, Side
from referee.games.dampfross.board.railmap import RailMap, ends_of, points_to_enter
from referee.games.dampfross.position.state import NEUTRAL, Race, State

MayPass = Callable[[RailMap, Hex, Hex, Hex], bool]

OWN = 0  # whose track: own, or a rival's place among the rivals, from 1


class Line(NamedTuple):
    """A line over certain owners' track from one knot to the next, in one direction. Hexes are places in ``labels``."""

    place: int  # in ``Network.lines``
    number: int  # the same in both directions, and over each of several owners
    start: int
    hexes: tuple[int, ...]  # after ``start``, the next knot is the last
    owners: tuple[int, ...]
    own: int  # how many hex-sides are own track
    points: int
    tolls: tuple[tuple[int, int], ...]  # (rival, units), if a go begins at ``start``
    again: int  # how much less that is if a go over the first owner's track is under way


# A line seen from its last knot: (its first knot, first owner, last owner, whether there is own track, again, place).
Arrival = tuple[int, int, int, bool, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """The lines that a run from start to end may use."""

    labels: tuple[Hex, ...]  # in order, so that paths of places are in the order of paths of labels
    tariff: Tariff
    lines: tuple[Line, ...]
    exits: Mapping[int, tuple[Line, ...]]  # by knot
    arrivals: Mapping[int, tuple[Arrival, ...]]  # by knot
    starts: tuple[int, ...]
    ends: frozenset[int]
    rivals: tuple[str, ...]  # in order of play, the first is owner 1
    barred: frozenset[tuple[int, int, int]]  # (before, here, after): no train may run through like this


@dataclass(frozen=True, slots=True, kw_only=True)
class Tariff:
    """What the hex-sides of a way cost, and what a train is spared. Rule: D6.3."""

    again: int  # units that the first hex-side of a go costs more than each further one
    special: Mapping[tuple[int, int], int]  # bridges and ferries with a toll of their own, in both directions
    free: frozenset[int]  # rivals who take nothing

    def tolls(self, path: tuple[int, ...], owners: tuple[int, ...]) -> dict[int, int]:
        """Return units by rival, where a go begins with the path."""
        tolls: dict[int, int] = {}
        before = OWN
        for step, owner in zip(pairwise(path), owners, strict=True):
            if owner != OWN and owner not in self.free:
                toll = self.special.get(step, 1 if owner == before else 1 + self.again)
                tolls[owner] = tolls.get(owner, 0) + toll
            before = owner
        return tolls

    def saved(self, path: tuple[int, ...], owners: tuple[int, ...]) -> int:
        """Return how much less is due if a go over the first owner's track is under way."""
        return self.again if owners[0] != OWN and owners[0] not in self.free and path[:2] not in self.special else 0

    @property
    def is_usual(self) -> bool:
        """Whether every hex-side over a rival costs a unit or more, so that no detour ever saves one."""
        return not self.free and all(toll > 0 for toll in self.special.values())


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
        by_hex=state.table.options.toll == "hexes",
        companies=companies,
        rivals=tuple(code for code in (*state.table.codes, NEUTRAL) if code not in companies),
        free=free,
        may_pass=may_pass,
    )
    return _network(running, race.start, race.end)


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """The track of a position: the same only where it is the same mapping, which nobody ever changes in place."""

    track: Mapping[Side, tuple[str, ...]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Laid) and self.track is other.track

    def __hash__(self) -> int:
        return id(self.track)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Running:
    """All that decides which hex-sides a train may use, whatever the race."""

    track: _Laid
    board: RailMap
    by_hex: bool  # option toll
    companies: tuple[str, ...]
    rivals: tuple[str, ...]
    free: tuple[str, ...]
    may_pass: MayPass


@lru_cache(maxsize=64)  # all trains of a round of races in the orders of a player or two
def _network(running: _Running, start: int, end: int) -> Network:
    sides = _sides_of(running)
    labels, board = sides.labels, running.board
    places = {label: place for place, label in enumerate(labels)}
    starts = [places[label] for label in ends_of(board, start) if label in places]
    ends = [places[label] for label in ends_of(board, end) if label in places]
    kept = _core([[(other, number) for other, (number, _) in way.items()] for way in sides.ways], starts, ends)
    sides = sides.within(kept)
    knots = sides.knots(frozenset((*starts, *ends)))
    lines = tuple(sides.lines(knots))
    return Network(
        labels=labels,
        tariff=sides.tariff,
        lines=lines,
        exits=_exits(knots, lines),
        arrivals=_arrivals(knots, lines),
        starts=tuple(place for place in starts if place in kept),
        ends=frozenset(ends) & kept,
        rivals=running.rivals,
        barred=sides.barred,
    )


@lru_cache(maxsize=16)  # all trains of a position, joint ones not counted
def _sides_of(running: _Running) -> _Sides:
    board = running.board
    built = {laid: codes for laid, codes in running.track.track.items() if codes}
    track = {**dict.fromkeys(sorted(board.permitted), (NEUTRAL,)), **built}
    labels = tuple(sorted({label for laid in track for label in laid}))
    places = {label: place for place, label in enumerate(labels)}
    tariff = Tariff(
        again=1 if running.by_hex else 0,
        special={pair: toll for laid, toll in _special_tolls(board) for pair in _both_ways(places, laid)},
        free=frozenset(owner for owner, code in enumerate(running.rivals, start=1) if code in running.free),
    )
    ways = _ways(track, places, running.companies, running.rivals, tariff)
    barred = _barred(board, labels, ways, running.may_pass)
    return _Sides(labels=labels, board=board, ways=ways, barred=barred, tariff=tariff)


# For each hex its neighbours, with the number of the hex-side between and whose track may be used there.
_Ways = list[dict[int, tuple[int, tuple[int, ...]]]]


def _ways(
    track: Mapping[Side, tuple[str, ...]],
    places: Mapping[Hex, int],
    companies: tuple[str, ...],
    rivals: tuple[str, ...],
    tariff: Tariff,
) -> _Ways:
    owner_of = {code: owner for owner, code in enumerate(rivals, start=1)}
    ways: _Ways = [{} for _ in places]
    for number, ((one, other), codes) in enumerate(track.items(), start=1):
        here, there = places[one], places[other]
        own = any(code in companies for code in codes)
        owners = tuple(sorted(owner_of[code] for code in codes if code not in companies))
        if own:
            owners = (OWN, *(owners if tariff.again and tariff.special.get((here, there)) == 0 else ()))
        ways[here][there] = ways[there][here] = (number, owners)
    return ways


def _special_tolls(board: RailMap) -> Iterator[tuple[Side, int]]:
    for laid, bridge in board.bridges.items():
        if bridge.toll is not None and laid not in board.ferries:
            yield laid, bridge.toll
    for laid, ferry in board.ferries.items():
        yield laid, ferry.toll


def _both_ways(places: Mapping[Hex, int], laid: Side) -> tuple[tuple[int, int], ...]:
    one, other = (places.get(label) for label in laid)
    return () if one is None or other is None else ((one, other), (other, one))


def _barred(board: RailMap, labels: tuple[Hex, ...], ways: _Ways, may_pass: MayPass) -> frozenset[tuple[int, int, int]]:
    if may_pass is passes_anywhere:
        return frozenset()
    return frozenset(
        (before, here, after)
        for here, way in enumerate(ways)
        for before, after in permutations(way, 2)
        if not may_pass(board, labels[before], labels[here], labels[after])
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
        found[line.hexes[-1]].append((line.start, first, last, line.own > 0, line.again, line.place))
    return {knot: tuple(ways) for knot, ways in found.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sides:
    """The hex-sides that may be used, before they are made into lines."""

    labels: tuple[Hex, ...]
    board: RailMap
    ways: _Ways
    barred: frozenset[tuple[int, int, int]]
    tariff: Tariff

    def within(self, kept: frozenset[int]) -> _Sides:
        """Return the hex-sides between hexes that are *kept*."""
        ways = [
            {other: what for other, what in way.items() if other in kept} if here in kept else {}
            for here, way in enumerate(self.ways)
        ]
        barred = frozenset(turn for turn in self.barred if kept.issuperset(turn))
        return replace(self, ways=ways, barred=barred)

    def knots(self, terminals: frozenset[int]) -> tuple[int, ...]:
        """Return where lines meet."""
        barred = {here for _, here, _ in self.barred}
        return tuple(
            here
            for here, way in enumerate(self.ways)
            if here in terminals
            or here in barred
            or (way and (len(way) != 2 or any(len(owners) > 1 for _, owners in way.values())))
        )

    def lines(self, knots: tuple[int, ...]) -> Iterator[Line]:
        """Give the lines from each knot, one for each owner that can be chosen."""
        numbers, stops = count(), frozenset(knots)
        for knot in knots:
            for first in self.ways[knot]:
                path = self._followed(knot, first, stops)
                steps = [self.ways[here][there] for here, there in pairwise(path)]
                points = sum(
                    points_to_enter(self.board, *step) for step in pairwise([self.labels[place] for place in path])
                )
                # Where there is a choice of owners both hexes are knots.
                fixed = tuple(owners[0] for _, owners in steps)
                for owners in [fixed] if len(steps) > 1 else [(owner,) for owner in steps[0][1]]:
                    tolls = self.tariff.tolls(path, owners)
                    yield Line(
                        place=next(numbers),
                        number=min(number for number, _ in steps),
                        start=knot,
                        hexes=path[1:],
                        owners=owners,
                        own=owners.count(OWN),
                        points=points,
                        tolls=tuple(tolls.items()),
                        again=self.tariff.saved(path, owners),
                    )

    def _followed(self, knot: int, first: int, knots: frozenset[int]) -> tuple[int, ...]:
        path = [knot, first]
        while path[-1] not in knots:
            one, other = self.ways[path[-1]]
            path.append(other if one == path[-2] else one)
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
