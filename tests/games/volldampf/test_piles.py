"""Drawing action cards: pile, renewed pile, other players' hands. Rule: V4.2, DIFF 40-42, R16."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.dice import NotedDice, SeededDice
from referee.games.volldampf.board.board import ACTION_CARDS, BARGAIN, LOK, PLANNING, SABOTAGE
from referee.games.volldampf.changes import CHANGES, Record
from referee.games.volldampf.events import DECLINED, LATE, ActionDrawn, NoCardLeft, PilesRenewed
from referee.games.volldampf.goods import draw, draw_action
from referee.games.volldampf.state import LAST, State, Steal
from tests.games.volldampf.tables import dice, letters, of_kind, opened

NONE = dict.fromkeys(ACTION_CARDS, 0)


def _hoarded(hands: Mapping[str, tuple[str, ...]], **options: Any) -> State:
    """Return a position without pile and discards."""
    state = opened(4, **options)
    actions = {code: hands.get(code, ()) for code in state.table.codes}
    return replace(state, action_pile=NONE, action_discards=NONE, actions=actions, order=("DOT", "CID", "BOB", "ANN"))


def _drawn(state: State, steal: Steal | None = None, throws: Mapping[str, int] | None = None) -> Record:
    record = Record(state, CHANGES)
    letter = letters(state, ANN=steal) if steal else letters(state)
    draw_action(record, "ANN", DECLINED, letter, dice(throws))
    return record


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


def test_an_empty_pile_is_renewed_from_the_discards_when_a_card_must_be_drawn() -> None:
    """DIFF 41."""
    state = replace(opened(4), action_pile=NONE, action_discards={**NONE, LOK: 1, SABOTAGE: 1})
    record = _drawn(state, throws={"action/1/ANN/1": 2})
    assert [type(event) for event in record.events] == [PilesRenewed, ActionDrawn]
    assert record.state.actions["ANN"] == (SABOTAGE,)
    assert record.state.action_pile == {**NONE, LOK: 1}
    assert record.state.action_discards == NONE


def test_without_an_instruction_the_one_with_most_cards_is_robbed_ties_in_turn_order() -> None:
    """DIFF 42, R16: from sequence card 1 on."""
    state = _hoarded({"BOB": (LOK, LOK), "CID": (BARGAIN, SABOTAGE), "DOT": (PLANNING,)})
    record = _drawn(state, throws={"steal/1/ANN/1": 2})
    event = of_kind(record, ActionDrawn)[0]
    assert (event.source, event.card) == ("CID", SABOTAGE)
    assert record.state.actions["CID"] == (BARGAIN,)
    assert record.state.actions["ANN"] == (SABOTAGE,)


@pytest.mark.parametrize(("named", "robbed"), [(("CID", "ANN", "DOT"), "DOT"), (("CID",), "BOB")])
def test_the_first_player_named_who_holds_a_card_is_robbed_as_if_nobody_else_were_named(
    named: tuple[str, ...], robbed: str
) -> None:
    state = _hoarded({"BOB": (LOK, LOK), "DOT": (PLANNING,)})
    assert of_kind(_drawn(state, Steal(players=named)), ActionDrawn)[0].source == robbed


@pytest.mark.parametrize(("drawn", "why", "robbed"), [(0, DECLINED, "DOT"), (1, DECLINED, "BOB"), (1, LAST, "CID")])
def test_each_card_from_a_hand_is_a_choice_of_its_own(drawn: int, why: str, robbed: str) -> None:
    state = replace(_hoarded({"BOB": (LOK,), "CID": (LOK,), "DOT": (LOK,)}), drawn={"ANN": drawn})
    steals = (Steal(players=("CID",), which=LAST), Steal(players=("BOB",), which="2"), Steal(players=("DOT",)))
    record = Record(state, CHANGES)
    draw_action(record, "ANN", why, letters(state, ANN=steals), dice())
    assert of_kind(record, ActionDrawn)[0].source == robbed


def test_a_card_that_is_waived_has_a_number_too() -> None:
    state = _hoarded({"BOB": (LOK,), "DOT": (PLANNING,)})
    letter = letters(state, ANN=(Steal(players=(), which="1"), Steal(players=("DOT",), which="2")))
    record = Record(state, CHANGES)
    for _ in range(2):
        draw_action(record, "ANN", DECLINED, letter, dice())
    assert [event.source for event in of_kind(record, ActionDrawn)] == ["DOT"]


def test_stealing_may_be_waived() -> None:
    record = _drawn(_hoarded({"BOB": (LOK,)}), Steal(players=()))
    assert of_kind(record, NoCardLeft)[0].waived
    assert record.state.actions["BOB"] == (LOK,)


def test_if_nobody_else_has_a_card_there_is_nothing_to_draw() -> None:
    record = _drawn(_hoarded({"ANN": (LOK,)}))
    assert [(type(event), event.waived) for event in of_kind(record, NoCardLeft)] == [(NoCardLeft, False)]


def test_the_victim_may_be_thrown_for() -> None:
    """DIFF 42, random: among the others who hold cards, in turn order; a wish does not count."""
    state = _hoarded({"BOB": (LOK, LOK), "DOT": (PLANNING,)}, steal_from="random")
    record = _drawn(state, Steal(players=("BOB",)), throws={"victim/1/ANN/1": 1})
    assert of_kind(record, ActionDrawn)[0].source == "DOT"


def test_a_card_drawn_late_settles_one_declined_trip() -> None:
    record = Record(replace(opened(4), declined=("ANN", "BOB", "ANN")), CHANGES)
    draw_action(record, "ANN", LATE, letters(record.state), dice())
    assert record.state.declined == ("BOB", "ANN")
