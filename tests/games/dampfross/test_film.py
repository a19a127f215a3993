"""What moves in a turn of Dampfross is what its events say."""

from __future__ import annotations

import json

from referee.games.dampfross import GAME
from referee.games.dampfross.events import TrackLaid, TrainEntered, TrainMoved, TrainPlaced
from tests.pages import turns


def test_each_piece_of_track_is_laid_once_and_lies_beside_the_next_hex() -> None:
    for turn in turns():
        told = GAME.film(turn.outcome.state, turn.outcome.events)
        laid = [each for each in turn.outcome.events if isinstance(each, TrackLaid)]
        assert [each["code"] for each in told["laid"]] == [each.company for each in laid]
        for each in told["laid"]:
            (x, y), (to_x, to_y) = each["from"], each["to"]
            assert 0 < (x - to_x) ** 2 + (y - to_y) ** 2 < 110**2
        assert json.loads(json.dumps(told)) is not None


def test_trains_throw_what_they_threw_and_those_placed_come_to_the_end_of_their_ways() -> None:
    throws = placed = 0
    for turn in turns():
        events = turn.outcome.events
        told = GAME.film(turn.outcome.state, events)
        trains = [train for race in told["races"] for train in race["trains"]]
        moves = [move["throw"] for train in trains for move in train["moves"]]
        assert sorted(moves) == sorted(each.throw for each in events if isinstance(each, TrainMoved))
        assert len(trains) == sum(isinstance(each, TrainEntered) for each in events)
        assert sum(bool(train["place"]) for train in trains) == sum(isinstance(each, TrainPlaced) for each in events)
        for train in trains:
            if train["place"] and train["moves"]:
                assert train["moves"][-1]["at"] == len(train["way"]) - 1
        throws, placed = throws + len(moves), placed + sum(bool(train["place"]) for train in trains)
    assert throws > 50
    assert placed > 10
