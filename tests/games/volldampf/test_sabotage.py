"""Sabotage of another player's trip. Rules: V4.6, V9, DIFF 51-56, R8-R10."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from referee.games.volldampf.board.board import LOK, SABOTAGE, SUBVENTION
from referee.games.volldampf.phase.transport import fits, move, subsidy
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.changes import CHANGES, Record
from referee.games.volldampf.position.events import OrderRefused
from referee.games.volldampf.position.letters import kept_orders
from referee.games.volldampf.position.orders import Delivery, Move, Order, Sabotage, Subsidy, Target
from referee.games.volldampf.position.state import Bar, Item, State
from referee.games.volldampf.position.tripevents import (
    ActionDrawn,
    BarsLifted,
    CardPlayed,
    CardReturned,
    CubeDelivered,
    TripBarred,
    TripDeclined,
)
from tests.games.volldampf.roads import cities, delivery, dice, letters, of_kind, scene

PLACES = {"blue": "Aachen Bonn Xanten", "violet": "Celle Emden Fulda"}
ANY = Sabotage(targets=(Target(),))
FROM_CELLE = Sabotage(targets=(Target(colour="blue", origin="CEL"),), victim="ANN")
TO_BONN, TO_XANTEN, FROM_EMDEN = (
    delivery("blue Celle Bonn"),
    delivery("blue Fulda Xanten"),
    delivery("blue Emden Bonn"),
)


def position(standing: dict[str, tuple[Order, ...]], **details: Any) -> State:
    """Return a position where everybody but ANN holds one Sabotage, and some have it ordered."""
    hands = {"BOB": (SABOTAGE,), "CID": (SABOTAGE,), "DOT": (SABOTAGE,), **details.pop("actions", {})}
    built = {"ANN": "Celle-Emden-Bonn", "CID": "Fulda-Xanten"}
    cubes = {"Celle": "blue", "Fulda": "blue", "Emden": "blue"}
    return scene(PLACES, built, cubes=cubes, actions=hands, standing=standing, **details)


def trip(state: State, *deliveries: Delivery, number: int = 1, player: str = "ANN") -> Record:
    """Return a trip (ANN's first) by these alternatives."""
    record = Record(state, CHANGES)
    orders = (Move(trip=number, deliveries=deliveries),)
    move(record, Item(what=stages.MOVE, number=number, player=player), letters(state, **{player: orders}), dice())
    return record


def delivered(record: Record) -> list[str]:
    """Return the cities of departure of the deliveries made."""
    return [event.route[0] for event in of_kind(record, CubeDelivered)]


def saboteurs(record: Record) -> list[str]:
    """Return who barred the trip, in order."""
    return [event.player for event in of_kind(record, TripBarred)]


def test_a_cube_that_is_barred_stays_and_the_next_alternative_is_the_substitute() -> None:
    """Rule: V4.6, DIFF 53: the card and the order are spent."""
    record = trip(position({"BOB": (FROM_CELLE,)}), TO_BONN, TO_XANTEN)
    assert of_kind(record, TripBarred) == [
        TripBarred(player="BOB", victim="ANN", trip=1, colour="blue", route=cities("Celle Emden Bonn"), city="CEL")
    ]
    assert delivered(record) == ["FUL"]
    assert of_kind(record, CardPlayed) == [CardPlayed(player="BOB", card=SABOTAGE, paragraph="V4.6")]
    assert kept_orders(record.state, Sabotage, "BOB") == ()


def test_a_barred_cube_cannot_take_another_way_or_go_elsewhere() -> None:
    """Rule: DIFF 51: all cubes of that colour in that city; the player is told why."""
    record = trip(position({"BOB": (FROM_CELLE,)}), TO_BONN, delivery("blue Celle Aachen"))
    assert [event.complaint.code for event in of_kind(record, OrderRefused)] == ["illegal-barred"]
    assert delivered(record) == []


def test_without_a_substitute_the_trip_is_declined_and_a_card_drawn() -> None:
    """Rule: DIFF 56."""
    record = trip(position({"BOB": (FROM_CELLE,)}), TO_BONN)
    assert of_kind(record, TripDeclined) == [TripDeclined(player="ANN", trip=1, wished=False)]
    assert [event.player for event in of_kind(record, ActionDrawn)] == ["ANN"]


@pytest.mark.parametrize(("option", "made"), [("cube", ["FUL"]), ("colour", [])])
def test_the_cube_or_its_colour_everywhere_is_barred(option: str, made: list[str]) -> None:
    """Rule: DIFF 51, option ``sabotage_scope``."""
    record = trip(position({"BOB": (FROM_CELLE,)}, options={"sabotage_scope": option}), TO_BONN, TO_XANTEN)
    assert delivered(record) == made


@pytest.mark.parametrize(("option", "made"), [("trip", ["CEL"]), ("phase", [])])
def test_a_bar_lasts_for_the_trip_or_for_the_phase(option: str, made: list[str]) -> None:
    """Rule: DIFF 52, option ``sabotage_lasts``; R9: for the mover alone."""
    first = trip(position({"BOB": (FROM_CELLE,)}, options={"sabotage_lasts": option}), TO_BONN, TO_XANTEN)
    assert bool(of_kind(first, BarsLifted)) is bool(made)
    assert delivered(trip(first.state, TO_BONN, number=2)) == made
    assert delivered(trip(first.state, TO_BONN, number=2, player="DOT")) == ["CEL"]


def test_a_bar_for_the_phase_holds_for_extra_trips() -> None:
    """Rule: R9."""
    state = position({}, actions={"ANN": (SUBVENTION,)}, bars=(Bar(player="ANN", colour="blue", city="CEL"),))
    record = Record(state, CHANGES)
    orders = (Subsidy(deliveries=(TO_BONN,)),)
    subsidy(record, Item(what=stages.SUBSIDY, number=3, player="ANN"), letters(state, ANN=orders), dice())
    assert delivered(record) == []
    assert record.state.actions["ANN"] == (SUBVENTION,)


def test_of_several_saboteurs_the_first_after_the_mover_spends_his_card() -> None:
    """Rule: DIFF 54: in turn order CID, ANN, DOT, BOB it is DOT's; the others keep card and order."""
    state = position({"BOB": (FROM_CELLE,), "CID": (FROM_CELLE,), "DOT": (FROM_CELLE,)})
    record = trip(replace(state, order=("CID", "ANN", "DOT", "BOB")), TO_BONN, TO_XANTEN)
    assert saboteurs(record) == ["DOT"]
    assert record.state.actions["BOB"] == record.state.actions["CID"] == (SABOTAGE,)
    assert kept_orders(record.state, Sabotage, "CID") == (FROM_CELLE,)


def test_turn_order_goes_round() -> None:
    """Rule: DIFF 54: after the last comes the first."""
    state = position({"BOB": (FROM_CELLE,), "CID": (FROM_CELLE,)})
    assert saboteurs(trip(replace(state, order=("CID", "BOB", "DOT", "ANN")), TO_BONN)) == ["CID"]


def test_the_substitute_may_be_sabotaged_too() -> None:
    """Rule: DIFF 54, R10: by one whom another beat to the first one."""
    record = trip(position({"BOB": (ANY,), "CID": (ANY,)}), TO_BONN, TO_XANTEN, FROM_EMDEN)
    assert saboteurs(record) == ["BOB", "CID"]
    assert delivered(record) == ["EMD"]


def test_two_orders_of_one_player_use_two_cards() -> None:
    """Rule: V9, DIFF 54."""
    state = position({"BOB": (ANY, ANY)}, actions={"BOB": (SABOTAGE, SABOTAGE)})
    record = trip(state, TO_BONN, TO_XANTEN, FROM_EMDEN)
    assert saboteurs(record) == ["BOB", "BOB"]
    assert record.state.actions["BOB"] == ()
    assert delivered(record) == ["EMD"]


def test_one_order_is_spent_once_whatever_cards_are_left() -> None:
    """Rule: V9: executed at the first match."""
    record = trip(position({"BOB": (ANY,)}, actions={"BOB": (SABOTAGE, SABOTAGE)}), TO_BONN, TO_XANTEN)
    assert saboteurs(record) == ["BOB"]
    assert record.state.actions["BOB"] == (SABOTAGE,)


def test_nobody_sabotages_himself() -> None:
    """Rule: DIFF 54."""
    record = trip(position({"ANN": (ANY,)}, actions={"ANN": (SABOTAGE,)}), TO_BONN)
    assert delivered(record) == ["CEL"]


def test_without_the_card_an_order_does_nothing_and_its_player_alone_is_told_once() -> None:
    """Rule: V4.6: the next saboteur's is played; the order stands, since the card may yet be drawn."""
    record = trip(position({"BOB": (ANY,), "CID": (ANY,)}, actions={"BOB": ()}), TO_BONN, TO_XANTEN)
    assert saboteurs(record) == ["CID"]
    refusals = of_kind(record, OrderRefused)
    assert [(event.player, event.complaint.code, event.secret) for event in refusals] == [
        ("BOB", "illegal-no-card", True)
    ]
    assert kept_orders(record.state, Sabotage, "BOB") == (ANY,)


def test_a_trip_that_is_not_legal_or_declined_spends_nobodys_card() -> None:
    """Rule: DIFF 53: after cube and route are known."""
    record = trip(position({"BOB": (ANY,)}), delivery("violet Celle Fulda"), Delivery(colour=""))
    assert saboteurs(record) == []


# --- a Schnelle Lok on the barred trip ---


def test_a_schnelle_lok_stays_in_force_for_the_substitute() -> None:
    """Rule: DIFF 55, R8: spent by the substitute, at any length."""
    state = position({"BOB": (FROM_CELLE,)}, actions={"ANN": (LOK,)})
    record = trip(state, replace(TO_BONN, loks=1), TO_XANTEN)
    assert of_kind(record, CubeDelivered)[0].loks == 1
    assert record.state.actions["ANN"] == ()
    assert record.state.action_discards[LOK] == 1
    assert not of_kind(record, CardReturned)


def test_the_substitute_may_have_seven_links() -> None:
    """Rule: DIFF 55: without naming the card itself."""
    names = "A1a-B1b-C1c-D1d-E1e-F1f-G1g-Ilmenau"
    state = scene(
        {"violet": "A1a B1b C1c D1d E1e F1f G1g", "blue": "Ilmenau"},
        {"ANN": names},
        cubes={"A1a": "blue", "G1g": "blue"},
        actions={"ANN": (LOK,), "BOB": (SABOTAGE,)},
        standing={"BOB": (Sabotage(targets=(Target(origin="G1G"),)),)},
    )
    record = trip(state, delivery("blue G1g Ilmenau", loks=1), delivery("blue A1a Ilmenau"))
    assert [len(event.route) for event in of_kind(record, CubeDelivered)] == [8]


@pytest.mark.parametrize("rest", [(), (Delivery(colour=""),)])
def test_a_schnelle_lok_without_a_substitute_comes_back(rest: tuple[Delivery, ...]) -> None:
    """Rule: DIFF 55: before the card for declining is drawn."""
    state = position({"BOB": (FROM_CELLE,)}, actions={"ANN": (LOK,)})
    record = trip(state, replace(TO_BONN, loks=1), *rest)
    assert of_kind(record, CardReturned) == [CardReturned(player="ANN", card=LOK)]
    assert LOK in record.state.actions["ANN"]
    assert record.state.action_discards[LOK] == 0
    kinds = [type(event) for event in record.events]
    assert kinds.index(CardReturned) < kinds.index(TripDeclined) < kinds.index(ActionDrawn)


def test_subvention_is_spent_when_sabotage_leaves_no_trip() -> None:
    """Rule: DIFF 48, 56: and no card is drawn."""
    state = position({"BOB": (FROM_CELLE,)}, actions={"ANN": (LOK, SUBVENTION)})
    record = Record(state, CHANGES)
    orders = (Subsidy(deliveries=(replace(TO_BONN, loks=1),)),)
    subsidy(record, Item(what=stages.SUBSIDY, number=3, player="ANN"), letters(state, ANN=orders), dice())
    assert record.state.actions["ANN"] == (LOK,)
    assert record.state.action_discards[SUBVENTION] == 1
    assert not of_kind(record, ActionDrawn)
    assert not of_kind(record, OrderRefused)


# --- what an order waits for ---

ROUTE = ("CEL", "EMD", "BON")


@pytest.mark.parametrize(
    ("order", "waits"),
    [
        (ANY, True),
        (Sabotage(targets=()), True),
        (FROM_CELLE, True),
        (replace(FROM_CELLE, victim="CID"), False),
        (replace(ANY, trip=2), True),
        (replace(ANY, trip=1), False),
        (Sabotage(targets=(Target(colour="red"),)), False),
        (Sabotage(targets=(Target(goal="BON"),)), True),
        (Sabotage(targets=(Target(goal="EMD"),)), False),
        (Sabotage(targets=(Target(passing="EMD"),)), True),
        (Sabotage(targets=(Target(passing="BON"),)), True),
        (Sabotage(targets=(Target(passing="CEL"),)), False),
        (Sabotage(targets=(Target(colour="blue", origin="FUL"),)), False),
        (Sabotage(targets=(Target(colour="red"), Target(origin="CEL"))), True),
    ],
)
def test_an_order_waits_for_whom_when_and_what_it_names(order: Sabotage, waits: bool) -> None:
    """Rule: V9: against ANN's second trip with a blue cube by Celle, Emden, Bonn."""
    assert fits(order, "ANN", 2, "blue", ROUTE) is waits
