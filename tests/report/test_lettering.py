"""The lettering that is shipped: pictures and pages are written with it, and with nothing that a machine may have or lack."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from referee.core.picture import Drawing, Text
from referee.games import games
from referee.report import raster, renderer
from referee.report.paper import pdf
from referee.report.raster import png
from referee.report.renderer import svg
from tests.fonts import FACES, SHIPPED, SOURCE
from tests.fonts import lettering as made_from

ROOT = Path(__file__).parent.parent.parent


def written(words: str, *, bold: bool = False, italic: bool = False) -> Drawing:
    text = Text(at=(50, 30), text=words, size=20, fill="#000000", bold=bold, italic=italic)
    return Drawing(width=100, height=40, background="#ffffff", parts=(text,), title="T")


def test_a_picture_has_letters_where_a_machine_has_no_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert png(written("Athlone"), 100) != png(written(""), 100)
    # Of the machine's faces none is looked at.
    monkeypatch.setattr(raster, "face_of", lambda _: "LiberationSans-Regular")
    assert png(written("Mullingar"), 100) == png(written(""), 100)


def test_every_look_of_words_has_a_face_of_its_own() -> None:
    looks = {
        png(written("Athlone", bold=bold, italic=italic), 100) for bold in (True, False) for italic in (True, False)
    }
    assert len(looks) == 4


def test_a_page_is_written_with_our_faces_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    drawn = svg(written("Athlone", bold=True))
    assert b"DejaVuSans-Bold" in pdf(drawn, 100, 40)
    monkeypatch.setattr(renderer, "FOLDER", tmp_path)
    assert b"DejaVuSans" not in pdf(drawn, 100, 40)


@pytest.mark.parametrize("face", FACES)
def test_the_faces_have_every_letter_that_a_board_may_say(face: str) -> None:
    there = set(TTFont(SHIPPED / f"{face}.ttf").getBestCmap())
    assert not {letter for letter in _letters_of_boards() if ord(letter) not in there}


def _letters_of_boards() -> set[str]:
    """Return what stands in our maps and in the catalogue, and the letters of the languages around the North Sea and beyond."""
    texts = [game.board_text(name) for game in games().values() for name in game.boards()]
    texts += [
        (ROOT / "referee/locale/referee.pot").read_text(encoding="utf-8"),
        "ÄÖÜäöüßẞÉÈÊËéèêëÇçÑñÅåÆæØøŁłŐőŰűŞşĞğİı",
    ]
    texts += ["ΑΩάώ", "АЯаяЁёЇїҐґ", "€£–—…„“”‚‘’«»‹›·×→←↑↓"]
    return {letter for text in texts for letter in text if letter.isprintable()}


def _sources() -> Iterator[Path]:
    return (SOURCE / f"{face}.ttf" for face in FACES)


@pytest.mark.testlong
@pytest.mark.skipif(not all(face.is_file() for face in _sources()), reason="the faces of DejaVu are not installed")
def test_the_faces_are_made_from_dejavu_as_it_is_published() -> None:
    for face in _sources():
        assert made_from(face) == (SHIPPED / face.name).read_bytes()


def test_a_face_of_another_version_is_not_taken(tmp_path: Path) -> None:
    font = TTFont(SHIPPED / "DejaVuSans.ttf")
    font["name"].setName("Version 2.36", 5, 3, 1, 0x409)
    font["name"].setName("Version 2.36", 5, 1, 0, 0)
    other = io.BytesIO()
    font.save(other)
    (tmp_path / "DejaVuSans.ttf").write_bytes(other.getvalue())
    with pytest.raises(ValueError, match=r"'Version 2\.36': 'Version 2\.37' expected"):
        made_from(tmp_path / "DejaVuSans.ttf")
