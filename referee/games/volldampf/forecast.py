"""What a player's orders would do on today's board if nobody else moved. Nothing of anybody else's hand or orders is read."""

from __future__ import annotations

from itertools import takewhile

from msgspec.structs import replace

from referee.core.game import Forecast
from referee.core.orders import Complaint, complaint_of

from .auction import RANGE, do_reveal, least_bid
from .board import BARGAIN, SABOTAGE, SUBVENTION
from .building import do_build, site_fault
from .events import BondsTaken, GroupsRearranged, LinkBuilt, OrderRefused, TrackCardDiscarded
from .forecastrun import NO_CARD, NO_CARD_YET, REFUSED, ForecastRun, Note
from .goods import do_new, fits, held
from .notation import (
    format_delivery,
    format_order,
    format_site,
    format_wish,
    group_name,
    sections_of,
    way_name,
)
from .routing import best_route, route_of, why_no_route
from .schedule import FIRST_EXTRA, SECOND_EXTRA, decisions_now, declining_pays
from .state import (
    DECLINED,
    Bid,
    Build,
    Delivery,
    Extra,
    Item,
    Move,
    Order,
    Rank,
    Rearrange,
    Sabotage,
    Site,
    State,
    Steal,
    Subsidy,
    TakeBonds,
    about,
)
from .transport import is_last, move, orders_for, subsidy, subsidy_fault

HEAVY = 20  # points of bonds whose interest hardly any income bears


