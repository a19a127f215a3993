"""A turn as the newsletter tells it: from its events and the position after them, never by comparing positions."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import Any

from referee.core.hexes import distance, neighbours, straight_run
from referee.games.dampfross.adjudicate import allowance
from referee.games.dampfross.events import (
    BuildingEnded,
    CityConnected,
    EntryDeclared,
    EntryRefused,
    Event,
    FeePaid,
    GameStarted,
    HomeChosen,
    JumpMade,
    NothingReceived,
    OrderRefused,
    PieceStopped,
    PointsBanked,
    PositionTaken,
    PrizePaid,
    RaceCancelled,
    RaceCarried,
    RaceDropped,
    RaceRun,
    RoundEnded,
    TollPaid,
    TrackLaid,
    TrainEntered,
    TrainMoved,
)
from referee.games.dampfross.homes import homes_of
from referee.games.dampfross.names import place_name
from referee.games.dampfross.orders import Piece, Route
from referee.games.dampfross.state import BUILD, RACE, State
from referee.games.dampfross.telling import PIECES, format_piece, format_route, money_of, roll_label, told_rolls
from referee.games.dampfross.view import player_name, told_race

# What is told of a company's building, and what of it is its own doing.
BUILDING = (TrackLaid, JumpMade, PointsBanked, FeePaid, CityConnected, PieceStopped)
OWN_BUILDING = (TrackLaid, JumpMade, PointsBanked, PieceStopped)


def story(state: State, events: tuple[Event, ...], reader: str | None) -> dict[str, Any]:
    """Return what happened: homes, races, builds, money, the score table; an opening has none of them.

    *state*: the position after *events*.
    """
    if any(isinstance(event, GameStarted | PositionTaken) for event in events):
        taken = any(isinstance(event, PositionTaken) for event in events)
        return {"phase": "opening", "round": 0, "taken": taken, "example": example_line(state)}
    played = _round_played(state, events)
    races = _told_races(played, events)
    return {
        "phase": played.phase,
        "round": played.round,
        "ended": any(isinstance(event, RoundEnded) for event in events),
        "homes": [
            {"code": event.company, "place": place_name(state.table.board, event.hex)}
            for event in events
            if isinstance(event, HomeChosen)
        ],
        "silent": [event.company for event in events if isinstance(event, NothingReceived)],
        "refused": [
            {"code": event.company, "complaint": event.complaint} for event in events if isinstance(event, OrderRefused)
        ],
        "companies": [_told_company(played, state, code, events) for code in state.table.codes],
        "races": races,
        "cancelled": [
            {**told_race(state, race), "why": event.why}
            for event in events
            if isinstance(event, RaceCancelled) and (race := state.race(event.race)) is not None
        ],
        "building_over": any(isinstance(event, BuildingEnded) for event in events),
        "declared": [
            {"code": event.company, "race": event.run.race} for event in events if isinstance(event, EntryDeclared)
        ],
        "table": _score_table(played, state, races, events),
        "ranking": _ranking(state),
        "totals": [[code, *state.totals[code]] for code in state.table.codes] if state.winners else [],
    }


def example_line(state: State) -> str:
    """Return a build line that could be ordered in the first round: two pieces from the map's first home."""
    board = state.table.board
    home = homes_of(state, state.table.codes[0])[0]
    stretches = []
    for first in neighbours(home):
        further = [label for label in neighbours(first) if distance(home, label) == 2 and straight_run(home, label)]
        path = (home, first, *further[:1])
        if all(label in board.ground for label in path) and len(path) == 3:
            stretches.append(Piece(path=path))
    label = roll_label(state, 1)
    return f"{label} {PIECES.join(format_piece(board, piece) for piece in stretches[:2])}"


def _round_played(state: State, events: tuple[Event, ...]) -> State:
    """Return the position after the turn, but labelled as the round that was played."""
    ended = next((event for event in events if isinstance(event, RoundEnded)), None)
    if ended is None:
        return state
    phase = BUILD if ended.rolls else RACE
    return replace(state, round=ended.round, phase=phase, rolls=ended.rolls, own_rolls=ended.own_rolls)


def _told_company(played: State, after: State, code: str, events: tuple[Event, ...]) -> dict[str, Any]:
    company = after.table.company(code)
    building = tuple(event for event in events if isinstance(event, BUILDING))
    own = [event for event in building if isinstance(event, OWN_BUILDING) and event.company == code]
    points = played.rolls_of(code) if played.phase == BUILD else (allowance(played),)
    before = _before(after, code, events)
    return {
        "code": code,
        "name": company.name,
        "colour": company.colour,
        "player": player_name(after, code),
        "built": bool(own),
        "rolls": told_rolls(played, code, building, points),
        "before": before,
        "money": money_of(code, building),
        "built_total": before + money_of(code, building)["change"],
        "total": after.balance[code],
    }


def _before(after: State, code: str, events: tuple[Event, ...]) -> int:
    """Return a company's balance before the turn."""
    return after.balance[code] - int(money_of(code, events)["change"])


def _told_races(played: State, events: tuple[Event, ...]) -> list[dict[str, Any]]:
    racing = [event for event in events if hasattr(event, "race") and not isinstance(event, RaceCancelled)]
    return [_told_race(played, number, tuple(group)) for number, group in groupby(racing, key=lambda e: e.race)]


