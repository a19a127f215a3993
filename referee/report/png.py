"""SVG to PNG with resvg, in a process of its own: a drawing that hurts the renderer hurts nothing else.

It writes with our lettering alone: the same board gives the same bytes, whatever fonts a machine has.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence

from referee.core.picture.drawing import Drawing
from referee.report import lettering
from referee.report.renderer import Renderer
from referee.report.svg import svg

WIDEST = 4000
NARROWEST = 16
LETTER_WIDTH = 1000  # pixels, of a picture in a letter: sharp on a telephone, which shows it 375 wide
SHADES = 48  # colours of such a picture: with 64 some are over 160 kB
PACKED = 7  # of 9: what is above takes five times as long and saves 4 % of the bytes

_BRIGHT = 96  # of 255, between the strongest and the weakest part of a colour
_TONES = (0.75, 0.5)
_WHITE, _INK = "#ffffff", "#1d1d1b"

# Run in the other process, for any number of pictures: [SVG text, width, colours] in as JSON, PNGs out, each on a line in base64;
# with colours named, in these alone.
_RENDER = """
import base64, io, json, sys
import resvg_py
fonts = {"font_dirs": [sys.argv[1]], "skip_system_fonts": True}
for svg, width, colours in json.load(sys.stdin.buffer):
    picture = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, **fonts))
    if colours:
        from PIL import Image
        tones = bytes.fromhex("".join(each[1:] for each in colours))
        palette = Image.new("P", (1, 1))
        palette.putpalette(tones + tones[:3] * (256 - len(colours)))
        drawn = Image.open(io.BytesIO(picture)).convert("RGB").quantize(palette=palette, dither=Image.Dither.NONE)
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


def png(svg_text: str, width: int) -> bytes:
    """Return the picture as PNG, *width* pixels wide (between NARROWEST and WIDEST, whatever is asked).

    Raises:
        ConfigError, RefereeError: as ``Renderer.render``.
    """
    return _pngs([(svg_text, max(NARROWEST, min(width, WIDEST)), ())])[0]


def letter_pngs(drawings: Mapping[str, Drawing]) -> dict[str, bytes]:
    """Return the pictures that a letter shows, by their SVG text: without fine lettering, each in the colours of its drawing.

    *drawings*: by ``letter_svg``. Raises as ``png``.
    """
    made = _pngs([(text, LETTER_WIDTH, palette_of(each)) for text, each in drawings.items()])
    return dict(zip(drawings, made, strict=True))


def letter_svg(drawing: Drawing) -> str:
    """Return that of which ``letter_pngs`` makes a picture."""
    return svg(drawing.for_screen)


def _pngs(wanted: Sequence[tuple[str, int, tuple[str, ...]]]) -> list[bytes]:
    told = _PNG.render(_RENDER, json.dumps(wanted), (lettering.FOLDER, PACKED))
    return [base64.b64decode(line) for line in told.splitlines()]


def palette_of(drawing: Drawing) -> tuple[str, ...]:
    """Return the drawing's own colours, all of them, then lighter tones of those that are no grey, of which thin lines are made,
    then those between all and what they border on, at most SHADES.

    Palettes that are reckoned from the pixels make one company's colour another's, or land sea: what is small loses.
    """
    own = drawing.colours
    lighter = (_mixed(colour, _WHITE, part) for colour in own if _is_bright(colour) for part in _TONES)
    between = (_mixed(colour, beside, 0.5) for beside in (_WHITE, drawing.ground, _INK) for colour in own)
    return tuple(dict.fromkeys((*own, *lighter, *between)))[: max(SHADES, len(own))]


def _is_bright(colour: str) -> bool:
    parts = [int(colour[n : n + 2], 16) for n in (1, 3, 5)]
    return max(parts) - min(parts) >= _BRIGHT


def _mixed(one: str, other: str, part: float) -> str:
    """Return a colour of which *one* is a *part*."""
    pairs = ((int(one[n : n + 2], 16), int(other[n : n + 2], 16)) for n in (1, 3, 5))
    return "#" + "".join(f"{int(a * part + b * (1 - part)):02x}" for a, b in pairs)
