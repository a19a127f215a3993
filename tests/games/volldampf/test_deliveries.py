"""Which deliveries are legal and why others are not. Rules: V3.6.1-V3.6.3, V4.3, V4.6, DIFF 29-32, 35, 44, R1, R8."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.orders import Complaint
from referee.games.volldampf.board.board import LOK
from referee.games.volldampf.routing import legal_deliveries, route_of
from referee.games.volldampf.state import Bar, Delivery, State
from tests.games.volldampf.roads import cities, delivery, scene

PLACES = {"blue": "Aachen Bonn Xanten", "violet": "Celle Emden Fulda", "red": "Goslar"}


def position(built: str = "Celle-Emden-Bonn-Fulda-Xanten", **details: Any) -> State:
    """Return a position with a blue cube in Celle; ANN owns all that is built, Aachen-Celle is printed only."""
    cubes = {"Celle": "blue", "Bonn": "blue"}
    return scene(PLACES, {"ANN": built}, cubes=cubes, printed="Aachen-Celle Celle-Goslar", **details)


def refused(state: State, order: Delivery, in_force: int = 0) -> tuple[str, str]:
    """Return code and paragraph of the complaint about a delivery of ANN's."""
    found = route_of(state, "ANN", order, in_force)
    assert isinstance(found, Complaint), found
    return found.code, found.paragraph


def test_the_route_named_is_the_route_taken() -> None:
    """Rule: V3.6.1: even where another one is worth more."""
    state = position("Celle-Emden-Bonn Celle-Fulda-Bonn")
    named = delivery("blue Celle Bonn", route="Celle-Fulda-Bonn")
    assert route_of(state, "ANN", named) == cities("Celle Fulda Bonn")
    assert route_of(state, "ANN", delivery("blue Celle Bonn")) == cities("Celle Emden Bonn")


@pytest.mark.parametrize(
    ("order", "complaint"),
    [
        (delivery("violet Celle Fulda"), ("illegal-no-cube", "V3.6.1")),
        (delivery("blue Emden Bonn"), ("illegal-no-cube", "V3.6.1")),
        (delivery("blue Celle Fulda"), ("illegal-wrong-goal", "V3.6.1")),
        (delivery("blue Bonn Bonn"), ("illegal-same-city", "V3.6.2")),
        (delivery("blue Celle Aachen", route="Celle-Aachen"), ("illegal-not-built", "V3.6.1")),
        (delivery("blue Celle Bonn", route="Celle-Bonn"), ("illegal-no-link", "V3.6.1")),
        (delivery("blue Celle Bonn", route="Celle-Emden-Celle-Emden-Bonn"), ("illegal-city-twice", "V3.6.2")),
        (delivery("blue Celle Xanten", route="Celle-Emden-Bonn-Fulda-Xanten"), ("illegal-must-stop", "V3.6.3")),
        (delivery("blue Celle Aachen"), ("illegal-no-route", "V3.6.2")),
        (delivery("blue Celle Xanten"), ("illegal-no-route", "V3.6.2")),
        (delivery("blue Celle Bonn", loks=1), ("illegal-no-card", "V4.3")),
        (delivery("blue Celle Bonn", loks=2), ("illegal-lok-stack", "V4.3")),
    ],
)
def test_what_is_wrong_is_told_with_its_paragraph(order: Delivery, complaint: tuple[str, str]) -> None:
    assert refused(position(), order) == complaint


def test_a_complaint_quotes_the_delivery() -> None:
    found = route_of(position(), "ANN", delivery("blue Celle Fulda", route="Celle-Emden-Bonn-Fulda", loks=1))
    assert isinstance(found, Complaint)
    assert found.text == "blue Celle-Emden-Bonn-Fulda FAST"


def test_a_route_past_the_first_city_of_its_colour_is_not_cut_short() -> None:
    """Rule: R1; option ``must_stop`` lets it pass."""
    order = delivery("blue Celle Xanten", route="Celle-Emden-Bonn-Fulda-Xanten")
    assert refused(position(), order)[0] == "illegal-must-stop"
    assert route_of(position(options={"must_stop": False}), "ANN", order) == order.route


def test_a_cube_on_a_city_of_its_colour_must_travel_to_another() -> None:
    """Rule: DIFF 31."""
    assert route_of(position(), "ANN", delivery("blue Bonn Xanten")) == cities("Bonn Fulda Xanten")


def test_an_own_section_is_needed_by_option_alone() -> None:
    """Rule: DIFF 32."""
    order = delivery("blue Celle Bonn", route="Celle-Emden-Bonn")
    assert route_of(position(), "BOB", order) == order.route
    state = position(options={"own_link_needed": True})
    assert route_of(state, "ANN", order) == order.route
    found = route_of(state, "BOB", order)
    assert isinstance(found, Complaint)
    assert found.code == "illegal-no-own-link"


