"""Trips, extra trips and their cards. Rules: V3.6, V4.3, V4.4, V4.7, DIFF 33, 34, 45-48, 57-59, R8, R11-R14, R20, R22."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from referee.games.volldampf import schedule
from referee.games.volldampf.board.board import CUBE_COLOURS, EXTRA, LOK, SUBVENTION
from referee.games.volldampf.changes import CHANGES, Record
from referee.games.volldampf.events import ActionDrawn, CubeDelivered, ExtraPlaced, OrderRefused, TripDeclined
from referee.games.volldampf.state import BEFORE, Bar, Delivery, Extra, Item, Move, Order, State, Subsidy
from referee.games.volldampf.transport import late_draws, move, move_cubes, subsidy
from tests.games.volldampf.roads import cities, delivery, dice, letters, of_kind, scene

PLACES = {"blue": "Aachen Bonn Xanten", "violet": "Celle Emden Fulda", "red": "Goslar", "yellow": "Halle"}
DECLINE = Delivery(colour="")
TO_BONN, TO_XANTEN = delivery("blue Celle Bonn"), delivery("blue Fulda Xanten")


def position(**details: Any) -> State:
    """Return a position where ANN and BOB share the way from Celle to Bonn, and Fulda-Xanten is CID's."""
    built = {"ANN": "Celle-Emden", "BOB": "Emden-Bonn", "CID": "Fulda-Xanten"}
    return scene(PLACES, built, **{"cubes": {"Celle": "blue", "Fulda": "blue"}, **details})


def trip(state: State, *orders: Order, number: int = 1, throws: dict[str, int] | None = None) -> Record:
    """Return ANN's first (or second) trip by these orders."""
    record, post = Record(state, CHANGES), letters(state, ANN=orders)
    item = Item(what=schedule.MOVE, number=number, player="ANN")
    move_cubes(record, item, post, BEFORE, dice(throws))
    assert move(record, item, post, dice(throws)) == []
    return record


def extra_trip(state: State, *orders: Order, number: int = 3) -> tuple[Record, list[Item]]:
    """Return ANN's Subvention trip, and what is to do after it."""
    record, post = Record(state, CHANGES), letters(state, ANN=orders)
    item = Item(what=schedule.SUBSIDY, number=number, player="ANN")
    move_cubes(record, item, post, BEFORE, dice())
    return record, subsidy(record, item, post, dice())


def codes(record: Record) -> list[str]:
    """Return the codes of what was refused; all of it is told to ANN alone."""
    refusals = of_kind(record, OrderRefused)
    assert all(event.secret and event.player == "ANN" for event in refusals)
    return [event.complaint.code for event in refusals]


def test_the_first_alternative_still_legal_is_made() -> None:
    """Rule: V9: the one before it is refused with its line, the one after it not even looked at."""
    wrong, never = delivery("violet Celle Emden"), delivery("yellow Celle Emden")
    record = trip(position(), Move(trip=1, deliveries=(wrong, TO_XANTEN, never), line=7))
    assert [event.route for event in of_kind(record, CubeDelivered)] == [cities("Fulda Xanten")]
    assert codes(record) == ["illegal-no-cube"]
    assert of_kind(record, OrderRefused)[0].complaint.line == 7


def test_orders_of_the_other_trip_wait() -> None:
    record = trip(position(), Move(trip=1, deliveries=(TO_BONN,)), Move(trip=2, deliveries=(TO_XANTEN,)), number=2)
    assert [event.route for event in of_kind(record, CubeDelivered)] == [cities("Fulda Xanten")]


def test_the_end_of_the_phase_lifts_every_bar() -> None:
    """Rule: R9."""
    state = position(bars=(Bar(player="ANN", colour="blue", city="CEL"), Bar(player="DOT", colour="red")))
    record = Record(state, CHANGES)
    late_draws(record, Item(what=schedule.DRAWS), letters(state), dice())
    assert record.state.bars == ()


