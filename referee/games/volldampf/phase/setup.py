"""The setup: money, sequence cards, piles, and the first cubes. Rule: V2."""

from __future__ import annotations

from referee.core.dice import Dice
from referee.games.volldampf.phase.goods import draw_for_city, turn_cards
from referee.games.volldampf.phase.piles import draw
from referee.games.volldampf.position.changes import Record
from referee.games.volldampf.position.events.course import GameStarted
from referee.games.volldampf.position.state import State

SETUP = 0  # the setup's number where rounds are counted


def set_up(record: Record, dice: Dice) -> None:
    """Hand everything out and put the first cubes on the board: home cities as in the board file, then cards. Rule: DIFF 11."""
    table = record.state.table
    record.add(
        GameStarted(
            cash=table.board.start_money,
            order=_first_order(record.state, dice),
            removed=_removed(record.state, dice),
        )
    )
    for city in table.board.cities:
        if city.is_home:
            draw_for_city(record, city.id, SETUP, 0, dice)
    turn_cards(record, SETUP, table.numbers.setup_cards, dice)


def _first_order(state: State, dice: Dice) -> tuple[str, ...]:
    """Return the start player, drawn by lot or else the first of the table, and the others clockwise. Rule: V2.3, DIFF 07."""
    codes = state.table.codes
    first = dice.throw("start", len(codes)) - 1 if state.table.options.start_player == "lot" else 0
    return codes[first:] + codes[:first]


def _removed(state: State, dice: Dice) -> tuple[str, ...]:
    """Return the track cards taken out at random, after those of each colour. Rule: V2.4."""
    board, numbers = state.table.board, state.table.numbers
    pile = dict.fromkeys(board.colour_ids, board.track_cards - numbers.remove_per_colour)
    removed = []
    for number in range(1, numbers.remove_random + 1):
        colour = draw(pile, board.colour_ids, dice, f"removed/{number}")
        pile[colour] -= 1
        removed.append(colour)
    return tuple(removed)
