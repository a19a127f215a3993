"""Money, phases 3, 4 and 7: bonds, the auction with its payments, income and interest; the end of a round and of the game.

Rule: V3.3, V3.4, V3.7, V5, V6.2, V6.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.core import Complaint, Numbers, complaint_of

from .board import Codes
from .changes import Play
from .events import (
    BidMade,
    BidPaid,
    BidPassed,
    BidsOpened,
    BondsTaken,
    GameEnded,
    IncomePaid,
    InterestPaid,
    OrderSettled,
    RoundBegan,
    RoundEnded,
)
from .goods import draw_action
from .state import Bid, Item, State, TakeBonds

# Two players' auction: both bid in secret and reveal together; who bids more is first. Rule: V6.3.

MOST_TIES = 5  # after which the order stays. Rule: DIFF 69
RANGE = {"1-5": (1, 5), "any": (0, 0)}  # least and most; most 0: as much as there is. Rule: DIFF 67


def open_bids(play: Play) -> None:
    """Open bid after bid of both lists until one is higher; nobody's bid when both are silent. Rule: DIFF 68, DIFF 69, R2, R3."""
    lists = {code: next((order.amounts for order in play.of(Bid, code)), ()) for code in play.state.codes}
    kind, tie, bids = play.state.options.two_player_tie, True, dict[str, int]()
    ended = not any(lists.values())
    while not ended:
        state = play.state
        bids = {code: bid_of(state, code, amounts) for code, amounts in lists.items()}
        tie = len(set(bids.values())) == 1
        play.add(BidsOpened(bids=bids, tie=tie))
        # A tie leaves the order as it is: the fifth, or one that nobody can raise. Rule: DIFF 69, R2.
        at_top = kind == "raise" and all(bids[code] >= _highest(state, code, told) for code, told in lists.items())
        ended = not tie or play.state.ties >= MOST_TIES or not any(state.cash.values()) or at_top
        # Tied bids are paid, or raised; else they are returned. Rule: DIFF 68.
        if kind == "paid_and_repeat" or not tie or (kind == "raise" and ended):
            play.add_all(BidPaid(code, bid=bid, paid=bid, share="all", paragraph="V6.3") for code, bid in bids.items())
        ended = ended or (kind == "paid_and_repeat" and not any(play.state.cash.values()))
    order = play.state.order if tie else tuple(sorted(bids, key=lambda code: -bids[code]))
    play.add(OrderSettled(order=order, paragraph="V6.3"))


def bid_of(state: State, player: str, amounts: Numbers) -> int:
    """Return what a player's list bids now: cut into the range, its last figure repeated; silence is 0. Rule: R3, DIFF 69."""
    if not amounts:
        return 0
    figure = amounts[min(state.ties, len(amounts) - 1)]
    if state.ties and state.options.two_player_tie == "raise":
        figure = max(figure, state.bids[player] + 1)
    least, _ = RANGE[state.options.two_player_bid]
    return min(max(figure, least), _highest(state, player, amounts))


def _highest(state: State, player: str, amounts: Numbers) -> int:
    """Return the most a player may bid: the range and the player's cash are its bounds; silence stays at 0."""
    if not amounts:
        return 0
    _, most = RANGE[state.options.two_player_bid]
    cash = state.cash[player]
    return min(most, cash) if most else cash


PASSED = -1  # a bid that is none


def do_bid(play: Play, item: Item) -> None:
    """Make one bid of a live auction and go on to the next bidder; sealed bids wait until they are opened."""
    if not play.state.is_live:
        return
    order, asked, amount = _bid_of(play, item.player)
    least = least_bid(play.state)
    if PASSED < amount < least:
        _refuse(play, item.player, order, "illegal-bid-low", least=least, bid=amount)
        amount = PASSED
    elif amount < asked:
        _refuse(play, item.player, order, "note-bid-cut", bid=asked, cash=amount)
    _bid(play, item.player, amount)
    following = next_bidder(play.state, item.player)
    if following:
        play.agenda.insert(0, Item("bid", player=following))


def do_auction(play: Play, item: Item) -> None:
    """Hold the auction, unless it was held bid by bid; pay, and hand out the sequence cards."""
    if len(play.state.codes) == 2:
        open_bids(play)
    else:
        if not play.state.is_live:
            _hold(play)
        _settle(play)
    play.drop(Bid)