def test_a_schnelle_lok_of_an_alternative_that_is_not_legal_is_not_spent() -> None:
    """Rule: R8."""
    wrong = delivery("red Celle Goslar", loks=1)
    record = trip(position(actions={"ANN": (LOK,)}), Move(trip=1, deliveries=(wrong, TO_BONN)))
    assert record.state.actions["ANN"] == (LOK,)
    assert of_kind(record, CubeDelivered)[0].loks == 0


# --- Zusatzfracht ---

TO_CELLE = Extra(trip=1, cities=tuple((colour, "CEL") for colour in CUBE_COLOURS))


def test_two_extra_cubes_have_a_throw_each() -> None:
    """Rule: V4.1: any number of cards."""
    state = position(actions={"ANN": (EXTRA, EXTRA)})
    record = trip(state, TO_CELLE, TO_CELLE, throws={"extra/2/ANN/1": 6, "extra/2/ANN/1/2": 19})
    assert [event.colour for event in of_kind(record, ExtraPlaced)] == ["violet", "yellow"]


@pytest.mark.parametrize(
    ("order", "details", "code"),
    [
        (TO_CELLE, {"actions": {}}, "illegal-no-card"),
        (TO_CELLE, {"bag": dict.fromkeys(CUBE_COLOURS, 0)}, "illegal-bag-empty"),
        (replace(TO_CELLE, cities=TO_CELLE.cities[:3]), {}, "illegal-extra-cities"),
    ],
)
def test_an_extra_cube_that_cannot_be_placed_leaves_the_card(order: Extra, details: dict[str, Any], code: str) -> None:
    """Rule: DIFF 59, R13."""
    state = position(**{"actions": {"ANN": (EXTRA,)}, **details})
    record = trip(state, order, Move(trip=1, deliveries=(TO_BONN,)))
    assert codes(record) == [code]
    assert not of_kind(record, ExtraPlaced)
    assert record.state.actions == state.actions


def test_an_extra_cube_for_the_other_trip_waits() -> None:
    record = trip(position(actions={"ANN": (EXTRA,)}), replace(TO_CELLE, trip=2), Move(trip=1, deliveries=(TO_BONN,)))
    assert not of_kind(record, ExtraPlaced)
    assert not of_kind(record, OrderRefused)


# --- Subvention ---

ASKED = Subsidy(deliveries=(TO_BONN,))


def last(**details: Any) -> State:
    """Return a position where ANN is last by two spaces, with one Subvention in hand."""
    income = {"ANN": 3, "BOB": 5, "CID": 5, "DOT": 9}
    return position(**{"income": income, "actions": {"ANN": (SUBVENTION,)}, **details})


def test_without_the_card_there_is_no_extra_trip() -> None:
    """Rule: V4.4. Who asks for none hears nothing."""
    record, _ = extra_trip(last(actions={}), ASKED)
    assert codes(record) == ["illegal-no-card"]
    assert extra_trip(last())[0].events == []


@pytest.mark.parametrize("wish", [DECLINE, delivery("red Celle Goslar")])
def test_with_no_legal_delivery_or_none_wanted_subvention_stays_in_hand(wish: Delivery) -> None:
    """Rule: V4.4, DIFF 48: and no action card is drawn for it."""
    record, _ = extra_trip(last(), Subsidy(deliveries=(wish,)))
    assert record.state.actions["ANN"] == (SUBVENTION,)
    assert codes(record)[-1] == "note-subsidy-kept"
    assert not of_kind(record, ActionDrawn)
    assert not of_kind(record, TripDeclined)


TWICE = (ASKED, Subsidy(deliveries=(TO_XANTEN,), trip=4, line=9))


def test_no_second_extra_trip_follows_one_that_was_not_made() -> None:
    """Rule: R11."""
    state = last(actions={"ANN": (SUBVENTION, SUBVENTION)}, options={"subvention_stack": True})
    assert extra_trip(state)[1] == []
    assert extra_trip(state, Subsidy(deliveries=(DECLINE,)))[1] == []
