"""What a step costs in points and in fees. Rules: D2.2-D2.6, D3.2-D3.6."""

from __future__ import annotations

import pytest

from referee.core.orders import Complaint
from referee.games.dampfross.costs import Step, fees_due, points_of, step_on
from referee.games.dampfross.state import State
from tests.games.dampfross.sketch import position, sketch

HILLS = sketch(
    {"A3": (11,)},
    mountains="C3 D3 E3",
    rivers={"A3-A4": 2, "B3-C3": 2, "D3-E3": 2, "F3-G3": 4, "A3-B3": 2},
    closed=("A3-A2",),
    sea="G1",
    abroad="P3",
)

PLAIN = sketch({"A3": (11,), "H3": (12,), "H4": (13,)})


@pytest.mark.parametrize(
    ("start", "end", "points"),
    [
        ("F5", "G5", 1),  # Ebene-Ebene
        ("A3", "A4", 3),  # Ebene-Fluss-Ebene
        ("F3", "E3", 3),  # Ebene zu Berg, either way
        ("E3", "F3", 3),
        ("C3", "D3", 5),  # Berg zu Berg
        ("B3", "C3", 5),  # Berg-Fluss-Ebene
        ("D3", "E3", 7),  # Berg-Fluss-Berg
        ("F3", "G3", 5),  # a wide river: +4
        ("B4", "A4", 1),
    ],
)
def test_the_table_of_building_costs(start: str, end: str, points: int) -> None:
    """Rule: D2.3, the German text's figure 1 with its examples."""
    assert points_of(HILLS, "standard", start, end) == points
    assert points_of(HILLS, "standard", end, start) == points


def test_a_city_lies_in_the_plain() -> None:
    """Rule: D2.3."""
    assert points_of(PLAIN, "standard", "G3", "H3") == 1
    assert points_of(HILLS, "standard", "B3", "A3") == 3  # with the river


@pytest.mark.parametrize(
    ("start", "end", "points"), [("E3", "F3", 4), ("C3", "D3", 6), ("B3", "C3", 4), ("A3", "A4", 3)]
)
def test_the_third_edition_has_dearer_hills(start: str, end: str, points: int) -> None:
    """Rule: D2.3, option ``costs``: hills 4 and 6, a hill with a river as the hill."""
    assert points_of(HILLS, "rostherne-3", start, end) == points


@pytest.mark.parametrize(
    ("start", "end", "left", "paragraph"),
    [
        ("H5", "H6", 9, "D2.4"),  # not on the own network
        ("G2", "G1", 9, "D2.2"),  # into the sea
        ("A1", "A0", 9, "D2.2"),  # off the sheet
        ("A3", "C3", 9, "D2.2"),  # no neighbours
        ("A3", "A2", 9, "D2.3"),  # a closed side
        ("A3", "A4", 9, "D2.5"),  # own track again
        ("A3", "B3", 2, "D4.3"),  # dearer than what is left
        ("P3", "P4", 9, "D2.6"),  # onward from a foreign hex
        ("P3", "P2", 9, "D2.6"),  # nor home from it
    ],
)
def test_steps_that_may_not_be_laid(start: str, end: str, left: int, paragraph: str) -> None:
    state = position(HILLS, {"GSW": "A3"}, track={"GSW": ("A3 A4", "G2", "A1", "O3 P3")})
    complaint = step_on(state, "GSW", start, end, left)
    assert isinstance(complaint, Complaint)
    assert complaint.paragraph == paragraph
    assert complaint.is_error


@pytest.mark.parametrize(("start", "end", "left"), [("A3", "B3", 3), ("A4", "A5", 1), ("O3", "O4", 1)])
def test_steps_that_may_be_laid(start: str, end: str, left: int) -> None:
    state = position(HILLS, {"GSW": "A3"}, track={"GSW": ("A3 A4", "O3 P3")})
    assert isinstance(step_on(state, "GSW", start, end, left), Step)


def test_a_foreign_hex_may_be_entered_and_owes_nobody() -> None:
    """Rule: D2.6, D3.5: several stubs are allowed."""
    state = position(HILLS, {"GSW": "A3", "MGW": "A3"}, track={"GSW": ("O3", "O4"), "MGW": ("O3 P3",)})
    assert isinstance(step_on(state, "GSW", "O3", "P3", 1), Step)
    assert due(state, "GSW", "O3", "P3") == [("MGW", 2, "parallel")]  # the half at home alone


def due(state: State, company: str, start: str, end: str) -> list[tuple[str, int, str]]:
    """Return (rival, units, why) of a step's fees."""
    return [(fee.to, fee.amount, fee.why) for fee in fees_due(state, company, start, end)]


