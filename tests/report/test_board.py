"""Drawings as SVG and PNG."""

import re
from collections.abc import Iterable
from xml.etree import ElementTree

import pytest

from referee.core import ConfigError, RefereeError
from referee.core.picture import Circle, Drawing, Layer, Line, Polygon, Shape, Style, Text
from referee.core.picture.legend import Look
from referee.games.dampfross import GAME
from referee.games.dampfross.board.mapfile import read_map
from referee.games.dampfross.report.drawing import draw
from referee.report import raster, renderer
from referee.report.raster import WIDEST, png
from referee.report.renderer import elements, svg

NAMESPACE = "{http://www.w3.org/2000/svg}"
RED = Style(fill="#ff0000")
THIN = Style(stroke="#000000", width=2)


def drawing_of(*shapes: Shape | Layer, title: str = "T", description: str = "") -> Drawing:
    return Drawing(width=40, height=20, background="#ffffff", parts=shapes, title=title, description=description)


def test_every_word_a_player_chose_is_escaped() -> None:
    nasty = '<script>alert("&\'x")</script>\x00\x07'
    text = Text(at=(1, 2), text=nasty, size=5, fill="#000000")
    circle = Circle(at=(3, 4), radius=2, style=RED, title=nasty)
    document = svg(drawing_of(text, circle, title=nasty, description=nasty))
    root = ElementTree.fromstring(document)  # noqa: S314 - our own text
    assert not list(root.iter(f"{NAMESPACE}script"))
    assert [node.text for node in root.iter(f"{NAMESPACE}text")] == [nasty[:-2]]
    assert [node.text for node in root.iter(f"{NAMESPACE}desc")] == [nasty[:-2]]


def test_the_blank_before_a_french_colon_is_one_on_a_board() -> None:
    document = svg(drawing_of(title="Irlande\u00a0: manche 1"))
    assert "<title>Irlande : manche 1</title>" in document


def test_the_sheet_has_a_viewbox_a_title_and_no_size_of_its_own() -> None:
    root = ElementTree.fromstring(svg(drawing_of(title="Ireland")))  # noqa: S314
    assert root.attrib["viewBox"] == "0 0 40 20"
    assert "width" not in root.attrib
    assert root[0].text == "Ireland"


def test_neighbours_of_one_look_share_a_group_and_keep_their_order() -> None:
    square = Polygon(points=((0, 0), (4, 0), (4, 4)), style=RED)
    line = Line(points=((0, 0), (0, 5), (3, 2)), style=THIN)
    document = svg(drawing_of(square, square, line, line, square))
    assert re.findall(r"<g[^>]*>", document) == [
        '<g fill="#ff0000">',
        '<g fill="none" stroke="#000000" stroke-width="2" stroke-linecap="round">',
        '<g fill="#ff0000">',
    ]
    assert document.count("M0 0h4v4z") == 3
    assert '<path d="M0 0v5l3-3M0 0v5l3-3"/>' in document


def test_a_layer_is_written_as_its_shapes_are_and_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    square = Polygon(points=((0, 0), (4, 0), (4, 4)), style=RED)
    line = Line(points=((0, 0), (0, 5), (3, 2)), style=THIN)
    flat = svg(drawing_of(square, line, line, square))
    layer = Layer(shapes=(line, line))
    drawing = drawing_of(square, layer, square)
    assert drawing.shapes == (square, line, line, square)
    assert svg(drawing) == flat
    written: list[Shape] = []

    def body(shapes: Iterable[Shape], *, titled: bool) -> list[str]:
        assert titled
        written.extend(shapes)
        return []

    monkeypatch.setattr(renderer, "_bodies", body)
    svg(drawing)
    assert written == [square, square]


@pytest.mark.parametrize(
    ("style", "written"),
    [
        (Style(fill="#ff0000"), 'fill="#ff0000"'),
        (Style(fill="#ff0000", opacity=50), 'fill="#ff0000" fill-opacity=".50"'),
        (Style(fill="#ff0000", opacity=5), 'fill="#ff0000" fill-opacity=".05"'),
        (
            Style(fill="#ff0000", stroke="#000000", width=2, opacity=50),
            'fill="#ff0000" stroke="#000000" stroke-width="2" opacity=".50"',
        ),
    ],
)
def test_opacity_is_per_cent(style: Style, written: str) -> None:
    assert f"<g {written}>" in svg(drawing_of(Circle(at=(1, 1), radius=1, style=style)))


