"""Small boards and positions for the tests of the rules: no map file, no 36 keys.

The sheet has columns A to P and rows 1 to 8, all plain. On it ``A3 B3 C3`` is a chain of neighbours from west to east, and
so is ``C1 C2 C3`` from north to south; only the latter is straight.
"""

import json
from collections.abc import Mapping
from functools import cache, reduce
from itertools import pairwise
from typing import Any, TypeVar

from referee.core import Hex, SeededDice, TypedDice, format_hex, side
from referee.core.game import Outcome, Player
from referee.games.dampfross import GAME
from referee.games.dampfross.board import RailMap
from referee.games.dampfross.board.grid import POINTS
from referee.games.dampfross.board.mapfile import board_of, read_map
from referee.games.dampfross.changes import CHANGES
from referee.games.dampfross.options import choose_options
from referee.games.dampfross.round import adjudicate
from referee.games.dampfross.state import Build, ChooseHome, Order, Piece, Race, Route, Run, State, Table, companies_of

COLUMNS, ROWS = 16, 8
BALANCE = 20  # units that an account begins with. Rule: D1.2
CODES = ("GSW", "MGW", "BNC", "DSE", "GNR", "CDR")
COLOURS = ("red", "blue", "green", "black", "orange", "purple")

Kind = TypeVar("Kind")


def sketch(
    cities: Mapping[str, tuple[int, ...]],
    *,
    homes: str = "",
    mountains: str = "",
    rivers: Mapping[str, int] | None = None,
    closed: tuple[str, ...] = (),
    sea: str = "",
    abroad: str = "",
) -> RailMap:
    """Return a board. *cities*: hex to keys, named ``City A3``; *homes*: hexes, all cities if empty; *rivers*: ``B3-C3`` to
    points; *abroad*: hexes of a foreign area where nobody may build onward."""
    marks = dict.fromkeys(sea.split(), "~") | dict.fromkeys(mountains.split(), "^")
    marks |= {label: "/".join(map(str, keys)) for label, keys in cities.items()}
    marks |= {label: "F" + marks.get(label, ".") for label in abroad.split()}
    rows = [[marks.get(format_hex(column, row), ".") for column in range(COLUMNS)] for row in range(ROWS)]
    course = {"closed": closed} | {
        key: [text for text, more in (rivers or {}).items() if more == points] for key, points in POINTS.items()
    }
    river = {key: " ".join(sides) for key, sides in course.items() if sides}
    told: dict[str, Any] = {
        "cells": "\n".join(map(" ".join, rows)),
        "names": {label: f"City {label}" for label in cities},
        "home_terminals": {"any": [f"City {label}" for label in homes.split() or cities]},
    }
    return board_of(json.dumps(told | ({"river": [{"name": "River", **river}]} if river else {})), "sketch")


@cache
def ireland() -> RailMap:
    """Return the shipped map of Ireland."""
    return read_map(GAME.board_text("ireland"), "ireland.toml")


def position(
    board: RailMap,
    home: Mapping[str, Hex],
    *,
    track: Mapping[str, str | tuple[str, ...]] | None = None,
    balance: Mapping[str, int] | None = None,
    rolls: tuple[int, ...] = (6, 6, 6),
    races: Race | tuple[Race, ...] = (),
    round_number: int = 0,
    **options: Any,
) -> State:
    """Return a position of the companies in *home*, in that order of play ("": no home yet). *track*: chains of hexes.

    With *races* it is a racing round (7 unless *round_number* says otherwise), else a building round.
    """
    codes = tuple(home)
    players = tuple(Player(code=code, colour=COLOURS[place], name=code.title()) for place, code in enumerate(codes))
    table = Table(
        board=board,
        options=choose_options("postal", tuple(options.items())),
        players=players,
        companies=companies_of(players, "pairs")[: len(players)],
    )
    state = State(
        table=table,
        round=round_number or (7 if races else 1),
        phase="race" if races else "build",
        rolls=() if races else rolls,
        home={code: label for code, label in home.items() if label},
        balance={code: (balance or {}).get(code, BALANCE) for code in codes},
        reached={code: frozenset({label} if label else ()) for code, label in home.items()},
        connected=frozenset(label for label in home.values() if label),
        races=_each(races),
        totals=dict.fromkeys(codes, (BALANCE,)),
    )
    chains = [(code, text) for code, texts in (track or {}).items() for text in _each(texts)]
    return reduce(lambda position, chain: _laid(position, *chain), chains, state)


def _each(one: Kind | tuple[Kind, ...]) -> tuple[Kind, ...]:
    return one if isinstance(one, tuple) else (one,)


def piece(text: str) -> Piece:
    """Return a piece written hex by hex: ``A3 B3 C3``."""
    return Piece(path=tuple(text.split()))


def build(roll: int, *texts: str) -> Build:
    """Return the order for a roll, a text for each piece."""
    return Build(roll=roll, pieces=tuple(piece(text) for text in texts))


def home(*cities: Hex) -> ChooseHome:
    """Return the order that chooses a home terminal."""
    return ChooseHome(cities=cities)


def route(text: str) -> Route:
    """Return a route written hex by hex; ``C3[GSW]``: over GSW's track to C3."""
    words = [word.rstrip("]").partition("[") for word in text.split()]
    return Route(path=tuple(label for label, _, _ in words), over=tuple(company for _, _, company in words[1:]))


def run(number: int, *texts: str, partner: str = "") -> Run:
    """Return an entry with its alternative routes."""
    return Run(race=number, routes=tuple(route(text) for text in texts), partner=partner)


def race(number: int, start: int, end: int, offered: int = 7) -> Race:
    """Return an open race."""
    return Race(number=number, start=start, end=end, round=offered)


def play(
    state: State, orders: Mapping[str, Order | tuple[Order, ...]], throws: Mapping[str, int] | None = None
) -> Outcome:
    """Play a turn; *throws* by name, the others from a fixed seed. The position is the fold of the events, always."""
    given: dict[str, tuple[Order, ...]] = {code: _each(own) for code, own in orders.items()}
    outcome = adjudicate(state, given, TypedDice(given=throws or {}, otherwise=SeededDice("sketch")))
    folded = reduce(lambda before, event: CHANGES[type(event)](event, before), outcome.events, state)
    assert outcome.state == folded
    return outcome


def _laid(state: State, company: str, text: str) -> State:
    path = text.split()
    track = dict(state.track)
    for one, other in pairwise(path):
        track[side(one, other)] = (*track.get(side(one, other), ()), company)
    return state.but(track=track, reached={**state.reached, company: state.reached[company] | frozenset(path)})
