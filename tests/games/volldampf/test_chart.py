"""The chart of income: when the game is over, a line for each player that ends at what he has."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.picture.drawing import Text
from referee.games.volldampf import GAME
from tests.pages import volldampf_page, volldampf_turns


def test_the_chart_comes_with_the_end_and_names_everybody_with_his_income() -> None:
    *earlier, last = [turn.outcome.state for turn in volldampf_turns()]
    assert [GAME.chart(state, str) for state in earlier] == [None] * len(earlier)
    chart = GAME.chart(last, str)
    assert chart is not None
    told = [shape.text for shape in chart.shapes if isinstance(shape, Text)]
    assert {f"{code} {amount}" for code, amount in last.income.items()} <= {*told}
    assert volldampf_page(len(earlier) + 1).count("cid:c@d") == 1
    assert volldampf_page(len(earlier)).count("cid:c@d") == 0


def test_a_game_in_which_nobody_earned_anything_has_a_chart_and_one_that_was_brought_at_its_end_has_none() -> None:
    last = volldampf_turns()[-1].outcome.state
    nothing = dict.fromkeys(last.codes, (0, 0))
    assert GAME.chart(replace(last, rounds=nothing), str) is not None
    assert GAME.chart(replace(last, rounds={}), str) is None