def test_a_line_lets_through_as_much_where_it_crosses_itself() -> None:
    line = Line(points=((0, 0), (5, 0), (0, 5)), style=Style(stroke="#000000", width=2, opacity=80))
    assert 'stroke-width="2" stroke-linecap="round" stroke-opacity=".80">' in svg(drawing_of(line))


def test_without_titles_surfaces_share_an_element_and_leave_no_hole_where_they_overlap() -> None:
    one = Polygon(points=((0, 0), (8, 0), (8, 8), (0, 8)), style=RED, title="A1")
    other = Polygon(points=((4, 4), (4, 12), (12, 12), (12, 4)), style=RED, title="A2")  # the other way round
    assert elements([one, other]).count("<title>") == 2
    assert elements([one, other], titled=False) == '<g fill="#ff0000"><path d="M0 0h8v8h-8zM12 4v8h-8v-8z"/></g>'
    edged = one.but(style=Style(fill="#ff0000", stroke="#000000", width=2))
    assert elements([edged, edged], titled=False).count("<path") == 2  # the second hides an edge of the first


def full_board() -> str:
    board = read_map(GAME.board_text("ireland"), "ireland.toml")
    companies = tuple(
        Look(code=code, name="R", colour=colour) for code, colour in (("A", "red"), ("B", "blue"), ("C", "pink"))
    )
    lines = dict.fromkeys(board.rivers, ("A", "B", "C"))
    return svg(draw(board, lines, companies, {"A": "AD7"}, "Ireland & all"))


def test_a_full_board_is_valid_whole_numbered_the_same_each_time_and_not_too_large_to_mail() -> None:
    document = full_board()
    ElementTree.fromstring(document)  # noqa: S314
    assert document == full_board()
    assert len(document.encode()) < 600_000
    assert not re.search(r'"[^"]*\d\.\d[^"]*"', document.replace('version="1.0"', ""))


def test_a_picture_has_the_width_asked_for() -> None:
    picture = png(drawing_of(Circle(at=(10, 10), radius=5, style=RED)), 100)
    assert picture.startswith(b"\x89PNG")
    assert int.from_bytes(picture[16:20], "big") == 100
    assert int.from_bytes(picture[20:24], "big") == 50


def test_no_picture_is_wider_than_the_limit() -> None:
    picture = png(drawing_of(), 10**9)
    assert int.from_bytes(picture[16:20], "big") == WIDEST


def test_a_missing_extra_is_a_sentence_that_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raster, "find_spec", lambda _: None)
    raster.thorvg.cache_clear()
    with pytest.raises(ConfigError, match=r"pip install '\.\[png\]'"):
        png(drawing_of(), 100)


def test_what_the_renderer_refuses_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(raster.thorvg(renderer.FOLDER).calls, "canvas_draw", lambda *_: 3)
    with pytest.raises(RefereeError, match="was not drawn as PNG"):
        png(drawing_of(), 100)


def test_names_of_hexes_in_two_passes_are_the_same_picture_in_half_the_text() -> None:
    railways = read_map(GAME.board_text("ireland"), "ireland.toml")
    drawn = draw(railways, {}, (), {}, "x")
    labels = tuple(
        shape for shape in drawn.shapes if isinstance(shape, Text) and shape.anchor != "middle" and shape.halo
    )
    half = len(labels) // 2
    assert half == len(railways.ground)
    by_hex = tuple(part for pair in zip(labels[:half], labels[half:], strict=True) for part in pair)
    in_passes, hex_by_hex = (drawn.but(parts=parts) for parts in (labels, by_hex))
    assert len(svg(in_passes)) < len(svg(hex_by_hex)) / 2
    assert png(in_passes, 1000) == png(hex_by_hex, 1000)
