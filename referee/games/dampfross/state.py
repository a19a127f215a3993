"""The position of a game: what lies on the board, what stands on the accounts, which races are still to run."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import ceil
from typing import Literal

from referee.core import Complaint, Hex, Hexes, Keeper, Numbers, Pair, Partial, Path, Side, Value
from referee.core.game import ONE_BY_ONE, TOGETHER, Player

from .board import RailMap
from .options import Options, number, word

Codes = tuple[str, ...]  # of companies

# What a company may order: frozen values, as they are stored and adjudicated.


class ChooseHome(Value):
    """Choose the home terminal: the first of ``cities`` that may be had. Rule: D1.3."""

    cities: Hexes
    company: str = ""
    line: int = 0


class Piece(Partial):
    """A stretch of new line, hex by hex. ``jumps``: indexes of ``path`` to which the line jumps.

    ``fault`` says why the writing could not be followed beyond the last hex: the piece
    ends there. ``named``: indexes of points that the player wrote though we need not; ``writing``: how they wrote hexes that we
    name otherwise. Both are for our answers alone: the same track is the same piece. Rule: D2.4, R1."""

    uncompared = frozenset({"named", "writing"})

    path: Path
    jumps: Numbers = ()
    fault: Complaint | None = None
    named: Numbers = ()
    writing: tuple[Pair, ...] = ()


class Build(Value):
    """Spend a roll (from 1; in a racing round there is one, the allowance) on pieces, laid in this order. Rule: D2.4."""

    roll: int
    pieces: tuple[Piece, ...]
    company: str = ""
    line: int = 0


class Route(Partial):
    """A train's way, hex by hex; ``over`` names whose track each hex-side is used, "" where the player did not say.
    ``fault``: the writing could not be followed, the route cannot be run. With an ``aim`` (fastest, cheapest) the referee
    finds the way when the race comes up, for at most ``most`` units (-1: any). ``named``, ``writing``: as of a piece.
    Rule: D6.2, D6.3."""

    uncompared = frozenset({"named", "writing"})

    path: Path = ()
    over: Codes = ()
    fault: Complaint | None = None
    aim: str = ""
    most: int = -1
    named: Numbers = ()
    writing: tuple[Pair, ...] = ()


class Condition(Value):
    """An entry stands only if ``company`` runs (or does not run) in ``race``, which it must have declared earlier. Rule: D6.1."""

    company: str
    runs: bool
    race: int


class Run(Value):
    """Enter a race with the first of ``routes`` that may be run; ``partner`` makes it a joint train. Rule: D6.1, D6.5."""

    race: int
    routes: tuple[Route, ...]
    partner: str = ""
    condition: Condition | None = None
    company: str = ""
    line: int = 0


# ``company`` is whose order it is, where a player leads more than one; empty for the first. ``line`` is the letter's.
Order = ChooseHome | Build | Run


def about(order: Order) -> tuple[str, type[Order], int]:
    """Return what an order decides: a company's home, one of its rolls, one of its races."""
    number = 0 if isinstance(order, ChooseHome) else order.roll if isinstance(order, Build) else order.race
    return order.company, type(order), number


START_BALANCE = 20  # Rule: D1.2
Phase = Literal["build", "race", "over"]
DAVID = "DAVID"  # the third company of two players. Rule: D8.1
NEUTRAL = "*"  # who owns the unbuilt parts of a permitted build, and causeways. Rule: D2.6, R29
ROUNDS_OF_RACES = 6  # a schedule by sectors. Rule: D5.6
BUSY = -1  # idle rounds before a round in which somebody has laid track: its end makes them 0. Rule: R20


def races_a_round(board: RailMap) -> int:
    """Return how many races a schedule by sectors has in each round: one for each sector, and one to a special. Rule: D5.6."""
    return 7 if board.specials else 6


class Company(Value):
    """A railway: ``player`` is the code of who leads it, empty for David."""

    code: str
    colour: str
    name: str
    player: str


class Table(Keeper):
    """What was agreed before the game and never changes: board, options, companies in order of play, pace."""

    board: RailMap
    options: Options
    players: tuple[Player, ...]
    companies: tuple[Company, ...] = ()
    pace: str = TOGETHER
    position: str = ""  # typed in, as JSON: the game begins there

    @cached_property
    def codes(self) -> Codes:
        """The companies' acronyms in order of play."""
        return tuple(company.code for company in self.companies)

    def company(self, code: str) -> Company:
        """Return a company by its acronym."""
        return next(company for company in self.companies if company.code == code)


