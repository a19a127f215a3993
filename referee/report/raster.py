"""Drawings as PNG, painted by ThorVG with our lettering alone: the same bytes, whatever fonts a machine has."""

from __future__ import annotations

import ctypes
import hashlib
import io
import zlib
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from importlib.util import find_spec
from itertools import chain, groupby, takewhile
from pathlib import Path

from referee.cache import NOTHING_KEPT, Cache
from referee.core.errors import RefereeError, how_to_install
from referee.core.picture.drawing import Circle, Drawing, Layer, Line, Point, Shape, Style, Text
from referee.report import renderer
from referee.report.renderer import NotInstalled, look_of, outline_of, printable

WIDEST = 4000
NARROWEST = 16
LETTER_WIDTH = 1000  # pixels, of a picture in a letter: sharp on a telephone, which shows it 375 wide
SHADES = 48  # colours of such a picture: with 64 some are over 160 kB
PACKED, HARD = 5, 9  # of 9: what is above takes twice as long and saves 3 % of the bytes, the hardest ten times and 7 %
GROUNDS = 2  # whose pixels are kept

_STEP = 1000  # units of a drawing
_BRIGHT = 96  # of 255, between the strongest and the weakest part of a colour
_TONES = (0.75, 0.5)
_WHITE, _INK = "#ffffff", "#1d1d1b"

# What we call of ThorVG's C interface, each with its arguments: pointer, number, count, byte, string. Its classes for Python
# declare every call anew, which takes longer than painting.
_KINDS = {"p": ctypes.c_void_p, "f": ctypes.c_float, "u": ctypes.c_uint32, "b": ctypes.c_uint8, "s": ctypes.c_char_p}
_MAKERS = {"swcanvas_create": "u", "scene_new": "", "shape_new": "", "text_new": ""}
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
}
_CLOSE, _MOVE, _DRAW = b"\0", b"\1", b"\2"  # of a path
_ROUND = 1  # ends and corners of lines
_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
_ASCENT = 0.928  # of a size, of DejaVu and Gelasio: ThorVG puts the upper edge of a line where it is told
_POINT = 0.75  # of a pixel
_LAST_LATIN = "\u0250"


def png(drawing: Drawing, width: int) -> bytes:
    """Return the picture as PNG, *width* pixels wide (between NARROWEST and WIDEST, whatever is asked).

    Raises:
        NotInstalled: the extra is missing.
        RefereeError: ThorVG failed.
    """
    pixels = max(NARROWEST, min(width, WIDEST))
    return _packed(paint(drawing, pixels, drawing.parts), pixels, ())


def letter_png(drawing: Drawing, cache: Cache = NOTHING_KEPT) -> bytes:
    """Return the picture that a letter shows: without fine lettering, in the colours of its drawing. Raises as ``png``.

    The ground of a board, the layers that are painted first, is painted once and taken from the *cache* then.
    """
    shown, width = drawing.for_screen, drawing.pixels or LETTER_WIDTH
    layers = tuple(takewhile(lambda part: isinstance(part, Layer), shown.parts))
    ground = _ground(shown, layers, width, cache) if layers else b""
    pixels = paint(shown, width, shown.parts[len(layers) :], ground)
    return _packed(pixels, width, palette_of(drawing), HARD if _is_rare(drawing) else PACKED)


def _is_rare(drawing: Drawing) -> bool:
    """Return whether it is a whole board with its fine lettering: large, and wanted once in a game."""
    return drawing.shows_fine and not drawing.sheet


_grounds: dict[str, bytes] = {}


