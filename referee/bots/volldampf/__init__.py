"""A built-in player of Volldampf: it sees what is mailed to it (``Game.view``) and writes orders as a player would.

It plays sensibly, not brilliantly: track where cubes may soon roll over it, trips over its own sections, cards when they help.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from referee.core import Fields, Texts
from referee.games.volldampf.notation import decisions_now, format_order
from referee.games.volldampf.state import Order, State

from .. import SECOND
from .building import write_bid, write_bonds, write_builds, write_ranking, write_rearrangement
from .seeing import Viewpoint, position_of
from .trips import write_sabotage, write_steal, write_trips

WRITERS: Mapping[str, Callable[[Viewpoint], Sequence[Order]]] = {
    "new": write_rearrangement,
    "bonds": write_bonds,
    "bid": write_bid,
    "choose": write_ranking,
    "build": write_builds,
    "move": write_trips,
    "subsidy": write_trips,
}


def answer(seen: Fields, code: str, strength: str = SECOND, board: str = "") -> Texts:
    """Return a player's order lines for the position of a newsletter; PASS where they have nothing to say, or are not asked.

    *seen*: ``Game.view`` as mailed to them; *board*: the text of its board, "" where it comes with the game.
    """
    state = position_of(seen, board)
    return tuple(format_order(state, order) for order in choose_orders(state, seen, code, strength)) or ("PASS",)


def choose_orders(state: State, seen: Fields, code: str, strength: str = SECOND) -> tuple[Order, ...]:
    """Return a player's orders for what is asked now."""
    if seen["asked"] and seen["asked"]["player"] != code:
        return ()
    cards_out = seen["action_pile"] + sum(seen["action_discards"].values())
    seat = Viewpoint(state, code, tuple(seen["kept"]), cards_out, strength)
    now = tuple(dict.fromkeys(what for what, _ in decisions_now(state)))
    writers = tuple(dict.fromkeys(WRITERS[what] for what in now if what in WRITERS))
    orders = [order for write in writers for order in write(seat)]
    if {"build", "move", "subsidy"} & set(now):
        orders += write_sabotage(seat)
    return (*orders, *write_steal(seat))
