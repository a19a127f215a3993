"""Sketches: small boards for scenarios, in a few lines."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.core.errors import MapError
from referee.games.volldampf import GAME
from referee.games.volldampf.board.board import BOX, NUMBERS, Board
from referee.games.volldampf.board.sketch import board_of

CITIES = "Ardee blue\nBoyle violet\nCöln (KOL) red\nBoyne blue  # BOY is taken"
LINKS = "Ardee - Boyle purple 5\nBoyle - Coeln grey 10"


def sketched(**told: Any) -> Board:
    return board_of(json.dumps({"cities": CITIES, "links": LINKS, **told}), "s.toml")


def test_a_line_is_a_city_with_an_id_of_its_own() -> None:
    board = sketched()
    assert [(city.id, city.name, city.colour) for city in board.cities] == [
        ("ARD", "Ardee", "blue"),
        ("BOY", "Boyle", "violet"),
        ("KOL", "Cöln", "red"),
        ("BON", "Boyne", "blue"),
    ]


def test_a_line_is_a_link_whose_cities_are_named_as_in_orders() -> None:
    board = sketched(links=["Ardee - Boyle purple 5", "Boyle - KOL grey 10", "coeln - boyne orange 3"])
    assert [(link.a, link.b, link.colour, link.cost) for link in board.links][:2] == [
        ("ARD", "BOY", "purple", 5),
        ("BOY", "KOL", "grey", 10),
    ]
    assert board.neighbours("KOL") == ("BOY", board.cities[3].id)


def test_a_sketch_has_the_box_and_the_numbers_of_the_rules() -> None:
    board = sketched()
    assert board.numbers == NUMBERS
    assert {name: getattr(board, name) for name in BOX} == BOX
    assert board.colour_ids == ("purple", "green", "pink", "orange", "brown", "grey")


def test_cards_are_dealt_round_the_cities_if_none_are_told() -> None:
    board = sketched()
    assert len(board.merchandise) == 18
    assert board.merchandise[0].cities == ("ARD", "BOY", "KOL")
    assert board.merchandise[3].cities == (board.cities[3].id, "ARD", "BOY")


def test_cards_numbers_and_box_can_be_told() -> None:
    board = sketched(cards="Boyle, Ardee\nKOL", numbers={"rounds": 1, "setup_cards": 0}, cubes=2, max_links=3)
    assert [card.cities for card in board.merchandise] == [("BOY", "ARD"), ("KOL",)]
    assert {(each.rounds, each.setup_cards, each.group_size) for each in board.numbers.values()} == {
        (1, 0, 3),
        (1, 0, 2),
    }
    assert (board.cubes, board.max_links) == (2, 3)


def test_a_city_is_drawn_where_it_is_put_else_on_a_ring() -> None:
    board = sketched(cities="Ardee blue at 30, 40\nBoyle violet\nCöln red\nBoyne blue")
    assert board.cities[0].at == (30, 40)
    assert len({city.at for city in board.cities}) == 4


def test_a_board_file_is_read_as_a_board_file() -> None:
    text = GAME.board_text("deutschland-1925")
    assert board_of(text, "x") is board_of(text, "x")


def test_every_fault_is_told_at_once() -> None:
    told = {
        "cities": "Ardee blu\nBoyle violet\nBoyle red",
        "links": ["Boyle - Ardee purple 3", "Boyle - Boyle purple 3", "Boyle to Cork", "Boyle - Boyle mauve 3"],
        "cards": 3,
        "numbers": {"round": 1},
        "cubes": "ten",
        "hexes": 1,
    }
    with pytest.raises(MapError) as caught:
        board_of(json.dumps(told), "s.toml")
    words = str(caught.value)
    for place in (
        "hexes: no such key",
        "'Ardee blu'",
        "Boyle names two",
        "no city 'Ardee'",
        "to itself",
        "'Boyle to Cork'",
    ):
        assert place in words
    for place in ("mauve", "sketch.cards: lines of words", "sketch.numbers: a table expected", "sketch.cubes: 'ten'"):
        assert place in words


def test_an_unknown_key_is_told_those_there_are() -> None:
    with pytest.raises(MapError, match="known are cities, links, cards, numbers, max_links"):
        sketched(map="x")