def least_bid(state: State) -> int:
    """Return the smallest bid that counts now, in marks. Rule: V3.4.1, DIFF 21."""
    return max(state.bids.values()) + 1 if state.bids else state.options.opening_min


def doubts_of(state: State, order: Bid, cash: int) -> Iterator[Complaint]:
    """Yield what is doubtful in a bid before there are others. Rule: V3.4.1, V6.3, DIFF 24, R2.

    Of two players' lists that is a figure out of range, and what one counts for that is not above the one before.
    """
    amounts, options = order.amounts, state.options
    if max(amounts, default=0) > cash:
        yield complaint_of("warning-bid-over-cash", "V3.4.1", bid=max(amounts), cash=cash)
    if len(state.codes) > 2:
        if amounts and amounts[0] < least_bid(state):
            code = "illegal-bid-low" if state.stage == "bid" else "warning-bid-low"
            yield complaint_of(code, "V3.4.1", bid=amounts[0], least=least_bid(state))
        return
    least, most = RANGE[options.two_player_bid]
    outside = [amount for amount in amounts if amount < least or (most and amount > most)]
    if outside:
        yield complaint_of("warning-bid-range", "V6.3", bid=outside[0], least=least, most=most)
    if not amounts:
        yield complaint_of("warning-no-pass", "V6.3")
    counts = 0
    for place, bid in enumerate(amounts if options.two_player_tie == "raise" else ()):
        if place and bid <= counts:
            yield complaint_of("note-bid-raised", "V6.3", bid=bid, tie=counts, counts=counts + 1)
        counts = max(bid, counts + 1) if place else bid


def next_bidder(state: State, after: str) -> str:
    """Return whose turn it is in the auction clockwise *after* a player, "" when only one is left. Rule: V3.4.1, DIFF 23."""
    codes = state.codes
    place = codes.index(after) + 1
    left = [code for code in codes[place:] + codes[:place] if code not in state.passed]
    return left[0] if len(left) > 1 else ""


def share_of(place: int, players: int, half_pay: str) -> str:
    """Return what the holder of sequence card *place* pays of their bid: all, half, nothing. Rule: V3.4.3, DIFF 20."""
    if place <= 2:
        return "all"
    if players == 3:
        return "half"
    if place == players:
        return "nothing"
    if half_pay == "all_between" or place == players - 1:
        return "half"
    return "all" if half_pay == "second_passer_only_rest_full" else "nothing"


def bid_price(bid: int, share: str, rounding: str) -> int:
    """Return the marks due for a bid. Rule: V3.4.3, DIFF 19."""
    halves = {"all": 2, "half": 1, "nothing": 0}[share]
    return (bid * halves + (rounding == "up")) // 2


def _hold(play: Play) -> None:
    """Play the auction from everybody's limit, always with the smallest raise. Rule: V3.4.1, V9.

    Whose limit lay above their cash is told so only where they would else have bid on.
    """
    bidder = play.state.order[0]
    while bidder:
        order, asked, limit = _bid_of(play, bidder)
        least = least_bid(play.state)
        if limit < least <= asked:
            _refuse(play, bidder, order, "note-bid-cut", bid=asked, cash=limit)
        _bid(play, bidder, least if limit >= least else PASSED)
        bidder = next_bidder(play.state, bidder)


def _bid_of(play: Play, player: str) -> tuple[Bid, int, int]:
    """Return a player's order, what it would bid, and that cut down to their cash. Rule: DIFF 24, R4."""
    order = next(iter(play.of(Bid, player)), Bid())
    asked = (*order.amounts, PASSED)[0]
    return order, asked, min(asked, play.state.cash[player])


def _bid(play: Play, player: str, amount: int) -> None:
    play.add(BidPassed(player) if amount == PASSED else BidMade(player, amount=amount))


def _settle(play: Play) -> None:
    """Give out the sequence cards and take the money: who passed first has the highest card. Rule: V3.4.2, V3.4.3."""
    state = play.state
    options, players = state.options, len(state.codes)
    left = tuple(code for code in state.codes if code not in state.passed)
    order = (*left, *reversed(state.passed))
    for place, code in enumerate(order, start=1):
        bid, share = state.bids.get(code, 0), share_of(place, players, options.half_pay)
        play.add(BidPaid(code, bid=bid, paid=bid_price(bid, share, options.half_bid_rounding), share=share))
    play.add(OrderSettled(order=order))


