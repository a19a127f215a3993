"""The auction as the newsletter tells it: bid by bid where that is short, else the last bids, and what was paid."""

from __future__ import annotations

from typing import Any

from referee.games.volldampf.position.events import BidMade, BidPaid, BidPassed, BidsOpened, Event, OrderSettled
from referee.games.volldampf.position.state import State
from referee.games.volldampf.report.ledger import Ledger
from referee.games.volldampf.report.view import shows_cash

MOST_BIDS = 12  # that are told one by one when the referee raised them from sealed limits


def told_auction(state: State, placed: list[tuple[int, Event]], purses: Ledger, reader: str | None) -> dict[str, Any]:
    """Return ``bids`` in order (amount None: a pass), ``opened`` sealed bids of two players, who passed in which order, and
    ``rows``: sequence card, last bid, payment, share and marks after it. No limit is ever among them."""
    events = [event for _, event in placed]
    bids = [
        {"code": event.player, "amount": event.amount if isinstance(event, BidMade) else None}
        for event in events
        if isinstance(event, BidMade | BidPassed)
    ]
    order = next((event.order for event in events if isinstance(event, OrderSettled)), ())
    short = state.table.options.auction == "live" or len(bids) <= MOST_BIDS
    return {
        "bids": bids if short else [],
        "opened": [
            {"bids": [{"code": code, "amount": event.bids[code]} for code in event.bids], "tie": event.tie}
            for event in events
            if isinstance(event, BidsOpened)
        ],
        "out": [event.player for event in events if isinstance(event, BidPassed)],
        "rows": [_row(state, card, code, placed, purses, reader) for card, code in enumerate(order, start=1)],
    }


def _row(
    state: State, card: int, code: str, placed: list[tuple[int, Event]], purses: Ledger, reader: str | None
) -> dict[str, Any]:
    paid = [(place, event) for place, event in placed if isinstance(event, BidPaid) and event.player == code]
    last = paid[-1][0] if paid else placed[-1][0]
    return {
        "card": card,
        "code": code,
        "bid": paid[-1][1].bid if paid else 0,
        "paid": sum(event.paid for _, event in paid),
        "share": paid[-1][1].share if paid else "nothing",
        "cash": purses.after[last][code] if shows_cash(state, code, reader) else None,
    }
