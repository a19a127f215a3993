"""Phase 6: trips and extra trips, with the cards that belong to them. Rule: V3.6, V4.3, V4.4."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.dice import Dice
from referee.core.orders import Complaint, complaint_of
from referee.core.values import Mutable
from referee.games.volldampf import events, goods, schedule
from referee.games.volldampf.board.board import CUBE_COLOURS, EXTRA, LOK, PLANNING, SABOTAGE, SUBVENTION
from referee.games.volldampf.changes import Record
from referee.games.volldampf.events import (
    BarsLifted,
    CubeDelivered,
    CubePlanned,
    ExtraPlaced,
    ExtraTripsBegan,
    OrderRefused,
    TripBarred,
    TripDeclined,
)
from referee.games.volldampf.goods import draw_cube, held, play_card
from referee.games.volldampf.letters import Letters, kept_orders, refuse, spend
from referee.games.volldampf.notation import format_order, sections_of
from referee.games.volldampf.routing import route_of
from referee.games.volldampf.schedule import draws_at_once
from referee.games.volldampf.state import (
    AFTER,
    BEFORE,
    DECLINED,
    Delivery,
    Extra,
    Item,
    Move,
    Plan,
    Sabotage,
    State,
    Subsidy,
    Target,
)

# Sabotage: standing orders that bar a cube when another player is about to move it. Rule: V4.6, V9, DIFF 51-54, R9,
# R10.

PHASE, COLOUR = "phase", "colour"  # values of options sabotage_lasts, sabotage_scope


def bar_trip(record: Record, victim: str, trip: int, colour: str, route: tuple[str, ...]) -> bool:
    """Play the first Sabotage, in turn order after the mover, that waits for this trip; say whether there was one.

    Nobody else's card or order is spent by it. Rule: DIFF 53, DIFF 54.
    """
    for player in _after(record.state, victim):
        orders = kept_orders(record.state, Sabotage, player)
        order = next((each for each in orders if fits(each, victim, trip, colour, route)), None)
        if order is not None and held(record.state, player, SABOTAGE):
            spend(record, player, order)
            play_card(record, player, SABOTAGE)
            city = "" if record.state.options.sabotage_scope == COLOUR else route[0]
            record.add(TripBarred(player=player, victim=victim, trip=trip, colour=colour, route=route, city=city))
            return True
        if order is not None:
            _refuse(record, player, order)
    return False


def fits(order: Sabotage, victim: str, trip: int, colour: str, route: tuple[str, ...]) -> bool:
    """Return whether a standing order waits for this trip. An order without targets waits for any cube."""
    if order.victim not in ("", victim) or order.trip not in (0, trip):
        return False
    return not order.targets or any(_is_target(target, colour, route) for target in order.targets)


def lift_after_trip(record: Record, player: str) -> None:
    """Let a player move again what was barred, unless a bar lasts for the phase. Rule: DIFF 52, R9."""
    if record.state.options.sabotage_lasts != PHASE:
        _lift(record, player)


def lift_all(record: Record) -> None:
    """Let everybody move again what was barred: phase 6 is over."""
    for player in record.state.order:
        _lift(record, player)


def _lift(record: Record, player: str) -> None:
    if any(bar.player == player for bar in record.state.bars):
        record.add(BarsLifted(player=player))


def _after(state: State, player: str) -> tuple[str, ...]:
    """Return the other players in turn order, from the one after *player* on."""
    place = state.order.index(player)
    return state.order[place + 1 :] + state.order[:place]


def _refuse(record: Record, player: str, order: Sabotage) -> None:
    """Tell a player, once a turn for each order, that he holds no card for it; it stands, since he may yet draw one."""
    text = format_order(record.state, order)
    complaint = complaint_of("illegal-no-card", "V4.6", text, order.line, card=SABOTAGE)
    refusal = OrderRefused(player=player, complaint=complaint, secret=True, paragraph="V4.6")
    if refusal not in record.events:
        record.add(refusal)


def _is_target(target: Target, colour: str, route: tuple[str, ...]) -> bool:
    return (
        target.colour in ("", colour)
        and target.origin in ("", route[0])
        and target.goal in ("", route[-1])
        and (not target.passing or target.passing in route[1:])
    )


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
            self.record.add(events.CardReturned(player=self.player, card=LOK))
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
            goods.play_card(self.record, self.player, SUBVENTION)
            self.paid = True
        while self.loks < delivery.loks:
            goods.play_card(self.record, self.player, LOK)
            self.loks += 1

    def _arrive(self, colour: str, route: tuple[str, ...]) -> None:
        steps = sections_of(self.record.state, route)
        self.record.add(
            CubeDelivered(player=self.player, trip=self.number, colour=colour, route=route, steps=steps, loks=self.loks)
        )
        goods.settle_debts(self.record)


def move(record: Record, item: Item, letters: Letters, dice: Dice) -> None:
    """Make a player's first or second trip; who makes none gets an action card. Rule: V3.6, DIFF 33, 34."""
    player = item.player
    orders = tuple(order for order in letters.of(Move, player) if order.trip == item.number)
    end = Trip(record, player, item.number).make(orders)
    if end != MADE:
        record.add(TripDeclined(player=player, trip=item.number, wished=end == REFUSED))
        if draws_at_once(record.state):
            goods.draw_action(record, player, events.DECLINED, letters, dice)


