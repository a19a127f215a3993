"""Everything that can happen in a game; the newsletter is written from these. What each changes stands in ``changes``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from referee.core import Amounts, Complaint, Hex, Hexes, Numbers, Path, Value, of_kind
from referee.core.record import Ruled

from .state import Codes, Item, Phase, Race, Run


class GameStarted(Value):
    """Accounts are opened. Rule: D1.2."""

    balance: int
    paragraph: str = "D1.2"


class PositionTaken(Value):
    """A running game comes to the referee: ``told`` is its position as typed, in JSON. Applied in ``position``."""

    told: str
    paragraph: str = ""


class RollsThrown(Value):
    """The rolls of a building round, known before orders are due. Rule: D4.4."""

    round: int
    rolls: Numbers
    company: str = ""  # whose, where each company has its own
    paragraph: str = "D4.4"


class NothingReceived(Value):
    """A company's player said nothing: it builds nothing and enters nothing."""

    company: str
    round: int
    paragraph: str = ""


class HomeChosen(Value):
    """A company opens its home terminal. Rule: D1.3."""

    company: str
    hex: Hex
    paragraph: str = "D1.3"


class OrderRefused(Value):
    """An order that was not a step or an entry could not be obeyed (a home that may not be chosen)."""

    company: str
    complaint: Complaint
    paragraph: str = ""


class TrackLaid(Value):
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


class PointsBanked(Value):
    """What is left of a roll is put aside for a bridge that it cannot pay: ``points`` now, ``total`` so far. Rule: R28."""

    company: str
    round: int
    roll: int
    piece: int
    start: Hex
    end: Hex
    points: int
    total: int
    price: int
    paragraph: str = "D2.3"


class FeePaid(Value):
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


class CityConnected(Value):
    """A company is among the first to connect a city; ``bonus`` is its share. Rule: D3.1, D4.2."""

    company: str
    hex: Hex
    bonus: int
    shared: int  # how many companies came in this step
    roll: int
    step: int
    paragraph: str = "D3.1"


class JumpMade(Value):
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


class BuildingEnded(Value):
    """The building phase is over at once: so few cities are left, or nobody builds any more. Rule: D2.7."""

    round: int
    cities_left: int
    paragraph: str = "D2.7"


class PieceStopped(Value):
    """A piece could go no further: what came before stands, later pieces are still tried. Rule: D4.3."""

    company: str
    round: int
    roll: int
    piece: int
    at: Hex
    complaint: Complaint
    paragraph: str


class RacesDrawn(Value):
    """Races are drawn: those of the whole game, or those of the round that begins. Rule: D5.2, D5.6."""

    races: tuple[Race, ...]
    round: int = 0  # the first round in which one of them is offered
    paragraph: str = "D5.6"


class EntryRefused(Value):
    """An entry that does not stand."""

    race: int
    company: str
    complaint: Complaint
    paragraph: str


class TrainEntered(Value):
    """A train is declared with its route. ``owners``: whose track each hex-side of the route is used. Rule: D6.1, D6.2."""

    race: int
    train: str  # the company, or both of a joint train: "GSW+MGW"
    companies: Codes
    route: Path
    owners: Codes
    paragraph: str = "D6.1"


class TollPaid(Value):
    """What a company pays a rival for its track in one race, gross; its share, for a joint train. Rule: D6.3.

    ``hexes``: those of the train's route over that rival's track, as they are run through.
    """

    race: int
    company: str
    to: str
    amount: int
    hexes: Hexes
    paragraph: str = "D6.3"


class TrainMoved(Value):
    """One throw of a train. ``at``: hex-sides of its route behind it; ``left``: points left over, else -1. Rule: D6.6."""

    race: int
    train: str
    round: int
    throw: int
    at: int
    left: int
    paragraph: str = "D6.6"


class TrainPlaced(Value):
    """The place of a train that came in, or stands alone, whether it brings a prize or not. ``place`` from 1; equal trains
    have the same. Rule: D6.7, D6.8."""

    race: int
    train: str
    place: int
    paragraph: str = "D6.7"


class PrizePaid(Value):
    """A prize, or a company's half of a joint train's. ``place`` from 1; equal trains have the same. Rule: D6.7, D6.8."""

    race: int
    company: str
    train: str
    place: int
    amount: int
    paragraph: str = "D6.7"


class RaceRun(Value):
    """A race is over. Rule: D6.7."""

    race: int
    paragraph: str = "D6.7"


class RaceCarried(Value):
    """Nobody's entry stood: the race is offered again under its number. Rule: D5.6."""

    race: int
    paragraph: str = "D5.6"


class RaceDropped(Value):
    """Nobody's entry stood in the last round: the race is never run. Rule: D5.6."""

    race: int
    paragraph: str = "D5.6"


class RaceCancelled(Value):
    """A race that was drawn cannot be run: ``why`` is unconnected or too-near. Rule: D5.3, D5.4."""

    race: int
    why: str
    paragraph: str = "D5.3"


class EntryDeclared(Value):
    """A company declares an entry while companies are asked one by one. Rule: D6.1."""

    company: str
    run: Run
    paragraph: str = "D6.1"


class Asked(Value):
    """The round stops at a decision: the first of ``agenda`` is asked of a company."""

    agenda: tuple[Item, ...]
    paragraph: str = ""


class RoundEnded(Value):
    """The round is over; ``phase`` is that of the next one, ``rolls`` were those of the round (none in a racing round)."""

    round: int
    phase: Phase
    rolls: Numbers = ()
    own_rolls: Mapping[str, Numbers] = {}  # where each company had its own
    paragraph: str = ""


class GameEnded(Value):
    """The highest balance wins; equal balances share the win. Rule: D9."""

    winners: Codes
    paragraph: str = "D9"


Event = (
    GameStarted
    | PositionTaken
    | Ruled
    | RollsThrown
    | NothingReceived
    | HomeChosen
    | OrderRefused
    | TrackLaid
    | PointsBanked
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
    | TrainPlaced
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


Events = tuple[Event, ...]


class Ran(NamedTuple):
    """A train of a race: its throws, the place that it took, 0 for none, and the share of its prize that each company got."""

    entry: TrainEntered
    moves: tuple[TrainMoved, ...]
    place: int
    prizes: Amounts


def trains_in(events: Events) -> Iterator[Ran]:
    """Yield the trains that ran, race by race in the order of declaring."""
    for entry in of_kind(TrainEntered, events):
        told = (each for each in events if isinstance(each, TrainMoved | TrainPlaced | PrizePaid))
        own = [each for each in told if (each.race, each.train) == (entry.race, entry.train)]
        place = sum(each.place for each in of_kind(TrainPlaced, own))
        yield Ran(
            entry, of_kind(TrainMoved, own), place, {each.company: each.amount for each in of_kind(PrizePaid, own)}
        )
