"""SVG to PNG with resvg, in a process of its own: a drawing that hurts the renderer hurts nothing else.

It writes with our lettering alone: the same board gives the same bytes, whatever fonts a machine has.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import NamedTuple

from msgspec.structs import replace

from referee.cache import NOTHING_KEPT, Cache
from referee.core.picture.drawing import Drawing, Layer
from referee.report import lettering
from referee.report.renderer import Renderer
from referee.report.svg import svg

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
    parted = [_parted(each.for_screen) for each in drawings]
    grounds = _grounds({ground for ground, _ in parted if ground}, cache)
    return _pngs(
        [
            _Wanted(above, width, each.height * width // each.width, palette_of(each), grounds.get(ground, ""))
            for each, (ground, above) in zip(drawings, parted, strict=True)
            for width in [each.pixels or LETTER_WIDTH]
        ]
    )


def _parted(drawing: Drawing) -> tuple[str, str]:
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
    told = _PNG.render(_RENDER, json.dumps(wanted), (lettering.FOLDER, PACKED))
    return [base64.b64decode(line) for line in told.splitlines()]


def palette_of(drawing: Drawing) -> tuple[str, ...]:
    """Return the drawing's own colours, all of them, then lighter tones of those that are no grey, of which thin lines are made,
    then those between all and what they border on, at most SHADES, or twice as many for one with fine lettering.

    Palettes that are reckoned from the pixels make one company's colour another's, or land sea: what is small loses.
    """
    own = drawing.colours
    lighter = (_mixed(colour, _WHITE, part) for colour in own if _is_bright(colour) for part in _TONES)
    between = (_mixed(colour, beside, 0.5) for beside in (_WHITE, drawing.ground, _INK) for colour in own)
    most = 2 * SHADES if drawing.pixels else SHADES  # fine lettering is of greys
    return tuple(dict.fromkeys((*own, *lighter, *between)))[: max(most, len(own))]


def _is_bright(colour: str) -> bool:
    parts = [int(colour[n : n + 2], 16) for n in (1, 3, 5)]
    return max(parts) - min(parts) >= _BRIGHT


def _mixed(one: str, other: str, part: float) -> str:
    """Return a colour of which *one* is a *part*."""
    pairs = ((int(one[n : n + 2], 16), int(other[n : n + 2], 16)) for n in (1, 3, 5))
    return "#" + "".join(f"{int(a * part + b * (1 - part)):02x}" for a, b in pairs)
