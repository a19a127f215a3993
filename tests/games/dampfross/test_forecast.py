"""What the reply to an order letter foretells: today's board, nobody else moving."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from referee.core.orders import Complaint
from referee.games.dampfross.forecast import forecast
from referee.games.dampfross.notation import TIE
from referee.games.dampfross.state import Build, Order, Piece, Route, Run, State
from tests.games.dampfross.sketch import build, home, piece, position, race, run, sketch

BOARD = sketch({"A3": (11,), "D6": (12,), "P3": (13,)}, homes="A3 P3")
ROW = "A3 B3 C3 D3 E3 F3 G3 H3 I3 J3 K3 L3 M3 N3 O3 P3"


def building() -> State:
    """Return a building round where MGW has a line out of GSW's home."""
    return position(BOARD, {"GSW": "A3", "MGW": "A3"}, track={"MGW": ("A3 B3 C3",)}, rolls=(2, 4, 6))


def codes(state: State, *orders: Order) -> list[tuple[str, int, str]]:
    """Return (code, line, paragraph) of the complaints about GSW's orders."""
    return [(each.code, each.line, each.paragraph) for each in forecast(state, "GSW", orders).complaints]


def test_cost_left_fees_and_bonus_of_each_roll() -> None:
    told = forecast(building(), "GSW", (build(1, "A3 B3"), build(3, "B3 C3"))).told["companies"][0]
    first, second, third = told["rolls"]
    assert (first["cost"], first["left"], first["text"].replace(TIE, " ")) == (1, 1, "(City A3) - B3 [-3 MGW]")
    assert (second["cost"], second["left"], second["text"]) == (0, 4, "")
    assert (third["cost"], third["left"], third["text"].replace(TIE, " ")) == (1, 5, "(B3) - C3 [-5 MGW]")
    assert told["money"]["paid"] == [{"code": "MGW", "amount": 8}]
    assert told["balance"] == 20


def test_each_order_has_a_line_in_canonical_form() -> None:
    state = position(BOARD, {"GSW": "", "MGW": ""})
    told = forecast(state, "GSW", (home("P3"), build(1, "P3 P4 P5")))
    assert told.lines == ("HOME City P3", "1a) (City P3) - P5")
    assert told.told["companies"][0]["home"] == "City P3"
    assert told.complaints == ()


def test_what_stops_a_piece_is_an_error_on_the_orders_line() -> None:
    order = replace(build(1, "A3 A4 A5 A6"), line=7)
    assert codes(building(), order) == [("illegal-over-budget", 7, "D4.3")]


def test_a_fault_of_the_writing_is_complained_of_once() -> None:
    """The reading has already complained of it."""
    fault = Complaint(code="invalid-two-ways", line=3, paragraph="R1")
    order = Build(roll=1, pieces=(Piece(path=("A3", "A4"), fault=fault), piece("A4 A5")), line=3)
    assert codes(building(), order) == []


def test_a_later_roll_builds_on_what_an_earlier_one_laid() -> None:
    assert codes(building(), build(3, "A5 A6"), build(1, "A3 A4 A5")) == []


def racing(sides: int, **balance: int) -> State:
    """Return a racing round: the last *sides* hex-sides of row 3 are MGW's, the others GSW's."""
    row = ROW.split()
    track = {"GSW": (" ".join(row[: 16 - sides]),), "MGW": (" ".join(row[15 - sides :]),)}
    races = tuple(race(number, 11, 13) for number in range(1, 7))
    return position(BOARD, {"GSW": "A3", "MGW": "P3"}, track=track, balance=balance, races=races)


def test_an_entry_is_told_with_length_and_tolls() -> None:
    told = forecast(racing(4), "GSW", (run(1, ROW),)).told["companies"][0]
    (entry,) = told["entries"]
    assert (entry["race"], entry["start"]["key"], entry["end"]["name"]) == (1, 11, "City P3")
    assert entry["routes"][0]["length"] == 15
    assert entry["routes"][0]["tolls"] == [{"code": "MGW", "amount": 5}]
    assert told["limit"] == 4


def test_a_route_that_may_not_be_run_is_an_error() -> None:
    """Rule: D6.2, D5.5."""
    assert codes(racing(15), run(1, ROW)) == [("illegal-no-own-track", 0, "D6.2")]
    assert [paragraph for _, _, paragraph in codes(racing(4), run(1, "A3 B3 C3"))] == ["D5.5"]


@pytest.mark.parametrize(
    ("sides", "end", "most", "code"),
    [
        (4, 12, -1, "illegal-no-track-between"),
        (15, 13, -1, "illegal-no-own-between"),
        (4, 13, 2, "illegal-none-so-cheap"),
        (4, 13, 0, "illegal-none-over-own"),
        (12, 13, -1, "illegal-no-best-route"),  # the limit of tolls
        (12, 13, 2, "illegal-no-best-route"),
    ],
)
def test_where_the_referee_finds_no_route_it_says_what_is_in_the_way(
    sides: int, end: int, most: int, code: str
) -> None:
    """Rule: D6.2, D6.4."""
    state = replace(racing(sides), races=(race(1, 11, end),))
    sought = Run(race=1, routes=(Route(path=(), over=(), aim="fastest", most=most),))
    assert codes(state, sought) == [(code, 0, "D6.2")]


def test_more_than_ten_units_on_one_rivals_track_is_a_warning() -> None:
    """Rule: D6.4: netting may cure it."""
    assert codes(racing(10), run(1, ROW)) == [("warning-toll-cap", 0, "D6.4")]
    assert codes(racing(9), run(1, ROW)) == []


def test_tolls_above_the_balance_are_a_warning() -> None:
    """Rule: D6.3: the races before may bring the money."""
    assert codes(racing(9, GSW=9), run(1, ROW)) == [("warning-toll-debt", 0, "D6.3")]


def test_too_many_entries_are_a_warning() -> None:
    """Rule: D5.6, R3: another entry may fall first."""
    runs = tuple(run(number, ROW) for number in range(1, 7))
    assert codes(racing(4), *runs) == [("warning-too-many-entries", 0, "D5.6")]
    assert codes(racing(4), *runs[:4]) == []


def test_a_joint_run_reminds_of_the_partners_order() -> None:
    """Rule: D6.5."""
    told = forecast(racing(12), "GSW", (run(1, ROW, partner="MGW"),))
    assert [each.code for each in told.complaints] == ["note-needs-partner"]
    assert told.told["companies"][0]["entries"][0]["routes"][0]["tolls"] == []


def test_building_after_the_races_that_cannot_be_paid_today_is_a_warning() -> None:
    """Rule: D7.1: the races come first."""
    assert codes(racing(4, GSW=1), build(1, "A3 A4 A5")) == [("warning-unpaid-later", 0, "D7.1")]


def test_a_forecast_changes_nothing() -> None:
    state = building()
    before = dict(state.track), dict(state.balance)
    forecast(state, "GSW", (build(1, "A3 B3"),))
    assert (dict(state.track), dict(state.balance)) == before
