"""Routes over built links, and the best of them where a player leaves the choice to the referee. Rule: V3.6.2, DIFF 35.

The answer is exact: every way of at most eight links is tried, depth first and in alphabetical order.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from referee.core import Complaint, Param, Value, complaint_of, fold

from .board import CUBE_COLOURS, LOK, Board, Codes
from .goods import card_count
from .notation import LISTED, format_alternative, gaps, owners_on, way_name
from .state import Delivery, State

OWN, OTHER = 64, -1  # what a section is worth: no number of others' on a route outweighs one own
NEVER = -64  # less than any route is worth


class Network(Value):
    """The built links as one player counts them. ``ways``: neighbours in alphabetical order, with the section's worth."""

    ways: Mapping[str, tuple[tuple[str, int], ...]]
    own_needed: bool  # a route must use a section of the player. Option own_link_needed


def best_route(state: State, player: str, delivery: Delivery, longest: int = 6) -> Codes:
    """Return the legal route that passes ``via`` in this order: most own sections, then fewest others', then by alphabet.

    Both ends are included; () where no route of *longest* links or fewer is legal. Cubes and bars are not looked at.
    Rule: V3.6.2, V3.6.3, DIFF 29, 30, 32, 35, R18.
    """
    network, stops = network_of(state, player), stops_of(state, delivery.colour)
    return best_routes(network, stops, delivery.origin, longest, delivery.via).get(delivery.goal, ())


def best_routes(
    network: Network, stops: frozenset[str], origin: str, longest: int, via: Codes = ()
) -> Mapping[str, Codes]:
    """Return the best route to each city that one of at most *longest* links leads to, and passes ``via`` in this order.

    ``stops`` are the cities that end any way.
    """
    found: dict[str, tuple[int, Codes]] = {}

    def go_on(way: Codes, passed: int, worth: int) -> None:
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
    options = state.options
    if not options.must_stop or (options.red_passes_red and colour == "red"):
        return frozenset()
    return frozenset(city.id for city in state.board.cities if city.colour == colour)


def network_of(state: State, player: str) -> Network:
    """Return the built links with their worth to a player."""
    board = state.board
    ways: dict[str, list[tuple[str, int]]] = {city: [] for city in by_alphabet(board)}
    ends = [(board.link_by_id(link), OWN if owner == player else OTHER) for link, owner in state.built.items()]
    for link, worth in ends:
        ways[link.a].append((link.b, worth))
        ways[link.b].append((link.a, worth))
    place = {city: number for number, city in enumerate(ways)}
    return Network(
        ways={city: tuple(sorted(near, key=lambda way: place[way[0]])) for city, near in ways.items()},
        own_needed=state.options.own_link_needed,
    )


def by_alphabet(board: Board) -> Codes:
    """Return all cities in order of their names, ä = a, ö = o, ü = u; of equal names by id. Rule: R18."""
    return tuple(sorted((city.id for city in board.cities), key=lambda code: (fold(board.name(code)), code)))


# Which deliveries are legal: how many links, over which route. Rule: V3.6.1-V3.6.3, V4.3, DIFF 29-32, 35, R1, R8,
# R18, R25.


def legal_deliveries(state: State, player: str, longest: int) -> tuple[Delivery, ...]:
    """Return every delivery of *longest* links or fewer that a player may make now, each over its best route.

    In order of cities of departure and cube colours, then of destinations, all as they stand in the board file.
    """
    board, network = state.board, network_of(state, player)
    stops = {colour: stops_of(state, colour) for colour in CUBE_COLOURS}
    return tuple(
        Delivery(colour, origin=city.id, goal=goal.id, route=routes[goal.id])
        for city in board.cities
        for colour in CUBE_COLOURS
        if colour in state.cubes.get(city.id, ()) and not is_barred(state, player, colour, city.id)
        for routes in [best_routes(network, stops[colour], city.id, longest)]
        for goal in board.cities
        if goal.colour == colour and goal.id in routes
    )


def is_barred(state: State, player: str, colour: str, city: str) -> bool:
    """Return whether sabotage keeps a player from moving a cube of that colour in that city now. Rule: DIFF 51, R9."""
    return any(bar.player == player and bar.colour == colour and bar.city in ("", city) for bar in state.bars)


