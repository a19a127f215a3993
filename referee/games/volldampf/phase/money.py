"""Money: bonds, income and interest; the end of a round and of the game. Rule: V3.3, V3.7, V5, V6.2."""

from __future__ import annotations

from referee.core.dice import Dice
from referee.games.volldampf.phase.goods import draw_action
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.changes import Record
from referee.games.volldampf.position.events import (
    BondsTaken,
    GameEnded,
    IncomePaid,
    InterestPaid,
    RoundBegan,
    RoundEnded,
)
from referee.games.volldampf.position.letters import Letters, drop_all
from referee.games.volldampf.position.orders import LAST, TakeBonds
from referee.games.volldampf.position.schedule import bonds_are_sealed
from referee.games.volldampf.position.state import Item, State

# Phase 3: bonds, one player after the other, or sealed and opened together. Rule: V3.3, V6.2.


def bond_order(state: State) -> tuple[str, ...]:
    """Return in which order bonds are taken; sealed ones are opened clockwise. Rule: DIFF 16, R5."""
    in_turn = state.table.options.bond_order == "turn_order" and not bonds_are_sealed(state)
    return state.order if in_turn else state.clockwise()


def do_bonds(record: Record, item: Item, letters: Letters, dice: Dice) -> list[Item]:
    """Let a player take bonds; sealed ones wait until they are opened."""
    if not bonds_are_sealed(record.state):
        take(record, item.player, letters)
    return []


def do_reveal(record: Record, item: Item, letters: Letters, dice: Dice) -> list[Item]:
    """Open the sealed bonds."""
    for player in bond_order(record.state):
        take(record, player, letters)
    drop_all(record, TakeBonds)
    return []


def take(record: Record, player: str, letters: Letters) -> None:
    """Take what was asked for, cut down to what limits leave; without an order nothing. Rule: V3.3.1, R5, DIFF 71."""
    state = record.state
    board, options = state.table.board, state.table.options
    asked = sum(order.points for order in letters.of(TakeBonds, player)[:1])
    limits = [options.bond_limit] if options.bond_limit else []
    if options.bank_limits:
        limits.append(board.bond_points - sum(state.bonds.values()))
    points = max(0, min([asked, *limits]))
    record.add(BondsTaken(player=player, points=points, money=points * board.bond_money, asked=asked))


# Phase 7: income, interest, the card for last place. Rule: V3.7.

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


# The end of a round, and of the game: who has won. Rule: V5.


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
