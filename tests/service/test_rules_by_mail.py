"""The rules and prices where a player sees them: RULES by mail, the price list in the opening and in HELP."""

import re
from pathlib import Path

import pytest

from referee.games.dampfross import GAME
from referee.service.turns.gamefile import parse_player
from tests.posthouse import BOARDS, PostHouse
from tests.tables import Tables

CASES = Tables(__file__)

ANN = "ann@example.org"
COLOURS = ("red", "blue", "green")


def opened(folder: Path, kind: str, **options: str | int | bool) -> PostHouse:
    """Begin a game and send its first letters."""
    house = PostHouse(folder / kind)
    players = tuple(
        parse_player(f"{code}:{colour}:{name} <{name.lower()}@example.org>")
        for code, colour, name in zip(("GSW", "MGW", "BNC"), COLOURS, ("Ann", "Bob", "Cyd"), strict=True)
    )
    house.new(kind, BOARDS[kind], *players, options=tuple(options.items()))
    house.tick()
    return house


def answer(house: PostHouse, text: str, **more: str) -> str:
    """Return what is answered to a letter, as it is laid out."""
    house.send(ANN, text, **more)
    return house.text(ANN)


@pytest.fixture
def house(tmp_path: Path) -> PostHouse:
    return opened(tmp_path, "dampfross", toll_cap=12, late_bonus=False)


def test_help_shows_how_a_rule_of_this_game_is_asked_for(tmp_path: Path) -> None:
    for kind, letter in (("dampfross", "D"), ("volldampf", "V")):
        asked = [line.strip() for line in answer(opened(tmp_path, kind), "HELP").split("\n") if "RULES " in line]
        (example,) = (line for line in asked if line.startswith(f"RULES {letter}"))
        assert f"\n{example.removeprefix('RULES ')} " in answer(opened(tmp_path / "again", kind), example)


def test_rules_alone_brings_all_of_them(house: PostHouse) -> None:
    told = answer(house, "RULES")
    book = GAME.rulebook("en")
    assert book
    assert "You lead a railway company on a map of hexes." in told
    for paragraph in book.paragraphs:
        assert f"\n{paragraph.number} {paragraph.title}\n" in told
    assert "`" not in told
    assert max(map(len, told.split("\n"))) <= 72
    page = house.post(ANN)[-1].get_body(("html",))
    assert page is not None
    shown = page.get_content()
    assert all(re.search(rf"<h3[^>]*>{each.number} ", shown) for each in book.paragraphs if "." in each.number)
    assert "<strong>In your" not in shown
    assert 'down: 3 points; with "costs = rostherne' in " ".join(shown.replace("&#34;", '"').split())


@pytest.mark.parametrize(
    ("asked", "numbers"),
    CASES.listed("what_is_asked_for_is_answered_once"),
)
def test_what_is_asked_for_is_answered_once(house: PostHouse, asked: str, numbers: list[str]) -> None:
    told = answer(house, asked)
    heads = [line for line in told.split("\n") if line.split(" ")[0].rstrip(".0123456789") in ("D", "R")]
    assert len(heads) == len(numbers), heads
    assert all(head.startswith(number) for head, number in zip(heads, numbers, strict=True))
    assert told.count("Dampfross: the rules") == 1
    assert "There is no rule" not in told
