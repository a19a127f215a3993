"""Drawings as SVG: the same drawing gives the same bytes. Whole numbers only, every word escaped, no script, no links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import escape
from itertools import groupby, pairwise

from referee.core.picture.drawing import Circle, Drawing, Layer, Line, Point, Polygon, Shape, Style, Text
from referee.report.html import TIE
from referee.report.lettering import FAMILY

LAYERS = 64  # whose text is kept
FONTS = f"{FAMILY},Helvetica,Arial,sans-serif"


def svg(drawing: Drawing) -> str:
    """Return the drawing as an SVG document that scales to any width."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {drawing.width} {drawing.height}" role="img" '
        f'font-family={_quoted(FONTS)} stroke-linejoin="round">'
    )
    parts = ['<?xml version="1.0" encoding="UTF-8"?>', head, f"<title>{_clean(drawing.title)}</title>"]
    if drawing.description:
        parts.append(f"<desc>{_clean(drawing.description)}</desc>")
    parts.append(f'<rect width="{drawing.width}" height="{drawing.height}" fill={_quoted(drawing.background)}/>')
    parts += _painted(drawing.parts, titled=True)
    return "\n".join([*parts, "</svg>", ""])


def elements(parts: Iterable[Shape | Layer], *, titled: bool = True) -> str:
    """Return the elements of parts of a drawing, without the document around them.

    *titled*: with the titles of shapes; without them surfaces share elements, which a program shows in half the time.
    """
    return "\n".join(_painted(parts, titled=titled))


def _painted(parts: Iterable[Shape | Layer], *, titled: bool) -> Iterator[str]:
    shapes: list[Shape] = []
    for part in parts:
        if isinstance(part, Layer):
            yield from _grouped(shapes, titled=titled)
            yield _layer(part, titled=titled)
            shapes = []
        else:
            shapes.append(part)
    yield from _grouped(shapes, titled=titled)


@lru_cache(maxsize=LAYERS)
def _layer(layer: Layer, *, titled: bool) -> str:
    return "\n".join(_grouped(layer.shapes, titled=titled))


def _grouped(shapes: Iterable[Shape], *, titled: bool) -> Iterator[str]:
    """Yield neighbours of the same look as one group: the look is written once, the order of painting is kept."""
    for look, members in groupby(shapes, key=_look):
        body = "\n".join(_bodies(members, titled=titled))
        yield f"<g{look}>{body}</g>"


def _bodies(shapes: Iterable[Shape], *, titled: bool) -> Iterator[str]:
    """Yield elements. Lines without titles that follow each other share one path, and where no titles are wanted surfaces do."""
    for shared, members in groupby(shapes, key=lambda shape: _shares(shape, titled=titled)):
        if shared:
            yield f'<path d="{"".join(map(_outline, members))}"/>'
        else:
            yield from (_element(shape, titled=titled) for shape in members)


def _shares(shape: Shape, *, titled: bool) -> bool:
    if isinstance(shape, Line):
        return not (titled and shape.title)
    return isinstance(shape, Polygon) and not titled and not (shape.style.stroke and shape.style.width)


def _outline(shape: Shape) -> str:
    """Return the path of a line, or of a polygon clockwise: two in one path that overlap would else leave a hole."""
    assert isinstance(shape, Line | Polygon)
    points = shape.points
    if isinstance(shape, Line):
        return _course(points)
    doubled = sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in pairwise((*points, points[0])))
    return _course(points if doubled >= 0 else points[::-1]) + "z"


def _element(shape: Shape, *, titled: bool) -> str:
    if isinstance(shape, Text):
        return f'<text x="{shape.at[0]}" y="{shape.at[1]}">{_clean(shape.text)}</text>'
    title = shape.title if titled else ""
    if isinstance(shape, Circle):
        return _titled(f'circle cx="{shape.at[0]}" cy="{shape.at[1]}" r="{shape.radius}"', "circle", title)
    close = "z" if isinstance(shape, Polygon) else ""
    return _titled(f'path d="{_course(shape.points)}{close}"', "path", title)


def _titled(tag: str, name: str, title: str) -> str:
    return f"<{tag}><title>{_clean(title)}</title></{name}>" if title else f"<{tag}/>"


def _course(points: tuple[Point, ...]) -> str:
    """Return path commands through the points, relative after the first: that is shorter."""
    (x, y), rest = points[0], points[1:]
    text = f"M{x} {y}"
    for next_x, next_y in rest:
        dx, dy = next_x - x, next_y - y
        if dy == 0:
            text += f"h{dx}"
        elif dx == 0:
            text += f"v{dy}"
        else:
            text += f"l{dx} {dy}" if dy >= 0 else f"l{dx}{dy}"
        x, y = next_x, next_y
    return text


def _look(shape: Shape) -> str:
    """Return the attributes that neighbours may share."""
    if isinstance(shape, Text):
        return _text_look(shape.size, shape.fill, shape.anchor, shape.bold, shape.italic, shape.halo)
    return _style_look(shape.style, solid=not isinstance(shape, Line))


@lru_cache(maxsize=512)
def _style_look(style: Style, *, solid: bool) -> str:
    text = f" fill={_quoted(style.fill or 'none') if solid else _quoted('none')}"
    if style.stroke and style.width:
        text += f' stroke={_quoted(style.stroke)} stroke-width="{style.width}"'
        if style.dash:
            text += f' stroke-dasharray="{" ".join(map(str, style.dash))}"'
        elif not solid:
            text += ' stroke-linecap="round"'
    if style.opacity == 100:
        return text
    both = solid and style.fill and style.stroke and style.width
    # A whole element that lets through what is below costs each program that shows it a picture of its own; paint does not.
    return f'{text} {"" if both else "fill-" if solid else "stroke-"}opacity=".{style.opacity:02}"'


@lru_cache(maxsize=512)
def _text_look(size: int, fill: str, anchor: str, bold: bool, italic: bool, halo: bool) -> str:
    text = f' font-size="{size}" fill={_quoted(fill)}'
    if anchor != "start":
        text += f" text-anchor={_quoted(anchor)}"
    if bold:
        text += ' font-weight="bold"'
    if italic:
        text += ' font-style="italic"'
    if halo:
        width = max(2, size // 6)
        text += f' stroke="#ffffff" stroke-width="{width}" stroke-opacity=".85" paint-order="stroke"'
    return text


def _clean(words: str) -> str:
    """Return words as XML text: escaped, without the characters XML cannot hold; a tie, which is not printable, is a blank."""
    words = words.replace(TIE, " ")
    return escape(words if words.isprintable() else "".join(filter(str.isprintable, words)), quote=False)


def _quoted(words: str) -> str:
    return f'"{escape(words)}"'
