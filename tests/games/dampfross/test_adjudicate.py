"""Rounds and phases: the opening, building after the races, the end. Rules: D1.2, D4.4, D5.6, D7.1, D9."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.dice import SeededDice, TypedDice
from referee.games.dampfross.events import (
    CityConnected,
    GameEnded,
    NothingReceived,
    RacesDrawn,
    RollsThrown,
    RoundEnded,
    TrackLaid,
)
from referee.games.dampfross.options import choose_options
from referee.games.dampfross.racing import allowance
from referee.games.dampfross.round import start
from referee.games.dampfross.state import BUILD, OVER, RACE, State
from tests.games.dampfross.sketch import (
    build,
    change,
    fees,
    ireland,
    laid,
    play,
    position,
    race,
    run,
    sketch,
    stops,
    told,
)

BOARD = sketch({"A3": (11,), "P3": (12,), "D6": (13,)}, homes="A3 P3", mountains="C1", rivers={"A3-A2": 2})
RACES = (race(1, 11, 12),)


def racing(balance: dict[str, int] | None = None, round_number: int = 7, **options: Any) -> State:
    """Return a racing round of GSW, MGW and BNC, all from A3, without any track; the race cannot be run."""
    homes = dict.fromkeys(("GSW", "MGW", "BNC"), "A3")
    return position(BOARD, homes, balance=balance, races=RACES, round_number=round_number, **options)


# --- the opening ---


def test_the_opening_gives_twenty_units_and_three_rolls() -> None:
    """Rule: D1.2, D4.4: known before orders are due."""
    empty = position(ireland(), {"GSW": "", "MGW": "", "BNC": ""}, rolls=())
    throws = {"rolls/1/1": 6, "rolls/1/2": 1, "rolls/1/3": 3}
    opened = start(empty, TypedDice(given=throws, otherwise=SeededDice("x"))).state
    assert opened.balance == {"GSW": 20, "MGW": 20, "BNC": 20}
    assert opened.rolls == (6, 1, 3)
    assert (opened.round, opened.phase) == (1, BUILD)


def test_each_building_round_ends_with_the_rolls_of_the_next() -> None:
    """Rule: D4.4."""
    outcome = play(
        position(BOARD, {"GSW": "A3"}, rolls=(1, 2, 3)), {}, {"rolls/2/1": 5, "rolls/2/2": 5, "rolls/2/3": 6}
    )
    assert [(e.round, e.rolls) for e in told(outcome, RollsThrown)] == [(2, (5, 5, 6))]
    assert (outcome.state.round, outcome.state.rolls) == (2, (5, 5, 6))


def test_of_four_dice_the_lowest_is_dropped_and_the_others_keep_their_order() -> None:
    """Rule: D4.4, option ``roll``: thrown again with two ones."""
    state = position(BOARD, {"GSW": "A3"}, roll="drop-lowest")
    throws = {f"rolls/2/1/{n}": throw for n, throw in enumerate((1, 6, 1, 6), start=1)}
    throws |= {f"rolls/2/2/{n}": throw for n, throw in enumerate((5, 2, 6, 4), start=1)}
    assert play(state, {}, throws).state.rolls == (5, 6, 4)


def test_building_lasts_six_rounds_then_the_races_are_drawn() -> None:
    """Rule: D2.7, D5.6, R13."""
    state = position(ireland(), {"GSW": "AB18", "MGW": "AD7"}, round_number=5)
    fifth = play(state, {})
    assert (fifth.state.round, fifth.state.phase) == (6, BUILD)
    assert told(fifth, RacesDrawn) == []
    sixth = play(fifth.state, {})
    assert (sixth.state.round, sixth.state.phase, sixth.state.rolls) == (7, RACE, ())
    assert len(sixth.state.races) == 36
    assert [each.number for each in sixth.state.offered()] == [1, 2, 3, 4, 5, 6]


def test_the_number_of_building_rounds_is_an_option() -> None:
    """Rule: D2.7."""
    state = position(ireland(), {"GSW": "AB18", "MGW": "AD7"}, building_ends="rounds:2", round_number=2)
    ended = play(state, {}).state
    assert (ended.phase, ended.races[0].round, ended.last_round) == (RACE, 3, 8)


@pytest.mark.parametrize(("races", "rounds"), [("full", 8), (4, 3), (6, 3), (7, 4)])
def test_a_short_game_knows_before_its_races_are_drawn_how_many_rounds_it_has(races: str | int, rounds: int) -> None:
    """Rule: D5.6, D9."""
    state = position(ireland(), {"GSW": "AB18", "MGW": "AD7"}, round_number=2)
    options = choose_options("postal", (("building_ends", "rounds:2"), ("races", races)))
    state = replace(state, table=replace(state.table, options=options))
    ended = play(state, {}).state
    assert (state.last_round, ended.last_round) == (rounds, rounds)


def test_who_says_nothing_builds_nothing_and_is_named() -> None:
    outcome = play(position(BOARD, {"GSW": "A3", "MGW": "P3"}), {"GSW": ()})
    assert [e.company for e in told(outcome, NothingReceived)] == ["MGW"]
    assert told(outcome, TrackLaid) == []


# --- building after the races: D7.1 ---


def test_track_is_paid_from_the_account_by_the_same_table() -> None:
    """Rule: D7.1: plain 1, river 3, mountain 3."""
    state = racing()
    outcome = play(state, {"GSW": build(1, "A3 A2 A1", "A2 B1 C1")})
    assert [(e.cost, e.units) for e in told(outcome, TrackLaid)] == [(3, 3), (1, 1), (1, 1), (3, 3)]
    assert change(state, outcome)["GSW"] == -8


def test_fees_come_on_top_of_the_allowance() -> None:
    """Rule: D7.1: three hex-sides beside MGW's line for an allowance of 3."""
    homes = dict.fromkeys(("GSW", "MGW"), "A3")
    state = position(BOARD, homes, track={"MGW": "A3 B3 C3 D3 E3"}, races=RACES, race_building="points:3")
    outcome = play(state, {"GSW": build(1, "A3 B3 C3 D3 E3")})
    assert laid(outcome, "GSW") == ["A3-B3", "B3-C3", "C3-D3"]
    assert stops(outcome) == [("GSW", "D4.3")]
    assert change(state, outcome) == {"GSW": -3 - 13, "MGW": 13}


