"""The places of a map file: stations and their keys, junctions, specials, home terminals."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from referee.core.hexes import Hex
from referee.games.dampfross.mapfields import JUNCTION, SPECIAL, STATION, TYPES, Notebook, has_type, shown
from referee.games.dampfross.mapgrid import Grid
from referee.games.dampfross.maps import MOUNTAIN, Junction, Special, Station
from referee.games.dampfross.maptext import Where

KEYS = tuple(10 * tens + ones for tens in range(1, 7) for ones in range(1, 7))


class Places:
    """Every named hex; no two share a hex or a name."""

    def __init__(self, notes: Notebook, grid: Grid) -> None:
        """Reads all blocks; faults go to *notes*."""
        self._notes = notes
        self._grid = grid
        self._names: dict[str, str] = {}
        self._taken: dict[Hex, str] = {}
        self._cities: dict[str, None] = {}  # names of every station, those with faults too
        self.ends_of: dict[int, tuple[Hex, ...]] = dict.fromkeys(KEYS, ())
        self.stations = tuple(self._stations())
        self.junctions = tuple(self._junctions())
        self.specials = tuple(sorted(self._specials(), key=lambda special: special.number))
        self.homes = self._homes()

    def _stations(self) -> list[Station]:
        found, used = [], set[int]()
        for where, fields in self._notes.blocks("station", STATION):
            name = fields.get("name", f"number {where.index + 1}")
            keys = tuple(fields.get("numbers", ()))
            also = tuple(part.strip() for part in fields.get("alt", "").split(",") if part.strip())
            self._check_names(where, name, also)
            self._cities.update(dict.fromkeys((name, *also)))
            self._check_keys(where, name, fields)
            used.update(keys)
            label = self._place(where, fields, f"Station {name}")
            if label is None:
                continue
            if self._grid.ground.get(label) == MOUNTAIN:
                self._notes.blame_field(
                    where, "hex", f"Station {name}: hex {label} is a mountain; a plain hex expected."
                )
            for key in keys:
                self.ends_of[key] = (*self.ends_of.get(key, ()), label)
            found.append(Station(keys=keys, name=name, hex=label, also=also))
        self._check_missing(used)
        return found

    def _check_keys(self, where: Where, name: str, fields: Mapping[str, Any]) -> None:
        """Several stations may share a key; each choosing its own end. Rule: D5.5."""
        keys = fields.get("numbers")
        if keys == []:
            self._notes.blame_field(where, "numbers", f"Station {name} has no key: one or more of 11 to 66 expected.")
        for n, key in enumerate(keys or ()):
            if key not in KEYS:
                self._notes.blame_field(
                    where, "numbers", f"Station {name} has the key {key}: two digits from 1 to 6 expected."
                )
            elif key in (keys or ())[:n]:
                self._notes.blame_field(where, "numbers", f"Station {name} has the key {key} twice.")

    def _check_missing(self, used: set[int]) -> None:
        missing = [str(key) for key in KEYS if key not in used]
        if missing and "station" in self._notes.top:
            what = f"No station has the key{'s' * (len(missing) > 1)} {', '.join(missing)}"
            self._notes.blame(self._notes.source.line(Where(section="station")), f"{what}: each of 11 to 66 expected.")

    def _junctions(self) -> list[Junction]:
        found = []
        for where, fields in self._notes.blocks("junction", JUNCTION):
            name = fields.get("name", f"number {where.index + 1}")
            self._check_names(where, name, ())
            label = self._place(where, fields, f"Junction {name}")
            if label is None:
                continue
            area, meant = self._grid.area.get(label), fields.get("area")
            if meant is not None and area is not None and area != meant:
                self._notes.blame_field(
                    where, "area", f"Junction {name} lies in area {meant}, but its hex {label} in {area}."
                )
            found.append(Junction(name=name, hex=label))
        return found

    def _place(self, where: Where, fields: Mapping[str, Any], what: str) -> Hex | None:
        if "hex" not in fields:
            return None
        label = self._grid.hex(where, "hex", fields["hex"], what)
        if label is not None and label in self._taken:
            self._notes.blame_field(where, "hex", f"{what}: hex {label} is already taken by {self._taken[label]}.")
        elif label is not None:
            self._taken[label] = what
        return label

    def _check_names(self, where: Where, name: str, also: tuple[str, ...]) -> None:
        """A name answers to one place, whatever its case, and is never read as a hex or a key."""
        for n, word in enumerate((name, *also)):
            field = "alt" if n else "name"
            if word.casefold() in self._names:
                self._notes.blame_field(
                    where, field, f'The name "{word}" is already used by {self._names[word.casefold()]}.'
                )
            self._names.setdefault(word.casefold(), name)
            if re.fullmatch(r"[A-Z]{0,2}[0-9]+", word):
                self._notes.blame_field(
                    where, field, f'The name "{word}" would be read as a hex or a key: a word expected.'
                )

    def _specials(self) -> list[Special]:
        found: list[Special] = []
        for where, fields in self._notes.blocks("special", SPECIAL):
            number = fields.get("number", 0)
            if number > 6:
                self._notes.blame_field(where, "number", f"Special {number}: a number from 1 to 6 expected.")
            if number and any(number == other.number for other in found):
                self._notes.blame_field(where, "number", f"Special {number} is there twice.")
            hexes = self._special_hexes(where, fields, f"Special {number}")
            found.append(Special(number=number, title=fields.get("title", ""), hexes=hexes))
        return found

    def _special_hexes(self, where: Where, fields: Mapping[str, Any], what: str) -> tuple[Hex, ...]:
        labels = fields.get("hexes", "").split()
        if "hexes" in fields and not labels:
            self._notes.blame_field(where, "hexes", f"{what} has no hexes: at least one expected.")
        for n, label in enumerate(labels):
            if label in labels[:n]:
                line = self._notes.source.token_line(where, "hexes", label, labels[:n].count(label))
                self._notes.blame(line, f"{what} lists hex {label} twice.")
        hexes = (self._grid.hex(where, "hexes", label, what) for label in dict.fromkeys(labels))
        return tuple(label for label in hexes if label is not None)

    def _homes(self) -> dict[str, tuple[Hex, ...]]:
        """Return the home terminals: "any", or the number of companies, to hexes. Rule: D1.3."""
        where = Where(section="home_terminals")
        homes: dict[str, tuple[Hex, ...]] = {}
        table = self._notes.top.get("home_terminals")
        for field, value in (table or {}).items():
            if field == "first_round":  # words for people: the rule itself is an option
                continue
            counts = _company_counts(field)
            if not counts:
                known = "any, all, first_round, or numbers of companies as players_3, players_5_6"
                self._notes.blame_field(
                    where, field, f'Unknown field "{field}" in [home_terminals]: known are {known}.'
                )
            homes.update(dict.fromkeys(counts, self._home_hexes(where, field, value)))
        if table is not None and not table:
            self._notes.blame(
                self._notes.source.line(where), "[home_terminals] is empty: cities to start from expected."
            )
        return homes

    def _home_hexes(self, where: Where, field: str, value: Any) -> tuple[Hex, ...]:
        """Return the cities named in a list, or in a sentence such as "two in Louisville, two in Nashville"."""
        if value == "any station":
            return tuple(station.hex for station in self.stations)
        by_name = {name: station.hex for station in self.stations for name in (station.name, *station.also)}
        if has_type(value, "line"):
            named = [name for name in self._cities if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", value)]
            if not named:
                self._notes.blame_field(where, field, f'Home terminals "{value}" name no station of this map.')
            return tuple(dict.fromkeys(by_name[name] for name in sorted(named, key=value.index) if name in by_name))
        if not has_type(value, "lines") or not value:
            self._notes.blame_field(
                where, field, f'"{field}" in [home_terminals] is {shown(value)}: {TYPES["lines"]} expected.'
            )
            return ()
        for name in value:
            if name not in self._cities:
                line = self._notes.source.token_line(where, field, name)
                self._notes.blame(line, f'Home terminal "{name}" is no station of this map.')
        return tuple(by_name[name] for name in value if name in by_name)


def _company_counts(field: str) -> tuple[str, ...]:
    """Return the numbers of companies a field of [home_terminals] is for; ("any",) for all of them; () if unknown."""
    if field in ("any", "all"):
        return ("any",)
    match = re.fullmatch(r"players((?:_[2-9])+)", field)
    return tuple(match[1].strip("_").split("_")) if match else ()
