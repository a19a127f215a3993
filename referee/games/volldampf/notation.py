"""Orders in their canonical form: reading it back gives the same order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from referee.core import Amounts, Pair
from referee.core.orders import Term, Terms, terms_of
from referee.core.texts.shipped import shipped_table

from .board import CUBE_COLOURS, Board, Codes
from .schedule import FIRST_EXTRA, bid_verb
from .state import (
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
    State,
    Steal,
    Subsidy,
    TakeBonds,
    Target,
    Wish,
)

# Cities, links, groups and routes as people write them; reading them back gives the same.

LISTED = ", "


def city_names(board: Board, codes: Iterable[str]) -> str:
    """Return ``Hamburg, Köln``."""
    return LISTED.join(map(board.name, codes))


def way_name(board: Board, codes: Iterable[str]) -> str:
    """Return cities one after the other, linked or not: ``Magdeburg-Leipzig-Erfurt``."""
    return "-".join(map(board.name, codes))


def group_name(colours: Iterable[str]) -> str:
    """Return track cards as orders write them: ``green+pink``."""
    return "+".join(colours)


def near_links(board: Board, one: str, other: str, most: int = 4) -> str:
    """Return the ways of two links between two cities that no link joins, else the links of the first: what may be meant."""
    between = [city for city in board.neighbours(one) if city in board.neighbours(other)]
    if between and one != other:
        return LISTED.join(way_name(board, (one, city, other)) for city in between[:most])
    return LISTED.join(way_name(board, (one, other)) for other in board.neighbours(one))


def gaps(board: Board, codes: Codes) -> tuple[Pair, ...]:
    """Return the steps of a route that no printed link makes."""
    return tuple((here, there) for here, there in pairwise(codes) if not board.link(here, there))


def owners_on(state: State, route: Codes) -> list[str]:
    """Return whose sections a route uses, link by link; open links are left out."""
    links = (state.board.link(here, there) for here, there in pairwise(route))
    return [state.built[link.id] for link in links if link and link.id in state.built]


def sections_of(state: State, route: Codes) -> Amounts:
    """Return how many sections of each owner a route uses, in the order in which they first come."""
    return dict(Counter(owners_on(state, route)))


def player_name(state: State, code: str) -> str:
    """Return how a player is called in orders: by name, or by code where another player's name or code is the same."""
    name = state.table.player(code).name
    rivals = (player for player in state.table.players if player.code != code)
    others = [word.casefold() for rival in rivals for word in (rival.code, rival.name, rival.company)]
    return name if name and name.casefold() not in others else code


# Every name that may stand in an order.

PLACE, TRACK, CUBE, PLAYER = "PLACE", "TRACK", "CUBE", "PLAYER"


def lexicon(state: State) -> Terms:
    """Return cities by name, id and alias, colours of links and cubes, and the players by code, name and company."""
    return (*board_terms(state.board), *terms_of(PLAYER, state.table.players, "code", "name", "company"))


def board_terms(board: Board) -> Terms:
    """Return the terms of a board."""
    also = shipped_table(__package__, "colours")
    cities = [(PLACE, name, city.id) for city in board.cities for name in (city.name, city.id, *city.aliases) if name]
    tracks = [
        (TRACK, name, colour.id)
        for colour in board.colours
        for name in (colour.id, colour.code, colour.symbol, *also.get(colour.id, ()))
        if name
    ]
    cubes = [(CUBE, name, colour) for colour in CUBE_COLOURS for name in (colour, *also.get(colour, ()))]
    return tuple(Term(kind, name=name, value=value) for kind, name, value in (*cities, *tracks, *cubes))


Alternative = Site | Delivery | Target


def format_order(state: State, order: Order) -> str:
    """Return an order in canonical form."""
    board = state.board
    match order:
        case TakeBonds():
            return f"BONDS {order.points}"
        case Bid():
            return f"{bid_verb(state)} {LISTED.join(map(str, order.amounts)) or 'PASS'}"
        case Rank():
            return "RANK " + LISTED.join(map(format_wish, order.wishes))
        case Rearrange():
            return "NEW: " + " / ".join(map(group_name, order.groups))
        case Build():
            return f"BUILD {order.number}: " + format_alternatives(board, order.sites)
        case Move():
            return f"MOVE {order.trip}: {format_alternatives(board, order.deliveries)}"
        case Subsidy():
            number = f" {order.trip}" if order.trip > FIRST_EXTRA else ""
            return f"SUBSIDY{number}: {format_alternatives(board, order.deliveries)}"
        case Extra():
            each = LISTED.join(f"{colour} {board.name(city)}" for colour, city in order.cities)
            names = {board.name(city) for _, city in order.cities}
            return f"EXTRA {order.trip}: {each if len(names) > 1 else names.pop()}"
        case Plan():
            moment = order.what.upper() + (f" {order.number}" if order.number else "")
            cube = f"{order.colour} FROM {board.name(order.origin)} TO {board.name(order.goal)}"
            return f"PLAN {order.when.upper()} {moment}: {cube}"
        case Sabotage():
            whom = f" {player_name(state, order.victim)}" if order.victim else ""
            trip = f" {order.trip}" if order.trip else ""
            return f"SABOTAGE{whom}{trip}: " + format_alternatives(board, order.targets)
        case Steal():
            which = f"{order.which.upper()} " if order.which else ""
            return f"STEAL {which}FROM " + (LISTED.join(player_name(state, code) for code in order.players) or "NOBODY")


def format_wish(wish: Wish) -> str:
    """Return ``green+pink``, ``ONLY green+pink`` or the number of a group."""
    return str(wish.number) if wish.number else ("ONLY " if wish.exact else "") + group_name(wish.colours)


def format_alternatives(board: Board, alternatives: Iterable[Alternative]) -> str:
    """Return the alternatives of an order."""
    return " OR ".join(format_alternative(board, each) for each in alternatives)


def format_alternative(board: Board, each: Alternative) -> str:
    """Return one alternative of an order.

    Of a build ``Hamburg-Hannover BARGAIN WITH green``, ``DISCARD green``; of a trip ``violet Magdeburg-Leipzig-Erfurt FAST`` for
    a route, ``violet FROM Magdeburg TO Erfurt`` for one to be found; what a sabotage waits for: ``red FROM Prag``, ``ANY``.
    """
    if isinstance(each, Site):
        if not each.link:
            return f"DISCARD {each.card}" if each.card else "none"
        card = f" WITH {each.card}" if each.card else ""
        return f"{board.link_name(each.link)}{' BARGAIN' if each.bargain else ''}{card}"
    if isinstance(each, Target):
        ways = (("FROM", each.origin), ("VIA", each.passing), ("TO", each.goal))
        words = [each.colour, *(f"{word} {board.name(city)}" for word, city in ways if city)]
        return " ".join(word for word in words if word) or "ANY"
    if each.colour == DECLINED:
        return "DECLINE"
    fast = " FAST" * each.loks
    if each.route:
        return f"{each.colour} {way_name(board, each.route)}{fast}"
    via = f" VIA {city_names(board, each.via)}" if each.via else ""
    return f"{each.colour} FROM {board.name(each.origin)}{via} TO {board.name(each.goal)}{fast}"
