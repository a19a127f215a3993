"""A board file (format ``volldampf-1``) or a sketch to a ``Board``, or everything that is wrong with it, line by line."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache

from referee.core import Faults, Fields, MapError, Pair, fold, spellings
from referee.core.texts import Where, boardfields
from referee.core.texts.boardfields import BoardReader, is_sketch, read_sketch
from referee.core.texts.shipped import shipped_table

from ..board import (
    BOX,
    CUBE_COLOURS,
    FORM,
    FORMAT,
    HOME_COLOURS,
    NUMBERS,
    Board,
    City,
    Link,
    LinkColour,
    Merchandise,
    Numbers,
    short_of,
)

_POSITIONS = ("at", "lat", "lon", "board_lat", "board_lon")
_RING = ((500, 0), (854, 146), (1000, 500), (854, 854), (500, 1000), (146, 854), (0, 500), (146, 146))
LINK = re.compile(r"(?P<a>\S.*?)\s+[-–]\s+(?P<b>\S.*?)\s+(?P<cost>\d+)")  # Hamburg - Hannover 5
_MOST = 99  # marks
CITIES_OF_A_CARD = 3  # Rule: V1.2


class _Draft:
    """What could be read of a board file so far. A sketch need not be whole: cities without links, shorter cards."""

    def __init__(self, reader: BoardReader, is_whole: bool) -> None:
        self._reader, self._is_whole = reader, is_whole
        self._blame, self._blame_field = reader.blame, reader.blame_field
        self._by_word: dict[str, str] = {}
        self._points: dict[str, tuple[int, int]] = {}
        self._colours: list[LinkColour] = []
        self._links: dict[str, Link] = {}
        self._lines: dict[str, int] = {}  # on which a link stands

    def board(self) -> Board:
        """Return the board with holes where there are faults."""
        top = self._reader.top
        self._check_values(Where(), top)
        self._take_cities()
        self._take_links()
        board = Board(
            id=top.get("id", ""),
            title=top.get("title", ""),
            cities=self._cities,
            colours=tuple(self._colours),
            links=tuple(self._links.values()),
            merchandise=self._cards(),
            numbers=self._numbers(),
            **{name: top[name] for name in BOX if name in top},
        )
        if self._is_whole and self._colours and "cards" in top.get("merchandise", {}):
            self._check_lasting(board)
        return board

    def _check_values(self, where: Where, fields: Fields) -> None:
        """Blame fields that have only some values."""
        for key, (pattern, says) in shipped_table(__package__, "checks")[where.section or "top"].items():
            if key in fields and not re.fullmatch(pattern, fields[key]):
                self._blame_field(where, key, says.format(**fields))

    # Cities: names that nobody can mistake, colours, positions on paper.

    def _take_cities(self) -> None:
        written = [(where, each) for where, each in self._reader.blocks("city") if {"id", "name"} <= each.keys()]
        self._check_positions(written)
        read = [self._city(where, fields) for where, fields in written]
        spots = self._spots([city.id for city in read])
        self._cities = tuple(city.but(at=spots[city.id]) for city in read)

    def _city_id(self, line: int, word: str, where: str) -> str:
        """Return the id of the city that *word* names; "" after a blame where there is none."""
        for spelling in spellings(word):
            if spelling in self._by_word:
                return self._by_word[spelling]
        names = {fold(city.name): city.name for city in self._cities}
        near = difflib.get_close_matches(fold(word), list(names), 1)
        hint = f" Did you mean {names[near[0]]}?" if near else ""
        self._blame(line, f'There is no city "{word}" ({where}).{hint}')
        return ""

    def _city(self, where: Where, fields: Fields) -> City:
        self._check_values(where, fields)
        code, name, colour = fields["id"], fields["name"], fields.get("colour", CUBE_COLOURS[0])
        country = fields.get("country", "DE" if colour in HOME_COLOURS else "")
        for key, words in (("id", [code]), ("name", [name]), ("aliases", fields.get("aliases", []))):
            for word in words:
                self._take_word(where, key, word, code)
        return City(id=code, name=name, colour=colour, country=country, aliases=tuple(fields.get("aliases", ())))

    def _take_word(self, where: Where, key: str, word: str, code: str) -> None:
        """Note that a word names a city; blame it if it names another one already."""
        for spelling in spellings(word):
            owner = self._by_word.setdefault(spelling, code)
            # The same id twice cannot be told from a city that answers to its own name.
            if owner != code or (key == "id" and spelling == fold(word) and self._is_taken(where, code)):
                says = f'"{word}" names two cities: {owner} answers to it already.'
                self._blame_field(where, key, says)
                return

    def _is_taken(self, where: Where, code: str) -> bool:
        blocks = self._reader.top.get("city", ())[: where.index]
        return any(isinstance(block, dict) and block.get("id") == code for block in blocks)

    def _check_positions(self, written: list[tuple[Where, Fields]]) -> None:
        """Read where each city is drawn: all with ``at``, or all with ``lat`` and ``lon``, or none at all."""
        ways = [tuple(key for key in _POSITIONS[:3] if key in fields) for _, fields in written]
        usual = max(dict.fromkeys(ways), key=ways.count) if ways else ()
        for (where, fields), way in zip(written, ways, strict=True):
            name = fields["name"]
            if way != usual or way not in ((), ("at",), ("lat", "lon")):
                wanted = " and ".join(usual) or "nothing"
                says = f"{name} says {' and '.join(way) or 'nothing'} of where it lies, other cities {wanted}: "
                self._blame_field(where, "", says + "at, or lat and lon, for all of them or for none expected.")
            elif way == ("at",) and len(fields["at"]) == 2:
                self._points[fields["id"]] = tuple(fields["at"])
            elif way == ("at",):
                says = f"{name} lies at {fields['at']}: [to the right, down] expected, as [120, 85]."
                self._blame_field(where, "at", says)
            elif way:
                self._take_degrees(where, fields)

    def _take_degrees(self, where: Where, fields: Fields) -> None:
        """Note a point in hundredths of a degree, east and north."""
        found = []
        for key, most in (("lon", 180), ("lat", 90)):
            word = fields.get(f"board_{key}", fields[key])
            hundredths = int(Decimal(str(word)) * 100)
            if not -100 * most <= hundredths <= 100 * most:
                says = f"{fields['name']} has {key} {word}: degrees from -{most} to {most} expected."
                self._blame_field(where, key, says)
            found.append(hundredths)
        self._points[fields["id"]] = (found[0], found[1])

    def _spots(self, codes: list[str]) -> Mapping[str, tuple[int, int]]:
        """Return where cities are drawn, x to the right and y down, from 0."""
        if not self._points:
            return ring(codes)
        points = dict(self._points)
        if any("lat" in fields for fields in self._reader.top.get("city", ()) if isinstance(fields, dict)):
            middle = sum(y for _, y in points.values()) // (100 * len(points))
            # How much narrower a degree is here than at the equator (Bhaskara's cosine, good to 0.2 per cent).
            narrow, wide = 32_400 - 4 * middle * middle, 32_400 + middle * middle
            points = {code: (x * narrow // wide, -y) for code, (x, y) in points.items()}
        left, top = min(x for x, _ in points.values()), min(y for _, y in points.values())
        return {code: (points[code][0] - left, points[code][1] - top) if code in points else (0, 0) for code in codes}

    # Colours, and the links of each.

    def _take_links(self) -> None:
        for where, fields in self._reader.blocks("colour"):
            if {"id", "symbol", "code"} <= fields.keys():
                self._take_colour(where, fields)
            if "links" in fields:
                for line, words in self._reader.source.content(where, "links"):
                    self._take_link(line, words, fields.get("id", ""))
        # The cubes of a city that no link touches could never leave.
        linked = {end for link in self._links.values() for end in (link.a, link.b)}
        for city in self._cities if self._is_whole else ():
            if city.id not in linked:
                self._blame_field(self._reader.block("city", "id", city.id), "name", f"No link touches {city.name}.")

    def _take_colour(self, where: Where, fields: Fields) -> None:
        self._check_values(where, fields)
        for key in ("id", "symbol", "code"):
            twin = next((colour for colour in self._colours if getattr(colour, key) == fields[key]), None)
            if twin:
                says = f'Two colours have the {key} "{fields[key]}": {twin.id} has it already.'
                self._blame_field(where, key, says)
        self._colours.append(LinkColour(**{key: told for key, told in fields.items() if key != "links"}))

    def _take_link(self, line: int, words: str, colour: str) -> None:
        read = LINK.fullmatch(words)
        if not read:
            says = f'"{words}" is no link: two cities with a hyphen between spaces, and the cost expected, '
            self._blame(line, says + "as Hamburg - Hannover 5.")
            return
        cost = int(read["cost"])
        if not 1 <= cost <= _MOST:
            self._blame(line, f"{read['a']} - {read['b']} costs {cost}: 1 to {_MOST} marks expected.")
        a, b = (self._city_id(line, read[end], f"in {words}") for end in ("a", "b"))
        if not (a and b):
            return
        link = Link(a=a, b=b, colour=colour, cost=cost)
        if a == b:
            self._blame(line, f"{words}: a link joins two different cities.")
        elif self._links.setdefault(link.id, link) is link:
            self._lines[link.id] = line
        else:
            self._blame(line, f"{words}: these two cities are linked already, in line {self._lines[link.id]}.")

    # Merchandise cards, and the numbers that depend on the players: do the cards last?

    def _cards(self) -> tuple[Merchandise, ...]:
        """Return the merchandise cards, numbered from 1 in order of the file."""
        if "cards" not in self._reader.table("merchandise"):
            return ()
        cards: list[Merchandise] = []
        for line, words in self._reader.source.content(Where("merchandise"), "cards"):
            named = [self._city_id(line, word.strip(), "on a merchandise card") for word in words.split(",")]
            if len(named) != CITIES_OF_A_CARD and self._is_whole:
                says = f'"{words}" names {len(named)}: {CITIES_OF_A_CARD} cities with commas between them expected.'
                self._blame(line, says)
            elif all(named) and len(set(named)) < len(named):
                self._blame(line, f'"{words}" names a city twice.')
            cards.append(Merchandise(number=len(cards) + 1, cities=tuple(named)))
        return tuple(cards)

    def _numbers(self) -> Mapping[int, Numbers]:
        """Return the numbers for each number of players: those of the rules, and what the file sets in their place."""
        written = self._reader.top.get("players", {})
        for name in written:
            if name not in map(str, NUMBERS):
                says = f'There are no games for "{name}" players: [players.2] to [players.6] expected.'
                self._blame_field(Where(f"players.{name}"), "", says)
        read = {}
        for count, numbers in NUMBERS.items():
            where = Where(f"players.{count}")
            fields = (
                self._reader.fields(written[str(count)], where, "players", f"[players.{count}]")
                if str(count) in written
                else {}
            )
            read[count] = numbers.but(**fields)
        return read

    def _check_lasting(self, board: Board) -> None:
        """Blame numbers of players for which track cards, sections or merchandise cards run out.

        Those with a table of their own are blamed there, all others together where the cards are listed.
        """
        short: dict[Pair, list[str]] = {}
        for n in board.numbers:
            for what, there, needed in short_of(board, n):
                cards = "merchandise" if what.startswith("merchandise") else "colour"
                section = f"players.{n}" if str(n) in self._reader.top.get("players", {}) else cards
                short.setdefault((what, section), []).append(f"{n} players need {needed} {what}, there are {there}")
        for (_, section), words in short.items():
            self._blame_field(Where(section), "", f"{'; '.join(words)}.")


def ring(codes: Sequence[str]) -> Mapping[str, tuple[int, int]]:
    """Return places on a ring 1000 wide, in order, clockwise from above."""
    return {code: _on_ring(8 * n, len(codes)) for n, code in enumerate(codes)}


def _on_ring(eighths: int, count: int) -> tuple[int, int]:
    """Return the point after *eighths* of *count* times an eighth of the ring, straight between its eight corners."""
    corner, rest = divmod(eighths, count)
    (x, y), (next_x, next_y) = _RING[corner % 8], _RING[(corner + 1) % 8]
    return x + (next_x - x) * rest // count, y + (next_y - y) * rest // count


def read_board(text: str, file: str) -> Board:
    """Return the board written in *text*; *file* is only named in faults.

    Raises:
        MapError: with every fault that was found, in order of lines.
    """
    return boardfields.read_board(text, file, FORM, "the board", draft)


def draft_of_board(text: str, file: str) -> tuple[Board, Faults]:
    """Return an unfinished board as far as it can be read, and its faults. Raises MapError: it has no cities to be drawn."""
    board, faults = boardfields.draft_of(text, file, FORM, "the board", draft)
    if not board.cities:
        raise MapError(file, faults)
    return board, faults


def draft(reader: BoardReader, is_whole: bool = True) -> Board:
    """Return the board with holes where there are faults."""
    return _Draft(reader, is_whole).board()


# Small boards for scenarios: a line for each city and link, and whatever the scenario needs of cards and numbers.

COLOURS = (
    ("purple", "circle", "C"),
    ("green", "octagon", "O"),
    ("pink", "triangle", "T"),
    ("orange", "square", "S"),
    ("brown", "diamond", "D"),
    ("grey", "star", "X"),
)
CARDS = 18  # merchandise cards dealt round the cities where a sketch names none

_SKETCHED_CITY = re.compile(
    r"(?P<name>\w.*?)(?:\s+\((?P<id>[A-Z]{3})\))?\s+(?P<colour>[a-z]+)(?:\s+at\s+(?P<x>\d+),\s*(?P<y>\d+))?"
)
_SKETCHED_LINK = re.compile(
    rf"(?P<ends>.+?)\s+(?P<colour>{'|'.join(colour for colour, _, _ in COLOURS)})\s+(?P<cost>\d+)"
)


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
        read = _SKETCHED_CITY.fullmatch(line)
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
        if read := _SKETCHED_LINK.fullmatch(line):
            found[read["colour"]].append(f"{read['ends']} {read['cost']}")
        else:
            known = ", ".join(found)
            sketch.blame(0, f"{line!r} is not read; as Ardee - Boyle purple 5 expected, colours are {known}")
    return found


def _lines(sketch: BoardReader, name: str) -> list[str]:
    """Return the lines of a text; what follows a ``#`` is left out."""
    rows = (row.partition("#")[0].strip() for row in sketch.top.get(name, "").splitlines())
    return [row for row in rows if row]
