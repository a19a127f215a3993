"""A building round, step by step, everybody at once. Rules: D1.3, D2.1, D2.4, D2.5, D3.1, D3.6, D4.2, D4.3."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.errors import MapError, PositionError
from referee.core.game import Outcome, Player, Setup
from referee.core.orders import Complaint
from referee.core.picture.drawing import Drawing, Text
from referee.games.dampfross import GAME
from referee.games.dampfross.board.mapfile import read_map
from referee.games.dampfross.board.railmap import Bridge, RailMap
from referee.games.dampfross.building import shares_of
from referee.games.dampfross.costs import Step, fees_due, points_of, step_on
from referee.games.dampfross.editor import ATLAS
from referee.games.dampfross.events import (
    CityConnected,
    HomeChosen,
    NothingReceived,
    OrderRefused,
    TrackLaid,
)
from referee.games.dampfross.report.drawing import draw
from referee.games.dampfross.state import Build, Piece, State
from tests.games.dampfross.sketch import build, change, fees, home, laid, piece, play, position, sketch, stops, told

BOARD = sketch({"A3": (11,), "H3": (12,), "D6": (13,), "D1": (14,)}, homes="A3 H3", mountains="G6 G7")


def bonuses(outcome: Outcome) -> list[tuple[str, str, int]]:
    """Return (company, city, units) of each bonus, in order."""
    return [(e.company, e.hex, e.bonus) for e in told(outcome, CityConnected)]


# --- simultaneity: D4.2 ---


def test_entering_a_hex_one_step_behind_a_rival_pays() -> None:
    """Rule: D4.2: GSW is in D3 on its third step, MGW comes there on its fourth."""
    state = position(BOARD, {"GSW": "A3", "MGW": "H3"})
    orders = {"GSW": (build(1, "A3 B3 C3 D3"),), "MGW": (build(1, "H3 G3 F3 E3 D3"),)}
    outcome = play(state, orders)
    assert fees(outcome) == [("MGW", "GSW", 1, "connection")]


def test_companies_on_the_same_way_in_the_same_steps_pay_nobody() -> None:
    """Rule: D4.2; postal practice: three out of Paris over the same hexes."""
    state = position(BOARD, {"GSW": "A3", "MGW": "A3", "BNC": "A3"})
    outcome = play(state, dict.fromkeys(state.table.codes, (build(1, "A3 B3 C3 D3"),)))
    assert fees(outcome) == []
    assert all(laid(outcome, code) == ["A3-B3", "B3-C3", "C3-D3"] for code in state.table.codes)


def test_the_same_way_one_step_later_pays_connection_and_parallel_for_each_hex() -> None:
    """Rule: D4.2, D3.2, D3.3: MGW spends its first step elsewhere and follows GSW's line half a hex behind."""
    state = position(BOARD, {"GSW": "A3", "MGW": "A3"})
    orders = {"GSW": (build(1, "A3 B3 C3"),), "MGW": (build(1, "A3 A4", "A3 B3 C3"),)}
    outcome = play(state, orders)
    assert fees(outcome) == [
        ("MGW", "GSW", 1, "connection"),
        ("MGW", "GSW", 2, "parallel"),  # out of the city: one half
        ("MGW", "GSW", 1, "connection"),
        ("MGW", "GSW", 4, "parallel"),
    ]
    assert change(state, outcome) == {"GSW": 8, "MGW": -8}


def test_after_the_same_step_neither_owes_a_connection_there_any_more() -> None:
    """Rule: D3.2: both are present in C3 from the same step on."""
    state = position(BOARD, {"GSW": "A3", "MGW": "A3"})
    orders = {"GSW": (build(1, "A3 B3 C3"),), "MGW": (build(1, "A3 A4", "A4 B4 C4"), build(2, "A3 B3 C3"))}
    outcome = play(state, orders)
    assert ("GSW", "MGW", 1, "connection") not in fees(outcome)
    both = play(state, {"GSW": build(1, "A3 B3 C3"), "MGW": build(1, "A3 B3", "B3 C3", "B3 B2", "B2 C3")})
    assert fees(both) == []


