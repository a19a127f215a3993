"""What a player plays before a decision of his own: Neue Planung and Zusatzfracht. Rule: V4.7, V4.9, R35."""

from __future__ import annotations

from referee.core.dice import Dice
from referee.games.volldampf.board.board import CUBE_COLOURS, EXTRA
from referee.games.volldampf.phase import piles
from referee.games.volldampf.phase.planning import goes_with, has_turn, number_of, play_plan
from referee.games.volldampf.phase.transport import refuse_card
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.changes import Record
from referee.games.volldampf.position.events.transport import ExtraPlaced
from referee.games.volldampf.position.letters import Letters
from referee.games.volldampf.position.orders import BEFORE, Extra
from referee.games.volldampf.position.state import Item, State


def prepare(record: Record, item: Item, letters: Letters, dice: Dice) -> None:
    """Play what the letter puts before *item*, line by line: what comes first may serve what comes next. Rule: R35."""
    number = number_of(item)
    for order in letters.cubes_moved(item.player):
        if isinstance(order, Extra):
            if item.what in (stages.MOVE, stages.SUBSIDY) and order.trip == number:
                _place_extra(record, item, letters, order, dice)
        elif goes_with(order, BEFORE, item.what, number):
            play_plan(record, item, letters, order)


def _place_extra(record: Record, item: Item, letters: Letters, order: Extra, dice: Dice) -> None:
    """Play a Zusatzfracht: draw a cube, and put it where its colour is wanted. Rule: V4.7, DIFF 57-59, R12, R13."""
    player, trip = item.player, order.trip
    if not has_turn(record, item, letters, BEFORE):
        return
    fault = _fault(record.state, player, order)
    if fault:
        refuse_card(record, player, fault, order, EXTRA)
        return
    placed = [event for event in record.events if isinstance(event, ExtraPlaced)]
    before = sum((event.player, event.trip) == (player, trip) for event in placed)
    name = f"extra/{record.state.round}/{player}/{trip}"
    colour = piles.draw_cube(record, dice, f"{name}/{before + 1}" if before else name)
    assert colour is not None  # the bag is not empty
    piles.play_card(record, player, EXTRA)
    record.add(ExtraPlaced(player=player, trip=trip, colour=colour, city=dict(order.cities)[colour]))


def _fault(state: State, player: str, order: Extra) -> str:
    """Return the code of what keeps a Zusatzfracht from being played, "" if nothing does."""
    if not piles.held(state, player, EXTRA):
        return "illegal-no-card"
    if {colour for colour, _ in order.cities} != set(CUBE_COLOURS):
        return "illegal-extra-cities"
    return "" if any(state.bag.values()) else "illegal-bag-empty"
