"""A letter played by the rules on today's board, with everybody else silent: what it comes to, and its faults."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, takewhile
from typing import Any

from referee.core import Complaint, Pair, Param, complaint_of, of_alternative, of_kind
from referee.core.game import Forecast
from referee.core.record import NO_DICE

from . import events
from .auction import doubts_of, take
from .board import BARGAIN, EXTRA, PLANNING, SABOTAGE, SUBVENTION, Codes
from .building import do_build, site_fault
from .changes import Kind, Play
from .goods import card_count, do_new, fits, play_card
from .notation import (
    FIRST_EXTRA,
    SECOND_EXTRA,
    city_names,
    decisions_now,
    format_alternative,
    format_order,
    format_wish,
    group_name,
    sections_of,
    way_name,
)
from .routing import route_of, with_reason
from .state import (
    Bid,
    Build,
    Delivery,
    Extra,
    Item,
    Move,
    Order,
    Plan,
    Rank,
    Rearrange,
    Sabotage,
    Site,
    State,
    Steal,
    Subsidy,
    TakeBonds,
    What,
    When,
    about,
)
from .transport import card_fault, goes_with, has_turn, is_last, move, orders_for, play_beside, subsidy, subsidy_fault

Note = dict[str, Any]  # a sentence below an order: {what, …}

REFUSED: Note = {"what": "refused"}  # the order does nothing as things stand; a complaint says why
HEAVY = 20  # points of bonds whose interest hardly any income bears
NO_CARD, NO_CARD_YET = "illegal-no-card", "warning-no-card-yet"
# What is told of an alternative that only own orders before it spoil.
_SPOILT = {
    "illegal-no-track-card": "warning-card-gone",
    "illegal-link-taken": "warning-built-before",
    "illegal-too-dear": "warning-too-dear",
    "illegal-no-section": "warning-no-section",
    "illegal-no-cube": "warning-cube-gone",
    NO_CARD: "warning-card-spent",
}
_OPEN = {"illegal-bag-empty": "warning-bag-empty", "illegal-plan-no-trip": "warning-plan-no-trip"}  # by then


class _Forecast(Play):
    """``today`` is the ``actual`` position without anybody's sealed orders; upon it the letter is played. In both the player
    counts as last when extra trips begin. ``hoped``: cubes that Zusatzfracht may bring, by colour and name of the city; none of
    them lies on the board.
    """

    def __init__(self, state: State, player: str, orders: tuple[Order, ...]) -> None:
        table = state.table.but(options=state.options.but(subvention_when="start_of_extra_trips"))
        self.actual, self.today = state, state.but(table=table, subsidy_for=(player,), kept=())
        super().__init__(self.today, {player: orders}, NO_DICE)
        self.player = player
        self.hoped: list[Pair] = []
        self.told: list[tuple[Order, list[Note]]] = []
        self.complaints: dict[Complaint, None] = {}

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
        self.complaints[complaint] = None

    def play(self, doer: Callable[..., object], item: Item, *details: object) -> list[events.Event]:
        """Let a phase do its part; return all events, also those of what is drawn, which do not count."""
        began = len(self.events)
        doer(self, item, *details)
        played = self.events[began:]
        drawn = events.ExtraPlaced, events.ActionDrawn, events.NoCardLeft, events.PilesRenewed
        known = [event for event in played if not isinstance(event, drawn)]
        if known != played:
            self.begin_anew(self.today, (*self.events[:began], *known))
        return played

    def count_on(self, order: Subsidy | Extra | Plan, card: str) -> None:
        """Take a card into the hand that own trips before an extra trip may bring, and warn of it."""
        if self.today.draws_at_once and not card_count(self.today, self.player, card):
            self.note(card_fault(self, NO_CARD_YET, order, card))
            self.add(events.ActionDrawn(self.player, card=card, why="declined"))

    def foretell(self, fault: Complaint) -> Complaint:
        """Return a fault of the rules as it is told before they are applied."""
        code, hint, params = fault.code, fault.hint, dict(fault.params)
        if code == NO_CARD:
            then, count = (card_count(each, self.player, str(params["card"])) for each in (self.state, self.today))
            if then < count:
                code, params["count"] = _SPOILT[code], count
        elif code == "illegal-no-cube":
            colour, board, lying = params["colour"], self.today.board, self.state.cubes
            code = "warning-no-cube" if (colour, params["city"]) in self.hoped else code
            hint = city_names(board, (city.id for city in board.cities if colour in lying.get(city.id, ())))
        elif code == "illegal-no-track-card":
            hint = ", ".join(dict.fromkeys(self.today.hands[self.player]))
        return fault.but(code=_OPEN.get(code, code), hint=hint, params=tuple(params.items()))

    def weigh(
        self, order: Build | Move | Subsidy, alternatives: tuple[Site | Delivery, ...]
    ) -> tuple[list[Complaint | Codes], int]:
        """Complain of alternatives; return what becomes of each, and the place of the first that can be made, else -1. Beside
        that one faults are warnings; behind it own orders before it spoil none. Where only these spoil all, that is a fault.
        """
        results = [self._result(self.state, each) for each in alternatives]
        able = [place for place, each in enumerate(results) if not isinstance(each, Complaint)]
        first, found = next((place for place in able if results[place]), -1), list[Complaint]()
        for place in {*range(first + 1, len(results) if first >= 0 else 0)}.difference(able):
            today = self._result(self.today, alternatives[place])
            results[place] = results[place] if isinstance(today, Complaint) else today
        for place, (alternative, now) in enumerate(zip(alternatives, results, strict=True)):
            instead = format_alternative(self.today.board, alternatives[first]) if place < first else ""
            for fault in self._faults(alternative, now) if isinstance(now, Complaint) else ():
                if fault.code == NO_CARD and isinstance(order, Subsidy) and self.today.draws_at_once:
                    fault = fault.but(code=NO_CARD_YET)
                elif isinstance(alternative, Delivery):
                    fault = with_reason(self.today, self.player, alternative, fault)
                found.append(fault)
                self.note((fault if first < 0 else of_alternative(fault, instead)).but(line=order.line))
        if not able and all(fault.code in _SPOILT.values() for fault in found):
            self.complain("illegal-nothing-left", found[0].paragraph, order)
        return results, first

    def _result(self, state: State, each: Site | Delivery) -> Complaint | Codes:
        """Return what becomes of an alternative: a fault, the link, the route, or () where it gives the decision up."""
        if isinstance(each, Site):
            return site_fault(state, self.player, each) or ((each.link,) if each.link else ())
        return route_of(state, self.player, each) if each.colour else ()

    def _faults(self, each: Site | Delivery, now: Complaint) -> Iterator[Complaint]:
        """Yield what would be wrong with an alternative today, and how own orders before it spoil it."""
        today = self._result(self.today, each)
        is_same = isinstance(today, Complaint) and today.code == now.code
        # Own orders before it may mend some.
        if isinstance(today, Complaint) and (is_same or today.code not in ("illegal-no-cube", "illegal-not-connected")):
            yield self.foretell(today)
        if not is_same:
            is_spoilt = now.code in _SPOILT and now.code != NO_CARD
            yield now.but(code=_SPOILT[now.code]) if is_spoilt else self.foretell(now)
        if isinstance(each, Site) and each.bargain and not card_count(self.state, self.player, BARGAIN):
            yield self.foretell(complaint_of(NO_CARD, "V4.5", now.text, card=BARGAIN))

    def tell_bonds(self, item: Item) -> None:
        """Take the bonds: marks now, interest every round. Rule: V3.3, R5."""
        for order in self.own(TakeBonds):
            take(self, self.player)
            taken = of_kind(events.BondsTaken, self.events)[-1]
            bonds, cash, income = (each[self.player] for each in (self.state.bonds, self.state.cash, self.state.income))
            if taken.points < order.points:
                self.complain("warning-bonds-cut", "V3.3.1", order, asked=order.points, points=taken.points)
            # More interest than anybody earns, or than income and cash bear to the end of the game. Rule: V3.3.2
            rounds = self.today.numbers.rounds - self.today.round + 1
            if order.points and (bonds > HEAVY or (bonds - income) * rounds > cash):
                self.complain("warning-bonds-heavy", "V3.3.2", order, bonds=bonds, income=income, rounds=rounds)
            self.tell(order, {"what": "bonds", "money": taken.money, "cash": cash, "bonds": bonds})
        if not self.own(TakeBonds):
            self.note(complaint_of("note-no-bonds", "V7"))

    def tell_new(self, item: Item) -> None:
        """Lay the groups anew, if they can lie so. Rule: V4.8."""
        for order in self.own(Rearrange):
            (last,) = self.play(do_new, item)[-1:]
            if isinstance(last, events.OrderRefused):
                text = "NEW" if last.complaint.code == NO_CARD else format_order(self.today, order)
                self.note(last.complaint.but(text=text))
                self.tell(order, REFUSED)
            if isinstance(last, events.GroupsRearranged):
                laid = enumerate(last.groups, start=1)
                self.tell(order, *({"what": "group-after", "number": at, "colours": group} for at, group in laid))

    def tell_bid(self, item: Item) -> None:
        """Compare a bid with the cash there will be after the own bonds. Rule: V3.4.1, V6.3, DIFF 24, DIFF 67."""
        cash = self.state.cash[self.player]
        for order in self.own(Bid):
            for doubt in doubts_of(self.today, order, cash):
                self.note(doubt.but(text=format_order(self.today, order), line=order.line))
            self.tell(order, {"what": "purse", "cash": cash} if order.amounts else {"what": "pass"})
        if not self.own(Bid):
            two = len(self.today.codes) == 2
            self.note(complaint_of("note-no-bid-of-two", "V6.3") if two else complaint_of("note-no-bid", "V7"))

    def tell_choose(self, item: Item) -> None:
        """Say which of today's groups each wish names, the best first; others may lie them anew. Rule: V3.4.4, R7."""
        groups = self.state.groups
        for order in self.own(Rank):
            named = {
                wish: [number for number, group in enumerate(groups, start=1) if group and fits(group, number, wish)]
                for wish in order.wishes
            }
            hint = " / ".join(map(group_name, filter(None, groups)))
            best = next((wish for wish, numbers in named.items() if numbers), None)
            if not best:
                self.complain("illegal-no-group", "V3.4.4", order, hint=hint)
                self.tell(order, {"what": "no-group-today"})
                continue
            # Somebody's Alles neu may still make a group that is wished for in vain today.
            code, params = "warning-no-group-yet", {"instead": format_wish(best)}
            for wish in order.wishes:
                if wish == best:
                    code, params = "warning-no-group", {}
                elif not named[wish]:
                    self.complain(code, "V3.4.4", order, text=format_wish(wish), hint=hint, **params)
            found = [(place, groups[place - 1]) for place in dict.fromkeys(chain(*named.values()))]
            self.tell(order, *({"what": "group-today", "number": place, "colours": group} for place, group in found))
        # Where a bid alone is asked for, the choice comes later.
        if self.today.stage != "bid" and not self.own(Rank):
            self.note(complaint_of("note-no-rank", "V7"))

    def tell_build(self, item: Item) -> None:
        """Build, as if nobody else did; say which card goes where nothing was ordered. Rule: V3.5, R6."""
        if not self.state.hands[self.player]:
            return
        orders = [order for order in self.own(Build) if order.number == item.number]
        for order in orders:
            self.weigh(order, order.sites)
        done = self.play(do_build, item)[-1]
        cash, hand = self.state.cash[self.player], self.state.hands[self.player]
        note: Note = {}
        if isinstance(done, events.TrackCardDiscarded):
            note = {"what": "discarded", "colour": done.card, "cash": cash}
            if not orders:
                self.note(complaint_of("note-no-build", "V3.5.2", number=item.number, colour=done.card))
        elif isinstance(done, events.LinkBuilt):
            link = self.today.board.link_name(done.link)
            note = {"what": "built", "link": link, "colour": done.card, "cost": done.cost, "cash": cash}
        for order in orders:
            self.tell(order, note, *([{"what": "cards-left", "colours": hand}] if hand else []))

    def tell_move(self, item: Item) -> None:
        """Make a trip, as if nobody else did."""
        orders = orders_for(self, Move, item)
        for order in orders:
            self._tell_trip(order)
        if not orders:
            self.note(complaint_of("note-no-trip", "V3.6.5", trip=item.number))
        self.play(move, item)

    def tell_subsidy(self, asked: Item) -> None:
        """Make extra trips, as if the player were in last place; whether that comes is open. Rule: V4.4, DIFF 46, DIFF 47."""
        began = self.actual.subsidy_for or self.state.last_places()
        named = {order.trip for order in self.own(Subsidy)}
        follows = self.today.options.subvention_stack and named == {FIRST_EXTRA, SECOND_EXTRA}
        for trip in (FIRST_EXTRA, SECOND_EXTRA) if follows else (FIRST_EXTRA,):
            item = asked.but(number=trip)
            orders = orders_for(self, Subsidy, item)
            for order in orders:
                self.count_on(order, SUBVENTION)
            self.play_cards(item, "before")
            if not subsidy_fault(self.state, self.player):
                # The marker stands where it is when the extra trip begins, however far the trip itself then takes it.
                position = self.state.but(table=self.actual.table, subsidy_for=began)
                what = "if-last" if is_last(position, self.player) else "if-not-last"
                for order in orders:
                    self._tell_trip(order, {"what": what, "income": position.income[self.player]})
            for refused in (each.complaint for each in of_kind(events.OrderRefused, self.play(subsidy, item))):
                if refused.is_error and ("card", SUBVENTION) in refused.params:
                    self.note(self.foretell(refused))
                    order = next(each for each in self.own(Subsidy) if format_order(self.today, each) == refused.text)
                    self.tell(order, REFUSED)
            self.play_cards(item, "after")
        told = [order for order, _ in self.told]
        for extra in self.own(Extra):
            if extra.trip >= FIRST_EXTRA and extra not in told:
                self.complain("illegal-no-subsidy", "V4.7", extra)
                self.tell(extra, REFUSED)

    def _tell_trip(self, order: Move | Subsidy, *last: Note) -> None:
        """Tell every alternative up to DECLINE, and which one counts. Rule: V3.6.5."""
        notes: list[Note] = []
        upto = order.deliveries[: 1 + len([*takewhile(lambda each: each.colour, order.deliveries)])]
        results, first = self.weigh(order, upto)
        for place, (delivery, route) in enumerate(zip(upto, results, strict=True)):
            if isinstance(route, Complaint):
                notes.append({"what": "impossible" if place < first else "impossible-last", "text": route.text})
            elif route:
                steps = [{"code": code, "steps": count} for code, count in sections_of(self.state, route).items()]
                what, name = "route-fast" if delivery.loks else "route", way_name(self.today.board, route)
                notes.append({"what": what, "route": name, "length": len(route) - 1, "steps": steps})
            else:
                notes.append({"what": "declined-card" if self.today.declining_pays else "declined"})
        if len(upto) < len(order.deliveries):
            self.complain("note-after-decline", "V3.6.5", order)
        self.tell(order, *notes, *last)

    def play_cards(self, item: Item, when: When) -> None:
        """Play the cards that go with a decision, line by line; one that moves what Zusatzfracht may bring waits for it.

        Rule: V4.7, V4.9, R35.
        """
        name = self.today.board.name
        for order in (each for each in self.cubes_moved(self.player) if goes_with(each, when, item)):
            if item.what == "subsidy" and has_turn(self, item, when):
                self.count_on(order, EXTRA if isinstance(order, Extra) else PLANNING)
            played = self.play(play_beside, item, order)
            faults = [self.foretell(event.complaint) for event in of_kind(events.OrderRefused, played)]
            for fault in faults:
                self.note(fault)
            code = faults[0].code if faults else ""
            if isinstance(order, Extra):
                self.hoped += [] if faults else [(colour, name(city)) for colour, city in order.cities]
                if played:
                    self.tell(order, *([REFUSED] if code not in ("", "warning-bag-empty") else []))
            elif code == "warning-no-cube":
                play_card(self, self.player, PLANNING)
                self.hoped.append((order.colour, name(order.goal)))
                self.tell(order, {"what": "waits"})
            else:
                origin, goal = name(order.origin), name(order.goal)
                planned = {"what": "planned", "colour": order.colour, "origin": origin, "goal": goal}
                self.tell(order, REFUSED if faults else planned)

    def tell_standing(self) -> None:
        """Tell the sabotage that stands, orders kept from letters before, and whom cards are drawn from. Rule: V4.2, V9."""
        sabotages, count = self.own(Sabotage), card_count(self.today, self.player, SABOTAGE)
        hope = count or self.today.draws_at_once
        for place, order in enumerate(sabotages):
            if place >= count > 0:
                self.complain("warning-card-shared", "V4.6", order, card=SABOTAGE, count=count, orders=len(sabotages))
            elif place >= count:
                self.note(card_fault(self, NO_CARD_YET if hope else NO_CARD, order, SABOTAGE))
            self.tell(order, {"what": "stands"} if hope else REFUSED)
        for kept in (each.order for each in self.actual.kept if each.player == self.player):
            # A newer letter's order of that kind takes the place of a kept one.
            if not any(not isinstance(kept, Steal) or about(each) == about(kept) for each in self.own(type(kept))):
                self.tell(kept, {"what": "stands" if isinstance(kept, Sabotage) else "waits"})
        for steal in self.own(Steal):
            what = "waits-last" if steal.which == "last" else "waits-card" if steal.which else "waits"
            self.tell(steal, {"what": what, "number": steal.which})


