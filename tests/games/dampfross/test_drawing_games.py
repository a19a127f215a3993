"""The board of a game, and what a reader must be able to tell apart on it: companies, homes, areas, keys."""

from itertools import combinations, pairwise

import pytest

from referee.core import SeededDice
from referee.core.game import Player, Setup
from referee.core.picture import SHADES, Circle, Drawing, Polygon, Text
from referee.core.picture.shapes import box_at, overlap, text_width
from referee.games.dampfross import GAME
from referee.games.dampfross.board import RailMap
from referee.games.dampfross.board.mapfile import read_map
from referee.games.dampfross.report.drawing import draw, draw_state
from referee.games.dampfross.report.picture import COLOURS
from referee.games.dampfross.report.picture.ground import SIGN, area_tints, areas_on_map, letters, middle
from referee.games.dampfross.report.picture.places import extent, key_lines, special_words
from referee.games.dampfross.state import State
from referee.locale import languages, translations
from tests.games.dampfross.sketch import position, sketch
from tests.pictures import words
from tests.tables import Tables

CASES = Tables(__file__)


PAIRS = (("GSW", "red", "WLW", "pink"), ("MGW", "blue", "BNC", "green"))


def shipped(name: str) -> RailMap:
    return read_map(GAME.board_text(name), name)


def opened(board: str, *codes: str, preset: str = "postal", pairs: bool = False) -> State:
    """Return the opening of a game."""
    if pairs:
        players = tuple(
            Player(code=code, colour=colour, name=code, second_code=second, second_colour=other)
            for code, colour, second, other in PAIRS
        )
    else:
        players = tuple(
            Player(code=code, colour=colour, name=code) for code, colour in zip(codes, SHADES, strict=False)
        )
    setup = Setup(
        game="dampfross", board_name=board, board=GAME.board_text(board), preset=preset, options=(), players=players
    )
    state = GAME.start(GAME.lay_out(setup), SeededDice("opened")).state
    assert isinstance(state, State)
    return state


def placed(state: State, **told: object) -> State:
    found = GAME.place(state, told)
    assert isinstance(found, State)
    return found


def ringed(drawing: Drawing) -> set[str]:
    """Return the names of the cities with the ring of a home terminal."""
    rings = (shape for shape in drawing.shapes if isinstance(shape, (Circle, Polygon)))
    return {shape.title for shape in rings if shape.style.fill == COLOURS["home-ring"]} - {""}


def test_david_and_davids_track_are_on_the_board() -> None:
    state = opened("ireland", "GSW", "MGW", preset="laurin")
    homes = {"GSW": "Dublin", "MGW": "Dublin", "DAVID": "Belfast"}
    drawing = draw_state(placed(state, homes=homes, track={"DAVID": ["Belfast - Portadown"], "GSW": ["Dublin - Z17"]}))
    assert "alone" not in drawing.title
    assert {"David", "brown"} <= set(words(drawing))
    assert words(drawing).count("DAVID") == 3  # legend, home, track


def test_the_second_companies_of_two_players_and_their_track_are_on_the_board() -> None:
    state = opened("ireland", pairs=True)
    homes = dict.fromkeys(("GSW", "MGW", "WLW", "BNC"), "Dublin")
    drawing = draw_state(placed(state, homes=homes, track={"WLW": ["Dublin - Drogheda - AB14 - AA14 - Z13 - Y13"]}))
    assert words(drawing).count("WLW") == 3
    assert words(drawing).count("BNC") == 2  # it has no track


