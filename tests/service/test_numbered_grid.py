"""A game that chose the map's numbered grid: everything that is mailed speaks it, and both grids are read."""

from __future__ import annotations

import json
import re

import pytest

from referee.core.errors import OptionError
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Proposal
from referee.service.umpire.explain import explain
from tests.posthouse import PostHouse
from tests.service.test_dampfross_letters import ANN, BOB, CYD, PLAYERS, begin, told

NUMBERED = (("grid", "numbered"),)
OF_LETTERS = re.compile(r"\b(?!RR)[A-Z]{2}[1-9][0-9]?\b")  # AE5; there is none on the numbered grid
RACING = {
    "round": 7,
    "homes": {"GSW": "Belfast", "MGW": "Dublin", "BNC": "Belfast"},
    "track": {"GSW": ["Belfast - AB8"], "MGW": ["Dublin - Y17"]},
    "races": [{"number": 1, "start": 21, "end": 12, "round": 7}],
}


def test_answers_newsletters_and_forms_speak_the_grid_of_the_game(house: PostHouse) -> None:
    begin(house, "ireland", options=NUMBERED)
    assert "E41" not in (example := told(house, ANN).partition("may look like this")[2])
    assert re.search(r"\b[A-Z](3[7-9]|[4-7][0-9])\b", example)  # beside Dublin are columns that begin again at A
    house.write(ANN, "HOME Dublin\n1a) (Dublin) - Y17 - X17\n1b) (Dublin) - B52\n1c) (X17) - E42")
    house.write(BOB, "HOME Dublin\n1a) (Dublin) - B51")
    house.send(CYD, "HOME Belfast\n1a) (Belfast) - B46")
    assert "1b) (Dublin) - B52" in told(house, ANN)
    for who in (ANN, BOB, CYD):
        assert not OF_LETTERS.findall(told(house, who).partition("Not in order")[0])
    for who in (ANN, BOB, CYD):
        house.write(who, "CONFIRM")
    house.tick()
    for who in (ANN, BOB, CYD):
        assert not OF_LETTERS.findall(house.text(who))
    house.send(ANN, "STATUS\nMAP")
    assert not OF_LETTERS.findall(told(house, ANN))


def test_the_boards_hexes_have_the_names_of_the_games_grid(house: PostHouse) -> None:
    begin(house, "ireland", options=NUMBERED)
    (board,) = (part for part in house.last(ANN).iter_attachments() if (part.get_filename() or "").endswith("svg"))
    drawn = board.get_content()
    drawn = drawn if isinstance(drawn, str) else drawn.decode()
    assert "<title>E41</title>" in drawn
    assert "<title>AE5</title>" not in drawn
    assert ">A+36<" in drawn


def test_a_map_without_a_numbered_grid_refuses_the_option(house: PostHouse) -> None:
    with pytest.raises(OptionError, match=r"grid = numbered .* map 'Bayern.*' declares none"):
        new_game(house.club, Proposal(kind="dampfross", board="bavaria", players=PLAYERS[:3], options=NUMBERED))


def test_a_race_names_hexes_on_the_games_grid(house: PostHouse) -> None:
    begin(house, "ireland", options=NUMBERED, position=json.dumps(RACING))
    house.write(ANN, "RUN 1: Belfast - AB8")
    house.send(BOB, "RUN 1: Dublin - B52")
    assert "and AB8 (B44) is not that station" in told(house, ANN)
    assert not OF_LETTERS.findall(told(house, BOB))


def test_complaints_name_a_hex_as_the_player_wrote_it_with_ours_in_brackets(house: PostHouse) -> None:
    """In a game of either grid; a town that was written as a hex, too."""
    begin(house, "ireland")
    house.send(ANN, "HOME Dublin\n1a) (Dublin) - Y17 - B52\n1b) (Dublin) - Y17 - e41")
    answer = told(house, ANN)
    assert "Y17 - B52 (AB16) is no straight run" in answer
    assert "Y17 - e41 (Larne) is no straight run" in answer


def test_the_newsletter_names_a_hex_as_the_player_wrote_it(house: PostHouse) -> None:
    begin(house, "ireland", options=NUMBERED, position=json.dumps(RACING))
    house.write(ANN, "RUN 1: AD7 - AB8\n7) (AC12) - AC11")
    house.write(BOB, "PASS")
    house.send(CYD, "PASS")
    assert "race 1 ends at 12, and AB8 (B44) is not that station" in told(house, ANN)
    house.send(ANN, "CONFIRM")
    letter = told(house, BOB)
    assert "GSW's entry is void: race 1 ends at 12, and AB8 (B44) is not that station" in letter
    assert "AC12 (C48) is not on your network" in letter


def test_a_hex_on_no_sheet_is_one_sentence_and_nothing_is_guessed(house: PostHouse) -> None:
    """E41 to E72 lie in the second block of letters; there is no third."""
    begin(house, "ireland", options=NUMBERED)
    house.send(ANN, "HOME Dublin\n1a) (Dublin) - E80")
    answer = told(house, ANN)
    assert answer.count("E80") == 1
    assert "hex 'E80' is not on this map" in answer
    assert "1a) none" in answer


def test_points_that_the_player_named_stand_in_the_answer(house: PostHouse) -> None:
    begin(
        house, "ireland", position=json.dumps(RACING | {"round": 6, "phase": "build", "rolls": [6, 5, 4], "races": []})
    )
    house.send(BOB, "6a) (Y17) - X16 - W16 - V15")
    assert "6a) (Y17) - X16 - W16 - V15" in told(house, BOB)


def test_points_of_a_route_that_the_player_named_stand_in_the_answer(house: PostHouse) -> None:
    """Also where the route is turned round."""
    begin(house, "ireland", position=json.dumps(RACING))
    house.write(ANN, "RUN 1: AB8 - AC8 - Belfast")
    house.send(BOB, "RUN 1: (Dublin) - AA18 - Y17")
    assert "RUN 1: AB8 - AC8 - Belfast" in told(house, ANN)
    assert "RUN 1: Dublin - AA18 - Y17" in told(house, BOB)


def test_the_umpire_is_told_why_on_the_games_grid(house: PostHouse) -> None:
    begin(house, "ireland", options=NUMBERED)
    house.write(ANN, "HOME Dublin\n1a) (Dublin) - Y17 - X17\n1b) (Dublin) - B53")
    house.write(BOB, "PASS")
    house.send(CYD, "PASS")
    house.send(ANN, "CONFIRM")
    reasons = " ".join(reason.text for reason in explain(house.club, "RR1", 1, "GSW").reasons)
    assert "Dublin" in reasons
    assert re.search(r"\b[A-Z](3[7-9]|[4-7][0-9])\b", reasons)
    assert not OF_LETTERS.findall(reasons)
