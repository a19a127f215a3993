"""Small boards for scenarios: rows of cells, and of the fields of a map file whatever the scenario needs."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from referee.core.errors import MapError
from referee.core.hexes import format_hex, parse_hex
from referee.core.texts.boardfields import BoardReader, Fields, is_sketch
from referee.core.texts.tomltext import TomlText
from referee.games.dampfross.board.fields import TOP, says
from referee.games.dampfross.board.mapfile import FORMAT, draft, read_map
from referee.games.dampfross.board.places import ANY_CITY
from referee.games.dampfross.board.railmap import CITY_BONUS, NORMAL_RACES, PLAIN, WATER, RailMap

HOME = "H"  # the area of cells without a letter
SKETCH: Fields = {
    **{
        name: (kind, False)
        for name, (kind, _) in TOP.items()
        if name not in ("format", "id", "cols", "rows", "station")
    },
    "cells": ("text", True),
    "names": ("table", False),
    "bonus": ("table", False),
}

_CELL = re.compile(r"([A-Z]?)(?:([.^])|([1-6][1-6](?:/[1-6][1-6])*))")


@lru_cache(maxsize=64)
def board_of(text: str, name: str) -> RailMap:
    """Return the board of a setup, a file or a sketch, the same object each time: a game asks for it at every step.

    Raises:
        MapError: with every fault that was found.
    """
    if not is_sketch(text):
        return read_map(text, name)
    sketch = _reader(json.loads(text), SKETCH)
    reader = _reader(_map_of(sketch), TOP)
    board = draft(reader, is_whole=False)
    if faults := sketch.faults or reader.faults:
        raise MapError(name, tuple((0, sentence) for _, sentence in faults))
    return board


def _reader(values: dict[str, Any], known: Fields) -> BoardReader:
    """Return a reader of values that stand in no file: its faults have no line."""
    source = TomlText("")
    source.values = values
    return BoardReader(source, known, "the sketch")


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
