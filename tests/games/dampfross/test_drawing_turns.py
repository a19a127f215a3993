"""The board tells the turn: new track, races with their trains, who has what; one company alone; an edition on paper."""

from __future__ import annotations

from functools import cache
from math import dist

import pytest

from referee.core.dice import SeededDice
from referee.core.picture.drawing import Drawing, Line, Point, Polygon, Print, Shape, Text
from referee.core.picture.legend import Look
from referee.core.picture.shades import SHADES
from referee.core.picture.shapes import FRESH as GOLD
from referee.games.dampfross import GAME
from referee.games.dampfross.events import TrackLaid, TrainEntered, TrainPlaced
from referee.games.dampfross.report.drawing import turn_of
from referee.games.dampfross.report.picture import palette
from referee.games.dampfross.report.picture.layout import middle
from referee.games.dampfross.report.picture.track import FRESH, rides
from tests.games.dampfross.recordedgames import games as recorded
from tests.games.dampfross.wholegame import Turn, play_game
from tests.games.recorded import read_recording

NAME = "usual 6 d"


@cache
def turns() -> list[Turn]:
    setup, seed = recorded()[NAME]
    return play_game(setup, seed, read_recording("dampfross", NAME))[1]


def drawn(turn: int, alone: str = "", *, paper: bool = False) -> Drawing:
    outcome = turns()[turn - 1].outcome
    return GAME.drawing(outcome.state, str, Print(events=outcome.events, alone=alone, paper=paper))


def words(drawing: Drawing) -> list[str]:
    return [shape.text for shape in drawing.shapes if isinstance(shape, Text)]


def bands(drawing: Drawing) -> set[Point]:
    """Return where the bands on the board begin and end; the legend's is left out."""
    found = [shape.points for shape in drawing.shapes if isinstance(shape, Line) and shape.style == FRESH[1]]
    return {end for points in found[:-1] for end in (points[0], points[-1])}


def test_new_track_lies_on_a_band_and_nothing_else_does() -> None:
    laid = [event for event in turns()[3].outcome.events if isinstance(event, TrackLaid)]
    assert laid
    near = {middle(label) for event in laid for label in (event.start, event.end)}
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
    assert "Race 33, Mullingar - Belfast" in told
    placed = {f"{each.place}. {each.train}" for each in events if isinstance(each, TrainPlaced) and each.race == 33}
    assert placed <= set(told)  # in the legend
    assert {f"33: {each}" for each in placed} & set(told)  # beside their ways, where there is room
    assert len(ways()) == len(trains)
    assert set(ways()) <= {shape.points for shape in drawn(12).shapes if isinstance(shape, Line)}


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
    used = {palette.SEA, palette.RIVER, palette.BANK, palette.LAKE, *palette.HOME_TINTS, GOLD}
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
    assert GAME.atlas is not None
    told = words(GAME.atlas.drawing(GAME.board_text("kentucky_tennessee"), "x"))
    assert "* Kenova: the line must also bridge the Ohio (to Ironton)" in told


def test_the_legend_prices_plains_hills_and_rivers() -> None:
    assert {"plain: 1 point", "mountain: 3 points, 5 from another", "river: 2 points more"} <= set(words(drawn(4)))
