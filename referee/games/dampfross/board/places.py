"""The places of a map file: stations and their keys, junctions, specials."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from referee.core.hexes import Hex, Hexes, distance, parse_hex
from referee.core.texts.boardfields import BoardReader, has_type, kind_words, shown
from referee.core.texts.tomltext import Where
from referee.games.dampfross.board.grid import Grid, Part
from referee.games.dampfross.board.railmap import (
    CITY_BONUS,
    MINOR_BONUS,
    MOUNTAIN,
    PLAIN,
    Junction,
    Special,
    Station,
)

KEYS = tuple(10 * tens + ones for tens in range(1, 7) for ones in range(1, 7))


class Places(Part):
    """Every named hex; no two share a hex or a name."""

    def __init__(self, reader: BoardReader, grid: Grid) -> None:
        """Reads all blocks; faults go to *reader*."""
        super().__init__(reader)
        self._grid = grid
        self._names: dict[str, str] = {}
        self._taken: dict[Hex, str] = {}
        self.cities: dict[str, None] = {}  # names of every station, those with faults too
        self.ends_of: dict[int, Hexes] = {}
        self.used = set[int]()  # the keys of every station, those with faults too
        self.stations = tuple(self._stations())
        self.junctions = tuple(self._junctions())
        self.specials = tuple(sorted(self._specials(), key=lambda special: special.number))

    def _stations(self) -> list[Station]:
        found = []
        for where, fields in self.reader.blocks("station"):
            name = fields.get("name", f"number {where.index + 1}")
            keys = tuple(fields.get("numbers", ()))
            also = _also(fields)
            self._check_names(where, name, also)
            self.cities.update(dict.fromkeys((name, *also)))
            self._check_keys(where, name, fields)
            self.used.update(keys)
            label = self._place(where, fields, f"Station {name}")
            if label is None:
                continue
            if self._grid.ground.get(label) == MOUNTAIN:
                self.blame(where, "hex", "station-mountain", name=name, hex=label)
            for key in keys:
                self.ends_of[key] = (*self.ends_of.get(key, ()), label)
            minor = fields.get("minor", False)
            bonus = self._bonus(where, name, label, fields)
            found.append(Station(keys=keys, name=name, hex=label, also=also, bonus=bonus, minor=minor))
        return found

    def _bonus(self, where: Where, name: str, label: Hex, fields: Mapping[str, Any]) -> int:
        """Return what connecting a station first pays. Rule: D3.1."""
        area = self._grid.area.get(label)
        if area not in self.reader.top.get("areas_without_bonus", ()):
            return int(fields.get("bonus", MINOR_BONUS if fields.get("minor") else CITY_BONUS))
        if fields.get("bonus"):
            self.blame(where, "bonus", "bonus-area", name=name, bonus=fields["bonus"], area=area)
        return 0

    def _check_keys(self, where: Where, name: str, fields: Mapping[str, Any]) -> None:
        """Several stations may share a key; each choosing its own end. Rule: D5.5."""
        keys = fields.get("numbers")
        if keys == []:
            self.blame(where, "numbers", "no-key", name=name)
        for n, key in enumerate(keys or ()):
            if key not in KEYS:
                self.blame(where, "numbers", "key", name=name, key=key)
            elif key in (keys or ())[:n]:
                self.blame(where, "numbers", "key-twice", name=name, key=key)

    def check_missing(self) -> None:
        """Blame keys that no station has."""
        missing = [str(key) for key in KEYS if key not in self.used]
        if missing and "station" in self.reader.top:
            code = "keys-missing" if len(missing) > 1 else "key-missing"
            self.blame(Where(section="station"), "", code, keys=", ".join(missing))

    def _junctions(self) -> list[Junction]:
        found = []
        for where, fields in self.reader.blocks("junction"):
            name = fields.get("name", f"number {where.index + 1}")
            also = _also(fields)
            self._check_names(where, name, also)
            label = self._place(where, fields, f"Junction {name}")
            if label is None:
                continue
            area, meant = self._grid.area.get(label), fields.get("area")
            if meant is not None and area is not None and area != meant:
                self.blame(where, "area", "junction-area", name=name, area=meant, hex=label, found=area)
            found.append(Junction(name=name, hex=label, also=also, bonus=fields.get("bonus", 0)))
        return found

    def _place(self, where: Where, fields: Mapping[str, Any], what: str) -> Hex | None:
        if "hex" not in fields:
            return None
        label = self._grid.hex(where, "hex", fields["hex"], what)
        if label is not None and label in self._taken:
            self.blame(where, "hex", "taken", what=what, hex=label, other=self._taken[label])
        elif label is not None:
            self._taken[label] = what
        return label

    def _check_names(self, where: Where, name: str, also: tuple[str, ...]) -> None:
        """A name answers to one place, whatever its case, and is never read as a hex or a key."""
        for n, word in enumerate((name, *also)):
            field = "alt" if n else "name"
            if word.casefold() in self._names:
                self.blame(where, field, "name-used", name=word, other=self._names[word.casefold()])
            self._names.setdefault(word.casefold(), name)
            if re.fullmatch(r"[A-Z]{0,2}[0-9]+", word):
                self.blame(where, field, "name-read", name=word)

    def _specials(self) -> list[Special]:
        found: list[Special] = []
        for where, fields in self.reader.blocks("special"):
            number = fields.get("number", 0)
            if number > 6:
                self.blame(where, "number", "special-number", number=number)
            if number and any(number == other.number for other in found):
                self.blame(where, "number", "special-twice", number=number)
            hexes = self._special_hexes(where, fields, f"Special {number}")
            found.append(
                Special(number=number, title=fields.get("title", ""), hexes=hexes, note=fields.get("note", ""))
            )
        return found

    def _special_hexes(self, where: Where, fields: Mapping[str, Any], what: str) -> Hexes:
        """Return the ends of a special: hexes and towns in order of writing, then the regions'. Rule: D5.1."""
        if not any(field in fields for field in ("hexes", "towns", "areas")):
            self.blame(where, "", "special-end", what=what)
        for field in ("within", "plain"):
            if field in fields and "areas" not in fields:
                self.blame(where, field, "special-areas", what=what, field=field)
        found = (
            *self._grid.hexes(where, fields, "hexes", what),
            *self._town_hexes(where, fields, what),
            *self._region_hexes(where, fields, what),
        )
        return tuple(dict.fromkeys(found))

    def _town_hexes(self, where: Where, fields: Mapping[str, Any], what: str) -> Hexes:
        """Return the hexes of the stations and junctions named."""
        places: tuple[Station | Junction, ...] = (*self.stations, *self.junctions)
        by_name = {name.casefold(): place.hex for place in places for name in (place.name, *place.also)}
        towns = fields.get("towns", ())
        for name in towns:
            if name.casefold() not in self._names:
                line = self.reader.source.token_line(where, "towns", name)
                self.blame_line(line, "special-town", what=what, name=name)
        return tuple(by_name[name.casefold()] for name in towns if name.casefold() in by_name)

    def _region_hexes(self, where: Where, fields: Mapping[str, Any], what: str) -> Hexes:
        """Return the hexes of areas, all or those at most ``within`` steps across the border of the home areas."""
        letters = self._grid.area_letters(where, "areas", fields.get("areas", []), f"{what}: area")
        hexes = [label for label, letter in self._grid.area.items() if letter in letters]
        if fields.get("plain"):
            hexes = [label for label in hexes if self._grid.ground[label] == PLAIN]
        if "within" in fields:
            homes = [
                label for label, letter in self._grid.area.items() if letter in self.reader.top.get("home_areas", ())
            ]
            hexes = [label for label in hexes if any(distance(label, home) <= fields["within"] for home in homes)]
        if letters and not hexes:
            self.blame(where, "areas", "special-empty", what=what, areas=", ".join(letters))
        return tuple(sorted(hexes, key=parse_hex))


