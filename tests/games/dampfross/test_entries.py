"""Which entries stand. Rules: D5.6 (limits), D6.3-D6.5 (tolls, netting, joint trains), R3, R5, R14, R17."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.hexes import side
from referee.core.orders import Complaint
from referee.games.dampfross.declaring import entry_limit
from referee.games.dampfross.events import TrainEntered
from referee.games.dampfross.routing import Train, train_on
from referee.games.dampfross.state import Run, State
from tests.games.dampfross.sketch import (
    change,
    entered,
    play,
    position,
    race,
    refusals,
    route,
    run,
    sketch,
    told,
    tolls,
)

BOARD = sketch({"A3": (11,), "P3": (12,), "A7": (21,), "D7": (22,)})
MAIN = race(1, 11, 12)

TOP = "B3 C3 D3 E3 F3 G3 H3 I3 J3 K3 L3 M3 N3 O3 P3"  # 14 hex-sides of MGW
LOW = "A4 B4 C4 D4 E4 F4 G4 H4 I4 J4 K4 L4"  # 11 hex-sides of GSW
GSW_RUNS = f"A3 {TOP}"  # owes MGW 15
MGW_RUNS = f"A3 {LOW} M4 N4 O4 P4 P3"  # owes GSW 12


def pair(**balance: int) -> State:
    """Return the German text's example: GSW wants 15 hexes of MGW's net, MGW 12 of GSW's. BNC has a line of its own."""
    return position(
        BOARD,
        {"GSW": "A3", "MGW": "P3", "BNC": "A7"},
        track={
            "GSW": ("A3 B3", f"A3 {LOW}"),
            "MGW": (TOP, "A3 A4", "L4 M4 N4 O4 P4 P3"),
            "BNC": "A3 A2 B2 C2 D2 E2 F2 G2 H2 I2 J2 K2 L2 M2 N2 O2 P2 P3",
        },
        balance=balance,
        races=MAIN,
    )


def own(state: State, company: str, chain: str) -> State:
    """Return the position with this company alone on each hex-side of *chain*."""
    sides = (side(*step) for step in pairwise(chain.split()))
    return replace(state, track={**state.track, **dict.fromkeys(sides, (company,))})


# --- the cap: D6.4 ---


def capped(sides: int) -> State:
    """Return a position where GSW has the first of the hex-sides of row 3 and MGW the last *sides*."""
    row = f"A3 {TOP}".split()
    cut = len(row) - 1 - sides
    track = {"GSW": (" ".join(row[: cut + 1]),), "MGW": (" ".join(row[cut:]),)}
    return position(BOARD, {"GSW": "A3", "MGW": "P3"}, track=track, races=MAIN)


def test_ten_units_may_be_paid_to_one_rival() -> None:
    """Rule: D6.4."""
    assert entered(play(capped(9), {"GSW": run(1, GSW_RUNS)})) == [(1, ("GSW",))]


def test_the_cap_is_for_each_rival() -> None:
    """Rule: D6.4, German text: 9 to A and 8 to B is legal."""
    state = position(
        BOARD,
        {"GSW": "A3", "MGW": "P3", "BNC": "P3"},
        track={"GSW": "A3 B3", "MGW": "B3 C3 D3 E3 F3 G3 H3 I3 J3", "BNC": "J3 K3 L3 M3 N3 O3 P3"},
        races=MAIN,
    )
    outcome = play(state, {"GSW": run(1, GSW_RUNS)})
    assert tolls(outcome) == [("GSW", "MGW", 9), ("GSW", "BNC", 7)]


# --- netting: D6.4, R5 ---


def test_fifteen_against_twelve_is_legal_for_both_and_printed_gross() -> None:
    """Rule: D6.4: the net is 3."""
    state = pair()
    outcome = play(state, {"GSW": run(1, GSW_RUNS), "MGW": run(1, MGW_RUNS)})
    assert sorted(entered(outcome)) == [(1, ("GSW",)), (1, ("MGW",))]
    assert sorted(tolls(outcome)) == [("GSW", "MGW", 15), ("MGW", "GSW", 12)]
    assert sum(change(state, outcome).values()) == 30


