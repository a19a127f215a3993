"""Plays whole games in memory: built-in players write order lines, which are read as a letter would be."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from referee.bots.dampfross import write_orders
from referee.bots.dampfross.seeing import position_of
from referee.core.dice import SeededDice
from referee.core.game import TOGETHER, Outcome, Player, Setup
from referee.core.orders import Complaint
from referee.games.dampfross import GAME
from referee.games.dampfross.position.orders import Order
from referee.games.dampfross.position.state import State
from tests.games.lines import understood

CODES = ("GSW", "MGW", "BNC", "DSE", "GNR", "CDR")

Spoil = Callable[[State, str, tuple[Order, ...]], tuple[Order, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn: the position, what each company's letter was understood as, and what came of it."""

    before: State
    orders: Mapping[str, tuple[Order, ...]]
    complaints: tuple[Complaint, ...]
    outcome: Outcome


def setup_of(
    players: int, board: str = "ireland", preset: str = "postal", pace: str = TOGETHER, **options: str | int | bool
) -> Setup:
    """Return what is agreed for a game of that many players; two lead two companies each where the options want it."""
    pairs = players == 2 and {**GAME.presets[preset], **options}["two_players"] == "pairs"
    seats = tuple(
        Player(
            code=code,
            colour=GAME.colours[n],
            name=code.lower(),
            second_code=CODES[n + 2] if pairs else "",
            second_colour=GAME.colours[n + 2] if pairs else "",
        )
        for n, code in enumerate(CODES[:players])
    )
    return Setup(
        game="dampfross",
        board_name=board,
        board=GAME.board_text(board),
        preset=preset,
        options=tuple(options.items()),
        players=seats,
        pace=pace,
    )


def play_game(setup: Setup, seed: str, spoil: Spoil | None = None) -> tuple[Outcome, list[Turn]]:
    """Play from the opening to the end; *spoil* turns a company's good orders into what is played."""
    opening = GAME.start(GAME.lay_out(setup), SeededDice(f"{seed}/0"))
    turns = []
    state: State = opening.state
    while GAME.awaiting(state):
        turns.append(_turn(setup, state, SeededDice(f"{seed}/{state.turn}"), spoil))
        state = turns[-1].outcome.state
    return opening, turns


@cache
def bots_game(companies: int, seed: str) -> tuple[Setup, Outcome, list[Turn]]:
    """Return a whole game of the built-in players."""
    setup = setup_of(companies)
    return setup, *play_game(setup, seed)


def _turn(setup: Setup, state: State, dice: SeededDice, spoil: Spoil | None) -> Turn:
    seen: dict[str, Any] = json.loads(json.dumps(GAME.view(state, None)))
    known = position_of(seen, state.table.board)
    orders: dict[str, tuple[Order, ...]] = {}
    complaints: list[Complaint] = []
    for code in (awaited.player for awaited in GAME.awaiting(state)):
        lines = write_orders(known, seen, code)
        orders[code], blamed = understood(GAME, state, code, lines)
        complaints += blamed
        if spoil is not None:
            orders[code] = spoil(state, code, orders[code])
    outcome = GAME.adjudicate(state, orders, dice)
    return Turn(before=state, orders=orders, complaints=tuple(complaints), outcome=outcome)
