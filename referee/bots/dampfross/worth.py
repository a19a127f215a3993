"""What a race is worth before its dice are thrown, and what track is worth to a company: the races between any two goals, by the
way it would take.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import combinations, pairwise

from referee.core import Hex, Numbers, Value, cheapest_costs
from referee.games.dampfross.board import RailMap, ends_of, points_to_enter
from referee.games.dampfross.costs import step_refusal
from referee.games.dampfross.options import Options
from referee.games.dampfross.racing import PRIZES, SHARED_PRIZES
from referee.games.dampfross.state import State, Table

from .. import THIRD
from .seeing import Mind, Same

Finish = tuple[int, int]  # race-round and, negative, the points left over: the least is first. Rule: D6.7
DIE = range(1, 7)
RUNS = 0.7  # how probably a rival enters a race that would suit it
FURTHEST = 60  # points of movement; a longer way counts as that


@lru_cache(maxsize=FURTHEST + 1)
def finishes(moves: int) -> Mapping[Finish, float]:
    """Return how probable each finish of a train is that has so many points of movement before it."""
    found: defaultdict[Finish, float] = defaultdict(float)
    under_way, race_round = {moves: 1.0}, 0
    while under_way:
        race_round += 1
        left: defaultdict[int, float] = defaultdict(float)
        for points, chance in under_way.items():
            for throw in DIE:
                if throw >= points:
                    found[race_round, points - throw] += chance / 6
                else:
                    left[points - throw] += chance / 6
        under_way = left
    return found


@lru_cache(maxsize=1 << 14)
def loss(mine: int, theirs: int) -> tuple[tuple[float, float], ...]:
    """Return, for each finish of a train, its chance and how probably a rival's comes in before it (equal ones half)."""
    found, ahead, others = [], 0.0, sorted(finishes(min(theirs, FURTHEST)).items(), reverse=True)
    for finish, chance in sorted(finishes(min(mine, FURTHEST)).items()):
        while others and others[-1][0] < finish:
            ahead += others.pop()[1]
        equal = others[-1][1] if others and others[-1][0] == finish else 0.0
        found.append((chance, ahead + equal / 2))
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def prize(mine: int, rivals: tuple[tuple[int, float], ...], shared: bool) -> float:
    """Return the prize that a train may expect, in units. *rivals*: points of movement, and how probably each runs; sorted."""
    if not rivals:
        return PRIZES[0]
    prizes: Sequence[int] = SHARED_PRIZES[len(rivals) + 1] if shared else PRIZES
    columns = [loss(mine, moves) for moves, _ in rivals]
    total = 0.0
    for place, (chance, _) in enumerate(columns[0]):
        ahead = [1.0]  # by how many are before it
        for column, (_, runs) in zip(columns, rivals, strict=True):
            lost = column[place][1] * runs
            ahead = [
                (ahead[n] if n < len(ahead) else 0.0) * (1 - lost) + (ahead[n - 1] * lost if n else 0.0)
                for n in range(len(ahead) + 1)
            ]
        total += chance * sum(part * units for part, units in zip(ahead, prizes, strict=False))
    return total


# The cost of a way: so many times its tenths of a point of movement, which decide, and the units of toll in them.
PAID = 256
MOVE, TOLL = 10 * PAID, 11 * PAID + 1  # a point of movement, and a unit paid to a rival
MOST_TOLL = 12  # units; a way that costs more is none
FAR = 2**30 - 1  # no way: its toll is more than that
RACES = 42  # at most, of a whole game


class Goals(Value, eq=False):
    """Where races end: the hexes of each key or special, how many have the same, how many steps of land lie between them."""

    hexes: tuple[tuple[Hex, ...], ...]
    weight: Numbers
    number: Mapping[int, int]  # key or special to its place here
    at: Mapping[Hex, Numbers]  # places here of a hex
    apart: tuple[Numbers, ...]


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
    steps = {label: [(other, 1) for other in land[label]] for label in land}
    ways = [cheapest_costs(hexes, steps.__getitem__, FAR) for hexes in places]
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
            tuple(min((way.get(label, FAR) for label in hexes), default=FAR) for hexes in places) for way in ways
        ),
    )


@lru_cache(maxsize=16)
def open_land(board: RailMap, options: Options) -> Mapping[Hex, tuple[Hex, ...]]:
    """Return where a step may be laid on the empty board. Rule: D2.2-D2.6."""
    empty = State(table=Table(board=board, options=options, players=()))
    return {
        label: tuple(other for other in board.steps_from(label) if not step_refusal(empty, "", label, other, FAR))
        for label in board.ground
    }


