"""The drawn board: everything a player looks for is there, no name or symbol lies over another, black and white will do."""

import json
from itertools import combinations, pairwise
from math import dist
from pathlib import Path
from typing import Any

import pytest

from referee.core import View
from referee.core.game import Player
from referee.core.picture import SHADES, Circle, Line, Polygon, Print, Text, closeup
from referee.core.picture.legend import Look
from referee.core.picture.shapes import Box
from referee.games.volldampf import GAME
from referee.games.volldampf.board import CUBE_COLOURS, Board, City, Link
from referee.games.volldampf.board.boardfile import board_of, read_board
from referee.games.volldampf.events import CubeDelivered, LinkBuilt, RoundEnded
from referee.games.volldampf.options import Options
from referee.games.volldampf.report import picture as palette
from referee.games.volldampf.report.drawing import arrange, draw, draw_board, draw_state
from referee.games.volldampf.report.picture import COLOURS, NAME, RADIUS, Scene, lay_out, places
from referee.games.volldampf.report.picture.links import course, ways
from referee.games.volldampf.report.picture.places import disc, disc_boxes, extents
from referee.games.volldampf.state import State, Table
from referee.report.renderer import svg
from referee.report.templates import Stationery
from tests.games.volldampf.told import BOARD as TRIAL
from tests.games.volldampf.wholegame import recorded_game
from tests.pages import volldampf_page, volldampf_turns
from tests.pictures import words

CODES = ("GSW", "KPE", "BAY", "SAX", "RHE", "BRN")
LOOKS = tuple(
    Look(code=code, name=f"{code} Bahn", colour=colour) for code, colour in zip(CODES, GAME.colours, strict=True)
)


GERMANY = read_board(GAME.board_text("deutschland-1925"), "x")
SHEET = lay_out(GERMANY)


def scene(
    board: Board = GERMANY, players: int = 6, laid: int = 0, shift: int = 0, lying: int = 2, **changes: Any
) -> Scene:
    """A position with *laid* sections and up to *lying* cubes on a city, other ones for every *shift*."""
    codes = CODES[:players]
    links = [board.links[(7 * n + shift) % len(board.links)].id for n in range(laid)]
    made = Scene(
        board=board,
        heading="Round 2",
        players=LOOKS[:players],
        order=codes[::-1],
        built={link: codes[(n + shift) % players] for n, link in enumerate(links)},
        cubes={
            city.id: tuple(CUBE_COLOURS[k % 4] for k in range((n * 3 + shift) % (lying + 1)))
            for n, city in enumerate(board.cities)
            if (n * 3 + shift) % (lying + 1)
        },
        income={code: 11 * n for n, code in enumerate(codes)},
        figures={word: dict.fromkeys(codes, 3) for word in ("income", "bonds", "sections_left")},
    )
    return made.but(**changes)


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_every_city_has_a_sign_its_id_and_its_name() -> None:
    drawn = draw_board(GERMANY)
    for city in GERMANY.cities:
        assert city.id in words(drawn)
        assert (city.name if city.is_home else f"{city.name} ({city.country})") in words(drawn)


def test_every_free_link_shows_shape_colour_and_cost() -> None:
    drawn = draw_board(GERMANY)
    titled = {shape.title: shape for shape in drawn.shapes if isinstance(shape, (Polygon, Circle)) and shape.title}
    corners = {"octagon": 8, "triangle": 3, "square": 4, "diamond": 4, "star": 12}
    symbols = {colour.id: colour.symbol for colour in GERMANY.colours}
    for link in GERMANY.links:
        sign = titled[f"{GERMANY.link_name(link.id)}: {link.colour}, {link.cost}"]
        assert sign.style.stroke == palette.LINK_PAINT[link.colour]
        if isinstance(sign, Polygon):
            assert len(sign.points) == corners[symbols[link.colour]]
        else:
            assert symbols[link.colour] == "circle"
    shown = [word for word in words(drawn) if word.isdigit()]
    assert all(shown.count(str(cost)) >= 1 for cost in (3, 4, 5, 6, 7, 8, 9, 10))


def test_a_free_link_says_its_colour_in_the_readers_language() -> None:
    drawn = draw(scene(), lambda text: f"«{text}»")
    titles = [shape.title for shape in drawn.shapes if isinstance(shape, (Polygon, Circle))]
    assert "«Hamburg-Hannover: «purple», 5»" in titles