def test_alone_neither_of_the_pair_is_legal() -> None:
    """Rule: D6.4."""
    assert refusals(play(pair(), {"GSW": run(1, GSW_RUNS)})) == {("GSW", 1): "D6.4"}
    assert refusals(play(pair(), {"MGW": run(1, MGW_RUNS)})) == {("MGW", 1): "D6.4"}


def test_netting_above_ten_is_still_too_much() -> None:
    """Rule: D6.4: 15 against 4 is 11; MGW's 4 are legal alone."""
    state = own(pair(), "MGW", "D4 E4 F4 G4 H4 I4 J4 K4 L4")
    outcome = play(state, {"GSW": run(1, GSW_RUNS), "MGW": run(1, MGW_RUNS)})
    assert refusals(outcome) == {("GSW", 1): "D6.4"}
    assert tolls(outcome) == [("MGW", "GSW", 4)]


# --- who cannot pay: D6.3 ---


def test_a_company_in_debt_may_run_where_it_owes_nothing() -> None:
    """Rule: D6.3."""
    state = position(BOARD, {"GSW": "A3", "MGW": "P3"}, track={"GSW": GSW_RUNS}, balance={"GSW": -5}, races=MAIN)
    assert entered(play(state, {"GSW": run(1, GSW_RUNS)})) == [(1, ("GSW",))]


def test_income_from_third_parties_in_that_race_does_not_help_to_pay() -> None:
    """Rule: D6.3: BNC pays GSW 2, but GSW cannot pay MGW's 10."""
    state = position(
        BOARD,
        {"GSW": "A3", "MGW": "P3", "BNC": "P3"},
        track={"GSW": "A3 B3 C3 D3 E3 F3 G3", "MGW": "G3 H3 I3 J3 K3 L3 M3 N3 O3 P3", "BNC": TOP},
        balance={"GSW": 8},
        races=MAIN,
    )
    named = "A3 B3 C3 D3 E3 F3 G3 H3[MGW] I3[MGW] J3[MGW] K3[MGW] L3[MGW] M3[MGW] N3[MGW] O3[MGW] P3[MGW]"
    outcome = play(state, {"GSW": run(1, named), "BNC": run(1, GSW_RUNS)})
    assert tolls(outcome) == [("BNC", "GSW", 2)]
    assert refusals(outcome) == {("GSW", 1): "D6.3"}


# --- alternatives: R14 ---


def test_an_alternative_takes_the_place_of_a_route_that_falls_at_the_cap() -> None:
    """Rule: R14: GSW's second route lies on its own track."""
    state = capped(10)
    state = own(state, "GSW", "A3 A4 B4")
    state = own(state, "GSW", f"A3 {LOW} M4 N4 O4 P4 P3")
    outcome = play(state, {"GSW": run(1, GSW_RUNS, MGW_RUNS)})
    assert [e.route[1] for e in told(outcome, TrainEntered)] == ["A4"]
    assert refusals(outcome) == {}


def test_the_first_alternative_on_existing_track_is_run() -> None:
    """Rule: R14: there is no track on the first."""
    outcome = play(capped(9), {"GSW": run(1, "A3 A2 B2 C2", GSW_RUNS)})
    assert [e.route[1] for e in told(outcome, TrainEntered)] == ["B3"]


# --- the limit: D5.6, R3 ---

SHUTTLE = "A7 B7 C7 D7"


def shuttles(first: int, carried: int = 0, **options: Any) -> State:
    """Return a position with *first* races of this round and *carried* older ones, all A7 to D7 over GSW's own line."""
    races = tuple(race(n, 21, 22, offered=6 if n <= carried else 7) for n in range(1, first + carried + 1))
    return position(
        BOARD,
        {"GSW": "A7", "MGW": "D7", "BNC": "D7"},
        track={"GSW": SHUTTLE, "MGW": SHUTTLE},
        races=races,
        **options,
    )


