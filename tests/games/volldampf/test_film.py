"""What moves in a turn of Volldampf is what its events say."""

from __future__ import annotations

import json
from itertools import pairwise

from referee.games.volldampf import GAME
from referee.games.volldampf.events import CubeDelivered, LinkBuilt
from tests.pages import volldampf_turns


def test_sections_are_laid_and_cubes_go_on_in_the_order_of_the_events() -> None:
    laid = carried = 0
    for turn in volldampf_turns():
        state, events = turn.outcome.state, turn.outcome.events
        told = GAME.film(state, events)
        built = [each for each in events if isinstance(each, LinkBuilt)]
        assert [each["code"] for each in told["laid"]] == [each.player for each in built]
        trips = [each for each in events if isinstance(each, CubeDelivered)]
        assert [(each["code"], len(each["way"])) for each in told["trips"]] == [
            (it.player, len(it.route)) for it in trips
        ]
        for one, event in zip(told["trips"], trips, strict=True):
            assert one["from"] == state.board.name(event.route[0])
            assert all(here != there for here, there in pairwise(one["way"]))
        assert json.loads(json.dumps(told)) is not None
        laid, carried = laid + len(built), carried + len(trips)
    assert laid > 20
    assert carried > 20
