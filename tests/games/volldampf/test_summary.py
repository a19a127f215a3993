"""Statistics of a game that is over: they add up, and tell what its events tell."""

from __future__ import annotations

import pytest

from referee.games.volldampf import GAME
from referee.games.volldampf.events import CubeDelivered, Event
from referee.games.volldampf.report.summary import summary
from referee.games.volldampf.state import State
from tests.games.volldampf.test_newsletter import written
from tests.games.volldampf.told import turns
from tests.games.volldampf.wholegame import play_game, setup_of


@pytest.fixture(scope="module")
def whole() -> tuple[State, tuple[Event, ...]]:
    """The end of a game of three built-in players, with the events of all its turns."""
    opening, played = play_game(setup_of(3), "figures")
    outcomes = [opening, *(turn.outcome for turn in played)]
    return outcomes[-1].state, tuple(event for outcome in outcomes for event in outcome.events)


def test_money_adds_up_from_the_start_to_the_cash_at_the_end(whole: tuple[State, tuple[Event, ...]]) -> None:
    state, events = whole
    for one in summary(state, events)["money"]:
        assert one["start"] == state.board.start_money
        flows = sum(one[flow] for flow in ("start", "bonds", "income", "auction", "building", "interest"))
        assert flows == one["cash"] == state.cash[one["code"]]
        assert one["bonds"] == one["points"] * state.board.bond_money > 0
        assert one["building"] < 0 <= one["income"]


def test_spaces_add_up_to_what_every_delivery_brought(whole: tuple[State, tuple[Event, ...]]) -> None:
    state, events = whole
    told = summary(state, events)
    made = [event for event in events if isinstance(event, CubeDelivered)]
    spaces = sum(len(event.route) - 1 for event in made)
    assert (
        sum(one["deliveries"] for one in told["trips"]) == sum(one["cubes"] for one in told["cities"]) == len(made) > 0
    )
    assert (
        sum(one["own"] + one["others"] for one in told["trips"]) == sum(one["links"] for one in told["trips"]) == spaces
    )
    assert sum(one["spaces"] for one in told["cities"]) == spaces
    for code in state.codes:
        moved = sum(told["moved"][other].get(code, 0) for other in state.codes)
        assert moved >= state.income[code], "only interest that is not paid takes a locomotive back"
    assert sum(one["deliveries"] + one["declined"] for one in told["trips"]) >= 2 * 5 * 3
    assert sum(one["built"] + one["discarded"] for one in told["trips"]) == 45


def test_a_card_that_was_taken_back_was_not_played() -> None:
    """CAT's Schnelle Lok was played twice and taken back once."""
    state, events = turns()["trips"]
    played = {one["card"]: one["players"] for one in summary(state, events)["cards"]}
    assert played == {"Schnelle Lok": {"CAT": 1}, "Sabotage": {"BOB": 1}, "Zusatzfracht": {"CAT": 1}}


def test_the_last_newsletter_tells_the_figures_and_no_other_does() -> None:
    told = written(turns()["trips"], "ANN")
    assert "The game in figures" in told
    assert "Action cards played:" in told
    assert "The game in figures" not in written(turns()["builds"], "ANN")
    assert GAME.summary is summary