def shuttle(*numbers: int, partner: str = "") -> tuple[Run, ...]:
    """Return entries for these races."""
    return tuple(run(number, SHUTTLE, partner=partner) for number in numbers)


def test_the_limit_of_entries_grows_with_races_carried_over() -> None:
    """Rule: D5.6: 2 or 3 carried: 5; 4 or 5: 6; 6 or 7: 7."""
    limits = [entry_limit(shuttles(6, carried)) for carried in range(9)]
    assert limits == [4, 4, 5, 5, 6, 6, 7, 7, 8]


def test_races_carried_over_may_be_entered_freely_within_the_limit() -> None:
    """Rule: D5.6: five of eight, two of them carried."""
    outcome = play(shuttles(6, carried=2), {"GSW": shuttle(1, 2, 3, 4, 5, 6)})
    assert [number for number, _ in entered(outcome)] == [1, 2, 3, 4, 5]


def test_an_entry_that_falls_at_the_tolls_does_not_count_for_later_races() -> None:
    """Rule: R3."""
    state = shuttles(6)
    state = replace(own(state, "MGW", "C7 D7"), balance={"GSW": 0, "MGW": 20, "BNC": 20})
    state = own(state, "GSW", "C7 C6 D6 D7")
    orders = (run(1, SHUTTLE), *(run(number, "A7 B7 C7 C6 D6 D7") for number in (2, 3, 4, 5)))
    outcome = play(state, {"GSW": orders})
    assert refusals(outcome) == {("GSW", 1): "D6.3"}
    assert [number for number, _ in entered(outcome)] == [2, 3, 4, 5]


def test_entries_may_be_unlimited() -> None:
    """Rule: D5.6, option ``entries``."""
    assert len(entered(play(shuttles(6, entries="unlimited"), {"GSW": shuttle(1, 2, 3, 4, 5, 6)}))) == 6


# --- joint trains: D6.5 ---


def test_a_joint_train_is_one_train_of_two_companies() -> None:
    """Rule: D6.5."""
    outcome = play(shuttles(1), {"GSW": shuttle(1, partner="MGW"), "MGW": shuttle(1, partner="GSW")})
    assert entered(outcome) == [(1, ("GSW", "MGW"))]


def test_a_partner_may_leave_the_route_to_the_other() -> None:
    """Rule: D6.5."""
    outcome = play(shuttles(1), {"GSW": run(1, partner="MGW"), "MGW": shuttle(1, partner="GSW")})
    assert entered(outcome) == [(1, ("GSW", "MGW"))]


def test_a_joint_train_counts_for_the_limit() -> None:
    """Rule: D6.5."""
    orders = {"GSW": (*shuttle(1, partner="MGW"), *shuttle(2, 3, 4, 5)), "MGW": shuttle(1, partner="GSW")}
    assert refusals(play(shuttles(6), orders)) == {("GSW", 5): "D5.6"}


# Which routes may be run, over whose track, for which tolls. Rules: D5.5, D6.2, D6.3.

FORKED = sketch({"A3": (11,), "D3": (21,), "H3": (12,), "H5": (12,), "P3": (13,)})
TO_H3, TO_P3 = race(1, 11, 12), race(2, 11, 13)


def lines(options: dict[str, Any] | None = None, **track: tuple[str, ...]) -> State:
    """Return a racing position with these chains of track; BNC and DSE start with none."""
    homes = {"GSW": "A3", "MGW": "D3", "BNC": "H3", "DSE": "P3"}
    return position(FORKED, homes, track=track, races=(TO_H3, TO_P3), **(options or {}))


def train(state: State, text: str, companies: tuple[str, ...] = ("GSW",), to: Any = TO_H3) -> Train:
    """Return the train on a route that may be run."""
    found = train_on(state, companies, to, route(text))
    assert isinstance(found, Train), found
    return found


