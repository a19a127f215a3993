"""The colours of a board file and the links of each: ``Hamburg - Hannover 5``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from referee.core.texts.boardfields import BoardReader
from referee.core.texts.tomltext import Where
from referee.games.volldampf.board.board import Link, LinkColour
from referee.games.volldampf.board.cities import Cities
from referee.games.volldampf.board.fields import COLOUR, LINK_COLOURS, SYMBOLS

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