def test_a_built_link_shows_its_owner_and_what_it_cost() -> None:
    drawn = draw(scene(built={"HAM-HAN": "KPE"}, cubes={}))
    titles = {shape.title for shape in drawn.shapes if isinstance(shape, (Polygon, Circle))}
    assert "Hamburg-Hannover: purple, 5" not in titles
    assert words(drawn).count("KPE") == 2  # on the locomotive, in the legend
    assert words(drawn).count("KPE 5") == 1


def test_names_stand_nearer_to_their_own_city_than_to_another() -> None:
    """Erfurt's cubes looked like Frankfurt's, Magdeburg's like Berlin's."""
    position = scene(laid=24)
    placed = arrange(position)
    for city in SHEET.spots:
        left, top, right, bottom = placed[city]
        gaps = {
            other: max(left - x, 0, x - right) ** 2 + max(top - y, 0, y - bottom) ** 2
            for other, (x, y) in SHEET.spots.items()
        }
        assert min(gaps, key=lambda other: gaps[other]) == city


def test_what_was_built_last_lies_on_a_band() -> None:
    built = {"HAM-HAN": "KPE", "MUN-NUR": "KPE"}
    position = scene(built=built, fresh=frozenset({"MUN-NUR"}))
    bands = [
        shape for shape in draw(position).shapes if isinstance(shape, Line) and shape.style == palette.LINES["fresh"][1]
    ]
    assert bands[0].points == course(position, GERMANY.link_by_id("MUN-NUR"))
    assert len(bands) == 2  # one in the legend
    assert "new section" in words(draw(position))
    assert "new section" not in words(draw(position.but(fresh=frozenset())))


def delivered(player: str, trip: int, colour: str, route: str) -> CubeDelivered:
    """A delivery over cities by their ids."""
    return CubeDelivered(player=player, trip=trip, colour=colour, route=tuple(route.split("-")), steps={}, loks=0)


def at_the_table() -> State:
    seats = tuple(Player(code=code, colour=colour, name=code) for code, colour in (("GSW", "red"), ("KPE", "blue")))
    table = Table(board=GERMANY, options=Options(), players=seats)
    built = {"HAM-HAN": "GSW", "HAN-MAG": "KPE", "LEI-MAG": "KPE"}
    income = {"GSW": 1, "KPE": 2}
    return State(table=table, order=("GSW", "KPE"), built=built, income=income, bonds=dict.fromkeys(income, 0))


def test_deliveries_of_the_turn_run_beside_the_links_each_in_a_lane_of_its_own() -> None:
    """They do not lie on the sections, end at their city with an arrow, and say trip, mover and cube."""
    trips = (
        delivered("GSW", 1, "violet", "HAM-HAN-MAG"),
        delivered("KPE", 1, "blue", "HAM-HAN"),
        delivered("KPE", 2, "blue", "HAN-HAM"),
    )
    state = at_the_table()
    drawn = draw_state(state, show=Print(events=trips))
    said = words(drawn)
    assert {"1 GSW", "1 KPE", "2 KPE"} <= set(said)
    assert {"delivery on trip 1", "on trip 2"} <= set(said)
    lines = ways(scene(hauls=trips))
    (x, y), (far_x, far_y) = SHEET.spots["HAM"], SHEET.spots["HAN"]
    aside = [((far_x - x) * (b - y) - (far_y - y) * (a - x)) for (a, b), *_ in (lines[0], lines[1], lines[2][::-1])]
    assert len(set(aside)) == len(aside) == 3
    assert min(map(abs, aside)) > palette.LINES["section"][0].width // 2 * max(abs(far_x - x), abs(far_y - y))
    assert dist(lines[0][-1], SHEET.spots["MAG"]) < dist(lines[0][-1], SHEET.spots["HAN"])
    plain = words(draw_state(state))
    assert not [word for word in plain if word in ("1 GSW", "1 KPE", "delivery on trip 1")]
    alone = words(draw_state(state, show=Print(events=trips, alone="KPE")))
    assert ("1 GSW" in alone, "2 KPE" in alone) == (False, True)


