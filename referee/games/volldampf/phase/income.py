"""Phase 7: income, interest, the card for last place. Rule: V3.7."""

from __future__ import annotations

from referee.core.dice import Dice
from referee.games.volldampf.phase.piles import draw_action
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.changes import Record
from referee.games.volldampf.position.events.income import IncomePaid, InterestPaid
from referee.games.volldampf.position.letters import Letters
from referee.games.volldampf.position.orders import LAST
from referee.games.volldampf.position.state import Item, State

WHOLE = "whole_interest"  # a value of option interest_penalty


def pay(record: Record, item: Item, letters: Letters, dice: Dice) -> list[Item]:
    """Pay income and collect interest in turn order; a card for each in last place follows, but after the last round.

    Rule: V3.7.1-V3.7.3, DIFF 38, 39.
    """
    for player in record.state.order:
        record.add(IncomePaid(player=player, amount=record.state.income[player]))
        if record.state.bonds[player]:
            record.add(interest(record.state, player))
    if record.state.round == record.state.table.numbers.rounds:
        return []
    return [Item(what=stages.STEAL, player=player) for player in record.state.last_places()]


def draw_for_last(record: Record, item: Item, letters: Letters, dice: Dice) -> list[Item]:
    """Draw an action card for last place. Rule: V3.7.3."""
    draw_action(record, item.player, LAST, letters, dice)
    return []


def interest(state: State, player: str) -> InterestPaid:
    """Return what a player pays on his bonds out of his cash, and how far he goes back for what he cannot pay.

    The start of the track stops him; the rest is forgiven. Rule: V3.7.2, DIFF 36, 37, R17.
    """
    due = state.bonds[player]
    paid = min(due, state.cash[player])
    missing = due - paid
    owed = due if missing and state.table.options.interest_penalty == WHOLE else missing
    return InterestPaid(player=player, due=due, paid=paid, back=min(owed, state.income[player]))
