"""The rolls of a building round: which dice, how many, and whether the umpire throws them himself."""

from __future__ import annotations

from referee.core.dice import Dice
from referee.games.dampfross.position.changes import Record
from referee.games.dampfross.position.events import RollsThrown
from referee.games.dampfross.position.state import State

ROLLS = "rolls"  # how the names of these throws begin
TYPED_SIDES = 9  # rolls of 7 were played; what lay on those dice nobody knows, so no digit is refused


def needs_typed(state: State) -> tuple[str, ...]:
    """Return how the names of throws begin that the umpire must type. Rule: D4.4."""
    return (f"{ROLLS}/",) if state.table.options.roll == "typed" else ()


def throw_rolls(record: Record, round_number: int, dice: Dice) -> None:
    """Throw the rolls of a round: one for everybody, or each company's own. Rule: D2.1, D4.4."""
    state = record.state
    for company in state.table.codes if state.table.options.roll_per == "company" else ("",):
        name = f"{ROLLS}/{round_number}" + (f"/{company}" if company else "")
        rolls = _rolls(state, dice, name)
        record.add(RollsThrown(round=round_number, rolls=rolls, company=company))


def _rolls(state: State, dice: Dice, name: str) -> tuple[int, ...]:
    options = state.table.options
    if options.roll == "drop-lowest":
        return _best_rolls(dice, name, options.rolls_per_round)
    sides = TYPED_SIDES if options.roll == "typed" else 6
    return tuple(dice.throw(f"{name}/{roll}", sides) for roll in range(1, options.rolls_per_round + 1))


def _best_rolls(dice: Dice, name: str, wanted: int) -> tuple[int, ...]:
    """Throw one die more, drop the lowest, keep the others' order; again with two ones. Rule: D4.4."""
    attempt = 1
    while True:
        rolls = [dice.throw(f"{name}/{attempt}/{roll}", 6) for roll in range(1, wanted + 2)]
        if rolls.count(1) < 2:
            rolls.remove(min(rolls))
            return tuple(rolls)
        attempt += 1
