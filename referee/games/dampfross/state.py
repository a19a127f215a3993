"""The position of a game: what lies on the board, what stands on the accounts, which races are still to run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.core.game import Player
from referee.core.hexes import Hex, Side
from referee.games.dampfross.maps import RailMap
from referee.games.dampfross.options import Options

START_BALANCE = 20  # Rule: D1.2
BUILD = "build"
RACE = "race"
OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What was agreed before the game and never changes: board, options, companies in order of play."""

    board: RailMap
    options: Options
    players: tuple[Player, ...]

    @property
    def codes(self) -> tuple[str, ...]:
        """The companies' acronyms in order of play."""
        return tuple(player.code for player in self.players)


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """A race: ``start`` and ``end`` are keys (11..66) or specials (1..6); ``round`` is when it is first offered.

    ``status``: open, run, or dropped (never run, after the last round). An open race of an earlier round was carried over.
    """

    number: int
    start: int
    end: int
    round: int
    status: str = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The position between two turns (and, inside the rules, between two events). Mappings are never changed in place."""

    table: Table = field(metadata={"unsaved": True}, compare=False)
    round: int = 1  # whose orders are awaited
    phase: str = BUILD
    rolls: tuple[int, ...] = ()
    home: Mapping[str, Hex] = field(default_factory=dict)
    balance: Mapping[str, int] = field(default_factory=dict)  # units
    track: Mapping[Side, tuple[str, ...]] = field(default_factory=dict)  # owners in the order of laying
    reached: Mapping[str, frozenset[Hex]] = field(default_factory=dict)  # each company's network, its home included
    connected: frozenset[Hex] = frozenset()  # cities that pay nobody any more
    races: tuple[Race, ...] = ()
    totals: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # balance after each round, round 0 first
    winners: tuple[str, ...] = ()

    @property
    def building_rounds(self) -> int:
        """How many rounds are for building alone."""
        return int(self.table.options.building_ends.partition(":")[2])

    @property
    def racing_rounds(self) -> int:
        """How many rounds have races: the schedule has six. Rule: D5.6."""
        return 6

    @property
    def last_round(self) -> int:
        """The number of the game's last round."""
        return self.building_rounds + self.racing_rounds

    def owners(self, side: Side) -> tuple[str, ...]:
        """Return whose track lies on a hex-side, in the order of laying."""
        return self.track.get(side, ())

    def race(self, number: int) -> Race | None:
        """Return a race by its number."""
        return next((race for race in self.races if race.number == number), None)

    def offered(self) -> tuple[Race, ...]:
        """Return the races on offer this round, carried ones too, in order of their numbers."""
        if self.phase != RACE:
            return ()
        return tuple(race for race in self.races if race.status == "open" and race.round <= self.round)

    def carried(self) -> tuple[Race, ...]:
        """Return the races on offer that were not entered in an earlier round."""
        return tuple(race for race in self.offered() if race.round < self.round)

    def poorest_first(self, codes: tuple[str, ...]) -> tuple[str, ...]:
        """Return *codes* by rising balance, equal ones in order of play. Rule: R7."""
        place = self.table.codes.index
        return tuple(sorted(codes, key=lambda code: (self.balance[code], place(code))))

    def richest_first(self, codes: tuple[str, ...]) -> tuple[str, ...]:
        """Return *codes* by falling balance, equal ones in order of play. Rule: D6.1."""
        place = self.table.codes.index
        return tuple(sorted(codes, key=lambda code: (-self.balance[code], place(code))))
