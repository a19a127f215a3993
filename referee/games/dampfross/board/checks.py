"""Checks on a whole board: can everything be reached by track?"""

from __future__ import annotations

from referee.core.hexes import Hex, side
from referee.games.dampfross.board.railmap import RailMap


def unreachable(board: RailMap) -> tuple[tuple[str, str, str | int, str], ...]:
    """Return the places that track from the other cities can never reach, each as (section, field, value, sentence).

    The first three say which block of the map file it is: the station with that name, the special with that number.
    """
    start, reached = _main_land(board)
    kinds = (("station", "Station", board.stations), ("junction", "Junction", board.junctions))
    found: list[tuple[str, str, str | int, str]] = [
        (section, "name", place.name, f"{word} {place.name} ({place.hex}) cannot be reached from {start}.")
        for section, word, places in kinds
        for place in places
        if place.hex not in reached
    ]
    for special in board.specials:
        if not reached.intersection(special.hexes):
            says = f"Special {special.number} ({special.title}): none of its hexes can be reached from {start}."
            found.append(("special", "number", special.number, says))
    return tuple(found)


def _main_land(board: RailMap) -> tuple[str, frozenset[Hex]]:
    """Return the first city of those from which most cities can be reached, and every hex reached from there."""
    best: tuple[str, frozenset[Hex]] = ("", frozenset())
    most = 0
    for station in board.stations:
        if station.hex in best[1]:
            continue
        reached = _reached_from(board, station.hex)
        cities = sum(other.hex in reached for other in board.stations)
        if cities > most:
            best, most = (station.name, reached), cities
    return best


def _reached_from(board: RailMap, start: Hex) -> frozenset[Hex]:
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
