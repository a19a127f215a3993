"""The picture of an unfinished board: each fault by its number, where it lies and in words below."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from referee.core.picture.drawing import Circle, Drawing, Point, Polygon, Shape, Style, Text
from referee.core.picture.placing import fitted, text_width

Fault = tuple[int, str]  # its line in the file, 0 where it has none, and a sentence
Spots = Callable[[str], tuple[Point, ...]]  # a sentence to where on the sheet that lies which it names

RED, WHITE, INK = "#c8102e", "#ffffff", "#1d1d1b"
_RADIUS, _RING, _ROW, _SIZE = 24, 62, 50, 28
_MOST = 60  # sentences; the last line says how many more there are


def with_faults(drawing: Drawing, faults: tuple[Fault, ...], spots: Spots) -> Drawing:
    """Return a drawing with its faults marked and listed below it."""
    marks = tuple(shape for number, (_, words) in enumerate(faults, 1) for shape in _marks(number, spots(words)))
    told = [(f"{line}: {words}" if line else words) for line, words in faults[:_MOST]]
    lines = [(number, line) for number, words in enumerate(told, 1) for line in _lines(words, drawing.width - 220)]
    if len(faults) > _MOST:
        lines.append((0, f"… {len(faults) - _MOST}"))
    below = tuple(_listed(lines, drawing))
    return replace(drawing, height=drawing.height + _ROW * len(lines) + 60, parts=(*drawing.parts, *marks, *below))


def _lines(words: str, width: int) -> list[str]:
    """Return words in lines of a width."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, _SIZE) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return [fitted(line, _SIZE, width) for line in lines]


def _marks(number: int, at: tuple[Point, ...]) -> Iterator[Shape]:
    for n, (x, y) in enumerate(at):
        yield Circle(at=(x, y), radius=_RING, style=Style(stroke=RED, width=7))
        if not n:
            yield from _number((x + _RING * 7 // 10, y - _RING * 7 // 10), number)


def _number(at: Point, number: int) -> Iterator[Shape]:
    yield Circle(at=at, radius=_RADIUS, style=Style(fill=RED, stroke=WHITE, width=3))
    yield Text(at=(at[0], at[1] + 9), text=str(number), size=26, fill=WHITE, bold=True)


def _listed(lines: list[tuple[int, str]], drawing: Drawing) -> Iterator[Shape]:
    top, width = drawing.height, drawing.width
    corners = ((40, top), (width - 40, top), (width - 40, top + _ROW * len(lines) + 30))
    edge = Style(fill=WHITE, stroke=RED, width=5)
    yield Polygon(points=(*corners, (40, corners[-1][1])), style=edge)
    before = 0
    for row, (number, words) in enumerate(lines, 1):
        y = top + _ROW * row - 8
        if number > before:
            yield from _number((80, y), number)
            before = number
        yield Text(at=(125, y + 10), text=words, size=_SIZE, fill=INK, anchor="start")
