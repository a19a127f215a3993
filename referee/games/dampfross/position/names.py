"""Hexes and paths as people write them: towns by name, straight runs by their turning points."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from functools import lru_cache
from operator import attrgetter

from msgspec.structs import replace

from referee.core.hexes import Hex, Side, centre, label_to_numbered
from referee.core.orders import Complaint, Param, Term
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.position.state import NEUTRAL, State

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


# Every name that may stand in an order.

PLACE = "PLACE"
COMPANY = "COMPANY"


def lexicon(state: State) -> tuple[Term, ...]:
    """Return towns, junctions and hexes (water, too: a step into the sea is refused, not misread), and the companies by
    acronym, colour and name; where there may be track of a neutral railway, that, too."""
    every = [state.table.company(code) for code in state.table.codes]
    # Of two companies that share a word the first is meant: an acronym goes before a full name, that before a colour.
    companies = [
        Term(kind=COMPANY, name=name, value=company.code)
        for named in (attrgetter("code"), attrgetter("name"), attrgetter("colour"))
        for company in every
        if (name := named(company))
    ]
    neutral = [Term(kind=COMPANY, name=NEUTRALS_NAME, value=NEUTRAL)] if state.table.board.permitted else []
    return (*places(state.table.board), *companies, *neutral)


@lru_cache(maxsize=16)
def places(board: RailMap) -> tuple[Term, ...]:
    """Return the terms of a map: each hex by its label and, where the map declares it, by its number on the postal grid."""
    terms = []
    for label in (*board.ground, *board.water):
        names = [board.hex_name(label), label]  # that of the game first: it is suggested for a slip
        if board.grid_letters:
            names.append(label_to_numbered(label, board.grid_letters, board.rows))
        terms += [Term(kind=PLACE, name=name, value=label) for name in dict.fromkeys(names)]
    for place in board.named:
        terms += [Term(kind=PLACE, name=name, value=place.hex) for name in (place.name, *place.also)]
    return tuple(terms)


# How a player wrote the hexes that he named: complaints show him his own words, with ours in brackets.

Writing = tuple[tuple[str, str], ...]  # (what we call it, as it was written)

_HEX = re.compile(r"\s*([A-Z]{1,2})\s*0*([1-9][0-9]*)\s*", re.IGNORECASE)


def writing_of(board: RailMap, words: Iterable[tuple[Hex, str]]) -> Writing:
    """Return those of *words* (a hex, as it was written) that name a hex otherwise than we do: on the other grid, or a town's by
    its hex. What was written both ways is told our way."""
    found: dict[str, str] = {}
    ours = set()
    for label, text in words:
        name, match = place_name(board, label), _HEX.fullmatch(text)
        if match is None or (match[1] + match[2]).upper() == name:
            ours.add(name)
        else:
            found.setdefault(name, text.strip())
    return tuple((name, text) for name, text in found.items() if name not in ours)


def as_written(complaint: Complaint, writing: Writing) -> Complaint:
    """Return a complaint that names each hex as the player wrote it, our name in brackets behind it: ``E41 (AE5) - E42``."""
    if not writing:
        return complaint
    named = {name: f"{text} ({name})" for name, text in writing}
    alone = {text: named[name] for name, text in writing} | named

    def said(words: Param) -> Param:
        if not isinstance(words, str) or words in alone:
            return alone.get(str(words), words)
        return DASH.join(_place_or_side(part, named) for part in words.split(DASH))

    params = tuple((name, said(value)) for name, value in complaint.params)
    return replace(complaint, text=str(said(complaint.text)), params=params)


def _place_or_side(words: str, named: Mapping[str, str]) -> str:
    """Return a place, or the two hexes of a hex-side, by their names in *named*."""
    return named.get(words) or "-".join(named.get(part, part) for part in words.split("-"))
