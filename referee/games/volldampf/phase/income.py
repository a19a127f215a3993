"""Phase 7: income, interest, the card for last place; then the end of the round, and of the game. Rule: V3.7, V5."""

from __future__ import annotations

from referee.core.dice import Dice
from referee.games.volldampf.phase.piles import draw_action
from referee.games.volldampf.position.changes import Record
from referee.games.volldampf.position.events.cards import LAST
from referee.games.volldampf.position.events.course import GameEnded, RoundBegan, RoundEnded
from referee.games.volldampf.position.events.income import IncomePaid, InterestPaid
from referee.games.volldampf.position.letters import Letters
from referee.games.volldampf.position.state import Item, State

WHOLE = "whole_interest"  # a value of option interest_penalty


def pay(record: Record, item: Item, letters: Letters, dice: Dice) -> list[Item]:
    """Pay income and collect interest in turn order; then those in last place draw an action card each.

    None is drawn after the last round. Rule: V3.7.1-V3.7.3, DIFF 38, 39.
    """
    for player in record.state.order:
        record.add(IncomePaid(player=player, amount=record.state.income[player]))
        if record.state.bonds[player]:
            record.add(interest(record.state, player))
    if record.state.round < record.state.table.numbers.rounds:
        for player in record.state.last_places():
            draw_action(record, player, LAST, letters, dice)
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


def close_round(record: Record) -> bool:
    """End the round; begin the next one, or name the winners after the last. Return whether the game goes on. Rule: V5.1."""
    state = record.state
    record.add(RoundEnded(round=state.round, income={code: state.income[code] for code in state.table.codes}))
    if state.round < state.table.numbers.rounds:
        record.add(RoundBegan(round=state.round + 1))
        return True
    scores = {code: record.state.score(code) for code in state.table.codes}
    record.add(GameEnded(scores=scores, winners=winners_of(record.state)))
    return False


def winners_of(state: State) -> tuple[str, ...]:
    """Return who has the best score, of those who has most cash; who ties in both shares the win. Rule: V5.2, DIFF 66."""
    ranks = {code: (state.score(code), state.cash[code]) for code in state.table.codes}
    best = max(ranks.values())
    return tuple(code for code, rank in ranks.items() if rank == best)
