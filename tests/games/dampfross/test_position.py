"""Positions of Dampfross that people type in: what a table says is placed, and each fault is told with its key."""

import json
from typing import Any

import pytest

from referee.core import MapError, PositionError
from referee.core.game import Player, Setup
from referee.games.dampfross import GAME
from referee.games.dampfross.board.mapfile import board_of
from referee.games.dampfross.state import State
from tests.tables import Tables

CASES = Tables(__file__)


CELLS = """
     A  B  C  D  E  F
1:  11  .  .  .  .  12
2:   .  .  ~  .  .  .
3:   .  .  .  .  .  13
"""
SKETCH: dict[str, Any] = {"cells": CELLS, "names": {"11": "Ardee", "12": "Boyle", "13": "Cavan"}}


def setup(position: dict[str, Any] | None = None, **options: str | int | bool) -> Setup:
    """Return what is agreed for three companies on the sketch."""
    return Setup(
        game="dampfross",
        board_name="sketch",
        board=json.dumps(SKETCH),
        preset="postal",
        options=tuple(options.items()),
        players=tuple(
            Player(code=code, colour=colour, name=code)
            for code, colour in (("GSW", "red"), ("MGW", "blue"), ("BNC", "green"))
        ),
        position=json.dumps(position) if position else "",
    )


def placed(**told: Any) -> State:
    """Return the position of a table, in a game that has not begun."""
    state: State = GAME.place(GAME.lay_out(setup()), told)
    return state


def faults(**told: Any) -> tuple[str, ...]:
    """Return what is wrong with a table."""
    with pytest.raises(PositionError) as fault:
        placed(**told)
    return fault.value.faults


def test_what_a_table_does_not_say_is_as_at_the_opening() -> None:
    state = placed(homes={"GSW": "Ardee"})
    assert state.balance == {"GSW": 20, "MGW": 20, "BNC": 20}
    assert (state.round, state.phase, state.track) == (1, "build", {})
    assert state.connected == {"A1"}


def test_lines_may_be_written_in_any_way_that_orders_know() -> None:
    homes = {"GSW": "Ardee"}
    wanted = GAME.facts(placed(homes=homes, track={"GSW": ["Ardee - B1 - C1 - D1"]}))["track"]
    for lines in (["11 - B1", "(B1) - C1 - D1"], "A1-B1-C1-D1", ["ardee – b1 – d1"], ["(C1) - D1 ; (Ardee) - B1 - C1"]):
        assert GAME.facts(placed(homes=homes, track={"GSW": lines}))["track"] == wanted


def test_telling_one_companys_track_leaves_the_others() -> None:
    state = placed(homes={"GSW": "Ardee", "MGW": "Ardee"}, track={"GSW": ["Ardee - B1"], "MGW": ["Ardee - B1"]})
    after = GAME.place(state, {"track": {"GSW": ["Ardee - A2"]}})
    assert GAME.facts(after)["track"] == {"GSW": ["Ardee - A2"], "MGW": ["Ardee - B1"], "BNC": []}


def test_races_run_are_struck_from_the_list() -> None:
    races = [{"start": 11, "end": 12}, {"start": 12, "end": 13}, {"start": 13, "end": 11}]
    state = placed(round=7, races=races, races_run=[2])
    assert [(race.number, race.round, race.status) for race in state.races] == [
        (1, 7, "open"),
        (2, 7, "run"),
        (3, 7, "open"),
    ]
    assert state.phase == "race"


@CASES.rows  # fmt: skip
def test_a_fault_names_its_key(told: dict[str, Any], sentence: str) -> None:
    assert any(fault.startswith(sentence) for fault in faults(**told)), faults(**told)


def test_where_each_company_has_rolls_of_its_own_each_must_be_given_them() -> None:
    state = GAME.lay_out(setup(roll_per="company"))
    with pytest.raises(PositionError) as fault:
        GAME.place(state, {"round": 2, "rolls": {"GSW": [4, 1, 1], "BNC": [3]}})
    assert fault.value.faults == (
        "rolls.MGW: 0 given; the 3 of round 2 expected",
        "rolls.BNC: 1 given; the 3 of round 2 expected",
    )


def test_all_faults_are_told_at_once() -> None:
    assert len(faults(rond=1, balances={"XYZ": 1, "GSW": "x"}, homes={"GSW": "B1"}, rolls=[7])) == 5


@CASES.rows  # fmt: skip
def test_a_sketch_with_a_fault_names_it(told: dict[str, Any], sentence: str) -> None:
    with pytest.raises(MapError) as fault:
        board_of(json.dumps(told), "sketch")
    assert any(text.startswith(sentence) for _, text in fault.value.faults), fault.value.faults


def test_a_sketch_has_all_that_a_map_has() -> None:
    told = {
        "cells": "11 . ~ 12/13\n. ^ F. F^",
        "names": {"11": "Ardee", "D1": "Boyle"},
        "bonus": {"D1": 3},
        "ferry": [{"name": "Packet", "ends": "B1-D1", "points": 3, "toll": 2}],
        "bridge": [{"name": "Britannia", "edges": "A1-B1", "points": 2, "single": True}],
        "junction": [{"name": "Hof", "hex": "C2"}],
        "special": [{"number": 2, "title": "Hof", "hexes": "D2", "towns": ["Hof"]}],
        "home_terminals": {"3": ["Ardee"], "4": {"Ardee": 2, "Boyle": 2}},
        "transports": {"total": 18, "special": [4]},
    }
    board = board_of(json.dumps(told), "sketch")
    assert (board.columns, board.rows) == (4, 2)
    assert board.ends_of == {11: ("A1",), 12: ("D1",), 13: ("D1",)}
    assert [(station.name, station.bonus, station.minor) for station in board.stations] == [
        ("Ardee", 6, False),
        ("Boyle", 3, True),
    ]
    assert board.ferries[("B1", "D1")].price == 3
    assert board.bridges[("A1", "B1")].single
    assert board.homes == {"3": ("A1",), "4": ("A1", "D1")}
    assert board.start_quota == {"4": {"A1": 2, "D1": 2}}
    assert [special.hexes for special in board.specials] == [("D2", "C2")]
    assert board.is_foreign("C2")
    assert not board.is_foreign("A1")
