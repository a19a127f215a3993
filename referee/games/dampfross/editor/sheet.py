"""An empty sheet to fill in: a map file of a given size with a word on every section."""

from __future__ import annotations

from referee.core.hexes import format_column
from referee.core.texts.shipped import shipped_sheet

NUMBERED_FROM = 27  # columns: from here on postal sheets start again at A


def empty_sheet(columns: int, rows: int, name: str, title: str) -> str:
    """Return the text of a map without towns: all plains of one area, every section explained.

    *title*: without quotes, backslashes and control characters.
    """
    numbered = "numbered_grid = { letters = 26 }  # on the printed sheet AA1 is also called A" + str(rows + 1)
    return shipped_sheet(__package__).format(
        title=title,
        name=name,
        columns=columns,
        rows=rows,
        numbered=numbered if columns >= NUMBERED_FROM else "# numbered_grid = { letters = 26 }",
        grid=_grid(columns, rows),
    )


def _grid(columns: int, rows: int) -> str:
    margin = len(str(rows))
    head = " " * (margin + 1) + "".join(f"{format_column(column):>3}" for column in range(columns))
    return "\n".join([head, *(f"{row:>{margin}}:{' H.' * columns}" for row in range(1, rows + 1))])
