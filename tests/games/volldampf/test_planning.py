"""Neue Planung around an own decision. Rules: V4.9, DIFF 62-64, R12, R15."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from referee.games.volldampf import schedule
from referee.games.volldampf.board.board import PLANNING, SUBVENTION
from referee.games.volldampf.changes import CHANGES, Record
from referee.games.volldampf.events import CardPlayed, CubePlanned, OrderRefused, TripDeclined
from referee.games.volldampf.state import AFTER, BEFORE, Delivery, Item, Move, Order, Plan, State, Subsidy
from referee.games.volldampf.transport import may_plan, move, move_cubes, subsidy
from tests.games.volldampf.roads import delivery, dice, letters, of_kind, scene

DECLINE = Delivery(colour="")
TO_BONN = delivery("blue Celle Bonn")
CARD = {"ANN": (PLANNING,)}


def position(**details: Any) -> State:
    """Return a position with a blue cube in Fulda, which has no link; Celle-Bonn is built."""
    places = {"blue": "Bonn Xanten", "violet": "Celle Fulda"}
    return scene(places, {"BOB": "Celle-Bonn"}, **{"cubes": {"Fulda": "blue"}, "actions": CARD, **details})


def planned(when: str, what: str, number: int = 0, goal: str = "CEL") -> Plan:
    """Return Neue Planung for Fulda's blue cube."""
    return Plan(when=when, what=what, colour="blue", origin="FUL", goal=goal, number=number)


def around(state: State, item: Item, *orders: Order) -> Record:
    """Return a decision of ANN's with what is planned before and after it, as the round plays it."""
    record, post = Record(state, CHANGES), letters(state, ANN=orders)
    move_cubes(record, item, post, BEFORE, dice())
    if item.what in (schedule.MOVE, schedule.SUBSIDY):
        (move if item.what == schedule.MOVE else subsidy)(record, item, post, dice())
    move_cubes(record, item, post, AFTER, dice())
    return record


def first_trip(state: State, when: str, delivery: Delivery) -> Record:
    """Return ANN's first trip with a Neue Planung."""
    orders = (planned(when, schedule.MOVE, 1), Move(trip=1, deliveries=(delivery,)))
    return around(state, Item(what=schedule.MOVE, number=1, player="ANN"), *orders)


def codes(record: Record) -> list[str]:
    """Return the codes of what was refused, all of it to ANN alone."""
    assert all(event.secret and event.player == "ANN" for event in of_kind(record, OrderRefused))
    return [event.complaint.code for event in of_kind(record, OrderRefused)]


def test_a_cube_moves_without_track_and_without_income() -> None:
    """Rule: V4.9, DIFF 63: to a city of its own colour too, where it lies."""
    orders = (planned(BEFORE, "build", 1, "XAN"),)
    record = around(position(), Item(what="build", number=1, player="ANN"), *orders)
    assert record.events == [
        CardPlayed(player="ANN", card=PLANNING, paragraph="V4.9"),
        CubePlanned(player="ANN", colour="blue", origin="FUL", goal="XAN"),
    ]
    assert record.state.cubes == {"XAN": ("blue",)}
    assert record.state.income == position().income
    assert record.state.bag == position().bag


def test_a_cube_planned_before_a_trip_may_be_moved_in_it() -> None:
    """Rule: V4.9."""
    record = first_trip(position(), BEFORE, TO_BONN)
    assert record.state.cubes == {}
    assert record.state.income["BOB"] == 1


def test_after_a_trip_that_was_made_it_is_still_ones_turn() -> None:
    """Rule: DIFF 62."""
    record = first_trip(position(cubes={"Fulda": "blue", "Celle": "blue"}), AFTER, TO_BONN)
    assert record.state.cubes == {"CEL": ("blue",)}


def test_before_a_decline_it_is_played() -> None:
    """Rule: R15."""
    record = first_trip(position(), BEFORE, DECLINE)
    assert [type(event) for event in record.events][:3] == [CardPlayed, CubePlanned, TripDeclined]


@pytest.mark.parametrize("delivery", [DECLINE, delivery("blue Celle Xanten")])
def test_after_a_decline_wished_or_forced_the_turn_is_over(delivery: Delivery) -> None:
    """Rule: R15: not played, the card stays."""
    record = first_trip(position(cubes={"Fulda": "blue", "Celle": "blue"}), AFTER, delivery)
    assert not of_kind(record, CubePlanned)
    assert codes(record)[-1] == "illegal-plan-no-trip"
    assert PLANNING in record.state.actions["ANN"]


