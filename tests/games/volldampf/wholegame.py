"""Plays whole games in memory: lines, which built-in players write or once wrote, are read as a letter's."""

from __future__ import annotations

import json
from collections.abc import Mapping

from referee.bots.volldampf import answer
from referee.core.dice import SeededDice
from referee.core.game import TOGETHER, Option, Outcome, Player, Setup
from referee.core.orders import Complaint
from referee.core.values import Value
from referee.games.volldampf import GAME
from referee.games.volldampf.state import Order, State
from tests.games import lines as letters
from tests.games.recorded import Lines, Writer, Written

BOARD = "deutschland-1925"
CODES = ("ANN", "BOB", "CID", "DOT", "EVA", "FRI")


class Turn(Value):
    """One turn: the position, what each player's letter was understood as and blamed for, and what came of it."""

    before: State
    lines: Written
    orders: Mapping[str, tuple[Order, ...]]
    complaints: tuple[Complaint, ...]
    outcome: Outcome


def setup_of(players: int, preset: str = "post", pace: str = TOGETHER, **options: Option) -> Setup:
    """Return what is agreed for a game of that many players."""
    seats = tuple(
        Player(code=code, colour=GAME.colours[place], name=code.title()) for place, code in enumerate(CODES[:players])
    )
    return Setup(
        game="volldampf",
        board_name=BOARD,
        board=GAME.board_text(BOARD),
        preset=preset,
        options=tuple(options.items()),
        players=seats,
        pace=pace,
    )


def understood(state: State, player: str, lines: tuple[str, ...]) -> tuple[tuple[Order, ...], tuple[Complaint, ...]]:
    """Return the orders of a letter with these lines, and every complaint about it, those of its forecast too."""
    orders, complaints = letters.understood(GAME, state, player, lines)
    return orders, (*complaints, *GAME.forecast(state, player, orders).complaints)


def opened(setup: Setup, seed: str) -> Outcome:
    """Return the opening of a game."""
    return GAME.start(GAME.lay_out(setup), SeededDice(f"{seed}/0"))


def built_in(state: State, player: str) -> Lines:
    """Return what a built-in player writes to what it is mailed."""
    return answer(json.loads(json.dumps(GAME.view(state, player))), player)


def play_turn(state: State, seed: str, writer: Writer = built_in) -> Turn:
    """Play the turn that is asked for."""
    lines = {awaited.player: writer(state, awaited.player) for awaited in GAME.awaiting(state)}
    orders: dict[str, tuple[Order, ...]] = {}
    complaints: list[Complaint] = []
    for code, written in lines.items():
        orders[code], blamed = understood(state, code, written)
        complaints += blamed
    outcome = GAME.adjudicate(state, orders, SeededDice(f"{seed}/{state.turn}"))
    return Turn(before=state, lines=lines, orders=orders, complaints=tuple(complaints), outcome=outcome)


def play_game(setup: Setup, seed: str, writer: Writer = built_in) -> tuple[Outcome, list[Turn]]:
    """Play from the opening to the end; *writer* writes everybody's lines."""
    opening = opened(setup, seed)
    turns: list[Turn] = []
    state: State = opening.state
    while GAME.awaiting(state):
        turns.append(play_turn(state, seed, writer))
        state = turns[-1].outcome.state
    return opening, turns
