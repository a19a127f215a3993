"""The races of a postal game on Ireland. Rule: D5.6, postal practice 1.5, R13."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from msgspec.structs import replace

from referee.core.dice import SeededDice
from referee.core.errors import OptionError
from referee.core.hexes import distance
from referee.games.dampfross import GAME
from referee.games.dampfross.board.mapfile import read_map
from referee.games.dampfross.board.railmap import RailMap, ends_of
from referee.games.dampfross.draws import crow_flies, draw_races
from referee.games.dampfross.state import Race
from tests.games.dampfross.sketch import ireland

KEYS = [10 * tens + ones for tens in range(1, 7) for ones in range(1, 7)]
SEEDS = [f"seed {number}" for number in range(30)]


def drawn(seed: str) -> tuple[Race, ...]:
    """Return the schedule of a seed."""
    return draw_races(ireland(), SeededDice(seed), 7, 3)


@cache
def kentucky() -> RailMap:
    """Return the shipped map with six specials."""
    return read_map(GAME.board_text("kentucky_tennessee"), "kentucky_tennessee.toml")


def keys_of(races: tuple[Race, ...]) -> list[int]:
    """Return starts and destinations in rising order."""
    return sorted(key for race in races for key in (race.start, race.end))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_schedule_of_a_postal_game(seed: str) -> None:
    """36 races, 6 a round in rounds 7 to 12, numbered through; sectors spread evenly; no race too short, none twice."""
    races = drawn(seed)
    assert [race.number for race in races] == list(range(1, 37))
    assert [race.round for race in races] == [round_number for round_number in range(7, 13) for _ in range(6)]
    assert all(race.status == "open" for race in races)
    for half in (races[:18], races[18:]):
        assert keys_of(half) == KEYS
    for first in range(0, 36, 6):
        of_round = races[first : first + 6]
        sectors = Counter(key // 10 for key in keys_of(of_round))
        assert sectors == dict.fromkeys(range(1, 7), 2)
        pairs = [frozenset((race.start // 10, race.end // 10)) for race in of_round]
        assert len(set(pairs)) == 6
        assert all(len(pair) == 2 for pair in pairs)
    assert len({frozenset((race.start, race.end)) for race in races}) == 36
    assert all(crow_flies(ireland(), race.start, race.end) >= 3 for race in races)


def test_every_sector_races_every_other() -> None:
    """Postal practice 1.1: in each half all fifteen pairs meet."""
    for half in (drawn("x")[:18], drawn("x")[18:]):
        assert len({frozenset((race.start // 10, race.end // 10)) for race in half}) == 15


def test_the_same_seed_draws_the_same_races_and_another_seed_others() -> None:
    assert drawn("x") == drawn("x")
    assert drawn("x") != drawn("y")


def test_a_race_with_key_eleven_is_measured_from_the_nearest_of_its_three_harbours() -> None:
    """Rule: D5.4, D5.5."""
    board = ireland()
    assert len(ends_of(board, 11)) == 3
    (belfast,) = ends_of(board, 21)
    assert crow_flies(board, 11, 21) == min(distance(harbour, belfast) for harbour in ends_of(board, 11))


@pytest.mark.parametrize(
    ("specials", "times"),
    [(1, (12,)), (2, (6, 6)), (3, (4, 4, 4)), (4, (3, 3, 3, 3)), (5, (3, 3, 2, 2, 2)), (6, (2, 2, 2, 2, 2, 2))],
)
def test_fewer_specials_take_turns(specials: int, times: tuple[int, ...]) -> None:
    """Rule: R30: twelve races of 42 go to a special, two in each round, whatever their number; each key comes up twice."""
    board = replace(kentucky(), specials=kentucky().specials[:specials])
    races = draw_races(board, SeededDice("seed"), 7, 3)
    ends = [sorted((race.start, race.end)) for race in races]
    assert [sum(low < 10 for low, _ in ends[first : first + 7]) for first in range(0, 42, 7)] == [2] * 6
    assert Counter(low for low, _ in ends if low < 10) == dict(enumerate(times, start=1))
    assert Counter(key for pair in ends for key in pair if key > 10) == dict.fromkeys(KEYS, 2)


def test_a_sketch_without_some_keys_has_no_races_by_sectors() -> None:
    few = {key: hexes for key, hexes in ireland().ends_of.items() if key not in (34, 56)}
    with pytest.raises(OptionError, match=r"all 36 keys; in 'Ireland' 2 are missing, the first of them 34"):
        draw_races(replace(ireland(), ends_of=few), SeededDice("seed"), 7, 3)
