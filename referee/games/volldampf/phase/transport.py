"""Phase 6: trips and extra trips, with the cards that belong to them. Rule: V3.6, V4.3, V4.4."""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace

from referee.core.dice import Dice
from referee.core.orders import Complaint, complaint_of
from referee.core.values import Mutable
from referee.games.volldampf.board.board import CUBE_COLOURS, EXTRA, LOK, SABOTAGE, SUBVENTION
from referee.games.volldampf.phase import goods
from referee.games.volldampf.phase.goods import held, play_card
from referee.games.volldampf.position import stages, tripevents
from referee.games.volldampf.position.changes import Record
from referee.games.volldampf.position.events import OrderRefused
from referee.games.volldampf.position.letters import Letters, kept_orders, refuse, spend
from referee.games.volldampf.position.names import sections_of
from referee.games.volldampf.position.notation import format_delivery, format_order
from referee.games.volldampf.position.orders import DECLINED, Delivery, Extra, Move, Sabotage, Subsidy, Target
from referee.games.volldampf.position.routes import best_route, best_routes, network_of, stops_of
from referee.games.volldampf.position.schedule import draws_at_once
from referee.games.volldampf.position.state import Item, State
from referee.games.volldampf.position.tripevents import (
    BarsLifted,
    CubeDelivered,
    ExtraTripsBegan,
    TripBarred,
    TripDeclined,
)

# Which deliveries are legal: how many links, over which route. Rule: V3.6.1-V3.6.3, V4.3, DIFF 29-32, 35, R1, R8,
# R18, R25.


def legal_deliveries(state: State, player: str, longest: int) -> tuple[Delivery, ...]:
    """Return every delivery of *longest* links or fewer that a player may make now, each over its best route.

    In order of cities of departure and cube colours, then of destinations, all as they stand in the board file.
    """
    board, network = state.table.board, network_of(state, player)
    stops = {colour: stops_of(state, colour) for colour in CUBE_COLOURS}
    return tuple(
        Delivery(colour=colour, origin=city.id, goal=goal.id, route=routes[goal.id])
        for city in board.cities
        for colour in CUBE_COLOURS
        if colour in state.cubes.get(city.id, ()) and not is_barred(state, player, colour, city.id)
        for routes in [best_routes(network, stops[colour], city.id, longest)]
        for goal in board.cities
        if goal.colour == colour and goal.id in routes
    )


def is_barred(state: State, player: str, colour: str, city: str) -> bool:
    """Return whether sabotage keeps a player from moving a cube of that colour in that city now. Rule: DIFF 51, R9."""
    return any(bar.player == player and bar.colour == colour and bar.city in ("", city) for bar in state.bars)


def route_of(state: State, player: str, delivery: Delivery, in_force: int = 0) -> tuple[str, ...] | Complaint:
    """Return the route over which a delivery is made, both ends included, or why it may not be made.

    *in_force*: Schnelle Lok cards that are already on the table, announced with a trip that was barred. Rule: DIFF 55.
    """
    text = format_delivery(state.table.board, delivery)
    fault = _wrong_cube(state, player, delivery, text) or _wrong_cards(state, player, delivery, in_force, text)
    if fault is not None:
        return fault
    longest = state.table.board.max_links + max(delivery.loks, in_force)
    route = delivery.route or _chain(state, delivery)
    if route:
        return _wrong_route(state, player, delivery.colour, route, longest, text) or route
    if state.table.options.route_needed:
        return complaint_of("illegal-route-needed", "V3.6.1", text)
    origin, goal = ends_of(delivery)
    found = best_route(state, player, delivery.colour, origin, goal, delivery.via, longest)
    return found or complaint_of("illegal-no-route", "V3.6.2", text, most=longest)


def ends_of(delivery: Delivery) -> tuple[str, str]:
    """Return the city of departure and the destination."""
    return (delivery.route[0], delivery.route[-1]) if delivery.route else (delivery.origin, delivery.goal)


def _chain(state: State, delivery: Delivery) -> tuple[str, ...]:
    """Return the route that is named where routes are needed: every step of it a printed link, else (). Rule: DIFF 35."""
    cities = (delivery.origin, *delivery.via, delivery.goal)
    board = state.table.board
    whole = all(board.link(one, other) for one, other in pairwise(cities))
    return cities if state.table.options.route_needed and whole else ()


def _wrong_cube(state: State, player: str, delivery: Delivery, text: str) -> Complaint | None:
    board, colour = state.table.board, delivery.colour
    start, end = (board.city(city) for city in ends_of(delivery))
    if colour not in state.cubes.get(start.id, ()):
        return complaint_of("illegal-no-cube", "V3.6.1", text, colour=colour, city=start.name)
    if is_barred(state, player, colour, start.id):
        return complaint_of("illegal-barred", "V4.6", text, colour=colour, city=start.name)
    if start == end:
        return complaint_of("illegal-same-city", "V3.6.2", text, city=start.name)
    if end.colour != colour:
        return complaint_of("illegal-wrong-goal", "V3.6.1", text, colour=colour, city=end.name, takes=end.colour)
    return None


def _wrong_cards(state: State, player: str, delivery: Delivery, in_force: int, text: str) -> Complaint | None:
    if delivery.loks > 1 and not state.table.options.lok_stack:
        return complaint_of("illegal-lok-stack", "V4.3", text)
    if delivery.loks > in_force + held(state, player, LOK):
        return complaint_of("illegal-no-card", "V4.3", text, card=LOK)
    return None


