"""Drawings as SVG, and made into files by libraries, in a process of its own: one that hurts the library hurts nothing else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from html import escape
from importlib.util import find_spec
from itertools import groupby, pairwise
from pathlib import Path

from referee.core import ConfigError, RefereeError, Texts, Value, how_to_install, process_wanted
from referee.core.picture import Circle, Drawing, Layer, Line, Points, Polygon, Shape, Style, Text
from referee.core.picture.closeup import map_of

from .html import TIE

PATIENCE = 60  # seconds


class NotInstalled(ConfigError):
    """The extra that draws a kind of file is not installed."""


def has_pdf() -> bool:
    """Return whether the extra that makes PDFs is installed."""
    return bool(find_spec("typst"))


def set_pdf(program: str, told: str, *arguments: object, instead: str = "or ask for an .svg") -> bytes:
    """Return the PDF that *program*, in Python, writes when it reads what it is *told*; its last argument is our FOLDER.

    *instead*: what people can have where the extra is missing.

    Raises:
        NotInstalled: it is.
        RefereeError: the program failed or took too long; MachineShort: it could not be begun.
    """
    command = [sys.executable, "-I", "-c", program, *map(str, (*arguments, FOLDER))]
    failed = "The board was not drawn as PDF"
    try:
        with process_wanted():
            done = subprocess.run(  # noqa: S603 - the command is ours alone; the drawing goes in by the pipe
                command, input=told.encode("utf-8"), capture_output=True, timeout=PATIENCE, check=False
            )
    except subprocess.TimeoutExpired as error:
        raise RefereeError(f"{failed}: the renderer took over {PATIENCE} seconds.") from error
    if done.returncode == 0 and done.stdout.startswith(b"%PDF"):
        return done.stdout
    said = done.stderr.decode("utf-8", "replace").strip()
    if "No module named 'typst'" in said:
        lacking = f"need the extra pdf, which is not installed: {how_to_install('pdf')}, {instead}"
        raise NotInstalled(f"boards and newsletters as PDF {lacking}")
    raise RefereeError(f"{failed}: {said.splitlines()[-1] if said else 'the renderer ended early'}.")


# The lettering of pictures and pages, shipped with us, so that a board looks the same on every machine.

FOLDER = Path(__file__).parent / "fonts"
FAMILY = "DejaVu Sans"


# Drawings as SVG: the same drawing gives the same bytes. Whole numbers only, every word escaped, no script, no links.

LAYERS = 64  # whose text is kept
FONTS = f"{FAMILY},Helvetica,Arial,sans-serif"
SERIF = "Gelasio,Georgia,serif"


def svg(drawing: Drawing) -> str:
    """Return the drawing as an SVG document that scales to any width."""
    x, y, width, height = drawing.left, drawing.top, drawing.width, drawing.height
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {width} {height}" role="img" '
        f'font-family={_quote(FONTS)} stroke-linejoin="round">'
    )
    parts = ['<?xml version="1.0" encoding="UTF-8"?>', head, f"<title>{_clean(drawing.title)}</title>"]
    if drawing.description:
        parts.append(f"<desc>{_clean(drawing.description)}</desc>")
    corner = f' x="{x}" y="{y}"' if x or y else ""
    parts.append(f'<rect{corner} width="{width}" height="{height}" fill={_quote(drawing.background)}/>')
    parts += _paint(drawing.parts, titled=True)
    return "\n".join([*parts, "</svg>", ""])


def elements(parts: Iterable[Shape | Layer], *, titled: bool = True) -> str:
    """Return the elements of parts of a drawing, without the document around them.

    *titled*: with the titles of shapes; without them surfaces share elements, which a program shows in half the time.
    """
    return "\n".join(_paint(parts, titled=titled))


def _paint(parts: Iterable[Shape | Layer], *, titled: bool) -> Iterator[str]:
    shapes: list[Shape] = []
    for part in parts:
        if isinstance(part, Layer):
            yield from _group(shapes, titled=titled)
            yield _layer(part, titled=titled)
            shapes = []
        else:
            shapes.append(part)
    yield from _group(shapes, titled=titled)


@lru_cache(maxsize=LAYERS)
def _layer(layer: Layer, *, titled: bool) -> str:
    return "\n".join(_group(layer.shapes, titled=titled))


def _group(shapes: Iterable[Shape], *, titled: bool) -> Iterator[str]:
    """Yield neighbours of the same look as one group: the look is written once, the order of painting is kept."""
    for look, members in groupby(shapes, key=look_of):
        body = "\n".join(_bodies(members, titled=titled))
        yield f"<g{look}>{body}</g>"


def _bodies(shapes: Iterable[Shape], *, titled: bool) -> Iterator[str]:
    """Yield elements. Lines without titles that follow each other share one path, and where no titles are wanted surfaces do."""
    for shared, members in groupby(shapes, key=lambda shape: _shares(shape, titled=titled)):
        if shared:
            yield f'<path d="{"".join(_course(outline_of(each)) + "z" * isinstance(each, Polygon) for each in members)}"/>'
        else:
            yield from (_element(shape, titled=titled) for shape in members)


def _shares(shape: Shape, *, titled: bool) -> bool:
    if isinstance(shape, Line):
        return not (titled and shape.title)
    return isinstance(shape, Polygon) and not titled and not (shape.style.stroke and shape.style.width)


def outline_of(shape: Shape) -> Points:
    """Return the points of a line, or of a polygon clockwise: two in one path that overlap would else leave a hole."""
    assert isinstance(shape, Line | Polygon)
    points = shape.points
    if isinstance(shape, Line):
        return points
    doubled = sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in pairwise((*points, points[0])))
    return points if doubled >= 0 else points[::-1]


def _element(shape: Shape, *, titled: bool) -> str:
    if isinstance(shape, Text):
        return f'<text x="{shape.at[0]}" y="{shape.at[1]}">{_clean(shape.text)}</text>'
    title = shape.title if titled else ""
    if isinstance(shape, Circle):
        return _title(f'circle cx="{shape.at[0]}" cy="{shape.at[1]}" r="{shape.radius}"', "circle", title)
    close = "z" if isinstance(shape, Polygon) else ""
    return _title(f'path d="{_course(shape.points)}{close}"', "path", title)


def _title(tag: str, name: str, title: str) -> str:
    return f"<{tag}><title>{_clean(title)}</title></{name}>" if title else f"<{tag}/>"


def _course(points: Points) -> str:
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


def look_of(shape: Shape) -> str:
    """Return the attributes that neighbours may share."""
    if isinstance(shape, Text):
        return _textlook_of(shape.but(at=(0, 0), text=""))
    return _stylelook_of(shape.style, solid=not isinstance(shape, Line))


@lru_cache(maxsize=512)
def _stylelook_of(style: Style, *, solid: bool) -> str:
    text = f" fill={_quote(style.fill or 'none') if solid else _quote('none')}"
    if style.stroke and style.width:
        text += f' stroke={_quote(style.stroke)} stroke-width="{style.width}"'
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
def _textlook_of(words: Text) -> str:
    text = f' font-size="{words.size}" fill={_quote(words.fill)}'
    if words.serif:
        text += f" font-family={_quote(SERIF)}"
    if words.anchor != "start":
        text += f" text-anchor={_quote(words.anchor)}"
    if words.bold:
        text += ' font-weight="bold"'
    if words.italic:
        text += ' font-style="italic"'
    if words.halo:
        width = max(2, words.size // 6)
        text += f' stroke="#ffffff" stroke-width="{width}" stroke-opacity=".85" paint-order="stroke"'
    return text


def printable(words: str) -> str:
    """Return words without the characters XML cannot hold; a tie, which is not printable, is a blank."""
    words = words.replace(TIE, " ")
    return words if words.isprintable() else "".join(filter(str.isprintable, words))


def _clean(words: str) -> str:
    return escape(printable(words), quote=False)


def _quote(words: str) -> str:
    return f'"{escape(words)}"'


# The drawings of all turns as one picture: what they have in common is there once, the rest with the turns that show it.


class Reel(Value):
    """``svg``: elements for a picture of that size from ``top`` on; a group with ``data-from`` and ``data-to`` belongs to these
    frames alone, the first of which is 0.
    """

    width: int
    height: int
    top: int
    background: str
    svg: str


def reel(drawings: Sequence[Drawing]) -> Reel:
    """Return one picture for all drawings, a frame each, without lettering too fine for a screen and what is told below maps."""
    drawings = [map_of(each.for_screen) for each in drawings]
    frames = [_segments(each) for each in drawings]
    if len({len(each) for each in frames}) > 1:  # not the same layers: nothing is taken together
        frames = [("".join(each),) for each in frames]
    return Reel(
        width=max(each.width for each in drawings),
        height=max(each.top + each.height for each in drawings) - (top := min(each.top for each in drawings)),
        top=top,
        background=drawings[0].background,
        svg="\n".join(_column(column) for column in zip(*frames, strict=True)),
    )


def _segments(drawing: Drawing) -> Texts:
    """Return the elements of a drawing in the order of painting: before, of and behind each layer."""
    found: list[str] = []
    loose: list[Shape] = []
    for part in drawing.parts:
        if isinstance(part, Layer):
            found += [elements(loose), elements([part])]
            loose = []
        else:
            loose.append(part)
    return (*found, elements(loose))


def _column(segments: Sequence[str]) -> str:
    """Return what stands in one place of the order of painting."""
    if len(set(segments)) == 1:
        return segments[0]
    pieces, first = [], 0
    for text, same in groupby(segments):
        last = first + len(list(same)) - 1
        if text:
            pieces.append(f'<g data-from="{first}" data-to="{last}">{text}</g>')
        first = last + 1
    return "\n".join(pieces)