def test_the_allowance_of_the_postal_game_is_twenty() -> None:
    """Rule: D7.1."""
    assert allowance(racing()) == 20
    state = racing({"GSW": 50})
    zigzag = "A3 B3 C3 D3 E3 F3 G3 H3 I3 J3 K3 L3 M3 N3 O3 O4 N4 M4 L4 K4 J4 I4"
    outcome = play(state, {"GSW": build(1, zigzag)})
    assert change(state, outcome)["GSW"] == -20


def test_allowance_and_fees_together_stay_within_the_balance() -> None:
    """Rule: D7.1: 4 units pay for one hex-side beside MGW (1 + 3), not for a second; a piece elsewhere is still tried."""
    homes = dict.fromkeys(("GSW", "MGW"), "A3")
    state = position(BOARD, homes, track={"MGW": "A3 B3 C3"}, balance={"GSW": 5}, races=RACES)
    outcome = play(state, {"GSW": build(1, "A3 B3 C3", "B3 B4 B5")})
    assert laid(outcome, "GSW") == ["A3-B3", "B3-B4"]
    assert stops(outcome) == [("GSW", "D7.1"), ("GSW", "D7.1")]
    assert outcome.state.balance["GSW"] == 0


def test_the_poorest_builds_first_and_all_of_its_line_before_the_next() -> None:
    """Rule: D7.1: never step by step: MGW, the poorest, lays all; BNC and then GSW pay it."""
    state = racing({"GSW": 30, "MGW": 10, "BNC": 20})
    outcome = play(state, dict.fromkeys(("GSW", "MGW", "BNC"), (build(1, "A3 B3"),)))
    assert [e.company for e in told(outcome, TrackLaid)] == ["MGW", "BNC", "GSW"]
    assert change(state, outcome) == {"MGW": -1 + 3 + 3, "BNC": -1 - 3 + 3, "GSW": -1 - 6}


def test_equal_balances_build_in_order_of_play() -> None:
    """Rule: D7.1, R7."""
    outcome = play(racing(), dict.fromkeys(("GSW", "MGW", "BNC"), (build(1, "A3 B3"),)))
    assert [e.company for e in told(outcome, TrackLaid)] == ["GSW", "MGW", "BNC"]


