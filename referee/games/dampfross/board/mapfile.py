"""Reads a map file (format ``rrmap-1``) into a ``RailMap``, or says everything that is wrong with it, line by line."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from referee.core.errors import MapError
from referee.core.hexes import Hex, cheapest_costs, format_hex, parse_hex
from referee.core.texts.boardfields import BoardReader, draft_of, is_sketch, read_board, read_sketch
from referee.core.texts.tomltext import Where
from referee.games.dampfross.board import (
    CITY_BONUS,
    FORM,
    NORMAL_RACES,
    PLAIN,
    RACES_WITH_SPECIALS,
    SPECIAL_RACES,
    WATER,
    RailMap,
    paying_places,
    says,
)
from referee.games.dampfross.board.grid import Block, Grid, Ways
from referee.games.dampfross.board.places import ANY_CITY, KEYS, Homes, Places

# Checks on a whole board: can everything be reached by track?


def check_reach(reader: BoardReader, board: RailMap) -> None:
    """Blame the places that track from the other cities can never reach."""
    start, reached = _main_land(board)

    def blame(section: str, field: str, value: str | int, **named: str | int) -> None:
        told = says(f"{section}-reach", **named, start=start)
        reader.blame_field(reader.block(section, field, value), "hex", told)

    for section, places in (("station", board.stations), ("junction", board.junctions)):
        for place in places:
            if place.hex not in reached:
                blame(section, "name", place.name, name=place.name, hex=place.hex)
    for special in board.specials:
        if not reached.intersection(special.hexes):
            blame("special", "number", special.number, number=special.number, title=special.title)


def _main_land(board: RailMap) -> tuple[str, frozenset[Hex]]:
    """Return the first city of those from which most cities can be reached, and every hex reached from there."""
    best: tuple[str, frozenset[Hex]] = ("", frozenset())
    most = 0
    for station in board.stations:
        if station.hex in best[1]:
            continue
        reached = frozenset(
            cheapest_costs((station.hex,), lambda here: [(there, 1) for there in board.open_from(here)])
        )
        cities = sum(other.hex in reached for other in board.stations)
        if cities > most:
            best, most = (station.name, reached), cities
    return best


FORMAT = "rrmap-1"
FOREIGN_BUILD = ("none", "stop", "free")
_MOST = {"cols": 702, "rows": 999, "pitch_km": 999}  # what two letters and three digits can name; what anybody believes


def read_map(text: str, file: str) -> RailMap:
    """Return the map written in *text*; *file* is only named in faults.

    Raises:
        MapError: with every fault that was found, in order of lines.
    """
    return read_board(text, file, FORM, "the map", draft, check_reach)


def draft_of_map(text: str, file: str) -> tuple[RailMap, tuple[tuple[int, str], ...]]:
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
    return RailMap(
        name=reader.top.get("id", ""),
        title=reader.top.get("title", ""),
        columns=grid.columns,
        rows=grid.rows,
        grid_letters=grid.letters,
        ground=grid.ground,
        water=grid.water,
        areas=grid.areas,
        area=grid.area,
        home_areas=frozenset(reader.top.get("home_areas", ())),
        foreign_build=reader.top.get("foreign_build", FOREIGN_BUILD[0]),
        rivers=ways.rivers,
        closed=ways.closed,
        river_lines=tuple(ways.river_lines),
        stations=stations,
        junctions=junctions,
        specials=tuple(
            replace(special, hexes=tuple(label for label in special.hexes if label in grid.ground))
            for special in places.specials
        ),
        permitted=frozenset(ways.permitted),
        homes=starts.homes,
        station_at={station.hex: station for station in stations},
        paying=paying_places(stations, junctions),
        ends_of=dict(sorted(places.ends_of.items())),
        prices=ways.prices,
        bridges=ways.bridges,
        ferries=ways.ferries,
        start_quota=starts.quota,
        first_round_ways=starts.first_round_ways,
        race_count=race_count,
        special_races=special_races,
    )


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


def _races(grid: Grid) -> tuple[int, tuple[int, ...]]:
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
    """Return the board of a setup, a file or a sketch, the same object each time: a game asks for it at every step.

    Raises:
        MapError: with every fault that was found.
    """
    if not is_sketch(text):
        return read_map(text, name)
    return read_sketch(json.loads(text), name, FORM, _map_of, lambda reader: draft(reader, is_whole=False))


def _map_of(sketch: BoardReader) -> dict[str, Any]:
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

    def station(label: str, own: list[str]) -> dict[str, Any]:
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