def test_rolls_are_played_in_the_order_a_b_c() -> None:
    """Rule: D4.2: what GSW lays with roll b is there when MGW comes with roll c, whatever the order of the lines."""
    state = position(BOARD, {"GSW": "A3", "MGW": "A3"})
    orders = {"GSW": (build(2, "A3 B3"),), "MGW": (build(3, "A3 B3"), build(1, "A3 A4"))}
    outcome = play(state, orders)
    assert [(e.roll, e.company) for e in told(outcome, TrackLaid)] == [(1, "MGW"), (2, "GSW"), (3, "MGW")]
    assert change(state, outcome) == {"GSW": 3, "MGW": -3}


def test_each_roll_begins_with_step_one_again() -> None:
    """Rule: D4.2."""
    state = position(BOARD, {"GSW": "A3", "MGW": "H3"}, rolls=(3, 3, 3))
    outcome = play(state, {"GSW": (build(1, "A3 B3 C3"), build(2, "C3 D3")), "MGW": build(2, "H3 G3")})
    assert [(e.roll, e.step) for e in told(outcome, TrackLaid)] == [(1, 1), (1, 2), (2, 1), (2, 1)]


def test_a_stopped_piece_uses_up_no_step() -> None:
    """Rule: D4.3, R8: MGW's first piece fails at once; its second is in B3 in step 1, together with GSW."""
    state = position(BOARD, {"GSW": "A3", "MGW": "A3"})
    outcome = play(state, {"GSW": build(1, "A3 B3"), "MGW": build(1, "F3 F4", "A3 B3")})
    assert fees(outcome) == []
    assert stops(outcome) == [("MGW", "D2.4")]


# --- pieces that cannot go on: D4.3 ---


@pytest.mark.parametrize(
    ("home_at", "rolls", "track", "pieces", "sides", "paragraphs"),
    [
        # 2 of 4 points are left before the mountain (3).
        ("H3", (4, 1, 1), {"GSW": ("H3 H4 H5 H6",)}, ["H6 H7 H8", "H7 G7", "H7 I7"], "H6-H7 H7-H8 H7-I7", ["D4.3"]),
        ("A3", (6, 1, 1), {"MGW": ("H3 G3 F3",)}, ["F3 F4"], "", ["D2.4"]),  # on a rival's network
        ("A3", (6, 1, 1), {}, ["A3 B3", "B3 B4"], "A3-B3 B3-B4", []),  # where an earlier piece ended
        ("A3", (6, 1, 1), {}, ["A3 A4", "A3 B3 C3", "A4 A5"], "A3-A4 A3-B3 B3-C3 A4-A5", []),  # as they are written
        ("A3", (6, 1, 1), {}, ["A3 B3 A3", "A3 B3"], "A3-B3", ["D2.5", "D2.5"]),  # in either direction
    ],
)
def test_where_pieces_go_and_stop(
    home_at: str,
    rolls: tuple[int, ...],
    track: dict[str, tuple[str, ...]],
    pieces: list[str],
    sides: str,
    paragraphs: list[str],
) -> None:
    """Rule: D2.4, D2.5, D4.2, D4.3."""
    state = position(BOARD, {"GSW": home_at, "MGW": "H3"}, rolls=rolls, track=track)
    outcome = play(state, {"GSW": build(1, *pieces)})
    assert laid(outcome, "GSW") == sides.split()
    assert stops(outcome) == [("GSW", each) for each in paragraphs]
    assert [e.step for e in told(outcome, TrackLaid)] == [*range(1, len(sides.split()) + 1)]


def test_writing_that_could_not_be_followed_ends_the_piece_there() -> None:
    """Rule: R1, D4.3: the piece is laid up to the pair with two ways, later pieces are tried."""
    fault = Complaint(code="invalid-two-ways", line=4, paragraph="R1")
    order = Build(roll=1, pieces=(Piece(path=("A3", "B3"), fault=fault), piece("B3 B4")))
    outcome = play(position(BOARD, {"GSW": "A3"}), {"GSW": order})
    assert laid(outcome, "GSW") == ["A3-B3", "B3-B4"]
    assert stops(outcome) == [("GSW", "R1")]


# --- money: D3 ---


def test_a_home_pays_nobody() -> None:
    """Rule: D3.1."""
    state = position(BOARD, {"GSW": "A3", "MGW": "H3"}, track={"GSW": "A3 G3"})
    outcome = play(state, {"GSW": build(1, "G3 H3")})
    assert laid(outcome, "GSW") == ["G3-H3"]
    assert bonuses(outcome) == []


