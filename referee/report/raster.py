"""Drawings as PNG, painted by ThorVG with our lettering alone: the same bytes, whatever fonts a machine has."""

from __future__ import annotations

import ctypes
import io
import zlib
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from importlib.util import find_spec
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import json

from referee.cache import NOTHING_KEPT, Cache
from referee.core import RefereeError, Texts, how_to_install
from referee.core.picture import Circle, Drawing, Layer, Line, Point, Polygon, Shape, Text
from referee.core.picture.shapes import text_width

from . import renderer
from .renderer import NotInstalled, look_of, outline_of, printable

if TYPE_CHECKING:
    from PIL.Image import Image

WIDEST = 4000
NARROWEST = 16
LETTER_WIDTH = 1000  # pixels, of a picture in a letter: sharp on a telephone, which shows it 375 wide
PALETTES = 32  # that are kept, each with what it has found
SHADES = 48  # colours of such a picture: with 64 some are over 160 kB
# Of 9. Every turn has pictures of LETTER_WIDTH at the most: 3 takes half the time of 6 for a sixth more bytes; wider are rare.
PACKED, CLOSE = 3, 9
GROUNDS = 4  # whose pixels are kept: of two boards in a letter's size and in that of their cut-outs
_BRIGHT = 96  # of 255, between the strongest and the weakest part of a colour
_TONES = (0.75, 0.5)
_WHITE, _INK = "#ffffff", "#1d1d1b"

# What we call of ThorVG's C interface, each with its arguments: pointer, number, count, byte, string. Its classes for Python
# declare every call anew, which takes longer than painting.
_KINDS = {"p": ctypes.c_void_p, "f": ctypes.c_float, "u": ctypes.c_uint32, "b": ctypes.c_uint8, "s": ctypes.c_char_p}
_MAKERS = {"swcanvas_create": "u", "scene_new": "", "shape_new": "", "text_new": "", "picture_new": ""}
_CALLS = _MAKERS | {
    "engine_init": "u",
    "font_load": "s",
    "swcanvas_set_target": "ppuuuu",
    "canvas_add": "pp",
    "canvas_draw": "pu",
    "canvas_sync": "p",
    "canvas_destroy": "p",
    "scene_add": "pp",
    "paint_scale": "pf",
    "paint_translate": "pff",
    "shape_append_path": "psupu",
    "shape_append_circle": "pffffu",
    "shape_set_fill_color": "pbbbb",
    "shape_set_stroke_width": "pf",
    "shape_set_stroke_color": "pbbbb",
    "shape_set_stroke_dash": "ppuf",
    "shape_set_stroke_cap": "pu",
    "shape_set_stroke_join": "pu",
    "text_set_font": "ps",
    "text_set_size": "pf",
    "text_set_text": "ps",
    "text_align": "pff",
    "text_set_color": "pbbb",
    "text_set_outline": "pfbbb",
    "picture_load_raw": "ppuubb",
}
_CLOSE, _MOVE, _DRAW = b"\0", b"\1", b"\2"  # of a path
_MITRED, _ROUND = 0, 1  # corners, which curves hardly have, are painted in half the time; ends of lines are round
_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
_ASCENT = 0.928  # of a size, of DejaVu and Gelasio: ThorVG puts the upper edge of a line where it is told
_POINT = 0.75  # of a pixel
_LAST_LATIN = "\u0250"
_BELOW = 60  # units below the lowest point of a ground that are painted, too
_LABELS = 2000  # words that are kept as pixels: boards say the same turn by turn

_Label = tuple[bytearray, int, Point]  # pixels, how many a row has, where in it the words are placed


def png(drawing: Drawing, width: int) -> bytes:
    """Return the picture as PNG, *width* pixels wide (between NARROWEST and WIDEST, whatever is asked).

    Raises:
        NotInstalled: the extra is missing.
        RefereeError: ThorVG failed.
    """
    pixels = max(NARROWEST, min(width, WIDEST))
    return _pack(drawing, paint(drawing, pixels, drawing.parts), pixels)


