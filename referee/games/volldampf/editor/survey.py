"""What Volldampf offers to boardmakers: a survey of a board, its picture, an empty board file."""

from __future__ import annotations

import re

from referee.core.game import Atlas
from referee.core.picture.drawing import Point
from referee.games.volldampf.board.board import Board
from referee.games.volldampf.board.boardfile import draft_of_board, read_board
from referee.games.volldampf.board.fields import FORMAT
from referee.games.volldampf.editor.remarks import remarks, summary
from referee.games.volldampf.editor.sheet import LARGEST, empty_board
from referee.games.volldampf.report.drawing import draw_board
from referee.games.volldampf.report.picture.layout import lay_out


def spots(board: Board, words: str) -> tuple[Point, ...]:
    """Return where the cities lie that the sentence of a fault names."""
    sheet = lay_out(board)
    return tuple(
        sheet.spots[city.id]
        for city in board.cities
        if any(name and re.search(rf"\b{re.escape(name)}\b", words) for name in (city.name, city.id))
    )


ATLAS = Atlas(
    read=read_board,
    summary=summary,
    remarks=remarks,
    draw=draw_board,
    sheet=empty_board,
    largest=LARGEST,
    draft=draft_of_board,
    spots=spots,
    format=FORMAT,
    unit="millimetres",
)