TELLERS: Mapping[What, Callable[[_Forecast, Item], None]] = {
    "bonds": _Forecast.tell_bonds,
    "new": _Forecast.tell_new,
    "bid": _Forecast.tell_bid,
    "choose": _Forecast.tell_choose,
    "build": _Forecast.tell_build,
    "move": _Forecast.tell_move,
}


def forecast(state: State, player: str, orders: tuple[Order, ...]) -> Forecast:
    """Return each order in canonical form with what it comes to today, and what is wrong with it today.

    Nothing of anybody else's hand or orders is read. What others may still change is a warning, what is wrong whatever they do
    an error. ``lines`` leave out orders that do nothing as things stand. ``told``: ``entries``, a list of {line, at (the line of
    the letter), notes} in the order of the round; a note is {what, …}, a sentence of ``words.toml``, ``[forecast]``.
    """
    run = _Forecast(state, player, orders)
    for what, number in decisions_now(state) if orders else ():
        item = Item(what, number=number, player=player)
        if what == "subsidy":
            run.tell_subsidy(item)
        elif what in TELLERS:
            run.play_cards(item, "before")
            TELLERS[what](run, item)
            run.play_cards(item, "after")
    run.tell_standing()
    refused = [order for order, notes in run.told if REFUSED in notes]
    lines = tuple(format_order(state, order) for order in orders if order not in refused)
    entries = [{"line": format_order(state, order), "at": order.line, "notes": notes} for order, notes in run.told]
    return Forecast(lines=lines, told={"entries": entries}, complaints=tuple(run.complaints))
