"""Reads a map file (format ``rrmap-1``), its places and the rest, into a ``RailMap``, or says all that is wrong, line by line."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from referee.core import Faults, Fields, Hex, Hexes, MapError, Numbers, Texts, distance, format_hex, parse_hex
from referee.core.texts import Where
from referee.core.texts.boardfields import (
    BoardReader,
    draft_of,
    has_type,
    is_sketch,
    kind_words,
    read_board,
    read_sketch,
    show_value,
)

from ..board import (
    CITY_BONUS,
    FORM,
    KEYS,
    MINOR_BONUS,
    MOUNTAIN,
    NORMAL_RACES,
    PLAIN,
    RACES_WITH_SPECIALS,
    SPECIAL_RACES,
    WATER,
    Junction,
    RailMap,
    Special,
    Station,
    check_reach,
    paying_places,
    says,
)
from .grid import Block, Grid, Ways


class Places:
    """Every named hex; no two share a hex or a name."""

    def __init__(self, grid: Grid) -> None:
        """Reads all blocks; faults go to the grid's reader."""
        self._grid = grid
        self._names: dict[str, str] = {}
        self._taken: dict[Hex, str] = {}
        self.cities: dict[str, None] = {}  # names of every station, those with faults too
        self.ends_of: dict[int, Hexes] = {}
        self.used = set[int]()  # the keys of every station, those with faults too
        self.stations: list[Station] = []
        self.junctions: list[Junction] = []
        self.specials: list[Special] = []
        for block in grid.blocks("station"):
            self._read_station(block)
        for block in grid.blocks("junction"):
            self._read_junction(block)
        for block in grid.blocks("special"):
            self._read_special(block)
        self.specials.sort(key=lambda special: special.number)

    def _read_station(self, block: Block) -> None:
        keys, also = tuple(block.get("numbers", ())), self._other_names(block)
        self.cities.update(dict.fromkeys((block.name, *also)))
        self._check_keys(block)
        self.used.update(keys)
        label = self._place(block)
        if label is None:
            return
        if self._grid.ground.get(label) == MOUNTAIN:
            block.blame("hex", "station-mountain", hex=label)
        for key in keys:
            self.ends_of[key] = (*self.ends_of.get(key, ()), label)
        minor, bonus = block.get("minor", False), self._bonus(block, label)
        self.stations.append(Station(keys=keys, name=block.name, hex=label, also=also, bonus=bonus, minor=minor))

    def _bonus(self, block: Block, label: Hex) -> int:
        """Return what connecting a station first pays. Rule: D3.1."""
        area = self._grid.area.get(label)
        if area not in self._grid.top.get("areas_without_bonus", ()):
            return int(block.get("bonus", MINOR_BONUS if block.get("minor") else CITY_BONUS))
        if block.get("bonus"):
            block.blame("bonus", "bonus-area", bonus=block.get("bonus"), area=area)
        return 0

    def _check_keys(self, block: Block) -> None:
        """Several stations may share a key; each choosing its own end. Rule: D5.5."""
        keys = block.get("numbers", ())
        if keys == []:
            block.blame("numbers", "no-key")
        for n, key in enumerate(keys):
            if key not in KEYS:
                block.blame("numbers", "key", key=key)
            elif key in keys[:n]:
                block.blame("numbers", "key-twice", key=key)

    def check_missing(self) -> None:
        """Blame keys that no station has."""
        missing = [str(key) for key in KEYS if key not in self.used]
        if missing and not self._grid.top.lacks("station"):
            code = "keys-missing" if len(missing) > 1 else "key-missing"
            self._grid.table("station").blame("", code, keys=", ".join(missing))

    def _read_junction(self, block: Block) -> None:
        also, label = self._other_names(block), self._place(block)
        if label is None:
            return
        area, meant = self._grid.area.get(label), block.get("area")
        if meant is not None and area is not None and area != meant:
            block.blame("area", "junction-area", area=meant, hex=label, found=area)
        self.junctions.append(Junction(name=block.name, hex=label, also=also, bonus=block.get("bonus", 0)))

    def _place(self, block: Block) -> Hex | None:
        if block.lacks("hex"):
            return None
        label = self._grid.hex(block, "hex", block.fields["hex"])
        if label is not None and label in self._taken:
            block.blame("hex", "taken", hex=label, other=self._taken[label])
        elif label is not None:
            self._taken[label] = block.what
        return label

    def _other_names(self, block: Block) -> Texts:
        """Return a place's other names. A name answers to one place, whatever its case, and is never read as a hex or a key."""
        also = tuple(part.strip() for part in block.get("alt", "").split(",") if part.strip())
        for n, word in enumerate((block.name, *also)):
            field = "alt" if n else "name"
            if word.casefold() in self._names:
                block.blame(field, "name-used", name=word, other=self._names[word.casefold()])
            self._names.setdefault(word.casefold(), block.name)
            if re.fullmatch(r"[A-Z]{0,2}[0-9]+", word):
                block.blame(field, "name-read", name=word)
        return also

    def _read_special(self, block: Block) -> None:
        number = block.get("number", 0)
        if number > 6:
            block.blame("number", "special-number", number=number)
        if number and any(number == other.number for other in self.specials):
            block.blame("number", "special-twice", number=number)
        if block.lacks("hexes", "towns", "areas"):
            block.blame("", "special-end")
        for field in ("within", "plain"):
            if field in block.fields and block.lacks("areas"):
                block.blame(field, "special-areas", field=field)
        # Hexes and towns in order of writing, then the regions'. Rule: D5.1.
        found = (*self._grid.hexes(block), *self._town_hexes(block), *self._region_hexes(block))
        title, note = block.get("title", ""), block.get("note", "")
        self.specials.append(Special(number=number, title=title, hexes=tuple(dict.fromkeys(found)), note=note))

    def _town_hexes(self, block: Block) -> Hexes:
        """Return the hexes of the stations and junctions named."""
        places: tuple[Station | Junction, ...] = (*self.stations, *self.junctions)
        by_name = {name.casefold(): place.hex for place in places for name in (place.name, *place.also)}
        towns = block.get("towns", ())
        for name in towns:
            if name.casefold() not in self._names:
                block.blame_word("towns", name, 0, "special-town", name=name)
        return tuple(by_name[name.casefold()] for name in towns if name.casefold() in by_name)

    def _region_hexes(self, block: Block) -> Hexes:
        """Return the hexes of areas, all or those at most ``within`` steps across the border of the home areas."""
        letters, grid = self._grid.area_letters(block, "areas", f"{block.what}: area"), self._grid
        hexes = [label for label, letter in grid.area.items() if letter in letters]
        if block.get("plain"):
            hexes = [label for label in hexes if grid.ground[label] == PLAIN]
        if "within" in block.fields:
            homes = [label for label, letter in grid.area.items() if letter in grid.homes]
            hexes = [label for label in hexes if any(distance(label, home) <= block.fields["within"] for home in homes)]
        if letters and not hexes:
            block.blame("areas", "special-empty", areas=", ".join(letters))
        return tuple(sorted(hexes, key=parse_hex))


