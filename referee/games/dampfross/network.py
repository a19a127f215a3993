"""The track on the board as a directed graph, for the search of routes. Rule: D6.2, D6.3.

An edge is hex-sides in one direction up to where a train has a choice: of the next hex-side, or of whose track it uses. So
which edges may follow an edge is known, and what each of them costs then. A node of the search is an edge that was run over,
and whether own track was used up to its end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeVar

from referee.core import Hex, Numbers, Path, Side, Value, side

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

    def tolls(
        self, sides: Iterable[Side], owners: Iterable[Owner], free: Collection[Owner], before: Owner | None = None
    ) -> dict[Owner, int]:
        """Return units by owner for the sides of a way after the track of *before*; that of *free* ones costs nothing."""
        tolls: dict[Owner, int] = {}
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

OWN = 0  # whose track: own, or a rival's place among the rivals, from 1


class Edge(NamedTuple):
    """Hex-sides in one direction, over certain owners' track."""

    path: Path
    sides: tuple[Side, ...]
    owners: Numbers  # by hex-side
    points: int
    onward: Numbers  # the places of those that may follow


class Network(Value):
    """The edges that a run may use from the start on, some of which lead nowhere."""

    edges: tuple[Edge, ...]  # the first is empty: a train at the start
    ends: frozenset[Hex]
    rivals: Codes  # in order of play, the first is owner 1
    tariff: Tariff
    free: frozenset[int]  # whose track costs nothing


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
    links = _links(state, rivals, tariff)

    @cache
    def heads(before: Hex, here: Hex) -> list[Head]:
        around = links.get(here, {}).items()
        onward = [
            each for each in around if each[0] != before and (not before or may_pass(board, before, here, each[0]))
        ]
        return [(here, there, owner) for there, owners in onward for owner in owners]

    todo: list[Head] = []
    places: dict[Head, int] = {}

    def places_of(heads: list[Head]) -> Numbers:
        for head in heads:
            if head not in places:
                todo.append(head)
                places[head] = len(todo)
        return tuple([places[head] for head in heads])

    edges = [Edge((), (), (), 0, places_of([head for start in starts for head in heads("", start)]))]
    for one, other, owner in todo:
        path, owners = [one, other], [owner]
        while path[-1] not in ends and len(follow := heads(path[-2], path[-1])) == 1 and follow[0][1] not in path:
            path.append(follow[0][1])
            owners.append(follow[0][2])
        points = sum([points_to_enter(board, here, there) for here, there in pairwise(path)])
        way = tuple(path)
        edges.append(Edge(way, sides_on(way), tuple(owners), points, places_of(heads(*path[-2:]))))
    return Network(
        edges=tuple(edges),
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
