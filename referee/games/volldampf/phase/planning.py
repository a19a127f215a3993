"""Neue Planung: a cube is moved before or after an own decision. Rule: V4.9, DIFF 62-64, R12, R15."""

from __future__ import annotations

from referee.core.orders import Complaint
from referee.games.volldampf.board.board import PLANNING
from referee.games.volldampf.phase.piles import held, play_card
from referee.games.volldampf.phase.transport import refuse, subsidies_of, subsidy_fault, trip_of
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.changes import Record
from referee.games.volldampf.position.events.transport import CubeDelivered, CubePlanned
from referee.games.volldampf.position.letters import Letters
from referee.games.volldampf.position.notation import format_order
from referee.games.volldampf.position.orders import AFTER, Plan
from referee.games.volldampf.position.state import Item, State

PHASES = {stages.BONDS: 3, stages.BID: 4, stages.CHOOSE: 4, stages.BUILD: 5, stages.MOVE: 6, stages.SUBSIDY: 6}


def play_plan(record: Record, item: Item, letters: Letters, order: Plan) -> None:
    """Play a Neue Planung that goes with this decision, or say what keeps it from being played."""
    complaint = _fault(record, item, letters, order)
    if complaint is not None:
        refuse(record, item.player, complaint)
        return
    play_card(record, item.player, PLANNING)
    record.add(CubePlanned(player=item.player, colour=order.colour, origin=order.origin, goal=order.goal))


def plan_after(record: Record, item: Item, letters: Letters) -> None:
    """Play the Neue Planung cards that *item*'s player ordered AFTER this decision."""
    for order in letters.of(Plan, item.player):
        if goes_with(order, AFTER, item.what, number_of(item)):
            play_plan(record, item, letters, order)


def goes_with(order: Plan, when: str, what: str, number: int) -> bool:
    """Return whether an order stands on that side of a decision; one that names no number goes with each of the kind."""
    return order.when == when and order.what == what and order.number in (0, number)


def number_of(item: Item) -> int:
    """Return the number of a decision: of a build or a trip; 0 where it has none."""
    return trip_of(item) if item.what == stages.SUBSIDY else item.number


def may_plan(state: State, what: str) -> bool:
    """Return whether Neue Planung may be played with that kind of decision: ``3-6``, ``5-6`` or ``6``. Rule: DIFF 62."""
    return PHASES[what] >= int(state.table.options.neue_planung_phases[0])


def _fault(record: Record, item: Item, letters: Letters, order: Plan) -> Complaint | None:
    state, city = record.state, record.state.table.board.city
    start, end = city(order.origin), city(order.goal)
    text = format_order(state, order)
    params: dict[str, str | int] = {}
    if not may_plan(state, item.what):
        code, params = "illegal-plan-phase", {"phases": state.table.options.neue_planung_phases}
    elif not held(state, item.player, PLANNING):
        code, params = "illegal-no-card", {"card": PLANNING}
    elif not has_turn(record, item, letters, order.when):
        code = "illegal-plan-no-trip"
    elif order.colour not in state.cubes.get(start.id, ()):
        code, params = "illegal-no-cube", {"colour": order.colour, "city": start.name}
    elif start == end:
        code, params = "illegal-same-city", {"city": start.name}
    else:
        return None
    return Complaint(code=code, line=order.line, text=text, paragraph="V4.9", params=tuple(params.items()))


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