CONNECTION, PARALLEL = ("MGW", 1, "connection"), ("MGW", 2, "parallel")
ADJACENT = [("MGW", 3, "adjacent"), ("BNC", 3, "adjacent")]  # Nürnberg-Fürth
BOTH = [CONNECTION, ("BNC", 1, "connection"), ("BNC", 2, "parallel")]  # German text: "an alle betroffenen Rivalen"
ENTRIES = {"GSW": ("A3 B3 C3", "B3 B4"), "MGW": ("C2 C3 C4 H3",)}  # both are in C3 already
LATER = {"GSW": ("A3 B3",), "MGW": ("B2 B3",)}  # MGW came into B3 after GSW and paid then


@pytest.mark.parametrize(
    ("track", "step", "fees"),
    [
        pytest.param({"MGW": ("B2 B3 B4",)}, "A3 B3", [CONNECTION], id="joining or crossing a rival costs one (D3.2)"),
        pytest.param({"MGW": ("B2 B3",)}, "A3 B3", [CONNECTION], id="his railhead is a line in the hex (D3.2)"),
        pytest.param({"MGW": ("B2 B3",), "BNC": ("A3 B3",)}, "A3 B3", BOTH, id="every rival is paid (D3.2)"),
        pytest.param(ENTRIES, "B4 C4", [CONNECTION], id="a connection elsewhere is one more (D3.2)"),
        pytest.param(ENTRIES, "B4 C3", [], id="coming in again owes nothing (D3.2)"),
        pytest.param(LATER, "A3 B3", [], id="who comes later makes no debt (D3.2)"),
        pytest.param(LATER, "B3 B4", [], id="nor on the way out (D3.2)"),
        pytest.param(
            {"GSW": ("A3 B3",), "MGW": ("A3 B3 C3 D3",)},
            "B3 C3",
            [CONNECTION, ("MGW", 4, "parallel")],
            id="parallel track costs two for each half hex (D3.3)",
        ),
        pytest.param({"GSW": ("A3 G3",), "MGW": ("A3 G3 H3",)}, "G3 H3", [PARALLEL], id="a city hex is free (D3.4)"),
        pytest.param({"MGW": ("A3 B3",)}, "A3 B3", [CONNECTION, PARALLEL], id="out of a city costs three (D3.2-D3.4)"),
        pytest.param({"MGW": ("H3 H4",), "BNC": ("H4 H3",)}, "H3 H4", ADJACENT, id="a flat three (D3.4)"),
        pytest.param({}, "H3 H4", [], id="being in a city is no parallel line (D3.4)"),
    ],
)
def test_what_a_step_owes_whom(track: dict[str, tuple[str, ...]], step: str, fees: list[tuple[str, int, str]]) -> None:
    state = position(PLAIN, {"GSW": step[:2], "MGW": "H3", "BNC": "H4"}, track=track)
    assert due(state, "GSW", *step.split()) == fees


def test_with_each_entry_every_connection_is_paid() -> None:
    """Rule: D3.2, option ``connection_fee``."""
    state = position(PLAIN, {"GSW": "A3", "MGW": "H3"}, track=ENTRIES, connection_fee="each-entry")
    assert due(state, "GSW", "B4", "C3") == [CONNECTION]


def test_a_whole_parallel_hex_costs_five() -> None:
    """Rule: D3.3, German text: 2 for each half and 1 for the potential connection; here between two cities, free themselves."""
    board = sketch({"B3": (11,), "D3": (12,)})
    there = position(board, {"GSW": "B3", "MGW": "B3"}, track={"MGW": ("B3 C3 D3",)})
    onward = position(board, {"GSW": "B3", "MGW": "B3"}, track={"GSW": ("B3 C3",), "MGW": ("B3 C3 D3",)})
    steps = due(there, "GSW", "B3", "C3") + due(onward, "GSW", "C3", "D3")
    assert sum(units for _, units, _ in steps) == 5


@pytest.mark.parametrize(
    ("option", "abroad", "units"),
    [("flat:3", "H4", 3), ("flat:3", "H3 H4", 0), ("half-hex:2", "H4", 2), ("half-hex:2", "H3 H4", 0)],
)
def test_abroad_nothing_is_due_between_neighbouring_cities(option: str, abroad: str, units: int) -> None:
    """Rule: D3.5, R31."""
    board = sketch({"A3": (11,), "H3": (12,), "H4": (13,)}, abroad=abroad)
    state = position(board, {"GSW": "H3", "MGW": "H4"}, track={"MGW": ("H4 H3",)}, adjacent_cities=option)
    assert sum(amount for _, amount, _ in due(state, "GSW", "H3", "H4")) == units


@pytest.mark.parametrize(("option", "units"), [("free", 0), ("half-hex:1", 2), ("flat:4", 4)])
def test_the_fee_between_neighbouring_cities_is_an_option(option: str, units: int) -> None:
    """Rule: D3.4, option ``adjacent_cities``."""
    state = position(PLAIN, {"GSW": "H3", "MGW": "H4"}, track={"MGW": ("H4 H3",)}, adjacent_cities=option)
    assert sum(amount for _, amount, _ in due(state, "GSW", "H3", "H4")) == units