def test_a_route_may_have_to_be_named() -> None:
    """Rule: DIFF 35, option ``route_needed``: cities that links join one by one are a route too."""
    state = position(options={"route_needed": True})
    assert refused(state, delivery("blue Celle Bonn")) == ("illegal-route-needed", "V3.6.1")
    via = replace(delivery("blue Celle Bonn"), via=cities("Emden"))
    assert route_of(state, "ANN", via) == cities("Celle Emden Bonn")
    assert route_of(state, "ANN", delivery("blue Celle Bonn", route="Celle-Emden-Bonn")) == cities("Celle Emden Bonn")


LONG = {"violet": "A1a B1b C1c D1d E1e F1f G1g H1h", "blue": "Ilmenau"}
CHAIN = "A1a-B1b-C1c-D1d-E1e-F1f-G1g-H1h-Ilmenau"


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize(
    ("origin", "loks", "stack", "legal"),
    [
        ("C1c", 0, False, True),
        ("B1b", 0, False, False),
        ("B1b", 1, False, True),
        ("A1a", 1, True, False),
        ("A1a", 2, True, True),
        ("A1a", 2, False, False),
    ],
)
def test_six_links_seven_with_schnelle_lok_eight_with_two_by_option(
    origin: str, loks: int, stack: bool, legal: bool, named: bool
) -> None:
    """Rule: V3.6.2, V4.3, DIFF 44, option ``lok_stack``."""
    state = scene(
        LONG, {"BOB": CHAIN}, cubes={origin: "blue"}, actions={"ANN": (LOK, LOK)}, options={"lok_stack": stack}
    )
    route = CHAIN[CHAIN.index(origin) :] if named else ""
    found = route_of(state, "ANN", delivery(f"blue {origin} Ilmenau", loks=loks, route=route))
    assert isinstance(found, tuple) is legal


def test_a_lok_in_force_serves_an_alternative_that_names_none() -> None:
    """Rule: DIFF 55: the card lies on the table, no longer in the hand."""
    state = scene(LONG, {"BOB": CHAIN}, cubes={"B1b": "blue"})
    order = delivery("blue B1b Ilmenau")
    assert refused(state, order) == ("illegal-no-route", "V3.6.2")
    assert isinstance(route_of(state, "ANN", order, 1), tuple)
    assert isinstance(route_of(state, "ANN", replace(order, loks=1), 1), tuple)


@pytest.mark.parametrize(("bar", "codes"), [("CEL", {"illegal-barred", ""}), ("", {"illegal-barred"})])
def test_a_bar_holds_for_its_city_or_for_the_colour_everywhere(bar: str, codes: set[str]) -> None:
    """Rule: DIFF 51, R9: for the mover only."""
    state = position(bars=(Bar(player="ANN", colour="blue", city=bar),))
    orders = delivery("blue Celle Bonn"), delivery("blue Bonn Xanten")
    found = [route_of(state, "ANN", order) for order in orders]
    assert {each.code if isinstance(each, Complaint) else "" for each in found} == codes
    assert all(isinstance(route_of(state, "BOB", order), tuple) for order in orders)


def test_all_legal_deliveries_are_found_each_over_its_best_route() -> None:
    """Emden's red cube has no way to Goslar; Bonn's blue one may go on to Xanten."""
    state = position("Celle-Emden-Bonn-Fulda-Xanten Celle-Fulda")
    found = legal_deliveries(replace(state, cubes={**state.cubes, "EMD": ("red", "violet")}), "ANN", 6)
    assert [(each.colour, each.route) for each in found] == [
        ("blue", cities("Bonn Emden Celle Fulda Xanten")),
        ("blue", cities("Celle Emden Bonn")),
        ("blue", cities("Celle Fulda Xanten")),
        ("violet", cities("Emden Celle")),
        ("violet", cities("Emden Bonn Fulda")),
    ]


def test_what_is_found_legal_is_legal_and_bars_are_left_out() -> None:
    state = position("Celle-Emden-Bonn-Fulda-Xanten Celle-Fulda", bars=(Bar(player="ANN", colour="blue", city="CEL"),))
    found = legal_deliveries(state, "ANN", 6)
    assert {each.origin for each in found} == {"BON"}
    assert all(route_of(state, "ANN", each) == each.route for each in found)
    assert {each.origin for each in legal_deliveries(state, "BOB", 6)} == {"BON", "CEL"}