def route_of(state: State, player: str, delivery: Delivery, in_force: int = 0) -> Codes | Complaint:
    """Return the route over which a delivery is made, both ends included, or the first reason why it may not be made.

    *in_force*: Schnelle Lok cards that are already on the table, announced with a trip that was barred. Rule: DIFF 55.
    """
    board, colour = state.board, delivery.colour
    start, end = board.city(delivery.origin), board.city(delivery.goal)

    def fault(code: str, paragraph: str, **params: Param) -> Complaint:
        return complaint_of(code, paragraph, format_alternative(board, delivery), 0, "", **params)

    if colour not in state.cubes.get(start.id, ()):
        return fault("illegal-no-cube", "V3.6.1", colour=colour, city=start.name)
    if is_barred(state, player, colour, start.id):
        return fault("illegal-barred", "V4.6", colour=colour, city=start.name)
    if start == end:
        return fault("illegal-same-city", "V3.6.2", city=start.name)
    if end.colour != colour:
        return fault("illegal-wrong-goal", "V3.6.1", colour=colour, city=end.name, takes=end.colour)
    if delivery.loks > 1 and not state.options.lok_stack:
        return fault("illegal-lok-stack", "V4.3")
    if delivery.loks > in_force + card_count(state, player, LOK):
        return fault("illegal-no-card", "V4.3", card=LOK)
    longest = board.max_links + max(delivery.loks, in_force)
    # Where routes are needed, cities of which each has a printed link to the next are one. Rule: DIFF 35
    cities = (delivery.origin, *delivery.via, delivery.goal)
    is_chain = state.options.route_needed and not gaps(board, cities)
    route = delivery.route or (cities if is_chain else ())
    if not route and state.options.route_needed:
        return fault("illegal-route-needed", "V3.6.1")
    if not route:
        return best_route(state, player, delivery, longest) or fault("illegal-no-route", "V3.6.2", most=longest)
    stops = stops_of(state, colour)
    for place, (here, there) in enumerate(pairwise(route)):
        link = board.link(here, there)
        if not link:
            return fault("illegal-no-link", "V3.6.1", link=way_name(board, (here, there)))
        if link.id not in state.built:
            return fault("illegal-not-built", "V3.6.1", link=board.link_name(link.id))
        if there in route[: place + 1]:
            return fault("illegal-city-twice", "V3.6.2", city=board.name(there))
        if there in stops and there != route[-1]:
            return fault("illegal-must-stop", "V3.6.3", colour=colour, city=board.name(there))
    if len(route) - 1 > longest:
        return fault("illegal-too-long", "V3.6.2", links=len(route) - 1, most=longest)
    if state.options.own_link_needed and player not in owners_on(state, route):
        return fault("illegal-no-own-link", "V3.6.2")
    return route


def with_reason(state: State, player: str, delivery: Delivery, fault: Complaint) -> Complaint:
    """Return the fault of a delivery with what keeps it from being made, or with one like it that can be. Rule: V3.6.1-V3.6.3.

    Where no route is legal, that is what stands in the way of the shortest one, and the cities where such a cube can go.
    """
    if fault.code in ("illegal-not-built", "illegal-must-stop", "illegal-too-long"):
        most = state.board.max_links + delivery.loks
        route = best_route(state, player, delivery.but(via=()), most)
        return fault.but(hint=f"{delivery.colour} {way_name(state.board, route)}" if route else "")
    if fault.code != "illegal-no-route" or delivery.via:
        return fault
    board, text = state.board, fault.text
    origin, goal = board.name(delivery.origin), board.name(delivery.goal)
    longest = int(dict(fault.params)["most"])
    network, stops = network_of(state, player), stops_of(state, delivery.colour)
    way = _shortest(network, delivery.origin, delivery.goal)
    if not way:
        found = complaint_of("illegal-not-joined", "V3.6.1", text, origin=origin, goal=goal)
    elif len(way) - 1 > longest:
        links = len(way) - 1
        found = complaint_of("illegal-too-far", "V3.6.2", text, links=links, most=longest, origin=origin, goal=goal)
    elif stop := next((city for city in way[1:-1] if city in stops), ""):
        city = board.name(stop)
        found = complaint_of("illegal-stops-before", "V3.6.3", text, colour=delivery.colour, city=city, goal=goal)
    else:
        found = fault
    routes = best_routes(network, stops, delivery.origin, longest)
    goals = [city.name for city in board.cities if city.colour == delivery.colour and city.id in routes]
    return found.but(hint=LISTED.join(goals))


def _shortest(network: Network, origin: str, goal: str) -> Codes:
    """Return the shortest way over built links, whatever stands on it; () where there is none."""
    paths: dict[str, Codes] = {origin: (origin,)}
    for city in (open_ends := [origin]):
        for other, _ in network.ways[city]:
            if other not in paths:
                paths[other] = (*paths[city], other)
                open_ends.append(other)
    return paths.get(goal, ())
