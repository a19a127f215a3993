"""Lines that could be ordered on today's board, one for each verb: what HELP shows, and how a card in hand is played."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle, islice, product

from referee.games.volldampf.board.board import CUBE_COLOURS
from referee.games.volldampf.phase.deliveries import legal_deliveries
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.notation import format_order
from referee.games.volldampf.position.orders import (
    BEFORE,
    DECLINED,
    Build,
    Delivery,
    Extra,
    Move,
    Order,
    Plan,
    Rank,
    Rearrange,
    Sabotage,
    Site,
    Steal,
    Subsidy,
    Target,
    Wish,
)
from referee.games.volldampf.position.state import State

TRIPS_SHOWN = 2  # alternatives of a trip in an example


def help_lines(state: State, player: str) -> dict[str, str]:
    """Return by verb a line with names of this position; none for a verb that has nothing to name now.

    They show how orders are written and are no advice: the first of their kind as the board file has them. Where nothing is
    built yet, or no cards lie open, they name what will be possible then.
    """
    lines: dict[str, Order | None] = {
        "RANK": _ranking(state),
        "NEW": _rearrangement(state),
        "BUILD": _build(state, player),
        "DISCARD": Build(number=2, sites=(Site(card=_hand(state, player)[-1]),)),
        "MOVE": _move(state, player),
        "SUBSIDY": _subsidy(state, player),
        "EXTRA": _extra(state),
        "PLAN": _plan(state),
        "SABOTAGE": _sabotage(state, player),
        "STEAL": Steal(players=_rivals(state, player)[:2]),
    }
    told = {verb: format_order(state, order) for verb, order in lines.items() if order is not None}
    # One card given up is a verb of its own, shorter than the build that it stands for.
    return {**told, "DISCARD": told["DISCARD"].replace("BUILD 2: DISCARD", "DISCARD 2:")}


def _rivals(state: State, player: str) -> tuple[str, ...]:
    return tuple(code for code in state.table.codes if code != player)


def _hand(state: State, player: str) -> tuple[str, ...]:
    """Return the track cards in hand; before they are chosen those of an open group, or all colours."""
    open_group = next((group for group in state.groups if group), ())
    return state.hands.get(player) or open_group or state.table.board.colour_ids


def _ranking(state: State) -> Rank | None:
    """Return a wish of each kind: two cards of a group, one colour of another, a whole group, a number."""
    groups = {number: group for number, group in enumerate(state.groups, start=1) if group}
    if not groups:
        return None
    first, last = next(iter(groups.values())), groups[max(groups)]
    one = next((card for group in groups.values() for card in group if card not in first), first[0])
    wishes = (Wish(colours=(first[0], first[-1])), Wish(colours=(one,)), Wish(colours=last, exact=True))
    return Rank(wishes=(*wishes, Wish(number=max(groups))))


def _rearrangement(state: State) -> Rearrange:
    """Return the open cards in other groups of the same sizes; cards of all colours where not all groups are open."""
    colours, open_now = state.table.board.colour_ids, state.groups
    if not open_now or not all(open_now):
        size = state.table.numbers.group_size
        open_now = tuple(
            tuple(islice(cycle(colours), place * size, (place + 1) * size)) for place in range(len(state.table.codes))
        )
    cards = [card for group in open_now for card in group][::-1]
    size, order = len(open_now[0]), colours.index
    places = range(0, len(cards), size)
    return Rearrange(groups=tuple(tuple(sorted(cards[at : at + size], key=order)) for at in places))


def _build(state: State, player: str) -> Build:
    """Return a link for a card in hand, one of another colour for 5 marks, and a card given up."""
    hand = _hand(state, player)
    free = [link for link in state.table.board.links if link.id not in state.built]
    own = [Site(link=link.id) for link in free if link.colour == hand[0]]
    bargains = [Site(link=link.id, bargain=True, card=hand[0]) for link in free if link.colour != hand[0]]
    return Build(number=1, sites=(*own[:1], *bargains[:1], Site(card=hand[-1])))


def _trips(state: State, player: str) -> list[Delivery]:
    """Return deliveries that can be made, or where there are too few, what printed links would allow."""
    found = list(legal_deliveries(state, player, state.table.board.max_links))
    if len(found) < TRIPS_SHOWN:
        found += [each for each in _printed(state) if each not in found]
    # A longer way first: it shows how cities on the way are named.
    return sorted(found[:12], key=lambda each: len(each.route) != 3)


def _printed(state: State) -> Iterable[Delivery]:
    """Return trips over one or two printed links that no city of the cube's colour interrupts."""
    board = state.table.board
    for city, colour in product(board.cities, CUBE_COLOURS):
        if colour not in state.cubes.get(city.id, ()):
            continue
        for near in board.neighbours(city.id):
            if board.city(near).colour == colour:
                yield Delivery(colour=colour, origin=city.id, goal=near, route=(city.id, near))
                continue
            for far in board.neighbours(near):
                if far != city.id and board.city(far).colour == colour:
                    yield Delivery(colour=colour, origin=city.id, goal=far, route=(city.id, near, far))


def _move(state: State, player: str) -> Move | None:
    trips = _trips(state, player)
    if not trips:
        return None
    wishes = (_to_be_found(state, trips[0]), *trips[1:TRIPS_SHOWN], Delivery(colour=DECLINED))
    return Move(trip=1, deliveries=wishes)


def _subsidy(state: State, player: str) -> Subsidy | None:
    trips = _trips(state, player)
    return Subsidy(deliveries=(_to_be_found(state, trips[0]),)) if trips else None


def _to_be_found(state: State, trip: Delivery) -> Delivery:
    """Return a trip whose route is left to the referee, where that is allowed, by a city of the way if there is one."""
    if state.table.options.route_needed:
        return trip
    return Delivery(colour=trip.colour, origin=trip.origin, goal=trip.goal, via=trip.route[1:-1][:1])


def _extra(state: State) -> Extra:
    """Return a city for each colour that a cube of it would have to leave."""
    cities = state.table.board.cities
    places: dict[str, str] = {}
    for colour in CUBE_COLOURS:
        fits = [city.id for city in cities if city.colour != colour]
        places[colour] = next((city for city in fits if city not in places.values()), fits[0])
    return Extra(trip=1, cities=tuple(places.items()))


def _a_cube(state: State) -> tuple[str, str] | None:
    cities = (city.id for city in state.table.board.cities)
    return next(((state.cubes[city][0], city) for city in cities if state.cubes.get(city)), None)


def _plan(state: State) -> Plan | None:
    cube = _a_cube(state)
    if cube is None:
        return None
    colour, origin = cube
    goal = next(city.id for city in state.table.board.cities if city.id != origin)
    return Plan(when=BEFORE, what=stages.MOVE, number=1, colour=colour, origin=origin, goal=goal)


def _sabotage(state: State, player: str) -> Sabotage:
    cube = _a_cube(state)
    targets = (Target(colour=cube[0], origin=cube[1]), Target()) if cube else (Target(),)
    return Sabotage(targets=targets, victim=_rivals(state, player)[0], trip=2)
