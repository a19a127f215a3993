"""How players appear on the club's pages, as they say by mail."""

import pytest

from referee.service.post.readers import parse_appearance
from referee.service.site.games import public_players
from tests.posthouse import ANN, BOB, Clubs, PostHouse
from tests.tables import Tables

CASES = Tables(__file__)


@pytest.fixture
def house(club: Clubs, request: pytest.FixtureRequest) -> PostHouse:
    made = club(**getattr(request, "param", {}))
    made.begin()
    return made


def shown(house: PostHouse) -> list[str]:
    return [each.name for each in public_players(house.club, house.row())]


def test_players_appear_by_company_until_they_say_a_name_and_again_when_they_take_it_back(house: PostHouse) -> None:
    assert shown(house) == ["Ann's Line", "Bob & Co"]
    house.send(ANN, "APPEAR AS Ann S.")
    answer = house.text(ANN)
    assert "You appear there as Ann S." in answer
    assert "The club has no pages for now." in answer
    assert shown(house) == ["Ann S.", "Bob & Co"]
    house.command("address", "RR1", "ANN", "ann@new.example")
    assert shown(house) == ["Ann S.", "Bob & Co"]
    house.send("ann@new.example", "APPEAR AS COMPANY")
    assert shown(house) == ["Ann's Line", "Bob & Co"]


@pytest.mark.parametrize("house", [{"publish__names": "names"}], indirect=True)
def test_where_the_club_shows_names_a_player_may_hide_theirs(house: PostHouse) -> None:
    assert shown(house) == ["Ann", "Bob"]
    house.send(ANN, "APPEAR")
    assert "You appear there as Ann." in house.text(ANN)
    house.send(BOB, "APPEAR AS COMPANY")
    assert shown(house) == ["Ann", "Bob & Co"]


@pytest.mark.parametrize("house", [{"publish__names": "names"}], indirect=True)
def test_nobody_of_an_anonymous_game_appears_by_a_name_before_it_is_over(house: PostHouse) -> None:
    house.send(ANN, "APPEAR AS Ann S.")
    house.club.execute("UPDATE games SET anonymous = 1")
    assert shown(house) == ["Ann's Line", "Bob & Co"]
    house.club.execute("UPDATE games SET status = 'finished'")
    assert shown(house) == ["Ann S.", "Bob"]


@CASES.rows
def test_words_for_a_name(said: str, kept: str) -> None:
    assert parse_appearance(said) == kept