def test_a_city_chosen_as_home_counts_as_connected_from_the_start() -> None:
    """Rule: D3.1: MGW reaches GSW's home in the round in which it was chosen."""
    state = position(BOARD, {"GSW": "", "MGW": ""})
    rolls = (build(1, "H3 G3 F3 E3 D3 C3"), build(2, "C3 B3 A3"))
    outcome = play(state, {"GSW": home("A3"), "MGW": (home("H3"), *rolls)})
    assert laid(outcome, "MGW")[-1] == "B3-A3"
    assert bonuses(outcome) == []


def test_the_remainder_of_a_shared_bonus_goes_one_by_one_to_the_poorest() -> None:
    """Rule: D4.2, R2: 6 among four = 2, 2, 1, 1."""
    homes = dict.fromkeys(("GSW", "MGW", "BNC", "DSE"), "A3")
    state = position(
        BOARD,
        homes,
        track=dict.fromkeys(homes, ("D5",)),
        balance={"GSW": 30, "MGW": 10, "BNC": 20, "DSE": 15},
    )
    outcome = play(state, dict.fromkeys(homes, (build(1, "D5 D6"),)))
    assert change(state, outcome) == {"GSW": 1, "MGW": 2, "BNC": 1, "DSE": 2}


def test_the_poorest_are_those_at_the_start_of_the_step() -> None:
    """Rule: R2: DSE pays CDR 2 beside its line in the same step, which does not make it poorer. Equal: order of play (R7)."""
    homes = dict.fromkeys(("GSW", "MGW", "BNC", "DSE", "CDR"), "A3")
    track = {"GSW": ("D5",), "MGW": ("D5",), "BNC": ("D5",), "DSE": ("C6",), "CDR": ("C6 D6",)}
    state = position(BOARD, homes, track=track)
    orders = {code: (build(1, "D5 D6"),) for code in ("GSW", "MGW", "BNC")} | {"DSE": (build(1, "C6 D6"),)}
    outcome = play(state, orders)
    assert fees(outcome) == [("DSE", "CDR", 2, "parallel")]
    assert change(state, outcome) == {"GSW": 2, "MGW": 2, "BNC": 1, "DSE": -1, "CDR": 2}


def test_shares() -> None:
    """Rule: R2: 6 among 5 = 2, 1, 1, 1, 1; 6 among 6 = 1 each."""
    assert list(shares_of(6, ("A", "B", "C", "D", "E")).values()) == [2, 1, 1, 1, 1]
    assert list(shares_of(6, ("A", "B", "C", "D", "E", "F")).values()) == [1] * 6
    assert list(shares_of(6, ("A", "B", "C")).values()) == [2, 2, 2]


def test_the_building_phase_costs_no_money_but_fees() -> None:
    """Rule: D2.1, German text: "das Geld auf den Bankkonten darf in der Bauphase nicht angerührt werden"."""
    state = position(BOARD, {"GSW": "A3"})
    outcome = play(state, {"GSW": build(1, "A3 B3 C3 D3 E3 F3 G3")})
    assert len(laid(outcome, "GSW")) == 6
    assert change(state, outcome) == {"GSW": 0}


# --- homes: D1.3 ---


def test_homes_are_opened_before_anything_is_laid() -> None:
    """Rule: D1.3: both may choose the same."""
    state = position(BOARD, {"GSW": "", "MGW": ""})
    outcome = play(state, {"GSW": (home("A3"), build(1, "A3 B3")), "MGW": (home("A3"), build(1, "A3 B3"))})
    assert [(e.company, e.hex) for e in told(outcome, HomeChosen)] == [("GSW", "A3"), ("MGW", "A3")]
    assert laid(outcome, "GSW") == laid(outcome, "MGW") == ["A3-B3"]


def test_the_first_home_that_may_be_had_is_taken_and_no_other_city() -> None:
    """Rule: D1.3."""
    state = position(BOARD, {"GSW": "", "MGW": ""})
    outcome = play(state, {"GSW": home("D6", "H3", "A3"), "MGW": (home("D6"), build(1, "D6 D5"))})
    assert outcome.state.home["GSW"] == "H3"
    assert outcome.state.home.get("MGW", "") == ""
    assert [(e.company, e.paragraph) for e in told(outcome, OrderRefused)] == [("MGW", "D1.3")]
    assert stops(outcome) == [("MGW", "D2.4")]