def refused(state: State, text: str, companies: tuple[str, ...] = ("GSW",)) -> str:
    """Return the paragraph under which a route may not be run."""
    found = train_on(state, companies, TO_H3, route(text))
    assert isinstance(found, Complaint)
    return found.paragraph


ROW = "A3 B3 C3 D3 E3 F3 G3 H3"


@pytest.mark.parametrize(
    ("tracks", "tolls"),
    [
        pytest.param({"GSW": (ROW,)}, {}, id="own track is free"),
        # 4 hex-sides lie in 5 hexes, half-used ones too; city hexes count like others.
        pytest.param({"GSW": ("A3 B3 C3 D3",), "MGW": ("D3 E3 F3 G3 H3",)}, {"MGW": 5}, id="n hex-sides cost n + 1"),
        pytest.param({"GSW": ("A3 B3 C3 D3", "E3 F3 G3 H3"), "MGW": ("D3 E3",)}, {"MGW": 2}, id="one costs two"),
        pytest.param({"GSW": ("A3 B3", "D3 E3 F3"), "MGW": ("B3 C3 D3", "F3 G3 H3")}, {"MGW": 6}, id="two goes, 3 + 3"),
        pytest.param(
            {"GSW": ("A3 B3",), "MGW": ("B3 C3 D3",), "BNC": ("D3 E3 F3 G3 H3",)},
            {"MGW": 3, "BNC": 5},
            id="a hex half on one rival's line and half on another's is paid to both",
        ),
    ],
)
def test_the_toll_of_a_route(tracks: dict[str, Any], tolls: dict[str, int]) -> None:
    """Rule: D6.3."""
    assert train(lines(**tracks), ROW).tolls == tolls


def test_counting_hex_sides_is_an_option() -> None:
    """Rule: D6.3, option ``toll``."""
    state = lines({"toll": "hex-sides"}, GSW=("A3 B3", "D3 E3 F3"), MGW=("B3 C3 D3", "F3 G3 H3"))
    assert train(state, ROW).tolls == {"MGW": 4}


def test_own_track_is_used_where_there_is_any() -> None:
    """Rule: D6.3."""
    state = lines(GSW=(ROW,), MGW=(ROW,))
    assert train(state, ROW).owners == ("GSW",) * 7


def test_own_track_is_used_even_where_staying_on_a_rivals_line_costs_the_same() -> None:
    """Rule: D6.3: default own: one own hex-side in the middle of GSW's line saves nothing, and is used."""
    state = lines(MGW=("A3 B3", "D3 E3"), GSW=("B3 C3 D3 E3 F3 G3 H3",))
    found = train(state, ROW, ("MGW",))
    assert found.owners == ("MGW", "GSW", "GSW", "MGW", "GSW", "GSW", "GSW")
    assert found.tolls == {"GSW": 7}


def test_the_runner_may_name_whose_track_it_uses() -> None:
    """Rule: D6.3: even a rival's beside the own one."""
    state = lines(GSW=("A3 B3 C3",), MGW=(ROW,), BNC=(ROW,))
    named = train(state, "A3 B3 C3[MGW] D3[BNC] E3[BNC] F3[BNC] G3[BNC] H3[BNC]")
    assert named.owners == ("GSW", "MGW", *("BNC",) * 5)
    assert named.tolls == {"MGW": 2, "BNC": 6}


def test_unnamed_track_is_the_cheapest_for_the_whole_route_not_side_by_side() -> None:
    """Rule: R4: BNC shares the middle of MGW's line: staying on MGW's costs 4, changing over and back 2 + 2 + 2."""
    state = lines(GSW=("A3 B3 C3 D3 E3",), BNC=("F3 G3",), MGW=("E3 F3 G3 H3",))
    assert train(state, ROW).tolls == {"MGW": 4}
    other = lines(GSW=("A3 B3 C3 D3 E3",), MGW=("E3 F3",), BNC=("E3 F3 G3 H3",))
    assert train(other, ROW).tolls == {"BNC": 4}


