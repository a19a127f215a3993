"""Drawing action cards: pile, renewed pile, other players' hands. Rule: V4.2, DIFF 40-42, R16."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.dice import NotedDice, SeededDice
from referee.games.volldampf.board.board import ACTION_CARDS, LOK, PLANNING
from referee.games.volldampf.changes import CHANGES, Record
from referee.games.volldampf.events import DECLINED, ActionDrawn
from referee.games.volldampf.goods import draw, draw_action
from referee.games.volldampf.state import LAST, State, Steal
from tests.games.volldampf.tables import dice, letters, of_kind, opened

NONE = dict.fromkeys(ACTION_CARDS, 0)


def _hoarded(hands: Mapping[str, tuple[str, ...]], **options: Any) -> State:
    """Return a position without pile and discards."""
    state = opened(4, **options)
    actions = {code: hands.get(code, ()) for code in state.codes}
    return replace(state, action_pile=NONE, action_discards=NONE, actions=actions, order=("DOT", "CID", "BOB", "ANN"))


def test_a_throw_counts_through_all_cards_left_in_card_order() -> None:
    assert draw({"b": 2, "a": 1}, ("a", "b"), dice({"x": 1}), "x") == "a"
    assert draw({"b": 2, "a": 1}, ("a", "b"), dice({"x": 3}), "x") == "b"


def test_an_empty_pile_gives_nothing() -> None:
    with pytest.raises(ValueError, match="nothing left"):
        draw({"a": 0}, ("a",), dice(), "x")


def test_the_cards_a_player_draws_in_a_round_are_numbered() -> None:
    record = Record(opened(4), CHANGES)
    noted = NotedDice(SeededDice("two"))
    for why in (DECLINED, DECLINED, LAST):
        draw_action(record, "ANN", why, letters(record.state), noted)
    assert list(noted.thrown) == [("action/1/ANN/1", 14), ("action/1/ANN/2", 13), ("action/1/ANN/3", 12)]
    assert record.state.drawn == {"ANN": 3}
    assert [event.paragraph for event in of_kind(record, ActionDrawn)] == ["V3.6.5", "V3.6.5", "V3.7.3"]
    assert len(record.state.actions["ANN"]) == 3


def test_a_card_that_is_waived_has_a_number_too() -> None:
    state = _hoarded({"BOB": (LOK,), "DOT": (PLANNING,)})
    letter = letters(state, ANN=(Steal(players=(), which="1"), Steal(players=("DOT",), which="2")))
    record = Record(state, CHANGES)
    for _ in range(2):
        draw_action(record, "ANN", DECLINED, letter, dice())
    assert [event.source for event in of_kind(record, ActionDrawn)] == ["DOT"]
