"""A club brings a running game to the referee: it goes on from the position that the umpire typed in."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.errors import PositionError
from referee.service.audit.replay import replay
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import read_proposal
from tests.posthouse import PostHouse, text_of

GAME = """
game = "dampfross"
map = "ireland"
"""
PLAYERS = "".join(
    f'[[player]]\ncode = "{code}"\ncolour = "{colour}"\nname = "{code.title()}"\naddress = "{code.lower()}@example.org"\n'
    for code, colour in (("GSW", "red"), ("MGW", "blue"), ("BNC", "green"))
)
BUILDING = """
[position]
round = 4
rolls = [3, 5, 2]
balances = { GSW = 31, MGW = 17, BNC = 24 }
homes = { GSW = "Dublin", MGW = "Dublin", BNC = "Belfast" }
connected = ["Dublin", "Belfast", "Drogheda", "Dundalk"]

[position.track]
GSW = ["Dublin - Drogheda - AB14 - AA14 - Dundalk"]
BNC = ["(Belfast) - AD8 - AD9"]
"""
RACING = """
[position]
round = 12
homes = { GSW = "Dublin", MGW = "Dublin", BNC = "Belfast" }
balances = { GSW = 131, MGW = 90, BNC = 90 }
races = [
  { number = 36, start = 12, end = 15, round = 12 },
  { number = 35, start = 21, end = 16, round = 11, status = "run" },
]

[position.track]
GSW = ["Dublin - Drogheda - AB14 - AA14 - Dundalk"]
MGW = ["Dublin - Drogheda"]
"""


def brought(house: PostHouse, position: str) -> str:
    """Make the game of a file with this position; return its id."""
    file = house.folder / "game.toml"
    file.write_text(GAME + position + PLAYERS, "utf-8")
    return new_game(house.club, read_proposal(file), root="root of the chain")


def test_the_opening_letter_tells_the_position_instead_of_the_first_round(house: PostHouse) -> None:
    brought(house, BUILDING)
    house.tick()
    (letter,) = house.post("mgw@example.org")
    told = text_of(letter)
    assert str(letter["Subject"]) == "[RR1] Ireland: the game goes on from round 4"
    assert "The position at the beginning of round 4" in told
    assert [line.split() for line in told.splitlines() if line.startswith("GSW ")][1:] == [["GSW", "Dublin", "31", "6"]]
    assert "Choose your home terminal" not in told
    assert "Every account begins" not in told
    assert "Rolls of round 4" in told
    assert "3, 5, 2" in told
    assert "ORDERS RR1 4" in told


def test_the_game_goes_on_from_the_position_by_mail(house: PostHouse) -> None:
    brought(house, BUILDING)
    house.tick()
    house.write("gsw@example.org", "ORDERS RR1 4\n4a) (Dundalk) - AA12\nEND", subject="Re: [RR1] orders")
    house.write("mgw@example.org", "ORDERS RR1 4\n4a) (Dublin) - AB17\nEND", subject="Re: [RR1] orders")
    house.send("bnc@example.org", "ORDERS RR1 4\nPASS\nEND", subject="Re: [RR1] orders")
    (newsletter,) = house.post("bnc@example.org", "Round 4 of 12")
    told = text_of(newsletter)
    assert "Rolls of round 5" in told
    assert "AB17 [-3 GSW]" in told  # MGW builds along the line that was typed in
    assert [each.differs for each in replay(house.club, "RR1")] == [(), ()]


def test_a_game_brought_for_its_last_round_ends_with_it(house: PostHouse) -> None:
    brought(house, RACING)
    house.tick()
    house.write("gsw@example.org", "ORDERS RR1 12\nRUN 36: Dublin - Drogheda\nEND", subject="Re: [RR1] orders")
    house.later(days=20)
    (newsletter,) = house.post("gsw@example.org", "final table")
    told = text_of(newsletter)
    assert "The winner is GSW" in told
    head, _, row = told[told.index("The game, round by round") :].splitlines()[2:5]
    assert head.split() == ["company", "11", "12"]
    assert row.split() == ["GSW", "131", "151"]
    assert [each.differs for each in replay(house.club, "RR1")] == [(), ()]


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        ("[position]\nround = 3\n", "position.rolls: 0 given; the 3 of round 3 expected"),
        ("[position]\nround = 7\n", "position.races: round 7 is a racing round"),
        ("[position]\nrounds = 3\n", "position.rounds: a position has no such key (did you mean round?)"),
        (
            '[position]\nhomes = { GSW = "Dubln" }\n',
            "position.homes.GSW: there is no place 'Dubln' on this map; Dublin?",
        ),
        ('[position]\ntrack = { GSW = ["Dublin - AB17"] }\n', "position.track.GSW: GSW has track but no home"),
    ],
)
def test_a_position_with_a_fault_makes_no_game(house: PostHouse, position: str, sentence: str) -> None:
    with pytest.raises(PositionError) as fault:
        brought(house, position)
    assert sentence in str(fault.value)
    assert house.rows("SELECT * FROM games") == []


def test_every_fault_of_a_position_is_told_at_once(house: PostHouse) -> None:
    with pytest.raises(PositionError) as fault:
        brought(house, '[position]\nrond = 3\nbalances = { GSW = "many", XYZ = 3 }\n')
    assert len(fault.value.faults) == 3


def test_a_position_that_is_no_table_names_the_file(house: PostHouse) -> None:
    file = house.folder / "game.toml"
    file.write_text("position = 3\n", "utf-8")
    with pytest.raises(Exception, match=r"game\.toml:1: position must be a table"):
        read_proposal(Path(file))
