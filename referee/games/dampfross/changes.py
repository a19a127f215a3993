"""How each event changes the position: the position is the fold of the events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, get_args

from msgspec.structs import replace

from referee.core.hexes import Side, side
from referee.core.record import ByKind, Draft, InPlace, Ruled, complete
from referee.core.record import Record as CoreRecord
from referee.games.dampfross import events
from referee.games.dampfross.state import BUSY, OVER, Declared, Jump, State

Key = TypeVar("Key")
Value = TypeVar("Value")


Record = CoreRecord[State, events.Event]
CHANGES = ByKind[[State], State]()


@InPlace
def unchanged(event: events.Event, now: Draft[State]) -> None:
    """An event that only tells."""


@InPlace
def after_payment(event: events.Event, now: Draft[State]) -> None:
    """An event that moves money, and may do more."""
    codes = now.state.balance.keys()
    for payer, payee, amount, why in events.payments((event,)):
        if payer in codes and amount:
            now.mapping("balance")[payer] -= amount
        if payee in codes and amount:
            now.mapping("balance")[payee] += amount
            if why in (events.TOLL, events.PRIZE):
                now.mapping("income")[payee] = now.state.income.get(payee, 0) + amount


@CHANGES.of(events.GameStarted)
def after_game_started(event: events.GameStarted, state: State) -> State:
    codes = state.codes
    return replace(
        state,
        balance=dict.fromkeys(codes, event.balance),
        reached={code: frozenset() for code in codes},
        totals=dict.fromkeys(codes, (event.balance,)),
    )


@CHANGES.of(events.RollsThrown)
def after_rolls_thrown(event: events.RollsThrown, state: State) -> State:
    if event.company:
        return replace(state, own_rolls=_with(state.own_rolls, event.company, event.rolls))
    return replace(state, rolls=event.rolls)


@CHANGES.of(events.HomeChosen)
def after_home_chosen(event: events.HomeChosen, state: State) -> State:
    # A city somebody starts from pays nobody, unless the companies agreed otherwise. Rule: D3.1, R11, R19.
    pays = state.options.home_bonus and event.hex not in state.connected
    return replace(
        state,
        home=_with(state.home, event.company, event.hex),
        reached=_with(state.reached, event.company, state.reached[event.company] | {event.hex}),
        connected=state.connected | {event.hex},
        unpaid_homes=state.unpaid_homes | {event.hex} if pays else state.unpaid_homes,
    )


@CHANGES.of(events.TrackLaid)
@InPlace
def after_track_laid(event: events.TrackLaid, now: Draft[State]) -> None:
    state, laid, company = now.state, side(event.start, event.end), event.company
    now.mapping("track")[laid] = (*state.track.get(laid, ()), company)
    now.mapping("reached")[company] = state.reached[company] | {event.end}
    if event.units:
        after_payment.change(event, now)
    if state.banked:
        now.put("banked", _without_bridge(state, company, laid))
    now.put("idle", BUSY)


@CHANGES.of(events.PointsBanked)
def after_points_banked(event: events.PointsBanked, state: State) -> State:
    own = _with(state.banked.get(event.company, {}), side(event.start, event.end), event.total)
    return replace(state, banked=_with(state.banked, event.company, own), idle=BUSY)


@CHANGES.of(events.JumpMade)
def after_jump_made(event: events.JumpMade, state: State) -> State:
    jump = Jump(company=event.company, rival=event.rival, start=event.start, end=event.end)
    return replace(
        state,
        jumps=(*state.jumps, jump),
        reached=_with(state.reached, event.company, state.reached[event.company] | {event.end}),
    )


@CHANGES.of(events.TrainEntered)
@InPlace
def after_train_entered(event: events.TrainEntered, now: Draft[State]) -> None:
    entered = now.mapping("entered")
    for company in event.companies:
        entered[company] = entered.get(company, 0) + 1
    now.put("income", {})


@CHANGES.of(events.CityConnected)
@InPlace
def after_city_connected(event: events.CityConnected, now: Draft[State]) -> None:
    now.put("connected", now.state.connected | {event.hex})
    now.put("unpaid_homes", now.state.unpaid_homes - {event.hex})
    after_payment.change(event, now)


@CHANGES.of(events.RacesDrawn)
def after_races_drawn(event: events.RacesDrawn, state: State) -> State:
    return replace(state, races=(*state.races, *event.races), racing_from=state.racing_from or event.round)


@CHANGES.of(events.RaceCancelled)
@InPlace
def after_race_cancelled(event: events.RaceCancelled, now: Draft[State]) -> None:
    _set_status(now, event.race, "cancelled")


@CHANGES.of(events.RaceRun)
@InPlace
def after_race_run(event: events.RaceRun, now: Draft[State]) -> None:
    _set_status(now, event.race, "run")
    now.put("settled", (*now.state.settled, event.race))
    now.put("declared", ())


@CHANGES.of(events.RaceDropped)
@InPlace
def after_race_dropped(event: events.RaceDropped, now: Draft[State]) -> None:
    _set_status(now, event.race, "dropped")
    now.put("settled", (*now.state.settled, event.race))
    now.put("declared", ())
    now.put("income", {})


@CHANGES.of(events.RaceCarried)
@InPlace
def after_race_carried(event: events.RaceCarried, now: Draft[State]) -> None:
    now.put("declared", ())
    now.put("income", {})


@CHANGES.of(events.EntryDeclared)
def after_entry_declared(event: events.EntryDeclared, state: State) -> State:
    return replace(state, declared=(*state.declared, Declared(company=event.company, run=event.run)))


@CHANGES.of(events.Asked)
def after_asked(event: events.Asked, state: State) -> State:
    # The first question of a round comes with the turn that ended the round before, or with the opening.
    return replace(state, agenda=event.agenda, turn=state.turn + bool(state.agenda))


@CHANGES.of(events.BuildingEnded)
def after_building_ended(event: events.BuildingEnded, state: State) -> State:
    return replace(state, racing_from=event.round + 1)


@CHANGES.of(events.RoundEnded)
def after_round_ended(event: events.RoundEnded, state: State) -> State:
    totals = {code: (*state.totals[code], state.balance[code]) for code in state.codes}
    return replace(
        state,
        round=event.round + 1,
        turn=state.turn + 1,
        phase=event.phase,
        rolls=(),
        own_rolls={},
        entered={},
        settled=(),
        agenda=(),
        idle=state.idle + 1,
        totals=totals,
    )


@CHANGES.of(events.GameEnded)
def after_game_ended(event: events.GameEnded, state: State) -> State:
    return replace(state, phase=OVER, winners=event.winners)


_ONLY_TELL = events.EntryRefused, events.NothingReceived, events.OrderRefused, events.PieceStopped
CHANGES.update(dict.fromkeys((*_ONLY_TELL, events.TrainMoved, events.TrainPlaced), unchanged))
CHANGES.update(dict.fromkeys((events.FeePaid, events.TollPaid, events.PrizePaid), after_payment))
# A typed-in position is read, and so applied, where positions are; a ruling too.
complete(get_args(events.Event), CHANGES, but=(events.PositionTaken, Ruled))


def _with(mapping: Mapping[Key, Value], key: Key, value: Value) -> Mapping[Key, Value]:
    """Return a copy of *mapping* with one entry changed."""
    return {**mapping, key: value}


def _without_bridge(state: State, builder: str, laid: Side) -> Mapping[str, Mapping[Side, int]]:
    """Return what is banked after *builder* built a bridge: of one that takes a single owner everybody's points are gone."""
    bridge = state.board.bridges.get(laid)
    if bridge is None or not bridge.banked:
        return state.banked
    losers = state.banked if bridge.single else {builder}
    kept = {
        code: {each: points for each, points in own.items() if each != laid or code not in losers}
        for code, own in state.banked.items()
    }
    return {code: own for code, own in kept.items() if own}


def _set_status(now: Draft[State], number: int, status: str) -> None:
    races = [replace(race, status=status) if race.number == number else race for race in now.state.races]
    now.put("races", tuple(races))
