"""Cubes that a built-in player would like to find on its own network, and the cards that put them there."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from referee.bots.volldampf.choices import Choice, choice_of
from referee.bots.volldampf.seeing import Seat
from referee.core.values import Value
from referee.games.volldampf.board.board import CUBE_COLOURS, EXTRA, PLANNING
from referee.games.volldampf.phase.deliveries import legal_deliveries
from referee.games.volldampf.phase.planning import may_plan
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.orders import BEFORE, Extra, Plan
from referee.games.volldampf.position.state import State

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
    dreamt = replace(state, cubes=dict.fromkeys(near, CUBE_COLOURS))
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
    if not seat.has(PLANNING) or not may_plan(seat.state, stages.MOVE):
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
            order = Plan(when=BEFORE, what=stages.MOVE, number=trip, colour=colour, origin=idle[0], goal=goal)
            return Played(order=order, seat=seat.at(without_card(_moved(seat.state, order), seat.code, PLANNING)))
    return None


def _moved(state: State, plan: Plan) -> State:
    """Return the position after a cube was moved."""
    cubes = without_cube(state, plan.origin, plan.colour).cubes
    return replace(state, cubes={**cubes, plan.goal: (*cubes.get(plan.goal, ()), plan.colour)})


def without_cube(state: State, city: str, colour: str) -> State:
    """Return the position with a cube less on a city."""
    left = list(state.cubes[city])
    left.remove(colour)
    return replace(state, cubes={**state.cubes, city: tuple(left)})


def without_card(state: State, player: str, card: str) -> State:
    """Return the position with an action card less in a hand."""
    left = list(state.actions[player])
    left.remove(card)
    return replace(state, actions={**state.actions, player: tuple(left)})
