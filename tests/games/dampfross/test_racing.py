"""Movement, placings and prizes. Rules: D6.1, D6.3, D6.5-D6.10, R6, R7, R12."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.game import Outcome
from referee.games.dampfross.board.railmap import points_along
from referee.games.dampfross.events import (
    PrizePaid,
    RaceCarried,
    RaceDropped,
    RaceRun,
    TrainMoved,
)
from referee.games.dampfross.racing import Place, advance
from referee.games.dampfross.routing import Train
from referee.games.dampfross.state import State
from tests.games.dampfross.sketch import change, entered, play, position, race, refusals, run, sketch, told, tolls

BOARD = sketch({"A3": (11,), "G3": (12,), "A7": (21,), "D7": (22,)}, mountains="C3 D3 F3")
ROW = "A3 B3 C3 D3 E3 F3 G3"  # plain, plain, up 2, 1, down 1, up 2, down 1 = 8 points
FLAT = "A7 B7 C7 D7"  # 3 points
CODES = ("GSW", "MGW", "BNC", "DSE", "GNR", "CDR")


def on_row(at: int, climbing: bool, points: int) -> tuple[int, bool, int]:
    """Return where *points* bring a train on the mountain row: (at, climbing, left)."""
    train = Train(companies=("GSW",), path=tuple(ROW.split()), owners=("GSW",) * 6, tolls={})
    place, left = advance(points_along(BOARD, train.path), Place(at=at, spent=int(climbing)), points)
    return place.at, place.spent > 0, left


@pytest.mark.parametrize(
    ("before", "points", "after"),
    [
        ((0, False), 1, (1, False, -1)),  # plain to plain
        ((0, False), 3, (2, False, -1)),  # and up a mountain for 2
        ((0, False), 2, (1, True, -1)),  # 1 left before the climb: on the hex-side
        ((1, True), 1, (2, False, -1)),  # where 1 more is needed
        ((1, True), 2, (3, False, -1)),  # mountain to mountain 1
        ((2, False), 2, (4, False, -1)),  # and down 1
        ((0, False), 6, (4, True, -1)),  # 1 + 2 + 1 + 1, and 1 left before F3
        ((4, False), 3, (6, False, 0)),  # in, with nothing left over
        ((4, True), 6, (6, False, 4)),
        ((5, False), 1, (6, False, 0)),
    ],
)
def test_movement(before: tuple[int, bool], points: int, after: tuple[int, bool, int]) -> None:
    """Rule: D6.6."""
    assert on_row(*before, points) == after


def test_a_river_costs_a_train_nothing_extra() -> None:
    """Rule: D6.6 (German text: whether plain, mountain or over a river)."""
    board = sketch({"A3": (11,), "C3": (12,)}, rivers={"A3-B3": 4})
    train = Train(companies=("GSW",), path=("A3", "B3", "C3"), owners=("GSW",) * 2, tolls={})
    assert advance(points_along(board, train.path), Place(), 2) == (Place(at=2), 0)


def flat(companies: int, balance: dict[str, int] | None = None, races: int = 1, **options: Any) -> State:
    """Return a position where that many companies have own track from A7 to D7 (3 points)."""
    codes = CODES[:companies]
    return position(
        BOARD,
        dict.fromkeys(codes, "A7"),
        track=dict.fromkeys(codes, (FLAT,)),
        balance=balance,
        races=tuple(race(number, 21, 22) for number in range(1, races + 1)),
        **options,
    )


def race_of(state: State, throws: dict[str, tuple[int, ...]]) -> Outcome:
    """Run race 1 with everybody who has throws; *throws* by company, race-round after race-round."""
    given = {f"race/1/{n}/{code}": throw for code, own in throws.items() for n, throw in enumerate(own, start=1)}
    return play(state, {code: (run(1, FLAT),) for code in throws}, given)


def prizes(outcome: Outcome) -> dict[str, tuple[int, int]]:
    """Return (place, units) by company."""
    return {e.company: (e.place, e.amount) for e in told(outcome, PrizePaid)}


def test_the_race_goes_on_until_the_second_prize_is_won() -> None:
    """Rule: D6.7; nobody runs after that."""
    outcome = race_of(flat(3), {"GSW": (3,), "MGW": (1, 1, 1), "BNC": (1, 1, 1)})
    assert prizes(outcome) == {"GSW": (1, 20), "MGW": (2, 5), "BNC": (2, 5)}
    assert max(e.round for e in told(outcome, TrainMoved)) == 3


def test_three_second_get_four_to_the_poorest_three_and_three() -> None:
    """Rule: D6.8, German text."""
    state = flat(4, {"GSW": 40, "MGW": 30, "BNC": 10, "DSE": 20})
    outcome = race_of(state, {"GSW": (6,), "MGW": (4,), "BNC": (4,), "DSE": (4,)})
    assert prizes(outcome) == {"GSW": (1, 20), "BNC": (2, 4), "MGW": (2, 3), "DSE": (2, 3)}


def test_four_first_share_thirty_with_the_remainder_one_by_one_to_the_poorest() -> None:
    """Rule: D6.8, R7: equal balances in order of play."""
    outcome = race_of(flat(4), dict.fromkeys(CODES[:4], (4,)))
    assert {code: units for code, (_, units) in prizes(outcome).items()} == {"GSW": 8, "MGW": 8, "BNC": 7, "DSE": 7}


# --- joint trains: D6.5, R12 ---


def joint(state: State, throws: dict[str, int], *others: str) -> Outcome:
    """Run race 1 with a joint train of GSW and MGW and *others*."""
    orders = {
        "GSW": (run(1, FLAT, partner="MGW"),),
        "MGW": (run(1, FLAT, partner="GSW"),),
        **{code: (run(1, FLAT),) for code in others},
    }
    return play(state, orders, {f"race/1/1/{train}": throw for train, throw in throws.items()})


def test_a_joint_train_shares_its_prize() -> None:
    """Rule: D6.5."""
    state = flat(3)
    assert change(state, joint(state, {"GSW+MGW": 6, "BNC": 5}, "BNC")) == {"GSW": 10, "MGW": 10, "BNC": 10}
    assert change(state, joint(state, {"GSW+MGW": 5, "BNC": 6}, "BNC")) == {"GSW": 5, "MGW": 5, "BNC": 20}
    assert change(state, joint(state, {})) == {"GSW": 10, "MGW": 10, "BNC": 0}


def test_the_odd_unit_goes_to_the_poorer_partner() -> None:
    """Rule: D6.5: 15 are 8 to the poorer and 7 to the richer (German text)."""
    state = flat(3, {"GSW": 21, "MGW": 20})
    assert change(state, joint(state, {"GSW+MGW": 4, "BNC": 4}, "BNC")) == {"GSW": 7, "MGW": 8, "BNC": 15}


# --- prizes for everybody: D6.9 ---


def detours(**options: Any) -> State:
    """Return a position where GSW has A7 to D7 in 3 hex-sides, MGW in 6, BNC in 7."""
    return position(
        BOARD,
        {"GSW": "A7", "MGW": "A7", "BNC": "A7"},
        track={"GSW": FLAT, "MGW": "A7 A6 B5 C5 D5 D6 D7", "BNC": "A7 A6 A5 B4 C5 D5 D6 D7"},
        races=race(1, 21, 22),
        **options,
    )


DETOURS = {
    "GSW": (run(1, FLAT),),
    "MGW": (run(1, "A7 A6 B5 C5 D5 D6 D7"),),
    "BNC": (run(1, "A7 A6 A5 B4 C5 D5 D6 D7"),),
}


def test_nobody_enters_with_a_route_more_than_twice_as_long_as_the_shortest() -> None:
    """Rule: D6.9: 6 is twice 3, 7 is more; without the option anybody may."""
    assert refusals(play(detours(prizes="shared"), DETOURS)) == {("BNC", 1): "D6.9"}
    assert refusals(play(detours(), DETOURS)) == {}


def test_the_shortest_route_is_that_of_an_entry_that_stands() -> None:
    """Rule: R6: GSW cannot pay its toll, so BNC's 7 are compared with MGW's 6."""
    state = position(
        BOARD,
        {"GSW": "A7", "MGW": "A7", "BNC": "A7"},
        track={"GSW": "A7 B7", "MGW": ("B7 C7 D7", "A7 A6 B5 C5 D5 D6 D7"), "BNC": "A7 A6 A5 B4 C5 D5 D6 D7"},
        balance={"GSW": 0},
        races=race(1, 21, 22),
        prizes="shared",
    )
    assert refusals(play(state, DETOURS)) == {("GSW", 1): "D6.3"}


# --- races that are not run: D5.6 ---


def test_a_race_nobody_enters_is_offered_again_under_its_number() -> None:
    """Rule: D5.6."""
    outcome = play(flat(3, races=2), {"GSW": run(2, FLAT)})
    assert [e.race for e in told(outcome, RaceCarried)] == [1]
    assert [e.race for e in told(outcome, RaceRun)] == [2]
    assert [each.number for each in outcome.state.offered()] == [1]
    assert [each.number for each in outcome.state.carried()] == [1]
    again = play(outcome.state, {"GSW": run(1, FLAT)})
    assert [e.race for e in told(again, RaceRun)] == [1]


def test_a_race_whose_only_entry_falls_is_carried_over() -> None:
    """Rule: D5.6: "for whatever reason"."""
    outcome = play(flat(3), {"GSW": run(1, "A7 B7 C7")})
    assert [e.race for e in told(outcome, RaceCarried)] == [1]


def test_after_the_last_round_a_race_nobody_entered_is_never_run() -> None:
    """Rule: D5.6."""
    outcome = play(flat(3, round_number=12), {})
    assert [e.race for e in told(outcome, RaceDropped)] == [1]
    assert outcome.state.race(1) is not None
    assert [each.status for each in outcome.state.races] == ["dropped"]


# The money of joint trains: cap, tolls, netting. Rules: D6.3-D6.5, R17.

LONG = sketch({"A3": (11,), "P3": (12,)})
MAIN = race(1, 11, 12)
LONG_ROW = "A3 B3 C3 D3 E3 F3 G3 H3 I3 J3 K3 L3 M3 N3 O3 P3"


def joint_on_foreign_track(sides: int, *, gsw: int = 20, mgw: int = 20) -> State:
    """Return a position where GSW and MGW run jointly over *sides* hex-sides of BNC."""
    row = LONG_ROW.split()
    track = {"GSW": ("A3 B3",), "MGW": (" ".join(row[1 : 16 - sides]),), "BNC": (" ".join(row[15 - sides :]),)}
    homes = {"GSW": "A3", "MGW": "A3", "BNC": "P3"}
    return position(LONG, homes, track=track, balance={"GSW": gsw, "MGW": mgw}, races=MAIN)


JOINT = {"GSW": (run(1, LONG_ROW, partner="MGW"),), "MGW": (run(1, partner="GSW"),)}


def test_the_cap_counts_per_train_and_rival() -> None:
    """Rule: D6.5: 11 is too much, though each partner would pay 5 or 6."""
    assert refusals(play(joint_on_foreign_track(10), JOINT)) == {("GSW", 1): "D6.4", ("MGW", 1): "D6.4"}
    assert refusals(play(joint_on_foreign_track(9), JOINT)) == {}


def test_tolls_of_a_joint_train_are_shared_the_odd_unit_is_the_richers() -> None:
    """Rule: D6.5: in favour of the poorer."""
    outcome = play(joint_on_foreign_track(6, gsw=21), JOINT)
    assert sorted(tolls(outcome)) == [("GSW", "BNC", 4), ("MGW", "BNC", 3)]


def test_a_partner_that_cannot_pay_its_half_stops_the_train() -> None:
    """Rule: D6.3, D6.5."""
    assert entered(play(joint_on_foreign_track(6, mgw=3), JOINT)) == [(1, ("GSW", "MGW"))]
    assert refusals(play(joint_on_foreign_track(6, mgw=2), JOINT)) == {("GSW", 1): "D6.3", ("MGW", 1): "D6.3"}


def test_netting_with_a_joint_train_sets_off_what_its_rival_pays_to_either_partner() -> None:
    """Rule: R17: the train owes BNC 12; BNC owes MGW 4: net 8."""
    state = position(
        LONG,
        {"GSW": "A3", "MGW": "A3", "BNC": "P3"},
        track={
            "GSW": "A3 B3",
            "MGW": "B3 C3 D3 E3",
            "BNC": ("A3 B3", "E3 F3 G3 H3 I3 J3 K3 L3 M3 N3 O3 P3"),
        },
        races=MAIN,
    )
    alone = play(state, JOINT)
    assert refusals(alone) == {("GSW", 1): "D6.4", ("MGW", 1): "D6.4"}
    assert refusals(play(state, {**JOINT, "BNC": run(1, LONG_ROW)})) == {}


def test_a_rivals_joint_train_is_set_off_once() -> None:
    """Rule: D6.3, D6.4: DSE owes MGW 6 and BNC 11, their train owes DSE 6: DSE has to find 11 units, not 0 and 5."""
    state = position(
        LONG,
        {"GSW": "A3", "MGW": "A3", "BNC": "P3", "DSE": "A3"},
        track={
            "DSE": ("A3 A4 B4 C4 D4 E4", "A3 A2"),
            "MGW": ("A2 B2 C3 D3 E3 F3", "E4 F3"),
            "BNC": "F3 G3 H3 I3 J3 K3 L3 M3 N3 O3 P3",
        },
        balance={"DSE": 10},
        races=MAIN,
    )
    theirs = "A3 A4 B4 C4 D4 E4 F3 G3 H3 I3 J3 K3 L3 M3 N3 O3 P3"
    orders = {
        "DSE": (run(1, "A3 A2 B2 C3 D3 E3 F3 G3 H3 I3 J3 K3 L3 M3 N3 O3 P3"),),
        "MGW": (run(1, theirs, partner="BNC"),),
        "BNC": (run(1, partner="MGW"),),
    }
    assert refusals(play(state, orders)) == {("DSE", 1): "D6.3"}
    richer = replace(state, balance={**state.balance, "DSE": 11})
    assert refusals(play(richer, orders)) == {}


def test_what_a_rival_pays_for_one_partners_track_does_not_pay_the_others_half() -> None:
    """Rule: D6.5: tolls for a partner's track stay with its owner: MGW must find its 4 of 8, though BNC pays GSW 8."""
    joint = {"GSW": (run(1, LONG_ROW, partner="MGW"),), "MGW": (run(1, partner="GSW"),)}
    state = position(
        LONG,
        {"GSW": "A3", "MGW": "A3", "BNC": "P3"},
        track={
            "GSW": "A3 B3 C3 D3 E3 F3 G3 H3",
            "MGW": "H3 I3",
            "BNC": ("I3 J3 K3 L3 M3 N3 O3 P3", "H3 H4 I4 I3"),
        },
        balance={"MGW": 3},
        races=MAIN,
    )
    bnc = (run(1, "A3 B3 C3 D3 E3 F3 G3 H3 H4 I4 I3 J3 K3 L3 M3 N3 O3 P3"),)
    assert refusals(play(state, {**joint, "BNC": bnc})) == {("GSW", 1): "D6.3", ("MGW", 1): "D6.3"}
    richer = play(replace(state, balance={**state.balance, "MGW": 4}), {**joint, "BNC": bnc})
    assert sorted(tolls(richer)) == [("BNC", "GSW", 8), ("GSW", "BNC", 4), ("MGW", "BNC", 4)]
