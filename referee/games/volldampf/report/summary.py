"""What the last newsletter tells of the whole game, from its events alone: trips, money, whose links were used, cities, cards."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeVar

from referee.core.differences import Tallies
from referee.games.volldampf.board.board import ACTION_CARDS
from referee.games.volldampf.position.events import (
    BidPaid,
    BondsTaken,
    Event,
    IncomePaid,
    InterestPaid,
    LinkBuilt,
    TrackCardDiscarded,
)
from referee.games.volldampf.position.state import State
from referee.games.volldampf.position.tripevents import CardPlayed, CardReturned, CubeDelivered, TripDeclined
from referee.games.volldampf.report.story import ranking
from referee.games.volldampf.report.view import shows_actions, shows_cash

Kind = TypeVar("Kind", bound=Event)
Counts = Counter[str]


def summary(state: State, events: tuple[Event, ...]) -> dict[str, Any]:
    """Return statistics of a game that is over; *events*: of all its turns.

    ``trips``: for each player deliveries, trips declined, links travelled, spaces for himself and for others, links built and
    cards given up. ``money``: what came in and went out, in marks; ``start`` and all of it make ``cash``. ``moved``: by who made
    deliveries, the spaces that they brought to each player. ``cities``: where cubes came to, the most spaces first. ``cards``:
    for each kind of action card how often each player played it.
    """
    codes = state.table.codes
    return {
        "trips": [_trips(events, code) for code in codes],
        "money": [_money(state, events, code) for code in codes],
        "moved": {code: _spaces_by(events, code) for code in codes},
        "cities": _cities(state, events),
        "cards": _cards(events),
    }


def _of(events: tuple[Event, ...], kind: type[Kind], code: str) -> list[Kind]:
    return [event for event in events if isinstance(event, kind) and getattr(event, "player", "") == code]


def _trips(events: tuple[Event, ...], code: str) -> dict[str, Any]:
    made = _of(events, CubeDelivered, code)
    moved = _spaces_by(events, code)
    return {
        "code": code,
        "deliveries": len(made),
        "declined": len(_of(events, TripDeclined, code)),
        "links": sum(len(event.route) - 1 for event in made),
        "own": moved.get(code, 0),
        "others": sum(moved.values()) - moved.get(code, 0),
        "built": len(_of(events, LinkBuilt, code)),
        "discarded": len(_of(events, TrackCardDiscarded, code)),
    }


def _money(state: State, events: tuple[Event, ...], code: str) -> dict[str, Any]:
    flows = {
        "bonds": sum(event.money for event in _of(events, BondsTaken, code)),
        "income": sum(event.amount for event in _of(events, IncomePaid, code)),
        "auction": -sum(event.paid for event in _of(events, BidPaid, code)),
        "building": -sum(event.cost for event in _of(events, LinkBuilt, code)),
        "interest": -sum(event.paid for event in _of(events, InterestPaid, code)),
    }
    cash = state.cash[code]
    return {"code": code, "start": cash - sum(flows.values()), **flows, "cash": cash, "points": state.bonds[code]}


def _spaces_by(events: tuple[Event, ...], code: str) -> dict[str, int]:
    """Return the spaces that a player's deliveries brought, by whom they moved on."""
    spaces: Counts = Counter()
    for event in _of(events, CubeDelivered, code):
        spaces.update(event.steps)
    return dict(spaces)


def _cities(state: State, events: tuple[Event, ...]) -> list[dict[str, Any]]:
    """Return the cities where cubes came to, with how many, and the spaces that these trips brought."""
    cubes, spaces = Counts(), Counts()
    for event in events:
        if isinstance(event, CubeDelivered):
            cubes[event.route[-1]] += 1
            spaces[event.route[-1]] += sum(event.steps.values())
    board = state.table.board
    told = [
        {"city": city.name, "colour": city.colour, "cubes": cubes[city.id], "spaces": spaces[city.id]}
        for city in board.cities
        if cubes[city.id]
    ]
    return sorted(told, key=lambda one: -int(str(one["spaces"])))


def _cards(events: tuple[Event, ...]) -> list[dict[str, Any]]:
    """Return how often each player played each card; one that was taken back was not played."""
    played: dict[str, Counts] = {card: Counter() for card in ACTION_CARDS}
    for event in events:
        if isinstance(event, CardPlayed | CardReturned):
            played[event.card][event.player] += 1 if isinstance(event, CardPlayed) else -1
    return [
        {"card": card, "players": {code: n for code, n in by.items() if n}}
        for card, by in played.items()
        if any(by.values())
    ]


# What a corrected newsletter compares: marks, places, track, cubes; of hands only what their reader may see.


def tallies(state: State, reader: str | None) -> Tallies:
    """Return what everybody has and what lies on the board, by name, as *reader* may see it."""
    board, codes = state.table.board, state.table.codes
    return {
        "cash": {code: state.cash.get(code, 0) for code in codes if shows_cash(state, code, reader)},
        "bonds": {code: state.bonds.get(code, 0) for code in codes},
        "income": {code: state.income.get(code, 0) for code in codes},
        "place": {one["code"]: one["place"] for one in ranking(state, reader)},
        "sequence": {code: number for number, code in enumerate(state.order, 1)},
        "track": {
            code: tuple(board.link_name(link.id) for link in board.links if state.built.get(link.id) == code)
            for code in codes
        },
        "cards": {code: state.hands.get(code, ()) for code in codes},
        "actions": {code: state.actions.get(code, ()) for code in codes if shows_actions(state, code, reader)},
        "action-count": {
            code: len(state.actions.get(code, ())) for code in codes if not shows_actions(state, code, reader)
        },
        "cubes": {city.name: state.cubes.get(city.id, ()) for city in board.cities},
    }