class Distances:
    """How far each goal is from the hexes with track, as a company finds it: over a rival's track at its toll."""

    def __init__(self, state: State, company: str) -> None:
        self._board = state.board
        self.goals = goals_of(self._board, state.options)
        self._links: dict[Hex, list[tuple[Hex, int]]] = {}
        for (one, other), owners in state.track.items():
            self._link(one, other, TOLL * (company not in owners))
        self.none = [FAR] * len(self.goals.hexes)
        self.near = {label: self.none.copy() for label in (*self._links, *state.reached.get(company, ()))}
        for goal, hexes in enumerate(self.goals.hexes):
            self._reach(goal, [(0, label) for label in hexes if label in self.near])

    def apart(self, goal: int, other: int) -> int:
        """Return how far two goals are from each other."""
        return min([self.near[label][goal] for label in self.goals.hexes[other] if label in self.near], default=FAR)

    def lay(self, path: Sequence[Hex]) -> None:
        """Reckon with a stretch as if it lay there."""
        for label in path:
            self.near.setdefault(label, self.none.copy())
        for one, other in pairwise(path):
            self._link(one, other, 0)
        for goal in range(len(self.none)):
            todo = [(0, label) for label in path if goal in self.goals.at.get(label, ()) and self.near[label][goal]]
            for one, other in (*pairwise(path), *pairwise(reversed(path))):
                todo.append((self.near[one][goal] + MOVE, other))
            self._reach(goal, sorted(todo))

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

    def _link(self, one: Hex, other: Hex, toll: int) -> None:
        moves = points_to_enter(self._board, one, other) + points_to_enter(self._board, other, one)
        self._links.setdefault(one, []).append((other, moves * MOVE // 2 + toll))
        self._links.setdefault(other, []).append((one, moves * MOVE // 2 + toll))


@lru_cache(maxsize=8)
def ways_of(position: Same, company: str) -> Distances:
    """Return a company's ways on a position; nothing is laid on them."""
    return Distances(position.state, company)


class Worth:
    """What more track is worth to a company in races to come, in units: by the dice, beside rivals as their track lies."""

    def __init__(self, mind: Mind) -> None:
        state = mind.state
        self._own = Distances(state, mind.company)
        self._guesses = state.phase == "build" or mind.strength != THIRD
        self._state, self._others = state, [code for code in state.codes if code != mind.company]
        at = self._own.goals.at
        self._reached = [{goal for label in state.reached[code] for goal in at.get(label, ())} for code in self._others]
        self._shared = state.options.prizes == "shared"
        limit = state.options.entries
        self._limit = limit if isinstance(limit, int) else RACES
        self._rounds = _races_of(state, self._own.goals)
        self._rivals = {(goal, other): self._rivals_of(goal, other) for each in self._rounds for goal, other, _ in each}
        self._races = list(self._to_beat())

    def _rivals_of(self, goal: int, other: int) -> tuple[tuple[int, float], ...]:
        if self._guesses:  # who is at both joins them by the shortest way
            there = sum(goal in reached and other in reached for reached in self._reached)
            return ((self._own.goals.apart[goal][other], RUNS),) * there
        costs = [ways_of(Same(self._state), code).apart(goal, other) for code in self._others]
        return tuple(sorted((_moves_of(cost), RUNS) for cost in costs if cost % PAID <= MOST_TOLL))

    def _to_beat(self) -> Iterator[tuple[int, int, float, int, float]]:
        """Yield the races with their ways of now, and what each must bring to be worth more than now, or than the last entry
        that a round allows.
        """
        for races in self._rounds:
            ways = [self._own.apart(goal, other) for goal, other, _ in races]
            now = [self._value(goal, other, way) for (goal, other, _), way in zip(races, ways, strict=True)]
            least = sorted(now, reverse=True)[self._limit - 1] if len(now) >= self._limit else 0.0
            for (goal, other, count), way, value in zip(races, ways, now, strict=True):
                yield goal, other, count, way, max(value, least)

    def lay(self, path: Sequence[Hex]) -> None:
        """Reckon with a stretch as if it lay there."""
        self._own.lay(path)
        self._races = list(self._to_beat())

    def detour(self, one: Hex, other: Hex) -> int:
        """Return by how much two places of the network are at least differently far from some goal."""
        near = self._own.near
        return max(abs(here - there) for here, there in zip(near[one], near[other], strict=True) if there < FAR)

    def gain(self, path: Sequence[Hex]) -> float:
        """Return how much more the company's track would be worth with a stretch that begins on it, in units."""
        at, near, none = self._own.goals.at, self._own.near, self._own.none
        stops = [(place, label) for place, label in enumerate(path) if label in near or label in at]
        ways = []
        for place, label in stops:
            there = near.get(label, none).copy()
            for other, stop in stops:
                way = MOVE * abs(other - place)
                costs = near.get(stop, none)
                there = [cost if cost < one + way else one + way for cost, one in zip(there, costs, strict=True)]
                for goal in at.get(stop, ()):
                    there[goal] = min(there[goal], way)
            ways.append(there)
        nearest, total = [min(costs) for costs in zip(*ways, strict=True)], 0.0
        for goal, other, count, now, least in self._races:
            if nearest[goal] + nearest[other] < now:
                way = min([there[goal] + there[other] for there in ways])
                if way < now:
                    total += count * max(0.0, self._value(goal, other, way) - least)
        return total

    def _value(self, goal: int, other: int, cost: int) -> float:
        """Return what a race between two goals brings by a way, in units."""
        toll = cost % PAID
        if toll > MOST_TOLL:
            return 0.0
        return max(0.0, prize(_moves_of(cost), self._rivals[goal, other], self._shared) - toll)


def _moves_of(cost: int) -> int:
    """Return the points of movement of a way."""
    return (cost - cost % PAID * TOLL) // MOVE


def _races_of(state: State, goals: Goals) -> list[list[tuple[int, int, float]]]:
    """Return races to come, by round: two goals and how many such there are; those announced, else those that may be drawn."""
    if any(race.status == "open" for race in state.races) and state.options.race_schedule != "dice":
        rounds: dict[int, list[tuple[int, int, float]]] = {}
        for race in state.races:
            if race.round > state.round or state.phase != "race":
                one, other = goals.number[race.start], goals.number[race.end]
                rounds.setdefault(race.round, []).append((one, other, 1.0))
        return list(rounds.values())
    total = sum(goals.weight)
    drawn = combinations(enumerate(goals.weight), 2)
    return [[(one, other, 2 * RACES * this * that / total**2)] for (one, this), (other, that) in drawn]
