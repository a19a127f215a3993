"""Which decisions are asked for now, and whether one comes later in the round. Rule: V3, V6, V9."""

from __future__ import annotations

from .state import (
    OVER,
    Bid,
    Build,
    Extra,
    Move,
    Order,
    Plan,
    Rank,
    Rearrange,
    Sabotage,
    State,
    Steal,
    Subsidy,
    TakeBonds,
)

# The words for what is to do in a round, and for the letters that ask for it.

# What is on the agenda of a round, in its order. Those of a player are his decisions; LETTER asks everybody at once.
GOODS, DEAL, LETTER, BONDS, REVEAL, NEW, BID, AUCTION, CHOOSE, BUILD, MOVE, SUBSIDY, DRAWS, INCOME, STEAL, CLOSE = (
    "goods",  # phase 1
    "deal",  # phase 2
    "letter",  # a letter of everybody's is asked for; ``stage`` says for what
    "bonds",  # a player's bonds. Phase 3
    "reveal",  # sealed bonds or bids are opened
    "new",  # Alles neu, whoever plays it
    "bid",  # a player's bid (auction = live, or sealed)
    "auction",  # the auction by limits, or what follows it: payments and sequence cards. Phase 4
    "choose",  # a player's choice of a group
    "build",  # a player's build number n. Phase 5
    "move",  # a player's trip number n. Phase 6
    "subsidy",  # a player's extra trip
    "draws",  # cards for declined trips (decline_card_when = end_of_phase)
    "income",  # phase 7
    "steal",  # the card of a player in last place; asked for where it comes from a hand
    "close",
)
DECISIONS = (BONDS, BID, CHOOSE, BUILD, MOVE, SUBSIDY, STEAL)

# The letters of a round (``stage``), as ``awaiting`` names them; one by one, and bid by bid, it is the decision's own name.
LETTER_BONDS, LETTER_AUCTION, LETTER_OPENING, LETTER_CHOICE, LETTER_BUILD, LETTER_TRIPS, LETTER_TRIP = (
    "bonds",  # bonds and Alles neu
    "auction",  # limit and ranking
    "opening",  # bonds, Alles neu, limit and ranking: letter (a) of preset post
    "choice",  # ranking alone, after a live auction
    "build",
    "trips",  # both transport rounds and Subvention: letter (c) of preset post
    "trip",  # one transport round; with the second one Subvention. ``number`` of its item says which
)
ASKED = (
    LETTER_BONDS, LETTER_AUCTION, LETTER_OPENING, LETTER_CHOICE, LETTER_BUILD, LETTER_TRIPS, LETTER_TRIP, *DECISIONS, OVER,
)  # fmt: skip

TRIPS = 2  # that everybody has, by number
FIRST_EXTRA, SECOND_EXTRA = 3, 4  # Subvention's. Rule: R11


# What the options say of how decisions are asked for and what they bring. Rule: V6, V9.


def bonds_are_sealed(state: State) -> bool:
    """Return whether everybody decides on bonds in secret; two players always do. Rule: V6.2, DIFF 16."""
    return state.options.bond_order == "simultaneous" or len(state.codes) == 2


def is_live(state: State) -> bool:
    """Return whether bid after bid is asked for; two players' bids are sealed. Rule: V6.3."""
    return state.options.auction == "live" and len(state.codes) > 2


def declining_pays(state: State) -> bool:
    """Return whether who makes no trip in this round gets an action card for it. Rule: V3.6.5, DIFF 33."""
    return state.round > 1 or state.options.round1_decline_card


def draws_at_once(state: State) -> bool:
    """Return whether that card is drawn when the trip is declined, and may be played in the same phase. Rule: DIFF 34."""
    return declining_pays(state) and state.options.decline_card_when == "at_once"


# When an order may be given: which decisions are asked for now, and whether another one comes later in the round.

Moment = tuple[str, int]  # a decision as the agenda names it, and its number (0: it has none)

_ORDER = (BONDS, NEW, BID, CHOOSE, BUILD, MOVE, SUBSIDY, STEAL)
_LETTERS = {
    LETTER_OPENING: ((BONDS, 0), (NEW, 0), (BID, 0), (CHOOSE, 0)),
    LETTER_BONDS: ((BONDS, 0), (NEW, 0)),
    LETTER_AUCTION: ((BID, 0), (CHOOSE, 0)),
    LETTER_CHOICE: ((CHOOSE, 0),),
    LETTER_TRIPS: ((MOVE, 1), (MOVE, 2), (SUBSIDY, 0)),
}
# Decisions of the same player that may be sent along and are kept.
_WITH = {BONDS: NEW, BID: CHOOSE}
_KINDS = {TakeBonds: BONDS, Bid: BID, Rank: CHOOSE, Rearrange: NEW}


def decisions_now(state: State) -> tuple[Moment, ...]:
    """Return the decisions that orders may settle now, in the order of the round; none when the game is over."""
    if state.is_over or not state.agenda:
        return ()
    item = state.agenda[0]
    if item.what != LETTER:
        along = ((_WITH[item.what], 0),) if item.what in _WITH else ()
        return ((item.what, 0 if item.what == SUBSIDY else item.number), *along)
    if item.stage == LETTER_BUILD:
        return tuple((BUILD, number) for number in range(1, state.numbers.group_size + 1))
    if item.stage == LETTER_TRIP:
        return ((MOVE, item.number), *(((SUBSIDY, 0),) if item.number == TRIPS else ()))
    return _LETTERS[item.stage]


def numbers_now(state: State, what: str) -> tuple[int, ...]:
    """Return the numbers of the builds or trips that are asked for now."""
    return tuple(number for each, number in decisions_now(state) if each == what)


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
    moment, now = moment_of(order), decisions_now(state)
    if moment is not None:
        return moment in now
    return bool(now) and (isinstance(order, Steal) or any(what in (BUILD, MOVE, SUBSIDY) for what, _ in now))


def comes_later(state: State, order: Order) -> bool:
    """Return whether an order that is not for now will be asked for later in this round."""
    moment = moment_of(order) or (BUILD, 0)
    return all(_place(moment) > _place(now) for now in decisions_now(state))


def asked_verbs(state: State) -> str:
    """Return what is asked for now in the words of orders: ``BUILD 1, BUILD 2, BUILD 3``."""
    return ", ".join(verb_of_moment(state, *moment) for moment in decisions_now(state))


def verb_of_moment(state: State, what: str, number: int) -> str:
    """Return how an order for a decision begins: ``BUILD 1``."""
    verb = {BID: bid_verb(state), CHOOSE: "RANK"}.get(what, what.upper())
    return f"{verb} {number}" if number else verb


def verb_of(state: State, order: Order) -> str:
    """Return the word that an order begins with."""
    names = {Rearrange: "NEW", TakeBonds: "BONDS", Bid: bid_verb(state)}
    return names.get(type(order)) or type(order).__name__.upper()


def bid_verb(state: State) -> str:
    """Return ``LIMIT`` where the referee bids for the players, ``BID`` where they do. Rule: V9, V6.3."""
    return "LIMIT" if state.options.auction == "limits" and len(state.codes) > 2 else "BID"


def _place(moment: Moment) -> tuple[int, int]:
    return _ORDER.index(moment[0]), moment[1]
