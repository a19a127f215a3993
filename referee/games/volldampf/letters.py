"""What players wrote for this turn, and what the position keeps of what they wrote before.

Sealed and early orders are looked up with ``Letters.of``: this turn's letter counts, else what was kept. A sabotage outlives
its letter and is spent order by order, so it is moved into the position as soon as it arrives: read it with ``kept_orders``,
spend it with ``spend``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from referee.core.orders import Complaint, of_kind
from referee.games.volldampf import schedule
from referee.games.volldampf.changes import Record
from referee.games.volldampf.events import KeptDropped, OrderKept, OrderRefused
from referee.games.volldampf.schedule import is_live
from referee.games.volldampf.state import (
    Bid,
    Extra,
    Item,
    Kept,
    Order,
    Plan,
    Rank,
    Rearrange,
    Sabotage,
    State,
    Steal,
    TakeBonds,
)

Kind = TypeVar("Kind", bound=Order)

# Phases 5 and 6. Rule: V9
SABOTAGE_STAGES = (
    schedule.LETTER_BUILD,
    schedule.LETTER_TRIPS,
    schedule.LETTER_TRIP,
    schedule.BUILD,
    schedule.MOVE,
    schedule.SUBSIDY,
)


class Letters:
    """The orders of a turn by player, and the kept ones as they were when it began."""

    def __init__(self, orders: Mapping[str, tuple[Order, ...]], kept: tuple[Kept, ...]) -> None:
        self.orders = orders
        self.kept = kept

    def of(self, kind: type[Kind], player: str) -> tuple[Kind, ...]:
        """Return a player's orders of a kind: this letter's, else kept ones; in order of writing."""
        fresh = of_kind(kind, self.orders.get(player, ()))
        return fresh or of_kind(kind, tuple(each.order for each in self.kept if each.player == player))

    def steals(self, player: str) -> dict[str, Steal]:
        """Return by ``which`` whom a player robs: as this letter says, else a kept one. Rule: V4.2."""
        kept = (each.order for each in self.kept if each.player == player)
        both = of_kind(Steal, (*kept, *self.orders.get(player, ())))
        return {order.which: order for order in both}

    def cubes_moved(self, player: str) -> tuple[Extra | Plan, ...]:
        """Return a player's Zusatzfracht and Neue Planung: this letter's, else kept ones; in order of writing. Rule: R35."""
        fresh = tuple(order for order in self.orders.get(player, ()) if isinstance(order, Extra | Plan))
        return fresh or self.of(Plan, player)

    def silent(self, player: str) -> bool:
        """Return whether nothing came from that player. Rule: DIFF 71."""
        return player not in self.orders


def refuse(record: Record, player: str, complaint: Complaint) -> None:
    """Tell a player alone what was wrong: an alternative that failed shows what he planned."""
    record.add(OrderRefused(player=player, complaint=complaint, secret=True, paragraph=complaint.paragraph))


def kept_orders(state: State, kind: type[Kind], player: str) -> tuple[Kind, ...]:
    """Return a player's kept orders of a kind, in order of writing."""
    return of_kind(kind, tuple(each.order for each in state.kept if each.player == player))


def drop(record: Record, kind: type[Kind], player: str) -> None:
    """Take a player's kept orders of a kind out of the position."""
    if kept_orders(record.state, kind, player):
        record.add(KeptDropped(player=player, order_kind=kind.__name__))


def drop_all(record: Record, kind: type[Kind]) -> None:
    """Take everybody's kept orders of a kind out of the position: their moment is over."""
    for player in record.state.codes:
        drop(record, kind, player)


def keep(record: Record, kind: type[Kind], player: str, orders: tuple[Kind, ...]) -> None:
    """Keep orders in place of a player's older ones of that kind; without any the older ones stand."""
    if not orders or orders == kept_orders(record.state, kind, player):
        return
    drop(record, kind, player)
    record.add_all(OrderKept(player=player, order=order) for order in orders)


def spend(record: Record, player: str, order: Order) -> None:
    """Take one kept order out of the position; others of its kind stay."""
    kind = type(order)
    left = list(kept_orders(record.state, kind, player))
    left.remove(order)
    drop(record, kind, player)
    record.add_all(OrderKept(player=player, order=each) for each in left)


def keep_sabotage(record: Record, letters: Letters) -> None:
    """Move the sabotages of letters of phases 5 and 6 into the position, where they stand until they match. Rule: V9."""
    if record.state.stage in SABOTAGE_STAGES:
        for player in record.state.codes:
            keep(record, Sabotage, player, of_kind(Sabotage, letters.orders.get(player, ())))


def keep_early(record: Record, letters: Letters, agenda: list[Item]) -> None:
    """Keep what these letters say for a moment that is still on the *agenda*. Rule: V9."""
    for player in record.state.codes:
        own = letters.orders.get(player, ())
        for kind in _still_to_come(record.state, agenda, player):
            keep(record, kind, player, of_kind(kind, own))
        keep(record, Steal, player, tuple(letters.steals(player).values()))
        if _chooses(agenda, player):
            keep(record, Plan, player, tuple(plan for plan in of_kind(Plan, own) if plan.what == schedule.CHOOSE))


def _still_to_come(state: State, agenda: list[Item], player: str) -> tuple[type[Order], ...]:
    """Return the kinds of orders whose moment is still ahead."""
    whats = {item.what for item in agenda}
    sealed = schedule.AUCTION in whats and not is_live(state)
    ahead = (
        (TakeBonds, schedule.REVEAL in whats),
        (Rearrange, schedule.NEW in whats),
        (Bid, sealed),
        (Rank, _chooses(agenda, player)),
    )
    return tuple(kind for kind, open_ in ahead if open_)


def _chooses(agenda: list[Item], player: str) -> bool:
    """Return whether a player's choice of a group is still to come; what goes with it may be sent with his bid."""
    return any(
        item.what == schedule.AUCTION or (item.what == schedule.CHOOSE and item.player == player) for item in agenda
    )
