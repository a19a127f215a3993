"""A building round, step by step, everybody at once. Rules: D1.3, D2.1, D2.4, D2.5, D3.1, D3.6, D4.2, D4.3."""

from __future__ import annotations

import pytest

from referee.core.game import Outcome
from referee.core.orders import Complaint
from referee.games.dampfross.building import shares_of
from referee.games.dampfross.events import (
    CityConnected,
    HomeChosen,
    NothingReceived,
    OrderRefused,
    TrackLaid,
)
from referee.games.dampfross.state import Build, Piece
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
    both = play(state, {"GSW": (build(1, "A3 B3 C3"),), "MGW": (build(1, "A3 B3", "B3 C3", "B3 B2", "B2 C3"),)})
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
    outcome = play(state, {"GSW": (build(1, "A3 B3 C3"), build(2, "C3 D3")), "MGW": (build(2, "H3 G3"),)})
    assert [(e.roll, e.step) for e in told(outcome, TrackLaid)] == [(1, 1), (1, 2), (2, 1), (2, 1)]


def test_a_stopped_piece_uses_up_no_step() -> None:
    """Rule: D4.3, R8: MGW's first piece fails at once; its second is in B3 in step 1, together with GSW."""
    state = position(BOARD, {"GSW": "A3", "MGW": "A3"})
    outcome = play(state, {"GSW": (build(1, "A3 B3"),), "MGW": (build(1, "F3 F4", "A3 B3"),)})
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
    outcome = play(state, {"GSW": (build(1, *pieces),)})
    assert laid(outcome, "GSW") == sides.split()
    assert stops(outcome) == [("GSW", each) for each in paragraphs]
    assert [e.step for e in told(outcome, TrackLaid)] == [*range(1, len(sides.split()) + 1)]


def test_writing_that_could_not_be_followed_ends_the_piece_there() -> None:
    """Rule: R1, D4.3: the piece is laid up to the pair with two ways, later pieces are tried."""
    fault = Complaint(code="invalid-two-ways", line=4, paragraph="R1")
    order = Build(roll=1, pieces=(Piece(path=("A3", "B3"), fault=fault), piece("B3 B4")))
    outcome = play(position(BOARD, {"GSW": "A3"}), {"GSW": (order,)})
    assert laid(outcome, "GSW") == ["A3-B3", "B3-B4"]
    assert stops(outcome) == [("GSW", "R1")]


# --- money: D3 ---


def test_a_home_pays_nobody() -> None:
    """Rule: D3.1."""
    state = position(BOARD, {"GSW": "A3", "MGW": "H3"}, track={"GSW": ("A3 G3",)})
    outcome = play(state, {"GSW": (build(1, "G3 H3"),)})
    assert laid(outcome, "GSW") == ["G3-H3"]
    assert bonuses(outcome) == []


def test_a_city_chosen_as_home_counts_as_connected_from_the_start() -> None:
    """Rule: D3.1: MGW reaches GSW's home in the round in which it was chosen."""
    state = position(BOARD, {"GSW": "", "MGW": ""})
    rolls = (build(1, "H3 G3 F3 E3 D3 C3"), build(2, "C3 B3 A3"))
    outcome = play(state, {"GSW": (home("A3"),), "MGW": (home("H3"), *rolls)})
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
    outcome = play(state, {"GSW": (build(1, "A3 B3 C3 D3 E3 F3 G3"),)})
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
    outcome = play(state, {"GSW": (home("D6", "H3", "A3"),), "MGW": (home("D6"), build(1, "D6 D5"))})
    assert outcome.state.home["GSW"] == "H3"
    assert outcome.state.home.get("MGW", "") == ""
    assert [(e.company, e.paragraph) for e in told(outcome, OrderRefused)] == [("MGW", "D1.3")]
    assert stops(outcome) == [("MGW", "D2.4")]


def test_a_company_without_a_home_builds_nothing_and_may_choose_later() -> None:
    """Rule: R15."""
    state = position(BOARD, {"GSW": "", "MGW": ""})
    first = play(state, {"GSW": (build(1, "A3 B3"),)})
    assert laid(first, "GSW") == []
    assert [e.company for e in told(first, NothingReceived)] == ["MGW"]
    second = play(first.state, {"GSW": (home("A3"), build(1, "A3 B3"))})
    assert laid(second, "GSW") == ["A3-B3"]
