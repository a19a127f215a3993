"""A round as an agenda of things to do and decisions to take; a turn plays it on to the next letter or decision.

Orders answer the decisions as they come up, whether everybody's are in (``together``) or one player after the other is asked
(``one-by-one``): the same code plays both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.core.dice import Dice
from referee.core.game import Outcome
from referee.games.volldampf import schedule
from referee.games.volldampf.auction import (
    bond_order,
    close_round,
    do_auction,
    do_bid,
    do_bonds,
    do_reveal,
    draw_for_last,
    pay,
)
from referee.games.volldampf.building import do_build
from referee.games.volldampf.changes import CHANGES, Record
from referee.games.volldampf.events import Asked, NothingReceived, RoundBegan
from referee.games.volldampf.goods import (
    do_choose,
    do_deal,
    do_goods,
    do_new,
    groups_left,
    may_choose_hand,
    set_up,
    wished_victims,
)
from referee.games.volldampf.letters import Letters, drop_all, keep_early, keep_sabotage
from referee.games.volldampf.schedule import bonds_are_sealed, is_live
from referee.games.volldampf.state import AFTER, BEFORE, LAST, Item, Order, Rank, Sabotage, State
from referee.games.volldampf.transport import begin_extra_trips, is_last, late_draws, move, move_cubes, subsidy

# What is to do in a round, in its order; what depends on the auction follows when it is over. Rule: V3, V9.


def opening_agenda(state: State) -> list[Item]:
    """Return the first part of a round: phases 1 to 4, up to the auction."""
    live, merged = is_live(state), bonds_are_sealed(state) and not is_live(state)
    letter = Item(what=schedule.LETTER, stage=schedule.LETTER_OPENING if merged else schedule.LETTER_BONDS)
    bonds = [Item(what=schedule.BONDS, player=code) for code in bond_order(state)]
    reveal = [Item(what=schedule.REVEAL)] if bonds_are_sealed(state) else []
    bidders = state.clockwise()[:1] if live else state.clockwise()
    bids = [Item(what=schedule.BID, player=code) for code in bidders]
    ask = [] if merged or live else [Item(what=schedule.LETTER, stage=schedule.LETTER_AUCTION)]
    return [
        Item(what=schedule.GOODS),
        Item(what=schedule.DEAL),
        letter,
        *bonds,
        *reveal,
        Item(what=schedule.NEW),
        *ask,
        *bids,
        Item(what=schedule.AUCTION),
    ]


def later_agenda(state: State) -> list[Item]:
    """Return the second part of a round, in the new turn order: choice of groups, phases 5 to 7."""
    choice = [Item(what=schedule.LETTER, stage=schedule.LETTER_CHOICE)] if is_live(state) else []
    chooses = [Item(what=schedule.CHOOSE, player=code) for code in state.order]
    ends = [Item(what=schedule.DRAWS), Item(what=schedule.INCOME), Item(what=schedule.CLOSE)]
    return [*choice, *chooses, *_builds(state), *_trips(state), *ends]


def is_question(state: State, item: Item) -> bool:
    """Return whether a game asks for an item: for a letter, or for a decision where those are asked for one by one."""
    if item.what == schedule.LETTER:
        return not state.one_by_one
    return item.what in schedule.DECISIONS and (state.one_by_one or (item.what == schedule.BID and is_live(state)))


def stops(state: State, item: Item) -> bool:
    """Return whether play stops before an item."""
    return is_question(state, item) and _is_open(state, item)


def players_asked(state: State) -> tuple[str, ...]:
    """Return the players who owe orders now."""
    if state.is_over or not state.agenda:
        return ()
    item = state.agenda[0]
    return (item.player,) if item.player else state.codes


def _is_open(state: State, item: Item) -> bool:
    """Return whether there is something to decide: the last group needs no choice, only the last have a subsidy or rob."""
    if item.what == schedule.CHOOSE:
        return groups_left(state) > 1
    if item.what == schedule.STEAL:
        return may_choose_hand(state, item.player)
    return item.what != schedule.SUBSIDY or is_last(state, item.player)


def _builds(state: State) -> list[Item]:
    rounds = range(1, state.numbers.group_size + 1)
    builds = [Item(what=schedule.BUILD, number=number, player=code) for number in rounds for code in state.order]
    return [Item(what=schedule.LETTER, stage=schedule.LETTER_BUILD), *builds]


def _trips(state: State) -> list[Item]:
    """Return the trips of phase 6; where a card is drawn at once each round of them has its own letter. Rule: R24."""
    first, second = ([Item(what=schedule.MOVE, number=trip, player=code) for code in state.order] for trip in (1, 2))
    extra = [Item(what=schedule.SUBSIDY, number=schedule.FIRST_EXTRA, player=code) for code in state.order]
    if state.options.decline_card_when == "end_of_phase":
        return [Item(what=schedule.LETTER, stage=schedule.LETTER_TRIPS), *first, *second, *extra]
    ask = [Item(what=schedule.LETTER, stage=schedule.LETTER_TRIP, number=trip) for trip in (1, 2)]
    return [ask[0], *first, ask[1], *second, *extra]


# A round as an agenda of things to do and decisions to take; a turn plays it on to the next letter or decision.
#
# Orders answer the decisions as they come up, whether everybody's are in (``together``) or one player after the other
# is asked
# (``one-by-one``): the same code plays both.

Doer = Callable[[Record, Item, Letters, Dice], list[Item] | None]


def do_draws(record: Record, item: Item, letters: Letters, dice: Dice) -> None:
    """End phase 6: cards for declined trips; no sabotage stands any longer."""
    late_draws(record, item, letters, dice)
    drop_all(record, Sabotage)


DOERS: Mapping[str, Doer] = {
    schedule.GOODS: do_goods,
    schedule.DEAL: do_deal,
    schedule.BONDS: do_bonds,
    schedule.REVEAL: do_reveal,
    schedule.NEW: do_new,
    schedule.BID: do_bid,
    schedule.AUCTION: do_auction,
    schedule.CHOOSE: do_choose,
    schedule.BUILD: do_build,
    schedule.MOVE: move,
    schedule.SUBSIDY: subsidy,
    schedule.DRAWS: do_draws,
    schedule.INCOME: pay,
    schedule.STEAL: draw_for_last,
}


def start(state: State, dice: Dice) -> Outcome:
    """Set up and play to the first question of round 1. Rule: V2."""
    record = Record(state, CHANGES)
    set_up(record, dice)
    record.add(RoundBegan(round=1))
    _play(record, opening_agenda(record.state), Letters({}, ()), dice, turn=1)
    return record.outcome()


def adjudicate(state: State, orders: Mapping[str, tuple[Order, ...]], dice: Dice) -> Outcome:
    """Play one turn: what was asked for, and on to the next question."""
    record, letters = Record(state, CHANGES), Letters(orders, state.kept)
    for player in players_asked(state):
        if letters.silent(player):
            record.add(NothingReceived(player=player, stage=state.stage))
    keep_sabotage(record, letters)
    agenda = list(state.agenda)
    _answer(record, agenda, letters, dice)
    _play(record, agenda, letters, dice, turn=state.turn + 1)
    return record.outcome()


def ask_for_first(record: Record, agenda: list[Item], dice: Dice) -> None:
    """Play a position that was typed in on to its first question; *agenda* is what is left of the round."""
    _play(record, agenda, Letters({}, record.state.kept), dice, turn=record.state.turn)


def _play(record: Record, agenda: list[Item], letters: Letters, dice: Dice, turn: int) -> None:
    """Work off the agenda; stop at the next question, which is asked as that *turn*, or at the end of the game."""
    while agenda:
        item = agenda[0]
        if item.what == schedule.SUBSIDY and not record.state.subsidy_for:
            begin_extra_trips(record)
        if stops(record.state, item) and not _is_decided(record.state, letters, item):
            keep_early(record, letters, agenda)
            record.add(Asked(agenda=tuple(agenda), turn=turn))
            return
        if item.what == schedule.CLOSE:
            # Nothing that was written for the round that ends counts in the next one.
            agenda[:], letters = opening_agenda(record.state) if close_round(record) else [], Letters({}, ())
        else:
            _answer(record, agenda, letters, dice)


def _is_decided(state: State, letters: Letters, item: Item) -> bool:
    """Return whether a choice need not be asked for: of groups, if all who choose have sent wishes with a bid, or of a hand.

    Rule: V9.
    """
    if item.what == schedule.STEAL:
        return wished_victims(state, item.player, LAST, letters) is not None
    if item.stage == schedule.LETTER_CHOICE:
        return all(letters.of(Rank, player) for player in state.order)
    return item.what == schedule.CHOOSE and bool(letters.of(Rank, item.player))


def _answer(record: Record, agenda: list[Item], letters: Letters, dice: Dice) -> None:
    """Do the first thing on the agenda, with what its player plays before and after it."""
    item = agenda.pop(0)
    if item.what in schedule.DECISIONS:
        move_cubes(record, item, letters, BEFORE, dice)
    following = DOERS[item.what](record, item, letters, dice) if item.what in DOERS else None
    if item.what in schedule.DECISIONS:
        move_cubes(record, item, letters, AFTER, dice)
    agenda[:0] = later_agenda(record.state) if item.what == schedule.AUCTION else following or []
