"""Everything that can happen in a game, and how each event changes the position: the newsletter is written from these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import singledispatch
from typing import TypeVar

from referee.core.hexes import Hex, side
from referee.core.orders import Complaint
from referee.games.dampfross.orders import Run
from referee.games.dampfross.state import NEUTRAL, OVER, Declared, Item, Jump, Race, State

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted:
    """Accounts are opened. Rule: D1.2."""

    balance: int
    paragraph: str = "D1.2"


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionTaken:
    """A running game comes to the referee: ``told`` is its position as typed, in JSON. Applied in ``position``."""

    told: str
    paragraph: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollsThrown:
    """The rolls of a building round, known before orders are due. Rule: D4.4."""

    round: int
    rolls: tuple[int, ...]
    company: str = ""  # whose, where each company has its own
    paragraph: str = "D4.4"


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingReceived:
    """A company's player said nothing: it builds nothing and enters nothing."""

    company: str
    round: int
    paragraph: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeChosen:
    """A company opens its home terminal. Rule: D1.3."""

    company: str
    hex: Hex
    paragraph: str = "D1.3"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRefused:
    """An order that was not a step or an entry could not be obeyed (a home that may not be chosen)."""

    company: str
    complaint: Complaint
    paragraph: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackLaid:
    """One step: a company's line from the centre of ``start`` to the centre of ``end``.

    ``cost`` in points of the roll; ``units`` what the account pays for it (races' building only). ``left``: points left.
    Rule: D2.2, D2.3.
    """

    company: str
    round: int
    roll: int
    step: int
    piece: int
    start: Hex
    end: Hex
    cost: int
    left: int
    units: int = 0
    paragraph: str = "D2.3"


@dataclass(frozen=True, slots=True, kw_only=True)
class FeePaid:
    """A fee for a step: ``why`` is connection, parallel or adjacent. Rule: D3.2-D3.4."""

    company: str
    to: str
    amount: int
    why: str
    roll: int
    step: int
    start: Hex
    end: Hex
    paragraph: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CityConnected:
    """A company is among the first to connect a city; ``bonus`` is its share. Rule: D3.1, D4.2."""

    company: str
    hex: Hex
    bonus: int
    shared: int  # how many companies came in this step
    roll: int
    step: int
    paragraph: str = "D3.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class JumpMade:
    """A company goes on beyond a stretch of a rival's track. Rule: D7.2."""

    company: str
    rival: str
    round: int
    roll: int
    piece: int
    step: int
    start: Hex
    end: Hex
    paragraph: str = "D7.2"


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildingEnded:
    """The building phase is over at once: so few cities are left, or nobody builds any more. Rule: D2.7."""

    round: int
    cities_left: int
    paragraph: str = "D2.7"


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceStopped:
    """A piece could go no further: what came before stands, later pieces are still tried. Rule: D4.3."""

    company: str
    round: int
    roll: int
    piece: int
    at: Hex
    complaint: Complaint
    paragraph: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RacesDrawn:
    """Races are drawn: those of the whole game, or those of the round that begins. Rule: D5.2, D5.6."""

    races: tuple[Race, ...]
    round: int = 0  # the first round in which one of them is offered
    paragraph: str = "D5.6"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRefused:
    """An entry that does not stand."""

    race: int
    company: str
    complaint: Complaint
    paragraph: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainEntered:
    """A train is declared with its route. ``owners``: whose track each hex-side of the route is used. Rule: D6.1, D6.2."""

    race: int
    train: str  # the company, or both of a joint train: "GSW+MGW"
    companies: tuple[str, ...]
    route: tuple[Hex, ...]
    owners: tuple[str, ...]
    paragraph: str = "D6.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class TollPaid:
    """What a company pays a rival for its track in one race, gross. Rule: D6.3."""

    race: int
    company: str
    to: str
    amount: int
    paragraph: str = "D6.3"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainMoved:
    """One throw of a train. ``at``: hex-sides of its route now behind it; ``climbing``: it stands on the hex-side before a
    climb; ``left``: points left over where it finished, -1 where it has not. Rule: D6.6."""

    race: int
    train: str
    round: int
    throw: int
    at: int
    climbing: bool
    left: int
    paragraph: str = "D6.6"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizePaid:
    """A prize, or a company's half of a joint train's. ``place`` from 1; equal trains have the same. Rule: D6.7, D6.8."""

    race: int
    company: str
    train: str
    place: int
    amount: int
    paragraph: str = "D6.7"


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceRun:
    """A race is over. Rule: D6.7."""

    race: int
    paragraph: str = "D6.7"


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceCarried:
    """Nobody's entry stood: the race is offered again under its number. Rule: D5.6."""

    race: int
    paragraph: str = "D5.6"


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceDropped:
    """Nobody's entry stood in the last round: the race is never run. Rule: D5.6."""

    race: int
    paragraph: str = "D5.6"


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceCancelled:
    """A race that was drawn cannot be run: ``why`` is unconnected, no-line, too-near or no-key. Rule: D5.3, D5.4."""

    race: int
    why: str
    paragraph: str = "D5.3"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryDeclared:
    """A company declares an entry while companies are asked one by one. Rule: D6.1."""

    company: str
    run: Run
    paragraph: str = "D6.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The round stops at a decision: the first of ``agenda`` is asked of a company."""

    agenda: tuple[Item, ...]
    paragraph: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnded:
    """The round is over; ``phase`` is that of the next one, ``rolls`` were those of the round (none in a racing round)."""

    round: int
    phase: str
    rolls: tuple[int, ...] = ()
    own_rolls: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # where each company had its own
    paragraph: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded:
    """The highest balance wins; equal balances share the win. Rule: D9."""

    winners: tuple[str, ...]
    paragraph: str = "D9"


