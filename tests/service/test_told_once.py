"""What the letters of a turn have in common is made once: the board, what may be seen of it, the story."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from referee.games.dampfross import GAME
from referee.service.turns.games import new_game
from referee.service.turns.proposals import Invited, Proposal
from tests.games.dampfross.recordedgames import games as recorded
from tests.games.dampfross.wholegame import play_game
from tests.games.recorded import read_recording
from tests.posthouse import PostHouse, text_of

SEATS = tuple(
    Invited(code=code, colour=colour, name=code.title(), address=f"{code.lower()}@example.org")
    for code, colour in (("GSW", "red"), ("MGW", "blue"), ("BNC", "green"), ("DSE", "black"))
)


@pytest.fixture
def asked() -> Any:
    """Count what is asked of the game."""
    counted: Counter[str] = Counter()
    kept = {name: getattr(GAME, name) for name in ("view", "story", "drawing")}

    def counting(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def count(*values: Any, **named: Any) -> Any:
            counted[name] += 1
            return work(*values, **named)

        return count

    for name, work in kept.items():
        object.__setattr__(GAME, name, counting(name, work))
    yield counted
    for name, work in kept.items():
        object.__setattr__(GAME, name, work)


def test_a_turn_is_drawn_seen_and_told_once_for_all_its_readers(house: PostHouse, asked: Counter[str]) -> None:
    new_game(house.club, Proposal(kind="dampfross", board="ireland", players=SEATS, rhythm={"days": 14}), "root")
    house.tick()
    asked.clear()
    house.clock.advance(days=15)
    assert house.tick().turns == ("RR1/1",)
    assert asked["drawing"] == asked["story"] == 1
    assert asked["view"] == 1
    told = house.post(containing="Round 1 of 12")
    assert len(told) == len(SEATS)
    files = [{part.get_filename(): part.get_content() for part in each.iter_attachments()} for each in told]
    assert set(files[0]) == {"RR1-turn-1.svg", "RR1-turn-1.json"}
    assert all(each == files[0] for each in files)


def test_an_opening_shows_each_player_a_line_from_his_own_home(house: PostHouse, asked: Counter[str]) -> None:
    new_game(house.club, Proposal(kind="dampfross", board="ireland", players=SEATS, rhythm={"days": 14}), "root")
    house.tick()
    assert asked["drawing"] == 1
    assert asked["story"] == len(SEATS)
    assert len({text_of(each) for each in house.post()}) == len(SEATS)


def test_what_is_said_to_be_alike_for_all_is_alike() -> None:
    assert GAME.tells_all_alike
    name = "usual 6 d"
    setup, seed = recorded()[name]
    _, turns = play_game(setup, seed, read_recording("dampfross", name))
    for turn in turns:
        state, events = turn.outcome.state, turn.outcome.events
        for player in setup.players:
            assert GAME.view(state, player.code) == GAME.view(state, None)
            assert GAME.story(state, events, player.code) == GAME.story(state, events, None)