def test_a_choice_within_the_cap_goes_before_a_cheaper_one_above_it() -> None:
    """Rule: R4: MGW's line all the way would cost 12; the same with BNC's somewhere behind K3 costs 13, but is legal."""
    row = "A3 B3 C3 D3 E3 F3 G3 H3 I3 J3 K3 L3 M3 N3 O3 P3"
    state = lines(GSW=("A3 B3 C3 D3 E3",), MGW=("E3 F3 G3 H3 I3 J3 K3 L3 M3 N3 O3 P3",), BNC=("K3 L3 M3 N3 O3 P3",))
    tolls = train(state, row, to=TO_P3).tolls
    assert sum(tolls.values()) == 13
    assert max(tolls.values()) <= 10


def test_a_joint_train_has_both_networks_free() -> None:
    """Rule: D6.5; both are own track for D6.2 (R12)."""
    state = lines(GSW=("A3 B3",), MGW=("B3 C3 D3 E3",), BNC=("E3 F3 G3 H3",))
    assert train(state, ROW, ("GSW", "MGW")).tolls == {"BNC": 4}
    nothing_of_mine = lines(MGW=(ROW,))
    assert train(nothing_of_mine, ROW, ("GSW", "MGW")).tolls == {}


@pytest.mark.parametrize(
    ("text", "paragraph"),
    [
        ("B3 C3 D3 E3 F3 G3 H3", "D5.5"),  # not from the start
        ("A3 B3 C3 D3", "D5.5"),  # not to the destination
        ("A3 A4 B4 C4 D3 E3 F3 G3 H3", "D6.2"),  # no track there
        ("A3 B3 A3 B3 C3 D3 E3 F3 G3 H3", "D6.2"),  # a side twice
        ("A3 B3[BNC] C3 D3 E3 F3 G3 H3", "D6.3"),  # BNC has no track there
    ],
)
def test_routes_that_may_not_be_run(text: str, paragraph: str) -> None:
    assert refused(lines(GSW=(ROW,)), text) == paragraph


def test_a_route_lies_at_least_partly_on_own_track() -> None:
    """Rule: D6.2; named away from the own track it does not."""
    assert refused(lines(MGW=(ROW,)), ROW) == "D6.2"
    both = lines(GSW=("A3 B3",), MGW=(ROW,))
    assert refused(both, "A3 B3[MGW] C3 D3 E3 F3 G3 H3") == "D6.2"


def test_the_greater_part_on_own_track_is_an_option() -> None:
    """Rule: D6.2, option ``own_share``: 4 of 7 hex-sides are, 3 of 7 are not; half is not the greater part."""
    strict = {"own_share": "greater-part"}
    assert train(lines(strict, GSW=("A3 B3 C3 D3 E3",), MGW=(ROW,)), ROW).tolls
    assert refused(lines(strict, GSW=("A3 B3 C3 D3",), MGW=(ROW,)), ROW) == "D6.2"


def test_the_same_hex_may_be_passed_twice_if_no_side_is() -> None:
    """Rule: D6.2."""
    state = lines(GSW=(ROW, "C3 C2 D2 D3"))
    assert len(train(state, "A3 B3 C3 C2 D2 D3 E3 F3 G3 H3").path) == 10
    loop = lines(GSW=(ROW, "D3 D2 E3", "E3 E4 D3"))
    assert train(loop, "A3 B3 C3 D3 D2 E3 E4 D3 E3 F3 G3 H3").tolls == {}


def test_each_entrant_chooses_its_end_of_a_key_on_several_hexes() -> None:
    """Rule: D5.5: Ireland's 11."""
    state = lines(GSW=(ROW, "H3 H4 H5"))
    assert train(state, ROW).path[-1] == "H3"
    assert train(state, f"{ROW} H4 H5").path[-1] == "H5"
