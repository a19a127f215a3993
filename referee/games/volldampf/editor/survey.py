"""What Volldampf offers to boardmakers: a survey of a board, its picture, an empty board file."""

from __future__ import annotations

from referee.core.game import Atlas
from referee.games.volldampf.board.boardfile import read_board
from referee.games.volldampf.board.fields import FORMAT
from referee.games.volldampf.editor.remarks import remarks, summary
from referee.games.volldampf.editor.sheet import LARGEST, empty_board
from referee.games.volldampf.report.drawing import draw_board

ATLAS = Atlas(
    read=read_board,
    summary=summary,
    remarks=remarks,
    draw=draw_board,
    sheet=empty_board,
    largest=LARGEST,
    format=FORMAT,
    unit="millimetres",
)
