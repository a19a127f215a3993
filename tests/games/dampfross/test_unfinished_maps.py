"""`map draw` of maps that are not finished: each fault lies where it is, whatever is wrong."""

from __future__ import annotations

from random import Random

import pytest

from referee.core.errors import MapError
from referee.core.picture.drawing import Circle, Text
from referee.core.picture.faultmarks import RED
from referee.games.dampfross import GAME
from referee.games.dampfross.report.picture.layout import middle
from referee.report.renderer import svg

IRELAND = GAME.board_text("ireland")


def test_a_fault_is_marked_on_the_hex_that_it_names() -> None:
    assert GAME.atlas is not None
    text = IRELAND.replace('hex = "AB18"', 'hex = "A1"')
    drawing, faults = GAME.atlas.drawing_of_draft(text, "x.toml")
    assert faults
    rings = {shape.at for shape in drawing.shapes if isinstance(shape, Circle) and shape.style.stroke == RED}
    assert middle("A1") in rings
    shown = [shape.text for shape in drawing.shapes if isinstance(shape, Text)]
    for line, words in faults:
        assert any(text.startswith(f"{line}: {words[:40]}") for text in shown)


def test_a_finished_map_is_drawn_as_it_was() -> None:
    assert GAME.atlas is not None
    drawing, faults = GAME.atlas.drawing_of_draft(IRELAND, "x.toml")
    assert (svg(drawing), faults) == (svg(GAME.atlas.drawing(IRELAND, "x.toml")), ())


@pytest.mark.parametrize("seed", range(30))
def test_whatever_is_missing_or_wrong_a_map_is_drawn_or_its_faults_are_told(seed: int) -> None:
    """Lines are lost, doubled, and changed in one letter."""
    assert GAME.atlas is not None
    chance = Random(seed)  # noqa: S311 (no secret)
    lines = IRELAND.splitlines()
    for _ in range(4):
        at = chance.randrange(len(lines))
        kind = chance.randrange(3)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, lines[at])
        elif lines[at]:
            n = chance.randrange(len(lines[at]))
            lines[at] = lines[at][:n] + chance.choice('AZ09"-^ ') + lines[at][n + 1 :]
    try:
        drawing, faults = GAME.atlas.drawing_of_draft("\n".join(lines), "x.toml")
    except MapError:
        return
    listed = {shape.text for shape in drawing.shapes if isinstance(shape, Text)}
    assert all(str(number) in listed for number in range(1, len(faults) + 1))
