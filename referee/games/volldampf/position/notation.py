"""Orders in their canonical form: reading it back gives the same order."""

from __future__ import annotations

from referee.games.volldampf.board.board import Board
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.names import LISTED, city_name, city_names, group_name, player_name, way_name
from referee.games.volldampf.position.orders import (
    DECLINED,
    Bid,
    Build,
    Delivery,
    Extra,
    Move,
    Order,
    Plan,
    Rank,
    Rearrange,
    Sabotage,
    Site,
    Steal,
    Subsidy,
    TakeBonds,
    Target,
    Wish,
)
from referee.games.volldampf.position.schedule import bid_verb
from referee.games.volldampf.position.state import State

OR = " OR "
DECLINE, NONE, PASS, NOBODY, ANY = "DECLINE", "none", "PASS", "NOBODY", "ANY"


def format_order(state: State, order: Order) -> str:
    """Return an order in canonical form."""
    board = state.table.board
    match order:
        case TakeBonds():
            return f"BONDS {order.points}"
        case Bid():
            return format_bid(state, order)
        case Rank():
            return "RANK " + LISTED.join(format_wish(wish) for wish in order.wishes)
        case Rearrange():
            return "NEW: " + " / ".join(group_name(group) for group in order.groups)
        case Build():
            return f"BUILD {order.number}: " + OR.join(format_site(board, site) for site in order.sites)
        case Move():
            return f"MOVE {order.trip}: {format_deliveries(board, order.deliveries)}"
        case Subsidy():
            number = f" {order.trip}" if order.trip > stages.FIRST_EXTRA else ""
            return f"SUBSIDY{number}: {format_deliveries(board, order.deliveries)}"
        case Extra():
            return f"EXTRA {order.trip}: {_format_extra(board, order)}"
        case Plan():
            return f"PLAN {order.when.upper()} {format_moment(order)}: {_format_cube(board, order)}"
        case Sabotage():
            return _format_sabotage(state, order)
        case Steal():
            which = f"{order.which.upper()} " if order.which else ""
            return f"STEAL {which}FROM " + (LISTED.join(player_name(state, code) for code in order.players) or NOBODY)


def format_bid(state: State, order: Bid) -> str:
    """Return ``LIMIT 7`` where the referee bids, ``BID 3, 2, 1`` where the player does."""
    return f"{bid_verb(state)} {LISTED.join(map(str, order.amounts)) or PASS}"


def format_wish(wish: Wish) -> str:
    """Return ``green+pink``, ``ONLY green+pink`` or the number of a group."""
    return str(wish.number) if wish.number else ("ONLY " if wish.exact else "") + group_name(wish.colours)


def format_site(board: Board, site: Site) -> str:
    """Return one alternative of a build: ``Hamburg-Hannover BARGAIN WITH green``, ``DISCARD green``."""
    if not site.link:
        return f"DISCARD {site.card}" if site.card else NONE
    card = f" WITH {site.card}" if site.card else ""
    return f"{board.link_name(site.link)}{' BARGAIN' if site.bargain else ''}{card}"


def format_deliveries(board: Board, deliveries: tuple[Delivery, ...]) -> str:
    """Return the alternatives of a trip."""
    return OR.join(format_delivery(board, delivery) for delivery in deliveries)


def format_delivery(board: Board, delivery: Delivery) -> str:
    """Return ``violet Magdeburg-Leipzig-Erfurt FAST`` for a route, ``violet FROM Magdeburg TO Erfurt`` for one to be found."""
    if delivery.colour == DECLINED:
        return DECLINE
    fast = " FAST" * delivery.loks
    if delivery.route:
        return f"{delivery.colour} {way_name(board, delivery.route)}{fast}"
    via = f" VIA {city_names(board, delivery.via)}" if delivery.via else ""
    return f"{delivery.colour} FROM {city_name(board, delivery.origin)}{via} TO {city_name(board, delivery.goal)}{fast}"


def format_moment(order: Plan) -> str:
    """Return the decision that a Neue Planung belongs to: ``MOVE 1``, ``CHOOSE``."""
    return order.what.upper() + (f" {order.number}" if order.number else "")


def format_target(board: Board, target: Target) -> str:
    """Return what a sabotage waits for: ``red FROM Prag``, ``ANY``."""
    ways = (("FROM", target.origin), ("VIA", target.passing), ("TO", target.goal))
    words = [target.colour, *(f"{word} {city_name(board, city)}" for word, city in ways if city)]
    return " ".join(word for word in words if word) or ANY


def _format_sabotage(state: State, order: Sabotage) -> str:
    whom = f" {player_name(state, order.victim)}" if order.victim else ""
    trip = f" {order.trip}" if order.trip else ""
    return f"SABOTAGE{whom}{trip}: " + OR.join(format_target(state.table.board, target) for target in order.targets)


def _format_extra(board: Board, order: Extra) -> str:
    cities = dict(order.cities)
    if len(set(cities.values())) == 1:
        return city_name(board, order.cities[0][1])
    return LISTED.join(f"{colour} {city_name(board, city)}" for colour, city in order.cities)


def _format_cube(board: Board, order: Plan) -> str:
    return f"{order.colour} FROM {city_name(board, order.origin)} TO {city_name(board, order.goal)}"
