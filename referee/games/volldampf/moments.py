"""When an order may be given: which decisions are asked for now, and whether another one comes later in the round."""

from __future__ import annotations

from referee.games.volldampf.orders import (
    Bid,
    Build,
    Extra,
    Move,
    Order,
    Plan,
    Rank,
    Rearrange,
    Sabotage,
    Steal,
    Subsidy,
    TakeBonds,
)
from referee.games.volldampf.state import (
    BID,
    BONDS,
    BUILD,
    CHOOSE,
    LETTER,
    LETTER_AUCTION,
    LETTER_BONDS,
    LETTER_BUILD,
    LETTER_CHOICE,
    LETTER_OPENING,
    LETTER_TRIP,
    LETTER_TRIPS,
    MOVE,
    NEW,
    SUBSIDY,
    State,
)

Moment = tuple[str, int]  # a decision as the agenda names it, and its number (0: it has none)

TRIPS = 2  # that everybody has; higher numbers are Subvention's
_ORDER = (BONDS, NEW, BID, CHOOSE, BUILD, MOVE, SUBSIDY)
_LETTERS = {
    LETTER_OPENING: ((BONDS, 0), (NEW, 0), (BID, 0), (CHOOSE, 0)),
    LETTER_BONDS: ((BONDS, 0), (NEW, 0)),
    LETTER_AUCTION: ((BID, 0), (CHOOSE, 0)),
    LETTER_CHOICE: ((CHOOSE, 0),),
    LETTER_TRIPS: ((MOVE, 1), (MOVE, 2), (SUBSIDY, 0)),
}
_WITH = {BONDS: NEW, BID: CHOOSE}  # decisions of the same player that may be sent along and are kept
_KINDS = {TakeBonds: BONDS, Bid: BID, Rank: CHOOSE, Rearrange: NEW}


def asked_now(state: State) -> tuple[Moment, ...]:
    """Return the decisions that orders may settle now, in the order of the round; none when the game is over."""
    if state.is_over or not state.agenda:
        return ()
    item = state.agenda[0]
    if item.what != LETTER:
        along = ((_WITH[item.what], 0),) if item.what in _WITH else ()
        return ((item.what, 0 if item.what == SUBSIDY else item.number), *along)
    if item.stage == LETTER_BUILD:
        return tuple((BUILD, number) for number in range(1, state.table.numbers.group_size + 1))
    if item.stage == LETTER_TRIP:
        return ((MOVE, item.number), *(((SUBSIDY, 0),) if item.number == TRIPS else ()))
    return _LETTERS[item.stage]


def numbers_now(state: State, what: str) -> tuple[int, ...]:
    """Return the numbers of the builds or trips that are asked for now."""
    return tuple(number for each, number in asked_now(state) if each == what)


def moment_of(order: Order) -> Moment | None:
    """Return the decision that an order settles or goes with; None for one that stands."""
    match order:
        case Build():
            return BUILD, order.number
        case Move() | Extra():
            return (MOVE, order.trip) if order.trip <= TRIPS else (SUBSIDY, 0)
        case Subsidy():
            return SUBSIDY, 0
        case Plan():
            return order.what, 0 if order.what == SUBSIDY else order.number
        case Sabotage() | Steal():
            return None
        case _:
            return _KINDS[type(order)], 0


def is_for_now(state: State, order: Order) -> bool:
    """Return whether an order may stand in a letter that is written now. Rule: V9."""
    moment, now = moment_of(order), asked_now(state)
    if moment is not None:
        return moment in now
    return bool(now) and (isinstance(order, Steal) or any(what in (BUILD, MOVE, SUBSIDY) for what, _ in now))


def comes_later(state: State, order: Order) -> bool:
    """Return whether an order that is not for now will be asked for later in this round."""
    moment = moment_of(order) or (BUILD, 0)
    return all(_place(moment) > _place(now) for now in asked_now(state))


def asked_verbs(state: State) -> str:
    """Return what is asked for now in the words of orders: ``BUILD 1, BUILD 2, BUILD 3``."""
    return ", ".join(_verb(state, *moment) for moment in asked_now(state))


def verb_of(state: State, order: Order) -> str:
    """Return the word that an order begins with."""
    names = {Rearrange: "NEW", Rank: "RANK", TakeBonds: "BONDS", Bid: bid_verb(state)}
    return names.get(type(order)) or type(order).__name__.upper()


def bid_verb(state: State) -> str:
    """Return ``LIMIT`` where the referee bids for the players, ``BID`` where they do. Rule: V9, V6.3."""
    return "LIMIT" if state.table.options.auction == "limits" and len(state.table.codes) > 2 else "BID"


def _verb(state: State, what: str, number: int) -> str:
    verb = {BID: bid_verb(state), CHOOSE: "RANK"}.get(what, what.upper())
    return f"{verb} {number}" if number else verb


def _place(moment: Moment) -> tuple[int, int]:
    return _ORDER.index(moment[0]), moment[1]