# Where companies may start, as a map file says it: by number of companies, with quotas. Rule: D1.3.

ANY_CITY = "any city"
WAYS = "first_round_ways"


class Homes:
    """``homes``: "any" or the number of companies to hexes; ``start_quota``: number of companies to starters per hex."""

    def __init__(self, grid: Grid, places: Places) -> None:
        """Reads [home_terminals]; faults go to the grid's reader."""
        self._block, self._cities = grid.table("home_terminals"), places.cities
        self._by_name = {name: each.hex for each in places.stations for name in (each.name, *each.also)}
        self.homes: dict[str, Hexes] = {}
        self.start_quota: dict[str, dict[Hex, int]] = {}
        self.first_round_ways = 0
        for field, value in self._block.fields.items():
            if field != WAYS:
                self._read(field, value)
            elif has_type(value, "number") and value <= 6:
                self.first_round_ways = value
            else:
                self._block.blame(WAYS, "homes-ways", shown=show_value(value))
        if not grid.top.lacks("home_terminals") and not self._block.fields.keys() - {WAYS}:
            self._block.blame("", "homes-empty")

    def _read(self, field: str, value: Any) -> None:
        counts = _company_counts(field)
        if not counts:
            self._block.blame(field, "homes-field", field=field)
        for count in counts:
            if count in self.homes:
                self._block.blame(field, "homes-twice", count=count)
        if isinstance(value, dict) and value:
            self._read_quota(field, value, counts)
        names = self._by_name if value == ANY_CITY else value
        if not value or not (value == ANY_CITY or isinstance(value, dict) or has_type(value, "lines")):
            self._block.blame(field, "homes-value", field=field, shown=show_value(value))
            names = ()
        self.homes.update(dict.fromkeys(counts, self._hexes(field, list(names))))

    def _read_quota(self, field: str, value: Fields, counts: Texts) -> None:
        """Note how many start in each city, of a table such as { Louisville = 2, Nashville = 2 }."""
        bad = {city: number for city, number in value.items() if not has_type(number, "number")}
        for city, number in bad.items():
            told = {"city": city, "field": field, "shown": show_value(number), "kind": kind_words("number")}
            self._block.blame(field, "homes-number", **told)
        if counts == ("any",) or len(counts) > 1:
            self._block.blame(field, "homes-count", field=field)
        elif counts and not bad and sum(value.values()) != int(counts[0]):
            self._block.blame(field, "homes-room", field=field, room=sum(value.values()), count=counts[0])
        if not bad:
            starters = {self._by_name[city]: number for city, number in value.items() if city in self._by_name}
            self.start_quota.update(dict.fromkeys(counts, starters))

    def _hexes(self, field: str, names: list[str]) -> Hexes:
        for n, name in enumerate(names):
            twice = names[:n].count(name)
            if name not in self._cities:
                self._block.blame_word(field, name, twice, "home-unknown", name=name)
            elif twice:
                self._block.blame_word(field, name, twice, "home-twice", name=name)
        return tuple(dict.fromkeys(self._by_name[name] for name in names if name in self._by_name))


