"""What is to do in a round, in its order; what depends on the auction follows when it is over. Rule: V3, V9."""

from __future__ import annotations

from referee.games.volldampf.phase.goods import groups_left, may_choose_hand
from referee.games.volldampf.phase.money import bond_order
from referee.games.volldampf.phase.transport import is_last
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.schedule import bonds_are_sealed, is_live
from referee.games.volldampf.position.state import Item, State


def opening_agenda(state: State) -> list[Item]:
    """Return the first part of a round: phases 1 to 4, up to the auction."""
    live, merged = is_live(state), bonds_are_sealed(state) and not is_live(state)
    letter = Item(what=stages.LETTER, stage=stages.LETTER_OPENING if merged else stages.LETTER_BONDS)
    bonds = [Item(what=stages.BONDS, player=code) for code in bond_order(state)]
    reveal = [Item(what=stages.REVEAL)] if bonds_are_sealed(state) else []
    bidders = state.clockwise()[:1] if live else state.clockwise()
    bids = [Item(what=stages.BID, player=code) for code in bidders]
    ask = [] if merged or live else [Item(what=stages.LETTER, stage=stages.LETTER_AUCTION)]
    return [
        Item(what=stages.GOODS),
        Item(what=stages.DEAL),
        letter,
        *bonds,
        *reveal,
        Item(what=stages.NEW),
        *ask,
        *bids,
        Item(what=stages.AUCTION),
    ]


def later_agenda(state: State) -> list[Item]:
    """Return the second part of a round, in the new turn order: choice of groups, phases 5 to 7."""
    choice = [Item(what=stages.LETTER, stage=stages.LETTER_CHOICE)] if is_live(state) else []
    chooses = [Item(what=stages.CHOOSE, player=code) for code in state.order]
    ends = [Item(what=stages.DRAWS), Item(what=stages.INCOME), Item(what=stages.CLOSE)]
    return [*choice, *chooses, *_builds(state), *_trips(state), *ends]


def is_question(state: State, item: Item) -> bool:
    """Return whether a game asks for an item: for a letter, or for a decision where those are asked for one by one."""
    if item.what == stages.LETTER:
        return not state.one_by_one
    return item.what in stages.DECISIONS and (state.one_by_one or (item.what == stages.BID and is_live(state)))


def stops(state: State, item: Item) -> bool:
    """Return whether play stops before an item."""
    return is_question(state, item) and _is_open(state, item)


def players_asked(state: State) -> tuple[str, ...]:
    """Return the players who owe orders now."""
    if state.is_over or not state.agenda:
        return ()
    item = state.agenda[0]
    return (item.player,) if item.player else state.table.codes


def _is_open(state: State, item: Item) -> bool:
    """Return whether there is something to decide: the last group needs no choice, only the last have a subsidy or rob."""
    if item.what == stages.CHOOSE:
        return groups_left(state) > 1
    if item.what == stages.STEAL:
        return may_choose_hand(state, item.player)
    return item.what != stages.SUBSIDY or is_last(state, item.player)


def _builds(state: State) -> list[Item]:
    rounds = range(1, state.table.numbers.group_size + 1)
    builds = [Item(what=stages.BUILD, number=number, player=code) for number in rounds for code in state.order]
    return [Item(what=stages.LETTER, stage=stages.LETTER_BUILD), *builds]


def _trips(state: State) -> list[Item]:
    """Return the trips of phase 6; where a card is drawn at once each round of them has its own letter. Rule: R24."""
    first, second = ([Item(what=stages.MOVE, number=trip, player=code) for code in state.order] for trip in (1, 2))
    extra = [Item(what=stages.SUBSIDY, number=stages.FIRST_EXTRA, player=code) for code in state.order]
    if state.table.options.decline_card_when == "end_of_phase":
        return [Item(what=stages.LETTER, stage=stages.LETTER_TRIPS), *first, *second, *extra]
    ask = [Item(what=stages.LETTER, stage=stages.LETTER_TRIP, number=trip) for trip in (1, 2)]
    return [ask[0], *first, ask[1], *second, *extra]
