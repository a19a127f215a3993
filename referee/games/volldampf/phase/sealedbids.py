"""Two players' auction: both bid in secret and reveal together; who bids more is first. Rule: V6.3."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.volldampf.position.changes import Record
from referee.games.volldampf.position.events.auction import BidPaid, BidsOpened, OrderSettled
from referee.games.volldampf.position.letters import Letters
from referee.games.volldampf.position.orders import Bid
from referee.games.volldampf.position.state import State

MOST_TIES = 5  # after which the order stays. Rule: DIFF 69
RANGE = {"1-5": (1, 5), "any": (0, 0)}  # least and most; most 0: as much as there is. Rule: DIFF 67
PAID, RAISE = "paid_and_repeat", "raise"  # what becomes of tied bids; else they are returned. Rule: DIFF 68

Lists = Mapping[str, tuple[int, ...]]


def open_bids(record: Record, letters: Letters) -> None:
    """Open bid after bid of both lists until one is higher; nobody's bid when both are silent. Rule: DIFF 68, DIFF 69, R2, R3."""
    lists = {code: _list_of(letters, code) for code in record.state.table.codes}
    settled = False
    while any(lists.values()) and not settled:
        settled = _open(record, lists)
    if not any(lists.values()):
        record.add(OrderSettled(order=record.state.order, paragraph="V6.3"))


def bid_of(state: State, player: str, amounts: tuple[int, ...]) -> int:
    """Return what a player's list bids now: cut into the range, its last figure repeated; silence is 0. Rule: R3, DIFF 69."""
    if not amounts:
        return 0
    figure = amounts[min(state.ties, len(amounts) - 1)]
    if state.ties and state.table.options.two_player_tie == RAISE:
        figure = max(figure, state.bids[player] + 1)
    least, _ = RANGE[state.table.options.two_player_bid]
    return min(max(figure, least), _highest(state, player, amounts))


def _open(record: Record, lists: Lists) -> bool:
    """Open one bid of each and settle the order, if it is settled by them."""
    state = record.state
    bids = {code: bid_of(state, code, amounts) for code, amounts in lists.items()}
    tie = len(set(bids.values())) == 1
    record.add(BidsOpened(bids=bids, tie=tie))
    ended = not tie or _tie_stands(record.state, lists)
    kind = state.table.options.two_player_tie
    if kind == PAID or not tie or (kind == RAISE and ended):
        record.add_all(
            BidPaid(player=code, bid=bid, paid=bid, share="all", paragraph="V6.3") for code, bid in bids.items()
        )
    if tie and kind == PAID and not any(record.state.cash.values()):
        ended = True
    if ended:
        order = record.state.order if tie else tuple(sorted(bids, key=lambda code: -bids[code]))
        record.add(OrderSettled(order=order, paragraph="V6.3"))
    return ended


def _tie_stands(state: State, lists: Lists) -> bool:
    """Return whether a tie leaves the order as it is: the fifth, or one that nobody can raise. Rule: DIFF 69, R2."""
    if state.ties >= MOST_TIES or not any(state.cash.values()):
        return True
    at_top = all(state.bids[code] >= _highest(state, code, amounts) for code, amounts in lists.items())
    return state.table.options.two_player_tie == RAISE and at_top


def _highest(state: State, player: str, amounts: tuple[int, ...]) -> int:
    """Return the most a player may bid: the range and his cash are its bounds; silence stays at 0."""
    if not amounts:
        return 0
    _, most = RANGE[state.table.options.two_player_bid]
    cash = state.cash[player]
    return min(most, cash) if most else cash


def _list_of(letters: Letters, player: str) -> tuple[int, ...]:
    """Return the figures of a player's list; there is no pass. Rule: R3."""
    return next((order.amounts for order in letters.of(Bid, player)), ())
