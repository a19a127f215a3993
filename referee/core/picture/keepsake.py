"""A board as a coloured sheet for a wall, in the proportions of A3; its smallest lettering has 6 pt there."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from referee.core.picture.drawing import Drawing, Layer, Shape, Text, Translate
from referee.core.picture.shades import INK
from referee.core.texts.wording import N_

WON = N_("{title}: won by {names}")

A3 = 297, 420  # millimetres
_LEAST, _POINT = 6, 25.4 / 72  # points, and how many millimetres one is
_MARGIN, _BELOW = 90, 330  # units around the board, and below it


def keepsake(drawn: Drawing, winners: Iterable[str], translate: Translate, below: Iterable[Shape] = ()) -> Drawing:
    """Return a board as such a sheet, with the names of those who won, if any; *below*: what stands there besides, around the
    middle of the board's lower edge.
    """
    wide, high = drawn.width + 2 * _MARGIN, drawn.height + _MARGIN + _BELOW
    short, long = A3 if high >= wide else A3[::-1]
    width, height = max(wide, -(-high * short // long)), max(high, -(-wide * long // short))
    least = round(_LEAST * _POINT * max(width, height) / max(A3)) + 1
    names = ", ".join(winners)
    told = translate(WON).format(title=drawn.title, names=names) if names else drawn.title
    foot = Text((drawn.left + drawn.width // 2, drawn.top + drawn.height + 110), told, 84, INK, serif=True)

    def larger(shape: Shape) -> Shape:
        return replace(shape, size=least) if isinstance(shape, Text) and shape.size < least else shape

    kept = (part for part in drawn.parts if not (isinstance(part, Layer) and part.fine))
    return replace(
        drawn,
        left=drawn.left - (width - drawn.width) // 2,
        top=drawn.top - _MARGIN - (height - high) // 2,
        width=width,
        height=height,
        parts=tuple(
            Layer(shapes=tuple(map(larger, part.shapes))) if isinstance(part, Layer) else larger(part)
            for part in (*kept, foot, *below)
        ),
        title=told,
        needs_fine=False,
        focus=None,
    )
