"""Which decisions are taken in secret and opened together, which are asked for one after the other. Rule: V6, V9."""

from __future__ import annotations

from referee.games.volldampf.state import State


def bonds_are_sealed(state: State) -> bool:
    """Return whether everybody decides on bonds in secret; two players always do. Rule: V6.2, DIFF 16."""
    return state.table.options.bond_order == "simultaneous" or len(state.table.codes) == 2


def is_live(state: State) -> bool:
    """Return whether bid after bid is asked for; two players' bids are sealed. Rule: V6.3."""
    return state.table.options.auction == "live" and len(state.table.codes) > 2
