"""Why no route is legal between two cities: nothing is built between them, it is too far, or a city on the way takes the cube."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.orders import Complaint, Param
from referee.games.volldampf.position.names import LISTED
from referee.games.volldampf.position.notation import format_delivery
from referee.games.volldampf.position.orders import Delivery
from referee.games.volldampf.position.routes import Network, best_routes, network_of, stops_of
from referee.games.volldampf.position.state import State

NO_ROUTE = "illegal-no-route"


def why_no_route(state: State, player: str, delivery: Delivery, fault: Complaint) -> Complaint:
    """Return *fault*, or where it says that no route is legal, what stands in the way of the shortest one.

    Its hint are the cities that a cube of that colour can be moved to from there today. Rule: V3.6.1-V3.6.3.
    """
    if fault.code != NO_ROUTE or delivery.via:
        return fault
    board, text = state.table.board, format_delivery(state.table.board, delivery)
    ends: dict[str, Param] = {"origin": board.city(delivery.origin).name, "goal": board.city(delivery.goal).name}
    longest = int(dict(fault.params)["most"])
    way = _shortest(network_of(state, player), delivery.origin, delivery.goal)
    if not way:
        found = _found("illegal-not-joined", "V3.6.1", text, ends)
    elif len(way) - 1 > longest:
        found = _found("illegal-too-far", "V3.6.2", text, {"links": len(way) - 1, "most": longest, **ends})
    elif stop := next((city for city in way[1:-1] if city in stops_of(state, delivery.colour)), ""):
        stops: dict[str, Param] = {"colour": delivery.colour, "city": board.city(stop).name, "goal": ends["goal"]}
        found = _found("illegal-stops-before", "V3.6.3", text, stops)
    else:
        found = fault
    return replace(found, hint=LISTED.join(_goals(state, player, delivery, longest)))


def _found(code: str, paragraph: str, text: str, params: dict[str, Param]) -> Complaint:
    return Complaint(code=code, paragraph=paragraph, text=text, params=tuple(params.items()))


def _shortest(network: Network, origin: str, goal: str) -> tuple[str, ...]:
    """Return the shortest way over built links, whatever stands on it; () where there is none."""
    paths: dict[str, tuple[str, ...]] = {origin: (origin,)}
    for city in (open_ends := [origin]):
        for other, _ in network.ways[city]:
            if other not in paths:
                paths[other] = (*paths[city], other)
                open_ends.append(other)
    return paths.get(goal, ())


def _goals(state: State, player: str, delivery: Delivery, longest: int) -> list[str]:
    """Return the names of the cities where such a cube can be moved to."""
    routes = best_routes(network_of(state, player), stops_of(state, delivery.colour), delivery.origin, longest)
    return [city.name for city in state.table.board.cities if city.colour == delivery.colour and city.id in routes]
