"""Positions of Dampfross that people type in: what a table says is placed, and each fault is told with its key."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.core import MapError, PositionError
from referee.core.game import Player, Setup
from referee.games.dampfross import GAME
from referee.games.dampfross.board.mapfile import board_of
from referee.games.dampfross.state import State

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


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"balances": {"GSW": True}}, "balances.GSW: True is read; a whole number"),
        ({"balances": 20}, "balances: 20 is read; a table by companies expected"),
        ({"homes": {"GSW": "B1"}}, "homes.GSW: 'B1' is no city"),
        ({"homes": {"GSW": 99}}, "homes.GSW: there is no place 99 on this map"),
        ({"track": {"GSW": ["Ardee - B1"]}}, "track.GSW: GSW has track but no home (homes.GSW)"),
        ({"homes": {"GSW": "Ardee"}, "track": {"GSW": ["C1 - D1"]}}, "track.GSW: C1 is not joined to the home Ardee"),
        ({"homes": {"GSW": "Ardee"}, "track": {"GSW": ["Ardee - B1", "B1 - Ardee"]}}, "track.GSW: hex-side A1-B1 is there twice"),
        ({"homes": {"GSW": "Ardee"}, "track": {"GSW": ["Ardee"]}}, "track.GSW: 'Ardee' has one place"),
        ({"homes": {"GSW": "Ardee"}, "track": {"GSW": ["Ardee - B2"]}}, "track.GSW: Ardee - B2: several ways"),
        ({"homes": {"GSW": "Ardee"}, "track": {"GSW": ["Ardee - B1 - C2"]}}, "track.GSW: hex-side B1-C2 does not join"),
        ({"homes": {"GSW": "Ardee"}, "track": {"GSW": 3}}, "track.GSW: 3 is read; lines in quotes expected"),
        ({"round": 0}, "round: 0 is read; a whole number from 1 to 999 expected"),
        ({"round": 2, "rolls": [1, 2]}, "rolls: 2 given; the 3 of round 2 expected"),
        ({"round": 7, "rolls": [1], "races": [{"start": 11, "end": 12}]}, "rolls: round 7 is a racing round; it has none"),
        ({"round": 7, "races": [{"start": 11, "end": 12, "round": 8}]}, "races: round 7 is a racing round; its races expected"),
        ({"races": [{"start": 17, "end": 12}]}, "races[1].start: 17 is no key of this map and no special"),
        ({"races": [{"start": [11], "end": 12}]}, "races[1].start: [11] is no key of this map and no special"),
        ({"races": [{"begin": 11, "start": 11, "end": 12}]}, "races[1].begin: no such key"),
        ({"races": [{"start": 11, "end": 12, "status": "done"}]}, "races[1].status: 'done' is read; open or run"),
        ({"races": [{"number": 2, "start": 11, "end": 12}, {"start": 12, "end": 13}]}, "races[2]: race 2 is there twice"),
        ({"races": [], "races_run": [3]}, "races_run: there is no race 3 in races"),
        ({"races": 3}, "races: a list of tables expected"),
        ({"phase": "building"}, "phase: 'building' is read; build or race expected"),
        ({"connected": ["Ardee", "Dublin"]}, "connected: there is no place 'Dublin' on this map"),
        ({"connected": "Ardee"}, "connected: 'Ardee' is read; a list of cities expected"),
        ({"jumps": [{"company": "XYZ", "rival": "GSW", "start": "B1", "end": "D1"}]}, "jumps[1].company: 'XYZ' is no company"),
        ({"winner": "GSW"}, "winner: a position has no such key (there is round"),
    ],
)  # fmt: skip
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


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"cells": ""}, "cells has no rows"),
        ({"cells": "11 .\n."}, "Grid row 2 has 1 cells: 2 expected"),
        ({"cells": "11 *"}, 'Cell "*" of hex B1 is not read'),
        ({"cells": "11 77"}, 'Cell "77" of hex B1 is not read'),
        ({"cells": "11 .", "river": [{"name": "Boyne", "edges": "A1-C1"}]}, "Hex-side A1-C1: hex C1 is off the sheet"),
        ({"cells": "11 .", "home_terminals": {"any": ["Ardee"]}}, 'Home terminal "Ardee" is no station'),
        ({"cells": "11 .", "names": {"12": "Boyle"}}, '"12" in names or bonus is no city'),
        ({"cells": "11 .", "names": {"11": 3}}, '"name" in [[station]] 1 is 3'),
        ({"cells": "11 .", "names": 3}, '"names" in the sketch is 3: a table expected'),
        ({"cells": "11 .", "rivers": {}}, 'Unknown field "rivers" in the sketch'),
        ({"cells": ". ."}, '"station" is missing'),
    ],
)  # fmt: skip
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
