"""A drawing made into a file by a library, in a process of its own: one that hurts the library hurts nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from html import escape
from importlib.util import find_spec
from itertools import groupby, pairwise, takewhile
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from referee.cache import NOTHING_KEPT, Cache
from referee.core.errors import ConfigError, RefereeError, how_to_install, process_wanted
from referee.core.picture.drawing import Circle, Drawing, Layer, Line, Point, Polygon, Shape, Style, Text
from referee.core.values import Value
from referee.report.html import TIE

PATIENCE = 60  # seconds


class NotInstalled(ConfigError):
    """The extra that draws a kind of file is not installed."""


class Renderer(Value):
    """A kind of file: its ``name``, how what its programs write must ``begin``, the ``extra`` of ours that draws it with the
    ``libraries`` it needs, and how people call what is drawn (``what``).
    """

    name: str
    begin: bytes
    extra: str
    libraries: tuple[str, ...]
    what: str

    @property
    def is_installed(self) -> bool:
        return all(find_spec(library) is not None for library in self.libraries)

    def render(self, program: str, told: str, arguments: Sequence[object]) -> bytes:
        """Return what *program*, in Python, writes when it reads what it is *told*.

        Raises:
            NotInstalled: the extra is missing.
            RefereeError: the renderer failed or took too long; MachineShort: it could not be begun.
        """
        command = [sys.executable, "-I", "-c", program, *map(str, arguments)]
        failed = f"The board was not drawn as {self.name}"
        try:
            with process_wanted():
                done = subprocess.run(  # noqa: S603 - the command is ours alone; the drawing goes in by the pipe
                    command, input=told.encode("utf-8"), capture_output=True, timeout=PATIENCE, check=False
                )
        except subprocess.TimeoutExpired as error:
            raise RefereeError(f"{failed}: the renderer took over {PATIENCE} seconds.") from error
        if done.returncode == 0 and done.stdout.startswith(self.begin):
            return done.stdout
        said = done.stderr.decode("utf-8", "replace").strip()
        if any(f"No module named '{each}'" in said for each in self.libraries):
            lacking = f"need the extra {self.extra}, which is not installed"
            raise NotInstalled(f"{self.what} {lacking}: {how_to_install(self.extra)}, or ask for an .svg")
        raise RefereeError(f"{failed}: {said.splitlines()[-1] if said else 'the renderer ended early'}.")


# The lettering of pictures and pages: DejaVu, shipped with us, so that a board looks the same on every machine.

FOLDER = Path(__file__).parent / "fonts"
FAMILY = "DejaVu Sans"


# Drawings as SVG: the same drawing gives the same bytes. Whole numbers only, every word escaped, no script, no links.

LAYERS = 64  # whose text is kept
FONTS = f"{FAMILY},Helvetica,Arial,sans-serif"


def svg(drawing: Drawing) -> str:
    """Return the drawing as an SVG document that scales to any width."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {drawing.width} {drawing.height}" role="img" '
        f'font-family={_quote(FONTS)} stroke-linejoin="round">'
    )
    parts = ['<?xml version="1.0" encoding="UTF-8"?>', head, f"<title>{_clean(drawing.title)}</title>"]
    if drawing.description:
        parts.append(f"<desc>{_clean(drawing.description)}</desc>")
    parts.append(f'<rect width="{drawing.width}" height="{drawing.height}" fill={_quote(drawing.background)}/>')
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
        return _title(f'circle cx="{shape.at[0]}" cy="{shape.at[1]}" r="{shape.radius}"', "circle", title)
    close = "z" if isinstance(shape, Polygon) else ""
    return _title(f'path d="{_course(shape.points)}{close}"', "path", title)


def _title(tag: str, name: str, title: str) -> str:
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
def _text_look(size: int, fill: str, anchor: str, bold: bool, italic: bool, halo: bool) -> str:
    text = f' font-size="{size}" fill={_quote(fill)}'
    if anchor != "start":
        text += f" text-anchor={_quote(anchor)}"
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


def _quote(words: str) -> str:
    return f'"{escape(words)}"'


# SVG to PNG with resvg, in a process of its own: a drawing that hurts the renderer hurts nothing else.
#
# It writes with our lettering alone: the same board gives the same bytes, whatever fonts a machine has.

WIDEST = 4000
NARROWEST = 16
LETTER_WIDTH = 1000  # pixels, of a picture in a letter: sharp on a telephone, which shows it 375 wide
SHADES = 48  # colours of such a picture: with 64 some are over 160 kB
PACKED = 7  # of 9: what is above takes five times as long and saves 4 % of the bytes

_STEP = 1000  # units of a drawing
_BRIGHT = 96  # of 255, between the strongest and the weakest part of a colour
_TONES = (0.75, 0.5)
_WHITE, _INK = "#ffffff", "#1d1d1b"

