"""Small boards for scenarios: a few rows of cells and whatever the scenario needs, none of what makes a whole map."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from referee.core.hexes import Hex, Side, are_neighbours, format_hex, parse_hex, side
from referee.core.texts.boardfields import SketchReader, is_sketch
from referee.games.dampfross.board.mapfile import read_map
from referee.games.dampfross.board.railmap import (
    CITY_BONUS,
    MOUNTAIN,
    NORMAL_RACES,
    PLAIN,
    WATER,
    Bridge,
    Ferry,
    Junction,
    RailMap,
    Special,
    Station,
    paying_places,
)

Value = TypeVar("Value")

HOME = "H"  # the area of cells without a letter
FIELDS = (
    "cells", "homes", "names", "bonus", "rivers", "closed", "prices", "bridges", "causeways", "ferries", "areas",
    "foreign_build", "permitted", "junctions", "specials", "start_quota", "first_round_ways", "race_count", "special_races",
    "letters",
)  # fmt: skip

_ROW = re.compile(r"\s*(?:\d+\s*:)?(.*)")
_CELL = re.compile(r"([A-Z]?)(?:([.^])|([1-6][1-6](?:/[1-6][1-6])*))")


@lru_cache(maxsize=64)
def board_of(text: str, name: str) -> RailMap:
    """Return the board of a setup, a file or a sketch, the same object each time: a game asks for it at every step.

    Raises:
        MapError: with every fault that was found.
    """
    if not is_sketch(text):
        return read_map(text, name)
    sketch = _Sketch(json.loads(text))
    sketch.stop_if_faulty(name)
    return sketch.board()


class _Sketch(SketchReader):
    """A sketch being read: the sheet first, then everything that names its hexes."""

    def __init__(self, written: Mapping[str, Any]) -> None:
        """Reads the whole table; what is wrong with it goes to ``faults``."""
        super().__init__(written, FIELDS)
        self.ground: dict[Hex, str] = {}
        self.water: dict[Hex, str] = {}
        self.area: dict[Hex, str] = {}
        self.keys: dict[Hex, tuple[int, ...]] = {}
        self.columns = self.rows = 0
        self._by_name: dict[str, Hex] = {}
        self._read_cells(str(written.get("cells", "")))
        self.stations = self._stations()
        self._by_name |= {station.name: station.hex for station in self.stations}
        self.junctions = tuple(
            Junction(name=name, hex=self.hex("junctions", label), bonus=int(self._table("bonus").get(name, 0)))
            for name, label in self._table("junctions").items()
        )
        self._by_name |= {junction.name: junction.hex for junction in self.junctions}
        self.fields = self._fields() if not self.faults else {}

    def board(self) -> RailMap:
        """Return the map; there are no faults."""
        titles = {HOME: "Home", **{letter: f"Area {letter}" for letter in sorted({*self.area.values()} - {HOME})}}
        ends: dict[int, tuple[Hex, ...]] = {}
        for label, keys in self.keys.items():
            for key in keys:
                ends[key] = (*ends.get(key, ()), label)
        return RailMap(
            name="sketch",
            title="Sketch",
            columns=self.columns,
            rows=self.rows,
            grid_letters=int(self.written.get("letters", 0)),
            ground=self.ground,
            water=self.water,
            areas={**titles, **self._table("areas")},
            area=self.area,
            home_areas=frozenset({HOME}),
            foreign_build=str(self.written.get("foreign_build", "stop")),
            river_lines=(),
            stations=self.stations,
            junctions=self.junctions,
            station_at={station.hex: station for station in self.stations},
            paying=paying_places(self.stations, self.junctions),
            ends_of=dict(sorted(ends.items())),
            **self.fields,
        )

    def hex(self, where: str, label: Any) -> Hex:
        """Return a hex of the land, named by its label or by its town."""
        found = self._by_name.get(str(label), str(label))
        if found not in self.ground:
            self.blame(where, f"{label!r} is no town and no hex of the land")
        return found

    def side(self, where: str, text: Any, apart: bool = False) -> Side:
        """Return the hex-side ``B3-C3``; *apart*: of two hexes that are no neighbours."""
        one, _, other = str(text).partition("-")
        self.hex(where, one)
        self.hex(where, other)
        if one in self.ground and other in self.ground:
            if are_neighbours(one, other) != apart:
                return side(one, other)
            self.blame(where, f"{one} and {other} are {'' if apart else 'no '}neighbours")
        return (one, other)

    def _read_cells(self, text: str) -> None:
        rows = [_ROW.fullmatch(line) for line in text.splitlines() if line.strip()]
        cells = [row[1].split() for row in rows if row]
        if cells and all(re.fullmatch("[A-Z]", word) for word in cells[0]):
            cells.pop(0)  # the letters above the columns
        if not cells:
            self.blame("cells", 'rows of cells expected, as ". ^ 11 ."')
            return
        self.rows, self.columns = len(cells), len(cells[0])
        for row, words in enumerate(cells):
            if len(words) != self.columns:
                says = f"{len(words)} cells where the first row has {self.columns}"
                self.blame("cells", f"row {row + 1} has {says}")
            for column, word in enumerate(words):
                self._read_cell(format_hex(column, row), word)

    def _read_cell(self, label: Hex, word: str) -> None:
        match = _CELL.fullmatch(word)
        if word in WATER:
            self.water[label] = word
        elif match is None:
            known = f"{PLAIN} {MOUNTAIN} {' '.join(WATER)}, keys as 11 or 11/12, or a capital letter before these"
            self.blame("cells", f"{word!r} of hex {label} is not read; known are {known}")
        else:
            self.ground[label] = match[2] or PLAIN
            self.area[label] = match[1] or HOME
            if match[3]:
                self.keys[label] = tuple(int(key) for key in match[3].split("/"))

    def _stations(self) -> tuple[Station, ...]:
        names = {str(name): title for name, title in self._table("names").items()}
        bonus = self._table("bonus")
        for label in (*names, *bonus):
            if label not in {**self.keys, **self._table("junctions")} and not any(
                label == str(keys[0]) for keys in self.keys.values()
            ):
                self.faults.append(
                    f"sketch: {label!r} in names or bonus is no city's hex or first key, and no junction"
                )

        def chosen(table: Mapping[str, Any], label: Hex, keys: tuple[int, ...], otherwise: Any) -> Any:
            return table.get(label, table.get(str(keys[0]), otherwise))

        return tuple(
            Station(
                keys=keys,
                name=str(chosen(names, label, keys, f"Town {label}")),
                hex=label,
                bonus=int(chosen(bonus, label, keys, CITY_BONUS)),
                minor=chosen(bonus, label, keys, CITY_BONUS) != CITY_BONUS,
            )
            for label, keys in sorted(self.keys.items(), key=lambda item: parse_hex(item[0]))
        )

    def _fields(self) -> dict[str, Any]:
        """Return the fields of the map that name hexes and hex-sides; blame those that cannot be read."""
        readers: dict[str, Callable[[], Any]] = {
            "homes": self._homes,
            "rivers": lambda: self._sides("rivers", int),
            "prices": lambda: self._sides("prices", int),
            "closed": self._closed,
            "permitted": self._permitted,
            "bridges": self._bridges,
            "ferries": lambda: self._sides("ferries", lambda each: Ferry(**each), apart=True),
            "specials": self._specials,
            "start_quota": self._quota,
            "first_round_ways": lambda: int(self.written.get("first_round_ways", 0)),
            "race_count": lambda: int(self.written.get("race_count", NORMAL_RACES)),
            "special_races": lambda: tuple(map(int, self.written.get("special_races", ()))),
        }
        fields = {}
        for name, read in readers.items():
            try:
                fields[name] = read()
            except (TypeError, ValueError, AttributeError) as error:
                self.blame(name, f"it cannot be read ({error})")
        return fields

    def _closed(self) -> frozenset[Side]:
        """Return the closed hex-sides; bridges and causeways open them."""
        written = frozenset(self.side("closed", text) for text in self.written.get("closed", ()))
        return written - {self.side("bridges", text) for text in self._table("bridges")} - self._causeways().keys()

    def _permitted(self) -> frozenset[Side]:
        written = frozenset(self.side("permitted", text) for text in self.written.get("permitted", ()))
        return written | self._causeways().keys()

    def _bridges(self) -> dict[Side, Bridge]:
        return {**self._sides("bridges", lambda each: Bridge(**each)), **self._causeways()}

    def _causeways(self) -> dict[Side, Bridge]:
        causeway = Bridge(name="Causeway", price=0, toll=0, built=True)
        return {self.side("causeways", text): causeway for text in self.written.get("causeways", ())}

    def _sides(self, name: str, read: Callable[[Any], Value], apart: bool = False) -> dict[Side, Value]:
        return {self.side(name, text, apart): read(each) for text, each in self._table(name).items()}

    def _specials(self) -> tuple[Special, ...]:
        return tuple(
            Special(number=int(number), title=f"Special {number}", hexes=self._hexes("specials", labels))
            for number, labels in sorted(self._table("specials").items())
        )

    def _quota(self) -> dict[str, dict[Hex, int]]:
        return {
            count: {self.hex("start_quota", town): int(most) for town, most in towns.items()}
            for count, towns in self._table("start_quota").items()
        }

    def _homes(self) -> dict[str, tuple[Hex, ...]]:
        """Return the home terminals: a list for any number of companies, or a table of them; all cities if not told."""
        written = self.written.get("homes", tuple(self.keys))
        if isinstance(written, dict):
            return {str(count): self._hexes("homes", labels) for count, labels in written.items()}
        return {"any": self._hexes("homes", written)}

    def _hexes(self, where: str, labels: Iterable[Any]) -> tuple[Hex, ...]:
        return tuple(self.hex(where, label) for label in labels)

    def _table(self, name: str) -> Mapping[str, Any]:
        written = self.written.get(name, {})
        if isinstance(written, dict):
            return written
        self.blame(name, "a table expected")
        return {}
