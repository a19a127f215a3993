"""Sabotage of another player's trip. Rules: V4.6, V9, DIFF 51-56, R8-R10."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from referee.games.volldampf import schedule
from referee.games.volldampf.board.board import LOK, SABOTAGE
from referee.games.volldampf.changes import CHANGES, Record
from referee.games.volldampf.events import CubeDelivered, TripBarred
from referee.games.volldampf.letters import kept_orders
from referee.games.volldampf.state import Delivery, Item, Move, Order, Sabotage, State, Target
from referee.games.volldampf.transport import fits, move
from tests.games.volldampf.roads import delivery, dice, letters, of_kind, scene

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
    move(record, Item(what=schedule.MOVE, number=number, player=player), letters(state, **{player: orders}), dice())
    return record


def delivered(record: Record) -> list[str]:
    """Return the cities of departure of the deliveries made."""
    return [event.route[0] for event in of_kind(record, CubeDelivered)]


def saboteurs(record: Record) -> list[str]:
    """Return who barred the trip, in order."""
    return [event.player for event in of_kind(record, TripBarred)]


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


def test_one_order_is_spent_once_whatever_cards_are_left() -> None:
    """Rule: V9: executed at the first match."""
    record = trip(position({"BOB": (ANY,)}, actions={"BOB": (SABOTAGE, SABOTAGE)}), TO_BONN, TO_XANTEN)
    assert saboteurs(record) == ["BOB"]
    assert record.state.actions["BOB"] == (SABOTAGE,)


def test_a_trip_that_is_not_legal_or_declined_spends_nobodys_card() -> None:
    """Rule: DIFF 53: after cube and route are known."""
    record = trip(position({"BOB": (ANY,)}), delivery("violet Celle Fulda"), Delivery(colour=""))
    assert saboteurs(record) == []


# --- a Schnelle Lok on the barred trip ---


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
