"""Whole games by mail on every map, in every preset and both paces: a pairwise choice, some of them short games."""

import sqlite3
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.core.game import ONE_BY_ONE, TOGETHER, Option
from referee.service.demo.show import play_demo
from referee.service.turns.proposals import Invited, Proposal

CODES = ("GSW", "MGW", "BNC", "DSE", "GNR", "CDR")
COLOURS = ("red", "blue", "green", "black", "orange", "purple")
IN_TURN = {"order_of_building": "in-turn"}

# (map, preset, pace, players, options on top)
GAMES: list[tuple[str, str, str, int, dict[str, Option]]] = [
    ("ireland", "laurin", ONE_BY_ONE, 2, {"races": 4, "building_ends": "cities-left:27"}),
    ("ireland", "schmidt", TOGETHER, 6, {"game_ends": "target:60", "building_ends": "cities-left:20"}),
    ("bavaria", "postal", TOGETHER, 2, {"building_ends": "rounds:4"}),
    ("bavaria", "schmidt", ONE_BY_ONE, 4, {"game_ends": "target:40", "building_ends": "cities-left:27"}),
    ("russia", "postal", ONE_BY_ONE, 3, {**IN_TURN, "building_ends": "rounds:2", "races": 6}),
    ("russia", "laurin", TOGETHER, 5, {"races": 6, "building_ends": "cities-left:18", "jumps": 2}),
    ("kentucky_tennessee", "laurin", TOGETHER, 4, {"races": 6, "prizes": "shared"}),
]


@pytest.mark.parametrize(
    ("board", "preset", "pace", "players", "options"),
    [*GAMES[:2], *(pytest.param(*row, marks=pytest.mark.testlong) for row in GAMES[2:])],
)
def test_a_whole_game_is_played_by_mail(
    board: str, preset: str, pace: str, players: int, options: dict[str, Option], tmp_path: Path
) -> None:
    """Every letter is taken, the final newsletter names the winners, and the tables add up."""
    pairs = players == 2 and preset != "laurin"
    seats = tuple(_seat(place, pairs) for place in range(players))
    proposal = Proposal(
        kind="dampfross", board=board, preset=preset, pace=pace, options=tuple(options.items()), players=seats
    )
    played = play_demo(
        tmp_path / "club", "dampfross", lambda rounds, of: None, f"{board} {preset}", proposal, slips=False
    )
    assert "The game is over." in played.final
    assert not any("DOES NOT ADD UP" in path.read_text("utf-8") for path in played.newsletters.glob("*.txt"))
    with sqlite3.connect(played.folder / "referee.db") as db:
        status = dict(db.execute("select status, count(*) from letters group by status"))
        faulty = db.execute("select count(*) from order_sets where clean = 0").fetchone()[0]
    db.close()
    assert status == {"done": played.letters}
    assert faulty == 0


def _seat(place: int, pairs: bool) -> Invited:
    seat = Invited(
        code=CODES[place],
        colour=COLOURS[place],
        name=CODES[place].title(),
        address=f"{CODES[place]}@example.org".lower(),
    )
    return replace(seat, second_code=CODES[place + 2], second_colour=COLOURS[place + 2]) if pairs else seat


def test_the_choice_holds_every_map_with_every_preset_or_pace() -> None:
    assert {(row[0], row[2]) for row in GAMES} >= {(board, TOGETHER) for board in {row[0] for row in GAMES}}
    assert {(row[1], row[2]) for row in GAMES} == {
        (preset, pace) for preset in ("postal", "laurin", "schmidt") for pace in (TOGETHER, ONE_BY_ONE)
    }
    assert {row[3] for row in GAMES} == {2, 3, 4, 5, 6}
