"""What is to do in a round, in its order; what depends on the auction follows when it is over. Rule: V3, V9."""

from __future__ import annotations

from referee.games.volldampf.asking import bonds_are_sealed, is_live
from referee.games.volldampf.bonds import bond_order
from referee.games.volldampf.groups import groups_left
from referee.games.volldampf.state import (
    AUCTION,
    BID,
    BONDS,
    BUILD,
    CHOOSE,
    CLOSE,
    DEAL,
    DECISIONS,
    DRAWS,
    GOODS,
    INCOME,
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
    REVEAL,
    SUBSIDY,
    Item,
    State,
)
from referee.games.volldampf.transport import FIRST_EXTRA, is_last


def opening_agenda(state: State) -> list[Item]:
    """Return the first part of a round: phases 1 to 4, up to the auction."""
    live, merged = is_live(state), bonds_are_sealed(state) and not is_live(state)
    letter = Item(what=LETTER, stage=LETTER_OPENING if merged else LETTER_BONDS)
    bonds = [Item(what=BONDS, player=code) for code in bond_order(state)]
    reveal = [Item(what=REVEAL)] if bonds_are_sealed(state) else []
    bidders = state.clockwise()[:1] if live else state.clockwise()
    bids = [Item(what=BID, player=code) for code in bidders]
    ask = [] if merged or live else [Item(what=LETTER, stage=LETTER_AUCTION)]
    return [Item(what=GOODS), Item(what=DEAL), letter, *bonds, *reveal, Item(what=NEW), *ask, *bids, Item(what=AUCTION)]


def later_agenda(state: State) -> list[Item]:
    """Return the second part of a round, in the new turn order: choice of groups, phases 5 to 7."""
    choice = [Item(what=LETTER, stage=LETTER_CHOICE)] if is_live(state) else []
    chooses = [Item(what=CHOOSE, player=code) for code in state.order]
    ends = [Item(what=DRAWS), Item(what=INCOME), Item(what=CLOSE)]
    return [*choice, *chooses, *_builds(state), *_trips(state), *ends]


def stops(state: State, item: Item) -> bool:
    """Return whether play stops before an item: a letter, or a decision where those are asked for one by one."""
    if item.what == LETTER:
        return not state.one_by_one
    asked = state.one_by_one or (item.what == BID and is_live(state))
    return asked and item.what in DECISIONS and _is_open(state, item)


def asked_of(state: State) -> tuple[str, ...]:
    """Return the players who owe orders now."""
    if state.is_over or not state.agenda:
        return ()
    item = state.agenda[0]
    return (item.player,) if item.player else state.table.codes


def _is_open(state: State, item: Item) -> bool:
    """Return whether there is something to decide: the last group falls to the last player, only the last get a subsidy."""
    if item.what == CHOOSE:
        return groups_left(state) > 1
    return item.what != SUBSIDY or is_last(state, item.player)


def _builds(state: State) -> list[Item]:
    rounds = range(1, state.table.numbers.group_size + 1)
    builds = [Item(what=BUILD, number=number, player=code) for number in rounds for code in state.order]
    return [Item(what=LETTER, stage=LETTER_BUILD), *builds]


def _trips(state: State) -> list[Item]:
    """Return the trips of phase 6; where a card is drawn at once each round of them has its own letter. Rule: R24."""
    first, second = ([Item(what=MOVE, number=trip, player=code) for code in state.order] for trip in (1, 2))
    extra = [Item(what=SUBSIDY, number=FIRST_EXTRA, player=code) for code in state.order]
    if state.table.options.decline_card_when == "end_of_phase":
        return [Item(what=LETTER, stage=LETTER_TRIPS), *first, *second, *extra]
    ask = [Item(what=LETTER, stage=LETTER_TRIP, number=trip) for trip in (1, 2)]
    return [ask[0], *first, ask[1], *second, *extra]
