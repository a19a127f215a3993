"""Phase 3: bonds, one player after the other, or sealed and opened together. Rule: V3.3, V6.2."""

from __future__ import annotations

from referee.core.dice import Dice
from referee.games.volldampf.position.asking import bonds_are_sealed
from referee.games.volldampf.position.changes import Record
from referee.games.volldampf.position.events.auction import BondsTaken
from referee.games.volldampf.position.letters import Letters, drop_all
from referee.games.volldampf.position.orders import TakeBonds
from referee.games.volldampf.position.state import Item, State


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