def begin_extra_trips(record: Record) -> None:
    """Note who is in last place once everybody has had his second trip. Rule: V4.4, DIFF 46."""
    record.add(ExtraTripsBegan(last=record.state.last_places()))


def is_last(state: State, player: str) -> bool:
    """Return whether a player could play Subvention now, card or not: it may be asked without telling anything."""
    judged_early = state.options.subvention_when == START
    return player in (state.subsidy_for if judged_early else state.last_places())


def subsidy(record: Record, item: Item, letters: Letters, dice: Dice) -> list[Item]:
    """Make a player's extra trip if he plays Subvention; a second one may follow at once. Rule: V4.4, DIFF 46-48, R11."""
    player, number = item.player, trip_of(item)
    orders = subsidies_of(letters, player, number)
    stack = record.state.options.subvention_stack
    if number == schedule.FIRST_EXTRA and not (stack and orders):
        for order in subsidies_of(letters, player, schedule.SECOND_EXTRA):
            code = "illegal-subsidy-once" if orders else "illegal-subsidy-first"
            refuse_card(record, player, code, order, SUBVENTION)
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
        [Item(what=schedule.SUBSIDY, number=schedule.SECOND_EXTRA, player=player)]
        if trip.paid and stack and number == schedule.FIRST_EXTRA
        else []
    )


def trip_of(item: Item) -> int:
    """Return the number of the trip that an item asks for: 1, 2, or of an extra trip 3, 4."""
    return item.number or schedule.FIRST_EXTRA


def subsidies_of(letters: Letters, player: str, number: int) -> tuple[Subsidy, ...]:
    """Return a player's orders for that extra trip."""
    return tuple(order for order in letters.of(Subsidy, player) if order.trip == number)


def subsidy_fault(state: State, player: str) -> str:
    """Return the code of what keeps a player from playing Subvention now, "" if nothing does."""
    if not goods.held(state, player, SUBVENTION):
        return "illegal-no-card"
    return "" if is_last(state, player) else "illegal-not-last"


def late_draws(record: Record, item: Item, letters: Letters, dice: Dice) -> None:
    """Hand out the cards for declined trips that wait for the end of phase 6, and lift every bar. Rule: DIFF 34, R22."""
    lift_all(record)
    for player in record.state.declined:
        goods.draw_action(record, player, events.LATE, letters, dice)


def refuse_card(record: Record, player: str, code: str, order: Subsidy | Extra, card: str) -> None:
    """Tell a player alone why an action card cannot be played, or was not."""
    text = format_order(record.state, order)
    refuse(record, player, complaint_of(code, PARAGRAPHS[card], text, order.line, card=card))


# What a player plays beside a decision of his own: Neue Planung moves a cube, Zusatzfracht brings one.
#
# Rule: V4.7, V4.9, DIFF 57-59, 62-64, R12, R13, R15, R35.

PHASES = {
    schedule.BONDS: 3,
    schedule.BID: 4,
    schedule.CHOOSE: 4,
    schedule.BUILD: 5,
    schedule.MOVE: 6,
    schedule.SUBSIDY: 6,
}


def move_cubes(record: Record, item: Item, letters: Letters, when: str, dice: Dice) -> None:
    """Play what a letter puts BEFORE or AFTER *item*, line by line: what comes first may serve what comes next. Rule: R35."""
    for order in letters.cubes_moved(item.player):
        if goes_with(order, when, item):
            play_beside(record, item, letters, order, dice)


