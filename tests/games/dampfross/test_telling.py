"""Orders in canonical form, builds and payments as the hobby writes them. Postal practice 1.3."""

from __future__ import annotations

import pytest

from referee.games.dampfross.events import TrackLaid
from referee.games.dampfross.notation import TIE, format_order, money_of, rolls_view
from referee.games.dampfross.state import Build, ChooseHome, Order, Piece
from tests.games.dampfross.sketch import build, ireland, play, position, race, run, sketch

BOARD = sketch({"A3": (11,), "D6": (12,), "P3": (13,)}, homes="A3 P3", sea="G4")


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (ChooseHome(cities=("AD7", "AB18")), "HOME Belfast OR Dublin"),
        (build(1, "AB18 AB17 AB16 AB15 AB14"), "1a) (Dublin) - Drogheda - AB14"),  # a straight run, a town on it
        (build(2, "AB18 AB17 AA17 Z16", "AB18 AC18"), "1b) (Dublin) - AB17 - Z16 ; (Dublin) - AC18"),  # a turn
        (build(3, "AB18 AB17 AB18"), "1c) (Dublin) - AB17 - Dublin"),  # back again
    ],
)
def test_an_order_in_canonical_form(order: Order, text: str) -> None:
    """The start in brackets, turning points and towns alone, ``;`` between pieces, ``a`` for the first roll."""
    assert format_order(position(ireland(), {"GSW": "AB18"}), order) == text


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (run(7, "A3 B3 C3 D3", "A3 A4 A5"), "RUN 7: City A3 - B3 - C3 - D3 OR City A3 - A5"),
        (run(7, "A3 A4 A5", partner="MGW"), "RUN 7 WITH MGW: City A3 - A5"),
        (run(7, partner="MGW"), "JOINT 7 WITH MGW"),
        (run(7, "A3 A4 A5[MGW] A6[MGW] A7"), "RUN 7: City A3 - A4 - A6 [MGW] - A7"),
        (build(1, "A3 A4 A5"), "7) (City A3) - A5"),
    ],
)
def test_an_order_of_a_racing_round_in_canonical_form(order: Order, text: str) -> None:
    """A company in square brackets says over whose track the leg before it runs."""
    state = position(BOARD, {"GSW": "A3", "MGW": "P3"}, races=(race(7, 11, 12),))
    assert format_order(state, order) == text


def test_a_hex_of_water_is_always_named() -> None:
    """Else reading the line back would lead round the water."""
    state = position(BOARD, {"GSW": "A3"})
    assert format_order(state, build(1, "G2 G3 G4 G5")) == "1a) (G2) - G4 - G5"


def test_a_roll_with_nothing_to_build_says_so() -> None:
    assert format_order(position(BOARD, {"GSW": "A3"}), build(2)) == "1b) none"


def test_a_jump_and_a_step_of_the_same_number_bear_their_own_payments() -> None:
    """Rule: R8: the line laid in the same step, along the very hex-side of the jump, does not show its fee once more."""
    state = position(BOARD, {"GSW": "A3", "MGW": "P3"}, track={"MGW": ("A4 B4 C5",)}, jumps=1)
    jump = Piece(path=("A4", "B4"), jumps=(1,))
    order = Build(roll=1, pieces=(*build(1, "A3 A4").pieces, jump, *build(1, "A4 B4").pieces))
    (roll, *_) = rolls_view(state, "GSW", play(state, {"GSW": (order,)}).events, (6, 6, 6))
    fee, line = f"[-1{TIE}MGW]", f"[-4{TIE}MGW]"
    assert roll["text"] == f"(City A3) - A4 {fee} ; (A4) - JUMP B4 {fee} ; (A4) - B4 {line}"


def test_builds_are_annotated_with_bonuses_and_fees() -> None:
    """Postal practice 1.3: ``[+6]`` and ``[-1 purple]`` behind the hex where they fell due; both fees of a step in one."""
    state = position(
        BOARD,
        {"GSW": "A3", "MGW": "P3", "BNC": "P3"},
        track={"GSW": ("A3 B3",), "MGW": ("B3 C3 D3",), "BNC": ("D1 D2 D3 D4",)},
    )
    outcome = play(state, {"GSW": (build(1, "B3 C3 D3 D4 D5 D6"), build(3, "B3 B2", "A3 C9"))})
    told = rolls_view(state, "GSW", outcome.events, (6, 6, 6))
    assert told[0]["text"].replace(TIE, " ") == "(B3) - C3 [-5 MGW] - D3 [-5 MGW] [-1 BNC] - D4 [-5 BNC] - City D6 [+6]"
    assert (told[0]["label"], told[0]["points"], told[0]["cost"], told[0]["left"]) == ("1a)", 6, 5, 1)
    assert (told[1]["label"], told[1]["text"], told[1]["left"]) == ("1b)", "", 6)
    assert told[0]["charges"] == [
        ("plain", ""),
        ("connection-once", ""),
        ("parallel", ""),
        ("city", ""),
    ]
    assert told[2]["text"] == "(B3) - B2"
    assert [stop["complaint"].paragraph for stop in told[2]["stops"]] == ["D2.2"]
    money = money_of("GSW", outcome.events)
    assert (money["bonus"], money["change"]) == (6, 6 - 16)
    assert money["paid"] == [{"code": "MGW", "amount": 10}, {"code": "BNC", "amount": 6}]
    assert money_of("MGW", outcome.events)["received"] == [{"code": "GSW", "amount": 10}]


def test_another_companys_steps_never_mark_a_build() -> None:
    state = position(BOARD, {"GSW": "A3", "MGW": "A3"}, track={"GSW": ("D5",)})
    outcome = play(state, {"GSW": (build(1, "D5 D6"),), "MGW": (build(1, "A3 A4"),)})
    assert rolls_view(state, "MGW", outcome.events, (6, 6, 6))[0]["text"] == "(City A3) - A4"


def test_the_money_of_a_turn_is_the_change_of_the_account() -> None:
    """Whatever happened: bonus, fees, builds, tolls, prizes."""
    row = "A3 B3 C3 D3 E3 F3 G3 H3 I3 J3 K3 L3 M3 N3 O3 P3"
    state = position(
        BOARD,
        {"GSW": "A3", "MGW": "A3"},
        track={"GSW": (row,), "MGW": ("A3 B3 C3 D3 E3 F3 G3 H3 I3",)},
        races=(race(1, 11, 13),),
    )
    outcome = play(state, {"GSW": (run(1, row),), "MGW": (run(1, row), build(1, "A3 A4", "C3 B4 A5"))})
    assert any(isinstance(event, TrackLaid) for event in outcome.events)
    for code in ("GSW", "MGW"):
        assert state.balance[code] + money_of(code, outcome.events)["change"] == outcome.state.balance[code]
