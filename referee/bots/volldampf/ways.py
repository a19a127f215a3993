"""What links would bring a player of Volldampf: the ways of cubes over its sections, those that it may still build among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from itertools import combinations

from referee.core import Pair, Texts, Value
from referee.games.volldampf.board import CUBE_COLOURS

from .. import FIRST, SECOND, THIRD
from .seeing import Seat

MOST_MISSING = {FIRST: 2, SECOND: 2, THIRD: 3}  # links that a way may lack
FARSIGHT = {FIRST: 0, SECOND: 1, THIRD: 9}  # rounds after this one that are thought of
MOST_FOREIGN = {FIRST: 0, SECOND: 0, THIRD: 1}  # rivals' sections on it
SHARE = 0.35  # of a space of one's own, what a space given to a rival takes
TRIPS = 2  # of a player in a round
LIES, STAYS, COMES = 0.8, 0.4, 0.07  # how probably a cube is there for a trip of this round, of a later one; a new one
LATER = 0.6  # of what a later round brings, counts for links of now
HOPE = 0.5  # how probably one more link can be had in a later round

Links = frozenset[str]
Gains = dict[Pair, float]  # spaces that the best way of a cube brings, by its city and colour


class Ways(Value, eq=False, dict=True):
    """The gains by the links that the ways lack; the cubes that lie there; how many rounds later ones are thought of."""

    gains: Mapping[Links, Gains]
    cubes: frozenset[Pair]
    rounds: int

    @cached_property
    def _one_more(self) -> Mapping[Links, Gains]:
        found: dict[Links, Gains] = {}
        for missing, gains in self.gains.items():
            for link in missing:
                _add(found.setdefault(missing - {link}, {}), gains)
        return found

    @cached_property
    def _known(self) -> dict[Links, float]:
        return {}

    def worth(self, links: Links) -> float:
        """Return the spaces that the trips of this round and of later ones may bring if *links* are built too."""
        if links not in self._known:
            self._known[links] = self._worth(links)
        return self._known[links]

    def _worth(self, links: Links) -> float:
        some = [frozenset(each) for size in range(len(links) + 1) for each in combinations(links, size)]
        sure: Gains = {}
        for each in some:
            _add(sure, self.gains.get(each, {}))
        now = sorted(((gain, cube) for cube, gain in sure.items() if cube in self.cubes), reverse=True)
        total = _best((gain, LIES) for gain, _ in now)
        if not self.rounds:
            return total
        hoped: Gains = {}
        for each in some[1:]:
            _add(hoped, self._one_more.get(each, {}))
        stay, later = self.cubes - {cube for _, cube in now[:TRIPS]}, []
        for cube in sure.keys() | hoped.keys():
            chance, good, better = STAYS if cube in stay else COMES, sure.get(cube, 0.0), hoped.get(cube, 0.0)
            if better > good:
                later.append((better, chance * HOPE))
                chance *= 1 - HOPE
            later.append((good, chance))
        return total + LATER * self.rounds * _best(sorted(later, reverse=True))


def _add(found: Gains, more: Gains) -> None:
    for cube, gain in more.items():
        if gain > found.get(cube, 0.0):
            found[cube] = gain


def _best(items: Iterable[tuple[float, float]]) -> float:
    """Return what the best two of things may be expected to bring, each there by chance; the best first."""
    total, none, one = 0.0, 1.0, 0.0
    for gain, chance in items:
        total += gain * chance * (none + one)
        one, none = one * (1 - chance) + none * chance, none * (1 - chance)
    return total


@lru_cache(maxsize=1)
def ways_of(seat: Seat) -> Ways:
    """Return the ways of a player's cubes; as far as his strength sees."""
    state, board = seat.state, seat.state.table.board
    beside: dict[str, list[tuple[str, str, str]]] = {city.id: [] for city in board.cities}
    for link in board.links:
        for here, there in ((link.a, link.b), (link.b, link.a)):
            beside[here].append((there, link.id, state.built.get(link.id, "")))
    most_missing, most_foreign = MOST_MISSING[seat.strength], MOST_FOREIGN[seat.strength]
    goal = {city.id: city.colour for city in board.cities}
    gains: dict[Links, Gains] = {}

    def go_on(way: Texts, passed: frozenset[str], lacks: Links, own: int, foreign: int) -> None:
        for city, link, owner in beside[way[-1]]:
            if city in way:
                continue
            missing, is_own = lacks if owner else lacks | {link}, not owner or owner == seat.code
            mine, theirs = own + is_own, foreign + (not is_own)
            if len(missing) > most_missing or theirs > most_foreign:
                continue
            if mine and goal[city] not in passed:
                _add(gains.setdefault(missing, {}), {(way[0], goal[city]): mine - SHARE * theirs})
            now = passed | {goal[city]}
            if len(way) < board.max_links and len(now) < len(CUBE_COLOURS):
                go_on((*way, city), now, missing, mine, theirs)

    for city in board.cities:
        go_on((city.id,), frozenset(), frozenset(), 0, 0)
    cubes = frozenset((city, colour) for city, lying in state.cubes.items() for colour in lying)
    return Ways(gains=gains, cubes=cubes, rounds=min(seat.rounds_left, FARSIGHT[seat.strength]))
