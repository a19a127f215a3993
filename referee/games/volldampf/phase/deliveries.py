"""Which deliveries are legal: how many links, over which route. Rule: V3.6.1-V3.6.3, V4.3, DIFF 29-32, 35, R1, R8, R18, R25."""

from __future__ import annotations

from itertools import pairwise

from referee.core.orders import Complaint, complaint_of
from referee.games.volldampf.board.board import CUBE_COLOURS, LOK
from referee.games.volldampf.phase.piles import held
from referee.games.volldampf.position.notation import format_delivery
from referee.games.volldampf.position.orders import Delivery
from referee.games.volldampf.position.routes import best_route, best_routes, network_of, stops_of
from referee.games.volldampf.position.state import State


def legal_deliveries(state: State, player: str, longest: int) -> tuple[Delivery, ...]:
    """Return every delivery of *longest* links or fewer that a player may make now, each over its best route.

    In order of cities of departure and cube colours, then of destinations, all as they stand in the board file.
    """
    board, network = state.table.board, network_of(state, player)
    stops = {colour: stops_of(state, colour) for colour in CUBE_COLOURS}
    return tuple(
        Delivery(colour=colour, origin=city.id, goal=goal.id, route=routes[goal.id])
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


def route_of(state: State, player: str, delivery: Delivery, in_force: int = 0) -> tuple[str, ...] | Complaint:
    """Return the route over which a delivery is made, both ends included, or why it may not be made.

    *in_force*: Schnelle Lok cards that are already on the table, announced with a trip that was barred. Rule: DIFF 55.
    """
    text = format_delivery(state.table.board, delivery)
    fault = _wrong_cube(state, player, delivery, text) or _wrong_cards(state, player, delivery, in_force, text)
    if fault is not None:
        return fault
    longest = state.table.board.max_links + max(delivery.loks, in_force)
    route = delivery.route or _chain(state, delivery)
    if route:
        return _wrong_route(state, player, delivery.colour, route, longest, text) or route
    if state.table.options.route_needed:
        return complaint_of("illegal-route-needed", "V3.6.1", text)
    origin, goal = ends_of(delivery)
    found = best_route(state, player, delivery.colour, origin, goal, delivery.via, longest)
    return found or complaint_of("illegal-no-route", "V3.6.2", text, most=longest)


def ends_of(delivery: Delivery) -> tuple[str, str]:
    """Return the city of departure and the destination."""
    return (delivery.route[0], delivery.route[-1]) if delivery.route else (delivery.origin, delivery.goal)


def _chain(state: State, delivery: Delivery) -> tuple[str, ...]:
    """Return the route that is named where routes are needed: every step of it a printed link, else (). Rule: DIFF 35."""
    cities = (delivery.origin, *delivery.via, delivery.goal)
    board = state.table.board
    whole = all(board.link(one, other) for one, other in pairwise(cities))
    return cities if state.table.options.route_needed and whole else ()


def _wrong_cube(state: State, player: str, delivery: Delivery, text: str) -> Complaint | None:
    board, colour = state.table.board, delivery.colour
    start, end = (board.city(city) for city in ends_of(delivery))
    if colour not in state.cubes.get(start.id, ()):
        return complaint_of("illegal-no-cube", "V3.6.1", text, colour=colour, city=start.name)
    if is_barred(state, player, colour, start.id):
        return complaint_of("illegal-barred", "V4.6", text, colour=colour, city=start.name)
    if start == end:
        return complaint_of("illegal-same-city", "V3.6.2", text, city=start.name)
    if end.colour != colour:
        return complaint_of("illegal-wrong-goal", "V3.6.1", text, colour=colour, city=end.name, takes=end.colour)
    return None


def _wrong_cards(state: State, player: str, delivery: Delivery, in_force: int, text: str) -> Complaint | None:
    if delivery.loks > 1 and not state.table.options.lok_stack:
        return complaint_of("illegal-lok-stack", "V4.3", text)
    if delivery.loks > in_force + held(state, player, LOK):
        return complaint_of("illegal-no-card", "V4.3", text, card=LOK)
    return None


def _wrong_route(
    state: State, player: str, colour: str, route: tuple[str, ...], longest: int, text: str
) -> Complaint | None:
    """Return what is wrong with a route, the first fault on the way. Rule: V3.6.2, V3.6.3, R1."""
    board, stops = state.table.board, stops_of(state, colour)
    for place, (here, there) in enumerate(pairwise(route)):
        link = board.link(here, there)
        if link is None:
            names = f"{board.city(here).name}-{board.city(there).name}"
            return complaint_of("illegal-no-link", "V3.6.1", text, link=names)
        if link.id not in state.built:
            return complaint_of("illegal-not-built", "V3.6.1", text, link=board.link_name(link.id))
        if there in route[: place + 1]:
            return complaint_of("illegal-city-twice", "V3.6.2", text, city=board.city(there).name)
        if there in stops and there != route[-1]:
            return complaint_of("illegal-must-stop", "V3.6.3", text, colour=colour, city=board.city(there).name)
    if len(route) - 1 > longest:
        return complaint_of("illegal-too-long", "V3.6.2", text, links=len(route) - 1, most=longest)
    if state.table.options.own_link_needed and player not in owners_on(state, route):
        return complaint_of("illegal-no-own-link", "V3.6.2", text)
    return None


def owners_on(state: State, route: tuple[str, ...]) -> tuple[str, ...]:
    """Return whose sections a route uses, link by link. Raises KeyError where nothing is built."""
    links = (state.table.board.link(here, there) for here, there in pairwise(route))
    return tuple(state.built[link.id] for link in links if link is not None)