def test_the_order_of_building_is_that_of_the_balances_after_the_races() -> None:
    """Rule: D7.1: at the start of the building: GSW has won 20."""
    homes = dict.fromkeys(("GSW", "MGW"), "A3")
    row = "A3 B3 C3 D3 E3 F3 G3 H3 I3 J3 K3 L3 M3 N3 O3 P3"
    state = position(BOARD, homes, track={"GSW": row}, balance={"GSW": 10, "MGW": 15}, races=RACES)
    outcome = play(state, {"GSW": (run(1, row), build(1, "A3 A4")), "MGW": build(1, "A3 A4")})
    assert fees(outcome) == [("GSW", "MGW", 1, "connection"), ("GSW", "MGW", 2, "parallel")]


def test_a_city_connected_late_pays_six() -> None:
    """Rule: D7.1, option ``late_bonus`` (postal: true)."""
    homes = {"GSW": "A3", "MGW": "A3"}
    state = position(BOARD, homes, track={"GSW": "D5"}, races=RACES)
    assert change(state, play(state, {"GSW": build(1, "D5 D6")}))["GSW"] == -1 + 6
    without = position(BOARD, homes, track={"GSW": "D5"}, races=RACES, late_bonus=False)
    outcome = play(without, {"GSW": build(1, "D5 D6")})
    assert change(without, outcome)["GSW"] == -1
    assert sum(e.bonus for e in told(outcome, CityConnected)) == 0


def test_the_first_of_a_building_round_takes_a_late_bonus_alone() -> None:
    """Rule: D7.1: one after another, so nothing is shared."""
    homes = {"GSW": "A3", "MGW": "A3"}
    state = position(BOARD, homes, track={"GSW": "D5", "MGW": "C6"}, balance={"MGW": 1}, races=RACES)
    outcome = play(state, {"GSW": build(1, "D5 D6"), "MGW": build(1, "C6 D6")})
    assert change(state, outcome) == {"GSW": -1, "MGW": 5}


def test_track_serves_from_the_next_races_on() -> None:
    """Rule: D7.1: the races of the round are run before the building."""
    board = sketch({"A3": (11,), "D3": (12,)})
    state = position(board, {"GSW": "A3", "MGW": "D3"}, track={"GSW": "A3 B3 C3"}, races=RACES)
    orders = {"GSW": (run(1, "A3 B3 C3 D3"), build(1, "C3 D3"))}
    outcome = play(state, orders)
    assert [each.status for each in outcome.state.races] == ["open"]
    assert [each.status for each in play(outcome.state, orders).state.races] == ["run"]


def test_there_is_no_building_after_the_last_races() -> None:
    """Rule: D7.1."""
    state = racing(round_number=12)
    assert allowance(state) == 0
    assert laid(play(state, {"GSW": build(1, "A3 B3")}), "GSW") == []


def test_building_after_the_races_may_be_switched_off() -> None:
    """Rule: D7.1, option ``race_building``."""
    state = racing(race_building="none")
    assert laid(play(state, {"GSW": build(1, "A3 B3")}), "GSW") == []


# --- the end: D9 ---


@pytest.mark.parametrize(
    ("balance", "winners"),
    [({"GSW": 30, "MGW": 31}, ("MGW",)), ({"GSW": 31, "BNC": 31}, ("GSW", "BNC")), ({}, ("GSW", "MGW", "BNC"))],
)
def test_the_highest_balance_wins_and_equal_ones_share_the_win(
    balance: dict[str, int], winners: tuple[str, ...]
) -> None:
    """Rule: D9."""
    outcome = play(racing(balance, round_number=12), {})
    assert [e.winners for e in told(outcome, GameEnded)] == [winners]
    assert (outcome.state.phase, outcome.state.winners) == (OVER, winners)
    assert outcome.state.offered() == ()


def test_the_balance_after_each_round_is_kept() -> None:
    state = racing()
    outcome = play(state, {"GSW": build(1, "A3 B3")})
    assert outcome.state.totals == {"GSW": (20, 19), "MGW": (20, 20), "BNC": (20, 20)}
    assert [e.round for e in told(outcome, RoundEnded)] == [7]
