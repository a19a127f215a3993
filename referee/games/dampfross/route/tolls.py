"""How much one train may pay one rival. Rule: D6.4."""

from __future__ import annotations

from referee.games.dampfross.position.state import State

NO_CAP = 10**6


def cap_of(state: State) -> int:
    """Return the most one train may pay one rival. Rule: D6.4 (``toll_cap``)."""
    cap = state.table.options.toll_cap
    return cap if isinstance(cap, int) else NO_CAP
