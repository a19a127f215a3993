"""What track is worth to a company: the races between any two goals, by the way it would take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise

from referee.bots.dampfross.seeing import Mind
from referee.core.hexes import Hex
from referee.core.values import Value
from referee.games.dampfross.board.railmap import RailMap, ends_of, points_to_enter
from referee.games.dampfross.costs import step_refusal
from referee.games.dampfross.options import Options
from referee.games.dampfross.state import RACE, State, Table

FAR = 10**6
MOVE, TOLL = 10, 11  # tenths of a point of movement: a point, and a unit paid to a rival
SHARE = (20.0, 15.0, 10.0, 7.5, 6.0, 5.0)  # units that a train may expect by its number of rivals
SLOWER = 0.8  # units that a train loses with each point of movement by which its way is longer than need be
RACES = 42  # at most, of a whole game


class Goals(Value, eq=False):
    """Where races end: the hexes of each key or special, how many have the same, how many steps of land lie between them."""

    hexes: tuple[tuple[Hex, ...], ...]
    weight: tuple[int, ...]
    number: Mapping[int, int]  # key or special to its place here
    at: Mapping[Hex, tuple[int, ...]]  # places here of a hex
    apart: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=16)
def goals_of(board: RailMap, options: Options) -> Goals:
    """Return the goals of a map."""
    numbers = (*sorted(board.ends_of), *(special.number for special in board.specials))
    places: dict[tuple[Hex, ...], int] = {}
    for each in numbers:
        places.setdefault(ends_of(board, each), len(places))
    number = {each: places[ends_of(board, each)] for each in numbers}
    weight = [0] * len(places)
    for place in number.values():
        weight[place] += 1
    land = open_land(board, options)
    ways = [_steps_from(hexes, land) for hexes in places]
    return Goals(
        hexes=tuple(places),
        weight=tuple(weight),
        number=number,
        at={
            label: tuple(place for hexes, place in places.items() if label in hexes)
            for hexes in places
            for label in hexes
        },
        apart=tuple(
            tuple(min((way.get(label, FAR) for label in hexes), default=FAR) // MOVE for hexes in places)
            for way in ways
        ),
    )


def _steps_from(hexes: Sequence[Hex], land: Mapping[Hex, tuple[Hex, ...]]) -> dict[Hex, int]:
    """Return how many steps off each hex is."""
    found = dict.fromkeys(hexes, 0)
    todo = list(hexes)
    for label in todo:
        for other in land[label]:
            if other not in found:
                found[other] = found[label] + 1
                todo.append(other)
    return found


@lru_cache(maxsize=16)
def open_land(board: RailMap, options: Options) -> Mapping[Hex, tuple[Hex, ...]]:
    """Return where a step may be laid on the empty board. Rule: D2.2-D2.6."""
    empty = State(table=Table(board=board, options=options, players=()))
    return {
        label: tuple(other for other in board.linked(label) if step_refusal(empty, "", label, other, FAR) is None)
        for label in board.ground
    }


class Worth:
    """What a company's track is worth on a position, in units, and what more of it would be.

    Ways go over everybody's track, a rival's at its toll. Of each goal it is known how far each hex is on the track that lies.
    """

    def __init__(self, mind: Mind) -> None:
        state, self.company = mind.state, mind.company
        self.goals = goals_of(state.table.board, state.table.options)
        self._pairs = _pairs_of(state, self.goals)
        self._links: dict[Hex, list[tuple[Hex, int]]] = {}
        for (one, other), owners in state.track.items():
            self._link(state, one, other, own=self.company in owners)
        own = state.reached.get(self.company, frozenset())
        self._none = [FAR] * len(self.goals.hexes)
        self.near: dict[Hex, list[int]] = {label: self._none.copy() for label in (*self._links, *own)}
        for goal, hexes in enumerate(self.goals.hexes):
            self._reach(goal, [(0, label) for label in hexes if label in self.near])
        self._crowd = [
            frozenset(
                code
                for code in state.table.codes
                if code != self.company and not state.reached.get(code, frozenset()).isdisjoint(hexes)
            )
            for hexes in self.goals.hexes
        ]
        self.apart = self._apart()

    def _apart(self) -> list[list[int]]:
        """Return how far goals are from each other."""
        known = [[self.near[label] for label in hexes if label in self.near] for hexes in self.goals.hexes]
        places = range(len(known))
        return [[min([costs[goal] for costs in other], default=FAR) for other in known] for goal in places]

    def _reach(self, goal: int, todo: list[tuple[int, Hex]]) -> None:
        """Write of each hex how far it is from a goal, where it is nearer than was known. *todo*: what is known, as a heap."""
        near, links = self.near, self._links
        while todo:
            cost, label = heappop(todo)
            if cost < near[label][goal]:
                near[label][goal] = cost
                for other, step in links.get(label, ()):
                    if cost + step < near[other][goal]:
                        heappush(todo, (cost + step, other))

    def lay(self, state: State, path: Sequence[Hex]) -> None:
        """Reckon with a stretch as if it lay there."""
        for label in path:
            self.near.setdefault(label, self._none.copy())
        for one, other in pairwise(path):
            self._link(state, one, other, own=True)
        for goal in range(len(self._none)):
            todo = [(0, label) for label in path if goal in self.goals.at.get(label, ()) and self.near[label][goal]]
            for one, other in (*pairwise(path), *pairwise(reversed(path))):
                todo.append((self.near[one][goal] + MOVE, other))
            self._reach(goal, sorted(todo))
        self.apart = self._apart()

    def detour(self, one: Hex, other: Hex) -> int:
        """Return by how much two places of the network are at least differently far from some goal, in tenths of a point."""
        return max(
            abs(here - there) for here, there in zip(self.near[one], self.near[other], strict=True) if there < FAR
        )

    def _link(self, state: State, one: Hex, other: Hex, *, own: bool) -> None:
        board = state.table.board
        moves = points_to_enter(board, one, other) + points_to_enter(board, other, one)
        cost = moves * MOVE // 2 + (0 if own else TOLL)
        self._links.setdefault(one, []).append((other, cost))
        self._links.setdefault(other, []).append((one, cost))

    def gain(self, path: Sequence[Hex]) -> float:
        """Return how much more the company's track would be worth with a stretch that begins on it, in units."""
        at, near, apart = self.goals.at, self.near, self.apart
        stops = [(place, label) for place, label in enumerate(path) if label in near or label in at]
        known = [near.get(label, self._none) for _, label in stops]
        nearer: dict[tuple[int, int], int] = {}
        for place, label in stops:
            before = near.get(label, self._none)
            there = before.copy()
            for (other, _), costs in zip(stops, known, strict=True):
                if other != place:
                    way = MOVE * abs(other - place)
                    there = [cost if cost < one + way else one + way for cost, one in zip(there, costs, strict=True)]
            for goal in at.get(label, ()):
                there[goal] = 0
            far = [(goal, cost) for goal, cost in enumerate(there) if cost < FAR]
            for goal, cost in far:
                if cost < before[goal]:
                    row = apart[goal]
                    for other, rest in far:
                        if cost + rest < row[other]:
                            key = (goal, other) if goal < other else (other, goal)
                            if cost + rest < nearer.get(key, FAR):
                                nearer[key] = cost + rest
        total = 0.0
        for (goal, other), cost in nearer.items():
            if weight := self._pairs.get((goal, other), 0.0):
                total += weight * (self._value(goal, other, cost) - self._value(goal, other, apart[goal][other]))
        return total

    def _value(self, goal: int, other: int, cost: int) -> float:
        """Return what a race between two goals brings by a way of so many tenths of a point, in units."""
        if cost >= FAR:
            return 0.0
        rivals = len(self._crowd[goal] & self._crowd[other])
        return max(0.0, SHARE[rivals] - SLOWER * max(0.0, cost / MOVE - self.goals.apart[goal][other]))


def _pairs_of(state: State, goals: Goals) -> dict[tuple[int, int], float]:
    """Return how many races to come there are between two goals: those announced, or those that may be drawn."""
    found: dict[tuple[int, int], float] = {}
    if any(race.status == "open" for race in state.races) and state.table.options.race_schedule != "dice":
        for race in state.races:
            one, other = sorted((goals.number[race.start], goals.number[race.end]))
            ahead = race.round > state.round or state.phase != RACE
            found[one, other] = found.get((one, other), 0.0) + (1.0 if ahead else 0.3)
        return found
    total = sum(goals.weight)
    left = RACES
    for one, weight in enumerate(goals.weight):
        for other in range(one + 1, len(goals.weight)):
            found[one, other] = 2 * left * weight * goals.weight[other] / total**2
    return found
