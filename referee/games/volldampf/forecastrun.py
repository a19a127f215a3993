"""A letter played by the rules on today's board, with everybody else silent: what it has come to so far, and its faults."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from referee.core import Pair
from referee.core.orders import Complaint, Param, complaint_of, of_alternative, of_kind
from referee.core.record import NO_DICE

from . import events
from .board import EXTRA, PLANNING
from .changes import Kind, Play
from .events import Event, OrderRefused
from .goods import held, play_card
from .notation import city_names, format_order
from .schedule import draws_at_once
from .state import Extra, Item, Order, Plan, State
from .transport import goes_with, has_turn, play_beside

Note = dict[str, Any]  # a sentence below an order: {what, …}

REFUSED: Note = {"what": "refused"}  # the order does nothing as things stand; a complaint says why
NO_CARD, NO_CARD_YET = "illegal-no-card", "warning-no-card-yet"
# What comes from a pile, which nobody knows.
_DRAWN = (events.ExtraPlaced, events.ActionDrawn, events.NoCardLeft, events.PilesRenewed)
# What is told of an alternative that only own orders before it spoil.
_SPOILT = {
    "illegal-no-track-card": "warning-card-gone",
    "illegal-link-taken": "warning-built-before",
    "illegal-too-dear": "warning-too-dear",
    "illegal-no-section": "warning-no-section",
    "illegal-no-cube": "warning-cube-gone",
    NO_CARD: "warning-card-spent",
}
_CURABLE = ("illegal-no-cube", "illegal-not-connected")  # what own orders before it may mend
_OPEN = {
    "illegal-bag-empty": "warning-bag-empty",
    "illegal-plan-no-trip": "warning-plan-no-trip",
}  # may be otherwise then


class ForecastRun(Play):
    """``today`` is the ``actual`` position without anybody's sealed orders; upon it the letter is played.

    In both the player counts as last when extra trips begin. ``hoped``: cubes that Zusatzfracht may bring, by colour and city;
    none of them lies on the board.
    """

    def __init__(self, state: State, player: str, orders: tuple[Order, ...]) -> None:
        table = replace(state.table, options=replace(state.options, subvention_when="start_of_extra_trips"))
        self.actual, self.today = state, replace(state, table=table, subsidy_for=(player,), kept=())
        super().__init__(self.today, {player: orders}, NO_DICE)
        self.player = player
        self.hoped: list[Pair] = []
        self.told: list[tuple[Order, list[Note]]] = []
        self.complaints: list[Complaint] = []

    def own(self, kind: type[Kind]) -> tuple[Kind, ...]:
        """Return the letter's orders of a kind, in order of writing."""
        return self.fresh(kind, self.player)

    def tell(self, order: Order, *notes: Note) -> None:
        """Write down what an order comes to, once."""
        if (order, [*notes]) not in self.told:
            self.told.append((order, [*notes]))

    def complain(
        self, code: str, paragraph: str, order: Order, text: str = "", hint: str = "", **params: Param
    ) -> None:
        """Say what is wrong with an order."""
        self.note(complaint_of(code, paragraph, text or format_order(self.today, order), order.line, hint, **params))

    def note(self, complaint: Complaint) -> None:
        """Note what is wrong, once."""
        if complaint not in self.complaints:
            self.complaints.append(complaint)

    def play(self, doer: Callable[..., object], item: Item, *details: object) -> list[Event]:
        """Let a phase do its part; return all events, also those of what is drawn, which do not count."""
        began = len(self.events)
        doer(self, item, *details)
        played = self.events[began:]
        known = [event for event in played if not isinstance(event, _DRAWN)]
        if known != played:
            self.begin_anew(self.today, (*self.events[:began], *known))
        return played

    def play_cards(self, item: Item, when: str) -> None:
        """Play the cards that go with a decision, line by line. Rule: V4.7, V4.9, R35."""
        for order in self.cubes_moved(self.player):
            if goes_with(order, when, item):
                self._play_card(order, item, when)

    def may_draw(self) -> bool:
        """Return whether a trip of his own, declined or barred, may still bring an action card to play in this phase."""
        return draws_at_once(self.today) and self.today.stage != "subsidy"

    def count_on(self, order: Order, card: str, paragraph: str) -> None:
        """Take a card into the hand that own trips before an extra trip may bring, and warn of it."""
        if self.may_draw() and not held(self.today, self.player, card):
            self.complain(NO_CARD_YET, paragraph, order, card=card)
            self.add(events.ActionDrawn(self.player, card=card, why="declined"))

    def expected(self, fault: Complaint, cube: Pair = ("", "")) -> Complaint:
        """Return a fault of the rules as it is told before they are applied. *cube*: colour and city of what is moved."""
        code, hint, params = fault.code, fault.hint, dict(fault.params)
        if code == NO_CARD:
            then, count = (held(each, self.player, str(params["card"])) for each in (self.state, self.today))
            if then < count:
                code, params["count"] = _SPOILT[code], count
        elif code == "illegal-no-cube":
            code = "warning-no-cube" if cube in self.hoped else code
            board, lying = self.today.board, self.state.cubes
            hint = city_names(board, (city.id for city in board.cities if cube[0] in lying.get(city.id, ())))
        elif code == "illegal-no-track-card":
            hint = ", ".join(dict.fromkeys(self.today.hands[self.player]))
        return replace(fault, code=_OPEN.get(code, code), hint=hint, params=tuple(params.items()))

    def after_own(self, now: Complaint, today: Complaint | None, cube: Pair = ("", "")) -> Iterator[Complaint]:
        """Yield what is told of an alternative: what would be wrong with it *today*, and how own orders before it spoil it."""
        is_same = today is not None and today.code == now.code
        if today is not None and (is_same or today.code not in _CURABLE):
            yield self.expected(today, cube)
        if now.code in _SPOILT and now.code != NO_CARD and not is_same:
            yield replace(now, code=_SPOILT[now.code])
        elif not is_same:
            yield self.expected(now, cube)

    def weigh(self, order: Order, tried: list[tuple[str, list[Complaint]]], serving: int | None, *, idle: bool) -> None:
        """Complain of alternatives, each with its text; they are warnings where the one at *serving* can be made.

        *idle*: nothing of the order can be done; where only own orders spoil it all, that is a fault.
        """
        for place, (_, faults) in enumerate(tried):
            instead = tried[serving or 0][0] if place < (serving or 0) else ""
            for fault in faults:
                told = fault if serving is None else of_alternative(fault, instead)
                self.note(replace(told, line=order.line))
        found = [fault for _, faults in tried for fault in faults]
        if idle and all(fault.code in _SPOILT.values() for fault in found):
            self.complain("illegal-nothing-left", found[0].paragraph, order)

    def _play_card(self, order: Extra | Plan, item: Item, when: str) -> None:
        """Play a card beside a decision; one that moves what Zusatzfracht may bring waits for it."""
        card, paragraph = (EXTRA, "V4.7") if isinstance(order, Extra) else (PLANNING, "V4.9")
        if item.what == "subsidy" and has_turn(self, item, when):
            self.count_on(order, card, paragraph)
        played = self.play(play_beside, item, order)
        cube = ("", "") if isinstance(order, Extra) else (order.colour, order.origin)
        faults = [self.expected(event.complaint, cube) for event in of_kind(OrderRefused, played)]
        for fault in faults:
            self.note(fault)
        code = faults[0].code if faults else ""
        if isinstance(order, Extra):
            self.hoped += () if faults else order.cities
            if played:
                self.tell(order, *([REFUSED] if code not in ("", "warning-bag-empty") else []))
        elif code == "warning-no-cube":
            play_card(self, self.player, PLANNING)
            self.hoped.append((order.colour, order.goal))
            self.tell(order, {"what": "waits"})
        else:
            start, goal = (self.today.board.name(city) for city in (order.origin, order.goal))
            planned = {"what": "planned", "colour": order.colour, "origin": start, "goal": goal}
            self.tell(order, REFUSED if faults else planned)
