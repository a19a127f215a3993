"""How each event changes the position: the position is the fold of the events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never, get_args

from msgspec.structs import replace

from referee.core.game import Changes
from referee.core.hexes import Hex, Side, side
from referee.core.record import Draft, InPlace, Ruled
from referee.core.record import Record as CoreRecord

from . import events
from .state import BUSY, OVER, Declared, Jump, State

Record = CoreRecord[State, events.Event]


@InPlace
def change(event: events.Event, now: Draft[State]) -> None:
    """Change the position as an event says."""
    state = now.state
    match event:
        case events.TrackLaid():
            laid = side(event.start, event.end)
            now.mapping("track")[laid] = (*state.track.get(laid, ()), event.company)
            _reach(now, event.company, event.end)
            if event.units:
                _pay(event, now)
            if state.banked:
                now.put(banked=_without_bridge(state, event.company, laid))
            now.put(idle=BUSY)
        case events.FeePaid() | events.TollPaid() | events.PrizePaid():
            _pay(event, now)
        case events.CityConnected():
            now.put(connected=state.connected | {event.hex}, unpaid_homes=state.unpaid_homes - {event.hex})
            _pay(event, now)
        case events.PointsBanked():
            own = {**state.banked.get(event.company, {}), side(event.start, event.end): event.total}
            now.put(banked={**state.banked, event.company: own}, idle=BUSY)
        case events.JumpMade():
            jump = Jump(company=event.company, rival=event.rival, start=event.start, end=event.end)
            now.put(jumps=(*state.jumps, jump))
            _reach(now, event.company, event.end)
        case events.GameStarted():
            now.put(
                balance=dict.fromkeys(state.codes, event.balance),
                reached=dict.fromkeys(state.codes, frozenset()),
                totals=dict.fromkeys(state.codes, (event.balance,)),
            )
        case events.RollsThrown():
            if event.company:
                now.mapping("own_rolls")[event.company] = event.rolls
            else:
                now.put(rolls=event.rolls)
        case events.HomeChosen():
            # A city somebody starts from pays nobody, unless the companies agreed otherwise. Rule: D3.1, R11, R19.
            if state.options.home_bonus and event.hex not in state.connected:
                now.put(unpaid_homes=state.unpaid_homes | {event.hex})
            now.put(connected=state.connected | {event.hex})
            now.mapping("home")[event.company] = event.hex
            _reach(now, event.company, event.hex)
        case events.TrainEntered():
            entered = now.mapping("entered")
            for company in event.companies:
                entered[company] = entered.get(company, 0) + 1
            now.put(income={})
        case events.RacesDrawn():
            now.put(races=(*state.races, *event.races), racing_from=state.racing_from or event.round)
        case events.RaceCancelled():
            _set_status(now, event.race, "cancelled")
        case events.RaceRun():
            _set_status(now, event.race, "run")
            now.put(settled=(*state.settled, event.race), declared=())
        case events.RaceDropped():
            _set_status(now, event.race, "dropped")
            now.put(settled=(*state.settled, event.race), declared=(), income={})
        case events.RaceCarried():
            now.put(declared=(), income={})
        case events.EntryDeclared():
            now.put(declared=(*state.declared, Declared(company=event.company, run=event.run)))
        case events.Asked():
            # The first question of a round comes with the turn that ended the round before, or with the opening.
            now.put(agenda=event.agenda, turn=state.turn + bool(state.agenda))
        case events.BuildingEnded():
            now.put(racing_from=event.round + 1)
        case events.RoundEnded():
            now.put(
                round=event.round + 1,
                turn=state.turn + 1,
                phase=event.phase,
                rolls=(),
                own_rolls={},
                entered={},
                settled=(),
                agenda=(),
                idle=state.idle + 1,
                totals={code: (*state.totals[code], state.balance[code]) for code in state.codes},
            )
        case events.GameEnded():
            now.put(phase=OVER, winners=event.winners)
        case events.EntryRefused() | events.NothingReceived() | events.OrderRefused() | events.PieceStopped():
            pass
        case events.TrainMoved() | events.TrainPlaced():
            pass
        case events.PositionTaken() | Ruled():
            pass  # what is typed in is read, and so applied, where positions are
        case _:
            assert_never(event)


CHANGES: Changes = dict.fromkeys(get_args(events.Event), change)


def _pay(event: events.Event, now: Draft[State]) -> None:
    codes = now.state.balance.keys()
    for payer, payee, amount, why in events.payments((event,)):
        if payer in codes and amount:
            now.mapping("balance")[payer] -= amount
        if payee in codes and amount:
            now.mapping("balance")[payee] += amount
            if why in (events.TOLL, events.PRIZE):
                now.mapping("income")[payee] = now.state.income.get(payee, 0) + amount


def _reach(now: Draft[State], company: str, end: Hex) -> None:
    now.mapping("reached")[company] = now.state.reached[company] | {end}


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
    now.put(races=tuple(replace(race, status=status) if race.number == number else race for race in now.state.races))


# What an umpire types: companies' networks anew.


def lay(state: State, told: Mapping[str, frozenset[Side]]) -> State:
    """Lay companies' track anew; whose track lies there already keeps its place among the owners of a hex-side."""
    for code, sides in told.items():
        track = dict(state.track)
        for each in (*track, *sorted(sides - track.keys())):
            owners = track.get(each, ())
            if (code in owners) != (each in sides):
                track[each] = (*owners, code) if each in sides else tuple(owner for owner in owners if owner != code)
        jumps = (end for jump in state.jumps if jump.company == code for end in (jump.start, jump.end))
        home = (state.home[code],) if code in state.home else ()
        state = replace(state, track={each: owners for each, owners in track.items() if owners})
        state = _with_network(state, code, frozenset((*home, *jumps)).union(*sides))
    return state


def _with_network(state: State, code: str, network: frozenset[Hex]) -> State:
    """Return the position with another network of a company; its cities are connected, others if a network has them."""
    reached = {**state.reached, code: network}
    known = state.connected & frozenset[Hex]().union(*reached.values())
    return replace(state, reached=reached, connected=known.union(state.board.paying.keys() & network))


def with_homes(state: State, homes: Mapping[str, Hex]) -> State:
    """Open home terminals."""
    for code, home in homes.items():
        state = _with_network(replace(state, home={**state.home, code: home}), code, state.reached[code] | {home})
    return state