def letter_png(drawing: Drawing, cache: Cache = NOTHING_KEPT) -> bytes:
    """Return the picture that a letter shows: without fine lettering, in the colours of its drawing. Raises as ``png``.

    What lasts of a board is painted once and taken from the *cache* then; what its cut-outs have in common once for all.
    """
    shown, width = drawing.for_screen, drawing.pixels or LETTER_WIDTH
    layers = tuple(each for each in shown.ground if each.lasting or shown.sheet)
    ground = _ground(shown, layers, width, cache) if layers else b""
    pixels = paint(shown, width, shown.parts[len(layers) :], ground)
    return _pack(drawing, pixels, width)


def _ground(drawing: Drawing, layers: tuple[Layer, ...], width: int, cache: Cache) -> bytes | bytearray:
    """Return layers as pixels, of a cut-out those in its place."""
    left, top, whole, _ = _sheet(drawing)
    sheet = Drawing(width=whole, height=1, left=left, top=top, background=drawing.background, parts=(), title="")
    scale, (x, y) = _grid(drawing, width)
    wide = round(whole * scale)
    found = _paint(sheet, layers, wide, cache)
    if wide == width:
        return found
    rows = (4 * (wide * row + x) for row in range(y, y + _height(drawing, width)))
    return b"".join(memoryview(found)[row : row + 4 * width] for row in rows)


def _sheet(drawing: Drawing) -> tuple[int, int, int, int]:
    return drawing.sheet or (drawing.left, drawing.top, drawing.width, drawing.height)


def _grid(drawing: Drawing, width: int) -> tuple[float, Point]:
    """Return how many pixels a unit has, and at which of those of its sheet a drawing begins."""
    left, top, whole, _ = _sheet(drawing)
    scale = width * whole // drawing.width / whole
    return scale, (int((drawing.left - left) * scale), int((drawing.top - top) * scale))


