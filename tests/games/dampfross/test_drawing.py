"""The drawn board: everything an umpire looks for is there, nothing important lies over another."""

from collections.abc import Iterable
from itertools import combinations, pairwise
from math import atan2, degrees, dist
from pathlib import Path
from random import Random

import pytest

from referee.core import Side, side
from referee.core.picture import SHADES, Circle, Drawing, Layer, Line, Point, Polygon, Text
from referee.core.picture.legend import Look
from referee.core.picture.shapes import Box, Obstacles, between, text_width
from referee.games.dampfross import GAME
from referee.games.dampfross.board import MOUNTAIN, RailMap
from referee.games.dampfross.board.mapfile import read_map
from referee.games.dampfross.report.drawing import draw
from referee.games.dampfross.report.picture import COLOURS, LINES, PATTERNS, line_styles
from referee.games.dampfross.report.picture.ground import edge_of, halfway, middle, peaks, waves
from referee.games.dampfross.report.picture.places import MINOR_RADIUS, RADIUS, RING, disc, extent, key_lines
from referee.report.html import _luminance
from tests.pictures import words

COMPANIES = tuple(
    Look(code=code, name=f"{code} Railway", colour=colour)
    for code, colour in zip(
        ("GSW", "MGW", "GNR", "BCD", "DSE", "TR"), ("red", "blue", "green", "black", "orange", "yellow"), strict=True
    )
)
HOMES = {"GSW": "AB18", "MGW": "AB18", "GNR": "AD7", "BCD": "AD7", "DSE": "AB18", "TR": "AD7"}
ROUTE = ("AB18", "AB17", "AB16", "AB15", "AA15", "AA14", "AA13", "AA12", "AA11", "AA10", "AA9")


def lines_of(route: tuple[str, ...], *owners: str) -> dict[Side, tuple[str, ...]]:
    return {side(one, other): owners for one, other in pairwise(route)}


@pytest.fixture(scope="module")
def ireland() -> RailMap:
    return read_map(GAME.board_text("ireland"), "ireland.toml")


@pytest.fixture(scope="module")
def drawn(ireland: RailMap) -> Drawing:
    return draw(ireland, lines_of(ROUTE, "GSW", "GNR", "TR"), COMPANIES, HOMES, "Ireland after round 2")


def name_box(drawing: Drawing, name: str) -> Box:
    (text,) = (
        shape
        for shape in drawing.shapes
        if isinstance(shape, Text) and shape.text in (name, name.upper()) and shape.bold and shape.serif
    )
    width = text_width(text.text, text.size, serif=True)
    return text.at[0] - width // 2, text.at[1] - text.size * 8 // 10, text.at[0] + width // 2, text.at[1]


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_every_hex_carries_its_name(ireland: RailMap, drawn: Drawing) -> None:
    at = {(shape.at, shape.text) for shape in drawn.shapes if isinstance(shape, Text)}
    for label in ireland.ground:
        x, y = middle(label)
        letters = label.rstrip("0123456789")
        assert ((x - 5, y - 31), letters) in at
        assert ((x + 5, y - 31), label[len(letters) :]) in at


@pytest.mark.parametrize("ink", ["area-name", "bank", "deep", "border", "label"])
@pytest.mark.parametrize("ground", ["hill", "sea", "plain-1"])
def test_words_on_the_board_stand_out_from_what_they_lie_on(ink: str, ground: str) -> None:
    darker, lighter = sorted(_luminance(COLOURS[each]) for each in (ink, ground))
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def test_every_mountain_has_a_sign_that_does_not_need_colour(ireland: RailMap, drawn: Drawing) -> None:
    signs = sum(isinstance(shape, Polygon) and shape.style.fill == COLOURS["peak"] for shape in drawn.shapes)
    assert signs == sum(kind == MOUNTAIN for kind in ireland.ground.values()) + 1  # one in the legend


def test_every_city_has_a_disc_its_keys_and_its_name(ireland: RailMap, drawn: Drawing) -> None:
    shown = {shape.title for shape in drawn.shapes if isinstance(shape, (Circle, Polygon))}
    for station in ireland.stations:
        assert station.name in shown
        assert set(key_lines(station.keys)) <= set(words(drawn))
        assert {station.name, station.name.upper()} & set(words(drawn))


def test_no_name_lies_over_another_name(ireland: RailMap, drawn: Drawing) -> None:
    boxes = {station.name: name_box(drawn, station.name) for station in ireland.stations}
    assert [pair for pair in combinations(boxes, 2) if overlap(boxes[pair[0]], boxes[pair[1]])] == []