@pytest.mark.parametrize(("option", "first"), [("3-6", 3), ("5-6", 5), ("6", 6)])
def test_the_phases_in_which_it_is_played_are_an_option(option: str, first: int) -> None:
    """Rule: DIFF 62."""
    state = position(options={"neue_planung_phases": option})
    phases = {"bonds": 3, "bid": 4, "choose": 4, "build": 5, "move": 6, "subsidy": 6}
    assert {what: may_plan(state, what) for what in phases} == {what: phases[what] >= first for what in phases}


@pytest.mark.parametrize("when", [BEFORE, AFTER])
@pytest.mark.parametrize(("option", "code"), [("3-6", []), ("5-6", ["illegal-plan-phase"])])
def test_bonds_are_a_turn_too_unless_the_option_says_no(option: str, code: list[str], when: str) -> None:
    """Rule: DIFF 62."""
    state = position(options={"neue_planung_phases": option})
    record = around(state, Item(what="bonds", player="ANN"), planned(when, "bonds"))
    assert codes(record) == code
    assert bool(of_kind(record, CubePlanned)) is (not code)


@pytest.mark.parametrize(
    ("order", "details", "code"),
    [
        (planned(BEFORE, "build", 1), {"actions": {}}, "illegal-no-card"),
        (planned(BEFORE, "build", 1), {"cubes": {}}, "illegal-no-cube"),
        (planned(BEFORE, "build", 1, "FUL"), {}, "illegal-same-city"),
    ],
)
def test_what_cannot_be_planned_leaves_the_card(order: Plan, details: dict[str, Any], code: str) -> None:
    """Rule: V4.9."""
    state = position(**details)
    record = around(state, Item(what="build", number=1, player="ANN"), order)
    assert codes(record) == [code]
    assert record.state == state


def test_an_order_for_another_decision_waits() -> None:
    record = around(position(), Item(what="build", number=2, player="ANN"), planned(BEFORE, "build", 1))
    assert record.events == []


def test_two_cards_may_be_played_around_one_decision() -> None:
    """Rule: V4.1: no limit in a round."""
    back = replace(planned(AFTER, "choose"), origin="CEL", goal="FUL")
    state = position(actions={"ANN": (PLANNING, PLANNING)})
    record = around(state, Item(what="choose", player="ANN"), planned(BEFORE, "choose"), back)
    assert [event.goal for event in of_kind(record, CubePlanned)] == ["CEL", "FUL"]


# --- with Subvention ---

EXTRA_TRIP = Item(what=schedule.SUBSIDY, number=3, player="ANN")


@pytest.mark.parametrize("number", [0, 3])
def test_an_extra_trip_is_ones_turn(number: int) -> None:
    """Rule: R12: what is planned before it decides whether a delivery is legal; item without a number means the first."""
    state = position(actions={"ANN": (SUBVENTION, PLANNING)})
    orders = (planned(BEFORE, schedule.SUBSIDY, 3), Subsidy(deliveries=(TO_BONN,)))
    record = around(state, replace(EXTRA_TRIP, number=number), *orders)
    assert record.state.actions["ANN"] == ()
    assert record.state.income["BOB"] == 1


def test_planned_before_an_extra_trip_that_is_not_legal_then_it_is_spent_and_subvention_stays() -> None:
    """Rule: R12."""
    state = position(actions={"ANN": (SUBVENTION, PLANNING)})
    orders = (planned(BEFORE, schedule.SUBSIDY, 3, "XAN"), Subsidy(deliveries=(TO_BONN,)))
    assert around(state, EXTRA_TRIP, *orders).state.actions["ANN"] == (SUBVENTION,)


@pytest.mark.parametrize(
    ("details", "orders"),
    [
        ({"actions": {"ANN": (PLANNING,)}}, (Subsidy(deliveries=(TO_BONN,)),)),
        ({"income": {"ANN": 5, "BOB": 0, "CID": 5, "DOT": 5}}, (Subsidy(deliveries=(TO_BONN,)),)),
        ({}, ()),
    ],
)
def test_without_an_extra_trip_there_is_no_turn_to_plan_in(details: dict[str, Any], orders: tuple[Order, ...]) -> None:
    """Rule: R12: no card, not last, or not asked for."""
    state = position(**{"actions": {"ANN": (SUBVENTION, PLANNING)}, **details})
    record = around(state, EXTRA_TRIP, planned(BEFORE, schedule.SUBSIDY, 3), *orders)
    assert codes(record)[0] == "illegal-plan-no-trip"
    assert record.state == state