Event = (
    GameStarted
    | PositionTaken
    | RollsThrown
    | NothingReceived
    | HomeChosen
    | OrderRefused
    | TrackLaid
    | FeePaid
    | CityConnected
    | PieceStopped
    | JumpMade
    | BuildingEnded
    | RacesDrawn
    | EntryRefused
    | TrainEntered
    | TollPaid
    | TrainMoved
    | PrizePaid
    | RaceRun
    | RaceCarried
    | RaceDropped
    | RaceCancelled
    | EntryDeclared
    | Asked
    | RoundEnded
    | GameEnded
)


@singledispatch
def apply(event: Event, state: State) -> State:
    """Return the position after *event*; an event that only tells (a refusal, a moving train) changes nothing."""
    return state


@apply.register
def _(event: GameStarted, state: State) -> State:
    codes = state.table.codes
    return replace(
        state,
        balance=dict.fromkeys(codes, event.balance),
        reached={code: frozenset() for code in codes},
        totals=dict.fromkeys(codes, (event.balance,)),
    )


@apply.register
def _(event: RollsThrown, state: State) -> State:
    if event.company:
        return replace(state, own_rolls=_with(state.own_rolls, event.company, event.rolls))
    return replace(state, rolls=event.rolls)


@apply.register
def _(event: HomeChosen, state: State) -> State:
    # A city somebody starts from pays nobody, unless the companies agreed otherwise. Rule: D3.1, R11, R19.
    pays = state.table.options.home_bonus and event.hex not in state.connected
    return replace(
        state,
        home=_with(state.home, event.company, event.hex),
        reached=_with(state.reached, event.company, state.reached[event.company] | {event.hex}),
        connected=state.connected | {event.hex},
        unpaid_homes=state.unpaid_homes | {event.hex} if pays else state.unpaid_homes,
    )


@apply.register
def _(event: TrackLaid, state: State) -> State:
    laid = side(event.start, event.end)
    return replace(
        state,
        track=_with(state.track, laid, (*state.owners(laid), event.company)),
        reached=_with(state.reached, event.company, state.reached[event.company] | {event.end}),
        balance=_moved(state.balance, event.company, None, event.units),
        idle=0,
    )


