"""Phase 6 of a built-in player: trips over its own sections, with the cards that make them better."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core import Value
from referee.games.volldampf.board import CUBE_COLOURS, EXTRA, LOK, PLANNING, SABOTAGE, SUBVENTION
from referee.games.volldampf.events import CardPlayed, CubeDelivered, CubePlanned
from referee.games.volldampf.notation import decisions_now, gaps, owners_on, sections_of
from referee.games.volldampf.routing import legal_deliveries
from referee.games.volldampf.state import (
    DECLINED,
    Delivery,
    Extra,
    Move,
    Order,
    Plan,
    Sabotage,
    Steal,
    Subsidy,
    Target,
)
from referee.games.volldampf.transport import may_plan

from .. import FIRST
from .seeing import Viewpoint

# What a built-in player may deliver now, and how good it finds that.

OWN, OTHERS, LEADER = 10, 3, 2  # what a space is worth: to the player, to a rival, to the leader on top
LOK_COST = 6  # what a Schnelle Lok must bring
ROUTE, ENDS, VIA = range(3)  # how a delivery is written


class Prospect(Value):
    """A delivery that is possible. ``gain``: own spaces; ``certain``: its cube lies there already."""

    delivery: Delivery
    gain: int
    rating: int
    certain: bool = True

    def write(self, seat: Viewpoint) -> Delivery:
        """Return the delivery as this player writes it: with its route, with its ends alone, or by way of a city."""
        route = self.delivery.route
        form = (seat.taste(255) + len(route) + self.gain) % 3
        if form == ROUTE or seat.state.options.route_needed:
            return self.delivery
        between = [city for city in route[1:-1] if gaps(seat.state.board, (route[0], city, route[-1]))]
        # Cities that printed links join one to the next would be read as the route.
        via = tuple(between[:1]) if form == VIA else ()
        return self.delivery.but(route=(), via=via)


def best_choices(seat: Viewpoint) -> list[Prospect]:
    """Return what may be delivered now, the best first."""
    state, longest = seat.state, seat.state.board.max_links
    deliveries = legal_deliveries(state, seat.code, longest)
    if seat.has(LOK):
        further = legal_deliveries(state, seat.code, longest + 1)
        deliveries += tuple(each.but(loks=1) for each in further if len(each.route) > longest + 1)
    found = sorted((choice_of(seat, each) for each in deliveries), key=lambda choice: -choice.rating)
    if seat.strength == FIRST:  # takes what comes to mind
        turned = seat.taste(2)
        return [*found[turned:], *found[:turned]]
    return found


def choice_of(seat: Viewpoint, delivery: Delivery, *, certain: bool = True) -> Prospect:
    """Return what a delivery is worth: own spaces, less what it gives to others."""
    owners = owners_on(seat.state, delivery.route)
    gain = owners.count(seat.code)
    rivals = OTHERS * (len(owners) - gain) + LEADER * owners.count(seat.leader())
    return Prospect(
        delivery=delivery, gain=gain, rating=OWN * gain - rivals - LOK_COST * delivery.loks, certain=certain
    )


# Orders of a built-in player that wait for their moment: sabotage of the leader, whom to rob.

MOST_TARGETS = 2
WORTH_BARRING = 3  # spaces that a trip brings the leader


def write_sabotage(seat: Viewpoint) -> list[Sabotage]:
    """Wait for the leader's best trips; what waits already stands."""
    if not seat.has(SABOTAGE) or any(line.startswith("SABOTAGE") for line in seat.kept):
        return []
    leader = seat.leader()

    def gain_of(trip: Delivery) -> int:
        return owners_on(seat.state, trip.route).count(leader)

    trips = sorted(legal_deliveries(seat.state, leader, seat.state.board.max_links), key=gain_of, reverse=True)
    cubes = dict.fromkeys((trip.colour, trip.origin) for trip in trips if gain_of(trip) >= WORTH_BARRING)
    targets = tuple(Target(colour=colour, origin=origin) for colour, origin in list(cubes)[:MOST_TARGETS])
    return [Sabotage(targets=targets, victim=leader)] if targets else []


def write_steal(seat: Viewpoint) -> list[Steal]:
    """Name the leader as the one to rob where the action cards may all be in hands soon."""
    return [Steal(players=(seat.leader(),))] if seat.cards_out < len(seat.state.codes) else []


# Cubes that a built-in player would like to find on its own network, and the cards that put them there.

LEAST_MORE = 2  # spaces more than the best trip that a card should bring

Wishes = Mapping[str, Prospect]  # by cube colour


class CardChoice(Value):
    """A card that is played before a trip, how the player sits there after it, and the trips it makes possible."""

    order: Extra | Plan
    seat: Viewpoint
    hoped: tuple[Prospect, ...] = ()


def play_card_before(seat: Viewpoint, trip: int, choices: list[Prospect]) -> CardChoice | None:
    """Return Zusatzfracht or Neue Planung where it brings more than the best trip there is, else None."""
    best = choices[0].gain if choices else 0
    if not (seat.has(EXTRA) or seat.has(PLANNING)):
        return None
    wishes = _wishes(seat)
    return _plan(seat, trip, choices, wishes, best) or _freight(seat, trip, wishes, best)


