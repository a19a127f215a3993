"""The fields of a map file: which there are, of which type, and the notebook in which faults are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.games.dampfross.maptext import MapText, Where

# Field to (type, must it be there). Types: the words of TYPES.
Fields = Mapping[str, tuple[str, bool]]
TOP: Fields = {
    "format": ("line", True),
    "id": ("line", True),
    "title": ("line", True),
    "cols": ("number", True),
    "rows": ("number", True),
    "pitch_km": ("number", False),
    "home_areas": ("lines", True),
    "foreign_build": ("line", True),
    "areas_without_bonus": ("lines", False),
    "numbered_grid": ("table", False),
    "transports": ("table", False),
    "areas": ("table", True),
    "home_terminals": ("table", True),
    "station": ("tables", True),
    "junction": ("tables", False),
    "special": ("tables", False),
    "permitted": ("tables", False),
    "river": ("tables", False),
    "forbidden": ("tables", False),
    "priced": ("tables", False),
    "bridge": ("tables", False),
    "ferry": ("tables", False),
    "cells": ("table", True),
}
STATION: Fields = {
    "numbers": ("numbers", True),
    "name": ("line", True),
    "hex": ("line", True),
    "alt": ("line", False),  # other names, with commas between them
    "bonus": ("count", False),
    "minor": ("flag", False),
}
JUNCTION: Fields = {"name": ("line", True), "hex": ("line", True), "area": ("line", False)}
SPECIAL: Fields = {
    "number": ("number", True),
    "title": ("line", True),
    "hexes": ("text", False),
    "towns": ("lines", False),
    "areas": ("lines", False),
    "within": ("number", False),
    "plain": ("flag", False),
    "note": ("line", False),
}
PERMITTED: Fields = {"name": ("line", False), "edges": ("text", True)}
RIVER: Fields = {"name": ("line", True), "edges": ("text", False), "wide": ("text", False), "closed": ("text", False)}
FORBIDDEN: Fields = {
    "name": ("line", False),
    "edges": ("text", False),
    "hexes": ("text", False),
    "open": ("text", False),
}
PRICED: Fields = {"name": ("line", False), "points": ("number", True), "edges": ("text", True)}
BRIDGE: Fields = {
    "name": ("line", True),
    "edges": ("text", True),
    "points": ("number", True),
    "toll": ("count", False),
    "single": ("flag", False),
}
FERRY: Fields = {
    "name": ("line", True),
    "ends": ("line", True),
    "points": ("number", True),
    "toll": ("count", True),
    "owners": ("number", False),
    "moves": ("number", False),
}
CELLS: Fields = {"grid": ("text", True)}
NUMBERED_GRID: Fields = {"letters": ("number", True)}
TRANSPORTS: Fields = {"total": ("number", True), "special": ("numbers", False)}

TYPES = {
    "line": "words in quotes on one line",
    "text": "words in quotes",
    "number": "a whole number above 0",
    "count": "a whole number, 0 or more",
    "flag": "true or false",
    "lines": "a list of words in quotes",
    "numbers": "a list of whole numbers above 0",
    "table": "a table",
    "tables": "one or more [[blocks]]",
}


class Notebook:
    """A map file on the desk: its fields, and the faults found so far as (line, sentence)."""

    def __init__(self, source: MapText) -> None:
        self.source = source
        self.faults: list[tuple[int, str]] = []
        self.top = self.fields(source.values, Where(), TOP, "the map")

    def blame(self, line: int, sentence: str) -> None:
        """Note a fault."""
        self.faults.append((line, sentence))

    def blame_field(self, where: Where, key: str, sentence: str) -> None:
        """Note a fault at the line of a field."""
        self.blame(self.source.line(where, key), sentence)

    def fields(self, plain: Any, where: Where, known: Fields, what: str) -> dict[str, Any]:
        """Return the fields of a table that have the right type; blame unknown, missing and wrong ones."""
        if not isinstance(plain, dict):
            self.blame(self.source.line(where), f"{what} is {shown(plain)}: {TYPES['table']} expected.")
            return {}
        good = {}
        for name, value in plain.items():
            if name not in known:
                self.blame_field(where, name, f'Unknown field "{name}" in {what}: known are {", ".join(known)}.')
            elif not has_type(value, known[name][0]):
                self.blame_field(
                    where, name, f'"{name}" in {what} is {shown(value)}: {TYPES[known[name][0]]} expected.'
                )
            else:
                good[name] = value
        for name, (kind, needed) in known.items():
            if needed and name not in plain:
                self.blame(self.source.line(where), f'"{name}" is missing in {what}: {TYPES[kind]} expected.')
        return good

    def blocks(self, section: str, known: Fields) -> Iterable[tuple[Where, dict[str, Any]]]:
        """Return the good fields of each block of an array of tables, with its place."""
        for n, plain in enumerate(self.top.get(section, ())):
            where = Where(section=section, index=n)
            yield where, self.fields(plain, where, known, f"[[{section}]] {n + 1}")

    def block(self, section: str, key: str, value: Any) -> Where:
        """Return the place of the first block of an array of tables in which a field has a value."""
        plains = self.top.get(section, ())
        return Where(section=section, index=next((n for n, plain in enumerate(plains) if plain.get(key) == value), 0))

    def table(self, section: str, known: Fields) -> dict[str, Any]:
        """Return the good fields of a table of the file; {} where the file has none."""
        if section not in self.top:
            return {}
        return self.fields(self.top[section], Where(section=section), known, f"[{section}]")


def has_type(value: Any, kind: str) -> bool:
    """Return whether a TOML value is of one of TYPES."""
    if kind == "line":
        return isinstance(value, str) and bool(value.strip()) and value.isprintable()
    if kind == "text":
        return isinstance(value, str)
    if kind == "number":
        return isinstance(value, int) and not isinstance(value, bool) and value > 0
    if kind == "count":
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    if kind == "flag":
        return isinstance(value, bool)
    if kind in ("lines", "numbers"):
        return isinstance(value, list) and all(has_type(item, kind[:-1]) for item in value)
    if kind == "table":
        return isinstance(value, dict)
    return isinstance(value, list) and bool(value)


def shown(value: Any) -> str:
    """Return a value as it may stand in a sentence."""
    text = f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    text = " ".join(text.split())
    return text if len(text) <= 40 else f"{text[:37]}..."
