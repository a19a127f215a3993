"""A letter reckoned through on today's board, order by order: what it has come to so far, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Container
from typing import Any, TypeVar

from referee.core.orders import Complaint, Param, of_alternative
from referee.games.volldampf.board.board import PLANNING
from referee.games.volldampf.phase.piles import held, play_card
from referee.games.volldampf.phase.planning import goes_with, may_plan
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.asking import draws_at_once
from referee.games.volldampf.position.changes import CHANGES, Record
from referee.games.volldampf.position.events.transport import CubePlanned
from referee.games.volldampf.position.notation import format_order
from referee.games.volldampf.position.orders import AFTER, BEFORE, Order, Plan
from referee.games.volldampf.position.state import State

Kind = TypeVar("Kind", bound=Order)
Note = dict[str, Any]  # a sentence below an order: {what, …}
Hoped = tuple[tuple[str, str], ...]  # cubes that Zusatzfracht may bring: (colour, city)

REFUSED: Note = {"what": "refused"}  # the order does nothing as things stand; a complaint says why


class Foresight:
    """*state* stays the position of today; ``record`` is the one after what has been reckoned of the letter."""

    def __init__(self, state: State, player: str, orders: tuple[Order, ...]) -> None:
        self.state = state
        self.board = state.table.board
        self.player = player
        self.orders = orders
        self.record = Record(state, CHANGES)
        self.cash = state.cash.get(player, 0)
        self.groups = state.groups
        self.told: list[tuple[Order, list[Note]]] = []
        self.complaints: list[Complaint] = []
        self.has_better = False  # the alternative that is looked at stands beside one that can be made
        self.instead = ""  # that one, where it stands behind

    def of(self, kind: type[Kind]) -> tuple[Kind, ...]:
        """Return the letter's orders of a kind, in order of writing."""
        return tuple(order for order in self.orders if isinstance(order, kind))

    def holds(self, card: str) -> bool:
        """Return whether the player still has an action card after what has been reckoned."""
        return bool(held(self.record.state, self.player, card))

    def line_of(self, order: Order) -> str:
        """Return an order in canonical form."""
        return format_order(self.state, order)

    def tell(self, order: Order, *notes: Note) -> None:
        """Write down what an order comes to."""
        self.told.append((order, list(notes)))

    def complain(
        self, code: str, paragraph: str, order: Order, text: str = "", hint: str = "", **params: Param
    ) -> None:
        """Say what is wrong with an order."""
        complaint = Complaint(
            code=code,
            line=order.line,
            text=text or self.line_of(order),
            paragraph=paragraph,
            hint=hint,
            params=tuple(params.items()),
        )
        self.add(complaint)

    def add(self, complaint: Complaint) -> None:
        """Note what is wrong, once; with an alternative that an order has beside a better one it is a warning."""
        complaint = of_alternative(complaint, self.instead) if self.has_better else complaint
        if complaint not in self.complaints:
            self.complaints.append(complaint)

    def beside(self, place: int, serving: int | None, instead: str) -> None:
        """Look at the alternative at *place* of an order of which the one at *serving* can be made; *instead* is its text."""
        self.has_better = serving is not None
        self.instead = instead if serving is not None and place < serving else ""

    def ask_back(self, order: Order, since: int, spoilt: Container[str]) -> None:
        """Call an order faulty that asks only for what own orders before it spoil: as things stand it does nothing.

        *since*: how many complaints there were before it; *spoilt*: codes of complaints that say so.
        """
        found = self.complaints[since:]
        if found and all(each.code in spoilt for each in found):
            self.complain("illegal-nothing-left", found[0].paragraph, order)

    def may_draw(self) -> bool:
        """Return whether a trip of his own, declined or barred, may still bring an action card to play in this phase."""
        return draws_at_once(self.state) and self.state.stage != stages.SUBSIDY

    def may_play(self, order: Order, card: str, paragraph: str, text: str = "", *, later: bool = False) -> bool:
        """Return whether an action card is in hand for an order; complain if it is not, or own orders before it play it.

        *later*: own trips come before this order, so that a card may still be drawn for it: reckoned with, and warned of.
        """
        count = held(self.state, self.player, card)
        if not count and later and self.may_draw():
            self.complain("warning-no-card-yet", paragraph, order, text=text, card=card)
            return True
        if not count:
            self.complain("illegal-no-card", paragraph, order, text=text, card=card)
        elif not self.holds(card):
            self.complain("warning-card-spent", paragraph, order, text=text, card=card, count=count)
        return self.holds(card)

    def play(self, card: str) -> None:
        """Play an action card; one that is still to be drawn is in nobody's hand."""
        if self.holds(card):
            play_card(self.record, self.player, card)

    def plans(self, what: str, number: int, *, before: bool, over: bool = False) -> None:
        """Move the cubes that Neue Planung moves before or after a decision. Rule: V4.9.

        *over*: the decision ended the player's turn, so nothing is played after it. Rule: R15.
        """
        for order in self.of(Plan):
            if goes_with(order, BEFORE if before else AFTER, what, number):
                self.plan(order, over=over)

    def plan(self, order: Plan, *, over: bool = False, hoped: Hoped = ()) -> Hoped:
        """Move the cube of a Neue Planung. Return where it lies then if it must come out of the bag first.

        *hoped*: the cubes that a Zusatzfracht before it may bring. Rule: R35.
        """
        if self._is_spoilt(order, over, hoped):
            self.tell(order, REFUSED)
            return ()
        self.play(PLANNING)
        if not self._lies_there(order):
            self.tell(order, {"what": "waits"})
            return ((order.colour, order.goal),)
        self.record.add(CubePlanned(player=self.player, colour=order.colour, origin=order.origin, goal=order.goal))
        start, goal = (self.board.city(city).name for city in (order.origin, order.goal))
        self.tell(order, {"what": "planned", "colour": order.colour, "origin": start, "goal": goal})
        return ()

    def _is_spoilt(self, order: Plan, over: bool, hoped: Hoped) -> bool:
        """Return whether something keeps a Neue Planung from being played; complain of it, and of a cube that is not there."""
        if not may_plan(self.state, order.what):
            phases = self.state.table.options.neue_planung_phases
            self.complain("illegal-plan-phase", "V4.9", order, phases=phases)
            return True
        if not self.may_play(order, PLANNING, "V4.9", later=order.what == stages.SUBSIDY and not over):
            return True
        if over:
            self.complain("warning-plan-no-trip", "V4.9", order)
            return True
        if self._lies_there(order):
            return False
        hint = where_cubes_lie(self.record.state, order.colour)
        city = self.board.city(order.origin).name
        is_hoped = (order.colour, order.origin) in hoped
        code = "warning-no-cube" if is_hoped else "illegal-no-cube"
        self.complain(code, "V4.9", order, hint=hint, colour=order.colour, city=city)
        return not is_hoped

    def _lies_there(self, order: Plan) -> bool:
        return order.colour in self.record.state.cubes.get(order.origin, ())


def where_cubes_lie(state: State, colour: str) -> str:
    """Return the cities with a cube of that colour, in the order of the board: ``Magdeburg, Hamburg``."""
    cities = state.table.board.cities
    return ", ".join(city.name for city in cities if colour in state.cubes.get(city.id, ()))
