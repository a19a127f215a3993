"""What Dampfross offers to mapmakers: a survey of a map, its picture, an empty sheet."""

from __future__ import annotations

from referee.core.game import Atlas
from referee.games.dampfross.board.mapfile import FORMAT, read_map
from referee.games.dampfross.editor.remarks import remarks, summary
from referee.games.dampfross.editor.sheet import empty_sheet
from referee.games.dampfross.report.drawing import draw

ATLAS = Atlas(
    read=read_map,
    summary=summary,
    remarks=remarks,
    draw=lambda board: draw(board, {}, (), {}, board.title),
    sheet=empty_sheet,
    largest=(702, 999),
    format=FORMAT,
)
