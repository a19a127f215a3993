"""The cities of a board file: names that nobody can mistake, colours, positions on paper."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from referee.core.texts.boardfields import BoardReader
from referee.core.texts.tomltext import Where
from referee.games.volldampf.board.board import CUBE_COLOURS, City
from referee.games.volldampf.board.fields import CITY

_POSITIONS = ("at", "lat", "lon", "board_lat", "board_lon")
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "o", "ł": "l"})
_RING = ((500, 0), (854, 146), (1000, 500), (854, 854), (500, 1000), (146, 854), (0, 500), (146, 146))


class Cities:
    """The cities that could be read, and how they are found by name."""

    def __init__(self, reader: BoardReader) -> None:
        self._reader = reader
        self._by_word: dict[str, str] = {}
        self._points: dict[str, tuple[int, int]] = {}
        written = [(where, fields) for where, fields in reader.blocks("city", CITY) if {"id", "name"} <= fields.keys()]
        self._check_positions(written)
        read = [self._city(where, fields) for where, fields in written]
        spots = self._spots(tuple(city.id for city in read))
        self.cities = tuple(
            City(
                id=city.id,
                name=city.name,
                colour=city.colour,
                country=city.country,
                aliases=city.aliases,
                at=spots[city.id],
            )
            for city in read
        )

    def named(self, line: int, word: str, where: str) -> str:
        """Return the id of the city that *word* names; "" after a blame where there is none."""
        for spelling in spellings(word):
            if spelling in self._by_word:
                return self._by_word[spelling]
        names = {plain(city.name): city.name for city in self.cities}
        near = difflib.get_close_matches(plain(word), list(names), 1)
        hint = f" Did you mean {names[near[0]]}?" if near else ""
        self._reader.blame(line, f'There is no city "{word}" ({where}).{hint}')
        return ""

    def _city(self, where: Where, fields: Mapping[str, Any]) -> City:
        reader, code, name = self._reader, fields["id"], fields["name"]
        if not re.fullmatch(r"[A-Z]{3}", code):
            reader.blame_field(where, "id", f'The id of {name} is "{code}": three capital letters expected, as HAM.')
        colour = fields.get("colour", CUBE_COLOURS[0])
        if colour not in CUBE_COLOURS:
            reader.blame_field(where, "colour", f'{name} is "{colour}": {", ".join(CUBE_COLOURS)} expected.')
        country = fields.get("country", "DE")
        if not re.fullmatch(r"[A-Z]{1,3}", country):
            reader.blame_field(where, "country", f'The country of {name} is "{country}": its letters expected, as DE.')
        for key, words in (("id", [code]), ("name", [name]), ("aliases", fields.get("aliases", []))):
            for word in words:
                self._take_word(where, key, word, code)
        return City(id=code, name=name, colour=colour, country=country, aliases=tuple(fields.get("aliases", ())))

    def _take_word(self, where: Where, key: str, word: str, code: str) -> None:
        """Note that a word names a city; blame it if it names another one already."""
        for spelling in spellings(word):
            owner = self._by_word.setdefault(spelling, code)
            # The same id twice cannot be told from a city that answers to its own name.
            if owner != code or (key == "id" and spelling == plain(word) and self._is_taken(where, code)):
                says = f'"{word}" names two cities: {owner} answers to it already.'
                self._reader.blame_field(where, key, says)
                return

    def _is_taken(self, where: Where, code: str) -> bool:
        blocks = self._reader.top.get("city", ())[: where.index]
        return any(isinstance(block, dict) and block.get("id") == code for block in blocks)

    def _check_positions(self, written: list[tuple[Where, dict[str, Any]]]) -> None:
        """Read where each city is drawn: all with ``at``, or all with ``lat`` and ``lon``, or none at all."""
        ways = [tuple(key for key in _POSITIONS[:3] if key in fields) for _, fields in written]
        usual = max(dict.fromkeys(ways), key=ways.count) if ways else ()
        for (where, fields), way in zip(written, ways, strict=True):
            name = fields["name"]
            if way != usual or way not in ((), ("at",), ("lat", "lon")):
                wanted = " and ".join(usual) or "nothing"
                says = f"{name} says {' and '.join(way) or 'nothing'} of where it lies, other cities {wanted}: "
                self._reader.blame_field(where, "", says + "at, or lat and lon, for all of them or for none expected.")
            elif way == ("at",):
                self._take_point(where, fields)
            elif way:
                self._take_degrees(where, fields)

    def _take_point(self, where: Where, fields: Mapping[str, Any]) -> None:
        if len(fields["at"]) != 2:
            says = f"{fields['name']} lies at {fields['at']}: [to the right, down] expected, as [120, 85]."
            self._reader.blame_field(where, "at", says)
        else:
            self._points[fields["id"]] = (fields["at"][0], fields["at"][1])

    def _take_degrees(self, where: Where, fields: Mapping[str, Any]) -> None:
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


def ring(codes: tuple[str, ...]) -> Mapping[str, tuple[int, int]]:
    """Return places on a ring 1000 wide, in order, clockwise from above."""
    return {code: _on_ring(8 * n, len(codes)) for n, code in enumerate(codes)}


def _on_ring(eighths: int, count: int) -> tuple[int, int]:
    """Return the point after *eighths* of *count* times an eighth of the ring, straight between its eight corners."""
    corner, rest = divmod(eighths, count)
    (x, y), (next_x, next_y) = _RING[corner % 8], _RING[(corner + 1) % 8]
    return x + (next_x - x) * rest // count, y + (next_y - y) * rest // count


def spellings(word: str) -> tuple[str, ...]:
    """Return the ways in which a name is written: ``köln`` also answers to ``koeln``."""
    return tuple(dict.fromkeys((plain(word), plain(word.casefold().translate(_SPELT_OUT)))))


def plain(word: str) -> str:
    """Return a word in small letters without accents and doubled spaces."""
    letters = unicodedata.normalize("NFKD", word.casefold().replace("ø", "o").replace("ł", "l"))
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())
