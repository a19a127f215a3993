"""Phase 6 of a built-in player: trips over its own sections, with the cards that make them better."""

from __future__ import annotations

from collections.abc import Mapping

from bench.before.volldampf.seeing import Seat
from referee.core import Value
from referee.games.volldampf.board import CUBE_COLOURS, EXTRA, LOK, PLANNING, SABOTAGE, SUBVENTION
from referee.games.volldampf.notation import decisions_now, gaps, owners_on
from referee.games.volldampf.routing import legal_deliveries
from referee.games.volldampf.state import (
    DECLINED,
    Delivery,
    Extra,
    Move,
    Order,
    Plan,
    Sabotage,
    State,
    Steal,
    Subsidy,
    Target,
)
from referee.games.volldampf.transport import may_plan

# What a built-in player may deliver now, and how good it finds that.

OWN, OTHERS, LEADER = 10, 3, 2  # what a space is worth: to the player, to a rival, to the leader on top
LOK_COST = 6  # what a Schnelle Lok must bring
ROUTE, ENDS, VIA = range(3)  # how a delivery is written


class Choice(Value):
    """A delivery that is possible. ``gain``: own spaces; ``certain``: its cube lies there already."""

    delivery: Delivery
    gain: int
    rating: int
    certain: bool = True

    def written(self, seat: Seat) -> Delivery:
        """Return the delivery as this player writes it: with its route, with its ends alone, or by way of a city."""
        route = self.delivery.route
        form = (seat.taste(255) + len(route) + self.gain) % 3
        if form == ROUTE or seat.state.table.options.route_needed:
            return self.delivery
        between = [city for city in route[1:-1] if gaps(seat.state.table.board, (route[0], city, route[-1]))]
        # Cities that printed links join one to the next would be read as the route.
        via = tuple(between[:1]) if form == VIA else ()
        return self.delivery.but(route=(), via=via)


def best_choices(seat: Seat) -> list[Choice]:
    """Return what may be delivered now, the best first."""
    state, longest = seat.state, seat.state.table.board.max_links
    deliveries = legal_deliveries(state, seat.code, longest)
    if seat.has(LOK):
        further = legal_deliveries(state, seat.code, longest + 1)
        deliveries += tuple(each.but(loks=1) for each in further if len(each.route) > longest + 1)
    return sorted((choice_of(seat, each) for each in deliveries), key=lambda choice: -choice.rating)


def choice_of(seat: Seat, delivery: Delivery, *, certain: bool = True) -> Choice:
    """Return what a delivery is worth: own spaces, less what it gives to others."""
    owners = owners_on(seat.state, delivery.route)
    gain = owners.count(seat.code)
    rivals = OTHERS * (len(owners) - gain) + LEADER * owners.count(seat.leader())
    return Choice(delivery=delivery, gain=gain, rating=OWN * gain - rivals - LOK_COST * delivery.loks, certain=certain)


# Orders of a built-in player that wait for their moment: sabotage of the leader, whom to rob.

MOST_TARGETS = 2
WORTH_BARRING = 3  # spaces that a trip brings the leader


def write_sabotage(seat: Seat) -> list[Sabotage]:
    """Wait for the leader's best trips; what waits already stands."""
    if not seat.has(SABOTAGE) or any(line.startswith("SABOTAGE") for line in seat.kept):
        return []
    leader = seat.leader()
    trips = sorted(
        (
            (owners_on(seat.state, trip.route).count(leader), trip)
            for trip in legal_deliveries(seat.state, leader, seat.state.table.board.max_links)
        ),
        key=lambda pair: -pair[0],
    )
    cubes = dict.fromkeys((trip.colour, trip.origin) for gain, trip in trips if gain >= WORTH_BARRING)
    targets = tuple(Target(colour=colour, origin=origin) for colour, origin in list(cubes)[:MOST_TARGETS])
    return [Sabotage(targets=targets, victim=leader)] if targets else []


def write_steal(seat: Seat) -> list[Steal]:
    """Name the leader as the one to rob where the action cards may all be in hands soon."""
    return [Steal(players=(seat.leader(),))] if seat.cards_out < len(seat.state.table.codes) else []


# Cubes that a built-in player would like to find on its own network, and the cards that put them there.

LEAST_MORE = 2  # spaces more than the best trip that a card should bring

Wishes = Mapping[str, Choice]  # by cube colour


class Played(Value):
    """A card that is played before a trip, how the player sits there after it, and the trips it makes possible."""

    order: Extra | Plan
    seat: Seat
    hoped: tuple[Choice, ...] = ()


def play_card_before(seat: Seat, trip: int, choices: list[Choice]) -> Played | None:
    """Return Zusatzfracht or Neue Planung where it brings more than the best trip there is, else None."""
    best = choices[0].gain if choices else 0
    if not (seat.has(EXTRA) or seat.has(PLANNING)):
        return None
    wishes = _wishes(seat)
    return _plan(seat, trip, choices, wishes, best) or _freight(seat, trip, wishes, best)


def _wishes(seat: Seat) -> Wishes:
    """Return of each colour the best trip that a cube more, anywhere on the own network, would allow."""
    state = seat.state
    links = (state.table.board.link_by_id(code) for code, owner in state.built.items() if owner == seat.code)
    near = dict.fromkeys(city for link in links for city in (link.a, link.b))
    dreamt = state.but(cubes=dict.fromkeys(near, CUBE_COLOURS))
    wishes: dict[str, Choice] = {}
    for delivery in legal_deliveries(dreamt, seat.code, state.table.board.max_links):
        choice = choice_of(seat, delivery, certain=False)
        if delivery.colour not in wishes or choice.rating > wishes[delivery.colour].rating:
            wishes[delivery.colour] = choice
    return wishes


