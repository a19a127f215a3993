"""Positions told as tables: what is written of any position is read again, in games of both kinds."""

import json
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import pytest

from referee.core import SeededDice
from referee.core.game import Setup
from referee.games import game_named
from tests.games.dampfross import recordedgames as dampfross
from tests.games.volldampf import wholegame as volldampf

RECORDED: Mapping[str, Callable[[str], tuple[Setup, Any, list[Any]]]] = {
    "dampfross": dampfross.recorded_game,
    "volldampf": volldampf.recorded_game,
}
GAMES = [
    ("dampfross", "usual 3 a"),
    ("dampfross", "usual 4 b"),
    ("dampfross", "kentucky_tennessee schmidt together 6"),
    ("dampfross", "bavaria postal together 2"),
    ("volldampf", "post together 3"),
    ("volldampf", "pack 1 3"),
    ("volldampf", "referee one-by-one 3"),
    ("volldampf", "french one-by-one 5"),
    ("volldampf", "dutch together 2"),
]
REACHED = ("reached", "phase", "connected", "races", "agenda")  # fields that hang on several keys, or on none alone


def in_order(state: Any) -> Any:
    """Return a position with the removed cards of Volldampf in the order of colours: theirs means nothing."""
    order = getattr(state.table.board, "colour_ids", ())
    return state.but(removed=tuple(sorted(state.removed, key=order.index))) if order else state


@pytest.mark.parametrize(("kind", "name"), GAMES)
def test_every_position_of_a_recorded_game_is_the_same_once_it_is_written_and_read(kind: str, name: str) -> None:
    game = game_named(kind)
    agreed, _, turns = RECORDED[kind](name)
    for number, before in enumerate((*(turn.before for turn in turns), turns[-1].outcome.state)):
        told = json.loads(json.dumps(game.facts(before)))
        assert game.place(before, told) == in_order(before)
        for key in told if number % 8 == 0 and number < len(turns) else ():  # no round follows a game that is over
            assert in_order(game.place(before, {key: told[key]})) == in_order(before), key
        if game.awaiting(before):
            again = game.place(game.lay_out(agreed), told)
            assert game.facts(again) == told
            for field in REACHED:
                assert getattr(again, field, None) == getattr(before, field, None), field


@pytest.mark.parametrize(("kind", "name"), [GAMES[0], *GAMES[4:7]])
def test_a_game_goes_on_from_a_typed_position_as_it_would_have(kind: str, name: str) -> None:
    """In Volldampf where no orders wait and no cards were drawn in this round: these are not typed in."""
    game = game_named(kind)
    agreed, _, turns = RECORDED[kind](name)
    begun = [turn for turn in turns if not any(getattr(turn.before, it, ()) for it in ("kept", "drawn", "subsidy_for"))]
    assert len(begun) > 4
    for turn in begun if kind == "volldampf" else (turns[2], turns[8]):
        told = json.dumps(game.facts(turn.before))
        opening = game.start(game.lay_out(agreed.but(position=told)), SeededDice("unused"))
        outcomes = [game.adjudicate(state, turn.orders, SeededDice("same")) for state in (opening.state, turn.before)]
        after, wanted = (
            [game.encode(event) for event in outcome.events if not hasattr(event, "agenda")] for outcome in outcomes
        )
        assert after == wanted


@pytest.mark.parametrize(("kind", "name"), [GAMES[0], GAMES[4]])
def test_the_opening_at_a_position_is_the_fold_of_its_events(kind: str, name: str) -> None:
    game = game_named(kind)
    agreed, _, turns = RECORDED[kind](name)
    agreed = agreed.but(position=json.dumps(game.facts(turns[2].before)))
    opening = game.lay_out(agreed)
    outcome = game.start(opening, SeededDice("x"))
    assert reduce(game.apply, outcome.events, opening) == outcome.state
    for kept in (outcome.state, outcome.events):
        assert game.decode(game.encode(kept), agreed) == kept
