"""The end of a round, and of the game: who has won. Rule: V5."""

from __future__ import annotations

from referee.games.volldampf.position.changes import Record
from referee.games.volldampf.position.events.course import GameEnded, RoundBegan, RoundEnded
from referee.games.volldampf.position.state import State


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
