"""Trips, extra trips and their cards. Rules: V3.6, V4.3, V4.4, V4.7, DIFF 33, 34, 45-48, 57-59, R8, R11-R14, R20, R22."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from referee.games.volldampf.board.board import CUBE_COLOURS, EXTRA, LOK, SUBVENTION
from referee.games.volldampf.phase.planning import move_cubes
from referee.games.volldampf.phase.transport import begin_extra_trips, is_last, late_draws, move, subsidy
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.changes import CHANGES, Record
from referee.games.volldampf.position.events import DebtPaid, OrderRefused
from referee.games.volldampf.position.orders import BEFORE, Delivery, Extra, Move, Order, Subsidy
from referee.games.volldampf.position.state import Bar, Item, State
from referee.games.volldampf.position.tripevents import (
    ActionDrawn,
    CardPlayed,
    CubeDelivered,
    ExtraPlaced,
    ExtraTripsBegan,
    TripDeclined,
)
from tests.games.volldampf.roads import cities, city, delivery, dice, letters, of_kind, scene

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
    item = Item(what=stages.MOVE, number=number, player="ANN")
    move_cubes(record, item, post, BEFORE, dice(throws))
    assert move(record, item, post, dice(throws)) == []
    return record


def extra_trip(state: State, *orders: Order, number: int = 3) -> tuple[Record, list[Item]]:
    """Return ANN's Subvention trip, and what is to do after it."""
    record, post = Record(state, CHANGES), letters(state, ANN=orders)
    item = Item(what=stages.SUBSIDY, number=number, player="ANN")
    move_cubes(record, item, post, BEFORE, dice())
    return record, subsidy(record, item, post, dice())


def codes(record: Record) -> list[str]:
    """Return the codes of what was refused; all of it is told to ANN alone."""
    refusals = of_kind(record, OrderRefused)
    assert all(event.secret and event.player == "ANN" for event in refusals)
    return [event.complaint.code for event in refusals]


def test_a_delivery_moves_each_owner_and_returns_the_cube_to_the_bag() -> None:
    """Rule: V3.6.4."""
    record = trip(position(), Move(trip=1, deliveries=(TO_BONN,)))
    route = cities("Celle Emden Bonn")
    expected = CubeDelivered(player="ANN", trip=1, colour="blue", route=route, steps={"ANN": 1, "BOB": 1})
    assert record.events == [expected]
    assert (record.state.income["ANN"], record.state.income["BOB"], record.state.income["CID"]) == (1, 1, 0)
    assert "CEL" not in record.state.cubes
    assert record.state.bag["blue"] == 6


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


@pytest.mark.parametrize(
    ("deliveries", "wished"), [((DECLINE, TO_BONN), True), ((), False), ((delivery("red Celle Goslar"),), False)]
)
def test_declining_by_wish_or_force_brings_a_card_at_once(deliveries: tuple[Delivery, ...], wished: bool) -> None:
    """Rule: V3.6.5, DIFF 34."""
    record = trip(position(), *([Move(trip=1, deliveries=deliveries)] if deliveries else []))
    assert of_kind(record, TripDeclined) == [TripDeclined(player="ANN", trip=1, wished=wished)]
    assert [(event.player, event.why) for event in of_kind(record, ActionDrawn)] == [("ANN", "declined")]
    assert len(record.state.actions["ANN"]) == 1


@pytest.mark.parametrize(("option", "cards"), [(False, 0), (True, 1)])
def test_declining_brings_no_card_in_round_1_but_by_option(option: bool, cards: int) -> None:
    """Rule: DIFF 33."""
    record = trip(position(round=1, options={"round1_decline_card": option}), Move(trip=1, deliveries=(DECLINE,)))
    assert len(of_kind(record, ActionDrawn)) == cards


def test_cards_for_declining_may_wait_for_the_end_of_the_phase_in_the_order_of_declining() -> None:
    """Rule: DIFF 34, R22: who declined twice gets two."""
    state = position(options={"decline_card_when": "end_of_phase"})
    record = trip(state, Move(trip=1, deliveries=(DECLINE,)))
    assert not of_kind(record, ActionDrawn)
    assert record.state.declined == ("ANN",)
    waiting = replace(record.state, declined=("BOB", "ANN", "BOB"))
    record = Record(waiting, CHANGES)
    assert late_draws(record, Item(what=stages.DRAWS), letters(waiting), dice()) == []
    assert [(event.player, event.why) for event in of_kind(record, ActionDrawn)] == [
        ("BOB", "late"),
        ("ANN", "late"),
        ("BOB", "late"),
    ]
    assert record.state.declined == ()