def test_signs_of_deliveries_cover_no_city_name_or_link_symbol() -> None:
    state = at_the_table()
    trips = (delivered("GSW", 1, "violet", "HAM-HAN-MAG-LEI"), delivered("KPE", 1, "blue", "MAG-LEI"))
    show = Print(events=trips)
    tags = [
        shape for shape in draw_state(state, show=show).shapes if isinstance(shape, Text) and shape.text[:2] == "1 "
    ]
    assert [tag.text for tag in tags] == ["1 GSW", "1 KPE"]
    names = {shape.text: shape.size for shape in draw_state(state).shapes if isinstance(shape, Text)}
    assert all(tag.size >= names["HAM"] for tag in tags)  # as easily read as what stands in a city
    for tag in tags:
        box = places.tag_box(tag.at, tag.text)
        assert not any(overlap(box, other) for other in disc_boxes(SHEET))


def test_a_player_is_shown_alone() -> None:
    built = {"HAM-HAN": "KPE", "MUN-NUR": "GSW"}
    told = words(draw(scene(built=built, alone="KPE", cubes={})))
    everybody = words(draw(scene(built=built, cubes={})))
    assert [words for words in everybody if words not in told] == ["GSW 5"]


def test_at_the_end_there_are_scores_and_a_winner() -> None:
    codes = CODES[:3]
    over = scene(players=3, figures={"score": dict.fromkeys(codes, 4321)}, winners=codes[:1])
    told = words(draw(over))
    assert (told.count("4321"), told.count("score"), told.count("winner")) == (3, 1, 1)
    assert not {"score", "winner"} & set(words(draw(scene())))


def test_the_country_lies_under_the_links_between_home_cities() -> None:
    homes = {SHEET.spots[city.id] for city in GERMANY.cities if city.is_home}
    lines = [shape for shape in draw(scene()).shapes if isinstance(shape, Line)]
    ground = {frozenset(shape.points) for shape in lines if shape.style.stroke == COLOURS["home"]}
    ends = [frozenset((SHEET.spots[link.a], SHEET.spots[link.b])) for link in GERMANY.links]
    assert ground == {each for each in ends if each <= homes}


def test_on_paper_the_ground_is_white() -> None:
    drawn = draw(scene(laid=24))
    paper = drawn.recolour(palette.ON_PAPER)
    ground = {COLOURS[each] for each in ("abroad", "home", "paper")}
    assert ground <= set(drawn.colours)
    assert not ground & set(paper.colours)
    assert {SHADES[each] for each in GAME.colours} <= set(paper.colours)


def covering(position: Scene) -> list[tuple[str, str]]:
    """Return what lies over another: cities, names with their cubes, symbols of links."""
    placed = arrange(position)
    boxes: dict[str, Box] = {f"name of {city}": placed[city] for city in SHEET.spots}
    for link in position.board.links:
        left, top, right, bottom = placed[link.id]
        off = 0 if link.id in position.built else 5  # free room around a symbol
        boxes[link.id] = left + off, top + off, right - off, bottom - off
    for city, (x, y) in SHEET.spots.items():
        boxes[city] = (x - RADIUS + 3, y - RADIUS + 3, x + RADIUS - 3, y + RADIUS - 3)
    return [pair for pair in combinations(boxes, 2) if overlap(boxes[pair[0]], boxes[pair[1]])]


@pytest.mark.parametrize("shift", [0, 1, 2, 5, 11])
@pytest.mark.parametrize("built", [0, 24, 48])
@pytest.mark.parametrize("cubes", [2, 3])
def test_no_name_symbol_or_city_lies_over_another(cubes: int, built: int, shift: int) -> None:
    """With three the bag is empty, and some symbols have to give way."""
    assert covering(scene(laid=built, shift=shift, lying=cubes)) == []