def _wishes(seat: Viewpoint) -> Wishes:
    """Return of each colour the best trip that a cube more, anywhere on the own network, would allow."""
    state = seat.state
    links = (state.board.link_by_id(code) for code, owner in state.built.items() if owner == seat.code)
    near = dict.fromkeys(city for link in links for city in (link.a, link.b))
    dreamt = state.but(cubes=dict.fromkeys(near, CUBE_COLOURS))
    wishes: dict[str, Prospect] = {}
    for delivery in legal_deliveries(dreamt, seat.code, state.board.max_links):
        choice = choice_of(seat, delivery, certain=False)
        if delivery.colour not in wishes or choice.rating > wishes[delivery.colour].rating:
            wishes[delivery.colour] = choice
    return wishes


def _freight(seat: Viewpoint, trip: int, wishes: Wishes, best: int) -> CardChoice | None:
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
    return CardChoice(
        order=Extra(trip=trip, cities=cities),
        seat=seat.after(CardPlayed(seat.code, card=EXTRA)),
        hoped=tuple(sorted(better, key=lambda choice: -choice.rating)),
    )


def _plan(seat: Viewpoint, trip: int, choices: list[Prospect], wishes: Wishes, best: int) -> CardChoice | None:
    """Play Neue Planung where a cube that lies idle would bring much more. Rule: V4.9."""
    if not seat.has(PLANNING) or not may_plan(seat.state, "move"):
        return None
    moved = {(choice.delivery.colour, choice.delivery.origin) for choice in choices}  # by anybody, perhaps
    seen = seat.has(PLANNING) + seat.state.action_discards.get(PLANNING, 0)
    # Else one of two cubes is left if a rival plans alike.
    is_first = seen == seat.state.board.action_cards or (trip == 1 and seat.state.order[0] == seat.code)
    for wish in sorted(wishes.values(), key=lambda choice: -choice.rating):
        colour, goal = wish.delivery.colour, wish.delivery.origin
        idle = [
            city.id
            for city in seat.state.board.cities
            if seat.state.cubes.get(city.id, ()).count(colour) > (not is_first)
            and city.id != goal
            and (colour, city.id) not in moved
        ]
        if idle and wish.gain >= best + (LEAST_MORE if seat.rounds_left > 1 else 1):
            order = Plan(when="before", what="move", number=trip, colour=colour, origin=idle[0], goal=goal)
            planned = CubePlanned(seat.code, colour=colour, origin=idle[0], goal=goal)
            return CardChoice(order=order, seat=seat.after(CardPlayed(seat.code, card=PLANNING), planned))
    return None


MOST_TRIPS = 6  # alternatives of one trip
LEAST_GAIN = 2  # spaces that a trip should bring, else an action card is worth more
DECLINING = Delivery(DECLINED)


def write_trips(seat: Viewpoint) -> list[Order]:
    """Return every trip that is asked for, each as if the one before had been made, with the cards played before it."""
    orders: list[Order] = []
    for what, number in decisions_now(seat.state):
        if what == "move":
            written, seat = _trip(seat, number)
            orders += written
        elif what == "subsidy":
            orders += _extra_trip(seat)
    return orders


def _trip(seat: Viewpoint, number: int) -> tuple[list[Order], Viewpoint]:
    """Return the orders of a trip, and the player as they may sit there after it."""
    orders: list[Order] = []
    choices = best_choices(seat)
    played = play_card_before(seat, number, choices)
    if played:
        orders.append(played.order)
        seat = played.seat
        choices = [*played.hoped, *best_choices(seat)]
    if _rather_declines(seat, choices):
        return [*orders, Move(number, (DECLINING,))], seat
    deliveries = tuple(choice.write(seat) for choice in choices[:MOST_TRIPS])
    orders.append(Move(number, (*deliveries, DECLINING)))
    for made in [choice.delivery for choice in choices[:MOST_TRIPS] if choice.certain][:1]:
        steps = sections_of(seat.state, made.route)
        trip = CubeDelivered(seat.code, trip=number, colour=made.colour, route=made.route, steps=steps)
        seat = seat.after(*[CardPlayed(seat.code, card=LOK)] * made.loks, trip)
    return orders, seat


def _rather_declines(seat: Viewpoint, choices: list[Prospect]) -> bool:
    """Return whether an action card is worth more than the best trip. Rule: V3.6.5, DIFF 33."""
    if not choices or choices[0].rating <= 0:
        return True
    brings_card = seat.state.round > 1 or seat.state.options.round1_decline_card
    return brings_card and seat.rounds_left > 0 and choices[0].gain < LEAST_GAIN


def _extra_trip(seat: Viewpoint) -> list[Order]:
    """Order an extra trip where Subvention is held: it stays in hand unless the player is last by then. Rule: V4.4."""
    choices = best_choices(seat)
    if not seat.has(SUBVENTION) or not choices or choices[0].gain < (LEAST_GAIN if seat.rounds_left else 1):
        return []
    return [Subsidy(deliveries=tuple(choice.write(seat) for choice in choices[:MOST_TRIPS]))]
