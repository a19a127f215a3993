"""Phase 6: trips and extra trips, with the cards that belong to them. Rule: V3.6, V4.3, V4.4."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.dice import Dice
from referee.core.orders import Complaint, complaint_of
from referee.core.values import Mutable
from referee.games.volldampf.board.board import EXTRA, LOK, SUBVENTION
from referee.games.volldampf.phase import piles
from referee.games.volldampf.phase.deliveries import route_of
from referee.games.volldampf.phase.sabotage import bar_trip, lift_after_trip, lift_all
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.asking import draws_at_once
from referee.games.volldampf.position.changes import Record
from referee.games.volldampf.position.events import cards
from referee.games.volldampf.position.events.transport import CubeDelivered, ExtraTripsBegan, TripDeclined
from referee.games.volldampf.position.letters import Letters, refuse
from referee.games.volldampf.position.names import sections_of
from referee.games.volldampf.position.notation import format_order
from referee.games.volldampf.position.orders import DECLINED, Delivery, Extra, Move, Subsidy
from referee.games.volldampf.position.state import Item, State

MADE, REFUSED, IMPOSSIBLE = "made", "refused", "impossible"  # how a trip ends: refused by the player himself
PARAGRAPHS = {SUBVENTION: "V4.4", EXTRA: "V4.7"}
START = "start_of_extra_trips"  # a value of option subvention_when


class Trip(Mutable, kw_only=False):
    """A trip being tried. ``loks`` are in force: on the table, whatever alternative is made. Rule: DIFF 55.

    ``subsidised``: Subvention must be played for it, and is with the first alternative that is legal (Rule: DIFF 48).
    """

    record: Record
    player: str
    number: int
    subsidised: bool = False
    loks: int = 0
    paid: bool = False  # Subvention is on the table

    def make(self, orders: tuple[Move, ...] | tuple[Subsidy, ...]) -> str:
        """Make the first delivery that is legal and not barred; say how it ended."""
        end = self._try(orders)
        for _ in range(self.loks if end != MADE else 0):
            self.record.add(cards.CardReturned(player=self.player, card=LOK))
        lift_after_trip(self.record, self.player)
        return end

    def _try(self, orders: tuple[Move, ...] | tuple[Subsidy, ...]) -> str:
        for order in orders:
            for delivery in order.deliveries:
                if delivery.colour == DECLINED:
                    return REFUSED
                route = route_of(self.record.state, self.player, delivery, self.loks)
                if isinstance(route, Complaint):
                    refuse(self.record, self.player, replace(route, line=order.line))
                    continue
                self._announce(delivery)
                if not bar_trip(self.record, self.player, self.number, delivery.colour, route):
                    self._arrive(delivery.colour, route)
                    return MADE
        return IMPOSSIBLE

    def _announce(self, delivery: Delivery) -> None:
        """Lay down the cards that this delivery uses and that do not lie on the table yet."""
        if self.subsidised and not self.paid:
            piles.play_card(self.record, self.player, SUBVENTION)
            self.paid = True
        while self.loks < delivery.loks:
            piles.play_card(self.record, self.player, LOK)
            self.loks += 1

    def _arrive(self, colour: str, route: tuple[str, ...]) -> None:
        steps = sections_of(self.record.state, route)
        self.record.add(
            CubeDelivered(player=self.player, trip=self.number, colour=colour, route=route, steps=steps, loks=self.loks)
        )
        piles.settle_debts(self.record)


def move(record: Record, item: Item, letters: Letters, dice: Dice) -> list[Item]:
    """Make a player's first or second trip; who makes none gets an action card. Rule: V3.6, DIFF 33, 34."""
    player = item.player
    orders = tuple(order for order in letters.of(Move, player) if order.trip == item.number)
    end = Trip(record, player, item.number).make(orders)
    if end != MADE:
        record.add(TripDeclined(player=player, trip=item.number, wished=end == REFUSED))
        if draws_at_once(record.state):
            piles.draw_action(record, player, cards.DECLINED, letters, dice)
    return []


def begin_extra_trips(record: Record) -> None:
    """Note who is in last place once everybody has had his second trip. Rule: V4.4, DIFF 46."""
    record.add(ExtraTripsBegan(last=record.state.last_places()))


def is_last(state: State, player: str) -> bool:
    """Return whether a player could play Subvention now, card or not: it may be asked without telling anything."""
    judged_early = state.table.options.subvention_when == START
    return player in (state.subsidy_for if judged_early else state.last_places())


def subsidy(record: Record, item: Item, letters: Letters, dice: Dice) -> list[Item]:
    """Make a player's extra trip if he plays Subvention; a second one may follow at once. Rule: V4.4, DIFF 46-48, R11."""
    player, number = item.player, trip_of(item)
    orders = subsidies_of(letters, player, number)
    stack = record.state.table.options.subvention_stack
    if number == stages.FIRST_EXTRA and not stack:
        for order in subsidies_of(letters, player, stages.SECOND_EXTRA):
            refuse_card(record, player, "illegal-subsidy-once", order, SUBVENTION)
    if not orders:
        return []
    fault = subsidy_fault(record.state, player)
    if fault:
        refuse_card(record, player, fault, orders[0], SUBVENTION)
        return []
    trip = Trip(record, player, number, subsidised=True)
    trip.make(orders)
    if not trip.paid:
        refuse_card(record, player, "note-subsidy-kept", orders[0], SUBVENTION)
    return (
        [Item(what=stages.SUBSIDY, number=stages.SECOND_EXTRA, player=player)]
        if trip.paid and stack and number == stages.FIRST_EXTRA
        else []
    )


def trip_of(item: Item) -> int:
    """Return the number of the trip that an item asks for: 1, 2, or of an extra trip 3, 4."""
    return item.number or stages.FIRST_EXTRA


def subsidies_of(letters: Letters, player: str, number: int) -> tuple[Subsidy, ...]:
    """Return a player's orders for that extra trip."""
    return tuple(order for order in letters.of(Subsidy, player) if order.trip == number)


def subsidy_fault(state: State, player: str) -> str:
    """Return the code of what keeps a player from playing Subvention now, "" if nothing does."""
    if not piles.held(state, player, SUBVENTION):
        return "illegal-no-card"
    return "" if is_last(state, player) else "illegal-not-last"


def late_draws(record: Record, item: Item, letters: Letters, dice: Dice) -> list[Item]:
    """Hand out the cards for declined trips that wait for the end of phase 6, and lift every bar. Rule: DIFF 34, R22."""
    lift_all(record)
    for player in record.state.declined:
        piles.draw_action(record, player, cards.LATE, letters, dice)
    return []


def refuse_card(record: Record, player: str, code: str, order: Subsidy | Extra, card: str) -> None:
    """Tell a player alone why an action card cannot be played, or was not."""
    text = format_order(record.state, order)
    refuse(record, player, complaint_of(code, PARAGRAPHS[card], text, order.line, card=card))