def _told_race(played: State, number: int, events: tuple[Event, ...]) -> dict[str, Any]:
    race = played.race(number)
    assert race is not None
    trains = [event for event in events if isinstance(event, TrainEntered)]
    finish = {event.train: event for event in events if isinstance(event, TrainMoved) and event.left >= 0}
    lines = [_payments(played, code, trains, events) for code in played.table.codes]
    endings = {RaceRun: "run", RaceCarried: "carried", RaceDropped: "dropped"}
    return {
        **told_race(played, race),
        "status": next(endings[type(event)] for event in events if type(event) in endings),
        "trains": sorted(
            (_told_train(played, train, events, finish.get(train.train)) for train in trains),
            key=lambda told: (told["place"] or len(trains) + 1, played.table.codes.index(told["companies"][0])),
        ),
        "lines": [line for line in lines if line["text"]],
        "refused": [
            {"code": event.company, "complaint": event.complaint} for event in events if isinstance(event, EntryRefused)
        ],
        "sum": sum(line["change"] for line in lines),
        "changes": {line["code"]: line["change"] for line in lines},
    }


def _told_train(
    played: State, train: TrainEntered, events: tuple[Event, ...], finish: TrainMoved | None
) -> dict[str, Any]:
    """Return a train with its route, throws and place; place 0 where it won nothing."""
    prizes = [event for event in events if isinstance(event, PrizePaid) and event.train == train.train]
    moves = [event for event in events if isinstance(event, TrainMoved) and event.train == train.train]
    own = [owner if owner not in train.companies else "" for owner in train.owners]
    route = Route(path=train.route, over=tuple(own))
    return {
        "train": train.train,
        "companies": list(train.companies),
        "joint": len(train.companies) > 1,
        "route": format_route(played.table.board, route),
        "length": len(train.route) - 1,
        "throws": [move.throw for move in moves],
        "round": finish.round if finish else 0,
        "left": finish.left if finish else 0,
        "behind": 0 if finish or not moves else len(train.route) - 1 - moves[-1].at,
        "place": prizes[0].place if prizes else 0,
        "equal": _equals(train.train, prizes, events),
        "prize": sum(event.amount for event in prizes),
    }


def _equals(train: str, prizes: list[PrizePaid], events: tuple[Event, ...]) -> bool:
    """Return whether another train took the same place. Rule: D6.8."""
    places = {(event.train, event.place) for event in events if isinstance(event, PrizePaid)}
    return bool(prizes) and any(place == prizes[0].place and other != train for other, place in places)


def _payments(played: State, code: str, trains: list[TrainEntered], events: tuple[Event, ...]) -> dict[str, Any]:
    """Return a company's line of a race, gross in both directions: ``20-1[MGW]+4[BNC]``."""
    entered = any(code in train.companies for train in trains)
    prize = sum(event.amount for event in events if isinstance(event, PrizePaid) and event.company == code)
    tolls = [event for event in events if isinstance(event, TollPaid) and code in (event.company, event.to)]
    words = [str(prize)] if entered else []
    words += [f"-{event.amount}[{event.to}]" for event in tolls if event.company == code]
    words += [f"+{event.amount}[{event.company}]" for event in tolls if event.to == code]
    change = prize + sum(event.amount if event.to == code else -event.amount for event in tolls)
    return {"code": code, "text": "".join(words), "change": change, "entered": entered}


def _score_table(played: State, after: State, races: list[dict[str, Any]], events: tuple[Event, ...]) -> dict[str, Any]:
    """Return the score table: brought forward, a column for each race and for building, carried forward, with sums.

    ``checks``: for each column what its sum must be by itself: 0, 20 or 30 for a race; -1 where nothing can be said.
    """
    building = tuple(event for event in events if isinstance(event, TrackLaid | FeePaid | CityConnected))
    changes = [race["changes"] for race in races if race["status"] == "run"]
    rows = []
    for code in after.table.codes:
        built = money_of(code, building)
        cells = [_before(after, code, events), *(change[code] for change in changes), *_building_cells(played, built)]
        rows.append({"code": code, "cells": [*cells, after.balance[code]]})
    heads = [race["number"] for race in races if race["status"] == "run"]
    sums = [sum(row["cells"][index] for row in rows) for index in range(len(rows[0]["cells"]))]
    fees = 1 + len(heads) + 1
    balanced = all(race["sum"] in (0, 20, 30) for race in races)
    if played.phase == BUILD:
        balanced = balanced and sums[fees] + sums[fees + 1] == 0
    crossed = all(sum(row["cells"][:-1]) == row["cells"][-1] for row in rows)
    return {"races": heads, "rows": rows, "sums": sums, "balanced": balanced and crossed}


def _building_cells(played: State, money: dict[str, Any]) -> list[int]:
    """Return bonus, fees received and fees paid of a building round, or the one column of a racing round's builds."""
    received = sum(entry["amount"] for entry in money["received"])
    paid = sum(entry["amount"] for entry in money["paid"])
    if played.phase == BUILD:
        return [money["bonus"], received, -paid]
    return [money["change"]]


def _ranking(state: State) -> list[dict[str, Any]]:
    """Return the companies, richest first; equal balances share a place. Rule: D9."""
    codes = state.richest_first(state.table.codes)
    return [
        {
            "code": code,
            "place": 1 + sum(state.balance[other] > state.balance[code] for other in codes),
            "balance": state.balance[code],
        }
        for code in codes
    ]