class Race(Value):
    """A race: ``start`` and ``end`` are keys (11..66) or specials (1..6); ``round`` is when it is first offered.

    ``status``: open, run, dropped (never run) or cancelled when it was drawn; an open race of an earlier round was carried
    over. ``end`` is 0 where no destination could be drawn.
    """

    number: int
    start: int
    end: int
    round: int
    status: str = "open"


class Jump(Value):
    """A jump along ``rival``'s track between two hexes of ``company``. Rule: D7.2."""

    company: str
    rival: str
    start: Hex
    end: Hex


class Item(Value):
    """A thing to do in the round: ``what`` with a roll or race ``number``; with a ``company`` it is that company's decision.

    A ``roll`` is everybody's at once, ``build`` a company's; it may ``declare`` an entry before a race is ``run``, and
    ``spend`` in the ``spending`` between races.
    """

    what: Literal["roll", "build", "home", "race", "declare", "run", "spending", "spend"]
    number: int = 0
    company: str = ""


class Declared(Value):
    """An entry that was declared for the race that comes up; kept while companies are asked one by one. Rule: D6.1."""

    company: str
    run: Run


class State(Partial):
    """The position between two turns (and, inside the rules, between two events). Mappings are never changed in place."""

    unstored = uncompared = frozenset({"table"})

    table: Table
    round: int = 1  # whose orders are awaited
    turn: int = 1  # counts what is adjudicated: rounds, or single decisions when companies are asked one by one
    phase: Phase = "build"
    rolls: Numbers = ()
    own_rolls: Mapping[str, Numbers] = {}  # where each company has its own. Option roll_per
    home: Mapping[str, Hex] = {}
    balance: Mapping[str, int] = {}  # units
    track: Mapping[Side, Codes] = {}  # owners in the order of laying
    reached: Mapping[str, frozenset[Hex]] = {}  # each company's network, its home included
    banked: Mapping[str, Mapping[Side, int]] = {}  # points put aside, by company and bridge. R28
    connected: frozenset[Hex] = frozenset()  # cities that somebody's network has reached, homes too
    unpaid_homes: frozenset[Hex] = frozenset()  # homes whose bonus is still to be earned. Option home_bonus
    jumps: tuple[Jump, ...] = ()
    races: tuple[Race, ...] = ()
    racing_from: int = 0  # the first racing round, 0 while building
    entered: Mapping[str, int] = {}  # races run this round, by company
    income: Mapping[str, int] = {}  # prizes and tolls of the last race. Option race_building
    settled: Numbers = ()  # races run or dropped this round
    idle: int = 0  # building rounds in a row in which nobody laid track, BUSY once somebody has in this one
    agenda: tuple[Item, ...] = ()  # what is still to do in this round, when companies are asked one by one
    declared: tuple[Declared, ...] = ()
    totals: Mapping[str, Numbers] = {}  # balance after each round, round 0 first
    winners: Codes = ()

    @property
    def board(self) -> RailMap:
        """The map."""
        return self.table.board

    @property
    def options(self) -> Options:
        """What was agreed."""
        return self.table.options

    @property
    def codes(self) -> Codes:
        """The companies' acronyms in order of play."""
        return self.table.codes

    @property
    def one_by_one(self) -> bool:
        """Whether companies are asked one by one."""
        return self.table.pace == ONE_BY_ONE

    @property
    def is_building(self) -> bool:
        """Whether the round is for building alone."""
        return self.phase == "build"

    @property
    def is_racing(self) -> bool:
        """Whether the round has races."""
        return self.phase == "race"

    @property
    def building_rounds(self) -> int:
        """How many rounds are for building alone, 0 where that is not known beforehand. Rule: D2.7."""
        if self.racing_from:
            return self.racing_from - 1
        ends = self.options.building_ends
        return number(ends) if word(ends) == "rounds" else 0

    @property
    def last_round(self) -> int:
        """The number of the game's last round, 0 while that is not known. Rule: D5.1, D5.6."""
        if self.options.race_schedule == "dice":
            return self.round - 1 if self.phase == "over" else 0
        races = self.options.races
        if self.races and isinstance(races, int):
            return max(race.round for race in self.races)  # a short game. Rule: D9
        if not self.building_rounds:
            return 0
        rounds = ceil(races / races_a_round(self.board)) if isinstance(races, int) else ROUNDS_OF_RACES
        return self.building_rounds + rounds

    @property
    def is_last_round(self) -> bool:
        """Whether the game ends with this round."""
        return self.is_racing and self.round == self.last_round

    def rolls_of(self, company: str) -> Numbers:
        """Return the rolls of a company in this building round. Rule: D2.1."""
        return self.own_rolls.get(company, self.rolls)

    def owners(self, side: Side) -> Codes:
        """Return whose track lies on a hex-side, in the order of laying."""
        return self.track.get(side, ())

    def track_of(self, company: str) -> tuple[Side, ...]:
        """Return the hex-sides on which a company's track lies."""
        return tuple(laid for laid, owners in self.track.items() if company in owners)

    def runnable(self, side: Side) -> Codes:
        """Return over whose track a train may cross a hex-side: unbuilt parts of a permitted build are a neutral railway's.

        Rule: D2.6, R29 (causeways likewise).
        """
        return self.track.get(side, ()) or ((NEUTRAL,) if side in self.board.permitted else ())

    def race(self, number: int) -> Race:
        """Return a race by its number."""
        return next(race for race in self.races if race.number == number)

    def offered_races(self) -> tuple[Race, ...]:
        """Return the races on offer this round, carried ones too, in order of their numbers."""
        if not self.is_racing:
            return ()
        return tuple(race for race in self.races if race.status == "open" and race.round <= self.round)

    def carried_races(self) -> tuple[Race, ...]:
        """Return the races of earlier rounds that were on offer when this round began, those run since too. Rule: D5.6."""
        return tuple(
            race
            for race in self.races
            if race.round < self.round and (race.status == "open" or race.number in self.settled)
        )

    def poorest_first(self, codes: Codes) -> Codes:
        """Return *codes* by rising balance, equal ones in order of play. Rule: R7."""
        if len(codes) < 2:
            return codes
        place = self.codes.index
        return tuple(sorted(codes, key=lambda code: (self.balance[code], place(code))))

    def richest_first(self, codes: Codes) -> Codes:
        """Return *codes* by falling balance, equal ones in order of play. Rule: D6.1."""
        place = self.codes.index
        return tuple(sorted(codes, key=lambda code: (-self.balance[code], place(code))))

    def companies_under(self, player: str) -> Codes:
        """Return the companies for which a player may order, the first their own; David takes orders from both. Rule: D8."""
        own = tuple(company.code for company in self.table.companies if company.player == player)
        return (*own, DAVID) if DAVID in self.codes else own

    def david_leader(self, roll: int) -> str:
        """Return the player who leads David in a roll of this round: the first in order of play, then in turn. Rule: D8.1, R9."""
        rolls_before = (self.round - 1) * self.options.rolls_per_round + roll - 1
        return self.table.players[rolls_before % 2].code

    def earning(self, player: str) -> int:
        """Return what counts for a player at the end: both companies together where they have two. Rule: D8.2, D9."""
        return sum(self.balance[code] for code in self.codes if self.table.company(code).player == player)


