"""Where companies may start, as a map file says it: by number of companies, with quotas. Rule: D1.3."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from referee.core.hexes import Hex
from referee.core.texts.boardfields import TYPES, BoardReader, has_type, shown
from referee.core.texts.tomltext import Where
from referee.games.dampfross.board.railmap import Station

COMPANIES = range(2, 7)  # Rule: D1.1, D8
ANY_CITY = "any city"
WAYS = "first_round_ways"

_HERE = Where(section="home_terminals")
_KNOWN = f"any, numbers of companies from {COMPANIES[0]} to {COMPANIES[-1]} as 4 or 5-6, {WAYS}"
_EXPECTED = f'a list of cities, a table of cities with numbers, or "{ANY_CITY}" expected'


class Homes:
    """``homes``: "any" or the number of companies to hexes; ``quota``: number of companies to starters per hex.

    *cities*: names of every station of the file, also of those that could not be read.
    """

    def __init__(self, reader: BoardReader, stations: tuple[Station, ...], cities: Mapping[str, None]) -> None:
        """Reads [home_terminals]; faults go to *reader*."""
        self._reader = reader
        self._stations = stations
        self._cities = cities
        self._by_name = {name: station.hex for station in stations for name in (station.name, *station.also)}
        self.homes: dict[str, tuple[Hex, ...]] = {}
        self.quota: dict[str, dict[Hex, int]] = {}
        self.first_round_ways = 0
        table = reader.top.get("home_terminals")
        for field, value in (table or {}).items():
            self._read(field, value)
        if table is not None and not table.keys() - {WAYS}:
            reader.blame(reader.source.line(_HERE), "[home_terminals] is empty: cities to start from expected.")

    def _read(self, field: str, value: Any) -> None:
        if field == WAYS:
            self._read_ways(value)
            return
        counts = _company_counts(field)
        if not counts:
            self._reader.blame_field(_HERE, field, f'Unknown field "{field}" in [home_terminals]: known are {_KNOWN}.')
        for count in counts:
            if count in self.homes:
                self._reader.blame_field(_HERE, field, f"Home terminals for {count} companies are there twice.")
        quota = isinstance(value, dict) and bool(value)
        hexes = self._read_quota(field, value, counts) if quota else self._read_cities(field, value)
        self.homes.update(dict.fromkeys(counts, hexes))

    def _read_ways(self, value: Any) -> None:
        if has_type(value, "number") and value <= 6:
            self.first_round_ways = value
            return
        says = f'"{WAYS}" in [home_terminals] is {shown(value)}: a number of hex-sides from 1 to 6 expected.'
        self._reader.blame_field(_HERE, WAYS, says)

    def _read_cities(self, field: str, value: Any) -> tuple[Hex, ...]:
        if value == ANY_CITY:
            return tuple(station.hex for station in self._stations)
        if not has_type(value, "lines") or not value:
            says = f'"{field}" in [home_terminals] is {shown(value)}: {_EXPECTED}.'
            self._reader.blame_field(_HERE, field, says)
            return ()
        return self._hexes(field, value)

    def _read_quota(self, field: str, value: dict[str, Any], counts: tuple[str, ...]) -> tuple[Hex, ...]:
        """Return the cities of a table such as { Louisville = 2, Nashville = 2 }, and note how many start in each."""
        bad = {city: number for city, number in value.items() if not has_type(number, "number")}
        for city, number in bad.items():
            says = f'"{city}" in [home_terminals] {field} is {shown(number)}: {TYPES["number"]} expected.'
            self._reader.blame_field(_HERE, field, says)
        if counts == ("any",) or len(counts) > 1:
            says = f'"{field}" in [home_terminals] says how many start in each city: one number of companies expected.'
            self._reader.blame_field(_HERE, field, says)
        elif counts and not bad and sum(value.values()) != int(counts[0]):
            says = f"[home_terminals] {field} has room for {sum(value.values())} companies: {counts[0]} expected."
            self._reader.blame_field(_HERE, field, says)
        hexes = self._hexes(field, list(value))
        if not bad:
            starters = {self._by_name[city]: number for city, number in value.items() if city in self._by_name}
            self.quota.update(dict.fromkeys(counts, starters))
        return hexes

    def _hexes(self, field: str, names: list[str]) -> tuple[Hex, ...]:
        for n, name in enumerate(names):
            line = self._reader.source.token_line(_HERE, field, name, names[:n].count(name))
            if name not in self._cities:
                self._reader.blame(line, f'Home terminal "{name}" is no station of this map.')
            elif name in names[:n]:
                self._reader.blame(line, f'Home terminal "{name}" is there twice.')
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
