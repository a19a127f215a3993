"""Phase 6 of a built-in player: trips over its own sections, with the cards that make them better."""

from __future__ import annotations

from msgspec.structs import replace

from referee.bots.volldampf.cards import play_card_before, without_card, without_cube
from referee.bots.volldampf.choices import Choice, best_choices
from referee.bots.volldampf.seeing import Seat
from referee.games.volldampf.board.board import LOK, SUBVENTION
from referee.games.volldampf.phase.deliveries import owners_on
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.moments import asked_now
from referee.games.volldampf.position.orders import DECLINED, Delivery, Move, Order, Subsidy
from referee.games.volldampf.position.state import State

MOST_TRIPS = 4  # alternatives of one trip
LEAST_GAIN = 2  # spaces that a trip should bring, else an action card is worth more
DECLINING = Delivery(colour=DECLINED)


def write_trips(seat: Seat) -> list[Order]:
    """Return every trip that is asked for, each as if the one before had been made, with the cards played before it."""
    orders: list[Order] = []
    for what, number in asked_now(seat.state):
        if what == stages.MOVE:
            written, seat = _trip(seat, number)
            orders += written
        elif what == stages.SUBSIDY:
            orders += _extra_trip(seat)
    return orders


def _trip(seat: Seat, number: int) -> tuple[list[Order], Seat]:
    """Return the orders of a trip, and the player as he may sit there after it."""
    orders: list[Order] = []
    choices = best_choices(seat)
    played = play_card_before(seat, number, choices)
    if played is not None:
        orders.append(played.order)
        seat = played.seat
        choices = [*played.hoped, *best_choices(seat)]
    if _rather_declines(seat, choices):
        return [*orders, Move(trip=number, deliveries=(DECLINING,))], seat
    end = (DECLINING,) if seat.taste(3) == 0 else ()  # what happens anyway is said by some
    deliveries = tuple(choice.written(seat) for choice in choices[:MOST_TRIPS])
    orders.append(Move(trip=number, deliveries=(*deliveries, *end)))
    made = next((choice for choice in choices[:MOST_TRIPS] if choice.certain), None)
    return orders, seat.at(after_trip(seat.state, seat.code, made.delivery)) if made else seat


def _rather_declines(seat: Seat, choices: list[Choice]) -> bool:
    """Return whether an action card is worth more than the best trip. Rule: V3.6.5, DIFF 33."""
    if not choices or choices[0].rating <= 0:
        return True
    brings_card = seat.state.round > 1 or seat.state.table.options.round1_decline_card
    return brings_card and seat.rounds_left > 0 and choices[0].gain < LEAST_GAIN


def _extra_trip(seat: Seat) -> list[Order]:
    """Play Subvention where the player is last as far as he can see. Rule: V4.4."""
    last = seat.state.subsidy_for or seat.state.last_places()
    choices = best_choices(seat)
    if not seat.has(SUBVENTION) or seat.code not in last or not choices or choices[0].gain < 1:
        return []
    return [Subsidy(deliveries=tuple(choice.written(seat) for choice in choices[:MOST_TRIPS]))]


def after_trip(state: State, player: str, delivery: Delivery) -> State:
    """Return the position after a delivery, whose route is given."""
    income = dict(state.income)
    for owner in owners_on(state, delivery.route):
        income[owner] += 1
    for _ in range(delivery.loks):
        state = without_card(state, player, LOK)
    return replace(without_cube(state, delivery.origin, delivery.colour), income=income)