@apply.register
def _(event: JumpMade, state: State) -> State:
    jump = Jump(company=event.company, rival=event.rival, start=event.start, end=event.end)
    return replace(
        state,
        jumps=(*state.jumps, jump),
        reached=_with(state.reached, event.company, state.reached[event.company] | {event.end}),
    )


@apply.register
def _(event: FeePaid, state: State) -> State:
    return replace(state, balance=_moved(state.balance, event.company, event.to, event.amount))


@apply.register
def _(event: TrainEntered, state: State) -> State:
    entered = dict(state.entered)
    for company in event.companies:
        entered[company] = entered.get(company, 0) + 1
    return replace(state, entered=entered, income={})


@apply.register
def _(event: TollPaid, state: State) -> State:
    payee = None if event.to == NEUTRAL else event.to
    return replace(
        state,
        balance=_moved(state.balance, event.company, payee, event.amount),
        income=_earned(state.income, payee, event.amount),
    )


@apply.register
def _(event: CityConnected, state: State) -> State:
    return replace(
        state,
        connected=state.connected | {event.hex},
        unpaid_homes=state.unpaid_homes - {event.hex},
        balance=_moved(state.balance, None, event.company, event.bonus),
    )


@apply.register
def _(event: RacesDrawn, state: State) -> State:
    return replace(state, races=(*state.races, *event.races), racing_from=state.racing_from or event.round)


@apply.register
def _(event: PrizePaid, state: State) -> State:
    return replace(
        state,
        balance=_moved(state.balance, None, event.company, event.amount),
        income=_earned(state.income, event.company, event.amount),
    )


@apply.register
def _(event: RaceCancelled, state: State) -> State:
    return _with_status(state, event.race, "cancelled")


@apply.register
def _(event: RaceRun, state: State) -> State:
    return replace(_with_status(state, event.race, "run"), declared=())


@apply.register
def _(event: RaceDropped, state: State) -> State:
    return replace(_with_status(state, event.race, "dropped"), declared=(), income={})


@apply.register
def _(event: RaceCarried, state: State) -> State:
    return replace(state, declared=(), income={})


@apply.register
def _(event: EntryDeclared, state: State) -> State:
    return replace(state, declared=(*state.declared, Declared(company=event.company, run=event.run)))


@apply.register
def _(event: Asked, state: State) -> State:
    # The first question of a round comes with the turn that ended the round before, or with the opening.
    return replace(state, agenda=event.agenda, turn=state.turn + bool(state.agenda))


@apply.register
def _(event: BuildingEnded, state: State) -> State:
    return replace(state, racing_from=event.round + 1)


@apply.register
def _(event: RoundEnded, state: State) -> State:
    totals = {code: (*state.totals[code], state.balance[code]) for code in state.table.codes}
    return replace(
        state,
        round=event.round + 1,
        turn=state.turn + 1,
        phase=event.phase,
        rolls=(),
        own_rolls={},
        entered={},
        agenda=(),
        idle=state.idle + 1,
        totals=totals,
    )


@apply.register
def _(event: GameEnded, state: State) -> State:
    return replace(state, phase=OVER, winners=event.winners)


def _with(mapping: Mapping[Key, Value], key: Key, value: Value) -> Mapping[Key, Value]:
    """Return a copy of *mapping* with one entry changed."""
    return {**mapping, key: value}


def _moved(balance: Mapping[str, int], payer: str | None, payee: str | None, amount: int) -> Mapping[str, int]:
    """Return the accounts after *amount* went from *payer* to *payee*; None is the bank."""
    if not amount:
        return balance
    accounts = dict(balance)
    if payer is not None:
        accounts[payer] -= amount
    if payee is not None:
        accounts[payee] += amount
    return accounts


def _earned(income: Mapping[str, int], company: str | None, amount: int) -> Mapping[str, int]:
    return income if company is None else {**income, company: income.get(company, 0) + amount}


def _with_status(state: State, number: int, status: str) -> State:
    races = tuple(replace(race, status=status) if race.number == number else race for race in state.races)
    return replace(state, races=races)
