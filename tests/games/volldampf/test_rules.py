"""Where rules turn: scenarios on one board, in ``rules.toml``; what a standing order waits for; how piles are thrown for."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from referee.core import Fields, NotedDice, SeededDice, Texts
from referee.games.volldampf import GAME
from referee.games.volldampf.board import ACTION_CARDS, LOK, PLANNING
from referee.games.volldampf.events import ActionDrawn, CubeDelivered, CubeDrawn, GameStarted, GroupsDealt
from referee.games.volldampf.goods import do_deal, draw_action
from referee.games.volldampf.position import start
from referee.games.volldampf.state import Item, State, Steal
from referee.games.volldampf.transport import fits, may_plan
from referee.scenario import run_scenario, verdict_lines
from referee.scenario.file import scenarios_in
from tests.games.volldampf.tables import COLOURS, dice, laid, of_kind, opened, play
from tests.tables import Tables

CASES = Tables(__file__)


TABLE: Fields = tomllib.loads(Path(__file__).with_name("rules.toml").read_text("utf-8"))


@pytest.mark.parametrize("row", TABLE["scenario"], ids=lambda row: row["title"])
def test_a_rule_turns_where_its_scenario_says(row: Fields) -> None:
    for scenario in scenarios_in({**TABLE["base"], **row}, row["title"]):
        result = run_scenario(scenario)
        assert not result.differences, "\n".join(verdict_lines(result))


@CASES.rows
def test_an_order_waits_for_whom_when_and_what_it_names(order: Fields, waits: bool) -> None:
    """Rule: V9: against ANN's second trip with a blue cube by Celle, Emden, Bonn."""
    made = CubeDelivered("ANN", trip=2, colour="blue", route=("CEL", "EMD", "BON"), steps={})
    assert fits(GAME.codec.decode(json.dumps(order)), made) is waits


@CASES.rows
def test_the_phases_in_which_neue_planung_is_played_are_an_option(option: str, first: int) -> None:
    """Rule: DIFF 62."""
    phases = {"bonds": 3, "bid": 4, "choose": 4, "build": 5, "move": 6, "subsidy": 6}
    state = opened(2, neue_planung_phases=option)
    assert {what: may_plan(state, what) for what in phases} == {what: phases[what] >= first for what in phases}


# Drawing action cards: pile, renewed pile, other players' hands. Rule: V4.2, DIFF 40-42, R16.

NONE = dict.fromkeys(ACTION_CARDS, 0)


def _hoarded(hands: Mapping[str, Texts], **options: Any) -> State:
    """Return a position without pile and discards."""
    state = opened(4, **options)
    actions = {code: hands.get(code, ()) for code in state.codes}
    return state.but(action_pile=NONE, action_discards=NONE, actions=actions, order=("DOT", "CID", "BOB", "ANN"))


def test_a_throw_counts_through_all_cards_left_in_card_order() -> None:
    turn = play(opened(2), dice({"x": 1, "y": 3}))
    assert [turn.draw({"b": 2, "a": 1}, ("a", "b"), name) for name in "xy"] == ["a", "b"]


def test_an_empty_pile_gives_nothing() -> None:
    with pytest.raises(ValueError, match="nothing left"):
        play(opened(2)).draw({"a": 0}, ("a",), "x")


def test_the_cards_a_player_draws_in_a_round_are_numbered() -> None:
    noted = NotedDice(SeededDice("two"))
    record = play(opened(4), noted)
    for why in ("declined", "declined", "last"):
        draw_action(record, "ANN", why)
    assert list(noted.thrown) == [("action/1/ANN/1", 14), ("action/1/ANN/2", 13), ("action/1/ANN/3", 12)]
    assert record.state.drawn == {"ANN": 3}
    assert [event.paragraph for event in of_kind(record, ActionDrawn)] == ["V3.6.5", "V3.6.5", "V3.7.3"]
    assert len(record.state.actions["ANN"]) == 3


def test_a_card_that_is_waived_has_a_number_too() -> None:
    state = _hoarded({"BOB": (LOK,), "DOT": (PLANNING,)})
    record = play(state, ANN=(Steal(players=(), which="1"), Steal(players=("DOT",), which="2")))
    for _ in range(2):
        draw_action(record, "ANN", "declined")
    assert [event.source for event in of_kind(record, ActionDrawn)] == ["DOT"]


# Setup, merchandise and track cards. Rule: V2, V3.1, V3.2.


def test_removed_cards_are_drawn_from_what_the_colours_leave() -> None:
    """V2.4 with 5 players: one of each colour is out, so 42 cards lie there, then 41."""
    noted = NotedDice(dice({"removed/1": 1, "removed/2": 41}))
    outcome = start(laid(5), noted)
    assert of_kind(outcome, GameStarted)[0].removed == ("purple", "grey")
    assert ("removed/1", 42) in noted.thrown
    assert ("removed/2", 41) in noted.thrown


def test_cubes_are_laid_out_in_cube_order_for_the_throw() -> None:
    """The eleventh of 40 cubes is the first violet one."""
    outcome = start(laid(4), dice({"cube/0/C01": 11}))
    assert of_kind(outcome, CubeDrawn)[0].colour == "violet"


def test_a_second_cube_of_a_city_in_one_round_has_a_throw_of_its_own() -> None:
    noted = NotedDice(SeededDice("twice"))
    outcome = start(laid(2), noted)
    cities = [event.city for event in of_kind(outcome, CubeDrawn) if event.round == 0]
    twice = next(city for city in cities if cities.count(city) > 1)
    assert {name for name, _ in noted.thrown} >= {f"cube/0/{twice}", f"cube/0/{twice}/2"}


def test_groups_are_dealt_card_by_card_and_lie_in_colour_order() -> None:
    """V3.2.1: the last card of 48 is grey, the first purple; nothing is taken twice."""
    throws = {"track/1/1/1": 48, "track/1/1/2": 1, "track/1/1/3": 9}
    groups = opened(4, throws=throws).groups
    assert groups[0] == ("purple", "green", "grey")
    assert [len(group) for group in groups] == [3, 3, 3, 3]


def test_a_pile_of_one_kind_needs_no_throw() -> None:
    state = opened(2).but(track_pile={**dict.fromkeys(COLOURS, 0), "pink": 6}, groups=())
    noted = NotedDice(SeededDice("one"))
    record = play(state, noted)
    do_deal(record, Item(what="deal"))
    assert record.state.groups == (("pink",) * 3,) * 2
    assert noted.thrown == {}
    assert of_kind(record, GroupsDealt)[0].round == 1
