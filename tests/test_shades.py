"""The colours of players and companies: apart for readers who see no red or no green, and like the words they are chosen by."""

from __future__ import annotations

from itertools import combinations

import pytest
from coloraide import Color

from referee.core.picture.legend import Look
from referee.core.picture.shades import INK, SHADES, brightness, is_bright
from referee.games import games
from referee.games.dampfross.report.picture import palette
from referee.games.dampfross.report.picture.palette import line_styles

APART = 16  # CIEDE2000; 3.6 were the nearest of the colours before these

# What people call by these words most often (the survey of xkcd.com, public domain).
WORDS = {
    "red": "#e50000",
    "blue": "#0343df",
    "green": "#15b01a",
    "black": "#000000",
    "orange": "#f97306",
    "purple": "#7e1e9c",
    "yellow": "#ffff14",
    "brown": "#653700",
    "pink": "#ff81c0",
}


def distance(one: str, other: str, sight: str = "") -> float:
    """Return how far two colours are apart to an eye, in CIEDE2000."""
    seen = [Color(shade).filter(sight, method="brettel") if sight else Color(shade) for shade in (one, other)]
    return float(seen[0].delta_e(seen[1], method="2000"))


@pytest.mark.parametrize("sight", ["", "protan", "deutan"])
def test_every_two_colours_lie_apart_to_every_eye(sight: str) -> None:
    near = {(one, other): distance(SHADES[one], SHADES[other], sight) for one, other in combinations(SHADES, 2)}
    assert min(near.values()) > APART, min(near, key=lambda pair: near[pair])


@pytest.mark.parametrize("word", SHADES)
def test_a_colour_looks_more_like_its_own_word_than_like_another(word: str) -> None:
    assert min(WORDS, key=lambda other: distance(SHADES[word], WORDS[other])) == word


def test_both_games_offer_the_same_colours() -> None:
    for name in ("dampfross", "volldampf"):
        assert set(games()[name].colours) <= set(SHADES)


def test_only_yellow_is_hardly_seen_on_white_and_has_dark_edges() -> None:
    assert [word for word, shade in SHADES.items() if is_bright(shade)] == ["yellow"]
    for place in range(len(palette.PATTERNS)):
        yellow = line_styles(Look(code="A", name="", colour="yellow"), place)
        coloured = [style for style in yellow if style.stroke == SHADES["yellow"]]
        edges = [style for style in yellow if style.stroke == INK]
        assert [(style.width + 4, style.dash) for style in coloured] == [(style.width, style.dash) for style in edges]
        assert yellow[: len(edges)] == tuple(edges)
        red = line_styles(Look(code="A", name="", colour="red"), place)
        assert INK not in {style.stroke for style in red}


def test_brightness_is_that_of_the_eye() -> None:
    assert [brightness(shade) for shade in ("#000000", "#ffffff", "#00ff00", "#0000ff")] == [0, 255, 149, 29]
