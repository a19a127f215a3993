"""Statistics of a game that is over: they add up, and tell what its events tell."""

from __future__ import annotations

import pytest

from referee.games.dampfross.events import Event, FeePaid, PrizePaid, TollPaid, TrackLaid, TrainMoved
from referee.games.dampfross.report.view import _halves, summary
from referee.games.dampfross.state import State
from tests.games.dampfross.recordedgames import usual_game


@pytest.fixture(scope="module")
def whole() -> tuple[State, tuple[Event, ...]]:
    """The end of a recorded game, with the events of all its turns."""
    _, opening, turns = usual_game(4, "b")
    outcomes = [opening, *(turn.outcome for turn in turns)]
    return outcomes[-1].state, tuple(event for outcome in outcomes for event in outcome.events)


def test_money_adds_up_from_the_start_to_the_balance_at_the_end(whole: tuple[State, tuple[Event, ...]]) -> None:
    state, events = whole
    told = summary(state, events)
    for one in told["money"]:
        assert one["start"] == state.totals[one["code"]][0]
        assert sum(one[flow] for flow in ("start", "bonus", "prizes", "received", "paid", "track")) == one["now"]
    tolls = sum(event.amount for event in events if isinstance(event, FeePaid | TollPaid))
    assert sum(sum(to.values()) for to in told["paid"].values()) == tolls > 0
    assert all(code not in to for code, to in told["paid"].items()), "nobody pays himself"


def test_track_races_and_dice_are_counted(whole: tuple[State, tuple[Event, ...]]) -> None:
    state, events = whole
    told = summary(state, events)
    assert sum(one["sides"] for one in told["track"]) == sum(isinstance(event, TrackLaid) for event in events) > 0
    assert 0 < sum(one["mountains"] for one in told["track"]) < sum(one["sides"] for one in told["track"])
    thrown = [event.throw for event in events if isinstance(event, TrainMoved) and "+" not in event.train]
    assert sum(one["sum"] for one in told["races"]) >= sum(thrown) > 0
    won = {(event.race, event.company) for event in events if isinstance(event, PrizePaid) and event.place == 1}
    assert sum(one["won"] for one in told["races"]) == len(won) > 0
    brought = sum(event.amount for event in events if isinstance(event, PrizePaid))
    assert 0 < sum(one["prizes"] for one in told["cities"]) <= 2 * brought
    assert [one["bonus"] + one["prizes"] for one in told["cities"]] == sorted(
        (one["bonus"] + one["prizes"] for one in told["cities"]), reverse=True
    )


@pytest.mark.parametrize(("halves", "written"), [(7, "+3.5"), (-4, "-2"), (0, "0"), (-1, "-0.5"), (2, "+1")])
def test_luck_is_written_in_halves(halves: int, written: str) -> None:
    assert _halves(halves) == written
