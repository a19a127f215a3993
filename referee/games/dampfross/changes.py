"""How each event changes the position: the position is the fold of the events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from referee.core import Hex, Side, side
from referee.core.game import Changes
from referee.core.record import Record as CoreRecord
from referee.core.record import Ruled

from .events import (
    Asked,
    BuildingEnded,
    CityConnected,
    EntryDeclared,
    EntryRefused,
    Event,
    FeePaid,
    GameEnded,
    GameStarted,
    HomeChosen,
    JumpMade,
    NothingReceived,
    OrderRefused,
    PieceStopped,
    PointsBanked,
    PositionTaken,
    PrizePaid,
    RaceCancelled,
    RaceCarried,
    RaceDropped,
    RaceRun,
    RacesDrawn,
    RollsThrown,
    RoundEnded,
    TollPaid,
    TrackLaid,
    TrainEntered,
    TrainMoved,
    TrainPlaced,
)
from .state import BUSY, Declared, Jump, Race, State

Record = CoreRecord[State, Event]


def _keep(event: Event, state: State) -> State:
    return state


def _start(event: GameStarted, state: State) -> State:
    return state.but(
        balance=dict.fromkeys(state.codes, event.balance),
        reached=dict.fromkeys(state.codes, frozenset()),
        totals=dict.fromkeys(state.codes, (event.balance,)),
    )


def _throw(event: RollsThrown, state: State) -> State:
    if event.company:
        return state.but(own_rolls={**state.own_rolls, event.company: event.rolls})
    return state.but(rolls=event.rolls)


def _open_home(event: HomeChosen, state: State) -> State:
    # A city somebody starts from pays nobody, unless the companies agreed otherwise. Rule: D3.1, R11, R19.
    is_paid = state.options.home_bonus and event.hex not in state.connected
    return state.but(
        unpaid_homes=state.unpaid_homes | {event.hex} if is_paid else state.unpaid_homes,
        connected=state.connected | {event.hex},
        home={**state.home, event.company: event.hex},
        reached=_reach(state, event.company, event.hex),
    )


def _lay(event: TrackLaid, state: State) -> State:
    laid = side(event.start, event.end)
    state = (_pay(event, state) if event.units else state).but(
        track={**state.track, laid: (*state.track.get(laid, ()), event.company)},
        reached=_reach(state, event.company, event.end),
        idle=BUSY,
    )
    return _without_bridge(state, event.company, laid) if state.banked else state


def _bank(event: PointsBanked, state: State) -> State:
    own = {**state.banked.get(event.company, {}), side(event.start, event.end): event.total}
    return state.but(banked={**state.banked, event.company: own}, idle=BUSY)


def _jump(event: JumpMade, state: State) -> State:
    jump = Jump(company=event.company, rival=event.rival, start=event.start, end=event.end)
    return state.but(jumps=(*state.jumps, jump), reached=_reach(state, event.company, event.end))


def _connect(event: CityConnected, state: State) -> State:
    paid = _pay(event, state)
    return paid.but(connected=state.connected | {event.hex}, unpaid_homes=state.unpaid_homes - {event.hex})


def _draw(event: RacesDrawn, state: State) -> State:
    return state.but(races=(*state.races, *event.races), racing_from=state.racing_from or event.round)


def _declare(event: EntryDeclared, state: State) -> State:
    return state.but(declared=(*state.declared, Declared(company=event.company, run=event.run)))


def _enter(event: TrainEntered, state: State) -> State:
    entered = {company: state.entered.get(company, 0) + 1 for company in event.companies}
    return state.but(entered={**state.entered, **entered}, income={})


def _cancel(event: RaceCancelled, state: State) -> State:
    return state.but(races=_races(event.race, "cancelled", state))


def _carry(event: RaceCarried, state: State) -> State:
    return state.but(declared=(), income={})


def _settle(event: RaceRun | RaceDropped, state: State) -> State:
    """Return the position after a race that is not offered again; one that is dropped brings nobody an income."""
    is_run = type(event) is RaceRun
    return state.but(
        races=_races(event.race, "run" if is_run else "dropped", state),
        settled=(*state.settled, event.race),
        declared=(),
        income=state.income if is_run else {},
    )


def _ask(event: Asked, state: State) -> State:
    # The first question of a round comes with the turn that ended the round before, or with the opening.
    return state.but(agenda=event.agenda, turn=state.turn + bool(state.agenda))


def _end_building(event: BuildingEnded, state: State) -> State:
    return state.but(racing_from=event.round + 1)


def _end_round(event: RoundEnded, state: State) -> State:
    return state.but(
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


def _end(event: GameEnded, state: State) -> State:
    return state.but(phase="over", winners=event.winners)


def _reach(state: State, company: str, end: Hex) -> Mapping[str, frozenset[Hex]]:
    return {**state.reached, company: state.reached[company] | {end}}


def _without_bridge(state: State, builder: str, laid: Side) -> State:
    """Return the position after *builder* built a bridge: of one that takes a single owner everybody's banked points are gone."""
    bridge = state.board.bridges.get(laid)
    if not bridge or not bridge.banked:
        return state
    losers = state.banked if bridge.single else {builder}
    kept = {
        code: {each: points for each, points in own.items() if each != laid or code not in losers}
        for code, own in state.banked.items()
    }
    return state.but(banked={code: own for code, own in kept.items() if own})


