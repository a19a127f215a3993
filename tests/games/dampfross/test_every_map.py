"""Whole games on every map; what is chosen holds every pair of values."""

from itertools import product

import pytest

from referee.core.game import ONE_BY_ONE, TOGETHER
from referee.games.dampfross import GAME
from tests.games.dampfross.everymap import check_game
from tests.games.dampfross.recordedgames import CHOICE

# Each map, each preset, both paces and each number of players; the other pairs of them are long tests.
QUICK = [
    ("bavaria", "postal", TOGETHER, 2),
    ("ireland", "schmidt", ONE_BY_ONE, 3),
    ("kentucky_tennessee", "laurin", ONE_BY_ONE, 4),
    ("russia", "laurin", TOGETHER, 6),
    ("switzerland", "postal", TOGETHER, 3),
    ("france", "schmidt", TOGETHER, 5),
]


@pytest.mark.parametrize(
    ("board", "preset", "pace", "players"),
    [row if row in QUICK else pytest.param(*row, marks=pytest.mark.testlong) for row in CHOICE],
)
def test_a_whole_game_is_played_to_its_end(board: str, preset: str, pace: str, players: int) -> None:
    check_game(board, preset, pace, players)


def test_the_choice_holds_every_pair_of_values() -> None:
    """A pairwise choice, but for the pairs that leave out what another test plays (all players' numbers on all maps)."""
    assert set(QUICK) <= set(CHOICE)
    for place in range(4):
        assert {row[place] for row in QUICK} == {row[place] for row in CHOICE}
    boards, presets, paces, players = (sorted({row[place] for row in CHOICE}) for place in range(4))
    assert boards == sorted(GAME.boards())
    assert presets == sorted(GAME.presets)
    assert players == [2, 3, 4, 5, 6]
    for board, preset in product(("bavaria", "ireland", "kentucky_tennessee", "russia"), presets):
        assert any(row[:2] == (board, preset) for row in CHOICE)
    for preset, pace in product(presets, paces):
        assert any((row[1], row[2]) == (preset, pace) for row in CHOICE)