def _freight(seat: Seat, trip: int, wishes: Wishes, best: int) -> Played | None:
    """Play Zusatzfracht where the cube drawn may be expected to bring more. Rule: V4.7."""
    bag = seat.state.bag
    cubes = sum(bag.values())
    hoped = sum(bag[colour] * max(best, choice.gain) for colour, choice in wishes.items())
    least = (best + 1 if seat.rounds_left else best) * cubes + 1
    if not seat.has(EXTRA) or hoped < least:
        return None
    usual = next(iter(wishes.values())).delivery.origin
    cities = tuple((colour, wishes[colour].delivery.origin if colour in wishes else usual) for colour in CUBE_COLOURS)
    better = [choice for choice in wishes.values() if choice.gain > best and bag[choice.delivery.colour]]
    return Played(
        order=Extra(trip=trip, cities=cities),
        seat=seat.at(without_card(seat.state, seat.code, EXTRA)),
        hoped=tuple(sorted(better, key=lambda choice: -choice.rating)),
    )


def _plan(seat: Seat, trip: int, choices: list[Choice], wishes: Wishes, best: int) -> Played | None:
    """Play Neue Planung where a cube that lies idle would bring much more. Rule: V4.9."""
    if not seat.has(PLANNING) or not may_plan(seat.state, "move"):
        return None
    busy = {(choice.delivery.colour, choice.delivery.origin) for choice in choices[:2]}
    for wish in sorted(wishes.values(), key=lambda choice: -choice.rating):
        colour, goal = wish.delivery.colour, wish.delivery.origin
        idle = [
            city.id
            for city in seat.state.table.board.cities
            if colour in seat.state.cubes.get(city.id, ()) and city.id != goal and (colour, city.id) not in busy
        ]
        if idle and wish.gain >= best + (LEAST_MORE if seat.rounds_left > 1 else 1):
            order = Plan(when="before", what="move", number=trip, colour=colour, origin=idle[0], goal=goal)
            return Played(order=order, seat=seat.at(without_card(_after_move(seat.state, order), seat.code, PLANNING)))
    return None


def _after_move(state: State, plan: Plan) -> State:
    """Return the position after a cube was moved."""
    cubes = without_cube(state, plan.origin, plan.colour).cubes
    return state.but(cubes={**cubes, plan.goal: (*cubes.get(plan.goal, ()), plan.colour)})


def without_cube(state: State, city: str, colour: str) -> State:
    """Return the position with a cube less on a city."""
    left = list(state.cubes[city])
    left.remove(colour)
    return state.but(cubes={**state.cubes, city: tuple(left)})


def without_card(state: State, player: str, card: str) -> State:
    """Return the position with an action card less in a hand."""
    left = list(state.actions[player])
    left.remove(card)
    return state.but(actions={**state.actions, player: tuple(left)})


MOST_TRIPS = 4  # alternatives of one trip
LEAST_GAIN = 2  # spaces that a trip should bring, else an action card is worth more
DECLINING = Delivery(colour=DECLINED)


def write_trips(seat: Seat) -> list[Order]:
    """Return every trip that is asked for, each as if the one before had been made, with the cards played before it."""
    orders: list[Order] = []
    for what, number in decisions_now(seat.state):
        if what == "move":
            written, seat = _trip(seat, number)
            orders += written
        elif what == "subsidy":
            orders += _extra_trip(seat)
    return orders


def _trip(seat: Seat, number: int) -> tuple[list[Order], Seat]:
    """Return the orders of a trip, and the player as they may sit there after it."""
    orders: list[Order] = []
    choices = best_choices(seat)
    played = play_card_before(seat, number, choices)
    if played:
        orders.append(played.order)
        seat = played.seat
        choices = [*played.hoped, *best_choices(seat)]
    if _rather_declines(seat, choices):
        return [*orders, Move(trip=number, deliveries=(DECLINING,))], seat
    end = (DECLINING,) if seat.taste(3) == 0 else ()  # what happens anyway is said by some
    deliveries = tuple(choice.written(seat) for choice in choices[:MOST_TRIPS])
    orders.append(Move(trip=number, deliveries=(*deliveries, *end)))
    made = next((choice for choice in choices[:MOST_TRIPS] if choice.certain), None)
    return orders, seat.at(after_trip(seat.state, seat.code, made.delivery)) if made else seat


def _rather_declines(seat: Seat, choices: list[Choice]) -> bool:
    """Return whether an action card is worth more than the best trip. Rule: V3.6.5, DIFF 33."""
    if not choices or choices[0].rating <= 0:
        return True
    brings_card = seat.state.round > 1 or seat.state.table.options.round1_decline_card
    return brings_card and seat.rounds_left > 0 and choices[0].gain < LEAST_GAIN


def _extra_trip(seat: Seat) -> list[Order]:
    """Play Subvention where the player is last as far as they can see. Rule: V4.4."""
    last = seat.state.subsidy_for or seat.state.last_places()
    choices = best_choices(seat)
    if not seat.has(SUBVENTION) or seat.code not in last or not choices or choices[0].gain < 1:
        return []
    return [Subsidy(deliveries=tuple(choice.written(seat) for choice in choices[:MOST_TRIPS]))]


def after_trip(state: State, player: str, delivery: Delivery) -> State:
    """Return the position after a delivery, whose route is given."""
    income = dict(state.income)
    for owner in owners_on(state, delivery.route):
        income[owner] += 1
    for _ in range(delivery.loks):
        state = without_card(state, player, LOK)
    return without_cube(state, delivery.origin, delivery.colour).but(income=income)
