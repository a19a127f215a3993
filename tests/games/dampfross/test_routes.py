"""Which routes may be run, over whose track, for which tolls. Rules: D5.5, D6.2, D6.3."""

from typing import Any

from referee.core import Complaint
from referee.games.dampfross.routing import Train, train_on
from referee.games.dampfross.state import State
from tests.games.dampfross.sketch import (
    position,
    race,
    route,
    sketch,
)
from tests.tables import Tables

CASES = Tables(__file__)


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


@CASES.frozen_rows
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


@CASES.rows
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
