"""Orders: when they may be given, and how people write them; reading the canonical form back gives the same order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import get_args

from referee.core import Amounts, Pair, Term, Terms, terms_of
from referee.core.texts.shipped import shipped_table

from .board import CUBE_COLOURS, Board, Codes
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
    Stage,
    State,
    Steal,
    Subsidy,
    TakeBonds,
    Target,
    What,
    Wish,
)

DECISIONS: tuple[What, ...] = ("bonds", "bid", "choose", "build", "move", "subsidy", "steal")
ASKED = (*get_args(Stage), *DECISIONS)

TRIPS = 2  # that everybody has, by number
FIRST_EXTRA, SECOND_EXTRA = 3, 4  # Subvention's. Rule: R11


# When an order may be given: which decisions are asked for now, and whether another one comes later in the round.

Moment = tuple[What, int]  # a decision as the agenda names it, and its number (0: it has none)

_ORDER = ("bonds", "new", "bid", "choose", "build", "move", "subsidy", "steal")
_LETTERS: Mapping[str, tuple[Moment, ...]] = {
    "opening": (("bonds", 0), ("new", 0), ("bid", 0), ("choose", 0)),
    "bonds": (("bonds", 0), ("new", 0)),
    "auction": (("bid", 0), ("choose", 0)),
    "choice": (("choose", 0),),
    "trips": (("move", 1), ("move", 2), ("subsidy", 0)),
}
# Decisions of the same player that may be sent along and are kept.
_WITH: Mapping[str, tuple[Moment, ...]] = {"bonds": (("new", 0),), "bid": (("choose", 0),)}
_KINDS: Mapping[type, What] = {TakeBonds: "bonds", Bid: "bid", Rank: "choose", Rearrange: "new"}


def decisions_now(state: State) -> tuple[Moment, ...]:
    """Return the decisions that orders may settle now, in the order of the round; none when the game is over."""
    if state.is_over or not state.agenda:
        return ()
    item = state.agenda[0]
    if item.what != "letter":
        return ((item.what, 0 if item.what == "subsidy" else item.number), *_WITH.get(item.what, ()))
    if item.stage == "build":
        return tuple(("build", number) for number in range(1, state.numbers.group_size + 1))
    if item.stage == "trip":
        return (("move", item.number), *((("subsidy", 0),) if item.number == TRIPS else ()))
    return _LETTERS[item.stage]


def numbers_now(state: State, what: What) -> tuple[int, ...]:
    """Return the numbers of the builds or trips that are asked for now."""
    return tuple(number for each, number in decisions_now(state) if each == what)


def moment_of(order: Order) -> Moment | None:
    """Return the decision that an order settles or goes with; None for one that stands."""
    match order:
        case Build():
            return "build", order.number
        case Move() | Extra():
            return ("move", order.trip) if order.trip <= TRIPS else ("subsidy", 0)
        case Subsidy():
            return "subsidy", 0
        case Plan():
            return order.what, 0 if order.what == "subsidy" else order.number
        case Sabotage() | Steal():
            return None
        case _:
            return _KINDS[type(order)], 0


def is_for_now(state: State, order: Order) -> bool:
    """Return whether an order may stand in a letter that is written now. Rule: V9."""
    moment, now = moment_of(order), decisions_now(state)
    if moment is not None:
        return moment in now
    return bool(now) and (isinstance(order, Steal) or any(what in ("build", "move", "subsidy") for what, _ in now))


def comes_later(state: State, order: Order) -> bool:
    """Return whether an order that is not for now will be asked for later in this round."""
    moments = (moment_of(order) or ("build", 0), *decisions_now(state))
    later, *asked = [(_ORDER.index(what), number) for what, number in moments]
    return all(later > now for now in asked)


def asked_verbs(state: State) -> str:
    """Return what is asked for now in the words of orders: ``BUILD 1, BUILD 2, BUILD 3``."""
    return ", ".join(verb_of_moment(state, *moment) for moment in decisions_now(state))


def verb_of_moment(state: State, what: What, number: int) -> str:
    """Return how an order for a decision begins: ``BUILD 1``."""
    verb = {"bid": bid_verb(state), "choose": "RANK"}.get(what, what.upper())
    return f"{verb} {number}" if number else verb


def verb_of(state: State, order: Order) -> str:
    """Return the word that an order begins with."""
    names = {Rearrange: "NEW", TakeBonds: "BONDS", Bid: bid_verb(state)}
    return names.get(type(order)) or type(order).__name__.upper()


def bid_verb(state: State) -> str:
    """Return ``LIMIT`` where the referee bids for the players, ``BID`` where they do. Rule: V9, V6.3."""
    return "LIMIT" if state.options.auction == "limits" and len(state.codes) > 2 else "BID"


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
            whom = f" {order.victim}" if order.victim else ""
            trip = f" {order.trip}" if order.trip else ""
            return f"SABOTAGE{whom}{trip}: " + format_alternatives(board, order.targets)
        case Steal():
            which = f"{order.which.upper()} " if order.which else ""
            return f"STEAL {which}FROM " + (LISTED.join(order.players) or "NOBODY")


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
