"""Routes over built links, and the best of them where a player leaves the choice to the referee. Rule: V3.6.2, DIFF 35.

The answer is exact: every way of at most eight links is tried, depth first and in alphabetical order.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from referee.core.values import Value
from referee.games.volldampf.board.board import Board
from referee.games.volldampf.position.state import State

OWN, OTHER = 64, -1  # what a section is worth: no number of others' on a route outweighs one own
NEVER = -64  # less than any route is worth
RED = "red"

Way = tuple[str, ...]


class Network(Value):
    """The built links as one player counts them. ``ways``: neighbours in alphabetical order, with the section's worth."""

    ways: Mapping[str, tuple[tuple[str, int], ...]]
    own_needed: bool  # a route must use a section of the player. Option own_link_needed


def best_route(
    state: State,
    player: str,
    colour: str,
    origin: str,
    goal: str,
    via: tuple[str, ...] = (),
    longest: int = 6,
) -> Way:
    """Return the legal route that passes ``via`` in this order: most own sections, then fewest others', then by alphabet.

    Both ends are included; () where no route of *longest* links or fewer is legal. Cubes and bars are not looked at.
    Rule: V3.6.2, V3.6.3, DIFF 29, 30, 32, 35, R18.
    """
    return best_routes(network_of(state, player), stops_of(state, colour), origin, longest, via).get(goal, ())


def best_routes(network: Network, stops: frozenset[str], origin: str, longest: int, via: Way = ()) -> Mapping[str, Way]:
    """Return the best route to each city that one of at most *longest* links leads to, and passes ``via`` in this order.

    ``stops`` are the cities that end any way.
    """
    found: dict[str, tuple[int, Way]] = {}

    def go_on(way: Way, passed: int, worth: int) -> None:
        for city, gain in network.ways[way[-1]]:
            if city in way:
                continue
            if passed == len(via) and worth + gain > found.get(city, (NEVER, ()))[0]:
                found[city] = worth + gain, (*way, city)
            is_next = city in via[passed : passed + 1]
            if len(way) < longest and city not in stops and (is_next or city not in via):
                go_on((*way, city), passed + is_next, worth + gain)

    go_on((origin,), 0, 0)
    return {city: way for city, (worth, way) in found.items() if worth >= 0 or not network.own_needed}


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


def _plain(name: str) -> str:
    """Return a name as it is sorted: without marks over letters."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(sign))
