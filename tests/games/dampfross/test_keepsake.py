"""The board of a game that is over, as a coloured sheet for a wall."""

from __future__ import annotations

import pytest

from referee.core.picture.drawing import Drawing, Layer, Print, Text
from referee.games.dampfross import GAME
from tests.games.dampfross.recordedgames import recorded_game

GAMES = ("usual 6 d", "kentucky_tennessee schmidt together 6", "russia laurin together 6", "bavaria schmidt together 5")


def sheet(game: str, turn: int = -1) -> Drawing:
    return GAME.drawing(recorded_game(game)[2][turn].outcome.state, str, Print(keepsake=True))


@pytest.mark.parametrize("game", GAMES)
def test_a_keepsake_has_the_proportions_of_a3_and_no_lettering_below_6_points(game: str) -> None:
    made = sheet(game)
    short, long = sorted((made.width, made.height))
    assert abs(long / short - 420 / 297) < 0.001
    points = 420 / 25.4 * 72 / long
    assert min(shape.size for shape in made.shapes if isinstance(shape, Text)) * points >= 6
    for shape in made.shapes:
        if isinstance(shape, Text):
            assert made.left < shape.at[0] < made.left + made.width
            assert made.top < shape.at[1] < made.top + made.height


def test_a_keepsake_shows_ranges_of_mountains_the_final_table_who_won_and_a_scale() -> None:
    made, state = sheet(GAMES[0]), recorded_game(GAMES[0])[2][-1].outcome.state
    words = [shape.text for shape in made.shapes if isinstance(shape, Text)]
    assert made.title == "Ireland after round 12: won by MGW"
    assert {made.title, "5 hexes", "IRELAND", *(str(amount) for amount in state.balance.values())} <= {*words}
    ground = next(part for part in made.parts if isinstance(part, Layer))
    peaks = [shape for shape in ground.shapes if len(getattr(shape, "points", ())) == 4]
    assert len(peaks) > 5 * sum(kind == "^" for kind in state.table.board.ground.values())


def test_before_the_end_nobody_has_won() -> None:
    assert sheet(GAMES[0], 5).title == "Ireland after round 6"
