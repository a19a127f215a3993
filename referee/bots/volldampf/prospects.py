"""What each free link may be worth to a player: cubes that lie about, and how little is missing of their ways."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from itertools import pairwise

from referee.games.volldampf.phase.building import cost_of
from referee.games.volldampf.position.routes import stops_of
from referee.games.volldampf.position.state import State

OWN, FREE, OTHERS = 2, 5, 6  # what a link weighs when a way for a cube is looked for
MOST_MISSING = 3  # links of a way that is worth thinking of
SHARE = (0, 12, 5, 2)  # of a way's worth, by the number of links that it lacks
TOUCH = 6  # for a link that joins the own network

Prospects = Mapping[str, int]
Steps = Mapping[str, list[tuple[str, int]]]


def prospects_of(state: State, player: str) -> Prospects:
    """Return what every free link is worth to a player; the figures mean something only beside each other."""
    worth = {link.id: 0 for link in state.table.board.links if link.id not in state.built}
    near = _own_cities(state, player)
    for link in state.table.board.links:
        if link.id in worth and near & {link.a, link.b}:
            worth[link.id] += TOUCH
    for way in _ways(state, player):
        links = [state.table.board.link(one, other) for one, other in pairwise(way)]
        free = [link.id for link in links if link is not None and link.id in worth]
        if 0 < len(free) <= MOST_MISSING:
            own = sum(link is not None and state.built.get(link.id) == player for link in links)
            for code in free:
                worth[code] += SHARE[len(free)] * (own + len(free))
    return worth


def thrift(state: State, link: str, worth: int, bargain: bool = False) -> int:
    """Return what a link is worth for its cost."""
    return worth * 100 // (8 + cost_of(state.table.board.link_by_id(link), bargain))


def _own_cities(state: State, player: str) -> set[str]:
    links = (state.table.board.link_by_id(code) for code, owner in state.built.items() if owner == player)
    return {city for link in links for city in (link.a, link.b)}


def _ways(state: State, player: str) -> Iterator[tuple[str, ...]]:
    """Give the easiest way of every cube to each city that takes it, over built links and free ones."""
    board = state.table.board
    steps = _steps(state, player)
    for city in board.cities:
        for colour in dict.fromkeys(state.cubes.get(city.id, ())):
            goals = {other.id for other in board.cities if other.colour == colour and other.id != city.id}
            yield from _easiest(steps, city.id, goals, stops_of(state, colour), board.max_links)


def _easiest(
    steps: Steps, origin: str, goals: set[str], stops: frozenset[str], longest: int
) -> Iterator[tuple[str, ...]]:
    """Give the easiest ways from a city to each of *goals*, none of more than *longest* links, none through *stops*."""
    queue: list[tuple[int, tuple[str, ...]]] = [(0, (origin,))]
    done: set[str] = set()
    while queue:
        weight, way = heapq.heappop(queue)
        here = way[-1]
        if here in done:
            continue
        done.add(here)
        if here in goals:
            yield way
        if len(way) > longest or (here in stops and here != origin):
            continue
        for there, step in steps[here]:
            if there not in done:
                heapq.heappush(queue, (weight + step, (*way, there)))


def _steps(state: State, player: str) -> Steps:
    """Return the neighbours of each city, with what the link to them weighs."""
    steps: dict[str, list[tuple[str, int]]] = {city.id: [] for city in state.table.board.cities}
    for link in state.table.board.links:
        owner = state.built.get(link.id, "")
        weight = OWN if owner == player else OTHERS if owner else FREE
        steps[link.a].append((link.b, weight))
        steps[link.b].append((link.a, weight))
    return steps
