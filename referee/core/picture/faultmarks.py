"""The picture of an unfinished board: each fault by its number, where it lies and in words below."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from referee.core.picture.drawing import Circle, Drawing, Point, Polygon, Shape, Style, Text, pen
from referee.core.picture.labels import text_width, truncate
from referee.core.picture.shades import INK, WHITE
from referee.core.picture.shapes import centre_text, rectangle

Fault = tuple[int, str]  # its line in the file, 0 where it has none, and a sentence
Spots = Callable[[str], tuple[Point, ...]]  # a sentence to where on the sheet that lies which it names

RED = "#c8102e"
_RADIUS, _RING, _ROW, _SIZE = 24, 62, 50, 28
_MOST = 60  # sentences; the last line says how many more there are


def with_faults(drawing: Drawing, faults: tuple[Fault, ...], spots: Spots) -> Drawing:
    """Return a drawing with its faults marked and listed below it."""
    marks = [shape for number, (_, words) in enumerate(faults, 1) for shape in _marks(str(number), spots(words))]
    told = [(f"{line}: {words}" if line else words) for line, words in faults[:_MOST]]
    rows = [row for number, words in enumerate(told, 1) for row in _rows(str(number), words, drawing.width - 220)]
    if len(faults) > _MOST:
        rows.append(("", f"… {len(faults) - _MOST}"))
    top, height = drawing.height, _ROW * len(rows) + 30
    frame = Polygon(rectangle((40, top, drawing.width - 40, top + height)), Style(fill=WHITE, stroke=RED, width=5))
    below: list[Shape] = [frame]
    for n, (number, words) in enumerate(rows, 1):
        y = top + _ROW * n - 8
        below += _number((80, y), number)
        below.append(Text((125, y + 10), words, _SIZE, INK, "start"))
    return replace(drawing, height=top + height + 30, parts=(*drawing.parts, *marks, *below))


def _rows(number: str, words: str, width: int) -> Iterator[tuple[str, str]]:
    """Yield words in lines of a width, the number before the first."""
    line = ""
    for word in words.split():
        longer = f"{line} {word}".strip()
        if line and text_width(longer, _SIZE) > width:
            yield number, truncate(line, _SIZE, width)
            number, longer = "", word
        line = longer
    yield number, truncate(line, _SIZE, width)


def _marks(number: str, at: tuple[Point, ...]) -> Iterator[Shape]:
    yield from (Circle(each, _RING, pen(RED, 7)) for each in at)
    for x, y in at[:1]:
        yield from _number((x + _RING * 7 // 10, y - _RING * 7 // 10), number)


def _number(at: Point, number: str) -> Iterator[Shape]:
    if number:
        yield Circle(at, _RADIUS, Style(fill=RED, stroke=WHITE, width=3))
        yield centre_text(at, number, 26, WHITE)
