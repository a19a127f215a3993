"""The fields of a map file: which there are, and of which type."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.texts.boardfields import Fields
from referee.core.texts.shipped import shipped_faults

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
    "causeway": ("tables", False),
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
JUNCTION: Fields = {
    "name": ("line", True),
    "hex": ("line", True),
    "alt": ("line", False),
    "area": ("line", False),
    "bonus": ("count", False),
}
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
    "banked": ("flag", False),
}
CAUSEWAY: Fields = {"name": ("line", True), "edges": ("text", True)}
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
SECTIONS: Mapping[str, Fields] = {
    "top": TOP,
    "station": STATION,
    "junction": JUNCTION,
    "special": SPECIAL,
    "permitted": PERMITTED,
    "river": RIVER,
    "forbidden": FORBIDDEN,
    "priced": PRICED,
    "bridge": BRIDGE,
    "causeway": CAUSEWAY,
    "ferry": FERRY,
    "cells": CELLS,
    "numbered_grid": NUMBERED_GRID,
    "transports": TRANSPORTS,
}


FAULTS = __package__


def says(code: str, **values: object) -> str:
    """Return a sentence of ``faults.toml``, filled in."""
    return str(shipped_faults(FAULTS)[code]).format(**values)
