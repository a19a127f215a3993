"""The picture of a board in a letter: small, without lettering nobody can read there, every company in its own colour."""

import colorsys
import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from referee.cache import Cache
from referee.core.picture import SHADES as COLOURS
from referee.core.picture import Drawing, Layer, Line, Polygon, Print, Style, Text
from referee.games.dampfross import GAME
from referee.report import raster
from referee.report.raster import SHADES, letter_png, palette_of, png
from referee.report.renderer import FOLDER
from tests.games.dampfross.recordedgames import recorded_game
from tests.pictures import colours_of, width_of, words

PAINT = raster.paint
SQUARE = ((0, 0), (9, 0), (9, 9), (0, 9))


def square(fill: str) -> Polygon:
    return Polygon(points=SQUARE, style=Style(fill=fill))


def _png(drawing: Drawing) -> bytes:
    return letter_png(drawing)


def sheet(*parts: Polygon | Layer) -> Drawing:
    return Drawing(width=40, height=20, background="#ffffff", parts=parts, title="T")


@pytest.fixture(scope="module")
def russia() -> Drawing:
    """The last races of a game of six on the largest map: no picture of the recorded games is larger."""
    turns = recorded_game("russia laurin together 6")[2]
    last = turns[-2].outcome
    return GAME.drawing(last.state, str, Print(events=last.events))


def test_every_company_keeps_its_colour_and_the_picture_is_small(russia: Drawing) -> None:
    picture = _png(russia)
    companies = set(list(COLOURS.values())[:6])
    assert companies <= colours_of(picture) <= set(palette_of(russia))
    assert width_of(picture) == 1000
    assert len(picture) < 250_000


@pytest.mark.parametrize("board", [name for name in GAME.boards() if name != "russia"])
def test_a_board_of_any_map_is_small(board: str) -> None:
    assert GAME.atlas
    assert len(_png(GAME.atlas.drawing(GAME.board_text(board), f"{board}.toml"))) < 250_000


def test_the_ground_of_a_board_is_painted_once(
    russia: Drawing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[int] = []

    def counted(drawing: Drawing, width: int, *rest: Any) -> bytearray:
        painted.append(width)
        return PAINT(drawing, width, *rest)

    monkeypatch.setattr(raster, "paint", counted)
    longer = russia.but(height=russia.height + 40, title="The next round")
    pictures = []
    for each in (russia, longer):
        raster._paint.cache_clear()  # another process
        pictures.append(letter_png(each, Cache(tmp_path / "cache")))
    assert painted == [1000] * 3  # the ground; of two boards what lies on it
    before, after = (Image.open(io.BytesIO(each)).convert("RGB") for each in pictures)
    assert after.height > before.height
    assert ImageChops.difference(before, after.crop((0, 0, *before.size))).getbbox() is None
    # As if all was painted at once, but for edges.
    whole = Image.open(io.BytesIO(png(russia.for_screen.but(height=6000), 1000))).convert("RGB")
    apart = ImageChops.difference(before, whole.crop((0, 0, *before.size)))
    assert max(ImageStat.Stat(apart).mean) < 3
    # Where nothing is kept it is the same, byte for byte.
    raster._paint.cache_clear()
    assert letter_png(russia) == pictures[0]


def hue(pixel: Any) -> float:
    return colorsys.rgb_to_hsv(*(part / 255 for part in pixel[:3]))[0]


@pytest.mark.parametrize("name", ["red", "blue", "green"])
def test_a_thin_line_is_in_a_tone_of_its_companys_colour(name: str) -> None:
    """What a train's line is drawn with lies between its colour and the paper; the green was once a river's blue."""
    line = Line(points=((80, 162), (3920, 162)), style=Style(stroke=COLOURS[name], width=3))
    others = [
        square(each)
        for each in ("#3f6f91", "#1a5b94", "#8d8674", *(COLOURS[each] for each in ("red", "blue", "green")))
    ]
    drawn = Drawing(width=4000, height=400, background="#fffdf3", parts=(*others, line), title="T")
    with Image.open(io.BytesIO(_png(drawn))) as opened:
        drawn_with = opened.convert("RGB").getpixel((500, 40))
    assert abs(hue(drawn_with) - hue(tuple(bytes.fromhex(COLOURS[name][1:])))) < 0.03


def test_names_of_hexes_are_left_out_and_only_they(russia: Drawing) -> None:
    left_out = {*words(russia)} - {*words(russia.for_screen)}
    fine = [part for part in russia.parts if isinstance(part, Layer) and part.fine]
    assert left_out <= {shape.text for layer in fine for shape in layer.shapes if isinstance(shape, Text)}
    assert "MOSKWA" in words(russia.for_screen)


def test_a_palette_begins_with_the_drawings_own_colours() -> None:
    drawing = sheet(square("#ff0000"), square("#00ff00"), square("#00ff00"))
    assert palette_of(drawing) == (
        *("#ffffff", "#ff0000", "#00ff00"),
        *("#ff3f3f", "#ff7f7f", "#3fff3f", "#7fff7f"),  # a quarter and half white
        *("#7f7f00",),  # half the ground
        *("#8e8e8d", "#8e0e0d", "#0e8e0d"),  # half ink
    )


def test_a_palette_keeps_all_own_colours_of_a_colourful_drawing() -> None:
    many = sheet(*(square(f"#{n:02x}0000") for n in range(100)))
    assert set(many.colours) == set(palette_of(many))
    assert len(palette_of(many.but(parts=many.parts[:40]))) == SHADES


def test_words_in_a_halo_are_stroked_once_wherever_they_stand() -> None:
    words = Text((300, 100), "Dún Laoghaire", 43, "#1d1d1b", halo=True, serif=True)
    labels = raster.thorvg(FOLDER)._label
    labels.cache_clear()
    pictures = []
    for x in (300, 303):
        drawn = Drawing(width=600, height=200, background="#7f7f7f", parts=(words.but(at=(x, 100)),), title="T")
        pictures.append(Image.frombytes("RGB", (600, 200), raster.paint(drawn, 600, drawn.parts), "raw", "RGBX"))
    assert labels.cache_info().misses == 1
    assert (
        ImageChops.difference(pictures[0].crop((0, 0, 597, 200)), pictures[1].crop((3, 0, 600, 200))).getbbox() is None
    )
    assert {(255, 255, 255), (29, 29, 27)} <= {colour for _, colour in pictures[0].getcolors(100_000) or ()}
