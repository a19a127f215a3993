"""What there is to order and what it costs: the price list of a game by its options and its board, and lines to copy."""

from __future__ import annotations

from functools import lru_cache
from itertools import cycle, groupby, islice
from typing import Any

from referee.core import Pair
from referee.core.game import Price, Prices, Setup, price, price_list

from ..auction import RANGE, least_bid, share_of
from ..board import CUBE_COLOURS, EXTRA, PLANNING, REARRANGE, SABOTAGE, SUBVENTION, Board, Codes
from ..board.boardfile import board_of
from ..building import BARGAIN_COST, site_fault
from ..notation import FIRST_EXTRA, SECOND_EXTRA, Moment, decisions_now, format_order, sections_of, verb_of_moment
from ..options import Options, choose_options
from ..routing import legal_deliveries
from ..state import (
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


@lru_cache(maxsize=16)
def prices(setup: Setup) -> tuple[Price, ...]:
    """Return the list for a game as it was agreed. Raises OptionError, MapError."""
    options = choose_options(setup.preset, setup.options)
    board = board_of(setup.board, setup.board_name)
    players = len(setup.players)
    return price_list(
        bonds=_bonds(board, options),
        auction=_auction(options, players) if players > 2 else _auction_of_two(options),
        building=_building(board),
        trips=_trip_prices(board, options),
    )


def _bonds(board: Board, options: Options) -> Prices:
    """Marks had and borrowed, and what they cost later. Rule: V2.1, V3.3, V3.7.2."""
    yield price("start", "V2.1", board.start_money)
    yield price("bond", "V3.3.1", board.bond_money)
    if options.bond_limit:
        yield price("bond-limit", "V3.3.1", options.bond_limit)
    if options.bank_limits:
        yield price("bank-limit", "V1.3", board.bond_points)
    yield price("interest", "V3.3.2", 1)
    yield price(f"short-{options.interest_penalty}", "V3.7.2", 1)
    yield price("score", "V5.2", 1)


def _auction(options: Options, players: int) -> Prices:
    """Which part of their bid each pays, by sequence cards. Rule: V3.4.1, V3.4.3."""
    yield price("opening", "V3.4.1", options.opening_min)
    shares = ((share_of(card, players, options.half_pay), str(card)) for card in range(1, players + 1))
    for share, cards in groupby(shares, key=lambda pair: pair[0]):
        what = f"half-{options.half_bid_rounding}" if share == "half" else share
        names = tuple(card for _, card in cards)
        yield price(f"pays-{what}", "V3.4.3", names=names)


def _auction_of_two(options: Options) -> Prices:
    """What two players bid and pay. Rule: V6.3."""
    least, most = RANGE[options.two_player_bid]
    if most:
        yield price("two", "V6.3", least, most)
    else:
        yield price("two-any", "V6.3")
    yield price(f"tie-{options.two_player_tie}", "V6.3")


def _building(board: Board) -> Prices:
    """Marks for links. Rule: V3.5.1, V3.5.2, V4.5."""
    costs = sorted(link.cost for link in board.links)
    yield price("links", "V3.5.1", costs[0], costs[-1])
    yield price("bargain", "V4.5", BARGAIN_COST)
    yield price("discard", "V3.5.2", 0)


def _trip_prices(board: Board, options: Options) -> Prices:
    """How far a trip goes, and what it brings. Rule: V3.6.2, V3.6.4, V3.6.5, V3.7.1, V4.3."""
    yield price("longest", "V3.6.2", board.max_links)
    most = board.max_links + (2 if options.lok_stack else 1)
    yield price("longest-fast", "V4.3", most)
    yield price("section", "V3.6.4", 1)
    yield price("space", "V3.7.1", 1)
    if options.income_max:
        yield price("last-space", "V1.3", options.income_max)
    first_round = "" if options.round1_decline_card else "-later"
    yield price(f"declined{first_round}", "V3.6.5", 1)


# What may be ordered now, as lines: an order form to fill in, lines that a beginner may copy, and those that HELP shows.

TRIPS_SHOWN = 2  # alternatives of a trip in an example
# The verb that plays a card; the others are words behind a build or a delivery.
PLAYED_BY = {SUBVENTION: "SUBSIDY", SABOTAGE: "SABOTAGE", EXTRA: "EXTRA", REARRANGE: "NEW", PLANNING: "PLAN"}


def form_lines(state: State, player: str | None) -> list[str]:
    """Return how the lines of an order form begin; what a card allows is on it for *player*, who holds the card."""
    held = state.actions.get(player, ()) if player is not None else ()
    lines: list[str] = []
    for what, number in _first_questions(state):
        if what == "subsidy":
            lines += _subsidies(state, held.count(SUBVENTION))
        elif what != "new" or REARRANGE in held:
            colon = ":" if number or what == "new" else ""
            lines.append(f"{verb_of_moment(state, what, number)}{colon}")
    return lines


def example_lines(state: State, reader: str | None = None) -> list[str]:
    """Return lines that could stand in *reader*'s orders for what is asked now: those of HELP, in their shortest form."""
    player = reader if reader in state.codes else state.codes[0]
    asked = _first_questions(state)
    orders = [_example(state, player, what, asked[0][1]) for what in dict.fromkeys(what for what, _ in asked)]
    return [format_order(state, order) for order in orders if order]


def card_lines(state: State, reader: str | None) -> list[dict[str, Any]]:
    """Return the reader's action cards, each kind once, with a line that could play it today."""
    held = state.actions.get(reader, ()) if reader is not None else ()
    lines = help_lines(state, reader) if held and reader is not None else {}
    return [
        {"card": card, "count": held.count(card), "example": lines.get(PLAYED_BY.get(card, ""), "...")}
        for card in dict.fromkeys(held)
    ]


def help_lines(state: State, player: str) -> dict[str, str]:
    """Return by verb a line with names of this position; none for a verb that has nothing to name now.

    They show how orders are written and are no advice: the first of their kind as the board file has them. Where nothing is
    built yet, or no cards lie open, they name what will be possible then.
    """
    trips = _trips(state, player)
    lines: dict[str, Order | None] = {
        "RANK": _ranking(state),
        "NEW": _rearrangement(state),
        "BUILD": _build(state, player),
        "DISCARD": Build(number=2, sites=(Site(card=_hand(state, player)[-1]),)),
        "MOVE": Move(1, (*trips, Delivery(DECLINED))),
        "SUBSIDY": Subsidy(deliveries=trips[:1]) if trips else None,
        "EXTRA": _extra(state),
        "PLAN": _plan(state),
        "SABOTAGE": _sabotage(state, player),
        "STEAL": Steal(players=_rivals(state, player)[:2]),
    }
    told = {verb: format_order(state, order) for verb, order in lines.items() if order}
    # One card given up is a verb of its own, shorter than the build that it stands for.
    return {**told, "DISCARD": told["DISCARD"].replace("BUILD 2: DISCARD", "DISCARD 2:")}


def _example(state: State, player: str, what: str, number: int) -> Order | None:
    """Return a short order for a decision."""
    match what:
        case "bonds":
            return TakeBonds(points=3)
        case "bid":
            one = least_bid(state) if state.stage == "bid" and state.bids else 4
            return Bid(amounts=(one,) if len(state.codes) > 2 else (3, 2, 1))
        case "choose" if rank := _ranking(state):
            return Rank(wishes=tuple(wish for wish in rank.wishes if not wish.exact))
        case "build":
            sites = _build(state, player).sites
            return Build(number, tuple(dict.fromkeys((sites[0], sites[-1]))))
        case "move":
            made = tuple(trip.but(via=()) for trip in _trips(state, player)[:1])
            return Move(number, (*made, Delivery(DECLINED)))
        case "steal":
            return Steal(players=_rivals(state, player)[:2])
    return None


def _first_questions(state: State) -> tuple[Moment, ...]:
    """Return the decisions asked for now; where a bid alone is asked for, the choice comes later."""
    return tuple(each for each in decisions_now(state) if each[0] != "choose" or state.stage != "bid")


def _subsidies(state: State, cards: int) -> list[str]:
    """Return the lines for extra trips: the one that is asked for alone, or one for each card that may be played.

    Rule: DIFF 47.
    """
    first, second = "SUBSIDY:", f"SUBSIDY {SECOND_EXTRA}:"
    if state.stage == "subsidy":
        return [second if state.asked.number > FIRST_EXTRA else first]
    return [first, second][: cards if state.options.subvention_stack else min(cards, 1)]


def _rivals(state: State, player: str) -> Codes:
    return tuple(code for code in state.codes if code != player)


def _hand(state: State, player: str) -> Codes:
    """Return the track cards in hand; before they are chosen those of an open group, or all colours."""
    open_group = next((group for group in state.groups if group), ())
    return state.hands.get(player) or open_group or state.board.colour_ids


def _ranking(state: State) -> Rank | None:
    """Return a wish of each kind: two cards of a group, one colour of another, a whole group, a number."""
    groups = {number: group for number, group in enumerate(state.groups, start=1) if group}
    if not groups:
        return None
    first, last = next(iter(groups.values())), groups[max(groups)]
    one = next((card for group in groups.values() for card in group if card not in first), first[len(first) // 2])
    wishes = (Wish(colours=(first[0], first[-1])), Wish(colours=(one,)), Wish(colours=last, exact=True))
    return Rank(wishes=(*wishes, Wish(number=max(groups))))


def _rearrangement(state: State) -> Rearrange:
    """Return the open cards in other groups of the same sizes; cards of all colours where not all groups are open."""
    colours, open_now = state.board.colour_ids, state.groups
    if not open_now or not all(open_now):
        size = state.numbers.group_size
        open_now = tuple(
            tuple(islice(cycle(colours), place * size, (place + 1) * size)) for place in range(len(state.codes))
        )
    cards = [card for group in open_now for card in group][::-1]
    size, order = len(open_now[0]), colours.index
    places = range(0, len(cards), size)
    return Rearrange(groups=tuple(tuple(sorted(cards[at : at + size], key=order)) for at in places))


def _build(state: State, player: str) -> Build:
    """Return a link for a card in hand, rather one that can be paid for; another one for 5 marks; and the card given up."""
    hand, links = _hand(state, player), state.board.links
    free = [link for link in links if link.id not in state.built]
    sites = [Site(link.id) for link in free if link.colour in hand]
    able = [site for site in sites if player in state.hands and not site_fault(state, player, site)]
    own = (*able, *sites)[:1]
    card = state.board.link_by_id(own[0].link).colour if own else hand[0]
    bargains = [Site(link.id, bargain=True, card=card) for link in free if link.colour != card]
    return Build(number=1, sites=(*own, *(bargains[:1] if own else ()), Site(card=card)))


def _trips(state: State, player: str) -> tuple[Delivery, ...]:
    """Return deliveries that can be made, rather over own sections, or where there are too few, what printed links would allow.

    The first leaves its route to the referee, where that is allowed, by a city of the way if there is one.
    """
    board = state.board
    printed = state.but(built=dict.fromkeys((link.id for link in board.links), player))
    found: dict[Delivery, None] = {}
    for position, longest in ((state, board.max_links), (printed, 2), (printed, board.max_links)):
        if len(found) < TRIPS_SHOWN:
            trips = legal_deliveries(position, player, longest)
            # A longer way first: it shows how cities on the way are named.
            found |= dict.fromkeys(
                sorted(trips, key=lambda trip: (player not in sections_of(state, trip.route), len(trip.route) != 3))
            )
    shown = tuple(found)[:TRIPS_SHOWN]
    if state.options.route_needed:
        return shown
    return (*(trip.but(route=(), via=trip.route[1:-1][:1]) for trip in shown[:1]), *shown[1:])


def _extra(state: State) -> Extra:
    """Return a city for each colour that a cube of it would have to leave."""
    cities = state.board.cities
    places: dict[str, str] = {}
    for colour in CUBE_COLOURS:
        fits = [city.id for city in cities if city.colour != colour]
        places[colour] = next((city for city in fits if city not in places.values()), fits[0])
    return Extra(trip=1, cities=tuple(places.items()))


def _a_cube(state: State) -> Pair | None:
    cities = (city.id for city in state.board.cities)
    return next(((state.cubes[city][0], city) for city in cities if state.cubes.get(city)), None)


def _plan(state: State) -> Plan | None:
    cube = _a_cube(state)
    if cube is None:
        return None
    colour, origin = cube
    goal = next(city.id for city in state.board.cities if city.id != origin)
    return Plan(when="before", what="move", number=1, colour=colour, origin=origin, goal=goal)


def _sabotage(state: State, player: str) -> Sabotage:
    cube = _a_cube(state)
    targets = (Target(colour=cube[0], origin=cube[1]), Target()) if cube else (Target(),)
    return Sabotage(targets=targets, victim=_rivals(state, player)[0], trip=2)
