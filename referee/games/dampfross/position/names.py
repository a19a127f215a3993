"""Hexes and paths as people write them: towns by name, straight runs by their turning points."""

from __future__ import annotations

from collections.abc import Container, Iterable

from referee.core.hexes import Hex, Side, centre
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.position.state import NEUTRAL

DASH = " - "
NEUTRALS_NAME = "neutral"  # a word of the order language, too


def place_name(board: RailMap, label: Hex) -> str:
    """Return the town's or junction's name, else that of the hex on the grid of the game."""
    station = board.station_at.get(label)
    if station is not None:
        return station.name
    return next((junction.name for junction in board.junctions if junction.hex == label), board.hex_name(label))


def side_name(board: RailMap, value: Side) -> str:
    """Return a hex-side by the names of its hexes on the grid of the game: ``AE5-AE6``."""
    return "-".join(map(board.hex_name, value))


def end_name(board: RailMap, number: int) -> str:
    """Return the name of a race's end: the town, the towns that share the key, or the special's title; "" of none."""
    if number in board.ends_of:
        return "/".join(place_name(board, label) for label in board.ends_of[number])
    return next((each.title for each in board.specials if each.number == number), "")


def owner_name(code: str) -> str:
    """Return how letters and orders name whose track it is: a company by its acronym, the neutral railway by a word."""
    return NEUTRALS_NAME if code == NEUTRAL else code


def format_path(board: RailMap, path: tuple[Hex, ...], marked: Container[int] = ()) -> str:
    """Return a path as orders write it: ends, turning points and towns, and the points at the indexes *marked*.

    Reading it back gives the same path: every run between two named points is straight.
    """
    return DASH.join(place_name(board, path[index]) for index in named_points(board, path, marked))


def named_points(board: RailMap, path: tuple[Hex, ...], marked: Container[int] = ()) -> tuple[int, ...]:
    """Return the indexes of the hexes that a written path names."""
    last = len(path) - 1
    return tuple(
        index
        for index, label in enumerate(path)
        # Water is named, for an abbreviated run would be read round it.
        if index in (0, last)
        or index in marked
        or board.is_city(label)
        or label not in board.ground
        or _turns(path, index)
    )


def spare_points(board: RailMap, path: tuple[Hex, ...], named: Iterable[int]) -> tuple[int, ...]:
    """Return the indexes among *named* that a written path does not name anyway."""
    return tuple(sorted({*named} - {*named_points(board, path)}))


def _turns(path: tuple[Hex, ...], index: int) -> bool:
    (x1, y1), (x2, y2), (x3, y3) = (centre(path[index + offset]) for offset in (-1, 0, 1))
    return (x2 - x1, y2 - y1) != (x3 - x2, y3 - y2)
