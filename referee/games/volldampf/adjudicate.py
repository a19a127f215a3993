"""A round as an agenda of things to do and decisions to take; a turn plays it on to the next letter or decision.

Orders answer the decisions as they come up, whether everybody's are in (``together``) or one player after the other is asked
(``one-by-one``): the same code plays both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.core.dice import Dice
from referee.core.game import Outcome
from referee.games.volldampf.phase.agenda import opening_agenda, players_asked, stops
from referee.games.volldampf.phase.auction import do_auction, do_bid
from referee.games.volldampf.phase.building import do_build
from referee.games.volldampf.phase.goods import do_choose, do_deal, do_goods, do_new, set_up, wished_victims
from referee.games.volldampf.phase.money import close_round, do_bonds, do_reveal, draw_for_last, pay
from referee.games.volldampf.phase.planning import move_cubes
from referee.games.volldampf.phase.transport import begin_extra_trips, late_draws, move, subsidy
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.changes import CHANGES, Record
from referee.games.volldampf.position.events import Asked, NothingReceived, RoundBegan
from referee.games.volldampf.position.letters import Letters, drop_all, keep_early, keep_sabotage
from referee.games.volldampf.position.orders import AFTER, BEFORE, LAST, Order, Rank, Sabotage
from referee.games.volldampf.position.state import Item, State

Doer = Callable[[Record, Item, Letters, Dice], list[Item]]


def do_draws(record: Record, item: Item, letters: Letters, dice: Dice) -> list[Item]:
    """End phase 6: cards for declined trips; no sabotage stands any longer."""
    late_draws(record, item, letters, dice)
    drop_all(record, Sabotage)
    return []


DOERS: Mapping[str, Doer] = {
    stages.GOODS: do_goods,
    stages.DEAL: do_deal,
    stages.BONDS: do_bonds,
    stages.REVEAL: do_reveal,
    stages.NEW: do_new,
    stages.BID: do_bid,
    stages.AUCTION: do_auction,
    stages.CHOOSE: do_choose,
    stages.BUILD: do_build,
    stages.MOVE: move,
    stages.SUBSIDY: subsidy,
    stages.DRAWS: do_draws,
    stages.INCOME: pay,
    stages.STEAL: draw_for_last,
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
        if item.what == stages.SUBSIDY and not record.state.subsidy_for:
            begin_extra_trips(record)
        if stops(record.state, item) and not _is_decided(record.state, letters, item):
            keep_early(record, letters, agenda)
            record.add(Asked(agenda=tuple(agenda), turn=turn))
            return
        if item.what == stages.CLOSE:
            # Nothing that was written for the round that ends counts in the next one.
            agenda[:], letters = _next_round(record), Letters({}, ())
        else:
            _answer(record, agenda, letters, dice)


def _is_decided(state: State, letters: Letters, item: Item) -> bool:
    """Return whether a choice need not be asked for: of groups, if all who choose have sent wishes with a bid, or of a hand.

    Rule: V9.
    """
    if item.what == stages.STEAL:
        return wished_victims(state, item.player, LAST, letters) is not None
    if item.stage == stages.LETTER_CHOICE:
        return all(letters.of(Rank, player) for player in state.order)
    return item.what == stages.CHOOSE and bool(letters.of(Rank, item.player))


def _next_round(record: Record) -> list[Item]:
    return opening_agenda(record.state) if close_round(record) else []


def _answer(record: Record, agenda: list[Item], letters: Letters, dice: Dice) -> None:
    """Do the first thing on the agenda, with what its player plays before and after it."""
    item = agenda.pop(0)
    if item.what in stages.DECISIONS:
        move_cubes(record, item, letters, BEFORE, dice)
    following = DOERS[item.what](record, item, letters, dice) if item.what in DOERS else []
    if item.what in stages.DECISIONS:
        move_cubes(record, item, letters, AFTER, dice)
    agenda[:0] = following
