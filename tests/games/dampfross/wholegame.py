"""Plays whole games in memory: order lines, which built-in players write or once wrote, are read as a letter would be."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from referee.bots.dampfross import write_orders
from referee.bots.dampfross.seeing import position_of
from referee.core import Complaint, Complaints, SeededDice, Value
from referee.core.game import TOGETHER, Outcome, Player, Setup
from referee.games.dampfross import GAME
from referee.games.dampfross.state import Order, State
from tests.games.lines import understood
from tests.games.recorded import Lines, Writer, Written

CODES = ("GSW", "MGW", "BNC", "DSE", "GNR", "CDR")

Spoil = Callable[[State, str, tuple[Order, ...]], tuple[Order, ...]]


class Turn(Value):
    """One turn: the position, what each player wrote, what it was understood as, and what came of it."""

    before: State
    lines: Written
    orders: Mapping[str, tuple[Order, ...]]
    complaints: Complaints
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


class BuiltIn:
    """Writes what the built-in players write; a position is shown to them once."""

    def __init__(self) -> None:
        self._shown: tuple[State, dict[str, Any], State] | None = None

    def __call__(self, state: State, player: str) -> Lines:
        if self._shown is None or self._shown[0] is not state:
            seen: dict[str, Any] = json.loads(json.dumps(GAME.view(state, None)))
            self._shown = (state, seen, position_of(seen, state.table.board))
        _, seen, known = self._shown
        return write_orders(known, seen, player)


def play_game(
    setup: Setup, seed: str, writer: Writer | None = None, spoil: Spoil | None = None
) -> tuple[Outcome, list[Turn]]:
    """Play from the opening to the end.

    *writer* writes everybody's lines, the built-in players if None; *spoil* turns a company's good orders into what is played.
    """
    writer = writer or BuiltIn()
    opening = GAME.start(GAME.lay_out(setup), SeededDice(f"{seed}/0"))
    turns = []
    state: State = opening.state
    while GAME.awaiting(state):
        turns.append(_turn(state, SeededDice(f"{seed}/{state.turn}"), writer, spoil))
        state = turns[-1].outcome.state
    return opening, turns


def _turn(state: State, dice: SeededDice, writer: Writer, spoil: Spoil | None) -> Turn:
    lines = {awaited.player: writer(state, awaited.player) for awaited in GAME.awaiting(state)}
    orders: dict[str, tuple[Order, ...]] = {}
    complaints: list[Complaint] = []
    for code, written in lines.items():
        orders[code], blamed = understood(GAME, state, code, written)
        complaints += blamed
        if spoil:
            orders[code] = spoil(state, code, orders[code])
    outcome = GAME.adjudicate(state, orders, dice)
    return Turn(before=state, lines=lines, orders=orders, complaints=tuple(complaints), outcome=outcome)
