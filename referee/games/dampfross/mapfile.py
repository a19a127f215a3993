"""Reads a map file (format ``rrmap-1``) into a ``RailMap``, or says everything that is wrong with it, line by line."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources

from referee.core.errors import MapError
from referee.core.hexes import Side
from referee.games.dampfross.mapchecks import unreachable
from referee.games.dampfross.mapfields import NUMBERED_GRID, PERMITTED, RIVER, TRANSPORTS, Notebook
from referee.games.dampfross.mapgrid import Grid
from referee.games.dampfross.mapplaces import Places
from referee.games.dampfross.maps import RailMap, River
from referee.games.dampfross.maptext import MapText, NotToml, Where

FORMAT = "rrmap-1"
FOREIGN_BUILD = ("none", "stop", "free")
POINTS = {"edges": 2, "wide": 4}  # additional points to cross a river; Rule: D2.3

_MOST = {"cols": 702, "rows": 999}  # what two letters and three digits can name


def shipped_maps() -> tuple[str, ...]:
    """Return the names of the maps that come with the game, in alphabetical order."""
    folder = resources.files("referee.games.dampfross") / "maps"
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")))


def shipped_map_text(name: str) -> str:
    """Return the text of a map that comes with the game.

    Raises:
        KeyError: no such map.
    """
    if name not in shipped_maps():
        raise KeyError(name)
    file = resources.files("referee.games.dampfross") / "maps" / f"{name}.toml"
    return file.read_text(encoding="utf-8")


@lru_cache(maxsize=16)
def map_of(text: str, file: str) -> RailMap:
    """Return the map written in *text*, the same object each time: a game asks for its board at every step.

    Raises:
        MapError: as ``read_map``.
    """
    return read_map(text, file)


def read_map(text: str, file: str) -> RailMap:
    """Return the map written in *text*; *file* is only named in faults.

    Raises:
        MapError: with every fault that was found, in order of lines.
    """
    try:
        notes = Notebook(MapText(text))
    except NotToml as error:
        raise MapError(file, ((error.line, f"This is no TOML: {error.reason}."),)) from error
    board = _board(notes)
    if board is not None:
        for where, sentence in unreachable(board):
            notes.blame_field(where, "hex", sentence)
    if board is None or notes.faults:
        raise MapError(file, tuple(sorted(notes.faults)))
    return board


def _board(notes: Notebook) -> RailMap | None:
    """Return the map; None where faults leave holes in it."""
    _check_heading(notes)
    grid = Grid(notes)
    rivers, closed, river_lines = _rivers(notes, grid)
    places = Places(notes, grid)
    permitted = _permitted(notes, grid)
    letters = _grid_letters(notes)
    if notes.faults:
        return None
    return RailMap(
        name=notes.top["id"],
        title=notes.top["title"],
        columns=grid.columns,
        rows=grid.rows,
        grid_letters=letters,
        ground=grid.ground,
        water=grid.water,
        areas=grid.areas,
        area=grid.area,
        home_areas=frozenset(notes.top["home_areas"]),
        foreign_build=notes.top["foreign_build"],
        rivers=rivers,
        closed=frozenset(closed),
        river_lines=river_lines,
        stations=places.stations,
        junctions=places.junctions,
        specials=places.specials,
        permitted=permitted,
        homes=places.homes,
        station_at={station.hex: station for station in places.stations},
        ends_of=places.ends_of,
    )


def _check_heading(notes: Notebook) -> None:
    """Blame fields of the top that have only some values."""
    top, here = notes.top, Where()
    for field, allowed in (("format", (FORMAT,)), ("foreign_build", FOREIGN_BUILD)):
        if field in top and top[field] not in allowed:
            words = " or ".join(f'"{word}"' for word in allowed)
            notes.blame_field(here, field, f'{field} is "{top[field]}": {words} expected.')
    if "id" in top and not re.fullmatch(r"[a-z][a-z0-9_]*", top["id"]):
        notes.blame_field(here, "id", f'id is "{top["id"]}": small letters, digits and _ expected.')
    for field, most in _MOST.items():
        if top.get(field, 0) > most:
            notes.blame_field(here, field, f"{field} is {top.pop(field)}: at most {most} expected.")
    transports = notes.table("transports", TRANSPORTS)
    for number in transports.get("special", ()):
        if number > transports.get("total", number):
            says = f"Special race {number} in [transports], but there are {transports['total']} races in all."
            notes.blame_field(Where(section="transports"), "special", says)


def _grid_letters(notes: Notebook) -> int:
    """Return the letters of the numbered postal grid, 0 where the map declares none."""
    letters = int(notes.table("numbered_grid", NUMBERED_GRID).get("letters", 0))
    if letters > 26:
        says = f"numbered_grid has {letters} letters: the alphabet has 26."
        notes.blame_field(Where(section="numbered_grid"), "letters", says)
    return letters


def _rivers(notes: Notebook, grid: Grid) -> tuple[dict[Side, int], set[Side], tuple[River, ...]]:
    """Return what rivers cost, where they are closed, and their courses."""
    costs: dict[Side, int] = {}
    closed: set[Side] = set()
    courses = []
    owner: dict[Side, str] = {}
    for where, fields in notes.blocks("river", RIVER):
        name = fields.get("name", f"number {where.index + 1}")
        course: list[Side] = []
        for key in ("edges", "wide", "closed"):
            for line, token, crossing in grid.sides(where, fields, key):
                if crossing in owner:
                    notes.blame(line, f"Hex-side {token} of river {name} is already listed in river {owner[crossing]}.")
                    continue
                owner[crossing] = name
                course.append(crossing)
                if key == "closed":
                    closed.add(crossing)
                else:
                    costs[crossing] = POINTS[key]
        if not any(key in fields for key in ("edges", "wide", "closed")):
            notes.blame(notes.source.line(where), f"River {name} has no hex-sides: edges, wide or closed expected.")
        courses.append(River(name=name, sides=tuple(course)))
    return costs, closed, tuple(courses)


def _permitted(notes: Notebook, grid: Grid) -> frozenset[Side]:
    """Return the hex-sides of the white lines through foreign areas. Rule: D2.6."""
    found: set[Side] = set()
    for where, fields in notes.blocks("permitted", PERMITTED):
        for line, token, crossing in grid.sides(where, fields, "edges"):
            if crossing in found:
                notes.blame(line, f"Hex-side {token} of [[permitted]] {where.index + 1} is listed twice.")
            homes = notes.top.get("home_areas", ())
            if all(grid.area.get(label) in homes for label in crossing):
                notes.blame(
                    line,
                    f"Hex-side {token} of [[permitted]] {where.index + 1} lies in the home areas: anybody may build there.",
                )
            found.add(crossing)
    return frozenset(found)