def crossed(position: Scene) -> list[tuple[str, str]]:
    """Return the cities whose name or cubes lie on a section, each with the link."""
    placed = arrange(position)
    found = []
    for link in position.board.links:
        (x, y), (far_x, far_y) = course(position, link)
        way = [(x + (far_x - x) * n // 200, y + (far_y - y) * n // 200) for n in range(201)]
        if link.id in position.built:
            found += [(city, link.id) for city in SHEET.spots if any(overlap(placed[city], (*at, *at)) for at in way)]
    return found


@pytest.mark.parametrize("shift", [0, 1, 2, 5, 11])
@pytest.mark.parametrize("built", [1, 24, 48, 60])
def test_no_name_or_cube_lies_on_a_section(built: int, shift: int) -> None:
    """Not even with every link built: eight sections meet in Nürnberg."""
    assert crossed(scene(laid=built, shift=shift)) == []


def test_symbols_stay_where_they_are_from_turn_to_turn() -> None:
    begun, late = (arrange(scene(laid=built)) for built in (0, 48))
    links = [link.id for link in GERMANY.links]
    assert [places.middle(begun[link]) for link in links] == [places.middle(late[link]) for link in links]


def test_nurnberg_keeps_clear_of_the_section_to_munchen() -> None:
    built = {"LEI-MAG": "GSW", "ERF-LEI": "GSW", "ERF-NUR": "GSW", "HAM-HAN": "KPE", "HAN-MAG": "KPE", "MUN-NUR": "KPE"}
    assert crossed(scene(built=built, cubes={"NUR": ("blue",)})) == []


def test_names_on_a_small_board_keep_off_the_income_track() -> None:
    """Four cities close together, all linked, long names and many cubes: names go to the edges."""
    cities = (
        City(id="ONE", name="Frankfurt am Main", colour="violet", at=(236, 189)),
        City(id="TWO", name="Villingen-Schwenningen", colour="blue", at=(232, 255)),
        City(id="TRE", name="Villingen-Schwenningen", colour="blue", at=(263, 221)),
        City(id="FOR", name="Villingen-Schwenningen", colour="red", at=(319, 280)),
    )
    links = tuple(Link(a=one.id, b=other.id, colour="purple", cost=5) for one, other in combinations(cities, 2))
    board = TRIAL.but(cities=cities, links=links)
    position = scene(board, 3, cubes={city.id: ("blue", "red", "violet") * 2 for city in cities})
    left, top, right, bottom = position.sheet.inside
    placed = arrange(position)
    for x, y, far_x, far_y in map(placed.__getitem__, position.sheet.spots):
        assert left + 10 < x < far_x < right - 10
        assert top + 10 < y < far_y < bottom - 10


def test_every_word_and_line_lies_on_the_sheet() -> None:
    drawn = draw(scene(laid=48, lying=9, groups=(("green", "green", "pink"),) * 6))
    for shape in drawn.shapes:
        points = (shape.at,) if isinstance(shape, (Text, Circle)) else shape.points
        assert all(0 <= x <= drawn.width and 0 <= y <= drawn.height for x, y in points), shape


def test_cubes_lie_beside_their_city_and_many_are_counted() -> None:
    few = draw(scene(cubes={"HAM": ("blue", "red")}))
    many = draw(scene(cubes={"HAM": ("blue",) * 7 + ("red",) * 2}))
    assert [words(few).count(letter) - words(draw_board(GERMANY)).count(letter) for letter in "BR"] == [1, 1]
    assert {"×7", "×2"} <= set(words(many))


def test_locomotives_stand_on_their_spaces_and_beyond_the_last_begin_again() -> None:
    spaces = len(SHEET.spaces())
    drawn = draw(scene(income={**dict.fromkeys(CODES, 0), "GSW": spaces + 5}))
    told = words(drawn)
    assert told[told.index(f"+{spaces}") - 1] == "GSW"  # one above the other: side by side they are wider than a space
    assert spaces >= 70  # more than anybody had in 500 games


def test_the_track_runs_round_the_board_without_a_gap() -> None:
    spaces = SHEET.spaces()
    for one, other in zip(spaces, (*spaces[1:], spaces[0]), strict=True):
        apart = one[0] > other[2] or other[0] > one[2] or one[1] > other[3] or other[1] > one[3]
        assert not apart
    assert not [pair for pair in combinations(spaces, 2) if overlap(*pair)]


def test_players_and_cities_can_be_told_apart_without_colours() -> None:
    layers = {
        tuple((style.width, style.dash) for style in palette.section_styles(look, seat))
        for seat, look in enumerate(LOOKS)
    }
    assert len(layers) == len(LOOKS)

    def sign(colour: str) -> list[tuple[str, bool]]:
        return [
            (type(shape).__name__, bool(shape.style.fill))
            for shape in disc((0, 0), colour, "")
            if not isinstance(shape, Text)
        ]

    assert len({tuple(sign(colour)) for colour in CUBE_COLOURS}) == len(CUBE_COLOURS)
    assert len({colour[0] for colour in CUBE_COLOURS}) == len(CUBE_COLOURS)


def test_a_position_is_drawn_with_what_everybody_may_see() -> None:
    players = tuple(Player(code=look.code, colour=look.colour, name="Ann", company=look.name) for look in LOOKS[:3])
    table = Table(board=GERMANY, options=Options(money_visible=False), players=players)
    state = State(
        table=table,
        round=2,
        order=("BAY", "GSW", "KPE"),
        cash={"GSW": 7777, "KPE": 7777, "BAY": 7777},
        bonds={"GSW": 1, "KPE": 2, "BAY": 3},
        income={"GSW": 4, "KPE": 5, "BAY": 6},
        built={"HAM-HAN": "GSW"},
        actions={"GSW": ("Sabotage",)},
        groups=(("purple", "pink", "grey"),) * 3,
        removed=("green",),
    )
    drawn = draw_state(state)
    assert drawn.title == "Deutschland, um 1925: round 2 of 5"
    after = draw_state(state, show=Print(events=(RoundEnded(round=1, income={}),)))
    assert after.title == "Deutschland, um 1925: round 1 of 5", "as the newsletter that it comes with"
    assert {"GSW Bahn (blue)", "open groups", "1.", "3."} <= set(words(drawn))
    assert {"Ann", "action cards"} <= set(words(drawn))
    assert not {"7777", "cash", "Sabotage"} & set(words(drawn))
    shown = draw_state(state.but(table=table.but(options=Options())))
    assert ("cash" in words(shown), words(shown).count("7777")) == (True, 3)
    assert words(draw_state(state.but(winners=("GSW",)))).count("7777") == 3
    assert draw_state(state.but(winners=("GSW",))).title == "Deutschland, um 1925: end of the game"


def test_the_words_of_the_legend_are_translated() -> None:
    drawn = draw(scene(), lambda text: text.replace(":", " :") if "{" in text else text.upper())
    assert {"INCOME", "BLUE CITY", "GSW Bahn (BLUE)", "PURPLE LINK : NORDWEST (WESER-RUHR)"} <= set(words(drawn))


def test_the_same_position_gives_the_same_bytes_and_a_letter_can_carry_them() -> None:
    text = svg(draw(scene(laid=48)))
    assert text == svg(draw(scene(laid=48)))
    assert len(text.encode()) < 200_000


def test_a_sketch_without_positions_can_be_drawn() -> None:
    board = board_of('{"cities": "Ardee blue\\nBoyle red", "links": "Ardee - Boyle purple 5"}', "x")
    assert {"Ardee", "Boyle", "5"} <= set(words(draw_board(board)))


def test_a_name_takes_the_room_of_its_cubes() -> None:
    bare, laden = (scene(cubes=cubes) for cubes in ({}, {"HAM": ("blue",) * 6}))
    city = GERMANY.city("HAM")
    assert extents(bare, city)[0][1] < extents(laden, city)[0][1]
    assert extents(bare, city)[0][0] < extents(laden, city)[0][0]


def test_an_empty_corner_of_the_board_has_a_cartouche_with_title_round_and_players_by_their_scores() -> None:
    state = recorded_game("dutch together 6")[2][14].outcome.state
    drawn = GAME.drawing(state, str, Print(events=recorded_game("dutch together 6")[2][14].outcome.events))
    told = words(drawn)
    assert "DEUTSCHLAND, UM 1925" in told
    assert "round 3 of 4" in told
    ranked = sorted((state.score(code) for code in state.table.codes), reverse=True)
    begin = told.index("round 3 of 4")
    assert [int(each) for each in told[begin + 1 : begin + 19] if each.lstrip("-").isdigit()] == ranked


@pytest.mark.parametrize("game", ["dutch together 6", "post together 3"])
def test_on_our_map_symbols_of_links_keep_their_places_from_turn_to_turn(game: str) -> None:
    states = [turn.outcome.state for turn in recorded_game(game)[2]]
    scenes = [Scene(board=each.board, heading="", built=each.built, cubes=each.cubes) for each in states]
    stood = {tuple(places.middle(placed[link.id]) for link in GERMANY.links) for placed in map(arrange, scenes)}
    assert len(stood) == 1


def test_names_on_close_ups_of_the_board_can_be_read_on_a_telephone() -> None:
    for turn in recorded_game("dutch together 6")[2][5:15]:
        drawn = GAME.drawing(turn.outcome.state, str, Print(events=turn.outcome.events))
        cut = closeup.busiest(drawn)
        assert (cut is None) == (not drawn.focus or not drawn.focus.spots)
        if cut:
            assert closeup.LEAST * cut.width <= NAME * closeup.PHONE
            assert any(isinstance(shape, Text) and shape.halo for shape in cut.shapes)
            right, bottom = cut.left + cut.width, cut.top + cut.width
            plates = [
                shape
                for shape in cut.shapes
                if isinstance(shape, Polygon)
                and any(cut.left < x < right and cut.top < y < bottom for x, y in shape.points)
            ]
            edges = [shape.points for shape in plates if shape.style.opacity == 85]
            assert edges
            assert all([shape.points for shape in plates].count(each) == 2 for each in edges)  # the edge, and the plate


def test_on_a_page_600_pixels_wide_names_have_nine_pixels_and_all_else_has_seven() -> None:
    names = {places.name_of(city) for city in GERMANY.cities}
    for turn in recorded_game("dutch together 6")[2][12:16]:
        drawn = GAME.drawing(turn.outcome.state, str, Print(events=turn.outcome.events)).for_screen
        written = [shape for shape in drawn.shapes if isinstance(shape, Text) and shape.text]
        assert min(each.size for each in written if each.text in names) * 600 >= 9 * drawn.width
        assert min(each.size for each in written) * 600 >= 7 * drawn.width


@pytest.mark.parametrize("game", ["dutch together 6", "post together 3"])
def test_a_keepsake_is_a_sheet_of_a3_with_who_won_and_no_lettering_below_6_points(game: str) -> None:
    state = recorded_game(game)[2][-1].outcome.state
    made = GAME.drawing(state, str, Print(keepsake=True))
    short, long = sorted((made.width, made.height))
    assert abs(long / short - 420 / 297) < 0.001
    assert min(shape.size for shape in made.shapes if isinstance(shape, Text)) * 420 / 25.4 * 72 / long >= 6
    assert made.title == f"Deutschland, um 1925: won by {', '.join(state.winners)}"


# The chart of income: when the game is over, a line for each player that ends at what they have.


def test_the_chart_comes_with_the_end_and_names_everybody_with_their_income() -> None:
    *earlier, last = [turn.outcome.state for turn in volldampf_turns()]
    assert [GAME.chart(state, str) for state in earlier] == [None] * len(earlier)
    chart = GAME.chart(last, str)
    assert chart
    told = words(chart)
    assert {f"{code} {amount}" for code, amount in last.income.items()} <= {*told}
    assert volldampf_page(len(earlier) + 1).count("cid:c@d") == 1
    assert volldampf_page(len(earlier)).count("cid:c@d") == 0


def test_a_game_in_which_nobody_earned_anything_has_a_chart_and_one_that_was_brought_at_its_end_has_none() -> None:
    last = volldampf_turns()[-1].outcome.state
    nothing = dict.fromkeys(last.codes, (0, 0))
    assert GAME.chart(last.but(rounds=nothing), str)
    assert not GAME.chart(last.but(rounds={}), str)


# What moves in a turn of Volldampf is what its events say.


def test_sections_are_laid_and_cubes_go_on_in_the_order_of_the_events() -> None:
    laid = carried = 0
    for turn in volldampf_turns():
        state, events = turn.outcome.state, turn.outcome.events
        told = GAME.film(state, events)
        built = [each for each in events if isinstance(each, LinkBuilt)]
        assert [each["code"] for each in told["laid"]] == [each.player for each in built]
        trips = [each for each in events if isinstance(each, CubeDelivered)]
        assert [(each["code"], len(each["way"])) for each in told["trips"]] == [
            (it.player, len(it.route)) for it in trips
        ]
        for one, event in zip(told["trips"], trips, strict=True):
            assert one["from"] == state.board.name(event.route[0])
            assert all(here != there for here, there in pairwise(one["way"]))
        assert json.loads(json.dumps(told)) is not None
        laid, carried = laid + len(built), carried + len(trips)
    assert laid > 20
    assert carried > 20


# Letters of Volldampf, and those of an umpire's own, find every part in parts.txt.j2, whichever file it is written
# in.

TEMPLATES = Path(__file__).parents[3] / "templates"
STATIONERY = Stationery(lambda _: (TEMPLATES / "volldampf", TEMPLATES / "common"), strict=True)


def parts_of(name: str) -> View:
    """Return the macros and values of a file by name, a macro as the name it was written under."""
    module = STATIONERY._environment("volldampf", "en", "UTC").get_template(f"{name}.txt.j2").make_module()
    return {part: getattr(it, "name", it) for part, it in vars(module).items() if not part.startswith("_")}


@pytest.mark.parametrize("name", ["scenes", "phases", "position"])
def test_what_a_file_of_parts_has_is_handed_on_under_its_name(name: str) -> None:
    assert parts_of(name).items() <= parts_of("parts").items()
