"""Where companies may start. Rule: D1.3."""

from __future__ import annotations

from referee.core.hexes import Hex
from referee.games.dampfross.state import State


def homes_of(state: State, company: str) -> tuple[Hex, ...]:
    """Return the cities *company* may choose as its home terminal, in the map's order. Rule: D1.3."""
    homes = state.table.board.homes
    return homes.get(str(len(state.table.players)), homes.get("any", ()))