def _company_counts(field: str) -> Texts:
    """Return the numbers of companies a field of [home_terminals] is for; ("any",) for all of them; () if unknown."""
    if field == "any":
        return ("any",)
    match = re.fullmatch(r"([2-6])(?:-([2-6]))?", field)
    if not match:
        return ()
    first, last = int(match[1]), int(match[2] or match[1])
    return tuple(str(count) for count in range(first, last + 1))


FORMAT = "rrmap-1"
FOREIGN_BUILD = ("none", "stop", "free")
_MOST = {"cols": 702, "rows": 999, "pitch_km": 999}  # what two letters and three digits can name; what anybody believes


def read_map(text: str, file: str) -> RailMap:
    """Return the map written in *text*; *file* is only named in faults. Raises MapError: with every fault, in order of lines."""
    return read_board(text, file, FORM, "the map", draft, check_reach)


def draft_of_map(text: str, file: str) -> tuple[RailMap, Faults]:
    """Return an unfinished map as far as it can be read, and its faults. Raises MapError: it has no hexes that can be drawn."""
    board, faults = draft_of(text, file, FORM, "the map", draft)
    if not board.columns or not board.ground:
        raise MapError(file, faults)
    return board, faults


def draft(reader: BoardReader, is_whole: bool = True) -> RailMap:
    """Return the map with holes where there are faults: what names no hex of it is left out. A sketch need not be whole."""
    _check_heading(Block(reader, Where(), reader.top))
    grid = Grid(reader)
    grid.area_letters(grid.top, "areas_without_bonus", "Area without bonus")
    ways, places = Ways(grid), Places(grid)
    if is_whole:
        grid.check_foreign()
        places.check_missing()
    starts = Homes(grid, places)
    race_count, special_races = _races(grid)
    stations = tuple(station for station in places.stations if station.hex in grid.ground)
    junctions = tuple(junction for junction in places.junctions if junction.hex in grid.ground)
    # What was read has the names that it has on the map; what follows is put together.
    read = {**vars(grid), **vars(ways), **vars(places), **vars(starts)}
    whole: dict[str, Any] = {
        "name": reader.top.get("id", ""),
        "title": reader.top.get("title", ""),
        "home_areas": frozenset(grid.homes),
        "foreign_build": reader.top.get("foreign_build", FOREIGN_BUILD[0]),
        "stations": stations,
        "junctions": junctions,
        "specials": tuple(each.but(hexes=tuple(filter(grid.ground.get, each.hexes))) for each in places.specials),
        "station_at": {station.hex: station for station in stations},
        "paying": paying_places(stations, junctions),
        "ends_of": dict(sorted(places.ends_of.items())),
        "race_count": race_count,
        "special_races": special_races,
    }
    return RailMap(**{name: read[name] for name in RailMap.__struct_fields__ if name in read} | whole)