# Run in the other process, for any number of pictures: in as JSON [SVG text, width, height, colours, the PNG that lies below];
# PNGs out, each on a line. PNGs are in base64; with colours named, a picture is in these alone; with a height, cut off there.
_RENDER = """
import base64, io, json, sys
import resvg_py
fonts = {"font_dirs": [sys.argv[1]], "skip_system_fonts": True}
for svg, width, height, colours, ground in json.load(sys.stdin.buffer):
    picture = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, **fonts))
    if colours or ground:
        from PIL import Image
        drawn = Image.open(io.BytesIO(picture))
        if ground:
            sheet = Image.open(io.BytesIO(base64.b64decode(ground))).convert("RGB")
            sheet.paste(drawn, mask=drawn)
            drawn = sheet.crop((0, 0, width, height))
        if colours:
            tones = bytes.fromhex("".join(each[1:] for each in colours))
            palette = Image.new("P", (1, 1))
            palette.putpalette(tones + tones[:3] * (256 - len(colours)))
            drawn = drawn.convert("RGB").quantize(palette=palette, dither=Image.Dither.NONE)
        packed = io.BytesIO()
        drawn.save(packed, "PNG", compress_level=int(sys.argv[2]))
        picture = packed.getvalue()
    print(base64.b64encode(picture).decode())
"""
_PNG = Renderer(
    name="PNG",
    begin=base64.b64encode(b"\x89PNG\r\n\x1a\n\0"),
    extra="png",
    libraries=("resvg_py", "PIL"),
    what="pictures as PNG",
)


class _Wanted(NamedTuple):
    """A picture as ``_RENDER`` is asked for it."""

    svg: str
    width: int  # pixels
    height: int = 0  # pixels
    colours: tuple[str, ...] = ()
    ground: str = ""  # base64


def png(svg_text: str, width: int) -> bytes:
    """Return the picture as PNG, *width* pixels wide (between NARROWEST and WIDEST, whatever is asked).

    Raises:
        ConfigError, RefereeError: as ``Renderer.render``.
    """
    return _pngs([_Wanted(svg_text, max(NARROWEST, min(width, WIDEST)))])[0]


def letter_pngs(drawings: Sequence[Drawing], cache: Cache = NOTHING_KEPT) -> list[bytes]:
    """Return the pictures that a letter shows: without fine lettering, each in the colours of its drawing. Raises as ``png``.

    The ground of a board, the layers that are painted first, is drawn once and taken from the *cache* then.
    """
    parted = [_split_ground(each.for_screen) for each in drawings]
    grounds = _grounds({ground for ground, _ in parted if ground}, cache)
    return _pngs(
        [
            _Wanted(above, width, each.height * width // each.width, palette_of(each), grounds.get(ground, ""))
            for each, (ground, above) in zip(drawings, parted, strict=True)
            for width in [each.pixels or LETTER_WIDTH]
        ]
    )


def _split_ground(drawing: Drawing) -> tuple[str, str]:
    """Return the SVG of the ground, "" if there is none, and that of what is drawn upon it.

    Both are higher than need be, so that they fit: how much is written below a board is another thing each turn.
    """
    layers = tuple(takewhile(lambda part: isinstance(part, Layer), drawing.parts))
    if not layers or drawing.pixels:
        return "", svg(drawing)
    sheet = replace(drawing, height=-(-drawing.height // _STEP) * _STEP, title="", description="")
    above = drawing.parts[len(layers) :]
    return svg(replace(sheet, parts=layers)), svg(replace(sheet, parts=above, background="none"))


def _grounds(texts: Iterable[str], cache: Cache) -> dict[str, str]:
    """Return grounds as PNG in base64, by their SVG text."""
    keys = {text: f"ground of {hashlib.sha256(text.encode()).hexdigest()}" for text in texts}
    made = {text: png for text, key in keys.items() if (png := cache.read(key))}
    lacking = [text for text in keys if text not in made]
    for text, png in zip(lacking, _pngs([_Wanted(text, LETTER_WIDTH) for text in lacking]), strict=True):
        cache.write(keys[text], png)
        made[text] = png
    return {text: base64.b64encode(png).decode() for text, png in made.items()}


def _pngs(wanted: Sequence[_Wanted]) -> list[bytes]:
    if not wanted:
        return []
    told = _PNG.render(_RENDER, json.dumps(wanted), (FOLDER, PACKED))
    return [base64.b64decode(line) for line in told.splitlines()]


def palette_of(drawing: Drawing) -> tuple[str, ...]:
    """Return the drawing's own colours, all of them, then lighter tones of those that are no grey, of which thin lines are made,
    then those between all and what they border on, at most SHADES, or twice as many for one with fine lettering.

    Palettes that are reckoned from the pixels make one company's colour another's, or land sea: what is small loses.
    """
    own = drawing.colours
    lighter = (_mix(colour, _WHITE, part) for colour in own if _is_bright(colour) for part in _TONES)
    between = (_mix(colour, beside, 0.5) for beside in (_WHITE, drawing.ground, _INK) for colour in own)
    most = 2 * SHADES if drawing.pixels else SHADES  # fine lettering is of greys
    return tuple(dict.fromkeys((*own, *lighter, *between)))[: max(most, len(own))]


def _is_bright(colour: str) -> bool:
    parts = [int(colour[n : n + 2], 16) for n in (1, 3, 5)]
    return max(parts) - min(parts) >= _BRIGHT


def _mix(one: str, other: str, part: float) -> str:
    """Return a colour of which *one* is a *part*."""
    pairs = ((int(one[n : n + 2], 16), int(other[n : n + 2], 16)) for n in (1, 3, 5))
    return "#" + "".join(f"{int(a * part + b * (1 - part)):02x}" for a, b in pairs)