def test_the_end_of_the_phase_lifts_every_bar() -> None:
    """Rule: R9."""
    state = position(bars=(Bar(player="ANN", colour="blue", city="CEL"), Bar(player="DOT", colour="red")))
    record = Record(state, CHANGES)
    late_draws(record, Item(what=stages.DRAWS), letters(state), dice())
    assert record.state.bars == ()


def test_a_schnelle_lok_announced_is_spent_at_any_length() -> None:
    """Rule: R8: the delivery has two links; an alternative that does not name the card leaves it in hand."""
    state = position(actions={"ANN": (LOK,)})
    record = trip(state, Move(trip=1, deliveries=(replace(TO_BONN, loks=1),)))
    assert of_kind(record, CardPlayed) == [CardPlayed(player="ANN", card=LOK, paragraph="V4.3")]
    assert of_kind(record, CubeDelivered)[0].loks == 1
    assert record.state.actions["ANN"] == ()
    assert trip(state, Move(trip=1, deliveries=(TO_BONN,))).state.actions["ANN"] == (LOK,)


def test_a_schnelle_lok_of_an_alternative_that_is_not_legal_is_not_spent() -> None:
    """Rule: R8."""
    wrong = delivery("red Celle Goslar", loks=1)
    record = trip(position(actions={"ANN": (LOK,)}), Move(trip=1, deliveries=(wrong, TO_BONN)))
    assert record.state.actions["ANN"] == (LOK,)
    assert of_kind(record, CubeDelivered)[0].loks == 0


def test_the_income_track_may_end() -> None:
    """Rule: DIFF 05, R20: what goes beyond is lost."""
    income = {"ANN": 40, "BOB": 38, "CID": 0, "DOT": 0}
    record = trip(position(income=income, options={"income_max": 40}), Move(trip=1, deliveries=(TO_BONN,)))
    assert (record.state.income["ANN"], record.state.income["BOB"]) == (40, 39)


def test_a_cube_that_returns_goes_to_the_city_with_the_oldest_claim() -> None:
    """Rule: DIFF 12, R14: it never enters the bag."""
    record = trip(position(owed=("HAL", "GOS")), Move(trip=1, deliveries=(TO_BONN,)))
    assert of_kind(record, DebtPaid) == [DebtPaid(city="HAL", colour="blue")]
    assert record.state.bag["blue"] == 5
    assert record.state.owed == ("GOS",)


# --- Zusatzfracht ---

TO_CELLE = Extra(trip=1, cities=tuple((colour, "CEL") for colour in CUBE_COLOURS))


def test_an_extra_cube_is_drawn_first_and_put_where_its_colour_is_wanted() -> None:
    """Rule: V4.7, DIFF 57, 58: throw 11 of 20 cubes is red; the cube may be moved at once."""
    wanted = Extra(trip=1, cities=(("blue", "AAC"), ("violet", "BON"), ("red", "CEL"), ("yellow", "HAL")))
    state = position(actions={"ANN": (EXTRA,)}, cubes={})
    record = trip(state, wanted, Move(trip=1, deliveries=(DECLINE,)), throws={"extra/2/ANN/1": 11})
    assert of_kind(record, ExtraPlaced) == [ExtraPlaced(player="ANN", trip=1, colour="red", city="CEL")]
    assert record.state.bag["red"] == 4
    assert record.state.cubes == {"CEL": ("red",)}
    assert of_kind(record, CardPlayed) == [CardPlayed(player="ANN", card=EXTRA, paragraph="V4.7")]


def test_the_extra_cube_may_be_the_one_that_is_moved() -> None:
    """Rule: V4.7: at the start of his turn."""
    state = position(actions={"ANN": (EXTRA,)}, cubes={})
    record = trip(state, TO_CELLE, Move(trip=1, deliveries=(TO_BONN,)), throws={"extra/2/ANN/1": 1})
    assert [event.route for event in of_kind(record, CubeDelivered)] == [cities("Celle Emden Bonn")]


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