def _also(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the other names of a place."""
    return tuple(part.strip() for part in fields.get("alt", "").split(",") if part.strip())


# Where companies may start, as a map file says it: by number of companies, with quotas. Rule: D1.3.

COMPANIES = range(2, 7)  # Rule: D1.1, D8
ANY_CITY = "any city"
WAYS = "first_round_ways"

_HERE = Where(section="home_terminals")


class Homes(Part):
    """``homes``: "any" or the number of companies to hexes; ``quota``: number of companies to starters per hex.

    *cities*: names of every station of the file, also of those that could not be read.
    """

    def __init__(self, reader: BoardReader, stations: tuple[Station, ...], cities: Mapping[str, None]) -> None:
        """Reads [home_terminals]; faults go to *reader*."""
        super().__init__(reader)
        self._stations = stations
        self._cities = cities
        self._by_name = {name: station.hex for station in stations for name in (station.name, *station.also)}
        self.homes: dict[str, Hexes] = {}
        self.quota: dict[str, dict[Hex, int]] = {}
        self.first_round_ways = 0
        table = reader.top.get("home_terminals")
        for field, value in (table or {}).items():
            self._read(field, value)
        if table is not None and not table.keys() - {WAYS}:
            self.blame(_HERE, "", "homes-empty")

    def _read(self, field: str, value: Any) -> None:
        if field == WAYS:
            self._read_ways(value)
            return
        counts = _company_counts(field)
        if not counts:
            self.blame(_HERE, field, "homes-field", field=field)
        for count in counts:
            if count in self.homes:
                self.blame(_HERE, field, "homes-twice", count=count)
        quota = isinstance(value, dict) and bool(value)
        hexes = self._read_quota(field, value, counts) if quota else self._read_cities(field, value)
        self.homes.update(dict.fromkeys(counts, hexes))

    def _read_ways(self, value: Any) -> None:
        if has_type(value, "number") and value <= 6:
            self.first_round_ways = value
            return
        self.blame(_HERE, WAYS, "homes-ways", shown=shown(value))

    def _read_cities(self, field: str, value: Any) -> Hexes:
        if value == ANY_CITY:
            return tuple(station.hex for station in self._stations)
        if not has_type(value, "lines") or not value:
            self.blame(_HERE, field, "homes-value", field=field, shown=shown(value))
            return ()
        return self._hexes(field, value)

    def _read_quota(self, field: str, value: dict[str, Any], counts: tuple[str, ...]) -> Hexes:
        """Return the cities of a table such as { Louisville = 2, Nashville = 2 }, and note how many start in each."""
        bad = {city: number for city, number in value.items() if not has_type(number, "number")}
        for city, number in bad.items():
            told = {"city": city, "field": field, "shown": shown(number), "kind": kind_words("number")}
            self.blame(_HERE, field, "homes-number", **told)
        if counts == ("any",) or len(counts) > 1:
            self.blame(_HERE, field, "homes-count", field=field)
        elif counts and not bad and sum(value.values()) != int(counts[0]):
            self.blame(_HERE, field, "homes-room", field=field, room=sum(value.values()), count=counts[0])
        hexes = self._hexes(field, list(value))
        if not bad:
            starters = {self._by_name[city]: number for city, number in value.items() if city in self._by_name}
            self.quota.update(dict.fromkeys(counts, starters))
        return hexes

    def _hexes(self, field: str, names: list[str]) -> Hexes:
        for n, name in enumerate(names):
            line = self.reader.source.token_line(_HERE, field, name, names[:n].count(name))
            if name not in self._cities:
                self.blame_line(line, "home-unknown", name=name)
            elif name in names[:n]:
                self.blame_line(line, "home-twice", name=name)
        return tuple(dict.fromkeys(self._by_name[name] for name in names if name in self._by_name))


def _company_counts(field: str) -> tuple[str, ...]:
    """Return the numbers of companies a field of [home_terminals] is for; ("any",) for all of them; () if unknown."""
    if field == "any":
        return ("any",)
    match = re.fullmatch(r"([2-6])(?:-([2-6]))?", field)
    if match is None:
        return ()
    first, last = int(match[1]), int(match[2] or match[1])
    return tuple(str(count) for count in range(first, last + 1))