def test_no_name_lies_over_a_disc(ireland: RailMap, drawn: Drawing) -> None:
    hit = []
    for station in ireland.stations:
        box = name_box(drawn, station.name)
        for other in ireland.stations:
            x, y = middle(other.hex)
            wide, high = (half - RING - 6 for half in extent(other))  # a corner may touch the square around a disc
            if overlap(box, (x - wide, y - high, x + wide, y + high)):
                hit.append((station.name, other.name))
    assert hit == []


@pytest.mark.parametrize("name", GAME.boards())
def test_every_sign_lies_inside_its_hex(name: str) -> None:
    """Discs as wide as their keys, with the ring of a home; mountains; lakes."""
    board = read_map(GAME.board_text(name), name)
    for station in board.stations:
        for home in (True, False):
            shapes = disc(middle(station.hex), station.keys, home=home, minor=station.minor)
            _assert_inside(station.hex, (shape for shape in shapes if not isinstance(shape, Text)))
    for label in board.ground:
        _assert_inside(label, peaks(middle(label)))
    for label in board.water:
        _assert_inside(label, waves(middle(label)))


def _assert_inside(label: str, shapes: Iterable[Circle | Line | Polygon]) -> None:
    x, y = middle(label)
    for shape in shapes:
        if isinstance(shape, Circle):
            assert shape.radius <= 52
        else:
            assert all(abs(px - x) * 52 + abs(py - y) * 30 <= 60 * 52 + 60 for px, py in shape.points), label


@pytest.mark.parametrize("name", GAME.boards())
def test_what_a_letter_shows_600_pixels_wide_can_be_read(name: str) -> None:
    board = read_map(GAME.board_text(name), name)
    crossing = side("U20", "U21")
    shown = draw(board, {crossing: ("GSW",)}, COMPANIES[:1], {}, "x").for_screen.parts
    sizes = {
        each.text: each.size * 600 / draw(board, {}, (), {}, "x").width for each in shown if isinstance(each, Text)
    }
    assert sizes["GSW"] >= 7
    towns = [sizes[each.name] for each in board.stations if each.name in sizes]
    assert min(towns) >= 9
    assert min(sizes.get(each.name.upper(), 9) for each in board.stations) >= 8  # capitals are higher


def test_names_stand_where_they_stood_the_turn_before(ireland: RailMap) -> None:
    towns = {station.name for station in ireland.stations} | {river.name for river in ireland.river_lines}

    def places(*route: str) -> dict[str, tuple[int, int]]:
        shown = draw(ireland, lines_of(route, "GSW", "MGW"), COMPANIES, HOMES if len(route) > 5 else {}, "x").shapes
        return {shape.text: shape.at for shape in shown if isinstance(shape, Text) and shape.text in towns}

    assert places() == places(*ROUTE[:4]) == places(*ROUTE)


def test_a_river_runs_in_curves_through_the_middles_of_its_hex_sides(ireland: RailMap, drawn: Drawing) -> None:
    courses = [
        shape.points for shape in drawn.shapes if isinstance(shape, Line) and shape.style.stroke == COLOURS["river"]
    ]
    on = {point for points in courses for point in points}
    blackwater = next(river for river in ireland.river_lines if river.name == "Blackwater")
    middles = [between(*edge_of(crossing)) for crossing in blackwater.sides]
    assert all(min(dist(each, point) for point in on) < 2 for each in middles)
    assert len({end for crossing in blackwater.sides for end in edge_of(crossing)} & on) == 2  # its ends alone


def test_every_word_and_line_lies_on_the_sheet(drawn: Drawing) -> None:
    for shape in drawn.shapes:
        points = (shape.at,) if isinstance(shape, (Text, Circle)) else shape.points
        assert all(0 <= x <= drawn.width and drawn.top <= y <= drawn.top + drawn.height for x, y in points), shape


def course(drawing: Drawing, colour: str) -> tuple[Point, ...]:
    """Return the longest line of a colour."""
    lines = (
        shape.points for shape in drawing.shapes if isinstance(shape, Line) and shape.style.stroke == SHADES[colour]
    )
    return max(lines, key=len)


def test_companies_on_one_hex_side_lie_side_by_side(ireland: RailMap) -> None:
    drawing = draw(ireland, lines_of(("U20", "U21"), "GSW", "MGW", "DSE"), COMPANIES, {}, "x")
    across = {course(drawing, look.colour)[2][0] for look in (COMPANIES[0], COMPANIES[1], COMPANIES[4])}
    assert len(across) == 3


