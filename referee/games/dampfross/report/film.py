"""What moves in a turn, for the film of a game: track in the order in which it was laid, trains throw by throw."""

from __future__ import annotations

from typing import Any

from referee.core.hexes import Hex
from referee.core.picture.drawing import Point
from referee.core.picture.shades import shade_of
from referee.games.dampfross.position.events import Event, TrackLaid, TrainEntered, TrainMoved, TrainPlaced
from referee.games.dampfross.position.state import State
from referee.games.dampfross.report.picture.layout import middle
from referee.games.dampfross.report.view import told_race


def film(state: State, events: tuple[Event, ...]) -> dict[str, Any]:
    """Return what happened in the turn that led to *state*; see ``Game.film``. Points are those of the drawing."""
    laid = [
        {
            "code": each.company,
            "colour": _shade(state, each.company),
            "from": middle(each.start),
            "to": middle(each.end),
        }
        for each in events
        if isinstance(each, TrackLaid)
    ]
    entered = [each for each in events if isinstance(each, TrainEntered)]
    races = [_race(state, number, entered, events) for number in dict.fromkeys(each.race for each in entered)]
    return {"laid": laid, "races": races}


def _race(state: State, number: int, entered: list[TrainEntered], events: tuple[Event, ...]) -> dict[str, Any]:
    race = state.race(number)
    assert race is not None
    told = told_race(state, race)
    trains = [_train(state, each, events) for each in entered if each.race == number]
    return {"number": number, "from": told["start"]["name"], "to": told["end"]["name"], "trains": trains}


def _train(state: State, entry: TrainEntered, events: tuple[Event, ...]) -> dict[str, Any]:
    ours = (entry.race, entry.train)
    moves = [each for each in events if isinstance(each, TrainMoved) and (each.race, each.train) == ours]
    places = [each.place for each in events if isinstance(each, TrainPlaced) and (each.race, each.train) == ours]
    return {
        "code": entry.train,
        "colour": _shade(state, entry.companies[0]),
        "way": _way(entry.route),
        "moves": [{"round": each.round, "throw": each.throw, "at": each.at} for each in moves],
        "place": places[0] if places else 0,
    }


def _way(route: tuple[Hex, ...]) -> list[Point]:
    return [middle(each) for each in route]


def _shade(state: State, code: str) -> str:
    return shade_of(state.table.company(code).colour)
