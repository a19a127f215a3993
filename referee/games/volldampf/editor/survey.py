"""What Volldampf offers to boardmakers: a survey of a board, its picture, an empty board file."""

from __future__ import annotations

from referee.core.drawing import Drawing
from referee.core.game import Atlas, Survey
from referee.games.volldampf.board.boardfile import read_board
from referee.games.volldampf.board.fields import FORMAT
from referee.games.volldampf.editor.remarks import remarks, summary
from referee.games.volldampf.editor.sheet import LARGEST, empty_board
from referee.games.volldampf.report.drawing import draw_board


def survey(text: str, file: str) -> Survey:
    """Return what is on a board and what its maker would look at again. Raises MapError."""
    board = read_board(text, file)
    return Survey(contents=summary(board), remarks=remarks(board))


def drawing(text: str, file: str) -> Drawing:
    """Return the picture of a board before a game. Raises MapError."""
    return draw_board(read_board(text, file))


ATLAS = Atlas(survey=survey, drawing=drawing, sheet=empty_board, largest=LARGEST, format=FORMAT, unit="millimetres")
