"""The umpire's digest: one letter a day, with how all games stand and what was not urgent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.service.umpire.colleagues import name_umpire
from tests.posthouse import ANN, UMPIRE, PostHouse, text_of

BEA = "bea@example.org"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    """Monday 7 December, 12:00 UTC, which is 13:00 in Berlin."""
    zone = "Europe/Berlin"
    with PostHouse(tmp_path / "club", mail__digest="07:00", club__zone=zone, deadlines__outlook=24) as made:
        made.game(rhythm={"days": 7, "hour": "20:00"})
        made.game(rhythm={"days": 14, "hour": "20:00"})
        yield made


def pass_hours(house: PostHouse, hours: int) -> None:
    for _ in range(hours):
        house.later(hours=1)


def test_one_letter_a_day_says_how_all_games_stand(house: PostHouse) -> None:
    house.send(ANN, "STEP 2", "[RR1]")
    (first,) = house.post(UMPIRE)  # it is past seven today
    assert first["Subject"] == "[Railway club] 2 games run"
    assert "RR1      1  2026-12-14 20:00  BOB      -" in text_of(first)
    pass_hours(house, 17)
    assert len(house.post(UMPIRE)) == 1
    pass_hours(house, 1)
    assert len(house.post(UMPIRE)) == 2
    pass_hours(house, 23)
    assert len(house.post(UMPIRE)) == 2


def test_a_game_without_a_deadline_stands_in_it_too(house: PostHouse) -> None:
    house.game(rhythm={"days": 7, "missing": "extend", "extension": 1})
    for _ in range(9):
        pass_hours(house, 24)
    house.tick()
    assert "RR3      1  when all are in   ANN BOB  -" in house.text(UMPIRE)


def test_what_is_not_urgent_waits_for_the_digest(house: PostHouse) -> None:
    house.tick()
    house.write(ANN, "ABSENT 2026-12-10 to 2026-12-11", "[RR1]")
    house.send(ANN, "NOTE: where is the map?", "[RR1]")
    assert [str(each["Subject"]) for each in house.post(UMPIRE)[1:]] == ["[RR1] A note from ANN"]
    pass_hours(house, 18)
    digest = house.text(UMPIRE)
    assert "[RR1] ANN is away\n-----------------\n" in digest
    assert "ANN is away from Thursday 10 December 2026 to Friday 11 December 2026." in " ".join(digest.split())
    assert digest.count("The referee alone reads answers to this letter.") == 1
    pass_hours(house, 24)
    assert "ANN is away" not in house.told(UMPIRE)


def test_the_outlook_stands_in_the_digest_before_its_deadline(house: PostHouse) -> None:
    pass_hours(house, 150)
    assert house.post(UMPIRE, "before its deadline") == []
    pass_hours(house, 24)
    (digest,) = house.post(UMPIRE, "before its deadline")
    assert "games run" in digest["Subject"]
    assert "Missing:    ANN, BOB" in text_of(digest)


def test_the_umpires_of_a_game_have_a_digest_of_their_games_alone(house: PostHouse) -> None:
    name_umpire(house.club, "RR2", f"Bea <{BEA}>")
    house.send(ANN, "STEP 2", "[RR2]")
    (hers,) = house.post(BEA, "1 game runs")
    assert "RR2      1  2026-12-21 20:00  BOB      -" in text_of(hers)
    assert "RR1" not in text_of(hers)
    pass_hours(house, 24)
    assert len(house.post(BEA, "1 game runs")) == 2
    assert "RR1" in house.told(UMPIRE, "2 games run")


def test_a_club_without_a_digest_has_letters_of_their_own(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club") as house:
        house.game()
        house.send(ANN, "ABSENT 2026-12-10 to 2026-12-11")
        assert [str(each["Subject"]) for each in house.post(UMPIRE)] == ["[RR1] ANN is away"]


def test_why_letters_wait_is_said_in_the_umpires_language(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", mail__digest="07:00", club__language="de", identity__policy="token") as house:
        house.game()
        house.send(ANN, "STEP 2", "my orders")
        pass_hours(house, 24)
        digest = house.told(UMPIRE)
    assert "Brief 1 im Namen von ANN, RR1: kein Code" in digest