STORED = (State, Race, Jump, Item, Declared, Condition, ChooseHome, Piece, Build, Route, Run)  # kinds of values

# Where companies may start. Rule: D1.3.


def homes_of(state: State, company: str) -> Hexes:
    """Return the cities *company* may choose as its home terminal now, in the map's order.

    Cities whose quota is used up by others are left out; with ``homes = distinct`` those that somebody has, with ``shared``
    no quota counts. With D8 companies are counted, not players. Rule: D1.3.
    """
    return tuple(city for city in all_homes(state) if _has_room(state, company, city))


def all_homes(state: State) -> Hexes:
    """Return the cities from which this number of companies may start. Rule: D1.3."""
    homes = state.board.homes
    return homes.get(str(len(state.codes)), homes.get("any", ()))


def quota_of(state: State) -> Mapping[Hex, int]:
    """Return how many companies may start in a city; a city that is not there has room for all. Rule: D1.3."""
    option = state.options.homes
    if option == "distinct":
        return dict.fromkeys(all_homes(state), 1)
    return state.board.start_quota.get(str(len(state.codes)), {}) if option == "map" else {}


def _has_room(state: State, company: str, city: Hex) -> bool:
    taken = sum(home == city and code != company for code, home in state.home.items())
    quota = quota_of(state)
    return city not in quota or taken < quota[city]


# Who sits where: the companies of a table. Rule: D1.1, D8.

DAVIDS_COLOUR = "brown"


def companies_of(players: tuple[Player, ...], two_players: str) -> tuple[Company, ...]:
    """Return the companies in order of play: each player's, then, with two players, David or their second ones.

    Rule: D8.1, D8.2.
    """
    first = [Company(code=each.code, colour=each.colour, name=each.company, player=each.code) for each in players]
    if len(players) > 2:
        return tuple(first)
    if two_players == "david":
        colours = {each.colour for each in players}
        colour = next(colour for colour in (DAVIDS_COLOUR, "pink", "purple") if colour not in colours)
        return (*first, Company(code=DAVID, colour=colour, name="David", player=""))
    second = [
        Company(code=each.second_code, colour=each.second_colour, name=each.second_company, player=each.code)
        for each in players
    ]
    return (*first, *second)