@lru_cache(maxsize=GROUNDS)
def _paint(sheet: Drawing, layers: tuple[Layer, ...], width: int, cache: Cache) -> bytes | bytearray:
    """Return layers as pixels, as far down as the lasting ones go, which are taken from the *cache* if they are there."""
    lasting = tuple(each for each in layers if each.lasting)
    if len(lasting) < len(layers):
        below = _paint(sheet, lasting, width, cache)
        sheet = sheet.but(height=len(below) // 4 // width * sheet.width // width + 1)
        return paint(sheet, width, layers[len(lasting) :], below)
    points = (
        at for layer in layers for shape in layer.shapes if isinstance(shape, Polygon | Line) for at in shape.points
    )
    sheet = sheet.but(height=max(y for _, y in points) + _BELOW - sheet.top, parts=layers)
    key = f"{width} pixels of {json.encode(sheet).decode()}"
    if kept := cache.read(key):
        return zlib.decompress(kept)
    made = bytes(paint(sheet, width, layers))
    cache.write(key, zlib.compress(made, 1))
    return made


def _height(drawing: Drawing, width: int) -> int:
    return max(1, drawing.height * width // drawing.width)


def _pack(drawing: Drawing, pixels: bytearray, width: int) -> bytes:
    """Return pixels as PNG, in the colours of their drawing."""
    from PIL import Image  # here: letters are handled, and few of them ask for a board

    painted = Image.frombytes("RGB", (width, len(pixels) // 4 // width), pixels, "raw", "RGBX")
    picture = painted.quantize(palette=_palette_image(palette_of(drawing)), dither=Image.Dither.NONE)
    made = io.BytesIO()
    picture.save(made, "PNG", compress_level=PACKED if width <= LETTER_WIDTH else CLOSE)
    return made.getvalue()


@lru_cache(maxsize=PALETTES)
def _palette_image(colours: Texts) -> Image:
    """Return an image with a palette, which remembers what is nearest to what."""
    from PIL.Image import new

    made = new("P", (1, 1))
    made.putpalette(b"".join(map(_rgb, colours)))
    return made


class Thorvg:
    """ThorVG, loaded once."""

    def __init__(self, library: Path, fonts: Path) -> None:
        loaded = ctypes.CDLL(str(library))
        self.calls = {name: self._declare(loaded, name, kinds) for name, kinds in _CALLS.items()}
        self._label = lru_cache(maxsize=_LABELS)(self._new_label)
        self.calls["engine_init"](0)
        for face in sorted(fonts.glob("*.ttf")):
            self.calls["font_load"](str(face).encode())

    @staticmethod
    def _declare(loaded: ctypes.CDLL, name: str, kinds: str) -> Callable[..., int]:
        call: Callable[..., int] = getattr(loaded, f"tvg_{name}")
        call.argtypes = [_KINDS[kind] for kind in kinds]  # type: ignore[attr-defined]
        call.restype = ctypes.c_void_p if name in _MAKERS else ctypes.c_int  # type: ignore[attr-defined]
        return call

    def paint(
        self, parts: Iterable[Shape | Layer], pixels: bytearray, width: int, scale: float, corner: tuple[float, float]
    ) -> None:
        """Paint upon *pixels*, whose upper left *corner* is that point. Raises RefereeError: ThorVG refuses to."""
        call, scenes, used = self.calls, list[int](), list[_Label]()  # whose pixels ThorVG reads as late as it paints
        shapes = chain.from_iterable(part.shapes if isinstance(part, Layer) else (part,) for part in parts)
        for is_text, some in groupby(shapes, lambda each: isinstance(each, Text)):
            if not is_text:
                scenes.append(self._scene(some, scale, corner))
                continue
            for each in some:
                assert isinstance(each, Text)
                grid, wide, spot = label = self._label(each.but(at=(0, 0)), scale)
                made, (x, y) = (
                    call["picture_new"](),
                    (round((each.at[n] - corner[n]) * scale) - spot[n] for n in (0, 1)),
                )
                call["picture_load_raw"](made, _address(grid), wide, len(grid) // 4 // wide, 0, 0)
                call["paint_translate"](made, x, y)
                scenes.append(made)
                used.append(label)
        self._finish(scenes, pixels, width)

    def _finish(self, scenes: Iterable[int], pixels: bytearray, width: int) -> None:
        call, canvas = self.calls, self.calls["swcanvas_create"](0)
        call["swcanvas_set_target"](canvas, _address(pixels), width, width, len(pixels) // 4 // width, 0)
        for each in scenes:
            call["canvas_add"](canvas, each)
        refused = call["canvas_draw"](canvas, 0) or call["canvas_sync"](canvas)
        call["canvas_destroy"](canvas)
        if refused:
            raise RefereeError(f"The board was not drawn as PNG: ThorVG refused it ({refused}).")

    def _scene(self, shapes: Iterable[Shape], scale: float, corner: tuple[float, float]) -> int:
        made = self._place(scale, corner)
        for _, alike in groupby(shapes, lambda each: each if isinstance(each, Line) else look_of(each)):
            self._draw(made, [*alike])
        return made

    def _place(self, scale: float, corner: tuple[float, float]) -> int:
        """Return an empty scene."""
        made = self.calls["scene_new"]()
        self.calls["paint_scale"](made, scale)
        self.calls["paint_translate"](made, -corner[0] * scale, -corner[1] * scale)
        return made

    def _new_label(self, words: Text, scale: float) -> _Label:
        """Return words as pixels, in their halo if they have one: to write letters takes longer than all else, so that it is
        done once.
        """
        room = text_width(words.text, words.size, words.bold) * 5 // 4
        wide, high = (round(each * scale) for each in (room + 2 * words.size, 2 * words.size))
        spot = round((words.size + _ANCHORS[words.anchor] * room) * scale), high * 3 // 4
        pixels, scene = bytearray(4 * wide * high), self._place(scale, (-spot[0] / scale, -spot[1] / scale))
        self._write(scene, words)
        self._finish([scene], pixels, wide)
        return pixels, wide, spot

    def _write(self, scene: int, words: Text) -> None:
        call, halo = self.calls, (max(2, words.size // 6), *_rgb(_WHITE))
        for outline in (halo, ()) if words.halo else ((),):
            made = call["text_new"]()
            call["text_set_font"](made, face_of(words).encode())
            call["text_set_size"](made, words.size * _POINT)
            call["text_set_text"](made, printable(words.text).encode())
            if outline:
                call["text_set_outline"](made, *outline)
            call["text_set_color"](made, *(outline[1:] or _rgb(words.fill)))
            call["text_align"](made, _ANCHORS[words.anchor], 0)
            call["paint_translate"](made, 0, -words.size * _ASCENT)
            call["scene_add"](scene, made)

    def _draw(self, scene: int, shapes: Sequence[Shape]) -> None:
        """Draw shapes of one style: not lines, which as one take longer than they do apart."""
        assert not isinstance(shapes[0], Text)
        call, commands, points, style = self.calls, bytearray(), array("f"), shapes[0].style
        made, solid = call["shape_new"](), not isinstance(shapes[0], Line)
        for each in shapes:
            if isinstance(each, Circle):
                call["shape_append_circle"](made, *each.at, each.radius, each.radius, 1)
            else:
                outline = outline_of(each)
                commands += _MOVE + _DRAW * (len(outline) - 1) + _CLOSE * solid
                points.extend(chain.from_iterable(outline))
        if commands:
            call["shape_append_path"](made, bytes(commands), len(commands), points.buffer_info()[0], len(points) // 2)
        through = 255 * style.opacity // 100
        if solid and style.fill:
            call["shape_set_fill_color"](made, *_rgb(style.fill), through)
        if style.stroke and style.width:
            call["shape_set_stroke_width"](made, style.width)
            call["shape_set_stroke_color"](made, *_rgb(style.stroke), through)
            call["shape_set_stroke_join"](made, _MITRED)
            call["shape_set_stroke_cap"](made, 0 if solid or style.dash else _ROUND)
            if style.dash:
                dash = array("f", style.dash)
                call["shape_set_stroke_dash"](made, dash.buffer_info()[0], len(dash), 0)
        call["scene_add"](scene, made)


@lru_cache(maxsize=1)
def thorvg(fonts: Path) -> Thorvg:
    found = find_spec("thorvg_python") if find_spec("PIL") else None
    folders = found.submodule_search_locations or [] if found else []
    library = next((file for folder in folders for file in Path(folder).glob("*thorvg-1.*")), None)
    if not library:
        lacking = f"need the extra png, which is not installed: {how_to_install('png')}"
        raise NotInstalled(f"pictures as PNG {lacking}, or ask for an .svg")
    return Thorvg(library, fonts)


def paint(drawing: Drawing, width: int, parts: Iterable[Shape | Layer], ground: bytes | bytearray = b"") -> bytearray:
    """Return parts of a drawing as pixels, upon a *ground* that is as wide and at least as high."""
    size = 4 * width * _height(drawing, width)
    pixels = bytearray().join(
        (memoryview(ground)[:size], (_rgb(drawing.background) + b"\xff") * ((size - len(ground)) // 4))
    )
    (left, top, _, _), (scale, (x, y)) = _sheet(drawing), _grid(drawing, width)
    thorvg(renderer.FOLDER).paint(parts, pixels, width, scale, (left + x / scale, top + y / scale))
    return pixels


def face_of(words: Text) -> str:
    """Return the file of a face, without its ending; the serif one has Latin letters alone."""
    if words.serif and max(words.text, default="") < _LAST_LATIN:
        return f"Gelasio-{'Bold' if words.bold else 'Italic' if words.italic else 'Regular'}"
    return "-".join(filter(None, ("DejaVuSans", "Bold" * words.bold + "Oblique" * words.italic)))


def _address(pixels: bytearray) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(pixels))


def _rgb(colour: str) -> bytes:
    return bytes.fromhex(colour[1:])


def palette_of(drawing: Drawing) -> Texts:
    """Return the drawing's own colours, all of them, then lighter tones of those that are no grey, of which thin lines are made,
    then those between all and what they border on, at most SHADES.

    Palettes that are reckoned from the pixels make one company's colour another's, or land sea: what is small loses.
    """
    tints = drawing.tints
    ground = next((colour for (colour, fills), _ in tints.most_common() if fills), drawing.background)
    return _palette(tuple(dict.fromkeys(colour for colour, _ in tints)), ground)


@lru_cache(maxsize=PALETTES)
def _palette(own: Texts, ground: str) -> Texts:
    lighter = (_mix(colour, _WHITE, part) for colour in own if _is_bright(colour) for part in _TONES)
    between = (_mix(colour, beside, 0.5) for beside in (_WHITE, ground, _INK) for colour in own)
    return tuple(dict.fromkeys((*own, *lighter, *between)))[: max(SHADES, len(own))]


def _is_bright(colour: str) -> bool:
    return max(_rgb(colour)) - min(_rgb(colour)) >= _BRIGHT


def _mix(one: str, other: str, part: float) -> str:
    """Return a colour of which *one* is a *part*."""
    return "#" + bytes(int(a * part + b * (1 - part)) for a, b in zip(_rgb(one), _rgb(other), strict=True)).hex()