def _wrong_route(
    state: State, player: str, colour: str, route: tuple[str, ...], longest: int, text: str
) -> Complaint | None:
    """Return what is wrong with a route, the first fault on the way. Rule: V3.6.2, V3.6.3, R1."""
    board, stops = state.table.board, stops_of(state, colour)
    for place, (here, there) in enumerate(pairwise(route)):
        link = board.link(here, there)
        if link is None:
            names = f"{board.city(here).name}-{board.city(there).name}"
            return complaint_of("illegal-no-link", "V3.6.1", text, link=names)
        if link.id not in state.built:
            return complaint_of("illegal-not-built", "V3.6.1", text, link=board.link_name(link.id))
        if there in route[: place + 1]:
            return complaint_of("illegal-city-twice", "V3.6.2", text, city=board.city(there).name)
        if there in stops and there != route[-1]:
            return complaint_of("illegal-must-stop", "V3.6.3", text, colour=colour, city=board.city(there).name)
    if len(route) - 1 > longest:
        return complaint_of("illegal-too-long", "V3.6.2", text, links=len(route) - 1, most=longest)
    if state.table.options.own_link_needed and player not in owners_on(state, route):
        return complaint_of("illegal-no-own-link", "V3.6.2", text)
    return None


def owners_on(state: State, route: tuple[str, ...]) -> tuple[str, ...]:
    """Return whose sections a route uses, link by link. Raises KeyError where nothing is built."""
    links = (state.table.board.link(here, there) for here, there in pairwise(route))
    return tuple(state.built[link.id] for link in links if link is not None)


# Sabotage: standing orders that bar a cube when another player is about to move it. Rule: V4.6, V9, DIFF 51-54, R9,
# R10.

PHASE, COLOUR = "phase", "colour"  # values of options sabotage_lasts, sabotage_scope


def bar_trip(record: Record, victim: str, trip: int, colour: str, route: tuple[str, ...]) -> bool:
    """Play the first Sabotage, in turn order after the mover, that waits for this trip; say whether there was one.

    Nobody else's card or order is spent by it. Rule: DIFF 53, DIFF 54.
    """
    for player in _after(record.state, victim):
        order = _match(record.state, player, victim, trip, colour, route)
        if order is None:
            continue
        if held(record.state, player, SABOTAGE):
            _bar(record, player, order, victim, trip, colour, route)
            return True
        _refuse(record, player, order)
    return False


def fits(order: Sabotage, victim: str, trip: int, colour: str, route: tuple[str, ...]) -> bool:
    """Return whether a standing order waits for this trip. An order without targets waits for any cube."""
    if order.victim not in ("", victim) or order.trip not in (0, trip):
        return False
    return not order.targets or any(_is_target(target, colour, route) for target in order.targets)


def lift_after_trip(record: Record, player: str) -> None:
    """Let a player move again what was barred, unless a bar lasts for the phase. Rule: DIFF 52, R9."""
    if record.state.table.options.sabotage_lasts != PHASE:
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


def _match(state: State, player: str, victim: str, trip: int, colour: str, route: tuple[str, ...]) -> Sabotage | None:
    orders = kept_orders(state, Sabotage, player)
    return next((order for order in orders if fits(order, victim, trip, colour, route)), None)


def _bar(
    record: Record, player: str, order: Sabotage, victim: str, trip: int, colour: str, route: tuple[str, ...]
) -> None:
    spend(record, player, order)
    play_card(record, player, SABOTAGE)
    city = "" if record.state.table.options.sabotage_scope == COLOUR else route[0]
    record.add(TripBarred(player=player, victim=victim, trip=trip, colour=colour, route=route, city=city))


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
            self.record.add(tripevents.CardReturned(player=self.player, card=LOK))
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


def move(record: Record, item: Item, letters: Letters, dice: Dice) -> list[Item]:
    """Make a player's first or second trip; who makes none gets an action card. Rule: V3.6, DIFF 33, 34."""
    player = item.player
    orders = tuple(order for order in letters.of(Move, player) if order.trip == item.number)
    end = Trip(record, player, item.number).make(orders)
    if end != MADE:
        record.add(TripDeclined(player=player, trip=item.number, wished=end == REFUSED))
        if draws_at_once(record.state):
            goods.draw_action(record, player, tripevents.DECLINED, letters, dice)
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
    if number == stages.FIRST_EXTRA and not (stack and orders):
        for order in subsidies_of(letters, player, stages.SECOND_EXTRA):
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
    if not goods.held(state, player, SUBVENTION):
        return "illegal-no-card"
    return "" if is_last(state, player) else "illegal-not-last"


def late_draws(record: Record, item: Item, letters: Letters, dice: Dice) -> list[Item]:
    """Hand out the cards for declined trips that wait for the end of phase 6, and lift every bar. Rule: DIFF 34, R22."""
    lift_all(record)
    for player in record.state.declined:
        goods.draw_action(record, player, tripevents.LATE, letters, dice)
    return []


def refuse_card(record: Record, player: str, code: str, order: Subsidy | Extra, card: str) -> None:
    """Tell a player alone why an action card cannot be played, or was not."""
    text = format_order(record.state, order)
    refuse(record, player, complaint_of(code, PARAGRAPHS[card], text, order.line, card=card))
