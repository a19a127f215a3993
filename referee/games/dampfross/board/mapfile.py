"""Reads a map file (format ``rrmap-1``) into a ``RailMap``, or says everything that is wrong with it, line by line."""

from __future__ import annotations

import re

from msgspec.structs import replace

from referee.core.errors import MapError
from referee.core.hexes import Hex, side
from referee.core.texts.boardfields import BoardReader, draft_of, read_board
from referee.core.texts.tomltext import Where
from referee.games.dampfross.board.fields import TOP, TRANSPORTS, says
from referee.games.dampfross.board.grid import Grid
from referee.games.dampfross.board.places import KEYS, Homes, Places
from referee.games.dampfross.board.railmap import (
    NORMAL_RACES,
    RACES_WITH_SPECIALS,
    SPECIAL_RACES,
    RailMap,
    paying_places,
)
from referee.games.dampfross.board.ways import Ways

# Checks on a whole board: can everything be reached by track?


def unreachable(board: RailMap) -> tuple[tuple[str, str, str | int, str], ...]:
    """Return the places that track from the other cities can never reach, each as (section, field, value, sentence).

    The first three say which block of the map file it is: the station with that name, the special with that number.
    """
    start, reached = _main_land(board)
    kinds = (("station", board.stations), ("junction", board.junctions))
    found: list[tuple[str, str, str | int, str]] = [
        (section, "name", place.name, says(f"{section}-reach", name=place.name, hex=place.hex, start=start))
        for section, places in kinds
        for place in places
        if place.hex not in reached
    ]
    for special in board.specials:
        if not reached.intersection(special.hexes):
            sentence = says("special-reach", number=special.number, title=special.title, start=start)
            found.append(("special", "number", special.number, sentence))
    return tuple(found)


def _main_land(board: RailMap) -> tuple[str, frozenset[Hex]]:
    """Return the first city of those from which most cities can be reached, and every hex reached from there."""
    best: tuple[str, frozenset[Hex]] = ("", frozenset())
    most = 0
    for station in board.stations:
        if station.hex in best[1]:
            continue
        reached = _reachable_from(board, station.hex)
        cities = sum(other.hex in reached for other in board.stations)
        if cities > most:
            best, most = (station.name, reached), cities
    return best


def _reachable_from(board: RailMap, start: Hex) -> frozenset[Hex]:
    """Return the hexes that track from *start* can reach at any price. Rule: D2.3, D2.6."""
    reached, todo = {start}, [start]
    while todo:
        here = todo.pop()
        for there in board.linked(here):
            if there in board.ground and there not in reached and _may_leave(board, here, there):
                reached.add(there)
                todo.append(there)
    return frozenset(reached)


def _may_leave(board: RailMap, here: Hex, there: Hex) -> bool:
    crossing = side(here, there)
    if crossing in board.closed:
        return False
    return board.foreign_build == "free" or not board.is_foreign(here) or crossing in board.permitted


FORMAT = "rrmap-1"
FOREIGN_BUILD = ("none", "stop", "free")
_MOST = {"cols": 702, "rows": 999, "pitch_km": 999}  # what two letters and three digits can name; what anybody believes


def read_map(text: str, file: str) -> RailMap:
    """Return the map written in *text*; *file* is only named in faults.

    Raises:
        MapError: with every fault that was found, in order of lines.
    """
    return read_board(text, file, TOP, "the map", draft, _check_reach)


def _check_reach(reader: BoardReader, board: RailMap) -> None:
    """Blame what lies out of reach of everything."""
    for section, field, value, sentence in unreachable(board):
        reader.blame_field(reader.block(section, field, value), "hex", sentence)


def draft_of_map(text: str, file: str) -> tuple[RailMap, tuple[tuple[int, str], ...]]:
    """Return an unfinished map as far as it can be read, and its faults. Raises MapError: it has no hexes that can be drawn."""
    board, faults = draft_of(text, file, TOP, "the map", draft)
    if not board.columns or not board.ground:
        raise MapError(file, faults)
    return board, faults


def draft(reader: BoardReader, is_whole: bool = True) -> RailMap:
    """Return the map with holes where there are faults: what names no hex of it is left out. A sketch need not be whole."""
    _check_heading(reader)
    grid = Grid(reader)
    grid.area_letters(Where(), "areas_without_bonus", reader.top.get("areas_without_bonus", []), "Area without bonus")
    ways = Ways(reader, grid)
    places = Places(reader, grid)
    if is_whole:
        grid.check_foreign()
        places.check_missing()
    starts = Homes(reader, places.stations, places.cities)
    race_count, special_races = _races(reader)
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


def _check_heading(reader: BoardReader) -> None:
    """Blame fields of the top that have only some values."""
    top, here = reader.top, Where()
    for field, allowed in (("format", (FORMAT,)), ("foreign_build", FOREIGN_BUILD)):
        if field in top and top[field] not in allowed:
            words = " or ".join(f'"{word}"' for word in allowed)
            reader.blame_field(here, field, says("choice", field=field, found=top[field], words=words))
    if "id" in top and not re.fullmatch(r"[a-z][a-z0-9_]*", top["id"]):
        reader.blame_field(here, "id", says("id", found=top["id"]))
    for field, most in _MOST.items():
        if top.get(field, 0) > most:
            reader.blame_field(here, field, says("most", field=field, found=top.pop(field), most=most))


def _races(reader: BoardReader) -> tuple[int, tuple[int, ...]]:
    """Return how many races there are and which of them are special. Rule: D5.1."""
    where = Where(section="transports")
    specials = bool(reader.top.get("special"))
    fields = reader.table("transports", TRANSPORTS)
    total = fields.get("total", RACES_WITH_SPECIALS if specials else NORMAL_RACES)
    usual = [number for number in SPECIAL_RACES if specials and number <= total]
    special = tuple(sorted(set(fields.get("special", usual))))
    for number in special:
        if number > total:
            reader.blame_field(where, "special", says("special-race", number=number, total=total))
    if special and not specials:
        reader.blame_field(where, "special", says("no-specials"))
    keys = 2 * total - len(special)
    if keys > len(KEYS):
        needs = says("races-keys", total=total, special=len(special), needed=keys, keys=len(KEYS))
        reader.blame_field(where, "total", needs)
    return total, special
