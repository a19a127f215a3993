"""How each event changes the position: the position is the fold of the events.

Cards are spent by ``CardPlayed`` alone; events that say what a card did (a rearrangement, an extra cube, a bar) do not touch
hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeVar, get_args

from referee.core import Amounts, Complaint, Dice, of_kind
from referee.core.game import Changes
from referee.core.record import Record, Ruled

from . import events
from .board import ACTION_CARDS, CUBE_COLOURS, SUBVENTION, Codes
from .events import Event, KeptDropped, OrderKept, OrderRefused
from .state import Bar, Bid, Extra, Holdings, Kept, Order, Plan, Rank, Rearrange, Sabotage, State, Steal, TakeBonds


def payment(event: events.Event) -> tuple[str, int, str]:
    """Return who has how many marks more for an event, and what for; "" and none where nothing is paid."""
    match event:
        case events.BondsTaken():
            return event.player, event.money, "bonds"
        case events.IncomePaid():
            return event.player, event.amount, "income"
        case events.BidPaid():
            return event.player, -event.paid, "auction"
        case events.LinkBuilt():
            return event.player, -event.cost, "building"
        case events.InterestPaid():
            return event.player, -event.paid, "interest"
    return "", 0, ""


def change(event: events.Event, state: State) -> State:
    """Return the position after an event."""
    player, marks, _ = payment(event)
    cash = {"cash": _raise_count(state.cash, player, marks)} if player else {}
    return state.but(**cash, **_changes(event, state))


def _changes(event: events.Event, state: State) -> dict[str, object]:
    """Return the fields that are other ones after an event, besides what is paid."""
    match event:
        case events.GameStarted():
            board, numbers, codes = state.board, state.numbers, state.codes
            cards = board.track_cards - numbers.remove_per_colour
            return {
                "order": event.order,
                "cash": dict.fromkeys(codes, event.cash),
                "bonds": dict.fromkeys(codes, 0),
                "income": dict.fromkeys(codes, 0),
                "rounds": dict.fromkeys(codes, (0,)),
                "bag": dict.fromkeys(CUBE_COLOURS, board.cubes),
                "track_pile": {colour: cards - event.removed.count(colour) for colour in board.colour_ids},
                "removed": event.removed,
                "merchandise": tuple(sorted(card.number for card in board.merchandise)),
                "actions": dict.fromkeys(codes, ()),
                "action_pile": dict.fromkeys(ACTION_CARDS, board.action_cards),
                "action_discards": dict.fromkeys(ACTION_CARDS, 0),
                "hands": dict.fromkeys(codes, ()),
            }
        case events.RoundBegan():
            none = dict.fromkeys(("turned", "passed", "declined", "bars", "subsidised", "subsidy_for"), ())
            return {**none, "round": event.round, "bids": {}, "rearranged": False, "drawn": {}}
        case events.MerchandiseTurned():
            merchandise = tuple(number for number in state.merchandise if number != event.card)
            return {"merchandise": merchandise, "turned": (*state.turned, event.card)}
        case events.CubeDrawn() | events.ExtraPlaced() | events.DebtPaid():
            bag = _raise_count(state.bag, event.colour, -1)
            owed = _less(state.owed, event.city) if isinstance(event, events.DebtPaid) else state.owed
            return {"bag": bag, "cubes": _with(state.cubes, event.city, event.colour, CUBE_COLOURS), "owed": owed}
        case events.CityMissed():
            return {"owed": (*state.owed, event.city)} if event.owed else {}
        case events.GroupsDealt():
            face_down = Counter(state.track_pile)
            face_down.subtract(card for group in event.groups for card in group)
            return {"groups": event.groups, "track_pile": dict(face_down)}
        case events.Asked():
            return {"agenda": event.agenda, "turn": event.turn}
        case events.OrderKept():
            return {"kept": (*state.kept, Kept(player=event.player, order=event.order))}
        case events.KeptDropped():
            dropped = event.player, event.order_kind
            return {"kept": tuple(it for it in state.kept if (it.player, type(it.order).__name__) != dropped)}
        case events.BondsTaken():
            return {"bonds": _raise_count(state.bonds, event.player, event.points)}
        case events.GroupsRearranged():
            return {"groups": event.groups, "rearranged": True}
        case events.CardPlayed():
            subsidised = {"subsidised": (*state.subsidised, event.player)} if event.card == SUBVENTION else {}
            discards = _raise_count(state.action_discards, event.card, 1)
            hands = _without(state.actions, event.player, event.card)
            return {"actions": hands, "action_discards": discards, **subsidised}
        case events.CardReturned():
            discards = _raise_count(state.action_discards, event.card, -1)
            return {
                "actions": _with(state.actions, event.player, event.card, ACTION_CARDS),
                "action_discards": discards,
            }
        case events.BidMade():
            return {"bids": {**state.bids, event.player: event.amount}}
        case events.BidPassed():
            return {"passed": (*state.passed, event.player)}
        case events.BidsOpened():
            return {"bids": event.bids, "ties": state.ties + event.tie}
        case events.OrderSettled():
            return {"order": event.order, "bids": {}, "passed": (), "ties": 0}
        case events.GroupChosen():
            # The place of a group that is gone stays empty, since rankings may name places. Rule: R7.
            place = state.groups.index(event.cards)
            groups = (*state.groups[:place], (), *state.groups[place + 1 :])
            return {"groups": groups if any(groups) else (), "hands": {**state.hands, event.player: event.cards}}
        case events.LinkBuilt() | events.TrackCardDiscarded():
            built = {event.link: event.player} if isinstance(event, events.LinkBuilt) else {}
            return {"built": {**state.built, **built}, "hands": _without(state.hands, event.player, event.card)}
        case events.CubePlanned():
            left = _without_cube(state.cubes, event.origin, event.colour)
            return {"cubes": _with(left, event.goal, event.colour, CUBE_COLOURS)}
        case events.TripBarred():
            return {"bars": (*state.bars, Bar(player=event.victim, colour=event.colour, city=event.city))}
        case events.BarsLifted():
            return {"bars": tuple(bar for bar in state.bars if bar.player != event.player)}
        case events.CubeDelivered():
            # The track may have an end, beyond which steps are lost. Rule: DIFF 05, R20.
            end = state.options.income_max
            income = dict(state.income)
            for owner, steps in event.steps.items():
                income[owner] = min(income[owner] + steps, end) if end else income[owner] + steps
            cubes = _without_cube(state.cubes, event.route[0], event.colour)
            return {"cubes": cubes, "bag": _raise_count(state.bag, event.colour, 1), "income": income}
        case events.TripDeclined():
            waits = state.declining_pays and not state.draws_at_once
            return {"declined": (*state.declined, event.player)} if waits else {}
        case events.PilesRenewed():
            return {"action_pile": state.action_discards, "action_discards": dict.fromkeys(ACTION_CARDS, 0)}
        case events.ActionDrawn():
            actions = _with(state.actions, event.player, event.card, ACTION_CARDS)
            if event.source:
                return {**_count_cards(event, state), "actions": _without(actions, event.source, event.card)}
            pile = _raise_count(state.action_pile, event.card, -1)
            return {**_count_cards(event, state), "actions": actions, "action_pile": pile}
        case events.NoCardLeft():
            return _count_cards(event, state)  # a card that is waived has a number, too
        case events.ExtraTripsBegan():
            return {"subsidy_for": event.last}
        case events.InterestPaid():
            return {"income": _raise_count(state.income, event.player, -event.back)}
        case events.RoundEnded():
            return {"rounds": {code: (*state.rounds[code], event.income[code]) for code in state.codes}, "kept": ()}
        case events.GameEnded():
            return {"scores": event.scores, "winners": event.winners, "agenda": ()}
        case events.NothingReceived() | events.OrderRefused() | events.BidPaid() | events.IncomePaid():
            return {}
        case events.PositionTaken() | Ruled():
            return {}  # what is typed in is read, and so applied, where positions are


CHANGES: Changes = dict.fromkeys(get_args(events.Event), change)


def _raise_count(counts: Amounts, key: str, by: int) -> Amounts:
    """Return a copy of *counts* with one of them raised."""
    return {**counts, key: counts.get(key, 0) + by}


def _less(things: Codes, one: str) -> Codes:
    """Return *things* without the first that is *one*. Raises ValueError if none is."""
    place = things.index(one)
    return things[:place] + things[place + 1 :]


def _without(hands: Holdings, player: str, card: str) -> Holdings:
    """Return the hands after *player* laid down one card. Raises ValueError if there is none."""
    return {**hands, player: _less(hands[player], card)}


def _with(things: Holdings, whose: str, one: str, kinds: Codes) -> Holdings:
    """Return the hands, or the cubes of cities, with one more, in the order of the kinds."""
    return {**things, whose: tuple(sorted((*things.get(whose, ()), one), key=kinds.index))}


def _count_cards(event: events.ActionDrawn | events.NoCardLeft, state: State) -> dict[str, object]:
    """Return the cards that a player drew this round; who had a card for a declined trip waits for one less."""
    waits = event.why == "late" and event.player in state.declined
    declined = _less(state.declined, event.player) if waits else state.declined
    return {"drawn": _raise_count(state.drawn, event.player, 1), "declined": declined}


def _without_cube(cubes: Holdings, city: str, colour: str) -> Holdings:
    """Return the cubes after one left *city*. Raises ValueError if there is none of that colour."""
    return {other: left for other, left in _without(cubes, city, colour).items() if left}


# A turn being played: what players wrote for it, what the position keeps of what they wrote before, and the throws.
#
# Sealed and early orders are looked up with ``Play.of``: this turn's letter counts, else what was kept. A sabotage outlives
# its letter and is spent order by order, so it is moved into the position as soon as it arrives: read it with ``kept_orders``,
# spend it with ``spend``.

Kind = TypeVar("Kind", bound=Order)
Thing = TypeVar("Thing", str, int)


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

    def take(self, pile: dict[str, int], kinds: Codes, name: str, count: int) -> list[str]:
        """Return *count* things drawn one after the other by throws ``name/1``, ``name/2`` …; they are out of the pile then."""
        taken = []
        for number in range(1, count + 1):
            taken.append(self.draw(pile, kinds, f"{name}/{number}"))
            pile[taken[-1]] -= 1
        return taken

    def refuse(self, player: str, complaint: Complaint) -> None:
        """Tell a player alone what was wrong: an alternative that failed shows what the player planned."""
        self.add(OrderRefused(player, complaint=complaint, secret=True, paragraph=complaint.paragraph))

    def drop(self, kind: type[Kind], *players: str) -> None:
        """Take players' kept orders of a kind out of the position; without any everybody's: their moment is over."""
        for player in players or self.state.codes:
            if kept_orders(self.state.kept, kind, player):
                self.add(KeptDropped(player, order_kind=kind.__name__))

    def keep(self, kind: type[Kind], player: str, orders: tuple[Kind, ...]) -> None:
        """Keep orders in place of a player's older ones of that kind; without any the older ones stand."""
        if orders and orders != kept_orders(self.state.kept, kind, player):
            self.drop(kind, player)
            self.add_all(OrderKept(player, order=order) for order in orders)

    def spend(self, player: str, order: Order) -> None:
        """Take one kept order out of the position; others of its kind stay."""
        kind = type(order)
        left = list(kept_orders(self.state.kept, kind, player))
        left.remove(order)
        self.drop(kind, player)
        self.add_all(OrderKept(player, order=each) for each in left)


