"""The money of joint trains: cap, tolls, netting. Rules: D6.3-D6.5, R17."""

from __future__ import annotations

from msgspec.structs import replace

from referee.games.dampfross.state import State
from tests.games.dampfross.sketch import entered, play, position, race, refusals, run, sketch, tolls

BOARD = sketch({"A3": (11,), "P3": (12,)})
MAIN = race(1, 11, 12)
ROW = "A3 B3 C3 D3 E3 F3 G3 H3 I3 J3 K3 L3 M3 N3 O3 P3"


def joint_on_foreign_track(sides: int, *, gsw: int = 20, mgw: int = 20) -> State:
    """Return a position where GSW and MGW run jointly over *sides* hex-sides of BNC."""
    row = ROW.split()
    track = {"GSW": ("A3 B3",), "MGW": (" ".join(row[1 : 16 - sides]),), "BNC": (" ".join(row[15 - sides :]),)}
    homes = {"GSW": "A3", "MGW": "A3", "BNC": "P3"}
    return position(BOARD, homes, track=track, balance={"GSW": gsw, "MGW": mgw}, races=(MAIN,))


JOINT = {"GSW": (run(1, ROW, partner="MGW"),), "MGW": (run(1, partner="GSW"),)}


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
        BOARD,
        {"GSW": "A3", "MGW": "A3", "BNC": "P3"},
        track={
            "GSW": ("A3 B3",),
            "MGW": ("B3 C3 D3 E3",),
            "BNC": ("A3 B3", "E3 F3 G3 H3 I3 J3 K3 L3 M3 N3 O3 P3"),
        },
        races=(MAIN,),
    )
    alone = play(state, JOINT)
    assert refusals(alone) == {("GSW", 1): "D6.4", ("MGW", 1): "D6.4"}
    assert refusals(play(state, {**JOINT, "BNC": (run(1, ROW),)})) == {}


def test_a_rivals_joint_train_is_set_off_once() -> None:
    """Rule: D6.3, D6.4: DSE owes MGW 6 and BNC 11, their train owes DSE 6: DSE has to find 11 units, not 0 and 5."""
    state = position(
        BOARD,
        {"GSW": "A3", "MGW": "A3", "BNC": "P3", "DSE": "A3"},
        track={
            "DSE": ("A3 A4 B4 C4 D4 E4", "A3 A2"),
            "MGW": ("A2 B2 C3 D3 E3 F3", "E4 F3"),
            "BNC": ("F3 G3 H3 I3 J3 K3 L3 M3 N3 O3 P3",),
        },
        balance={"DSE": 10},
        races=(MAIN,),
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
    joint = {"GSW": (run(1, ROW, partner="MGW"),), "MGW": (run(1, partner="GSW"),)}
    state = position(
        BOARD,
        {"GSW": "A3", "MGW": "A3", "BNC": "P3"},
        track={
            "GSW": ("A3 B3 C3 D3 E3 F3 G3 H3",),
            "MGW": ("H3 I3",),
            "BNC": ("I3 J3 K3 L3 M3 N3 O3 P3", "H3 H4 I4 I3"),
        },
        balance={"MGW": 3},
        races=(MAIN,),
    )
    bnc = (run(1, "A3 B3 C3 D3 E3 F3 G3 H3 H4 I4 I3 J3 K3 L3 M3 N3 O3 P3"),)
    assert refusals(play(state, {**joint, "BNC": bnc})) == {("GSW", 1): "D6.3", ("MGW", 1): "D6.3"}
    richer = play(replace(state, balance={**state.balance, "MGW": 4}), {**joint, "BNC": bnc})
    assert sorted(tolls(richer)) == [("BNC", "GSW", 8), ("GSW", "BNC", 4), ("MGW", "BNC", 4)]
