"""Pictures in tests: small ones to be sent, and what a PNG consists of."""

import io

from PIL import Image, PngImagePlugin

from referee.core.picture import Drawing, Text
from referee.service.pictures import Pictures


def tiny_picture(words: str) -> bytes:
    """Return a PNG of one pixel with words in it: other words, other bytes."""
    told, made = PngImagePlugin.PngInfo(), io.BytesIO()
    told.add_itxt("Title", words)
    Image.new("P", (1, 1)).save(made, "PNG", pnginfo=told)
    return made.getvalue()


def tiny_png(_: Pictures, drawing: Drawing) -> bytes:
    """Stand in for ``Pictures.png``: a drawing is a pixel that tells its title."""
    return tiny_picture(drawing.title)


def words(drawing: Drawing) -> list[str]:
    """Return what stands on a drawing."""
    return [shape.text for shape in drawing.shapes if isinstance(shape, Text)]


def colours_of(picture: bytes) -> set[str]:
    """Return the colours that a picture has, ``#rrggbb``."""
    with Image.open(io.BytesIO(picture)) as opened:
        found = opened.convert("RGB").getcolors(opened.width * opened.height) or []
    return {"#{:02x}{:02x}{:02x}".format(*pixel) for _, pixel in found if isinstance(pixel, tuple)}


def width_of(picture: bytes) -> int:
    """Return how many pixels wide it is."""
    with Image.open(io.BytesIO(picture)) as opened:
        return opened.width
