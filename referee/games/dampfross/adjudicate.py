"""A turn as one list of phases, and the opening."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from referee.core.dice import Dice
from referee.core.game import Outcome
from referee.core.orders import Complaint
from referee.games.dampfross.building import build_alone, build_together
from referee.games.dampfross.events import (
    GameEnded,
    GameStarted,
    HomeChosen,
    NothingReceived,
    OrderRefused,
    RacesDrawn,
    RollsThrown,
    RoundEnded,
)
from referee.games.dampfross.homes import homes_of
from referee.games.dampfross.options import number
from referee.games.dampfross.orders import Build, ChooseHome, Order, Run
from referee.games.dampfross.racing import run_races
from referee.games.dampfross.record import Record
from referee.games.dampfross.schedule import draw_races
from referee.games.dampfross.state import BUILD, OVER, RACE, START_BALANCE, State

Orders = Mapping[str, tuple[Order, ...]]
Kind = TypeVar("Kind", ChooseHome, Build, Run)


def start(state: State, dice: Dice) -> Outcome:
    """Open the accounts and throw the rolls of the first round. Rule: D1.2, D4.4."""
    record = Record(state)
    record.add(GameStarted(balance=START_BALANCE))
    _throw_rolls(record, 1, dice)
    return record.outcome()


def adjudicate(state: State, orders: Orders, dice: Dice) -> Outcome:
    """Play one round: homes and three rolls for everybody, or races and then building."""
    record = Record(state)
    for phase in (_note_silence, _choose_homes, _build, _race, _build_after_races):
        phase(record, orders, dice)
    _close_round(record, dice)
    return record.outcome()


def allowance(state: State) -> int:
    """Return the points that each company may spend after this round's races, 0 where there is no building.

    Rule: D7.1 (not after the last round).
    """
    option = state.table.options.race_building
    if state.phase != RACE or option == "none" or state.round == state.last_round:
        return 0
    return number(option)


def _note_silence(record: Record, orders: Orders, dice: Dice) -> None:
    for code in record.state.table.codes:
        if code not in orders:
            record.add(NothingReceived(company=code, round=record.state.round))


def _choose_homes(record: Record, orders: Orders, dice: Dice) -> None:
    """Open the home terminals that were chosen, in order of play. Rule: D1.3."""
    for code in record.state.table.codes:
        if code in record.state.home:
            continue
        for order in _of(ChooseHome, orders.get(code, ()))[:1]:
            allowed = [city for city in order.cities if city in homes_of(record.state, code)]
            if allowed:
                record.add(HomeChosen(company=code, hex=allowed[0]))
            else:
                complaint = Complaint(code="illegal-home", paragraph="D1.3", text=", ".join(order.cities))
                record.add(OrderRefused(company=code, complaint=complaint, paragraph="D1.3"))


def _build(record: Record, orders: Orders, dice: Dice) -> None:
    """Play the rolls of a building round, one after another, step by step. Rule: D4.2."""
    if record.state.phase != BUILD:
        return
    builds = {code: _of(Build, orders.get(code, ())) for code in record.state.table.codes}
    for roll, points in enumerate(record.state.rolls, start=1):
        pieces = {
            code: tuple(piece for order in ordered if order.roll == roll for piece in order.pieces)
            for code, ordered in builds.items()
        }
        build_together(record, roll, points, {code: own for code, own in pieces.items() if own})


def _race(record: Record, orders: Orders, dice: Dice) -> None:
    if record.state.phase == RACE:
        run_races(record, {code: _of(Run, own) for code, own in orders.items()}, dice)


def _build_after_races(record: Record, orders: Orders, dice: Dice) -> None:
    """Let each company spend its allowance from its account, the poorest first. Rule: D7.1."""
    points = allowance(record.state)
    if not points:
        return
    for code in record.state.poorest_first(record.state.table.codes):
        pieces = tuple(piece for order in _of(Build, orders.get(code, ())) for piece in order.pieces)
        if pieces:
            build_alone(record, code, 1, points, pieces, pays=True)


def _close_round(record: Record, dice: Dice) -> None:
    """Go on to the next round: its rolls are thrown, the races drawn when building is over, or the game ends."""
    state = record.state
    following = state.round + 1
    if state.round == state.last_round:
        record.add(RoundEnded(round=state.round, phase=OVER, rolls=state.rolls))
        best = max(state.balance.values())
        record.add(GameEnded(winners=tuple(code for code in state.table.codes if state.balance[code] == best)))
        return
    phase = BUILD if following <= state.building_rounds else RACE
    record.add(RoundEnded(round=state.round, phase=phase, rolls=state.rolls))
    if phase == BUILD:
        _throw_rolls(record, following, dice)
    elif not state.races:
        shortest = state.table.options.shortest_race
        record.add(RacesDrawn(races=draw_races(state.table.board, dice, following, shortest)))


def _throw_rolls(record: Record, round_number: int, dice: Dice) -> None:
    options = record.state.table.options
    name = f"rolls/{round_number}"
    rolls = tuple(dice.throw(f"{name}/{roll}", 6) for roll in range(1, options.rolls_per_round + 1))
    if options.roll == "drop-lowest":
        rolls = _best_rolls(dice, name, options.rolls_per_round)
    record.add(RollsThrown(round=round_number, rolls=rolls))


def _best_rolls(dice: Dice, name: str, wanted: int) -> tuple[int, ...]:
    """Throw one die more, drop the lowest, keep the others' order; again with two ones. Rule: D4.4."""
    attempt = 1
    while True:
        rolls = [dice.throw(f"{name}/{attempt}/{roll}", 6) for roll in range(1, wanted + 2)]
        if rolls.count(1) < 2:
            rolls.remove(min(rolls))
            return tuple(rolls)
        attempt += 1


def _of(kind: type[Kind], orders: tuple[Order, ...]) -> tuple[Kind, ...]:
    return tuple(order for order in orders if isinstance(order, kind))