def test_a_company_without_a_home_builds_nothing_and_may_choose_later() -> None:
    """Rule: R15."""
    state = position(BOARD, {"GSW": "", "MGW": ""})
    first = play(state, {"GSW": build(1, "A3 B3")})
    assert laid(first, "GSW") == []
    assert [e.company for e in told(first, NothingReceived)] == ["MGW"]
    second = play(first.state, {"GSW": (home("A3"), build(1, "A3 B3"))})
    assert laid(second, "GSW") == ["A3-B3"]


# What a step costs in points and in fees. Rules: D2.2-D2.6, D3.2-D3.6.

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
    state = position(HILLS, {"GSW": "A3", "MGW": "A3"}, track={"GSW": ("O3", "O4"), "MGW": "O3 P3"})
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
    there = position(board, {"GSW": "B3", "MGW": "B3"}, track={"MGW": "B3 C3 D3"})
    onward = position(board, {"GSW": "B3", "MGW": "B3"}, track={"GSW": "B3 C3", "MGW": "B3 C3 D3"})
    steps = due(there, "GSW", "B3", "C3") + due(onward, "GSW", "C3", "D3")
    assert sum(units for _, units, _ in steps) == 5


@pytest.mark.parametrize(
    ("option", "abroad", "units"),
    [("flat:3", "H4", 3), ("flat:3", "H3 H4", 0), ("half-hex:2", "H4", 2), ("half-hex:2", "H3 H4", 0)],
)
def test_abroad_nothing_is_due_between_neighbouring_cities(option: str, abroad: str, units: int) -> None:
    """Rule: D3.5, R31."""
    board = sketch({"A3": (11,), "H3": (12,), "H4": (13,)}, abroad=abroad)
    state = position(board, {"GSW": "H3", "MGW": "H4"}, track={"MGW": "H4 H3"}, adjacent_cities=option)
    assert sum(amount for _, amount, _ in due(state, "GSW", "H3", "H4")) == units


@pytest.mark.parametrize(("option", "units"), [("free", 0), ("half-hex:1", 2), ("flat:4", 4)])
def test_the_fee_between_neighbouring_cities_is_an_option(option: str, units: int) -> None:
    """Rule: D3.4, option ``adjacent_cities``."""
    state = position(PLAIN, {"GSW": "H3", "MGW": "H4"}, track={"MGW": "H4 H3"}, adjacent_cities=option)
    assert sum(amount for _, amount, _ in due(state, "GSW", "H3", "H4")) == units


# Bridges that points are banked for and causeways: read from a map, drawn, remarked on, told to players. Rule: R28,
# R29.

TEXT = (Path(__file__).parent / "maps" / "features.toml").read_text(encoding="utf-8")
DEE = 'edges = "G8-G9"\npoints = 2\n'
CAUSEWAY = '\n[[causeway]]\nname = "Long Dam"\nedges = "D4-E5 E4-E5"\n\n[cells]'


def written(dee: str = DEE, causeway: str = CAUSEWAY) -> str:
    assert TEXT.count(DEE) == 1
    return TEXT.replace(DEE, dee).replace("\n[cells]", causeway)


def map_with(dee: str = DEE, causeway: str = CAUSEWAY) -> RailMap:
    return read_map(written(dee, causeway), "x.toml")


def words(drawing: Drawing) -> list[str]:
    return [shape.text for shape in drawing.shapes if isinstance(shape, Text)]


def state_of(text: str) -> State:
    players = tuple(Player(code=code, colour=colour, name=code) for code, colour in (("GSW", "red"), ("MGW", "blue")))
    players += (Player(code="BNC", colour="green", name="BNC"),)
    setup = Setup(game="dampfross", board_name="x", board=text, preset="postal", options=(), players=players)
    state = GAME.lay_out(setup)
    assert isinstance(state, State)
    return state


def test_a_causeway_is_a_free_bridge_that_trains_use_unbuilt() -> None:
    """It opens closed water, and nothing on it has a price."""
    board = map_with()
    dam = Bridge(name="Long Dam", price=0, toll=0, built=True)
    assert board.causeways == {("D4", "E5"): dam, ("E4", "E5"): dam}
    assert board.causeways.keys() <= board.permitted
    assert not board.causeways.keys() & board.closed


def test_points_are_banked_only_where_the_map_says_so() -> None:
    assert not map_with().bridges["G8", "G9"].banked
    assert map_with(DEE + "banked = true\n").bridges["G8", "G9"].banked