def _refuse(play: Play, player: str, order: Bid, code: str, **params: int) -> None:
    text = ", ".join(str(amount) for amount in order.amounts)
    play.refuse(player, complaint_of(code, "V3.4.1", text, order.line, "", **params))


# Money: bonds, income and interest; the end of a round and of the game. Rule: V3.3, V3.7, V5, V6.2.

# Phase 3: bonds, one player after the other, or sealed and opened together. Rule: V3.3, V6.2.


def bond_order(state: State) -> Codes:
    """Return in which order bonds are taken; sealed ones are opened clockwise. Rule: DIFF 16, R5."""
    in_turn = state.options.bond_order == "turn_order" and not state.bonds_are_sealed
    return state.order if in_turn else state.clockwise()


def do_bonds(play: Play, item: Item) -> None:
    """Let a player take bonds; sealed ones wait until they are opened."""
    if not play.state.bonds_are_sealed:
        take(play, item.player)


def do_reveal(play: Play, item: Item) -> None:
    """Open the sealed bonds."""
    for player in bond_order(play.state):
        take(play, player)
    play.drop(TakeBonds)


def take(play: Play, player: str) -> None:
    """Take what was asked for, cut down to what limits leave; without an order nothing. Rule: V3.3.1, R5, DIFF 71."""
    asked = sum(order.points for order in play.of(TakeBonds, player)[:1])
    points = points_left(play.state, asked)
    play.add(BondsTaken(player, points=points, money=points * play.state.board.bond_money, asked=asked))


def points_left(state: State, asked: int) -> int:
    """Return how many points of those asked for can be taken."""
    limits = [state.options.bond_limit] if state.options.bond_limit else []
    if state.options.bank_limits:
        limits.append(state.board.bond_points - sum(state.bonds.values()))
    return max(0, min([asked, *limits]))


# Phase 7: income, interest, the card for last place. Rule: V3.7.


def pay(play: Play, item: Item) -> None:
    """Pay income and collect interest in turn order; a card for each in last place follows, but after the last round.

    Rule: V3.7.1-V3.7.3, DIFF 38, 39.
    """
    for player in play.state.order:
        play.add(IncomePaid(player, amount=play.state.income[player]))
        if play.state.bonds[player]:
            play.add(interest(play.state, player))
    if play.state.round < play.state.numbers.rounds:
        play.agenda[:0] = [Item("steal", player=player) for player in play.state.last_places()]


def draw_for_last(play: Play, item: Item) -> None:
    """Draw an action card for last place. Rule: V3.7.3."""
    draw_action(play, item.player, "last")


def interest(state: State, player: str) -> InterestPaid:
    """Return what a player pays on their bonds out of their cash, and how far they go back for what they cannot pay.

    The start of the track stops them; the rest is forgiven. Rule: V3.7.2, DIFF 36, 37, R17.
    """
    due = state.bonds[player]
    paid = min(due, state.cash[player])
    missing = due - paid
    owed = due if missing and state.options.interest_penalty == "whole_interest" else missing
    return InterestPaid(player, due=due, paid=paid, back=min(owed, state.income[player]))


# The end of a round, and of the game: who has won. Rule: V5.


def close_round(play: Play) -> bool:
    """End the round; begin the next one, or name the winners after the last. Return whether the game goes on. Rule: V5.1."""
    state = play.state
    play.add(RoundEnded(round=state.round, income={code: state.income[code] for code in state.codes}))
    if state.round < state.numbers.rounds:
        play.add(RoundBegan(round=state.round + 1))
        return True
    scores = {code: play.state.score(code) for code in state.codes}
    play.add(GameEnded(scores=scores, winners=winners_of(play.state)))
    return False


def winners_of(state: State) -> Codes:
    """Return who has the best score, of those who has most cash; who ties in both shares the win. Rule: V5.2, DIFF 66."""
    ranks = {code: (state.score(code), state.cash[code]) for code in state.codes}
    best = max(ranks.values())
    return tuple(code for code, rank in ranks.items() if rank == best)
