"""SVG to PNG with resvg, in a process of its own: a drawing that hurts the renderer hurts nothing else.

It writes with our lettering alone: the same board gives the same bytes, whatever fonts a machine has.
"""

from __future__ import annotations

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

# Run in the other process: SVG text in, PNG bytes out; with colours named, in these alone.
_RENDER = """
import io, sys
import resvg_py
svg = sys.stdin.buffer.read().decode("utf-8")
fonts = {"font_dirs": [sys.argv[2]], "skip_system_fonts": True}
picture = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=int(sys.argv[1]), **fonts))
colours = b"".join(bytes.fromhex(each[1:]) for each in sys.argv[4:])
if colours:
    from PIL import Image
    palette = Image.new("P", (1, 1))
    palette.putpalette(colours + colours[:3] * (256 - len(colours) // 3))
    drawn = Image.open(io.BytesIO(picture)).convert("RGB").quantize(palette=palette, dither=Image.Dither.NONE)
    packed = io.BytesIO()
    drawn.save(packed, "PNG", compress_level=int(sys.argv[3]))
    picture = packed.getvalue()
sys.stdout.buffer.write(picture)
"""
_PNG = Renderer(name="PNG", begin=b"\x89PNG", extra="png", libraries=("resvg_py", "PIL"), what="pictures as PNG")


def png(svg_text: str, width: int, colours: tuple[str, ...] = ()) -> bytes:
    """Return the picture as PNG, *width* pixels wide (between NARROWEST and WIDEST, whatever is asked).

    *colours*: ``#rrggbb``, at most 256, of which alone the picture is made; of as many as it has, if there are none.

    Raises:
        ConfigError, RefereeError: as ``Renderer.render``.
    """
    pixels = max(NARROWEST, min(width, WIDEST))
    return _PNG.render(_RENDER, svg_text, (pixels, lettering.FOLDER, PACKED, *colours))


def letter_png(drawing: Drawing, svg_text: str = "") -> bytes:
    """Return the picture that a letter shows: without fine lettering, in the colours of the drawing. Raises as ``png``.

    *svg_text*: ``svg(drawing.for_screen)``, where that is there already.
    """
    return png(svg_text or svg(drawing.for_screen), LETTER_WIDTH, palette_of(drawing))


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
