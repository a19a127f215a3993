"""What Dampfross offers to mapmakers: a survey of a map, its picture, an empty sheet."""

from __future__ import annotations

import re

from referee.core.game import Atlas
from referee.core.hexes import parse_hex
from referee.core.picture.drawing import Point
from referee.core.regex import regex
from referee.games.dampfross.board.mapfile import FORMAT, draft_of_map, read_map
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.editor.remarks import remarks, summary
from referee.games.dampfross.editor.sheet import empty_sheet
from referee.games.dampfross.report.drawing import draw
from referee.games.dampfross.report.picture.layout import middle

_HEX = regex(r"(?<![A-Za-z])([A-Z]{1,2}[1-9]\d{0,2})(?!\w)")


def spots(board: RailMap, words: str) -> tuple[Point, ...]:
    """Return the middles of the hexes that the sentence of a fault names, by themselves or by what lies in them."""
    named = {each.name: each.hex for each in board.stations} | {each.name: each.hex for each in board.junctions}
    labels = [label for label in _HEX.findall(words) if _is_on(board, label)]
    labels = labels or [label for name, label in named.items() if name and re.search(rf"\b{re.escape(name)}\b", words)]
    return tuple(middle(label) for label in dict.fromkeys(labels))


def _is_on(board: RailMap, label: str) -> bool:
    column, row = parse_hex(label)
    return column < board.columns and row < board.rows


ATLAS = Atlas(
    read=read_map,
    summary=summary,
    remarks=remarks,
    draw=lambda board: draw(board, {}, (), {}, board.title),
    sheet=empty_sheet,
    largest=(702, 999),
    draft=draft_of_map,
    spots=spots,
    format=FORMAT,
)
