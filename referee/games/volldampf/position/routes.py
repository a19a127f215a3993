"""Routes over built links, and the best of them where a player leaves the choice to the referee. Rule: V3.6.2, DIFF 35.

The answer is exact. Every way is tried in alphabetical order, but a branch is left as soon as no walk from there, however
often it came to a city, could do better than the best route found before. What a walk can gain at most is known for each
city and number of links left (``Chart``), and is the same for every cube of a colour that goes to that city.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from referee.core.values import Value
from referee.games.volldampf.board.board import Board
from referee.games.volldampf.position.state import State

OWN, OTHER = 64, -1  # what a section is worth: no number of others' on a route outweighs one own
NEVER = -(10**6)  # no walk leads there
RED = "red"

Ways = Mapping[str, tuple[tuple[str, int], ...]]
_Layer = list[dict[str, int]]  # by links left: what a walk from a city can gain at most


class Network(Value):
    """The built links as one player counts them. ``ways``: neighbours in alphabetical order, with the section's worth."""

    ways: Ways
    own_needed: bool  # a route must use a section of the player. Option own_link_needed


class Chart(Value):
    """All that is known of ways to ``goal`` for a colour of cubes: ``stops`` are the cities that end any other way.

    ``via``: cities to pass in this order. ``layers``: for each number of them passed, bounds by links left and city.
    """

    network: Network
    goal: str
    stops: frozenset[str]
    via: tuple[str, ...]
    longest: int
    layers: tuple[_Layer, ...]

    def best_from(self, origin: str) -> tuple[str, ...]:
        """Return the best route from a city, both ends included; () where there is none."""
        search = _Search(self)
        if origin not in (self.goal, *self.via) and self.goal not in self.via:
            search.go_on(origin, 0, 0)
        return search.route if search.worth >= 0 or not self.network.own_needed else ()


def best_route(
    state: State,
    player: str,
    colour: str,
    origin: str,
    goal: str,
    via: tuple[str, ...] = (),
    longest: int = 6,
) -> tuple[str, ...]:
    """Return the legal route that passes ``via`` in this order: most own sections, then fewest others', then by alphabet.

    Both ends are included; () where no route of *longest* links or fewer is legal. Cubes and bars are not looked at.
    Rule: V3.6.2, V3.6.3, DIFF 29, 30, 32, 35, R18.
    """
    return chart_of(network_of(state, player), stops_of(state, colour), goal, longest, via).best_from(origin)


def stops_of(state: State, colour: str) -> frozenset[str]:
    """Return the cities where a cube of that colour ends its way. Rule: V3.6.3, DIFF 29, 30."""
    options = state.table.options
    if not options.must_stop or (options.red_passes_red and colour == RED):
        return frozenset()
    return frozenset(city.id for city in state.table.board.cities if city.colour == colour)


def network_of(state: State, player: str) -> Network:
    """Return the built links with their worth to a player."""
    board = state.table.board
    ways: dict[str, list[tuple[str, int]]] = {city: [] for city in by_alphabet(board)}
    ends = [(board.link_by_id(link), OWN if owner == player else OTHER) for link, owner in state.built.items()]
    for link, worth in ends:
        ways[link.a].append((link.b, worth))
        ways[link.b].append((link.a, worth))
    place = {city: number for number, city in enumerate(ways)}
    return Network(
        ways={city: tuple(sorted(near, key=lambda way: place[way[0]])) for city, near in ways.items()},
        own_needed=state.table.options.own_link_needed,
    )


def by_alphabet(board: Board) -> tuple[str, ...]:
    """Return all cities in order of their names, ä = a, ö = o, ü = u; of equal names by id. Rule: R18."""
    return tuple(sorted((city.id for city in board.cities), key=lambda code: (_plain(board.city(code).name), code)))


def chart_of(network: Network, stops: frozenset[str], goal: str, longest: int, via: tuple[str, ...] = ()) -> Chart:
    """Return what is known of ways of at most *longest* links to *goal*."""
    after: _Layer = []
    layers: list[_Layer] = []
    for passed in range(len(via), -1, -1):
        step = via[passed] if passed < len(via) else goal
        after = _layer(network.ways, step, after, stops | {goal, *via}, longest)
        layers.insert(0, after)
    return Chart(network=network, goal=goal, stops=stops, via=via, longest=longest, layers=tuple(layers))


def _layer(ways: Ways, step: str, after: _Layer, closed: frozenset[str], longest: int) -> _Layer:
    """Return the bounds of walks that come to *step* before any other *closed* city; from there *after* holds (or the end)."""
    layer: _Layer = [{}]
    for left in range(1, longest + 1):
        shorter, onward = layer[left - 1], after[left - 1] if after else {step: 0}
        gains: dict[str, int] = {}
        for city, near in ways.items():
            most = NEVER
            for other, worth in near:
                if other == step:
                    gain = worth + onward.get(step, NEVER)
                elif other in closed:
                    continue
                else:
                    gain = worth + shorter.get(other, NEVER)
                most = max(most, gain)
            if most > NEVER // 2:
                gains[city] = most
        layer.append(gains)
    return layer


class _Search:
    """A way being tried, and the best one found so far with its worth."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        self.way: list[str] = []
        self.route: tuple[str, ...] = ()
        self.worth = NEVER // 2  # less than any way is worth, more than a way that leads nowhere

    def go_on(self, city: str, passed: int, worth: int) -> None:
        """Try every way on from a city that is reached with so many of ``via`` passed."""
        chart, way = self.chart, self.way
        way.append(city)
        left = chart.longest - len(way)
        step = chart.via[passed] if passed < len(chart.via) else chart.goal
        for other, gain in chart.network.ways[city]:
            total = worth + gain
            if other == chart.goal:
                if step == other and total > self.worth:
                    self.route, self.worth = (*way, other), total
                continue
            if other in way or other in chart.stops or (other in chart.via and other != step):
                continue
            further = passed + (other == step)
            if total + chart.layers[further][left].get(other, NEVER) > self.worth:
                self.go_on(other, further, total)
        way.pop()


def _plain(name: str) -> str:
    """Return a name as it is sorted: without marks over letters."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(sign))
