"""Reads a board file (format ``volldampf-1``) into a ``Board``, or says everything that is wrong with it, line by line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from referee.core.errors import MapError
from referee.core.texts import boardfields
from referee.core.texts.boardfields import BoardReader
from referee.core.texts.tomltext import Where
from referee.games.volldampf.board.board import Board, Link, LinkColour, Merchandise, Numbers
from referee.games.volldampf.board.cities import Cities
from referee.games.volldampf.board.fields import (
    BOX,
    COLOUR,
    FORMAT,
    LINK_COLOURS,
    MERCHANDISE,
    NUMBERS,
    PLAYER_NUMBERS,
    SYMBOLS,
    TOP,
)

# The merchandise cards of a board file, and the numbers that depend on the players: do the cards last?

CITIES_OF_A_CARD = 3  # Rule: V1.2


def read_cards(reader: BoardReader, cities: Cities) -> tuple[Merchandise, ...]:
    """Return the merchandise cards, numbered from 1 in order of the file."""
    if "cards" not in reader.table("merchandise", MERCHANDISE):
        return ()
    cards: list[Merchandise] = []
    for line, words in reader.source.content(Where(section="merchandise"), "cards"):
        named = [cities.named(line, word.strip(), "on a merchandise card") for word in words.split(",")]
        if len(named) != CITIES_OF_A_CARD:
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
            reader.blame_field(Where(section=f"players.{name}"), "", says)
    read = {}
    for count, numbers in NUMBERS.items():
        where = Where(section=f"players.{count}")
        fields = (
            reader.fields(written[str(count)], where, PLAYER_NUMBERS, f"[players.{count}]")
            if str(count) in written
            else {}
        )
        read[count] = replace(numbers, **fields)
    return read


def check_lasting(
    reader: BoardReader, numbers: Mapping[int, Numbers], colours: int, track_cards: int, merchandise: int
) -> None:
    """Blame numbers of players for which track cards, sections or merchandise cards run out."""
    short: dict[str, dict[int, str]] = {}
    for n, it in numbers.items():
        for what, there, needed in _short_of(it, n, colours, track_cards, merchandise):
            short.setdefault(what, {})[n] = f"{n} players need {needed} {what}, there are {there}"
    for what, words in short.items():
        _blame_short(reader, words, "merchandise" if what.startswith("merchandise") else "colour")


def check_cards(board: Board, players: int) -> None:
    """Raise MapError where a sketch has too few cards for that number of players."""
    box = len(board.colour_ids), board.track_cards, len(board.merchandise)
    short = [shortage(*each) for each in _short_of(board.numbers[players], players, *box) if each[0].endswith("cards")]
    if short:
        raise MapError(board.id, tuple((0, fault) for fault in short))


def shortage(what: str, there: int, needed: int) -> str:
    """Return the sentence about cards that do not last."""
    return f"there are {there} {what}; the rest of the game needs {needed}"


def _short_of(
    it: Numbers, players: int, colours: int, track_cards: int, merchandise: int
) -> list[tuple[str, int, int]]:
    """Return (what, there, needed) of what does not last for a whole game. Rule: V8.1-V8.3, R32."""
    needs = (
        ("track cards", deck(it, colours, track_cards), players * it.group_size * it.rounds),
        ("track sections each", it.sections, it.group_size * it.rounds),
        ("merchandise cards", merchandise, it.setup_cards + it.rounds * it.round_cards),
    )
    return [(what, there, needed) for what, there, needed in needs if there < needed]


def _blame_short(reader: BoardReader, short_of: Mapping[int, str], section: str) -> None:
    """Blame the numbers of players with a table of their own there, all others together where the cards are listed."""
    own = reader.top.get("players", {})
    for count, words in short_of.items():
        if str(count) in own:
            reader.blame_field(Where(section=f"players.{count}"), "", f"{words}.")
    usual = [words for count, words in short_of.items() if str(count) not in own]
    if usual:
        reader.blame_field(Where(section=section), "", f"{'; '.join(usual)}.")


def deck(numbers: Numbers, colours: int, track_cards: int) -> int:
    """Return how many track cards are played with. Rule: V2.4."""
    return colours * (track_cards - numbers.remove_per_colour) - numbers.remove_random


# The colours of a board file and the links of each: ``Hamburg - Hannover 5``.

LINK = re.compile(r"(?P<a>\S.*?)\s+[-–]\s+(?P<b>\S.*?)\s+(?P<cost>\d+)")
_MOST = 99  # marks


class Links:
    """The colours and the links that could be read."""

    def __init__(self, reader: BoardReader, cities: Cities) -> None:
        self._reader, self._cities = reader, cities
        self.colours: list[LinkColour] = []
        self.links: list[Link] = []
        self._first: dict[str, int] = {}  # link to the line it stands on
        for where, fields in reader.blocks("colour", COLOUR):
            if {"id", "symbol", "code"} <= fields.keys():
                self._take_colour(where, fields)
            if "links" in fields:
                for line, words in reader.source.content(where, "links"):
                    self._take_link(line, words, fields.get("id", ""))
        self._check_ends()

    def _take_colour(self, where: Where, fields: Mapping[str, Any]) -> None:
        reader, name = self._reader, fields["id"]
        if name not in LINK_COLOURS:
            reader.blame_field(where, "id", f'The colour "{name}" is not known: {", ".join(LINK_COLOURS)} expected.')
        if fields["symbol"] not in SYMBOLS:
            says = f'The symbol of {name} is "{fields["symbol"]}": {", ".join(SYMBOLS)} expected.'
            reader.blame_field(where, "symbol", says)
        if not re.fullmatch("[A-Z]", fields["code"]):
            reader.blame_field(where, "code", f'The code of {name} is "{fields["code"]}": one capital letter expected.')
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
        ends = [self._cities.named(line, read[end], f"in {words}") for end in ("a", "b")]
        if all(ends):
            self._join(line, Link(a=ends[0], b=ends[1], colour=colour, cost=cost), words)

    def _join(self, line: int, link: Link, words: str) -> None:
        if link.a == link.b:
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
                plains = self._reader.top["city"]
                index = next(
                    n for n, plain in enumerate(plains) if isinstance(plain, dict) and plain.get("id") == city.id
                )
                where = Where(section="city", index=index)
                self._reader.blame_field(where, "name", f"No link touches {city.name}.")


def read_board(text: str, file: str) -> Board:
    """Return the board written in *text*; *file* is only named in faults.

    Raises:
        MapError: with every fault that was found, in order of lines.
    """
    return boardfields.read_board(text, file, TOP, "the board", _draft)


def draft_of_board(text: str, file: str) -> tuple[Board, tuple[tuple[int, str], ...]]:
    """Return an unfinished board as far as it can be read, and its faults. Raises MapError: it has no cities to be drawn."""
    board, faults = boardfields.draft_of(text, file, TOP, "the board", _draft)
    if not board.cities:
        raise MapError(file, faults)
    return board, faults


def _draft(reader: BoardReader) -> Board:
    """Return the board with holes where there are faults."""
    _check_heading(reader)
    box = {name: reader.top.get(name, usual) for name, usual in BOX.items()}
    cities = Cities(reader)
    links = Links(reader, cities)
    cards = read_cards(reader, cities)
    numbers = read_numbers(reader)
    if links.colours and "cards" in reader.top.get("merchandise", {}):
        check_lasting(reader, numbers, len(links.colours), box["track_cards"], len(cards))
    return Board(
        id=reader.top.get("id", ""),
        title=reader.top.get("title", ""),
        cities=cities.cities,
        colours=tuple(links.colours),
        links=tuple(links.links),
        merchandise=cards,
        numbers=numbers,
        **box,
    )


def _check_heading(reader: BoardReader) -> None:
    """Blame fields of the top that have only some values."""
    top, here = reader.top, Where()
    if top.get("format", FORMAT) != FORMAT:
        reader.blame_field(here, "format", f'format is "{top["format"]}": "{FORMAT}" expected.')
    if "id" in top and not re.fullmatch(r"[a-z][a-z0-9_-]*", top["id"]):
        reader.blame_field(here, "id", f'id is "{top["id"]}": small letters, digits, - and _ expected.')
