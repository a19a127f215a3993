"""Phase 6: trips and extra trips, with the cards that belong to them. Rule: V3.6, V4.3, V4.4."""

from __future__ import annotations

from typing import Literal, TypeVar

from referee.core import Complaint, complaint_of, of_kind

from . import events, goods
from .board import EXTRA, LOK, PLANNING, SABOTAGE, SUBVENTION
from .changes import Play, kept_orders
from .events import (
    BarsLifted,
    CubeDelivered,
    CubePlanned,
    DebtPaid,
    ExtraPlaced,
    OrderRefused,
    TripBarred,
    TripDeclined,
)
from .goods import card_count, draw_cube, play_card
from .notation import FIRST_EXTRA, SECOND_EXTRA, format_order, sections_of
from .routing import route_of
from .state import DECLINED, Extra, Item, Move, Order, Plan, Sabotage, State, Subsidy, Target

# Sabotage: standing orders that bar a cube when another player is about to move it. Rule: V4.6, V9, DIFF 51-54, R9,
# R10.

Trip = TypeVar("Trip", Move, Subsidy)


def bar_trip(play: Play, made: CubeDelivered) -> bool:
    """Play the first Sabotage, in turn order after the mover, that waits for this trip; say whether there was one.

    Nobody else's card or order is spent by it. Who holds no card for it is told so once a turn for each order; it stands, since
    they may yet draw one. Rule: DIFF 53, DIFF 54.
    """
    place, route = play.state.order.index(made.player), made.route
    for player in play.state.order[place + 1 :] + play.state.order[:place]:
        for order in [each for each in kept_orders(play.state.kept, Sabotage, player) if fits(each, made)][:1]:
            if card_count(play.state, player, SABOTAGE):
                play.spend(player, order)
                play_card(play, player, SABOTAGE)
                city = "" if play.state.options.sabotage_scope == "colour" else route[0]
                barred = TripBarred(
                    player, victim=made.player, trip=made.trip, colour=made.colour, route=route, city=city
                )
                play.add(barred)
                return True
            complaint = card_fault(play, "illegal-no-card", order, SABOTAGE)
            if complaint not in [each.complaint for each in of_kind(OrderRefused, play.events)]:
                play.refuse(player, complaint)
    return False


def fits(order: Sabotage, made: CubeDelivered) -> bool:
    """Return whether a standing order waits for this trip. An order without targets waits for any cube."""
    if order.victim not in ("", made.player) or order.trip not in (0, made.trip):
        return False
    return any(
        target.colour in ("", made.colour)
        and target.origin in ("", made.route[0])
        and target.goal in ("", made.route[-1])
        and target.passing in ("", *made.route[1:])
        for target in order.targets or (Target(),)
    )


def lift(play: Play, *players: str) -> None:
    """Let players move again what was barred."""
    for player in players:
        if any(bar.player == player for bar in play.state.bars):
            play.add(BarsLifted(player))


End = Literal["made", "barred", "refused", "impossible"]  # of a trip; refused: by its player


def make_trip(play: Play, item: Item, orders: tuple[Move, ...] | tuple[Subsidy, ...]) -> End:
    """Make the first delivery that is legal and not barred; say how it ended.

    An extra trip's Subvention is played with the first alternative that is legal (Rule: DIFF 48), and Schnelle Loks are in force
    for all that come after: on the table, whatever alternative is made (Rule: DIFF 55). A bar is lifted after the trip, unless it
    lasts for the phase (Rule: DIFF 52, R9).
    """
    player, loks = item.player, 0
    end: End = "impossible"
    for order, delivery in [(each, delivery) for each in orders for delivery in each.deliveries]:
        if delivery.colour == DECLINED:
            end = "refused"
            break
        route = route_of(play.state, player, delivery, loks)
        if isinstance(route, Complaint):
            play.refuse(player, route.but(line=order.line))
            continue
        if item.what == "subsidy" and end == "impossible":
            play_card(play, player, SUBVENTION)
        for _ in range(delivery.loks - loks):
            play_card(play, player, LOK)
        end, loks, steps = "barred", max(loks, delivery.loks), sections_of(play.state, route)
        made = CubeDelivered(player, trip=item.number, colour=delivery.colour, route=route, steps=steps, loks=loks)
        if not bar_trip(play, made):
            end = "made"
            play.add(made)
            # The cube that returns goes on to the city with the oldest claim. Rule: DIFF 12, R14
            play.add_all(DebtPaid(city=city, colour=made.colour) for city in play.state.owed[:1])
            break
    for _ in range(loks if end != "made" else 0):
        play.add(events.CardReturned(player, card=LOK))
    if play.state.options.sabotage_lasts != "phase":
        lift(play, player)
    return end


def orders_for(play: Play, kind: type[Trip], item: Item) -> tuple[Trip, ...]:
    """Return a player's orders of a kind for that trip."""
    return tuple(order for order in play.of(kind, item.player) if order.trip == item.number)


def move(play: Play, item: Item) -> None:
    """Make a player's first or second trip; who makes none gets an action card. Rule: V3.6, DIFF 33, 34."""
    end = make_trip(play, item, orders_for(play, Move, item))
    if end != "made":
        play.add(TripDeclined(item.player, trip=item.number, wished=end == "refused"))
        if play.state.draws_at_once:
            goods.draw_action(play, item.player, "declined")


def is_last(state: State, player: str) -> bool:
    """Return whether a player could play Subvention now, card or not: it may be asked without telling anything."""
    judged_early = state.options.subvention_when == "start_of_extra_trips"
    return player in (state.subsidy_for if judged_early else state.last_places())


