"""The map: hexes, rivers, stations, frozen as the rules need them; beside it what reads a file or a sketch, or tells faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import accumulate, pairwise

from referee.core import (
    Hex,
    Hexes,
    Numbers,
    Path,
    Side,
    Texts,
    Value,
    Words,
    cheapest_costs,
    label_to_numbered,
    neighbours,
    side,
)
from referee.core.texts.boardfields import BoardReader
from referee.core.texts.shipped import shipped_faults, shipped_form

COMPANIES = range(2, 7)  # Rule: D1.1, D8
KEYS = tuple(10 * tens + ones for tens in range(1, 7) for ones in range(1, 7))
PLAIN = "."
MOUNTAIN = "^"
WATER = {"~": "sea", "o": "lake", "-": "outside"}

CITY_BONUS, MINOR_BONUS = 6, 3  # units; Rule: D3.1
NORMAL_RACES, RACES_WITH_SPECIALS = 18, 21  # Rule: D5.1
SPECIAL_RACES = (4, 7, 11, 14, 18, 21)
LEVEL, CLIMB = 1, 2  # points of movement to enter a hex; a mountain from a hex that is none; Rule: D6.6


class Station(Value):
    """A city: one or more two-digit keys, a name, its hex, other names it answers to.

    ``bonus``: units for the company that connects it first (D3.1); minor towns say what they pay, in an area without bonus
    it is 0.
    """

    keys: Numbers
    name: str
    hex: Hex
    also: Texts = ()
    bonus: int = CITY_BONUS
    minor: bool = False


class Junction(Value):
    """A named hex without a key: the end of a special, or one that pays ``bonus`` units for the first track into it."""

    name: str
    hex: Hex
    also: Texts = ()
    bonus: int = 0


class Special(Value):
    """A destination off the normal table: any of ``hexes`` ends the run. ``note``: about its title's asterisk. Rule: D5.1."""

    number: int
    title: str
    hexes: Hexes
    note: str = ""


class River(Value):
    """A river's hex-sides, from the source, for drawing; what they cost stands in ``RailMap.rivers``."""

    name: str
    sides: tuple[Side, ...]


class Bridge(Value):
    """A hex-side with its own price in points, in full, and its own toll in units (None: as other track).

    ``single``: one company alone may build it. ``banked``: what a roll leaves may be put aside for it (R28). ``built``: it
    lies from the start and is everybody's, a causeway (R29); then price and toll are 0.
    """

    name: str
    price: int
    toll: int | None = None
    single: bool = False
    banked: bool = False
    built: bool = False


class Ferry(Value):
    """A way over water between two hexes that are no neighbours but count as adjacent while building.

    ``price`` in points, ``toll`` in units for a rival's train, ``owners``: how many companies may buy it, ``moves``: the
    points of movement a train needs to cross.
    """

    name: str
    price: int
    toll: int
    owners: int = 1
    moves: int = 2


