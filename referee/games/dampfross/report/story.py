"""A turn as the newsletter tells it: from its events and the position after them, never by comparing positions."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter

from referee.core import Amounts, View, complaint_of, of_kind, places, round_before

from ..board import climbs_on
from ..events import (
    BuildingEnded,
    CityConnected,
    EntryDeclared,
    EntryRefused,
    Events,
    FeePaid,
    GameStarted,
    HomeChosen,
    JumpMade,
    OrderRefused,
    PieceStopped,
    PointsBanked,
    PositionTaken,
    PrizePaid,
    RaceCancelled,
    RaceCarried,
    RaceDropped,
    RaceRun,
    Ran,
    RoundEnded,
    TollPaid,
    TrackLaid,
    TrainEntered,
    TrainMoved,
    TrainPlaced,
    trains_in,
)
from ..names import place_name
from ..notation import format_route, money_of, race_charges, roll_label, rolls_view
from ..options import number
from ..round import agenda_of, allowance
from ..state import NEUTRAL, Route, State
from . import company_view, race_view
from .prices import priced_lines, race_lines
from .summary import headlines

# The score table of a newsletter: every account line by line, every race and payment column by column.

RACE_SUMS = (0, 20, 30)  # what the prizes of a race can come to. Rule: D6.7-D6.9


def score_table(played: State, before: Amounts, races: list[View], events: Events) -> View:
    """Return the table: brought forward, a column for each race that was run and for building, carried forward, with sums.

    ``balanced``: every line adds up, fees sum to nothing, and each race's column to its prizes less ``neutral``, the tolls
    that went to the neutral railway. *played*: the position after the turn, labelled as the round that was played; *before*: the
    balances before it.
    """
    building = tuple(event for event in events if isinstance(event, TrackLaid | FeePaid | CityConnected))
    run = [race for race in races if race["status"] == "run"]
    rows = []
    for code in played.codes:
        money = money_of(code, building)
        received, paid = (sum(each["amount"] for each in money[way]) for way in ("received", "paid"))
        # Of a racing round its builds are one column.
        built = [money["bonus"], received, -paid] if played.is_building else [money["change"]]
        cells = [before[code], *(race["changes"][code] for race in run), *built]
        rows.append({"code": code, "cells": [*cells, played.balance[code]]})
    sums = [sum(row["cells"][index] for row in rows) for index in range(len(rows[0]["cells"]))]
    fees = sum(sums[2:4]) if played.is_building else 0
    crossed = all(sum(row["cells"][:-1]) == row["cells"][-1] for row in rows)
    return {
        "races": [race["number"] for race in run],
        "rows": rows,
        "sums": sums,
        "neutral": sum(race["neutral"] for race in run),
        "balanced": all(race["sum"] + race["neutral"] in RACE_SUMS for race in races) and crossed and not fees,
    }


# Of the events that are told with builds, and with races, the rest by values of their own or by the position.
BUILDS = (TrackLaid, JumpMade, PointsBanked, FeePaid, CityConnected, PieceStopped)
RACES = (EntryRefused, TrainEntered, TollPaid, TrainMoved, TrainPlaced, PrizePaid, RaceRun, RaceCarried, RaceDropped)

# What of a company's building is its own doing.
UNREADABLE = "illegal-unreadable"  # a complaint whose text is what the player wrote
OWN_BUILDING = (TrackLaid, JumpMade, PointsBanked, PieceStopped)


def story(state: State, events: Events, reader: str | None) -> View:
    """Return what happened: homes, races, builds, money, the score table; an opening has none of them.

    *state*: the position after *events*.
    """
    taken = bool(of_kind(PositionTaken, events))
    if taken or of_kind(GameStarted, events):
        return {"phase": "opening", "round": 0, "taken": taken, "example": priced_lines(state, reader)}
    played = state  # the position after the turn, but labelled as the round that was played
    for ended in of_kind(RoundEnded, events)[:1]:
        phase = "build" if ended.rolls else "race"
        played = state.but(round=ended.round, phase=phase, rolls=ended.rolls, own_rolls=ended.own_rolls)
    racing = groupby((event for event in events if isinstance(event, RACES)), key=attrgetter("race"))
    races = [_race_view(played, race, tuple(group)) for race, group in racing]
    ends = played.options.building_ends
    before = {code: state.balance[code] - int(money_of(code, events)["change"]) for code in state.codes}
    return {
        "headline": next(headlines(state, events, races, before)),
        "phase": played.phase,
        "round": played.round,
        "homes": [
            {"code": event.company, "place": place_name(state.board, event.hex)}
            for event in of_kind(HomeChosen, events)
        ],
        "refused": of_kind(OrderRefused, events),
        "slips": [
            {"player": played.table.company(stop.company).player, "label": roll_label(played, stop.roll), "stop": stop}
            for stop in of_kind(PieceStopped, events)
            if stop.complaint.code == UNREADABLE
        ],
        "companies": [
            _builds_view(played, before[code], code, roll, events)
            for code, roll in _builders(played, state, events).items()
        ],
        "races": races,
        "neutral": any(NEUTRAL in event.owners for event in of_kind(TrainEntered, events)),
        "cancelled": [
            {**race_view(state, state.race(event.race)), "why": event.why} for event in of_kind(RaceCancelled, events)
        ],
        # At once: so few cities are left, or nobody builds. Rule: D2.7, R20.
        "building_over": next(
            ("cities" if each.cities_left <= number(ends) else "idle" for each in of_kind(BuildingEnded, events)), ""
        ),
        "declared": of_kind(EntryDeclared, events),
        "table": score_table(played, before, races, events),
        "ranking": _ranking(state, before, ended=bool(of_kind(RoundEnded, events))),
        "examples": race_lines(state, reader) if played.is_building else (),
        "totals": [[code, *state.totals[code]] for code in state.codes] if state.winners else [],
    }


def _builders(played: State, after: State, events: Events) -> dict[str, int]:
    """Return the companies whose builds are told, each with the roll that is told alone, 0 for all of its rolls.

    Where companies are asked one by one that is the company whose decision it was. Among races they are told as they built.
    """
    built = [(event.company, event.roll) for event in events if isinstance(event, OWN_BUILDING)]
    if not played.one_by_one or not played.is_building:
        first = () if played.is_building else [code for code, _ in built]
        return dict.fromkeys((*first, *played.codes), 0)
    asked = [(item.company, item.number) for item in agenda_of(played) if item.what == "build"]
    if not of_kind(RoundEnded, events):
        following = after.agenda[0]
        asked = asked[: asked.index((following.company, following.number))] if following.what == "build" else []
    return dict(built[:1] or asked[-1:])


def _builds_view(played: State, before: int, code: str, roll: int, events: Events) -> View:
    """*roll*: the one that is told, 0 for all."""
    building = tuple(event for event in events if isinstance(event, BUILDS))
    points = played.rolls_of(code) if played.is_building else (allowance(played),)
    rolls = rolls_view(played, code, building, points)
    for stop in (stop for each in rolls for stop in each["stops"] if stop["complaint"].code == UNREADABLE):
        # What a player misspelt is their own affair: everybody else is told that it was not read.
        stop["complaint"] = complaint_of("illegal-unread-rest", "D4.3")
    return {
        **company_view(played, code),
        "built": any(isinstance(event, OWN_BUILDING) and event.company == code for event in building),
        "rolls": rolls[roll - 1 : roll] if roll else rolls,
        "before": before,
        "money": money_of(code, building),
    }


def _race_view(played: State, number: int, events: Events) -> View:
    trains = [*trains_in(events)]
    places = [train.place for train in trains]
    money = {code: money_of(code, events) for code in played.codes}
    changes = {code: each["change"] for code, each in money.items()}
    raced = [code for train in trains for code in train.entry.companies]
    endings = {RaceRun: "run", RaceCarried: "carried", RaceDropped: "dropped"}
    return {
        **race_view(played, played.race(number)),
        "status": next(endings[type(event)] for event in events if type(event) in endings),
        "trains": sorted(
            (_train_view(played, train, places.count(train.place) > 1) for train in trains),
            key=lambda train: (train["place"] or len(trains) + 1, played.codes.index(train["companies"][0])),
        ),
        "lines": [
            {"code": code, "raced": code in raced, **each}
            for code, each in money.items()
            if code in raced or each["paid"] or each["received"]
        ],
        "refused": of_kind(EntryRefused, events),
        "sum": sum(changes.values()),
        "neutral": sum(event.amount for event in of_kind(TollPaid, events) if event.to == NEUTRAL),
        "charges": race_charges(played, events),
        "changes": changes,
    }


def _train_view(played: State, ran: Ran, equal: bool) -> View:
    """Return a train with its route, throws and place; place 0 where it did not come in. *equal*: others have the same."""
    train, moves, place, prizes = ran
    came_in = [move for move in moves if move.left >= 0]
    own = [owner if owner not in train.companies else "" for owner in train.owners]
    length = len(train.owners)
    return {
        "train": train.train,
        "companies": list(train.companies),
        "route": format_route(played.board, Route(path=train.route, over=tuple(own))),
        "length": length,
        "climbs": climbs_on(played.board, train.route),
        "throws": [move.throw for move in moves],
        "round": sum(move.round for move in came_in),
        "left": sum(move.left for move in came_in),
        "behind": 0 if came_in or not moves else length - moves[-1].at,
        "place": place,
        "equal": place > 0 and equal,
        "prizes": prizes,
    }


def _ranking(state: State, before: Amounts, *, ended: bool) -> list[View]:
    """Return the companies, richest first; equal balances share a place. Rule: D9.

    ``change``: of the balance since the round before, ``was``: the place then. *before*: balances before the turn, told of a game
    that was brought in the midst of a round.
    """
    codes, known = state.richest_first(state.codes), state.totals
    was = {code: round_before(known.get(code, ()), ended=ended, otherwise=before[code]) for code in codes}
    now, then = places(state.balance), places(was)
    return [
        {
            "code": code,
            "place": now[code],
            "balance": state.balance[code],
            "change": state.balance[code] - was[code],
            "was": then[code],
        }
        for code in codes
    ]
