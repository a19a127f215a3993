"""Small boards for scenarios: a line for each city and link, and whatever the scenario needs of cards and numbers."""

from __future__ import annotations

import json
import re
from functools import lru_cache

from referee.core import Fields, fold
from referee.core.texts import Where
from referee.core.texts.boardfields import BoardReader, is_sketch, read_sketch

from ..board import BOX, CUBE_COLOURS, FORM, FORMAT, NUMBERS, Board
from .boardfile import CITIES_OF_A_CARD, draft, read_board, ring

COLOURS = (
    ("purple", "circle", "C"),
    ("green", "octagon", "O"),
    ("pink", "triangle", "T"),
    ("orange", "square", "S"),
    ("brown", "diamond", "D"),
    ("grey", "star", "X"),
)
CARDS = 18  # merchandise cards dealt round the cities where a sketch names none

_CITY = re.compile(
    r"(?P<name>\w.*?)(?:\s+\((?P<id>[A-Z]{3})\))?\s+(?P<colour>[a-z]+)(?:\s+at\s+(?P<x>\d+),\s*(?P<y>\d+))?"
)
_LINK = re.compile(rf"(?P<ends>.+?)\s+(?P<colour>{'|'.join(colour for colour, _, _ in COLOURS)})\s+(?P<cost>\d+)")


@lru_cache(maxsize=64)
def board_of(text: str, name: str) -> Board:
    """Return the board of a setup, a file or a sketch, the same object each time: a game asks for it at every step.

    Raises:
        MapError: with every fault that was found.
    """
    if not is_sketch(text):
        return read_board(text, name)
    written = {
        key: "\n".join(map(str, told)) if isinstance(told, list) else told for key, told in json.loads(text).items()
    }
    return read_sketch(written, name, FORM, _board_of, lambda reader: draft(reader, is_whole=False))


def _board_of(sketch: BoardReader) -> Fields:
    """Return the fields of the board file that a sketch stands for."""
    cities, links = _cities(sketch), _links(sketch)
    numbers = sketch.fields(sketch.top.get("numbers", {}), Where(), "players", "[numbers]")
    codes = [city["id"] for city in cities]
    dealt = ((codes * CITIES_OF_A_CARD)[n % len(codes) :][: min(CITIES_OF_A_CARD, len(codes))] for n in range(CARDS))
    cards = sketch.top.get("cards") or "\n".join(map(", ".join, dealt if codes else ()))
    return {
        "format": FORMAT,
        "id": "sketch",
        "title": "Sketch",
        **{name: sketch.top[name] for name in BOX if name in sketch.top},
        **({"city": cities} if cities else {}),
        "colour": [
            {"id": colour, "symbol": symbol, "code": code, "links": "\n".join(links[colour])}
            for colour, symbol, code in COLOURS
        ],
        "merchandise": {"cards": cards},
        "players": {str(count): numbers for count in NUMBERS},
    }


def _cities(sketch: BoardReader) -> list[Fields]:
    """Return the cities; those that are put nowhere stand on a ring, as all do if none is put anywhere."""
    found: list[Fields] = []
    placed: dict[str, list[int]] = {}
    for line in _lines(sketch, "cities"):
        read = _CITY.fullmatch(line)
        if not read or read["colour"] not in CUBE_COLOURS:
            sketch.blame(0, f"{line!r} is not read; as Ardee {' or '.join(CUBE_COLOURS)} expected")
            continue
        taken = {fold(word) for city in found for word in (city["id"], city["name"])}
        code = read["id"] or _free_id(read["name"], taken)
        found.append({"id": code, "name": read["name"], "colour": read["colour"]})
        if read["x"]:
            placed[code] = [int(read["x"]), int(read["y"])]
    spots = ring(tuple(city["id"] for city in found)) if placed else {}
    return [{**city, "at": placed.get(city["id"], [*spots[city["id"]]])} if spots else city for city in found]


def _free_id(name: str, taken: set[str]) -> str:
    """Return three capitals for a city: the first of its name, others where they are taken."""
    letters = [letter for letter in fold(name).upper() if "A" <= letter <= "Z"] + ["X", "X", "X"]
    tries = ("".join((*letters[:2], letter)) for letter in (*letters[2:], *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    return next((code for code in tries if fold(code) not in taken), "XXX")


def _links(sketch: BoardReader) -> dict[str, list[str]]:
    """Return the links of each colour, as a board file has them."""
    found: dict[str, list[str]] = {colour: [] for colour, _, _ in COLOURS}
    for line in _lines(sketch, "links"):
        if read := _LINK.fullmatch(line):
            found[read["colour"]].append(f"{read['ends']} {read['cost']}")
        else:
            known = ", ".join(found)
            sketch.blame(0, f"{line!r} is not read; as Ardee - Boyle purple 5 expected, colours are {known}")
    return found


def _lines(sketch: BoardReader, name: str) -> list[str]:
    """Return the lines of a text; what follows a ``#`` is left out."""
    rows = (row.partition("#")[0].strip() for row in sketch.top.get(name, "").splitlines())
    return [row for row in rows if row]
