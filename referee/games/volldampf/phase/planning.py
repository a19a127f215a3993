"""What a player plays beside a decision of his own: Neue Planung moves a cube, Zusatzfracht brings one.

Rule: V4.7, V4.9, DIFF 57-59, 62-64, R12, R13, R15, R35.
"""

from __future__ import annotations

from referee.core.dice import Dice
from referee.core.orders import complaint_of
from referee.games.volldampf.board.board import CUBE_COLOURS, EXTRA, PLANNING
from referee.games.volldampf.phase.goods import draw_cube, held, play_card
from referee.games.volldampf.phase.transport import refuse_card, subsidies_of, subsidy_fault, trip_of
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.changes import Record
from referee.games.volldampf.position.letters import Letters, refuse
from referee.games.volldampf.position.notation import format_order
from referee.games.volldampf.position.orders import AFTER, BEFORE, Extra, Plan
from referee.games.volldampf.position.state import Item, State
from referee.games.volldampf.position.tripevents import CubeDelivered, CubePlanned, ExtraPlaced

PHASES = {stages.BONDS: 3, stages.BID: 4, stages.CHOOSE: 4, stages.BUILD: 5, stages.MOVE: 6, stages.SUBSIDY: 6}


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
        return when == BEFORE and item.what in (stages.MOVE, stages.SUBSIDY) and order.trip == number
    return order.when == when and order.what == item.what and order.number in (0, number)


def number_of(item: Item) -> int:
    """Return the number of a decision: of a build or a trip; 0 where it has none."""
    return trip_of(item) if item.what == stages.SUBSIDY else item.number


def may_plan(state: State, what: str) -> bool:
    """Return whether Neue Planung may be played with that kind of decision: ``3-6``, ``5-6`` or ``6``. Rule: DIFF 62."""
    return PHASES[what] >= int(state.table.options.neue_planung_phases[0])


def has_turn(record: Record, item: Item, letters: Letters, when: str) -> bool:
    """Return whether the player's turn is not over: a declined trip ends it, an extra trip is one's turn if it is made.

    Rule: R12, R15.
    """
    if item.what not in (stages.MOVE, stages.SUBSIDY):
        return True
    trip = trip_of(item)
    if when == AFTER:
        return any(
            isinstance(event, CubeDelivered) and event.player == item.player and event.trip == trip
            for event in record.events
        )
    if item.what == stages.MOVE:
        return True
    return bool(subsidies_of(letters, item.player, trip)) and not subsidy_fault(record.state, item.player)


def _plan(record: Record, item: Item, letters: Letters, order: Plan) -> None:
    state, player = record.state, item.player
    start, end = (state.table.board.city(city) for city in (order.origin, order.goal))
    params: dict[str, str | int] = {}
    if not may_plan(state, item.what):
        code, params = "illegal-plan-phase", {"phases": state.table.options.neue_planung_phases}
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
