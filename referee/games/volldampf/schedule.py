"""Which decisions are asked for now, and whether one comes later in the round. Rule: V3, V6, V9."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from .state import (
    Bid,
    Build,
    Extra,
    Move,
    Order,
    Plan,
    Rank,
    Rearrange,
    Sabotage,
    Stage,
    State,
    Steal,
    Subsidy,
    TakeBonds,
    What,
)

DECISIONS: tuple[What, ...] = ("bonds", "bid", "choose", "build", "move", "subsidy", "steal")
ASKED = (*get_args(Stage), *DECISIONS)

TRIPS = 2  # that everybody has, by number
FIRST_EXTRA, SECOND_EXTRA = 3, 4  # Subvention's. Rule: R11


# When an order may be given: which decisions are asked for now, and whether another one comes later in the round.

Moment = tuple[What, int]  # a decision as the agenda names it, and its number (0: it has none)

_ORDER = ("bonds", "new", "bid", "choose", "build", "move", "subsidy", "steal")
_LETTERS: Mapping[str, tuple[Moment, ...]] = {
    "opening": (("bonds", 0), ("new", 0), ("bid", 0), ("choose", 0)),
    "bonds": (("bonds", 0), ("new", 0)),
    "auction": (("bid", 0), ("choose", 0)),
    "choice": (("choose", 0),),
    "trips": (("move", 1), ("move", 2), ("subsidy", 0)),
}
# Decisions of the same player that may be sent along and are kept.
_WITH: Mapping[str, tuple[Moment, ...]] = {"bonds": (("new", 0),), "bid": (("choose", 0),)}
_KINDS: Mapping[type, What] = {TakeBonds: "bonds", Bid: "bid", Rank: "choose", Rearrange: "new"}


def decisions_now(state: State) -> tuple[Moment, ...]:
    """Return the decisions that orders may settle now, in the order of the round; none when the game is over."""
    if state.is_over or not state.agenda:
        return ()
    item = state.agenda[0]
    if item.what != "letter":
        return ((item.what, 0 if item.what == "subsidy" else item.number), *_WITH.get(item.what, ()))
    if item.stage == "build":
        return tuple(("build", number) for number in range(1, state.numbers.group_size + 1))
    if item.stage == "trip":
        return (("move", item.number), *((("subsidy", 0),) if item.number == TRIPS else ()))
    return _LETTERS[item.stage]


def numbers_now(state: State, what: What) -> tuple[int, ...]:
    """Return the numbers of the builds or trips that are asked for now."""
    return tuple(number for each, number in decisions_now(state) if each == what)


def moment_of(order: Order) -> Moment | None:
    """Return the decision that an order settles or goes with; None for one that stands."""
    match order:
        case Build():
            return "build", order.number
        case Move() | Extra():
            return ("move", order.trip) if order.trip <= TRIPS else ("subsidy", 0)
        case Subsidy():
            return "subsidy", 0
        case Plan():
            return order.what, 0 if order.what == "subsidy" else order.number
        case Sabotage() | Steal():
            return None
        case _:
            return _KINDS[type(order)], 0


def is_for_now(state: State, order: Order) -> bool:
    """Return whether an order may stand in a letter that is written now. Rule: V9."""
    moment, now = moment_of(order), decisions_now(state)
    if moment is not None:
        return moment in now
    return bool(now) and (isinstance(order, Steal) or any(what in ("build", "move", "subsidy") for what, _ in now))


def comes_later(state: State, order: Order) -> bool:
    """Return whether an order that is not for now will be asked for later in this round."""
    moments = (moment_of(order) or ("build", 0), *decisions_now(state))
    later, *asked = [(_ORDER.index(what), number) for what, number in moments]
    return all(later > now for now in asked)


def asked_verbs(state: State) -> str:
    """Return what is asked for now in the words of orders: ``BUILD 1, BUILD 2, BUILD 3``."""
    return ", ".join(verb_of_moment(state, *moment) for moment in decisions_now(state))


def verb_of_moment(state: State, what: What, number: int) -> str:
    """Return how an order for a decision begins: ``BUILD 1``."""
    verb = {"bid": bid_verb(state), "choose": "RANK"}.get(what, what.upper())
    return f"{verb} {number}" if number else verb


def verb_of(state: State, order: Order) -> str:
    """Return the word that an order begins with."""
    names = {Rearrange: "NEW", TakeBonds: "BONDS", Bid: bid_verb(state)}
    return names.get(type(order)) or type(order).__name__.upper()


def bid_verb(state: State) -> str:
    """Return ``LIMIT`` where the referee bids for the players, ``BID`` where they do. Rule: V9, V6.3."""
    return "LIMIT" if state.options.auction == "limits" and len(state.codes) > 2 else "BID"