def subsidy(play: Play, item: Item) -> None:
    """Make a player's extra trip if they play Subvention; a second one may follow at once. Rule: V4.4, DIFF 46-48, R11."""
    second = item.but(number=SECOND_EXTRA)
    orders, is_first = orders_for(play, Subsidy, item), item.number == FIRST_EXTRA
    stack = play.state.options.subvention_stack
    if is_first and not (stack and orders):
        for order in orders_for(play, Subsidy, second):
            refuse_card(
                play, item.player, "illegal-subsidy-once" if orders else "illegal-subsidy-first", order, SUBVENTION
            )
    if not orders:
        return
    fault = subsidy_fault(play.state, item.player)
    if not fault and make_trip(play, item, orders) == "impossible":
        fault = "note-subsidy-kept"
    if fault:
        refuse_card(play, item.player, fault, orders[0], SUBVENTION)
    elif stack and is_first:
        play.agenda.insert(0, second)


def subsidy_fault(state: State, player: str) -> str:
    """Return the code of what keeps a player from playing Subvention now, "" if nothing does."""
    if not goods.card_count(state, player, SUBVENTION):
        return "illegal-no-card"
    return "" if is_last(state, player) else "illegal-not-last"


def end_transport(play: Play, item: Item) -> None:
    """Hand out the cards for declined trips that wait for the end of phase 6, lift every bar; no sabotage stands any longer.

    Rule: DIFF 34, R22.
    """
    lift(play, *play.state.order)
    for player in play.state.declined:
        goods.draw_action(play, player, "late")
    play.drop(Sabotage)


def card_fault(play: Play, code: str, order: Order, card: str) -> Complaint:
    """Return why an action card cannot be played, or was not."""
    return complaint_of(code, goods.PLAYED[card], format_order(play.state, order), order.line, card=card)


def refuse_card(play: Play, player: str, code: str, order: Subsidy | Extra, card: str) -> None:
    """Tell a player alone why an action card cannot be played, or was not."""
    play.refuse(player, card_fault(play, code, order, card))


# What a player plays beside a decision of their own: Neue Planung moves a cube, Zusatzfracht brings one.
#
# Rule: V4.7, V4.9, DIFF 57-59, 62-64, R12, R13, R15, R35.

PHASES = {
    "bonds": 3,
    "bid": 4,
    "choose": 4,
    "build": 5,
    "move": 6,
    "subsidy": 6,
}


def move_cubes(play: Play, item: Item, when: str) -> None:
    """Play what a letter puts BEFORE or AFTER *item*, line by line: what comes first may serve what comes next. Rule: R35."""
    for order in play.cubes_moved(item.player):
        if goes_with(order, when, item):
            play_beside(play, item, order)


def play_beside(play: Play, item: Item, order: Extra | Plan) -> None:
    """Play a card that goes with this decision, or say what keeps it from being played."""
    if isinstance(order, Extra):
        _place_extra(play, item, order)
    else:
        _plan(play, item, order)


def goes_with(order: Extra | Plan, when: str, item: Item) -> bool:
    """Return whether an order stands on that side of a decision; one that names no number goes with each of the kind."""
    if isinstance(order, Extra):
        return when == "before" and item.what in ("move", "subsidy") and order.trip == item.number
    return order.when == when and order.what == item.what and order.number in (0, item.number)


def may_plan(state: State, what: str) -> bool:
    """Return whether Neue Planung may be played with that kind of decision: ``3-6``, ``5-6`` or ``6``. Rule: DIFF 62."""
    return PHASES[what] >= int(state.options.neue_planung_phases[0])


def has_turn(play: Play, item: Item, when: str) -> bool:
    """Return whether the player's turn is not over: a declined trip ends it, an extra trip is one's turn if it is made.

    Rule: R12, R15.
    """
    if item.what not in ("move", "subsidy"):
        return True
    if when == "after":
        made = of_kind(CubeDelivered, play.events)
        return any((event.player, event.trip) == (item.player, item.number) for event in made)
    if item.what == "move":
        return True
    return bool(orders_for(play, Subsidy, item)) and not subsidy_fault(play.state, item.player)


def _plan(play: Play, item: Item, order: Plan) -> None:
    state, player = play.state, item.player
    start = state.board.city(order.origin)
    params: dict[str, str | int] = {}
    if not may_plan(state, item.what):
        code, params = "illegal-plan-phase", {"phases": state.options.neue_planung_phases}
    elif not card_count(state, player, PLANNING):
        code, params = "illegal-no-card", {"card": PLANNING}
    elif not has_turn(play, item, order.when):
        code = "illegal-plan-no-trip"
    elif order.colour not in state.cubes.get(start.id, ()):
        code, params = "illegal-no-cube", {"colour": order.colour, "city": start.name}
    else:
        play_card(play, player, PLANNING)
        play.add(CubePlanned(player, colour=order.colour, origin=order.origin, goal=order.goal))
        return
    play.refuse(player, complaint_of(code, "V4.9", format_order(state, order), order.line, "", **params))


def _place_extra(play: Play, item: Item, order: Extra) -> None:
    """Play a Zusatzfracht: draw a cube, and put it where its colour is wanted. Rule: V4.7, DIFF 57-59, R12, R13."""
    player, trip = item.player, order.trip
    if not has_turn(play, item, "before"):
        return
    is_held = card_count(play.state, player, EXTRA)
    if not is_held or not any(play.state.bag.values()):
        refuse_card(play, player, "illegal-bag-empty" if is_held else "illegal-no-card", order, EXTRA)
        return
    before = sum((event.player, event.trip) == (player, trip) for event in of_kind(ExtraPlaced, play.events))
    colour = draw_cube(play, f"extra/{play.state.round}/{player}/{trip}", before)
    assert colour is not None  # the bag is not empty
    play_card(play, player, EXTRA)
    play.add(ExtraPlaced(player, trip=trip, colour=colour, city=dict(order.cities)[colour]))
