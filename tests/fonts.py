"""Makes the lettering that the referee ships: ``python -m tests.fonts --write [FOLDER [GELASIO]]``.

FOLDER holds the faces of DejaVu 2.37 as they are published (Debian: fonts-dejavu-core and -extra), GELASIO those of Gelasio 1.008
(npm: @fontsource/gelasio, the folder files). Kept are the letters of the scripts that players of postal games write, no hinting:
pictures are drawn as outlines. The same faces give the same bytes.
"""

import argparse
import io
from pathlib import Path

from fontTools import merge, subset
from fontTools.ttLib import TTFont

SOURCE = Path("/usr/share/fonts/truetype/dejavu")
SHIPPED = Path(__file__).parent.parent / "referee" / "report" / "fonts"
FACES = ("DejaVuSans", "DejaVuSans-Bold", "DejaVuSans-Oblique", "DejaVuSans-BoldOblique")
VERSION = "Version 2.37"
SERIF_FACES = {"Gelasio-Regular": "400-normal", "Gelasio-Bold": "700-normal", "Gelasio-Italic": "400-italic"}

# Latin with its accents, also combining ones, Greek, Cyrillic; punctuation, currencies, arrows, boxes, signs.
SCRIPTS = (
    (0x20, 0x17F),
    (0x218, 0x21B),
    (0x300, 0x328),
    (0x384, 0x3CE),
    (0x400, 0x45F),
    (0x490, 0x491),
    (0x1E00, 0x1EFF),
)
SIGNS = ((0x2010, 0x2044), (0x20A0, 0x20BF), (0x2116, 0x2122), (0x2190, 0x2199), (0x2212, 0x2212), (0x2260, 0x2265))
MARKS = ((0x2500, 0x257F), (0x25A0, 0x25CF))
LETTERS = tuple(letter for first, last in (*SCRIPTS, *SIGNS, *MARKS) for letter in range(first, last + 1))


def lettering(face: Path) -> bytes:
    """Return a face with the letters that are shipped. Raises ValueError: it is of another version than ours."""
    font = TTFont(face, recalcTimestamp=False)
    version = font["name"].getDebugName(5) or ""
    if version != VERSION:
        raise ValueError(f"{face} is {version!r}: {VERSION!r} expected")
    return _kept(font)


def serif_lettering(folder: Path, face: str) -> bytes:
    """Return a face of Gelasio, which is published in parts, with the letters that are shipped."""
    parts = []
    for part in ("latin", "latin-ext"):
        font, made = TTFont(folder / f"gelasio-{part}-{face}.woff", recalcTimestamp=False), io.BytesIO()
        font.flavor = None
        font.save(made)
        made.seek(0)
        parts.append(made)
    font = merge.Merger().merge(parts)
    font["head"].created = font["head"].modified = 0
    font.recalcTimestamp = False
    return _kept(font)


def _kept(font: TTFont) -> bytes:
    wanted = subset.Options(hinting=False, layout_features=["ccmp", "kern", "locl", "mark"])
    wanted.drop_tables += ["FFTM"]  # when FontForge made it
    maker = subset.Subsetter(wanted)
    maker.populate(unicodes=LETTERS)
    maker.subset(font)
    made = io.BytesIO()
    font.save(made)
    return made.getvalue()


def main() -> None:
    """Write the faces, or say how large they would be."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("folder", type=Path, nargs="?", default=SOURCE)
    arguments.add_argument("gelasio", type=Path, nargs="?")
    asked = arguments.parse_args()
    made = {name: lettering(asked.folder / f"{name}.ttf") for name in FACES}
    if asked.gelasio:
        made |= {name: serif_lettering(asked.gelasio, face) for name, face in SERIF_FACES.items()}
    for name, content in made.items():
        print(f"{name}.ttf: {len(content):,} bytes")
        if asked.write:
            (SHIPPED / f"{name}.ttf").write_bytes(content)


if __name__ == "__main__":
    main()
