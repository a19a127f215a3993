"""Small boards for scenarios: a line for each city and link, and whatever the scenario needs of cards and numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from referee.core.texts.boardfields import SketchReader, is_sketch
from referee.core.texts.wording import fold, spellings
from referee.games.volldampf.board.board import (
    BOX,
    CUBE_COLOURS,
    HOME_COLOURS,
    NUMBERS,
    Board,
    City,
    Link,
    LinkColour,
    Merchandise,
    Numbers,
)
from referee.games.volldampf.board.boardfile import LINK, read_board, ring

FIELDS = ("cities", "links", "cards", "numbers", *BOX)
COLOURS = tuple(
    LinkColour(id=name, symbol=symbol, code=code)
    for name, symbol, code in (
        ("purple", "circle", "C"),
        ("green", "octagon", "O"),
        ("pink", "triangle", "T"),
        ("orange", "square", "S"),
        ("brown", "diamond", "D"),
        ("grey", "star", "X"),
    )
)
CARDS = 18  # merchandise cards dealt round the cities where a sketch names none

_CITY = re.compile(
    r"(?P<name>\w.*?)(?:\s+\((?P<id>[A-Z]{3})\))?\s+(?P<colour>[a-z]+)(?:\s+at\s+(?P<x>\d+),\s*(?P<y>\d+))?"
)
_LINK = re.compile(rf"(?P<ends>.+?)\s+(?P<colour>{'|'.join(colour.id for colour in COLOURS)})\s+(?P<cost>\d+)")


@lru_cache(maxsize=64)
def board_of(text: str, name: str) -> Board:
    """Return the board of a setup, a file or a sketch, the same object each time: a game asks for it at every step.

    Raises:
        MapError: with every fault that was found.
    """
    if not is_sketch(text):
        return read_board(text, name)
    sketch = _Sketch(json.loads(text))
    sketch.stop_if_faulty(name)
    return sketch.board


class _Sketch(SketchReader):
    """A sketch being read: the cities first, then everything that names them."""

    def __init__(self, written: Mapping[str, Any]) -> None:
        """Reads the whole table; what is wrong with it goes to ``faults``."""
        super().__init__(written, FIELDS)
        self._by_word: dict[str, str] = {}
        cities = self._cities()
        box: dict[str, Any] = {name: self._number(name, written.get(name, usual)) for name, usual in BOX.items()}
        self.board = Board(
            id="sketch",
            title="Sketch",
            cities=cities,
            colours=COLOURS,
            links=self._links(),
            merchandise=self._cards(cities),
            numbers=self._numbers(),
            **box,
        )

    def _cities(self) -> tuple[City, ...]:
        found: list[City] = []
        for line in self._lines("cities"):
            read = _CITY.fullmatch(line)
            if read is None or read["colour"] not in CUBE_COLOURS:
                self.blame("cities", f"{line!r} is not read; as Ardee {' or '.join(CUBE_COLOURS)} expected")
                continue
            code = read["id"] or self._free_id(read["name"])
            for word in (code, read["name"]):
                if any(self._by_word.setdefault(spelling, code) != code for spelling in spellings(word)):
                    self.blame("cities", f"{word} names two cities")
            at = (int(read["x"]), int(read["y"])) if read["x"] else (-1, -1)
            country = "DE" if read["colour"] in HOME_COLOURS else ""
            found.append(City(id=code, name=read["name"], colour=read["colour"], at=at, country=country))
        if not found:
            self.blame("cities", 'a city on each line expected, as "Ardee blue"')
        spots = ring(tuple(city.id for city in found))
        return tuple(replace(city, at=spots[city.id]) if city.at == (-1, -1) else city for city in found)

    def _free_id(self, name: str) -> str:
        """Return three capitals for a city: the first of its name, others where they are taken."""
        letters = [letter for letter in fold(name).upper() if "A" <= letter <= "Z"] + ["X", "X", "X"]
        tries = ("".join((*letters[:2], letter)) for letter in (*letters[2:], *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        return next((code for code in tries if fold(code) not in self._by_word), "XXX")

    def _links(self) -> tuple[Link, ...]:
        found: dict[str, Link] = {}
        for line in self._lines("links"):
            read = _LINK.fullmatch(line)
            ends = LINK.fullmatch(f"{read['ends']} {read['cost']}") if read else None
            if read is None or ends is None:
                colours = ", ".join(colour.id for colour in COLOURS)
                self.blame("links", f"{line!r} is not read; as Ardee - Boyle purple 5 expected, colours are {colours}")
                continue
            a, b = (self._city("links", ends[end]) for end in ("a", "b"))
            link = Link(a=a, b=b, colour=read["colour"], cost=int(read["cost"]))
            if a == b or link.id in found:
                self.blame("links", f"{line!r} joins a city to itself, or two that are linked already")
            found[link.id] = link
        return tuple(found.values())

    def _cards(self, cities: tuple[City, ...]) -> tuple[Merchandise, ...]:
        """Return the cards that are told; else each city begins one in turn, and the next two cities stand on it."""
        lines = self._lines("cards")
        if lines:
            named = [tuple(self._city("cards", word.strip()) for word in line.split(",")) for line in lines]
        else:
            codes = [city.id for city in cities]
            size = min(3, len(codes))
            named = [tuple((codes * 2)[n % len(codes) :][:size]) for n in range(CARDS if codes else 0)]
        return tuple(Merchandise(number=n, cities=cities) for n, cities in enumerate(named, start=1))

    def _numbers(self) -> Mapping[int, Numbers]:
        """Return the rules' numbers with what the sketch sets in their place, for every number of players."""
        written = self.written.get("numbers", {})
        known = set(Numbers.__struct_fields__)
        if not isinstance(written, dict) or not written.keys() <= known:
            self.blame("numbers", f"a table expected; known are {', '.join(sorted(known))}")
            return NUMBERS
        values = {name: self._number(f"numbers.{name}", value) for name, value in written.items()}
        return {count: replace(numbers, **values) for count, numbers in NUMBERS.items()}

    def _number(self, name: str, value: Any) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        self.blame(name, f"{value!r} is no number")
        return 0

    def _city(self, where: str, word: str) -> str:
        """Return the id of a city, named by its name or its id."""
        found = next((self._by_word[spelling] for spelling in spellings(word) if spelling in self._by_word), "")
        if not found:
            self.blame(where, f"there is no city {word!r}")
        return found

    def _lines(self, name: str) -> tuple[str, ...]:
        """Return the lines of a text, or of a list of texts; what follows a ``#`` is left out."""
        written = self.written.get(name, "")
        if isinstance(written, list) and all(isinstance(each, str) for each in written):
            written = "\n".join(written)
        if not isinstance(written, str):
            self.blame(name, "lines of words expected")
            return ()
        rows = (row.partition("#")[0].strip() for row in written.splitlines())
        return tuple(row for row in rows if row)
