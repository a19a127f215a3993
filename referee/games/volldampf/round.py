"""A round as an agenda of things to do and decisions to take; a turn plays it on to the next letter or decision.

Orders answer the decisions as they come up, whether everybody's are in (``together``) or one player after the other is asked
(``one-by-one``): the same code plays both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.core import Dice
from referee.core.game import Outcome

from .auction import bond_order, close_round, do_auction, do_bid, do_bonds, do_reveal, draw_for_last, pay
from .board import Codes
from .building import do_build
from .changes import Play, keep_early, keep_sabotage
from .events import Asked, ExtraTripsBegan, NothingReceived, RoundBegan
from .goods import do_choose, do_deal, do_goods, do_new, may_choose_hand, set_up, wished_victims
from .notation import DECISIONS, FIRST_EXTRA
from .state import Item, Order, Rank, Stage, State, What
from .transport import end_transport, is_last, move, move_cubes, subsidy

# What is to do in a round, in its order; what depends on the auction follows when it is over. Rule: V3, V9.


def opening_agenda(state: State) -> list[Item]:
    """Return the first part of a round: phases 1 to 4, up to the auction."""
    live, merged = state.is_live, state.bonds_are_sealed and not state.is_live
    bidders = state.clockwise()[:1] if live else state.clockwise()
    return [
        Item("goods"),
        Item("deal"),
        _letter("opening" if merged else "bonds"),
        *_of_each("bonds", bond_order(state)),
        *([Item("reveal")] if state.bonds_are_sealed else []),
        Item("new"),
        *([] if merged or live else [_letter("auction")]),
        *_of_each("bid", bidders),
        Item("auction"),
    ]


def later_agenda(state: State) -> list[Item]:
    """Return the second part of a round, in the new turn order: choice of groups, phases 5 to 7.

    Where a card is drawn at once each round of trips has its own letter. Rule: R24.
    """
    order, at_end = state.order, state.options.decline_card_when == "end_of_phase"
    return [
        *([_letter("choice")] if state.is_live else []),
        *_of_each("choose", order),
        _letter("build"),
        *(item for n in range(state.numbers.group_size) for item in _of_each("build", order, n + 1)),
        _letter("trips") if at_end else _letter("trip", 1),
        *_of_each("move", order, 1),
        *([] if at_end else [_letter("trip", 2)]),
        *_of_each("move", order, 2),
        *_of_each("subsidy", order, FIRST_EXTRA),
        Item("draws"),
        Item("income"),
        Item("close"),
    ]


def _letter(stage: Stage, number: int = 0) -> Item:
    return Item("letter", stage=stage, number=number)


def _of_each(what: What, codes: Codes, number: int = 0) -> list[Item]:
    return [Item(what, number=number, player=code) for code in codes]


def is_question(state: State, item: Item) -> bool:
    """Return whether a game asks for an item: for a letter, or for a decision where those are asked for one by one."""
    if item.what == "letter":
        return not state.one_by_one
    return item.what in DECISIONS and (state.one_by_one or (item.what == "bid" and state.is_live))


def players_asked(state: State) -> Codes:
    """Return the players who owe orders now."""
    if state.is_over or not state.agenda:
        return ()
    item = state.agenda[0]
    return (item.player,) if item.player else state.codes


DOERS: Mapping[str, Callable[[Play, Item], None]] = {
    "goods": do_goods,
    "deal": do_deal,
    "bonds": do_bonds,
    "reveal": do_reveal,
    "new": do_new,
    "bid": do_bid,
    "auction": do_auction,
    "choose": do_choose,
    "build": do_build,
    "move": move,
    "subsidy": subsidy,
    "draws": end_transport,
    "income": pay,
    "steal": draw_for_last,
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
        if item.what == "subsidy" and not play.state.subsidy_for:
            play.add(ExtraTripsBegan(last=play.state.last_places()))
        if is_question(play.state, item) and _is_open(play, item):
            keep_early(play)
            play.add(Asked(agenda=tuple(play.agenda), turn=turn))
            break
        if item.what == "close":
            # Nothing that was written for the round that ends counts in the next one.
            play.orders, play.kept = {}, ()
            play.agenda = opening_agenda(play.state) if close_round(play) else []
        else:
            _answer(play)
    return play.outcome()


def _is_open(play: Play, item: Item) -> bool:
    """Return whether there is something left to decide: the last group needs no choice, only the last have a subsidy or rob.

    A choice of groups is settled where all who choose have sent wishes with a bid, or who chooses, or robs, has. Rule: V9.
    """
    state, player = play.state, item.player
    match item.what:
        case "choose":
            return sum(map(bool, state.groups)) > 1 and not play.of(Rank, player)
        case "steal":
            return may_choose_hand(state, player) and wished_victims(play, player, "last") is None
        case "subsidy":
            return is_last(state, player)
    return item.stage != "choice" or not all(play.of(Rank, code) for code in state.order)


def _answer(play: Play) -> None:
    """Do the first thing on the agenda, with what its player plays before and after it."""
    item = play.agenda.pop(0)
    if item.what in DECISIONS:
        move_cubes(play, item, "before")
    if item.what in DOERS:
        DOERS[item.what](play, item)
    if item.what in DECISIONS:
        move_cubes(play, item, "after")
    if item.what == "auction":
        play.agenda[:0] = later_agenda(play.state)
