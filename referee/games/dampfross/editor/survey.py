"""What Dampfross offers to mapmakers: a survey of a map, its picture, an empty sheet."""

from __future__ import annotations

from referee.core.drawing import Drawing
from referee.core.game import Atlas, Survey
from referee.games.dampfross.board.mapfile import FORMAT, read_map
from referee.games.dampfross.editor.remarks import remarks, summary
from referee.games.dampfross.editor.sheet import empty_sheet
from referee.games.dampfross.report.drawing import draw


def survey(text: str, file: str) -> Survey:
    """Return what is on a map and what a mapmaker would look at again. Raises MapError."""
    board = read_map(text, file)
    return Survey(contents=summary(board), remarks=remarks(board))


def drawing(text: str, file: str) -> Drawing:
    """Return the picture of a map before a game. Raises MapError."""
    board = read_map(text, file)
    return draw(board, {}, (), {}, board.title)


ATLAS = Atlas(survey=survey, drawing=drawing, sheet=empty_sheet, largest=(702, 999), format=FORMAT)