@pytest.mark.parametrize(
    ("causeway", "says"),
    [
        ('edges = ""', "Causeway Dam has no hex-sides: at least one expected."),
        ('edges = "G8-G9"', "Hex-side G8-G9 of causeway Dam is already settled by bridge Dee Bridge."),
        ('edges = "A1-A2"\npoints = 2', 'Unknown field "points" in [[causeway]] 1: known are name, edges.'),
        ("", '"edges" is missing in [[causeway]] 1: words in quotes expected.'),
    ],
)
def test_faults_of_a_causeway_are_named(causeway: str, says: str) -> None:
    with pytest.raises(MapError) as caught:
        map_with(causeway=f'\n[[causeway]]\nname = "Dam"\n{causeway}\n\n[cells]')
    assert [sentence for _, sentence in caught.value.faults] == [says]


def test_a_bridge_dearer_than_a_roll_is_remarked_on_unless_points_are_banked_for_it() -> None:
    dear = DEE.replace("points = 2", "points = 9")
    remark = "1 hex-side cost more than a roll of 6: G8-G9."
    assert remark in ATLAS.survey(written(dear), "x.toml").remarks
    assert remark not in ATLAS.survey(written(dear + "banked = true\n"), "x.toml").remarks


def test_causeways_are_counted_apart_from_bridges() -> None:
    assert "2 bridges, 1 causeway, 2 ferries" in ATLAS.survey(written(), "x.toml").contents


def test_the_board_names_both_and_the_legend_explains_them() -> None:
    shown = words(draw(map_with(DEE + "banked = true\n"), {}, (), {}, "x"))
    assert {"Dee Bridge 2+", "Strait Bridge 5", "Long Dam"} <= set(shown)
    assert {"price with +: points may be banked", "causeway: free for everybody"} <= set(shown)
    plain = words(draw(map_with(causeway="\n[cells]"), {}, (), {}, "x"))
    assert not {"price with +: points may be banked", "causeway: free for everybody"} & set(plain)


def test_a_map_of_causeways_alone_shows_no_bridges_in_its_legend() -> None:
    without = TEXT[: TEXT.index("[[bridge]]")] + TEXT[TEXT.index("[[ferry]]") :]
    without = without.replace("\n[cells]", '\n[[causeway]]\nname = "Dam"\nedges = "F1-G1"\n\n[cells]')
    shown = words(draw(read_map(without, "x.toml"), {}, (), {}, "x"))
    assert "causeway: free for everybody" in shown
    assert "bridge, with its price in points" not in shown


def test_every_reader_sees_what_is_banked() -> None:
    state = GAME.place(state_of(written(DEE + "banked = true\n")), {"banked": {"MGW": {"G8-G9": 1}}})
    told = {company["code"]: company["banked"] for company in GAME.view(state, "GSW")["companies"]}
    assert told == {
        "GSW": [],
        "MGW": [{"side": "G8-G9", "bridge": "Dee Bridge", "points": 1, "price": 2}],
        "BNC": [],
    }


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"MGW": {"G8-G9": 2}}, "banked.MGW.G8-G9: 2 is read; a whole number from 1 to 1 expected"),
        ({"MGW": {"F1-G1": 1}}, "banked.MGW.F1-G1: there is no bridge for which points may be banked"),
        ({"MGW": {"G8-Z99": 1}}, "banked.MGW.G8-Z99: there is no place 'Z99' on this map"),
        ({"MGW": 3}, 'banked.MGW: a table by bridges expected, as { "B3-B4" = 3 }'),
    ],
)
def test_a_position_with_points_that_nobody_can_have_banked_is_a_fault(told: dict[str, object], says: str) -> None:
    with pytest.raises(PositionError) as caught:
        GAME.place(state_of(written(DEE + "banked = true\n")), {"banked": told})
    assert says in str(caught.value)


def test_what_is_banked_survives_the_store() -> None:
    text = written(DEE + "banked = true\n")
    state = GAME.place(state_of(text), {"banked": {"MGW": {"G8-G9": 1}}, "rolls": [1, 2, 3]})
    setup = Setup(
        game="dampfross", board_name="x", board=text, preset="postal", options=(), players=state.table.players
    )
    assert GAME.decode(GAME.encode(state), setup).banked == {"MGW": {("G8", "G9"): 1}}
    assert GAME.place(state, GAME.facts(state)).banked == state.banked