def _races(number: int, status: str, state: State) -> tuple[Race, ...]:
    return tuple([race.but(status=status) if race.number == number else race for race in state.races])


# Units from an account to another, and what for; "" for the bank, ``*`` for the neutral railway.

Payment = tuple[str, str, int, Literal["bonus", "spent", "fee", "toll", "prize"]]
BANK = ""


def payments(told: Iterable[Event]) -> Iterator[Payment]:
    """Yield what the events let companies pay and be paid: all that ever moves money, but for the opening and rulings."""
    for event in told:
        match event:
            case TollPaid():
                yield event.company, event.to, event.amount, "toll"
            case FeePaid():
                yield event.company, event.to, event.amount, "fee"
            case PrizePaid():
                yield BANK, event.company, event.amount, "prize"
            case CityConnected():
                yield BANK, event.company, event.bonus, "bonus"
            case TrackLaid():
                yield event.company, BANK, event.units, "spent"


def _pay(event: Event, state: State) -> State:
    balance, income = dict(state.balance), state.income
    for payer, payee, amount, why in payments((event,)):
        if payer in balance:
            balance[payer] -= amount
        if payee in balance and amount:
            balance[payee] += amount
            if why in ("toll", "prize"):
                income = {**income, payee: income.get(payee, 0) + amount}
    return state.but(balance=balance, income=income)


CHANGES: Changes = {
    GameStarted: _start,
    PositionTaken: _keep,  # what is typed in is read, and so applied, where positions are
    Ruled: _keep,
    RollsThrown: _throw,
    NothingReceived: _keep,
    HomeChosen: _open_home,
    OrderRefused: _keep,
    TrackLaid: _lay,
    PointsBanked: _bank,
    FeePaid: _pay,
    CityConnected: _connect,
    PieceStopped: _keep,
    JumpMade: _jump,
    BuildingEnded: _end_building,
    RacesDrawn: _draw,
    EntryRefused: _keep,
    TrainEntered: _enter,
    TollPaid: _pay,
    TrainMoved: _keep,
    TrainPlaced: _keep,
    PrizePaid: _pay,
    RaceRun: _settle,
    RaceCarried: _carry,
    RaceDropped: _settle,
    RaceCancelled: _cancel,
    EntryDeclared: _declare,
    Asked: _ask,
    RoundEnded: _end_round,
    GameEnded: _end,
}


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
        state = state.but(track={each: owners for each, owners in track.items() if owners})
        state = _with_network(state, code, frozenset((*home, *jumps)).union(*sides))
    return state


def _with_network(state: State, code: str, network: frozenset[Hex]) -> State:
    """Return the position with another network of a company; its cities are connected, others if a network has them."""
    reached = {**state.reached, code: network}
    known = state.connected & frozenset[Hex]().union(*reached.values())
    return state.but(reached=reached, connected=known.union(state.board.paying.keys() & network))


def with_homes(state: State, homes: Mapping[str, Hex]) -> State:
    """Open home terminals."""
    for code, home in homes.items():
        state = _with_network(state.but(home={**state.home, code: home}), code, state.reached[code] | {home})
    return state
