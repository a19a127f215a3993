"""Marks and bonds at each moment of a turn: reckoned back from the position after it by what each event moved."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.values import Value
from referee.games.volldampf.position.events import (
    BidPaid,
    BondsTaken,
    Event,
    GameStarted,
    IncomePaid,
    InterestPaid,
    LinkBuilt,
)
from referee.games.volldampf.position.state import State


class Ledger(Value):
    """Everybody's marks: ``before`` the turn, and ``after`` each of its events, by the event's place in the turn."""

    before: Mapping[str, int]
    after: tuple[Mapping[str, int], ...]


def ledger(state: State, events: tuple[Event, ...]) -> Ledger:
    """Return the ledger of the *events* that led to *state*."""
    changes = [_change(state, event) for event in events]
    purse = {
        code: state.cash.get(code, 0) - sum(change.get(code, 0) for change in changes) for code in state.table.codes
    }
    before, after = dict(purse), []
    for change in changes:
        purse = {code: marks + change.get(code, 0) for code, marks in purse.items()}
        after.append(purse)
    return Ledger(before=before, after=tuple(after))


def _change(state: State, event: Event) -> Mapping[str, int]:
    """Return the marks that an event gives or takes."""
    match event:
        case GameStarted():
            return dict.fromkeys(state.table.codes, event.cash)
        case BondsTaken():
            return {event.player: event.money}
        case BidPaid() | InterestPaid():
            return {event.player: -event.paid}
        case LinkBuilt():
            return {event.player: -event.cost}
        case IncomePaid():
            return {event.player: event.amount}
        case _:
            return {}