def _check_heading(top: Block) -> None:
    """Blame fields of the top that have only some values."""
    for field, allowed in (("format", (FORMAT,)), ("foreign_build", FOREIGN_BUILD)):
        if field in top.fields and top.get(field) not in allowed:
            words = " or ".join(f'"{word}"' for word in allowed)
            top.blame(field, "choice", field=field, found=top.get(field), words=words)
    if "id" in top.fields and not re.fullmatch(r"[a-z][a-z0-9_]*", top.fields["id"]):
        top.blame("id", "id", found=top.get("id"))
    for field, most in _MOST.items():
        if top.get(field, 0) > most:
            top.blame(field, "most", field=field, found=top.reader.top.pop(field), most=most)


def _races(grid: Grid) -> tuple[int, Numbers]:
    """Return how many races there are and which of them are special. Rule: D5.1."""
    block, specials, fields = grid.table("transports"), bool(grid.top.get("special")), grid.reader.table("transports")
    total = fields.get("total", RACES_WITH_SPECIALS if specials else NORMAL_RACES)
    usual = [number for number in SPECIAL_RACES if specials and number <= total]
    special = tuple(sorted(set(fields.get("special", usual))))
    for number in special:
        if number > total:
            block.blame("special", "special-race", number=number, total=total)
    if special and not specials:
        block.blame("special", "no-specials")
    keys = 2 * total - len(special)
    if keys > len(KEYS):
        block.blame("total", "races-keys", total=total, special=len(special), needed=keys, keys=len(KEYS))
    return total, special


# Small boards for scenarios: rows of cells, and of the fields of a map file whatever the scenario needs.

HOME = "H"  # the area of cells without a letter

_CELL = re.compile(r"([A-Z]?)(?:([.^])|([1-6][1-6](?:/[1-6][1-6])*))")


@lru_cache(maxsize=64)
def board_of(text: str, name: str) -> RailMap:
    """Return the board of a setup, a file or a sketch, each time the same object: games often ask. Raises MapError."""
    if not is_sketch(text):
        return read_map(text, name)
    return read_sketch(json.loads(text), name, FORM, _map_of, lambda reader: draft(reader, is_whole=False))


def _map_of(sketch: BoardReader) -> Fields:
    """Return the fields of the map file that a sketch stands for."""
    told = sketch.top
    grid, names, bonus = told.pop("cells", ""), told.pop("names", {}), told.pop("bonus", {})
    rows = [line.split(":")[-1].split() for line in grid.splitlines() if line.strip()]
    if rows and all(re.fullmatch("[A-Z]", word) for word in rows[0]):
        del rows[0]  # the letters above the columns
    if not rows:
        sketch.blame(0, says("sketch-rows"))
    cells = {format_hex(x, y): _CELL.fullmatch(word) for y, words in enumerate(rows) for x, word in enumerate(words)}
    land = {label: match for label, match in sorted(cells.items(), key=lambda cell: parse_hex(cell[0])) if match}
    keys = {label: match[3].split("/") for label, match in land.items() if match[3]}
    for word in (names | bonus).keys() - keys.keys() - {own[0] for own in keys.values()}:
        sketch.blame(0, says("sketch-city", name=word))

    def station(label: str, own: list[str]) -> Fields:
        named, paid = (
            table.get(label, table.get(own[0], usual))
            for table, usual in ((names, f"Town {label}"), (bonus, CITY_BONUS))
        )
        numbers = [int(key) for key in own]
        return {"numbers": numbers, "name": named, "hex": label, "bonus": paid, "minor": paid != CITY_BONUS}

    def cell(word: str) -> str:
        match = _CELL.fullmatch(word)
        return f"{match[1] or HOME}{match[2] or PLAIN}" if match else 2 * word if word in WATER else word

    areas = {HOME: "Home"} | {match[1]: f"Area {match[1]}" for match in land.values() if match[1]}
    stations = [station(label, own) for label, own in keys.items()]
    return {
        "title": "Sketch",
        "home_areas": [HOME],
        "foreign_build": "stop",
        "home_terminals": {"any": ANY_CITY},
        "transports": {"total": NORMAL_RACES, "special": []},
        **told,
        **({"station": stations} if stations else {}),
        "areas": areas | told.get("areas", {}),
        "format": FORMAT,
        "id": "sketch",
        "cols": len(rows[0]) if rows else 0,
        "rows": len(rows),
        "cells": {"grid": "\n".join(f"{n}: {' '.join(map(cell, words))}" for n, words in enumerate(rows, 1))},
    }
