"""A round as an agenda of things to do and decisions to take; a turn plays it on to the next letter or decision.

Orders answer the decisions as they come up, whether everybody's are in (``together``) or one player after the other is asked
(``one-by-one``): the same code plays both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.core.dice import Dice
from referee.core.game import Outcome

from .auction import (
    bond_order,
    close_round,
    do_auction,
    do_bid,
    do_bonds,
    do_reveal,
    draw_for_last,
    pay,
)
from .board import Codes
from .building import do_build
from .changes import Play, keep_early, keep_sabotage
from .events import Asked, ExtraTripsBegan, NothingReceived, RoundBegan
from .goods import (
    do_choose,
    do_deal,
    do_goods,
    do_new,
    groups_left,
    may_choose_hand,
    set_up,
    wished_victims,
)
from .schedule import (
    AUCTION,
    BID,
    BONDS,
    BUILD,
    CHOOSE,
    CLOSE,
    DEAL,
    DECISIONS,
    DRAWS,
    FIRST_EXTRA,
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
    STEAL,
    SUBSIDY,
    bonds_are_sealed,
    is_live,
)
from .state import AFTER, BEFORE, LAST, Item, Order, Rank, State
from .transport import end_transport, is_last, move, move_cubes, subsidy

# What is to do in a round, in its order; what depends on the auction follows when it is over. Rule: V3, V9.


def opening_agenda(state: State) -> list[Item]:
    """Return the first part of a round: phases 1 to 4, up to the auction."""
    live, merged = is_live(state), bonds_are_sealed(state) and not is_live(state)
    bidders = state.clockwise()[:1] if live else state.clockwise()
    return [
        Item(GOODS),
        Item(DEAL),
        _letter(LETTER_OPENING if merged else LETTER_BONDS),
        *_of_each(BONDS, bond_order(state)),
        *([Item(REVEAL)] if bonds_are_sealed(state) else []),
        Item(NEW),
        *([] if merged or live else [_letter(LETTER_AUCTION)]),
        *_of_each(BID, bidders),
        Item(AUCTION),
    ]


def later_agenda(state: State) -> list[Item]:
    """Return the second part of a round, in the new turn order: choice of groups, phases 5 to 7.

    Where a card is drawn at once each round of trips has its own letter. Rule: R24.
    """
    order, at_end = state.order, state.options.decline_card_when == "end_of_phase"
    return [
        *([_letter(LETTER_CHOICE)] if is_live(state) else []),
        *_of_each(CHOOSE, order),
        _letter(LETTER_BUILD),
        *(item for n in range(state.numbers.group_size) for item in _of_each(BUILD, order, n + 1)),
        _letter(LETTER_TRIPS) if at_end else _letter(LETTER_TRIP, 1),
        *_of_each(MOVE, order, 1),
        *([] if at_end else [_letter(LETTER_TRIP, 2)]),
        *_of_each(MOVE, order, 2),
        *_of_each(SUBSIDY, order, FIRST_EXTRA),
        Item(DRAWS),
        Item(INCOME),
        Item(CLOSE),
    ]


def _letter(stage: str, number: int = 0) -> Item:
    return Item(LETTER, stage=stage, number=number)


def _of_each(what: str, codes: Codes, number: int = 0) -> list[Item]:
    return [Item(what, number=number, player=code) for code in codes]


def is_question(state: State, item: Item) -> bool:
    """Return whether a game asks for an item: for a letter, or for a decision where those are asked for one by one."""
    if item.what == LETTER:
        return not state.one_by_one
    return item.what in DECISIONS and (state.one_by_one or (item.what == BID and is_live(state)))


def players_asked(state: State) -> Codes:
    """Return the players who owe orders now."""
    if state.is_over or not state.agenda:
        return ()
    item = state.agenda[0]
    return (item.player,) if item.player else state.codes


def _is_open(state: State, item: Item) -> bool:
    """Return whether there is something to decide: the last group needs no choice, only the last have a subsidy or rob."""
    if item.what == CHOOSE:
        return groups_left(state) > 1
    if item.what == STEAL:
        return may_choose_hand(state, item.player)
    return item.what != SUBSIDY or is_last(state, item.player)


DOERS: Mapping[str, Callable[[Play, Item], None]] = {
    GOODS: do_goods,
    DEAL: do_deal,
    BONDS: do_bonds,
    REVEAL: do_reveal,
    NEW: do_new,
    BID: do_bid,
    AUCTION: do_auction,
    CHOOSE: do_choose,
    BUILD: do_build,
    MOVE: move,
    SUBSIDY: subsidy,
    DRAWS: end_transport,
    INCOME: pay,
    STEAL: draw_for_last,
}


def set_out(state: State, dice: Dice) -> Outcome:
    """Set up and play to the first question of round 1. Rule: V2."""
    play = Play(state, {}, dice)
    set_up(play)
    play.add(RoundBegan(round=1))
    play.agenda = opening_agenda(play.state)
    return _play(play, turn=1)


def adjudicate(state: State, orders: Mapping[str, tuple[Order, ...]], dice: Dice) -> Outcome:
    """Play one turn: what was asked for, and on to the next question."""
    play = Play(state, orders, dice)
    for player in players_asked(state):
        if player not in orders:
            play.add(NothingReceived(player, stage=state.stage))
    keep_sabotage(play)
    _answer(play)
    return _play(play, turn=state.turn + 1)


def ask_for_first(play: Play) -> Outcome:
    """Play a position that was typed in on to its first question."""
    play.kept, play.agenda = play.state.kept, list(play.state.agenda)
    return _play(play, turn=play.state.turn)


def _play(play: Play, turn: int) -> Outcome:
    """Work off the agenda; stop at the next question, which is asked as that *turn*, or at the end of the game."""
    while play.agenda:
        item = play.agenda[0]
        if item.what == SUBSIDY and not play.state.subsidy_for:
            play.add(ExtraTripsBegan(last=play.state.last_places()))
        if is_question(play.state, item) and _is_open(play.state, item) and not _is_decided(play, item):
            keep_early(play)
            play.add(Asked(agenda=tuple(play.agenda), turn=turn))
            break
        if item.what == CLOSE:
            # Nothing that was written for the round that ends counts in the next one.
            play.orders, play.kept = {}, ()
            play.agenda = opening_agenda(play.state) if close_round(play) else []
        else:
            _answer(play)
    return play.outcome()


def _is_decided(play: Play, item: Item) -> bool:
    """Return whether a choice need not be asked for: of groups, if all who choose have sent wishes with a bid, or of a hand.

    Rule: V9.
    """
    if item.what == STEAL:
        return wished_victims(play, item.player, LAST) is not None
    if item.stage == LETTER_CHOICE:
        return all(play.of(Rank, player) for player in play.state.order)
    return item.what == CHOOSE and bool(play.of(Rank, item.player))


def _answer(play: Play) -> None:
    """Do the first thing on the agenda, with what its player plays before and after it."""
    item = play.agenda.pop(0)
    if item.what in DECISIONS:
        move_cubes(play, item, BEFORE)
    if item.what in DOERS:
        DOERS[item.what](play, item)
    if item.what in DECISIONS:
        move_cubes(play, item, AFTER)
    if item.what == AUCTION:
        play.agenda[:0] = later_agenda(play.state)
