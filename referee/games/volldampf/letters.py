"""A turn being played: what players wrote for it, what the position keeps of what they wrote before, and the throws.

Sealed and early orders are looked up with ``Play.of``: this turn's letter counts, else what was kept. A sabotage outlives
its letter and is spent order by order, so it is moved into the position as soon as it arrives: read it with ``kept_orders``,
spend it with ``spend``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from referee.core.dice import Dice
from referee.core.game import Changes
from referee.core.orders import Complaint, of_kind
from referee.core.record import Record
from referee.games.volldampf import schedule
from referee.games.volldampf.changes import CHANGES
from referee.games.volldampf.events import Event, KeptDropped, OrderKept, OrderRefused
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
Thing = TypeVar("Thing", str, int)

# Phases 5 and 6. Rule: V9
SABOTAGE_STAGES = (
    schedule.LETTER_BUILD,
    schedule.LETTER_TRIPS,
    schedule.LETTER_TRIP,
    schedule.BUILD,
    schedule.MOVE,
    schedule.SUBSIDY,
)


class Play(Record[State, Event]):
    """``orders`` of a turn by player, the ``kept`` ones as they were when it began, and what is still on the ``agenda``."""

    def __init__(
        self,
        state: State,
        orders: Mapping[str, tuple[Order, ...]],
        dice: Dice,
        changes: Changes = CHANGES,
    ) -> None:
        super().__init__(state, changes, dice)
        self.orders = orders
        self.kept, self.agenda = state.kept, list(state.agenda)

    def fresh(self, kind: type[Kind], player: str) -> tuple[Kind, ...]:
        """Return the orders of a kind in a player's letter, in order of writing."""
        return of_kind(kind, self.orders.get(player, ()))

    def of(self, kind: type[Kind], player: str) -> tuple[Kind, ...]:
        """Return a player's orders of a kind: this letter's, else kept ones; in order of writing."""
        return self.fresh(kind, player) or kept_orders(self.kept, kind, player)

    def steals(self, player: str) -> dict[str, Steal]:
        """Return by ``which`` whom a player robs: as this letter says, else a kept one. Rule: V4.2."""
        both = (*kept_orders(self.kept, Steal, player), *self.fresh(Steal, player))
        return {order.which: order for order in both}

    def cubes_moved(self, player: str) -> tuple[Extra | Plan, ...]:
        """Return a player's Zusatzfracht and Neue Planung: this letter's, else kept ones; in order of writing. Rule: R35."""
        fresh = tuple(order for order in self.orders.get(player, ()) if isinstance(order, Extra | Plan))
        return fresh or self.of(Plan, player)

    def draw(self, pile: Mapping[Thing, int], kinds: tuple[Thing, ...], name: str) -> Thing:
        """Return what the throw *name* over all that is left gives, laid out in the order of *kinds*; the pile stays as it is.

        If a single kind is left nothing is thrown. Raises ValueError on an empty pile. Rule: V4.2.
        """
        laid = [kind for kind in kinds for _ in range(pile.get(kind, 0))]
        if not laid:
            raise ValueError(f"{name}: nothing left to draw")
        return laid[0] if laid[0] == laid[-1] else laid[self.dice.throw(name, len(laid)) - 1]

    def take(self, pile: dict[str, int], kinds: tuple[str, ...], name: str, count: int) -> list[str]:
        """Return *count* things drawn one after the other by throws ``name/1``, ``name/2`` …; they are out of the pile then."""
        taken = []
        for number in range(1, count + 1):
            taken.append(self.draw(pile, kinds, f"{name}/{number}"))
            pile[taken[-1]] -= 1
        return taken

    def refuse(self, player: str, complaint: Complaint) -> None:
        """Tell a player alone what was wrong: an alternative that failed shows what he planned."""
        self.add(OrderRefused(player=player, complaint=complaint, secret=True, paragraph=complaint.paragraph))

    def drop(self, kind: type[Kind], *players: str) -> None:
        """Take players' kept orders of a kind out of the position; without any everybody's: their moment is over."""
        for player in players or self.state.codes:
            if kept_orders(self.state.kept, kind, player):
                self.add(KeptDropped(player=player, order_kind=kind.__name__))

    def keep(self, kind: type[Kind], player: str, orders: tuple[Kind, ...]) -> None:
        """Keep orders in place of a player's older ones of that kind; without any the older ones stand."""
        if orders and orders != kept_orders(self.state.kept, kind, player):
            self.drop(kind, player)
            self.add_all(OrderKept(player=player, order=order) for order in orders)

    def spend(self, player: str, order: Order) -> None:
        """Take one kept order out of the position; others of its kind stay."""
        kind = type(order)
        left = list(kept_orders(self.state.kept, kind, player))
        left.remove(order)
        self.drop(kind, player)
        self.add_all(OrderKept(player=player, order=each) for each in left)


def kept_orders(kept: tuple[Kept, ...], kind: type[Kind], player: str) -> tuple[Kind, ...]:
    """Return a player's kept orders of a kind, in order of writing."""
    return of_kind(kind, [each.order for each in kept if each.player == player])


def keep_sabotage(play: Play) -> None:
    """Move the sabotages of letters of phases 5 and 6 into the position, where they stand until they match. Rule: V9."""
    if play.state.stage in SABOTAGE_STAGES:
        for player in play.state.codes:
            play.keep(Sabotage, player, play.fresh(Sabotage, player))


def keep_early(play: Play) -> None:
    """Keep what these letters say for a moment that is still on the agenda. Rule: V9."""
    for player in play.state.codes:
        for kind in _still_to_come(play, player):
            play.keep(kind, player, play.fresh(kind, player))
        play.keep(Steal, player, tuple(play.steals(player).values()))
        if _chooses(play.agenda, player):
            plans = tuple(plan for plan in play.fresh(Plan, player) if plan.what == schedule.CHOOSE)
            play.keep(Plan, player, plans)


def _still_to_come(play: Play, player: str) -> tuple[type[Order], ...]:
    """Return the kinds of orders whose moment is still ahead."""
    whats = {item.what for item in play.agenda}
    ahead = (
        (TakeBonds, schedule.REVEAL in whats),
        (Rearrange, schedule.NEW in whats),
        (Bid, schedule.AUCTION in whats and not is_live(play.state)),
        (Rank, _chooses(play.agenda, player)),
    )
    return tuple(kind for kind, open_ in ahead if open_)


def _chooses(agenda: list[Item], player: str) -> bool:
    """Return whether a player's choice of a group is still to come; what goes with it may be sent with his bid."""
    return any(
        item.what == schedule.AUCTION or (item.what == schedule.CHOOSE and item.player == player) for item in agenda
    )
