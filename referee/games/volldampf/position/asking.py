"""What the options say of how decisions are asked for and what they bring. Rule: V6, V9."""

from __future__ import annotations

from referee.games.volldampf.position.state import State


def bonds_are_sealed(state: State) -> bool:
    """Return whether everybody decides on bonds in secret; two players always do. Rule: V6.2, DIFF 16."""
    return state.table.options.bond_order == "simultaneous" or len(state.table.codes) == 2


def is_live(state: State) -> bool:
    """Return whether bid after bid is asked for; two players' bids are sealed. Rule: V6.3."""
    return state.table.options.auction == "live" and len(state.table.codes) > 2


def declining_pays(state: State) -> bool:
    """Return whether who makes no trip in this round gets an action card for it. Rule: V3.6.5, DIFF 33."""
    return state.round > 1 or state.table.options.round1_decline_card


def draws_at_once(state: State) -> bool:
    """Return whether that card is drawn when the trip is declined, and may be played in the same phase. Rule: DIFF 34."""
    return declining_pays(state) and state.table.options.decline_card_when == "at_once"
