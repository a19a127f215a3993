"""A board as a file, of the kind that its name's end says."""

from __future__ import annotations

from referee.core.errors import ConfigError
from referee.core.picture.drawing import Drawing
from referee.report.paper.pdf import pdf
from referee.report.png import png
from referee.report.svg import svg

PICTURES = (".svg", ".png", ".pdf")


def check_ending(suffix: str) -> None:
    """Raise ConfigError where no board can be written as a file with this ending."""
    if suffix not in PICTURES:
        read = f"{suffix} was asked for" if suffix else "a file without ending was asked for"
        raise ConfigError(f"a board is drawn as {', '.join(PICTURES)}; {read}")


def board_file(drawing: Drawing, suffix: str, width: int) -> bytes:
    """Return a board as a file: PNG, *width* pixels wide, PDF or SVG.

    Raises:
        ConfigError: another ending, or an extra that draws this kind is missing.
    """
    check_ending(suffix)
    drawn = svg(drawing)
    if suffix == ".png":
        return png(drawn, width)
    if suffix == ".pdf":
        return pdf(drawn, drawing.width, drawing.height)
    return drawn.encode()