def _ground(drawing: Drawing, layers: tuple[Shape | Layer, ...], width: int, cache: Cache) -> bytes:
    """Return the pixels of a ground, of a cut-out those in its place."""
    left, top, whole, high = drawing.sheet or (drawing.left, drawing.top, drawing.width, drawing.height)
    # It is higher than need be, so that it fits: how much is written below a board is another thing each turn.
    high = -(-high // _STEP) * _STEP
    sheet = Drawing(width=whole, height=high, left=left, top=top, background=drawing.background, parts=layers, title="")
    wide = width * whole // drawing.width
    key = f"ground of {hashlib.sha256(renderer.svg(sheet).encode()).hexdigest()}, {wide} pixels"
    if key not in _grounds:
        kept = cache.read(key)
        pixels = zlib.decompress(kept) if kept else bytes(paint(sheet, wide, layers))
        if not kept:
            cache.write(key, zlib.compress(pixels, 1))
        for old in list(_grounds)[: 1 - GROUNDS or None]:
            del _grounds[old]
        _grounds[key] = pixels
    found = _grounds[key]
    if wide == width:
        return found
    x, y = ((drawing.left - left) * wide // whole, (drawing.top - top) * wide // whole)
    begins = (4 * (wide * row + x) for row in range(y, y + _height(drawing, width)))
    return b"".join(found[begin : begin + 4 * width].ljust(4 * width, b"\xff") for begin in begins)


def _height(drawing: Drawing, width: int) -> int:
    return max(1, drawing.height * width // drawing.width)


def _packed(pixels: bytearray, width: int, colours: Sequence[str], level: int = PACKED) -> bytes:
    """Return pixels as PNG, in these *colours* alone, if any are named."""
    from PIL import Image  # here: letters are handled, and few of them ask for a board

    picture = Image.frombytes("RGB", (width, len(pixels) // 4 // width), pixels, "raw", "RGBX")
    if colours:
        tones = bytes.fromhex("".join(each[1:] for each in colours))
        palette = Image.new("P", (1, 1))
        palette.putpalette(tones + tones[:3] * (256 - len(colours)))
        picture = picture.quantize(palette=palette, dither=Image.Dither.NONE)
    made = io.BytesIO()
    picture.save(made, "PNG", compress_level=level)
    return made.getvalue()


class Thorvg:
    """ThorVG, loaded once."""

    def __init__(self, library: Path, fonts: Path) -> None:
        loaded = ctypes.CDLL(str(library))
        self.calls = {name: self._declared(loaded, name, kinds) for name, kinds in _CALLS.items()}
        self.calls["engine_init"](0)
        for face in sorted(fonts.glob("*.ttf")):
            self.calls["font_load"](str(face).encode())

    @staticmethod
    def _declared(loaded: ctypes.CDLL, name: str, kinds: str) -> Callable[..., int]:
        call: Callable[..., int] = getattr(loaded, f"tvg_{name}")
        call.argtypes = [_KINDS[kind] for kind in kinds]  # type: ignore[attr-defined]
        call.restype = ctypes.c_void_p if name in _MAKERS else ctypes.c_int  # type: ignore[attr-defined]
        return call

    def paint(
        self, parts: Iterable[Shape | Layer], pixels: bytearray, width: int, scale: float, corner: Point = (0, 0)
    ) -> None:
        """Paint upon *pixels*, whose upper left *corner* is that point. Raises RefereeError: ThorVG refuses to."""
        call = self.calls
        canvas, scene = call["swcanvas_create"](0), call["scene_new"]()
        target = (ctypes.c_char * len(pixels)).from_buffer(pixels)
        call["swcanvas_set_target"](canvas, ctypes.addressof(target), width, width, len(pixels) // 4 // width, 0)
        call["paint_scale"](scene, scale)
        call["paint_translate"](scene, -corner[0] * scale, -corner[1] * scale)
        shapes = chain.from_iterable(part.shapes if isinstance(part, Layer) else (part,) for part in parts)
        for _, alike in groupby(shapes, look_of):
            first, *others = alike
            if isinstance(first, Text):
                self._write(scene, first, [first, *others])
            else:
                self._draw(scene, first.style, (first, *others))
        call["canvas_add"](canvas, scene)
        refused = call["canvas_draw"](canvas, 0) or call["canvas_sync"](canvas)
        call["canvas_destroy"](canvas)
        if refused:
            raise RefereeError(f"The board was not drawn as PNG: ThorVG refused it ({refused}).")

    def _write(self, scene: int, look: Text, words: Sequence[Shape]) -> None:
        """Write words of one look, their halos below them all."""
        new, add, say, move, align = (
            self.calls[name] for name in ("text_new", "scene_add", "text_set_text", "paint_translate", "text_align")
        )
        points, anchor, lift = look.size * _POINT, _ANCHORS[look.anchor], look.size * _ASCENT
        for outlined in (True, False) if look.halo else (False,):
            colour = b"\xff\xff\xff" if outlined else _rgb(look.fill)
            for each in words:
                assert isinstance(each, Text)
                made = new()
                self.calls["text_set_font"](made, face_of(each).encode())
                self.calls["text_set_size"](made, points)
                say(made, printable(each.text).encode())
                if outlined:
                    self.calls["text_set_outline"](made, max(2, look.size // 6), *colour)
                self.calls["text_set_color"](made, *colour)
                align(made, anchor, 0)
                move(made, each.at[0], each.at[1] - lift)
                add(scene, made)

    def _draw(self, scene: int, style: Style, shapes: Sequence[Shape]) -> None:
        """Draw shapes of one style."""
        call, commands, points = self.calls, bytearray(), array("f")
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
            call["shape_set_stroke_join"](made, _ROUND)
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
    if library is None:
        lacking = f"need the extra png, which is not installed: {how_to_install('png')}"
        raise NotInstalled(f"pictures as PNG {lacking}, or ask for an .svg")
    return Thorvg(library, fonts)


def paint(drawing: Drawing, width: int, parts: Iterable[Shape | Layer], ground: bytes = b"") -> bytearray:
    """Return parts of a drawing as pixels, upon a *ground* that is as wide and at least as high."""
    size = 4 * width * _height(drawing, width)
    pixels = bytearray(ground[:size] or (_rgb(drawing.background) + b"\xff") * (size // 4))
    thorvg(renderer.FOLDER).paint(parts, pixels, width, width / drawing.width, (drawing.left, drawing.top))
    return pixels


def face_of(words: Text) -> str:
    """Return the file of a face, without its ending; the serif one has Latin letters alone."""
    if words.serif and max(words.text, default="") < _LAST_LATIN:
        return f"Gelasio-{'Bold' if words.bold else 'Italic' if words.italic else 'Regular'}"
    return "-".join(filter(None, ("DejaVuSans", "Bold" * words.bold + "Oblique" * words.italic)))


def _rgb(colour: str) -> bytes:
    return bytes.fromhex(colour[1:])


def palette_of(drawing: Drawing) -> tuple[str, ...]:
    """Return the drawing's own colours, all of them, then lighter tones of those that are no grey, of which thin lines are made,
    then those between all and what they border on, at most SHADES.

    Palettes that are reckoned from the pixels make one company's colour another's, or land sea: what is small loses.
    """
    own = drawing.colours
    lighter = (_mix(colour, _WHITE, part) for colour in own if _is_bright(colour) for part in _TONES)
    between = (_mix(colour, beside, 0.5) for beside in (_WHITE, drawing.ground, _INK) for colour in own)
    return tuple(dict.fromkeys((*own, *lighter, *between)))[: max(SHADES, len(own))]


def _is_bright(colour: str) -> bool:
    parts = [int(colour[n : n + 2], 16) for n in (1, 3, 5)]
    return max(parts) - min(parts) >= _BRIGHT


def _mix(one: str, other: str, part: float) -> str:
    """Return a colour of which *one* is a *part*."""
    pairs = ((int(one[n : n + 2], 16), int(other[n : n + 2], 16)) for n in (1, 3, 5))
    return "#" + "".join(f"{int(a * part + b * (1 - part)):02x}" for a, b in pairs)
