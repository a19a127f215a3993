"""The places of a map file: stations and their keys, junctions, specials."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from referee.core.hexes import Hex, distance, parse_hex
from referee.core.texts.boardfields import BoardReader
from referee.core.texts.tomltext import Where
from referee.games.dampfross.board.fields import JUNCTION, SPECIAL, STATION
from referee.games.dampfross.board.grid import Grid
from referee.games.dampfross.board.railmap import CITY_BONUS, MINOR_BONUS, MOUNTAIN, PLAIN, Junction, Special, Station

KEYS = tuple(10 * tens + ones for tens in range(1, 7) for ones in range(1, 7))


class Places:
    """Every named hex; no two share a hex or a name."""

    def __init__(self, reader: BoardReader, grid: Grid) -> None:
        """Reads all blocks; faults go to *reader*."""
        self._reader = reader
        self._grid = grid
        self._names: dict[str, str] = {}
        self._taken: dict[Hex, str] = {}
        self.cities: dict[str, None] = {}  # names of every station, those with faults too
        self.ends_of: dict[int, tuple[Hex, ...]] = dict.fromkeys(KEYS, ())
        self.stations = tuple(self._stations())
        self.junctions = tuple(self._junctions())
        self.specials = tuple(sorted(self._specials(), key=lambda special: special.number))

    def _stations(self) -> list[Station]:
        found, used = [], set[int]()
        for where, fields in self._reader.blocks("station", STATION):
            name = fields.get("name", f"number {where.index + 1}")
            keys = tuple(fields.get("numbers", ()))
            also = _also(fields)
            self._check_names(where, name, also)
            self.cities.update(dict.fromkeys((name, *also)))
            self._check_keys(where, name, fields)
            used.update(keys)
            label = self._place(where, fields, f"Station {name}")
            if label is None:
                continue
            if self._grid.ground.get(label) == MOUNTAIN:
                self._reader.blame_field(
                    where, "hex", f"Station {name}: hex {label} is a mountain; a plain hex expected."
                )
            for key in keys:
                self.ends_of[key] = (*self.ends_of.get(key, ()), label)
            minor = fields.get("minor", False)
            bonus = self._bonus(where, name, label, fields)
            found.append(Station(keys=keys, name=name, hex=label, also=also, bonus=bonus, minor=minor))
        self._check_missing(used)
        return found

    def _bonus(self, where: Where, name: str, label: Hex, fields: Mapping[str, Any]) -> int:
        """Return what connecting a station first pays. Rule: D3.1."""
        area = self._grid.area.get(label)
        if area not in self._reader.top.get("areas_without_bonus", ()):
            return int(fields.get("bonus", MINOR_BONUS if fields.get("minor") else CITY_BONUS))
        if fields.get("bonus"):
            says = f"Station {name} pays {fields['bonus']}, but area {area} is one of areas_without_bonus."
            self._reader.blame_field(where, "bonus", says)
        return 0

    def _check_keys(self, where: Where, name: str, fields: Mapping[str, Any]) -> None:
        """Several stations may share a key; each choosing its own end. Rule: D5.5."""
        keys = fields.get("numbers")
        if keys == []:
            self._reader.blame_field(where, "numbers", f"Station {name} has no key: one or more of 11 to 66 expected.")
        for n, key in enumerate(keys or ()):
            if key not in KEYS:
                self._reader.blame_field(
                    where, "numbers", f"Station {name} has the key {key}: two digits from 1 to 6 expected."
                )
            elif key in (keys or ())[:n]:
                self._reader.blame_field(where, "numbers", f"Station {name} has the key {key} twice.")

    def _check_missing(self, used: set[int]) -> None:
        missing = [str(key) for key in KEYS if key not in used]
        if missing and "station" in self._reader.top:
            what = f"No station has the key{'s' * (len(missing) > 1)} {', '.join(missing)}"
            self._reader.blame(
                self._reader.source.line(Where(section="station")), f"{what}: each of 11 to 66 expected."
            )

    def _junctions(self) -> list[Junction]:
        found = []
        for where, fields in self._reader.blocks("junction", JUNCTION):
            name = fields.get("name", f"number {where.index + 1}")
            also = _also(fields)
            self._check_names(where, name, also)
            label = self._place(where, fields, f"Junction {name}")
            if label is None:
                continue
            area, meant = self._grid.area.get(label), fields.get("area")
            if meant is not None and area is not None and area != meant:
                self._reader.blame_field(
                    where, "area", f"Junction {name} lies in area {meant}, but its hex {label} in {area}."
                )
            found.append(Junction(name=name, hex=label, also=also))
        return found

    def _place(self, where: Where, fields: Mapping[str, Any], what: str) -> Hex | None:
        if "hex" not in fields:
            return None
        label = self._grid.hex(where, "hex", fields["hex"], what)
        if label is not None and label in self._taken:
            self._reader.blame_field(where, "hex", f"{what}: hex {label} is already taken by {self._taken[label]}.")
        elif label is not None:
            self._taken[label] = what
        return label

    def _check_names(self, where: Where, name: str, also: tuple[str, ...]) -> None:
        """A name answers to one place, whatever its case, and is never read as a hex or a key."""
        for n, word in enumerate((name, *also)):
            field = "alt" if n else "name"
            if word.casefold() in self._names:
                self._reader.blame_field(
                    where, field, f'The name "{word}" is already used by {self._names[word.casefold()]}.'
                )
            self._names.setdefault(word.casefold(), name)
            if re.fullmatch(r"[A-Z]{0,2}[0-9]+", word):
                self._reader.blame_field(
                    where, field, f'The name "{word}" would be read as a hex or a key: a word expected.'
                )

    def _specials(self) -> list[Special]:
        found: list[Special] = []
        for where, fields in self._reader.blocks("special", SPECIAL):
            number = fields.get("number", 0)
            if number > 6:
                self._reader.blame_field(where, "number", f"Special {number}: a number from 1 to 6 expected.")
            if number and any(number == other.number for other in found):
                self._reader.blame_field(where, "number", f"Special {number} is there twice.")
            hexes = self._special_hexes(where, fields, f"Special {number}")
            found.append(
                Special(number=number, title=fields.get("title", ""), hexes=hexes, note=fields.get("note", ""))
            )
        return found

    def _special_hexes(self, where: Where, fields: Mapping[str, Any], what: str) -> tuple[Hex, ...]:
        """Return the ends of a special: hexes and towns in order of writing, then the regions'. Rule: D5.1."""
        if not any(field in fields for field in ("hexes", "towns", "areas")):
            self._reader.blame(self._reader.source.line(where), f"{what} has no end: hexes, towns or areas expected.")
        for field in ("within", "plain"):
            if field in fields and "areas" not in fields:
                self._reader.blame_field(where, field, f'{what}: "{field}" says which hexes of areas; areas expected.')
        found = (
            *self._grid.hexes(where, fields, "hexes", what),
            *self._town_hexes(where, fields, what),
            *self._region_hexes(where, fields, what),
        )
        return tuple(dict.fromkeys(found))

    def _town_hexes(self, where: Where, fields: Mapping[str, Any], what: str) -> tuple[Hex, ...]:
        """Return the hexes of the stations and junctions named."""
        places: tuple[Station | Junction, ...] = (*self.stations, *self.junctions)
        by_name = {name.casefold(): place.hex for place in places for name in (place.name, *place.also)}
        towns = fields.get("towns", ())
        for name in towns:
            if name.casefold() not in self._names:
                line = self._reader.source.token_line(where, "towns", name)
                self._reader.blame(line, f'{what}: "{name}" is no station or junction of this map.')
        return tuple(by_name[name.casefold()] for name in towns if name.casefold() in by_name)

    def _region_hexes(self, where: Where, fields: Mapping[str, Any], what: str) -> tuple[Hex, ...]:
        """Return the hexes of areas, all or those at most ``within`` steps across the border of the home areas."""
        letters = self._grid.area_letters(where, "areas", fields.get("areas", []), f"{what}: area")
        hexes = [label for label, letter in self._grid.area.items() if letter in letters]
        if fields.get("plain"):
            hexes = [label for label in hexes if self._grid.ground[label] == PLAIN]
        if "within" in fields:
            homes = [label for label, letter in self._grid.area.items() if letter in self._reader.top["home_areas"]]
            hexes = [label for label in hexes if any(distance(label, home) <= fields["within"] for home in homes)]
        if letters and not hexes:
            self._reader.blame_field(where, "areas", f"{what} has no hexes: areas {', '.join(letters)} hold none.")
        return tuple(sorted(hexes, key=parse_hex))


def _also(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the other names of a place."""
    return tuple(part.strip() for part in fields.get("alt", "").split(",") if part.strip())
