"""An empty board file to fill in, with a word on every section."""

from __future__ import annotations

from referee.core.texts.shipped import shipped_sheet

LARGEST = (9999, 9999)  # of a printed board, in millimetres or any other unit


def empty_board(columns: int, rows: int, name: str, title: str) -> str:
    """Return the text of a board with two cities, every section explained.

    *columns*, *rows*: the size of the sheet in the units of ``at``; *title*: without quotes, backslashes, control characters.
    """
    return shipped_sheet(__package__).format(
        title=title,
        name=name,
        width=columns,
        height=rows,
        left=columns // 4,
        right=columns * 3 // 4,
        top=rows // 4,
        bottom=rows * 3 // 4,
    )