def play_beside(record: Record, item: Item, letters: Letters, order: Extra | Plan, dice: Dice) -> None:
    """Play a card that goes with this decision, or say what keeps it from being played."""
    if isinstance(order, Extra):
        _place_extra(record, item, letters, order, dice)
    else:
        _plan(record, item, letters, order)


def goes_with(order: Extra | Plan, when: str, item: Item) -> bool:
    """Return whether an order stands on that side of a decision; one that names no number goes with each of the kind."""
    number = number_of(item)
    if isinstance(order, Extra):
        return when == BEFORE and item.what in (schedule.MOVE, schedule.SUBSIDY) and order.trip == number
    return order.when == when and order.what == item.what and order.number in (0, number)


def number_of(item: Item) -> int:
    """Return the number of a decision: of a build or a trip; 0 where it has none."""
    return trip_of(item) if item.what == schedule.SUBSIDY else item.number


def may_plan(state: State, what: str) -> bool:
    """Return whether Neue Planung may be played with that kind of decision: ``3-6``, ``5-6`` or ``6``. Rule: DIFF 62."""
    return PHASES[what] >= int(state.options.neue_planung_phases[0])


def has_turn(record: Record, item: Item, letters: Letters, when: str) -> bool:
    """Return whether the player's turn is not over: a declined trip ends it, an extra trip is one's turn if it is made.

    Rule: R12, R15.
    """
    if item.what not in (schedule.MOVE, schedule.SUBSIDY):
        return True
    trip = trip_of(item)
    if when == AFTER:
        return any(
            isinstance(event, CubeDelivered) and event.player == item.player and event.trip == trip
            for event in record.events
        )
    if item.what == schedule.MOVE:
        return True
    return bool(subsidies_of(letters, item.player, trip)) and not subsidy_fault(record.state, item.player)


def _plan(record: Record, item: Item, letters: Letters, order: Plan) -> None:
    state, player = record.state, item.player
    start, end = (state.board.city(city) for city in (order.origin, order.goal))
    params: dict[str, str | int] = {}
    if not may_plan(state, item.what):
        code, params = "illegal-plan-phase", {"phases": state.options.neue_planung_phases}
    elif not held(state, player, PLANNING):
        code, params = "illegal-no-card", {"card": PLANNING}
    elif not has_turn(record, item, letters, order.when):
        code = "illegal-plan-no-trip"
    elif order.colour not in state.cubes.get(start.id, ()):
        code, params = "illegal-no-cube", {"colour": order.colour, "city": start.name}
    elif start == end:
        code, params = "illegal-same-city", {"city": start.name}
    else:
        play_card(record, player, PLANNING)
        record.add(CubePlanned(player=player, colour=order.colour, origin=order.origin, goal=order.goal))
        return
    refuse(record, player, complaint_of(code, "V4.9", format_order(state, order), order.line, **params))


def _place_extra(record: Record, item: Item, letters: Letters, order: Extra, dice: Dice) -> None:
    """Play a Zusatzfracht: draw a cube, and put it where its colour is wanted. Rule: V4.7, DIFF 57-59, R12, R13."""
    player, trip = item.player, order.trip
    if not has_turn(record, item, letters, BEFORE):
        return
    fault = _extra_fault(record.state, player, order)
    if fault:
        refuse_card(record, player, fault, order, EXTRA)
        return
    placed = [event for event in record.events if isinstance(event, ExtraPlaced)]
    before = sum((event.player, event.trip) == (player, trip) for event in placed)
    name = f"extra/{record.state.round}/{player}/{trip}"
    colour = draw_cube(record, dice, f"{name}/{before + 1}" if before else name)
    assert colour is not None  # the bag is not empty
    play_card(record, player, EXTRA)
    record.add(ExtraPlaced(player=player, trip=trip, colour=colour, city=dict(order.cities)[colour]))


def _extra_fault(state: State, player: str, order: Extra) -> str:
    """Return the code of what keeps a Zusatzfracht from being played, "" if nothing does."""
    if not held(state, player, EXTRA):
        return "illegal-no-card"
    if {colour for colour, _ in order.cities} != set(CUBE_COLOURS):
        return "illegal-extra-cities"
    return "" if any(state.bag.values()) else "illegal-bag-empty"
