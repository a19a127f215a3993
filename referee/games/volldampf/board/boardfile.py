"""Reads a board file (format ``volldampf-1``) into a ``Board``, or says everything that is wrong with it, line by line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal

from msgspec.structs import replace

from referee.core import Faults, Fields, MapError, Pair, fold, spellings
from referee.core.texts import Where, boardfields
from referee.core.texts.boardfields import BoardReader
from referee.core.texts.shipped import shipped_table

from ..board import (
    BOX,
    CUBE_COLOURS,
    FORM,
    HOME_COLOURS,
    NUMBERS,
    Board,
    City,
    Codes,
    Link,
    LinkColour,
    Merchandise,
    Numbers,
)

# The cities of a board file: names that nobody can mistake, colours, positions on paper.

_POSITIONS = ("at", "lat", "lon", "board_lat", "board_lon")
_RING = ((500, 0), (854, 146), (1000, 500), (854, 854), (500, 1000), (146, 854), (0, 500), (146, 146))


class Cities:
    """The cities that could be read, and how they are found by name."""

    def __init__(self, reader: BoardReader) -> None:
        self._reader = reader
        self._by_word: dict[str, str] = {}
        self._points: dict[str, tuple[int, int]] = {}
        written = [(where, fields) for where, fields in reader.blocks("city") if {"id", "name"} <= fields.keys()]
        self._check_positions(written)
        read = [self._city(where, fields) for where, fields in written]
        spots = self._spots(tuple(city.id for city in read))
        self.cities = tuple(replace(city, at=spots[city.id]) for city in read)

    def named(self, line: int, word: str, where: str) -> str:
        """Return the id of the city that *word* names; "" after a blame where there is none."""
        for spelling in spellings(word):
            if spelling in self._by_word:
                return self._by_word[spelling]
        names = {fold(city.name): city.name for city in self.cities}
        near = difflib.get_close_matches(fold(word), list(names), 1)
        hint = f" Did you mean {names[near[0]]}?" if near else ""
        self._reader.blame(line, f'There is no city "{word}" ({where}).{hint}')
        return ""

    def _city(self, where: Where, fields: Fields) -> City:
        _check_values(self._reader, where, fields)
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
                self._reader.blame_field(where, key, says)
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
                self._reader.blame_field(where, "", says + "at, or lat and lon, for all of them or for none expected.")
            elif way == ("at",) and len(fields["at"]) == 2:
                self._points[fields["id"]] = (fields["at"][0], fields["at"][1])
            elif way == ("at",):
                says = f"{name} lies at {fields['at']}: [to the right, down] expected, as [120, 85]."
                self._reader.blame_field(where, "at", says)
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
                self._reader.blame_field(where, key, says)
            found.append(hundredths)
        self._points[fields["id"]] = (found[0], found[1])

    def _spots(self, codes: Iterable[str]) -> Mapping[str, tuple[int, int]]:
        """Return where cities are drawn, x to the right and y down, from 0."""
        if not self._points:
            return ring(tuple(codes))
        points = dict(self._points)
        if any("lat" in fields for fields in self._reader.top.get("city", ()) if isinstance(fields, dict)):
            middle = sum(y for _, y in points.values()) // (100 * len(points))
            # How much narrower a degree is here than at the equator (Bhaskara's cosine, good to 0.2 per cent).
            narrow, wide = 32_400 - 4 * middle * middle, 32_400 + middle * middle
            points = {code: (x * narrow // wide, -y) for code, (x, y) in points.items()}
        left, top = min(x for x, _ in points.values()), min(y for _, y in points.values())
        return {code: (points[code][0] - left, points[code][1] - top) if code in points else (0, 0) for code in codes}


def ring(codes: Codes) -> Mapping[str, tuple[int, int]]:
    """Return places on a ring 1000 wide, in order, clockwise from above."""
    return {code: _on_ring(8 * n, len(codes)) for n, code in enumerate(codes)}


def _on_ring(eighths: int, count: int) -> tuple[int, int]:
    """Return the point after *eighths* of *count* times an eighth of the ring, straight between its eight corners."""
    corner, rest = divmod(eighths, count)
    (x, y), (next_x, next_y) = _RING[corner % 8], _RING[(corner + 1) % 8]
    return x + (next_x - x) * rest // count, y + (next_y - y) * rest // count


# The merchandise cards of a board file, and the numbers that depend on the players: do the cards last?

CITIES_OF_A_CARD = 3  # Rule: V1.2


def read_cards(reader: BoardReader, cities: Cities, is_whole: bool) -> tuple[Merchandise, ...]:
    """Return the merchandise cards, numbered from 1 in order of the file."""
    if "cards" not in reader.table("merchandise"):
        return ()
    cards: list[Merchandise] = []
    for line, words in reader.source.content(Where("merchandise"), "cards"):
        named = [cities.named(line, word.strip(), "on a merchandise card") for word in words.split(",")]
        if len(named) != CITIES_OF_A_CARD and is_whole:
            says = f'"{words}" names {len(named)}: {CITIES_OF_A_CARD} cities with commas between them expected.'
            reader.blame(line, says)
        elif all(named) and len(set(named)) < len(named):
            reader.blame(line, f'"{words}" names a city twice.')
        cards.append(Merchandise(number=len(cards) + 1, cities=tuple(named)))
    return tuple(cards)


def read_numbers(reader: BoardReader) -> Mapping[int, Numbers]:
    """Return the numbers for each number of players: those of the rules, and what the file sets in their place."""
    written = reader.top.get("players", {})
    for name in written:
        if name not in map(str, NUMBERS):
            says = f'There are no games for "{name}" players: [players.2] to [players.6] expected.'
            reader.blame_field(Where(f"players.{name}"), "", says)
    read = {}
    for count, numbers in NUMBERS.items():
        where = Where(f"players.{count}")
        fields = (
            reader.fields(written[str(count)], where, "players", f"[players.{count}]") if str(count) in written else {}
        )
        read[count] = replace(numbers, **fields)
    return read


def check_lasting(reader: BoardReader, board: Board) -> None:
    """Blame numbers of players for which track cards, sections or merchandise cards run out.

    Those with a table of their own are blamed there, all others together where the cards are listed.
    """
    short: dict[Pair, list[str]] = {}
    for n in board.numbers:
        for what, there, needed in _short_of(board, n):
            cards = "merchandise" if what.startswith("merchandise") else "colour"
            section = f"players.{n}" if str(n) in reader.top.get("players", {}) else cards
            short.setdefault((what, section), []).append(f"{n} players need {needed} {what}, there are {there}")
    for (_, section), words in short.items():
        reader.blame_field(Where(section), "", f"{'; '.join(words)}.")


def check_cards(board: Board, players: int) -> None:
    """Raise MapError where a sketch has too few cards for that number of players."""
    short = [shortage(*each) for each in _short_of(board, players) if each[0].endswith("cards")]
    if short:
        raise MapError(board.id, tuple((0, fault) for fault in short))


def shortage(what: str, there: int, needed: int) -> str:
    """Return the sentence about cards that do not last."""
    return f"there are {there} {what}; the rest of the game needs {needed}"


def _short_of(board: Board, players: int) -> list[tuple[str, int, int]]:
    """Return (what, there, needed) of what does not last for a whole game. Rule: V8.1-V8.3, R32."""
    it = board.numbers[players]
    needs = (
        ("track cards", deck(board, it), players * it.group_size * it.rounds),
        ("track sections each", it.sections, it.group_size * it.rounds),
        ("merchandise cards", len(board.merchandise), it.setup_cards + it.rounds * it.round_cards),
    )
    return [(what, there, needed) for what, there, needed in needs if there < needed]


def deck(board: Board, numbers: Numbers) -> int:
    """Return how many track cards are played with. Rule: V2.4."""
    return len(board.colours) * (board.track_cards - numbers.remove_per_colour) - numbers.remove_random


# The colours of a board file and the links of each: ``Hamburg - Hannover 5``.

LINK = re.compile(r"(?P<a>\S.*?)\s+[-–]\s+(?P<b>\S.*?)\s+(?P<cost>\d+)")
_MOST = 99  # marks


class Links:
    """The colours and the links that could be read."""

    def __init__(self, reader: BoardReader, cities: Cities, is_whole: bool) -> None:
        self._reader, self._cities = reader, cities
        self.colours: list[LinkColour] = []
        self.links: list[Link] = []
        self._first: dict[str, int] = {}  # link to the line it stands on
        for where, fields in reader.blocks("colour"):
            if {"id", "symbol", "code"} <= fields.keys():
                self._take_colour(where, fields)
            if "links" in fields:
                for line, words in reader.source.content(where, "links"):
                    self._take_link(line, words, fields.get("id", ""))
        if is_whole:
            self._check_ends()

    def _take_colour(self, where: Where, fields: Fields) -> None:
        reader, name = self._reader, fields["id"]
        _check_values(reader, where, fields)
        for key in ("id", "symbol", "code"):
            twin = next((colour for colour in self.colours if getattr(colour, key) == fields[key]), None)
            if twin:
                says = f'Two colours have the {key} "{fields[key]}": {twin.id} has it already.'
                reader.blame_field(where, key, says)
        self.colours.append(
            LinkColour(id=name, symbol=fields["symbol"], code=fields["code"], region=fields.get("region", ""))
        )

    def _take_link(self, line: int, words: str, colour: str) -> None:
        read = LINK.fullmatch(words)
        if read is None:
            says = f'"{words}" is no link: two cities with a hyphen between spaces, and the cost expected, '
            self._reader.blame(line, says + "as Hamburg - Hannover 5.")
            return
        cost = int(read["cost"])
        if not 1 <= cost <= _MOST:
            self._reader.blame(line, f"{read['a']} - {read['b']} costs {cost}: 1 to {_MOST} marks expected.")
        a, b = (self._cities.named(line, read[end], f"in {words}") for end in ("a", "b"))
        if not (a and b):
            return
        link = Link(a=a, b=b, colour=colour, cost=cost)
        if a == b:
            self._reader.blame(line, f"{words}: a link joins two different cities.")
        elif link.id in self._first:
            says = f"{words}: these two cities are linked already, in line {self._first[link.id]}."
            self._reader.blame(line, says)
        else:
            self._first[link.id] = line
            self.links.append(link)

    def _check_ends(self) -> None:
        """Blame cities that no link touches: their cubes could never leave."""
        linked = {end for link in self.links for end in (link.a, link.b)}
        for city in self._cities.cities:
            if city.id not in linked:
                where = self._reader.block("city", "id", city.id)
                self._reader.blame_field(where, "name", f"No link touches {city.name}.")


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
    """Return the board with holes where there are faults. A sketch need not be whole: cities without links, shorter cards."""
    _check_values(reader, Where(), reader.top)
    cities = Cities(reader)
    links = Links(reader, cities, is_whole)
    board = Board(
        id=reader.top.get("id", ""),
        title=reader.top.get("title", ""),
        cities=cities.cities,
        colours=tuple(links.colours),
        links=tuple(links.links),
        merchandise=read_cards(reader, cities, is_whole),
        numbers=read_numbers(reader),
        **{name: reader.top[name] for name in BOX if name in reader.top},
    )
    if is_whole and links.colours and "cards" in reader.top.get("merchandise", {}):
        check_lasting(reader, board)
    return board


def _check_values(reader: BoardReader, where: Where, fields: Fields) -> None:
    """Blame fields that have only some values."""
    for key, (pattern, says) in shipped_table(__package__, "checks")[where.section or "top"].items():
        if key in fields and not re.fullmatch(pattern, fields[key]):
            reader.blame_field(where, key, says.format(**fields))
