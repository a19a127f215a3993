"""The drawings of all turns as one picture."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from referee.core.game import Game
from referee.core.picture import Circle, Drawing, Layer, Style, Text
from referee.games.dampfross import GAME as DAMPFROSS
from referee.games.volldampf import GAME as VOLLDAMPF
from referee.report.renderer import reel
from tests.games.dampfross.recordedgames import recorded_game as dampfross
from tests.games.volldampf.wholegame import recorded_game as volldampf

GROUND = Layer(shapes=(Text(at=(1, 1), text="ground", size=9, fill="#000000"),))
FINE = Layer(shapes=(Text(at=(1, 1), text="fine", size=2, fill="#000000"),), fine=True)


def drawing(*words: str, above: str = "", height: int = 10) -> Drawing:
    track = tuple(Circle(at=(1, 1), radius=2, style=Style(fill="#ff0000"), title=word) for word in words)
    names = (Text(at=(1, 1), text=above, size=9, fill="#000000"),) if above else ()
    return Drawing(width=10, height=height, background="#ffffff", parts=(GROUND, *track, FINE, *names), title="Board")


def frames(svg: str) -> dict[tuple[int, int], str]:
    """Return the text of the groups of some frames; that of all under (-1, -1)."""
    root = ElementTree.fromstring(f"<svg>{svg}</svg>")  # noqa: S314 (our own)
    groups = root.findall("g[@data-from]")
    found = {(int(each.attrib["data-from"]), int(each.attrib["data-to"])): "".join(each.itertext()) for each in groups}
    for each in groups:
        root.remove(each)
    return found | {(-1, -1): "".join(root.itertext()).strip()}


def test_what_all_turns_show_is_there_once_and_the_rest_with_its_turns() -> None:
    made = reel([drawing("a", above="x"), drawing("a", above="x"), drawing("a", "b", above="x", height=12)])
    told = frames(made.svg)
    plain = {key: re.sub(r"\s", "", text) for key, text in told.items()}
    assert plain == {(0, 1): "ax", (2, 2): "abx", (-1, -1): "ground"}  # no fine lettering
    assert (made.width, made.height, made.background) == (10, 12, "#ffffff")


def test_drawings_of_other_layers_are_kept_whole() -> None:
    other = Drawing(width=10, height=10, background="#ffffff", parts=(GROUND, GROUND), title="Board")
    told = frames(reel([drawing("a"), other]).svg)
    assert sorted(told) == [(-1, -1), (0, 0), (1, 1)]


@pytest.mark.parametrize(
    ("game", "recorded", "name", "place", "legend"),
    [
        (DAMPFROSS, dampfross, "usual 6 d", "Galway", "mountain"),
        (VOLLDAMPF, volldampf, "dutch together 6", "Hamburg", "purple link"),
    ],
)
def test_the_picture_ends_where_the_map_does(game: Game, recorded: Any, name: str, place: str, legend: str) -> None:
    drawn = game.drawing(recorded(name)[2][-1].outcome.state, str)
    assert any(legend in shape.text for shape in drawn.shapes if isinstance(shape, Text))
    made = reel([drawn])
    assert place in made.svg
    assert legend not in made.svg
    assert made.height < drawn.height * 9 // 10