def test_six_at_home_in_one_city_cover_neither_the_sign_nor_the_name_of_another() -> None:
    codes = ("ANN", "BOB", "CID", "DOT", "EVA", "FRI")
    for board, home in (("russia", "Moskwa"), ("ireland", "Dublin")):
        homes = dict.fromkeys(codes, home)
        shapes = list(draw_state(placed(opened(board, *codes), homes=homes)).shapes)
        flags = [
            box_at(words.at, text_width(words.text, words.size), words.size)
            for flag, words in pairwise(shapes)
            if isinstance(words, Text)
            and words.text in codes
            and isinstance(flag, Polygon)
            and flag.style.fill != "#ffffff"
        ]
        assert len(flags) == len(codes)
        signs = [
            box_at(each.at, 2 * each.radius, 2 * each.radius)
            for each in shapes
            if isinstance(each, Circle) and each.title
        ]
        names = [
            box_at(
                (each.at[0], each.at[1] - each.size // 3),
                text_width(each.text, each.size, serif=True),
                each.size * 2 // 3,
            )
            for each in shapes
            if isinstance(each, Text) and each.halo and each.serif and not each.italic
        ]
        assert not [(one, other) for one in flags for other in (*signs, *names) if overlap(one, other)]


def test_a_game_rings_the_homes_that_somebody_has_or_may_still_choose() -> None:
    four = opened("kentucky_tennessee", "GSW", "MGW", "BNC", "DSE")
    assert ringed(draw_state(four)) == {"Louisville", "Nashville"}
    some = placed(four, homes={"GSW": "Louisville", "MGW": "Louisville"})
    assert ringed(draw_state(some)) == {"Louisville", "Nashville"}
    every = placed(four, homes={"GSW": "Louisville", "MGW": "Louisville", "BNC": "Nashville", "DSE": "Nashville"})
    assert ringed(draw_state(every)) == {"Louisville", "Nashville"}


def test_where_nobody_starts_there_is_no_ring() -> None:
    """With six companies any city is a home: Louisville is none because three would start there."""
    six = opened("kentucky_tennessee", *"ABCDEF")
    assert ringed(draw_state(six)) == set()
    begun = draw_state(placed(six, homes={"A": "Memphis", "B": "Cairo"}))
    assert ringed(begun) == {"Memphis", "Cairo"}
    assert all(shape.size for shape in begun.shapes if isinstance(shape, Text))  # their flags have no room of their own


@CASES.frozen_rows
def test_keys_are_written_so_that_they_fit_on_a_disc(keys: tuple[int, ...], lines: tuple[str, ...]) -> None:
    assert key_lines(keys) == lines


def test_several_keys_stand_in_tags_clear_of_the_disc() -> None:
    board = sketch(
        {"A1": tuple(range(11, 17)) + tuple(range(21, 27)), "D3": (31, 33, 35), "F3": (41, 42, 51)}, homes="A1"
    )
    drawing = draw(board, {}, (), {}, "x")
    for station in board.stations:
        (x, y), (wide, high) = middle(station.hex), extent(station)
        lines = [shape for shape in drawing.shapes if isinstance(shape, Text) and shape.text in key_lines(station.keys)]
        assert len(lines) == len(key_lines(station.keys))
        for line in lines:
            tag = box_at((line.at[0], line.at[1] - line.size // 3), text_width(line.text, line.size), line.size)
            assert not overlap(tag, (x - wide, y - high, x + wide, y + high))
            assert line.size >= letters(board, SIGN)


def test_no_city_and_no_river_covers_the_end_of_a_special() -> None:
    board = shipped("kentucky_tennessee")
    shapes = draw(board, {}, (), {}, "x", starts=frozenset(station.hex for station in board.stations)).shapes
    signs = {middle(label): words for label, words in special_words(board).items()}
    painted = {(x, y - 48): n for n, each in enumerate(shapes) if isinstance(each, Text) for x, y in [each.at]}
    discs = {each.at: n for n, each in enumerate(shapes) if isinstance(each, Circle)}
    assert {shapes[painted[at]].text for at in signs} == set(signs.values())  # type: ignore[union-attr]
    assert discs.keys() & signs
    assert all(discs[at] < painted[at] for at in discs.keys() & signs)


@pytest.mark.parametrize("name", GAME.boards())
def test_the_legend_names_every_special_in_full(name: str) -> None:
    board = shipped(name)
    shown = words(draw(board, {}, (), {}, "x"))
    assert [each.title for each in board.specials if f"special {each.number}: {each.title}" not in shown] == []


@pytest.mark.parametrize("name", GAME.boards())
def test_foreign_areas_that_the_legend_tells_apart_have_tints_that_differ(name: str) -> None:
    """By a twentieth of what a shade can be in one of its three colours at least."""
    board = shipped(name)
    drawing = draw(board, {}, (), {}, "x")
    hexes = {shape.style.fill for shape in drawing.shapes if isinstance(shape, Polygon)}
    foreign = {letter: tint for letter, tint in area_tints(board).items() if letter not in board.home_areas}
    tints = {tint for tint in foreign.values() if tint in hexes}
    assert len(set(list(foreign.values())[:6])) == min(6, len(foreign))
    for one, other in combinations(sorted(tints), 2):
        assert max(abs(int(one[n : n + 2], 16) - int(other[n : n + 2], 16)) for n in (1, 3, 5)) >= 12


def test_a_position_without_companies_of_its_own_is_drawn() -> None:
    board = sketch({"A3": (11,), "D6": (12,)}, homes="A3 D6")
    drawing = draw_state(position(board, {"GSW": "A3", "MGW": "D6"}))
    assert {"GSW", "MGW"} <= set(words(drawing))


def test_the_legend_has_the_prices_of_the_game() -> None:
    """A river beside a hill costs nothing more in the third edition. Rule: D2.3."""
    state = opened("kentucky_tennessee", "GSW", "MGW", "BNC")
    shown = words(draw_state(state))
    assert {"mountain: 3 points, 5 from another", "river: 2 points more", "wide river: 4 points more"} <= set(shown)
    dear = state.but(table=state.table.but(options=state.table.options.but(costs="rostherne-3")))
    shown = words(draw_state(dear))
    assert {"mountain: 4 points, 6 from another", "river between plains: 2 points more"} <= set(shown)
    assert "wide river between plains: 4 more" in shown


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", GAME.boards())
def test_every_area_is_named_on_the_sheet_in_every_language(name: str, language: str) -> None:
    board, translate = shipped(name), translations(language).gettext
    drawing = draw(board, {}, (), {}, "x", translate)
    texts = {shape.text: shape for shape in drawing.shapes if isinstance(shape, Text)}
    assert {*map(translate, board.areas.values())} <= {*texts}
    for area in (texts[translate(board.areas[letter])] for letter in areas_on_map(board)):
        half = text_width(area.text, area.size) // 2
        assert 60 <= area.at[0] - half <= area.at[0] + half <= drawing.width - 60, area.text
