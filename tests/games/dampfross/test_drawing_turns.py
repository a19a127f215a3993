"""The board tells the turn: new track, races with their trains, who has what; one company alone; an edition on paper."""

import json
from math import dist

import pytest

from referee.core import SeededDice
from referee.core.picture import INK, SHADES, Drawing, Layer, Line, Point, Polygon, Print, Shape, Text
from referee.core.picture.closeup import plain
from referee.core.picture.legend import Look
from referee.core.picture.shapes import between, overlap
from referee.games.dampfross import GAME
from referee.games.dampfross.events import TrackLaid, TrainEntered, TrainMoved, TrainPlaced
from referee.games.dampfross.report.drawing import turn_of
from referee.games.dampfross.report.picture import COLOURS, LINES, ground
from referee.games.dampfross.report.picture.ground import middle
from referee.games.dampfross.report.picture.track import rides
from tests.games.dampfross.recordedgames import games as recorded
from tests.games.dampfross.recordedgames import recorded_game
from tests.games.dampfross.wholegame import Turn
from tests.pictures import words

NAME = "usual 6 d"


def turns() -> list[Turn]:
    return recorded_game(NAME)[2]


def drawn(turn: int, alone: str = "", *, paper: bool = False) -> Drawing:
    outcome = turns()[turn - 1].outcome
    return GAME.drawing(outcome.state, str, Print(events=outcome.events, alone=alone, paper=paper))


def bands(drawing: Drawing) -> set[Point]:
    """Return where the bands on the board run; the legend's is left out."""
    found = [shape.points for shape in drawing.shapes if isinstance(shape, Line) and shape.style == LINES["fresh"][1]]
    return {at for points in found[:-1] for at in points}


def test_new_track_lies_on_a_band_and_nothing_else_does() -> None:
    laid = [event for event in turns()[3].outcome.events if isinstance(event, TrackLaid)]
    assert laid
    ends = [(middle(event.start), middle(event.end)) for event in laid]
    near = {at for way in ends for at in (*way, between(*way))}
    found = bands(drawn(4))
    assert all(any(dist(each, end) < 40 for end in found) for each in near)
    assert all(any(dist(each, end) < 40 for each in near) for end in found)
    assert "new track" in words(drawn(4))


def test_what_was_there_before_is_drawn_as_without_the_turn() -> None:
    outcome = turns()[3].outcome
    before = {shape for shape in GAME.drawing(outcome.state).shapes if isinstance(shape, Line)}
    assert before <= {shape for shape in drawn(4).shapes if isinstance(shape, Line)} | legend_rules(outcome.state)


def legend_rules(state: object) -> set[Shape]:
    """Return what of a legend may lie elsewhere when it has more rows: nothing of the map itself."""
    end = max(middle(label)[1] for label in turns()[0].before.table.board.ground) + 200
    return {shape for shape in GAME.drawing(state).shapes if isinstance(shape, Line) and shape.points[0][1] > end}


def test_a_race_is_told_with_its_trains_their_ways_and_places() -> None:
    events = turns()[-1].outcome.events
    trains = [event for event in events if isinstance(event, TrainEntered)]
    told = words(drawn(12))
    assert "Race 33, Mullingar – Belfast" in told
    placed = {f"{each.place}. {each.train}" for each in events if isinstance(each, TrainPlaced) and each.race == 33}
    assert placed <= set(told)  # in the legend
    assert {f"33: {each}" for each in placed} & set(told)  # beside their ways, where there is room
    assert len(ways()) == len(trains)
    assert set(ways()) <= {shape.points for shape in drawn(12).shapes if isinstance(shape, Line)}