class _Forecast(ForecastRun):
    """What a letter comes to: ``tell_bonds`` tells its decision ``bonds``, and so on, in the order of the round."""

    def tell_bonds(self, item: Item) -> None:
        """Take the bonds: marks now, interest every round. Rule: V3.3, R5."""
        for order in self.own(TakeBonds):
            taken = next(
                each
                for each in self.play(do_reveal, item)
                if isinstance(each, BondsTaken) and each.player == self.player
            )
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
            if isinstance(last, OrderRefused):
                text = "NEW" if last.complaint.code == NO_CARD else format_order(self.today, order)
                self.note(replace(last.complaint, text=text))
                self.tell(order, REFUSED)
            if isinstance(last, GroupsRearranged):
                groups = enumerate(last.groups, start=1)
                self.tell(
                    order, *({"what": "group-after", "number": number, "colours": group} for number, group in groups)
                )

    def tell_bid(self, item: Item) -> None:
        """Compare a bid with the cash there will be after the own bonds. Rule: V3.4.1, V6.3, DIFF 24, DIFF 67."""
        cash, two = self.state.cash[self.player], len(self.today.codes) == 2
        for order in self.own(Bid):
            most = max(order.amounts, default=0)
            if most > cash:
                self.complain("warning-bid-over-cash", "V3.4.1", order, bid=most, cash=cash)
            if two:
                self._check_bid_of_two(order)
            elif order.amounts and order.amounts[0] < least_bid(self.today):
                code = "illegal-bid-low" if self.today.stage == "bid" else "warning-bid-low"
                self.complain(code, "V3.4.1", order, bid=order.amounts[0], least=least_bid(self.today))
            self.tell(order, {"what": "purse", "cash": cash} if order.amounts else {"what": "pass"})
        if not self.own(Bid):
            self.note(complaint_of("note-no-bid-of-two", "V6.3") if two else complaint_of("note-no-bid", "V7"))

    def _check_bid_of_two(self, order: Bid) -> None:
        """Check the range, and say what the figures of a list count for that are not above the one before. Rule: V6.3, R2."""
        least, most = RANGE[self.today.options.two_player_bid]
        outside = [amount for amount in order.amounts if amount < least or (most and amount > most)]
        if outside:
            self.complain("warning-bid-range", "V6.3", order, bid=outside[0], least=least, most=most)
        if not order.amounts:
            self.complain("warning-no-pass", "V6.3", order)
        counts = 0
        for place, bid in enumerate(order.amounts if self.today.options.two_player_tie == "raise" else ()):
            if place and bid <= counts:
                self.complain("note-bid-raised", "V6.3", order, bid=bid, tie=counts, counts=counts + 1)
            counts = max(bid, counts + 1) if place else bid

    def tell_choose(self, item: Item) -> None:
        """Say which of today's groups each wish names, the best first; others may lie them anew. Rule: V3.4.4, R7."""
        groups = self.state.groups
        for order in self.own(Rank):
            named = [
                [number for number, group in enumerate(groups) if group and fits(group, number, wish)]
                for wish in order.wishes
            ]
            hint = " / ".join(group_name(group) for group in groups if group)
            first = next((place for place, numbers in enumerate(named) if numbers), None)
            if first is None:
                self.complain("illegal-no-group", "V3.4.4", order, hint=hint)
                self.tell(order, {"what": "no-group-today"})
                continue
            # Somebody's Alles neu may still make a group that is wished for in vain today.
            for place, wish in enumerate(order.wishes):
                if not named[place]:
                    code, params = "warning-no-group", {}
                    if place < first:
                        code, params = "warning-no-group-yet", {"instead": format_wish(order.wishes[first])}
                    self.complain(code, "V3.4.4", order, text=format_wish(wish), hint=hint, **params)
            numbers = dict.fromkeys(number for each in named for number in each)
            self.tell(
                order, *({"what": "group-today", "number": number + 1, "colours": groups[number]} for number in numbers)
            )
        # Where a bid alone is asked for, the choice comes later.
        if self.today.stage != "bid" and not self.own(Rank):
            self.note(complaint_of("note-no-rank", "V7"))

    def tell_build(self, item: Item) -> None:
        """Build, as if nobody else did; say which card goes where nothing was ordered. Rule: V3.5, R6."""
        player, number = self.player, item.number
        if not self.state.hands[player]:
            return
        orders = [order for order in self.own(Build) if order.number == number]
        for order in orders:
            now = [site_fault(self.state, player, site) for site in order.sites]
            able = [place for place, fault in enumerate(now) if fault is None]
            tried = [
                (format_site(self.today.board, site), self._site_faults(site, fault) if fault else [])
                for site, fault in zip(order.sites, now, strict=True)
            ]
            # What gives a card up is no wish that a build could be taken for.
            serving = next((place for place in able if order.sites[place].link), None)
            self.weigh(order, tried, serving, idle=not able)
        done = self.play(do_build, item)[-1]
        cash, hand = self.state.cash[player], self.state.hands[player]
        note: Note = {}
        if isinstance(done, TrackCardDiscarded):
            note = {"what": "discarded", "colour": done.card, "cash": cash}
            if not orders:
                self.note(complaint_of("note-no-build", "V3.5.2", number=number, colour=done.card))
        elif isinstance(done, LinkBuilt):
            link = self.today.board.link_name(done.link)
            note = {"what": "built", "link": link, "colour": done.card, "cost": done.cost, "cash": cash}
        for order in orders:
            self.tell(order, note, *([{"what": "cards-left", "colours": hand}] if hand else []))

    def _site_faults(self, site: Site, now: Complaint) -> list[Complaint]:
        """Return what is told of a link that cannot be built; that the card for it is missing, too."""
        faults = [*self.after_own(now, site_fault(self.today, self.player, site))]
        if site.bargain and not held(self.state, self.player, BARGAIN):
            faults.append(self.expected(complaint_of(NO_CARD, "V4.5", now.text, card=BARGAIN)))
        return faults

    def tell_move(self, item: Item) -> None:
        """Make a trip, as if nobody else did."""
        orders = [order for order in self.own(Move) if order.trip == item.number]
        for order in orders:
            self._tell_trip(order)
        if not orders:
            self.note(complaint_of("note-no-trip", "V3.6.5", trip=item.number))
        self.play(move, item)

    def tell_subsidy(self, asked: Item) -> None:
        """Make extra trips, as if the player were in last place; whether he will be is open. Rule: V4.4, DIFF 46, DIFF 47."""
        began = self.actual.subsidy_for or self.state.last_places()
        named = {order.trip for order in self.own(Subsidy)}
        follows = self.today.options.subvention_stack and named == {FIRST_EXTRA, SECOND_EXTRA}
        for trip in (FIRST_EXTRA, *([SECOND_EXTRA] if follows else [])):
            item = replace(asked, number=trip)
            orders = orders_for(self, Subsidy, item)
            for order in orders:
                self.count_on(order, SUBVENTION, "V4.4")
            self.play_cards(item, "before")
            if not subsidy_fault(self.state, self.player):
                # The marker stands where it is when the extra trip begins, however far the trip itself then takes it.
                position = replace(self.state, table=self.actual.table, subsidy_for=began)
                what = "if-last" if is_last(position, self.player) else "if-not-last"
                for order in orders:
                    self._tell_trip(order, {"what": what, "income": position.income[self.player]})
            refusals = [event.complaint for event in self.play(subsidy, item) if isinstance(event, OrderRefused)]
            for refused in (each for each in refusals if each.is_error and ("card", SUBVENTION) in each.params):
                self.note(self.expected(refused))
                self.tell(
                    next(each for each in self.own(Subsidy) if format_order(self.today, each) == refused.text), REFUSED
                )
            self.play_cards(item, "after")
        told = [order for order, _ in self.told]
        for extra in self.own(Extra):
            if extra.trip >= FIRST_EXTRA and extra not in told:
                self.complain("illegal-no-subsidy", "V4.7", extra)
                self.tell(extra, REFUSED)

    def _tell_trip(self, order: Move | Subsidy, *last: Note) -> None:
        """Tell every alternative up to DECLINE, and which one counts. Rule: V3.6.5."""
        board, state = self.today.board, self.state
        wishes = tuple(takewhile(lambda each: each.colour != DECLINED, order.deliveries))
        routes = [route_of(state, self.player, wish) for wish in wishes]
        serving = next((place for place, route in enumerate(routes) if not isinstance(route, Complaint)), None)
        notes: list[Note] = []
        tried: list[tuple[str, list[Complaint]]] = []
        for wish, route in zip(wishes, routes, strict=True):
            text = format_delivery(board, wish)
            if isinstance(route, Complaint):
                what = "impossible" if len(tried) < (serving or 0) else "impossible-last"
                notes.append({"what": what, "text": text})
                today = route_of(self.today, self.player, wish)
                told = self.after_own(
                    route, today if isinstance(today, Complaint) else None, (wish.colour, wish.origin)
                )
                tried.append((text, [self._with_reason(order, wish, fault) for fault in told]))
            else:
                steps = [{"code": code, "steps": count} for code, count in sections_of(state, route).items()]
                what = "route-fast" if wish.loks else "route"
                notes.append({"what": what, "route": way_name(board, route), "length": len(route) - 1, "steps": steps})
                tried.append((text, []))
        declines = len(wishes) < len(order.deliveries)
        self.weigh(order, tried, serving, idle=serving is None and not declines)
        if declines:
            notes.append({"what": "declined-card" if declining_pays(state) else "declined"})
        if len(notes) < len(order.deliveries):
            self.complain("note-after-decline", "V3.6.5", order)
        self.tell(order, *notes, *last)

    def _with_reason(self, order: Move | Subsidy, wish: Delivery, fault: Complaint) -> Complaint:
        """Return the fault of a delivery with what keeps it from being made, or with one like it that can be."""
        if fault.code == NO_CARD and isinstance(order, Subsidy) and self.may_draw():
            return replace(fault, code=NO_CARD_YET)
        if fault.code in ("illegal-not-built", "illegal-must-stop", "illegal-too-long"):
            board = self.today.board
            most = board.max_links + wish.loks
            found = best_route(self.state, self.player, wish.colour, wish.origin, wish.goal, longest=most)
            return replace(fault, hint=f"{wish.colour} {way_name(board, found)}" if found else "")
        return why_no_route(self.today, self.player, wish, fault)

    def tell_standing(self) -> None:
        """Tell the sabotage that stands, orders kept from letters before, and whom cards are drawn from. Rule: V4.2, V9."""
        sabotages, steals = self.own(Sabotage), self.own(Steal)
        count = held(self.today, self.player, SABOTAGE)
        hope = count or self.may_draw()
        for place, order in enumerate(sabotages):
            if place >= count > 0:
                self.complain("warning-card-shared", "V4.6", order, card=SABOTAGE, count=count, orders=len(sabotages))
            elif place >= count:
                self.complain(NO_CARD_YET if hope else NO_CARD, "V4.6", order, card=SABOTAGE)
            self.tell(order, {"what": "stands"} if hope else REFUSED)
        for kept in (each.order for each in self.actual.kept if each.player == self.player):
            # A newer letter's order of that kind takes the place of a kept one.
            newer = (
                [each for each in steals if about(each) == about(kept)]
                if isinstance(kept, Steal)
                else self.own(type(kept))
            )
            if not newer:
                self.tell(kept, {"what": "stands" if isinstance(kept, Sabotage) else "waits"})
        for steal in steals:
            what = "waits-last" if steal.which == "last" else "waits-card" if steal.which else "waits"
            self.tell(steal, {"what": what, "number": steal.which})


def forecast(state: State, player: str, orders: tuple[Order, ...]) -> Forecast:
    """Return each order in canonical form with what it comes to today, and what is wrong with it today.

    What others may still change is a warning, what is wrong whatever they do an error. ``lines`` leave out the orders that
    do nothing as things stand. ``told``: ``entries``, a list of {line, at (the line of the letter), notes} in the order of the
    round; a note is {what, …}, a sentence of ``words.toml``, ``[forecast]``.
    """
    run = _Forecast(state, player, orders)
    for what, number in decisions_now(state) if orders else ():
        item = Item(what, number=number, player=player)
        if what == "subsidy":
            run.tell_subsidy(item)
        elif what != "steal":
            run.play_cards(item, "before")
            getattr(run, f"tell_{what}")(item)
            run.play_cards(item, "after")
    run.tell_standing()
    refused = [order for order, notes in run.told if REFUSED in notes]
    lines = tuple(format_order(state, order) for order in orders if order not in refused)
    entries = [{"line": format_order(state, order), "at": order.line, "notes": notes} for order, notes in run.told]
    return Forecast(lines=lines, told={"entries": entries}, complaints=tuple(run.complaints))
