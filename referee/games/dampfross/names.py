"""Hexes and paths as people write them: towns by name, straight runs by their turning points."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable
from functools import lru_cache
from itertools import pairwise

from referee.core import (
    Complaint,
    Hex,
    Hexes,
    Numbers,
    Pair,
    Param,
    Path,
    Phrase,
    Side,
    Term,
    Terms,
    Word,
    are_neighbours,
    centre,
    complaint_of,
    fold,
    label_to_numbered,
    shortest_ways,
    side,
    straight_run,
    terms_of,
)

from .board import RailMap
from .state import NEUTRAL, Route, State

DASH = " - "
NEUTRALS_NAME = "neutral"  # a word of the order language, too


def place_name(board: RailMap, label: Hex) -> str:
    """Return the town's or junction's name, else that of the hex on the grid of the game."""
    station = board.station_at.get(label)
    if station:
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


def format_path(board: RailMap, path: Path, marked: Container[int] = ()) -> str:
    """Return a path as orders write it: ends, turning points and towns, and the points at the indexes *marked*.

    Reading it back gives the same path: every run between two named points is straight.
    """
    return DASH.join(place_name(board, path[index]) for index in named_points(board, path, marked))


def named_points(board: RailMap, path: Path, marked: Container[int] = ()) -> Numbers:
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
        or turns(path, index)
    )


def spare_points(board: RailMap, path: Path, named: Iterable[int]) -> Numbers:
    """Return the indexes among *named* that a written path does not name anyway."""
    return tuple(sorted({*named} - {*named_points(board, path)}))


def turns(path: Path, index: int) -> bool:
    """Return whether a path turns at a hex that is not its end."""
    (x1, y1), (x2, y2), (x3, y3) = (centre(path[index + offset]) for offset in (-1, 0, 1))
    return (x2 - x1, y2 - y1) != (x3 - x2, y3 - y2)


# Every name that may stand in an order.

PLACE = "PLACE"
COMPANY = "COMPANY"


def lexicon(state: State) -> Terms:
    """Return towns, junctions and hexes (water, too: a step into the sea is refused, not misread), and the companies by
    acronym, colour and name; where there may be track of a neutral railway, that, too."""
    neutral = [Term(kind=COMPANY, name=NEUTRALS_NAME, value=NEUTRAL)] if state.board.permitted else []
    return (*places(state.board), *terms_of(COMPANY, state.table.companies, "code", "name", "colour"), *neutral)


@lru_cache(maxsize=16)
def places(board: RailMap) -> Terms:
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


def hexes_named(board: RailMap, name: str) -> Hexes:
    """Return the hexes that a name, a label or a key means, whatever its case; more than one where towns share a key."""
    return _hexes(board).get(fold(name), ())


@lru_cache(maxsize=16)
def _hexes(board: RailMap) -> dict[str, Hexes]:
    named = {fold(term.name): (term.value,) for term in reversed(places(board))}
    return named | {str(key): hexes for key, hexes in board.ends_of.items()}


# How players wrote the hexes that they named: complaints show them their own words, with ours in brackets.

Writing = tuple[Pair, ...]  # (what we call it, as it was written)

_HEX = re.compile(r"\s*([A-Z]{1,2})\s*0*([1-9][0-9]*)\s*", re.IGNORECASE)


def writing_of(board: RailMap, words: Iterable[tuple[Hex, str]]) -> Writing:
    """Return those of *words* (a hex, as it was written) that name a hex otherwise than we do: on the other grid, or a town's by
    its hex. What was written both ways is told our way."""
    found: dict[str, str] = {}
    ours = set()
    for label, text in words:
        name, match = place_name(board, label), _HEX.fullmatch(text)
        if not match or (match[1] + match[2]).upper() == name:
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

    def say(words: Param) -> Param:
        if not isinstance(words, str) or words in alone:
            return alone.get(str(words), words)
        parts = (
            named.get(part) or "-".join(named.get(each, each) for each in part.split("-")) for part in words.split(DASH)
        )
        return DASH.join(parts)

    params = tuple((name, say(value)) for name, value in complaint.params)
    return complaint.but(text=str(say(complaint.text)), params=params)


# From named points to hex by hex: straight runs, or the one shortest way where there is exactly one. Rule: D2.2, R1.

MOST_WAYS = 4  # as many as a complaint lists

Joined = Callable[[Hex, Hex], bool]  # whether a path may go from one hex to its neighbour


def land_run(board: RailMap, start: Hex, end: Hex) -> Path | Complaint:
    """Return the hexes from *start* to *end* for building: the straight run, else the only shortest way over land.

    Cost and closed sides do not choose. A straight run is given even where it leaves the land: the step is refused then.
    Rule: R1.
    """
    if side(start, end) in board.ferries:
        return start, end
    straight = straight_run(start, end)
    if straight is not None and (end not in board.ground or are_neighbours(start, end)):
        return straight
    return _run(board, start, end, lambda *ends: all(label in board.ground or label == start for label in ends), "D2.2")


def track_run(state: State, company: str, start: Hex, end: Hex, over: str) -> Path | Complaint:
    """Return the hexes from *start* to *end* for a train of *company*: the straight run over track, else the shortest way.

    *over*: a company's acronym keeps the run to its track; "" takes anybody's. Where own track leads another way than the
    shortest one it is not guessed which is meant. Rule: D6.2, R1.
    """
    board = state.board
    run = _run(board, start, end, _link_check(state, over), "D6.2")
    if over or isinstance(run, Complaint) or run == straight_run(start, end):
        return run
    own = _run(board, start, end, _link_check(state, company), "D6.2")
    if isinstance(own, Complaint) or own == run:
        return run
    return _two_ways(board, start, end, (run, own))


def coming_run(state: State, planned: State, company: str, start: Hex, end: Hex, over: str) -> Path | Complaint:
    """Return the hexes of a run over track of which some may be laid before the train runs. Rule: D6.2, R1, R32.

    *planned*: the position with all that the writer's own orders build. A straight run over it goes before a way round
    over today's track, and where no track joins the two it is the run over land: somebody else may lay it.
    """
    today = track_run(state, company, start, end, over)
    straight = straight_run(start, end)
    if today == straight is not None:
        return today
    then = track_run(planned, company, start, end, over)
    if not isinstance(then, Complaint) and (then == straight or isinstance(today, Complaint)):
        return then
    if not isinstance(today, Complaint) or today.code != "illegal-no-line":
        return today
    land = land_run(state.board, start, end)
    return today if isinstance(land, Complaint) and land.code == "illegal-no-way" else land


def _link_check(state: State, over: str) -> Joined:
    def is_joined(one: Hex, other: Hex) -> bool:
        owners = state.runnable(side(one, other))
        return over in owners if over else bool(owners)

    return is_joined


def _run(board: RailMap, start: Hex, end: Hex, joined: Joined, paragraph: str) -> Path | Complaint:
    straight = straight_run(start, end)
    if straight is not None and all(joined(*pair) for pair in pairwise(straight)):
        return straight

    def edges(label: Hex) -> Iterable[tuple[Hex, int]]:
        return [(other, 1) for other in board.steps_from(label) if joined(label, other)]

    ways = shortest_ways(start, end, edges, MOST_WAYS)
    if len(ways) == 1:
        return ways[0]
    if ways:
        return _two_ways(board, start, end, ways)
    words = f"{place_name(board, start)} - {place_name(board, end)}"
    return complaint_of("illegal-no-way" if paragraph == "D2.2" else "illegal-no-line", paragraph, words)


def _two_ways(board: RailMap, start: Hex, end: Hex, ways: Iterable[Path]) -> Complaint:
    words = f"{place_name(board, start)} - {place_name(board, end)}"
    return complaint_of("invalid-two-ways", "R1", words, hint=" / ".join(format_path(board, way) for way in ways))


# What stands in a phrase of the grammar: its words, the phrases within it, the places of a piece or route.


def legs_of(phrase: Phrase) -> list[tuple[Word, bool]]:
    """Return a piece's places in order of writing, the start first, each with whether it is jumped to."""
    legs: list[tuple[Word, bool]] = []
    for part in phrase.parts:
        if isinstance(part, Word):
            legs.append((part, False))
        else:
            legs += [(word, part.rule == "jump") for word in part.words]
    return legs


def text_of(phrase: Phrase) -> str:
    """Return the words of a phrase as they were written."""
    return " - ".join(part.text if isinstance(part, Word) else text_of(part) for part in phrase.parts if part)


def aim_of(phrase: Phrase) -> Route:
    """Return what the referee is to find: the quickest or cheapest way, for so many units of toll at the most (-1: any)."""
    aims = {"FASTEST": "fastest", "CHEAPEST": "cheapest"}
    named = [aims[word.kind] for word in phrase.words if word.kind in aims]
    most = [int(part.words[0].value) for part in phrase.phrases("most")]
    if any(word.kind == "OWN" for word in phrase.words):
        most = [0]  # nothing is paid to others
    return Route(aim=named[0] if named else "fastest", most=most[0] if most else -1)