def kept_orders(kept: tuple[Kept, ...], kind: type[Kind], player: str) -> tuple[Kind, ...]:
    """Return a player's kept orders of a kind, in order of writing."""
    return of_kind(kind, [each.order for each in kept if each.player == player])


def keep_sabotage(play: Play) -> None:
    """Move the sabotages of letters of phases 5 and 6 into the position, where they stand until they match. Rule: V9."""
    if play.state.stage in ("build", "trips", "trip", "move", "subsidy"):
        for player in play.state.codes:
            play.keep(Sabotage, player, play.fresh(Sabotage, player))


def keep_early(play: Play) -> None:
    """Keep what these letters say for a moment that is still on the agenda. Rule: V9."""
    whats = {item.what for item in play.agenda}
    sealed = "auction" in whats and not play.state.is_live
    early: dict[type[Order], bool] = {TakeBonds: "reveal" in whats, Rearrange: "new" in whats, Bid: sealed}
    for player in play.state.codes:
        # What goes with the choice of a group may be sent with the bid.
        chooses = "auction" in whats or any((item.what, item.player) == ("choose", player) for item in play.agenda)
        for kind, is_ahead in {**early, Rank: chooses}.items():
            if is_ahead:
                play.keep(kind, player, play.fresh(kind, player))
        play.keep(Steal, player, tuple(play.steals(player).values()))
        if chooses:
            plans = tuple(plan for plan in play.fresh(Plan, player) if plan.what == "choose")
            play.keep(Plan, player, plans)