def test_who_is_last_makes_an_extra_trip() -> None:
    """Rule: V4.4."""
    record, rest = extra_trip(last(), ASKED)
    assert of_kind(record, CardPlayed) == [CardPlayed(player="ANN", card=SUBVENTION, paragraph="V4.4")]
    assert [event.trip for event in of_kind(record, CubeDelivered)] == [3]
    assert record.state.subsidised == ("ANN",)
    assert rest == []


@pytest.mark.parametrize(("space", "made"), [(5, True), (6, False)])
def test_a_tie_for_last_counts(space: int, made: bool) -> None:
    """Rule: DIFF 46."""
    state = last(income={"ANN": space, "BOB": 5, "CID": 7, "DOT": 9})
    record, _ = extra_trip(state, ASKED)
    assert bool(of_kind(record, CubeDelivered)) is made
    assert is_last(state, "ANN") is made
    assert codes(record) == ([] if made else ["illegal-not-last"])


@pytest.mark.parametrize(("option", "made"), [("own_trip", False), ("start_of_extra_trips", True)])
def test_last_place_may_be_judged_when_the_extra_trips_begin(option: str, made: bool) -> None:
    """Rule: DIFF 46: ANN was last then, and has been moved on since."""
    record = Record(last(options={"subvention_when": option}), CHANGES)
    begin_extra_trips(record)
    assert record.events == [ExtraTripsBegan(last=("ANN",))]
    later = replace(record.state, income={**record.state.income, "ANN": 6})
    assert is_last(later, "ANN") is made
    assert bool(of_kind(extra_trip(later, ASKED)[0], CubeDelivered)) is made


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


def test_an_extra_cube_before_a_trip_that_turns_out_impossible_is_spent() -> None:
    """Rule: R12."""
    state = last(actions={"ANN": (SUBVENTION, EXTRA)}, cubes={})
    order = Extra(trip=3, cities=tuple((colour, city("Goslar")) for colour in CUBE_COLOURS))
    record, _ = extra_trip(state, order, ASKED)
    assert len(of_kind(record, ExtraPlaced)) == 1
    assert record.state.actions["ANN"] == (SUBVENTION,)


def test_no_extra_cube_is_placed_without_an_extra_trip() -> None:
    """Rule: R12: BOB's turn it is not."""
    state = last(actions={"ANN": (EXTRA,)})
    record, _ = extra_trip(state, replace(TO_CELLE, trip=3), ASKED)
    assert not of_kind(record, ExtraPlaced)


TWICE = (ASKED, Subsidy(deliveries=(TO_XANTEN,), trip=4, line=9))


def test_one_subvention_a_round_but_by_option() -> None:
    """Rule: DIFF 47."""
    record, rest = extra_trip(last(actions={"ANN": (SUBVENTION, SUBVENTION)}), *TWICE)
    assert rest == []
    assert codes(record) == ["illegal-subsidy-once"]


def test_by_option_a_second_one_follows_at_once_and_is_judged_again() -> None:
    """Rule: R11: at 4 spaces ANN is still last, at 6 not."""
    state = last(actions={"ANN": (SUBVENTION, SUBVENTION)}, options={"subvention_stack": True})
    record, rest = extra_trip(state, *TWICE)
    assert rest == [Item(what=stages.SUBSIDY, number=4, player="ANN")]
    again, rest = extra_trip(record.state, *TWICE, number=4)
    assert [event.trip for event in of_kind(again, CubeDelivered)] == [4]
    assert again.state.actions["ANN"] == ()
    assert rest == []
    passed = replace(record.state, income={**record.state.income, "ANN": 6})
    assert codes(extra_trip(passed, *TWICE, number=4)[0]) == ["illegal-not-last"]


def test_no_second_extra_trip_follows_one_that_was_not_made() -> None:
    """Rule: R11."""
    state = last(actions={"ANN": (SUBVENTION, SUBVENTION)}, options={"subvention_stack": True})
    assert extra_trip(state)[1] == []
    assert extra_trip(state, Subsidy(deliveries=(DECLINE,)))[1] == []
