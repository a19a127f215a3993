"""Reads a board file (format ``volldampf-1``) into a ``Board``, or says everything that is wrong with it, line by line."""

from __future__ import annotations

import re

from referee.core.errors import MapError
from referee.core.texts import boardfields
from referee.core.texts.boardfields import BoardReader
from referee.core.texts.tomltext import Where
from referee.games.volldampf.board.board import Board
from referee.games.volldampf.board.cards import check_lasting, read_cards, read_numbers
from referee.games.volldampf.board.cities import Cities
from referee.games.volldampf.board.fields import BOX, FORMAT, TOP
from referee.games.volldampf.board.links import Links


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
