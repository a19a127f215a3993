"""A built-in player of Volldampf: it sees what is mailed to it (``Game.view``) and writes orders as a player would.

It plays sensibly, not brilliantly: track where cubes may soon roll over it, trips over its own sections, cards when they help.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bench.before.volldampf.building import write_builds
from bench.before.volldampf.opening import write_bid, write_bonds, write_ranking, write_rearrangement
from bench.before.volldampf.seeing import Seat, position_of
from bench.before.volldampf.trips import write_sabotage, write_steal, write_trips
from referee.games.volldampf import GAME
from referee.games.volldampf.board.boardfile import board_of
from referee.games.volldampf.notation import decisions_now, format_order
from referee.games.volldampf.state import Order, State

WRITERS: Mapping[str, Callable[[Seat], Sequence[Order]]] = {
    "new": write_rearrangement,
    "bonds": write_bonds,
    "bid": write_bid,
    "choose": write_ranking,
    "build": write_builds,
    "move": write_trips,
    "subsidy": write_trips,
}


def answer(seen: Mapping[str, Any], code: str) -> tuple[str, ...]:
    """Return a player's order lines for the position of a newsletter, on a board that comes with the game.

    *seen*: ``Game.view`` as mailed to them.
    """
    return write_orders(_position(seen), seen, code)


def answer_with_orders(seen: Mapping[str, Any], code: str) -> tuple[Order, ...]:
    """Return the same as order values, for one who does not go through the order language."""
    return choose_orders(_position(seen), seen, code)


def _position(seen: Mapping[str, Any]) -> State:
    return position_of(seen, board_of(GAME.board_text(seen["board"]), seen["board"]))


def write_orders(state: State, seen: Mapping[str, Any], code: str) -> tuple[str, ...]:
    """Return a player's order lines for what is asked now; PASS where they have nothing to say, or are not asked."""
    return tuple(format_order(state, order) for order in choose_orders(state, seen, code)) or ("PASS",)


def choose_orders(state: State, seen: Mapping[str, Any], code: str) -> tuple[Order, ...]:
    """Return the same as order values."""
    if seen["asked"] and seen["asked"]["player"] != code:
        return ()
    cards_out = seen["action_pile"] + sum(seen["action_discards"].values())
    seat = Seat(state, code, tuple(seen["kept"]), cards_out)
    now = tuple(dict.fromkeys(what for what, _ in decisions_now(state)))
    writers = tuple(dict.fromkeys(WRITERS[what] for what in now if what in WRITERS))
    orders = [order for write in writers for order in write(seat)]
    if {"build", "move", "subsidy"} & set(now):
        orders += write_sabotage(seat)
    return (*orders, *write_steal(seat))
