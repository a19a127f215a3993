"""Whole games on every map with one company after the other: a file of its own, so that both cores have one to play."""

from __future__ import annotations

import pytest

from referee.core.game import ONE_BY_ONE
from tests.games.dampfross.everymap import CHOICE, check_game


@pytest.mark.long
@pytest.mark.parametrize(("board", "preset", "pace", "players"), [row for row in CHOICE if row[2] == ONE_BY_ONE])
def test_a_whole_game_is_played_to_its_end(board: str, preset: str, pace: str, players: int) -> None:
    check_game(board, preset, pace, players)
