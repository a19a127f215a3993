"""The rules and prices where a player sees them: RULES by mail, the price list in the opening and in HELP."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.games.dampfross import GAME
from referee.service.turns.proposals import parse_player
from tests.posthouse import BOARDS, PostHouse, text_of
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


def test_words_of_orders_in_the_rules_are_those_of_his_language(house: PostHouse) -> None:
    told = " ".join(answer(house, "TAAL nl\nREGELS D1.3\nREGELS D6.2").split())
    assert "met je eerste opdrachten: STARTSTATION en een stad" in told
    assert "SNELSTE of GOEDKOOPSTE laat het aan de spelleider over" in told


def test_a_paragraph_comes_with_the_options_of_the_game_and_its_rulings(house: PostHouse) -> None:
    told = answer(house, "RULES D6.4")
    assert "\nDampfross: the rules\n--------------------\n\nD6.4 The cap\n\nIn one race no train pays more than" in told
    assert '(With "toll_cap = none" there is no such limit.)' in " ".join(told.split())
    assert (
        "\n  In your game: toll_cap = 12.\n\n  Doubtful points of this are settled in R5, R17: write RULES and that\n"
        in told
    )
    assert "D6.5" not in told
    assert "You lead a railway company" not in told
    assert max(map(len, told.split("\n"))) <= 76


def test_help_shows_how_a_rule_of_this_game_is_asked_for(tmp_path: Path) -> None:
    for kind, letter in (("dampfross", "D"), ("volldampf", "V")):
        asked = [line.strip() for line in answer(opened(tmp_path, kind), "HELP").split("\n") if "RULES " in line]
        (example,) = (line for line in asked if line.startswith(f"RULES {letter}"))
        assert f"\n{example.removeprefix('RULES ')} " in answer(opened(tmp_path / "again", kind), example)


def test_values_that_stand_alone_are_told_from_other_words(house: PostHouse) -> None:
    told = " ".join(answer(house, "RULES D1.3").split())
    assert 'How many may share a city is said by "homes": with "map" the map does' in told
    assert "You choose with your first orders: HOME and a city" in told


def test_true_and_false_are_written_as_in_the_rules(house: PostHouse) -> None:
    told = " ".join(answer(house, "RULES D3.1").split())
    assert "In your game: home_bonus = false, late_bonus = false." in told


def test_rules_alone_brings_all_of_them(house: PostHouse) -> None:
    told = answer(house, "RULES")
    book = GAME.rulebook("en")
    assert book is not None
    assert "You lead a railway company on a map of hexes." in told
    for paragraph in book.paragraphs:
        assert f"\n{paragraph.number} {paragraph.title}\n" in told
    assert "`" not in told
    assert max(map(len, told.split("\n"))) <= 76


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


def test_a_game_named_with_it_is_no_paragraph(house: PostHouse) -> None:
    assert "\nD1.1 Who plays\n" in answer(house, "RULES RR1")


def test_a_paragraph_that_does_not_exist_is_told_with_the_chapters(house: PostHouse) -> None:
    told = answer(house, "RULES D99")
    plain = " ".join(told.split())
    assert (
        "There is no rule D99. The chapters of the rules are these; the word RULES alone brings all of them:" in plain
    )
    assert "\n  - D2 Laying track\n" in told
    assert "D2.1" not in told
    both = " ".join(answer(house, "RULES D4.3, D99, R77").split())
    assert "D4.3 Impossible steps" in both
    assert "There is no rule D99 or R77." in both


def test_words_that_are_no_number_are_told_so_in_a_block_of_orders(house: PostHouse) -> None:
    told = " ".join(answer(house, "ORDERS\nRULES about tolls\nEND").split())
    assert "'RULES about tolls' names no rule (it would be written as: RULES D4.3)" in told


def test_prose_about_rules_asks_for_none(house: PostHouse) -> None:
    told = answer(house, "1a) (Dublin) - AA18\n\nRules are rules, Peter.\nRule 7 of the house: never pay.\n")
    assert "Dampfross: the rules" not in told


def test_a_letter_with_orders_is_answered_with_the_rules_as_well(house: PostHouse) -> None:
    told = answer(house, "HOME Dublin\n1a) (Dublin) - AA18\nRULES D1.2")
    assert "D1.2 The account" in told
    assert "Your orders are in." in told or "The orders of this letter will run." in told


def test_a_game_without_a_text_of_its_rules_says_so(tmp_path: Path) -> None:
    house = PostHouse(tmp_path / "club")
    house.begin()
    told = " ".join(answer(house, "RULES", subject="Re: [RR1]").split())
    assert "The referee has no text of the rules of this game. Ask the umpire, with NOTE." in told


@pytest.mark.parametrize(
    ("kind", "option", "line"),
    [
        ("dampfross", {"toll_cap": 12}, "at most to one rival in a race, else the train does not run: 12 [D6.4]"),
        ("volldampf", {"bond_limit": 3}, "most points of bonds for one player in a round: 3 [V3.3.1]"),
    ],
)
def test_the_opening_and_help_have_the_price_list(tmp_path: Path, kind: str, option: dict[str, int], line: str) -> None:
    house = opened(tmp_path, kind, **option)
    opening = text_of(house.post(ANN)[0])
    for told in (opening, answer(house, "HELP")):
        assert line in " ".join(told.split())
        assert "\n\n\n  - " not in told
    assert "RULES and a number" in " ".join(opening.split())


def test_a_game_without_prices_has_no_list_of_them(tmp_path: Path) -> None:
    house = PostHouse(tmp_path / "club")
    house.begin()
    assert "What everything costs" not in answer(house, "HELP")


def test_a_ruling_of_volldampf_names_the_paragraphs_it_settles_as_players_know_them(tmp_path: Path) -> None:
    house = opened(tmp_path, "volldampf")
    assert "\nR5 (V1.3, V3.3.1)\n" in answer(house, "RULES R5")
    assert "\n  Doubtful points of this are settled in R5, R26: write RULES and that\n" in answer(house, "RULES V3.3.1")
