"""Marks of bold type and targets of links, which a mail program wrote and no player: read over, and nothing else with them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.orderbook import Reading
from referee.orderbook.lines.letter import without_markup
from tests.growth import assert_grows_with, pumped


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("*HOME* Belfast OR *Dublin*", "HOME Belfast OR Dublin"),
        ("*1a) (Dublin) - Y17*", "1a) (Dublin) - Y17"),
        ("***PASS***", "PASS"),
        ("_*PASS*_", "PASS"),
        ("/1b) (Y17) - X17/", "1b) (Y17) - X17"),
        ("* *1a)* (_Dublin_) - Y17", "* 1a) (Dublin) - Y17"),
        ("Y17*", "Y17"),
        ("Cork<https://maps.example/?q=Cork> - Bantry <mailto:bantry@example.org>", "Cork - Bantry"),
    ],
)
def test_marks_and_targets_are_read_over(written: str, said: str) -> None:
    assert without_markup(written) == said


@pytest.mark.parametrize(
    "line",
    [
        "* 1a) (Dublin) - Y17",
        "5*3 and 2*4",
        "snake_case_name",
        "and/or, 3/12/2026 /",
        "Dublin / Cork / Bantry",
        "____________________________",
        "Ann <ann@example.org>",
        "1 < 2 > 0",
        "**",
    ],
)
def test_nothing_else_is(line: str) -> None:
    assert without_markup(line) == line


@pytest.mark.parametrize("piece", ["*a", "* ", "*a *", "_a", "/a ", "/a", "<http://", "<http://a", " ", "***a"])
def test_it_takes_no_longer_than_the_line_is_long(piece: str) -> None:
    assert_grows_with(without_markup, pumped("x", piece, "x"))


def test_press_keeps_its_stars(read: Callable[[str], Reading]) -> None:
    reading = read("*PRESS:* I am *not* amused,\n*not at all*\n*END PRESS*\n*PASS*")
    assert reading.press == "* I am *not* amused,\n*not at all*"
    assert reading.commands == ("PASS",)


def test_a_rule_ends_an_order(read: Callable[[str], Reading]) -> None:
    reading = read("1a) (Dublin) - Y17\n-----------\nCork\n1b) (Cork) -\nBantry\n= = = =\nAnn")
    assert [phrase.text for phrase in reading.phrases] == ["1a) (Dublin) - Y17", "1b) (Cork) - Bantry"]
