"""A small board and a turn of each kind, put together by hand in ``told.toml``, for the tests of what is seen and told."""

import json
from collections.abc import Mapping
from functools import reduce
from typing import Any, Literal

from msgspec import convert

from referee.core import Texts
from referee.core.game import ONE_BY_ONE, Player
from referee.games.volldampf import GAME
from referee.games.volldampf.board import Board
from referee.games.volldampf.events import Events, GameStarted
from referee.games.volldampf.options import Options
from referee.games.volldampf.state import Item, Stage, State, Table, What
from tests.tables import Tables

CODES = ("ANN", "BOB", "CAT", "DAN")
COLOURS = ("blue", "red", "green", "yellow")

CASES = Tables(__file__)
BOARD = convert(CASES.listed("board"), Board, str_keys=True)
# What is in hand before each turn.
HELD: Mapping[str, Mapping[str, str]] = {
    "opening": {},
    "auction": {"ANN": "Alles neu"},
    "builds": {"BOB": "Neue Planung", "CAT": "Günstige Gelegenheit"},
    "trips": {"BOB": "Sabotage, Alles neu", "CAT": "Schnelle Lok, Schnelle Lok, Zusatzfracht"},
}

Turn = tuple[State, Events]


def events_of(*rows: Any) -> Events:
    """Return the events of a table, each a row as a codec has it."""
    events: Events = GAME.codec.decode(json.dumps(rows))
    return events


def opened(count: int = 3, *, pace: str = "together", **options: Any) -> State:
    """Return the position after ``GameStarted``."""
    players = tuple(
        Player(code=code, colour=colour, name=code.title(), company=f"{code} Railway")
        for code, colour in zip(CODES[:count], COLOURS, strict=False)
    )
    state = State(table=Table(board=BOARD, options=Options(**options), players=players, pace=pace))
    return folded(state, (GameStarted(cash=10, order=CODES[:count], removed=("pink",)),))


def asking(state: State, what: What, *, stage: Stage | Literal[""] = "", number: int = 0, player: str = "") -> State:
    """Return the position with that question at the head of its agenda."""
    return state.but(agenda=(Item(what=what, stage=stage, number=number, player=player),))


def folded(state: State, events: Events) -> State:
    """Return the position after *events*."""
    return reduce(GAME.apply, events, state)


def holding(state: State, **hands: str) -> State:
    """Return the position with action cards in hand: ``ANN="Sabotage, Alles neu"``."""
    held: Mapping[str, Texts] = {code: tuple(cards.split(", ")) for code, cards in hands.items()}
    return state.but(actions={**state.actions, **held})


def one_by_one(state: State, what: What, player: str, number: int = 0) -> State:
    """Return the position with a single decision asked for."""
    return asking(state.but(table=state.table.but(pace=ONE_BY_ONE)), what, player=player, number=number)


def turns(**options: Any) -> dict[str, Turn]:
    """Return the four turns with the position after each, by what they are about."""
    state, told = State(table=opened(**options).table), dict[str, Turn]()
    for name, hands in HELD.items():
        events = events_of(*CASES.listed(name))
        state = folded(holding(state, **hands), events)
        told[name] = state, events
    return told