@pytest.mark.parametrize(("game", "told"), [(NAME, {False}), ("ireland laurin together 2", {True})])
def test_a_board_on_a_screen_tells_no_races_whose_trains_it_does_not_show(game: str, told: set[bool]) -> None:
    found = set[bool]()
    for turn in recorded_game(game)[2]:
        whole = GAME.drawing(turn.outcome.state, str, Print(events=turn.outcome.events))
        shown, rows = whole.for_screen, [each for each in words(whole) if each.startswith("Race ")]
        ridden = {shape for shape in whole.shapes if isinstance(shape, Line)} <= {*shown.shapes}
        assert [each for each in words(shown) if each.startswith("Race ")] == rows * ridden
        low = max(y for shape in shown.shapes if isinstance(shape, Polygon) for _, y in shape.points)
        assert shown.height + shown.top - low == 30
        sheet = plain(whole)  # on paper
        assert [each for each in words(sheet) if each.startswith("Race ")] == rows
        assert (sheet.height, {*sheet.shapes} >= {*shown.shapes}) == (whole.height, True)
        assert not {*ground.hex_names(turn.outcome.state.board, turn.outcome.state.board.ground)} & {*sheet.shapes}
        found.update({ridden} if rows else ())
    assert found == told


def test_trains_run_beside_each_other() -> None:
    points = [point for way in ways() for point in way]
    assert len(set(points)) > len(points) * 0.99


def ways() -> list[tuple[Point, ...]]:
    """Return the lines of the trains of the last round."""
    state, events = turns()[-1].outcome.state, turns()[-1].outcome.events
    looks = tuple(
        Look(code=each.code, name="", colour=each.colour) for each in map(state.table.company, state.table.codes)
    )
    return [ride.line for ride in rides(state.track, looks, turn_of(state, events, (), str), str)]


def test_the_legend_says_who_leads_a_company_and_what_it_has() -> None:
    told = words(drawn(12))
    for code, amount in turns()[-1].outcome.state.balance.items():
        assert str(amount) in told
        assert code.lower() in told


def test_no_board_is_that_after_round_0() -> None:
    opening = GAME.start(GAME.lay_out(recorded()[NAME][0]), SeededDice("opening"))
    for shown, told in ((GAME.drawing(opening.state, str), "in round 1"), (drawn(1), "after round 1")):
        assert shown.title == f"Ireland {told}"
        assert {"IRELAND", told} <= set(words(shown))


def test_a_company_is_shown_alone() -> None:
    shown = drawn(4, "GSW")
    strokes = {shape.style.stroke for shape in shown.shapes if isinstance(shape, Line)}
    assert SHADES["red"] in strokes
    assert not strokes & {SHADES[colour] for colour in ("blue", "green", "orange", "purple")}
    assert shown.title == "Ireland after round 4: GSW alone"
    assert "after round 4: GSW alone" in words(shown)
    assert "MGW" not in words(shown)
    others = {event.company for event in turns()[3].outcome.events if isinstance(event, TrackLaid)} - {"GSW"}
    assert others
    assert 0 < len(bands(shown)) < len(bands(drawn(4)))


def test_on_paper_the_sea_is_white_and_rivers_are_black() -> None:
    screen, paper = drawn(4), drawn(4, paper=True)
    assert paper.background == "#ffffff"
    used = {
        COLOURS[each] for each in ("sea", "river", "bank", "lake", "plain-1", "plain-2", "plain-3", "plain-4", "fresh")
    }
    assert used & set(screen.colours)
    assert not used & set(paper.colours)
    assert set(list(SHADES.values())[:6]) <= set(paper.colours)
    assert "#000000" in {shape.style.stroke for shape in paper.shapes if isinstance(shape, Line)}
    assert sum(isinstance(shape, Line) for shape in paper.shapes) == sum(
        isinstance(shape, Line) for shape in screen.shapes
    )
    # Areas have no tints there, and no keys to them.
    assert set(words(screen)) - set(words(paper)) == {"Republic of Ireland", "Northern Ireland"}


@pytest.mark.parametrize("turn", [1, 6, 9, 12])
def test_everything_lies_on_the_sheet(turn: int) -> None:
    shown = drawn(turn)
    for shape in shown.shapes:
        points = shape.points if isinstance(shape, (Line, Polygon)) else (shape.at,)
        assert all(0 <= x <= shown.width and shown.top <= y <= shown.top + shown.height for x, y in points), shape


def test_asterisks_in_the_titles_of_specials_are_explained() -> None:
    assert GAME.atlas
    told = words(GAME.atlas.drawing(GAME.board_text("kentucky_tennessee"), "x"))
    assert "* Kenova: the line must also bridge the Ohio (to Ironton)" in told


