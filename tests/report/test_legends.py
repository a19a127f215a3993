"""Below a board stands what is seen on it: the look of each line, in words that lie on the sheet and not over each other."""

from collections.abc import Callable
from itertools import combinations

import pytest

from referee.core.picture import Drawing, Line, Print, Text
from referee.core.picture.shapes import text_width
from referee.games.dampfross import GAME
from referee.games.dampfross.report import picture as palette
from referee.games.dampfross.report.picture.ground import STEP, map_size
from referee.games.volldampf.events import CubeDelivered
from referee.games.volldampf.report.drawing import draw
from referee.locale import languages, translations
from tests.games.dampfross.test_drawing_turns import turns
from tests.games.volldampf.test_drawing import overlap, scene

Picture = tuple[Drawing, int]  # with where the map ends
Draw = Callable[[str, str], Picture]

# Width and dash of what needs no words: frame, water along coasts, shore, free links with their edges, edges of track, ground;
# a rule in the legend.
WATER = {(each.width, ()) for each in palette.LINES["water"]}
FRAME = {(4, ()), (8, ())}
RULE = (3, ())
PLAIN = {(5, ()), (6, ()), (8, (22, 12)), (15, ()), (17, ()), (192, ()), (202, ()), *WATER, *FRAME}


def dampfross(language: str, alone: str) -> Picture:
    """The last turn of a game of six: new track, races."""
    state, events = turns()[-1].outcome.state, turns()[-1].outcome.events
    drawn = GAME.drawing(state, translations(language).gettext, Print(events=events, alone=alone))
    return drawn, map_size(state.table.board)[1]


def volldampf(language: str, alone: str) -> Picture:
    """Everything at once: new sections, deliveries on trips of all kinds, open groups."""
    hauls = tuple(
        CubeDelivered(player="GSW", trip=trip, colour="blue", route=("HAM", "HAN"), steps={}) for trip in (1, 2, 3)
    )
    groups = (("green",) * 3,) * 6
    position = scene(laid=24, fresh=frozenset({"HAM-HAN"}), hauls=hauls, groups=groups, alone=alone)
    return draw(position, translations(language).gettext), position.sheet.frame[3]


def looks(drawn: Drawing, top: int, bottom: int) -> set[tuple[int, tuple[int, ...]]]:
    """Return width and dash of the lines there."""
    lines = (shape for shape in drawn.shapes if isinstance(shape, Line) and top <= shape.points[0][1] < bottom)
    return {(line.style.width, line.style.dash) for line in lines}


def listed(drawn: Drawing) -> set[tuple[int, tuple[int, ...]]]:
    """Return the looks of the lines of companies in the cartouche of a map of Dampfross."""
    lines = [shape for shape in drawn.shapes if isinstance(shape, Line) and len(shape.points) == 2]
    long = [each for each in lines if each.points[1][0] - each.points[0][0] == 2 * STEP and drawn.top]
    return {(each.style.width, each.style.dash) for each in long if each.points[0][1] == each.points[1][1]}


@pytest.mark.parametrize("alone", ["", "GSW"])
@pytest.mark.parametrize("picture", [dampfross, volldampf])
def test_each_line_on_a_board_stands_in_its_legend_and_the_other_way_round(picture: Draw, alone: str) -> None:
    drawn, end = picture("en", alone)
    board, legend = looks(drawn, 0, end), looks(drawn, end, drawn.height) | listed(drawn)
    assert board - legend <= PLAIN
    # Where one player of Volldampf is shown alone, all are listed with their figures nevertheless.
    assert alone or legend - board <= {RULE}


@pytest.mark.parametrize("alone", ["", "GSW"])
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("picture", [dampfross, volldampf])
def test_the_words_of_a_legend_lie_on_the_sheet_and_not_over_each_other(
    picture: Draw, language: str, alone: str
) -> None:
    drawn, end = picture(language, alone)
    boxes = {}
    for each in drawn.shapes:
        if isinstance(each, Text) and each.at[1] > end and each.text:
            wide = text_width(each.text, each.size, each.bold)
            left = each.at[0] - wide * ("start", "middle", "end").index(each.anchor) // 2
            boxes[each] = (left, each.at[1] - each.size * 7 // 10, left + wide, each.at[1])
    assert "…" not in {each.text for each in boxes}
    assert [each.text for each, box in boxes.items() if box[0] < 0 or box[2] > drawn.width] == []
    pairs = combinations(boxes, 2)
    assert [(one.text, other.text) for one, other in pairs if overlap(boxes[one], boxes[other])] == []