class RailMap(Value, eq=False):
    """A board as the rules need it. Two maps are the same only if they are the same object; games keep the map's text."""

    name: str
    title: str
    columns: int
    rows: int
    grid_letters: int  # letters of the numbered postal grid, 0 where the map declares none
    ground: Mapping[Hex, str]  # PLAIN or MOUNTAIN for every hex that can be built in
    water: Mapping[Hex, str]  # a key of WATER for every other hex of the sheet
    areas: Words  # letter to title
    area: Mapping[Hex, str]  # letter of each hex of ``ground``
    home_areas: frozenset[str]
    foreign_build: str  # none, stop, free
    rivers: Mapping[Side, int]  # additional points: 2, or 4 where wide
    closed: frozenset[Side]  # may not be crossed
    river_lines: tuple[River, ...]
    stations: tuple[Station, ...]
    junctions: tuple[Junction, ...]
    specials: tuple[Special, ...]
    permitted: frozenset[Side]  # open abroad too, where unbuilt a neutral railway's in races: white lines and causeways
    homes: Mapping[str, Hexes]  # "any" or the number of companies ("3") to the cities one may start from
    station_at: Mapping[Hex, Station]
    paying: Mapping[Hex, Station | Junction]  # what pays for the first track: all stations, junctions that have a bonus
    ends_of: Mapping[int, Hexes]  # key to the hexes that carry it, in file order (Ireland's 11: three)
    prices: Mapping[Side, int] = {}  # points in full, instead of the table of D2.3
    bridges: Mapping[Side, Bridge] = {}  # of neighbours; never closed
    ferries: Mapping[Side, Ferry] = {}  # of hexes that are no neighbours
    start_quota: Mapping[str, Mapping[Hex, int]] = {}  # companies ("4") to starters per city
    first_round_ways: int = 0  # hex-sides by which a company may leave its home in round 1; 0: any number. Rule: D1.3
    race_count: int = NORMAL_RACES  # normal and special together. Rule: D5.1
    special_races: Numbers = ()
    numbered: bool = False  # letters of ours name hexes by the numbered postal grid (option ``grid``)

    @property
    def causeways(self) -> Mapping[Side, Bridge]:
        """The bridges that lie from the start. Rule: R29."""
        return {crossing: bridge for crossing, bridge in self.bridges.items() if bridge.built}

    def hex_name(self, label: Hex) -> str:
        """Return how letters of ours name a hex, on the grid of the game."""
        return label_to_numbered(label, self.grid_letters, self.rows) if self.numbered else label

    def steps_from(self, label: Hex) -> Hexes:
        """Return the hexes to which one step of track may lead from *label*, on the map or not: neighbours, then by ferry."""
        return (*neighbours(label), *(end for ferry in self.ferries if label in ferry for end in ferry if end != label))

    def open_from(self, label: Hex) -> Iterator[Hex]:
        """Yield the hexes to which track may go on from *label* at some price. Rule: D2.3, D2.6."""
        is_shut = self.foreign_build != "free" and self.is_foreign(label)
        for other in self.steps_from(label):
            crossing = side(label, other)
            if other in self.ground and crossing not in self.closed and (not is_shut or crossing in self.permitted):
                yield other

    def main_land(self) -> tuple[str, frozenset[Hex]]:
        """Return the first city of those from which track reaches most cities at any price, and every hex it reaches."""
        best: tuple[str, frozenset[Hex]] = ("", frozenset())
        most = 0
        for station in self.stations:
            if station.hex not in best[1]:
                reached = frozenset(
                    cheapest_costs((station.hex,), lambda here: [(to, 1) for to in self.open_from(here)])
                )
                cities = sum(other.hex in reached for other in self.stations)
                if cities > most:
                    best, most = (station.name, reached), cities
        return best

    def is_city(self, label: Hex) -> bool:
        """Return whether the hex has a key. Rule: D1 (words)."""
        return label in self.station_at

    @property
    def named(self) -> tuple[Station | Junction, ...]:
        """What has a name and others: stations and junctions."""
        return (*self.stations, *self.junctions)

    def is_foreign(self, label: Hex) -> bool:
        """Return whether the hex lies outside the home areas. Rule: D2.6."""
        return self.area[label] not in self.home_areas


def paying_places(stations: tuple[Station, ...], junctions: tuple[Junction, ...]) -> Mapping[Hex, Station | Junction]:
    """Return ``RailMap.paying`` of these places. Rule: D3.1."""
    return {each.hex: each for each in stations} | {each.hex: each for each in junctions if each.bonus}


@lru_cache(maxsize=64)
def on_numbered_grid(board: RailMap) -> RailMap:
    """Return the board whose hexes are named by its numbered postal grid, the same object each time."""
    return board.but(numbered=True)


def ends_of(board: RailMap, number: int) -> Hexes:
    """Return the hexes that end a race at a key (11..66) or a special (1..6). Rule: D5.5."""
    if number in board.ends_of:
        return board.ends_of[number]
    return next(special.hexes for special in board.specials if special.number == number)


def climbs_on(board: RailMap, path: Path) -> int:
    """Return how often a train climbs on a way: onto a mountain from a hex that is none, and by no ferry. Rule: D6.6."""
    steps = (step for step in pairwise(path) if side(*step) not in board.ferries)
    return sum(points_to_enter(board, *step) == CLIMB for step in steps)


@lru_cache(maxsize=1024)
def points_along(board: RailMap, path: Path) -> Numbers:
    """Return the points of movement from the start of a route to the end of each of its hex-sides. Rule: D6.6."""
    return tuple(accumulate(points_to_enter(board, *step) for step in pairwise(path)))


def points_to_enter(board: RailMap, here: Hex, ahead: Hex) -> int:
    """Return the points of movement from one hex of a route to the next. Rule: D6.6."""
    ferry = board.ferries.get(side(here, ahead)) if board.ferries else None
    if ferry:
        return ferry.moves
    return CLIMB if board.ground[ahead] == MOUNTAIN and board.ground[here] != MOUNTAIN else LEVEL


FORM = shipped_form(__package__)
FAULTS = __package__


def says(code: str, **values: object) -> str:
    """Return a sentence of ``faults.toml``, filled in."""
    return str(shipped_faults(FAULTS)[code]).format(**values)


def check_reach(reader: BoardReader, board: RailMap) -> None:
    """Blame the places that track from the other cities can never reach."""
    start, reached = board.main_land()

    def blame(section: str, field: str, value: str | int, **named: str | int) -> None:
        reader.blame_field(reader.block(section, field, value), "hex", says(f"{section}-reach", **named, start=start))

    for section, places in (("station", board.stations), ("junction", board.junctions)):
        for place in places:
            if place.hex not in reached:
                blame(section, "name", place.name, name=place.name, hex=place.hex)
    for special in board.specials:
        if not reached.intersection(special.hexes):
            blame("special", "number", special.number, number=special.number, title=special.title)