def test_the_legend_prices_plains_hills_and_rivers() -> None:
    assert {"plain: 1 point", "mountain: 3 points, 5 from another", "river: 2 points more"} <= set(words(drawn(4)))


# What moves in a turn of Dampfross is what its events say.


def test_each_piece_of_track_is_laid_once_and_lies_beside_the_next_hex() -> None:
    for turn in turns():
        told = GAME.film(turn.outcome.state, turn.outcome.events)
        laid = [each for each in turn.outcome.events if isinstance(each, TrackLaid)]
        assert [each["code"] for each in told["laid"]] == [each.company for each in laid]
        for each in told["laid"]:
            (x, y), (to_x, to_y) = each["from"], each["to"]
            assert 0 < (x - to_x) ** 2 + (y - to_y) ** 2 < 110**2
        assert json.loads(json.dumps(told)) is not None


def test_trains_throw_what_they_threw_and_those_placed_come_to_the_end_of_their_ways() -> None:
    throws = placed = 0
    for turn in turns():
        events = turn.outcome.events
        told = GAME.film(turn.outcome.state, events)
        trains = [train for race in told["races"] for train in race["trains"]]
        moves = [move["throw"] for train in trains for move in train["moves"]]
        assert sorted(moves) == sorted(each.throw for each in events if isinstance(each, TrainMoved))
        assert len(trains) == sum(isinstance(each, TrainEntered) for each in events)
        assert sum(bool(train["place"]) for train in trains) == sum(isinstance(each, TrainPlaced) for each in events)
        for train in trains:
            if train["place"] and train["moves"]:
                assert train["moves"][-1]["at"] == len(train["way"]) - 1
        throws, placed = throws + len(moves), placed + sum(bool(train["place"]) for train in trains)
    assert throws > 50
    assert placed > 10


# The board of a game that is over, as a coloured sheet for a wall.

GAMES = ("usual 6 d", "kentucky_tennessee schmidt together 6", "russia laurin together 6", "bavaria schmidt together 5")


def sheet(game: str, turn: int = -1) -> Drawing:
    return GAME.drawing(recorded_game(game)[2][turn].outcome.state, str, Print(keepsake=True))


@pytest.mark.parametrize("game", GAMES)
def test_a_keepsake_has_the_proportions_of_a3_and_no_lettering_below_6_points(game: str) -> None:
    made = sheet(game)
    short, long = sorted((made.width, made.height))
    assert abs(long / short - 420 / 297) < 0.001
    points = 420 / 25.4 * 72 / long
    assert min(shape.size for shape in made.shapes if isinstance(shape, Text)) * points >= 6
    for shape in made.shapes:
        if isinstance(shape, Text):
            assert made.left < shape.at[0] < made.left + made.width
            assert made.top < shape.at[1] < made.top + made.height


def test_a_keepsake_shows_ranges_of_mountains_the_final_table_who_won_and_a_scale() -> None:
    made, state = sheet(GAMES[0]), recorded_game(GAMES[0])[2][-1].outcome.state
    told = words(made)
    assert made.title == "Ireland after round 12: won by BNC"
    assert {made.title, "5 hexes", "IRELAND", *(str(amount) for amount in state.balance.values())} <= {*told}
    ground = next(part for part in made.parts if isinstance(part, Layer))
    peaks = [shape for shape in ground.shapes if len(getattr(shape, "points", ())) == 4]
    assert len(peaks) > 5 * sum(kind == "^" for kind in state.table.board.ground.values())


@pytest.mark.parametrize("game", GAMES)
def test_no_acronym_on_a_line_lies_over_the_companies_at_home(game: str) -> None:
    shades = {*SHADES.values()}
    tags = [shape for shape in sheet(game).shapes if isinstance(shape, Polygon) and shape.style.width == 3]
    boxes = {tag: (*tag.points[0], *tag.points[2]) for tag in tags}
    homes = [box for tag, box in boxes.items() if tag.style.fill in shades and tag.style.stroke == INK]
    assert homes
    assert [
        tag for tag, box in boxes.items() if tag.style.stroke in shades and any(overlap(box, each) for each in homes)
    ] == []


def test_before_the_end_nobody_has_won() -> None:
    assert sheet(GAMES[0], 5).title == "Ireland after round 6"