ZIGZAG = ("T20", "U20", "V20", "V21", "U22", "T22", "S22", "S23", "T24")


def test_lines_that_run_together_keep_their_order_and_their_distance_round_corners(ireland: RailMap) -> None:
    drawing = draw(ireland, lines_of(ZIGZAG, "GSW", "GNR"), COMPANIES, {}, "x")
    red, green = (course(drawing, colour)[2:-2] for colour in ("red", "green"))
    apart = [
        (x - px) * (ny - py) - (y - py) * (nx - px)
        for (px, py), (nx, ny), (x, y) in zip(red, red[1:], green, strict=False)
    ]
    assert len({each > 0 for each in apart if each}) == 1
    assert all(8 <= dist(*pair) <= 20 for pair in zip(red, green, strict=True))


def test_track_goes_round_a_bend_without_a_corner(ireland: RailMap) -> None:
    points = course(draw(ireland, lines_of(ZIGZAG, "GSW"), COMPANIES, {}, "x"), "red")
    ways = [(x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in pairwise(points)]
    turns = [abs(degrees(atan2(x1 * y2 - y1 * x2, x1 * x2 + y1 * y2))) for (x1, y1), (x2, y2) in pairwise(ways)]
    assert 0 < max(turns) < 45  # where the hexes turn by 60


def test_six_companies_have_six_patterns() -> None:
    looks = [tuple((style.width, style.dash) for style in line_styles(look, n)) for n, look in enumerate(COMPANIES)]
    assert len(set(looks)) == PATTERNS == 6


def test_a_line_carries_its_companys_acronym(drawn: Drawing) -> None:
    shown = words(drawn)
    assert all(shown.count(code) >= 3 for code in ("GSW", "GNR", "TR"))  # flag at home, legend, on the line
    assert shown.count("MGW") == 2  # no track: flag and legend only


def test_the_legend_names_the_companies_and_the_rulers_both_grids(drawn: Drawing) -> None:
    shown = words(drawn)
    assert {"GSW Railway", "red"} <= set(shown)
    assert "mountain" in shown
    assert "Numbered grid: AE5 may also be written E41." in shown
    assert shown.count("E+36") == 2
    assert "wide river: 4 points more" not in shown  # Ireland has none


def test_the_words_of_the_legend_are_translated(ireland: RailMap) -> None:
    catalogue = {"mountain": "Gebirge", "red": "rot"}
    drawing = draw(ireland, {}, COMPANIES, {}, "x", lambda text: catalogue.get(text, text))
    assert "Gebirge" in words(drawing)
    assert "rot" in words(drawing)


def test_a_very_long_name_is_cut_and_an_empty_board_is_drawn(ireland: RailMap) -> None:
    drawing = draw(ireland, {}, (Look(code="X", name="W" * 200, colour="puce"),), {}, "W" * 300)
    assert any(text.endswith("…") for text in words(drawing))


def test_the_same_board_is_the_same_drawing(ireland: RailMap, drawn: Drawing) -> None:
    assert draw(ireland, lines_of(ROUTE, "GSW", "GNR", "TR"), COMPANIES, HOMES, "Ireland after round 2") == drawn


# --- What a map may have besides ground, rivers and cities ---


@pytest.fixture(scope="module")
def features() -> RailMap:
    text = (Path(__file__).parent / "maps" / "features.toml").read_text(encoding="utf-8")
    return read_map(text, "features.toml")


def test_bridges_and_ferries_carry_their_names_and_prices(features: RailMap) -> None:
    drawing = draw(features, {}, (), {}, "x")
    shown = words(drawing)
    for text in ("Strait Bridge 5", "Dee Bridge 2", "Sound Ferry 5", "Night Boat 6"):
        assert text in shown
    assert shown.count("4") >= 2  # the two priced hex-sides
    lines = {shape.at[0]: shape.at[1] for shape in drawing.shapes if isinstance(shape, Text) and shape.text == "4"}
    for x, y in map(halfway, features.prices):
        assert y < lines[x] < y + 12  # its figures, half as high as wide letters are, stand in the middle of it


def test_a_ferry_shows_its_owners_and_is_no_track(features: RailMap) -> None:
    drawing = draw(features, {("E3", "I3"): ("GSW", "GNR")}, COMPANIES, {}, "x")
    assert words(drawing).count("GSW") == words(drawing).count("GNR") == 2  # on the ferry and in the legend
    assert words(drawing).count("MGW") == 1
    ends = {middle("E3"), middle("I3")}
    strokes = {
        shape.style.stroke
        for shape in drawing.shapes
        if isinstance(shape, Line) and {shape.points[0], shape.points[-1]} == ends
    }
    assert SHADES["red"] not in strokes


def test_forbidden_hex_sides_are_barred_and_rivers_are_not(features: RailMap) -> None:
    drawing = draw(features, {}, (), {}, "x")
    barred = {
        shape.points for shape in drawing.shapes if isinstance(shape, Line) and shape.style == LINES["forbidden"][1]
    }
    assert barred >= {edge_of(crossing) for crossing in (("A8", "B8"), ("D2", "D3"))}
    assert edge_of(("D4", "E5")) not in barred
    assert edge_of(("B8", "B9")) not in barred


def test_minor_towns_are_smaller(features: RailMap) -> None:
    drawing = draw(features, {}, (), {}, "x")
    radius = {shape.at: shape.radius for shape in drawing.shapes if isinstance(shape, Circle) and shape.title}
    assert radius[middle("D1")] == MINOR_RADIUS < RADIUS <= max(radius.values())


def test_the_ends_of_several_specials_carry_all_numbers(features: RailMap) -> None:
    shown = words(draw(features, {}, (), {}, "x"))
    assert "@2+3+5+6" in shown  # Farend
    assert "special 3: Across the border" in shown


@pytest.mark.parametrize("companies", [(), COMPANIES])
def test_the_legend_of_a_narrow_sheet_stays_on_it(features: RailMap, companies: tuple[Look, ...]) -> None:
    drawing = draw(features, {}, companies, {}, "x")
    for shape in drawing.shapes:
        points = (shape.at,) if isinstance(shape, (Text, Circle)) else shape.points
        assert all(0 <= x <= drawing.width and 0 <= y <= drawing.height for x, y in points), shape
    for text in ("minor town", "closed to track", "own price in points", "bridge, with its price in points"):
        assert text in words(drawing)


@pytest.mark.parametrize("name", GAME.boards())
def test_no_name_of_a_city_lies_over_another_on_any_map(name: str) -> None:
    board = read_map(GAME.board_text(name), name)
    drawing = draw(board, {}, (), {}, "x")
    boxes = {station.name: name_box(drawing, station.name) for station in board.stations}
    assert [pair for pair in combinations(boxes, 2) if overlap(boxes[pair[0]], boxes[pair[1]])] == []


def test_what_is_the_same_in_every_position_is_kept(ireland: RailMap, drawn: Drawing) -> None:
    other = draw(ireland, lines_of(ROUTE[:4], "GSW"), COMPANIES, {}, "x")
    kept = {part for part in drawn.parts if isinstance(part, Layer)} & set(other.parts)
    assert (
        len(kept) == 11
    )  # land; lines; bridges; labels; discs; specials; names of waters; of junctions; rulers; no trains, no marks
    assert sum(len(layer.shapes) for layer in kept) > len(drawn.shapes) * 3 // 4


def test_a_board_leaves_no_mark_on_the_next_one(ireland: RailMap, drawn: Drawing) -> None:
    draw(ireland, lines_of(("U20", "U21"), "GSW", "MGW", "DSE"), COMPANIES, HOMES, "x")
    assert draw(ireland, lines_of(ROUTE, "GSW", "GNR", "TR"), COMPANIES, HOMES, drawn.title) == drawn


@pytest.mark.parametrize("most", [0, 100, 2_000, 10_000])
def test_the_conflict_of_a_label_is_told_in_full_up_to_the_limit(most: int) -> None:
    chance = Random(7)  # noqa: S311 (no secret)
    taken, boxes = Obstacles(), []
    for _ in range(300):
        left, top = chance.randrange(-200, 900), chance.randrange(-200, 900)
        box = (left, top, left + chance.randrange(1, 200), top + chance.randrange(1, 90))
        boxes.append((box, chance.choice((2, 9, 100))))
        taken.add(box, weight=boxes[-1][1])
    taken.add(boxes[0][0], weight=boxes[0][1])  # counts once
    taken.add((0, 0, 400, 400), weight=7)
    taken.remove((0, 0, 400, 400), 7)
    for (left, top, right, bottom), _ in boxes:
        found = sum(
            max(0, min(right, other[2]) - max(left, other[0]))
            * max(0, min(bottom, other[3]) - max(top, other[1]))
            * weight
            for other, weight in boxes
        )
        spot = (left, top, right, bottom)
        assert taken.copy().conflict(spot) == taken.conflict(spot) == found
        assert taken.conflict(spot, most) == found if found <= most else taken.conflict(spot, most) > most
