"""Stand-bys sign up by mail, and one of them takes the seat of a player who misses two deadlines in a row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.core.errors import ConfigError, NotFound
from referee.service.seats import add_standby, remove_standby
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Proposal, parse_player
from referee.store import games, seats
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, line_of, text_of

CECIL, DORA = "cecil@example.com", "dora@example.com"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    with PostHouse(tmp_path / "club", identity__policy="token") as made:
        made.begin(rhythm={"days": 7, "missing": "stand-by", "stop_from": 1})
        yield made


def names(house: PostHouse) -> list[str]:
    return [each.name for each in seats.standbys(house.club.db)]


def miss(house: PostHouse) -> None:
    """Let the next deadline pass with Ann's orders alone."""
    house.reply([each for each in house.post(ANN) if each["Reply-To"]][-1], "STEP 2")
    due = games.game(house.club.db, "RR1").deadline
    assert due is not None
    house.later(seconds=int((due - house.clock.now).total_seconds()) + 700)


def test_a_player_signs_up_and_off_by_mail(house: PostHouse) -> None:
    house.reply(house.last(ANN), "STANDBY")
    assert names(house) == ["Ann"]
    assert "You are on the club's list of stand-bys" in house.told(ANN)
    (told,) = house.post(UMPIRE, "Ann stands by")
    assert "referee standby" in text_of(told)
    house.reply(house.last(ANN), "I stand by!")
    assert "on the list already" in house.told(ANN)
    house.reply(house.last(ANN), "NO STANDBY")
    assert names(house) == []
    house.reply(house.last(ANN), "NO STANDBY\nSTANDBY")
    assert names(house) == ["Ann"]


def test_a_stand_by_has_the_seat_of_who_misses_two_deadlines(house: PostHouse) -> None:
    """As by post: the round is held over, and whoever misses the next deadline too has lost his company for good."""
    add_standby(house.club, f"Ann again <{ANN}>")  # she plays in it already
    add_standby(house.club, f"Cecil <{CECIL}>")
    add_standby(house.club, f"Dora <{DORA}>")
    miss(house)
    (told,) = house.post(BOB, "Turn 1 is held over")
    assert "Who is missing at the next deadline too loses the seat" in text_of(told)
    miss(house)
    assert [each.name for each in games.players(house.club.db, "RR1")] == ["Ann", "Cecil"]
    assert names(house) == ["Ann again", "Dora"]
    (briefing,) = house.post(CECIL)
    assert "You play BOB from now on" in briefing["Subject"]
    row = games.game(house.club.db, "RR1")
    assert (row.turn, f"{row.deadline:%a %d %H:%M}") == (1, "Mon 28 20:00")
    assert "Deadline: Monday 28 December 2026, 20:00 UTC" in text_of(briefing)
    (told,) = house.post(ANN, "is held over once more")
    assert "stand-bys have these seats from now on: BOB." in line_of(told)
    (told,) = house.post(BOB, "BOB has a new player")
    assert "Your orders for turn 1 were missing at its deadline, and again" in line_of(told)
    assert "Deadline" not in text_of(told)
    (_, told) = house.post(UMPIRE, "orders are missing")
    assert "Stand-bys have these seats now: BOB" in line_of(told)
    assert house.reply(briefing, "STEP 3").turns == ("RR1/1",)
    assert house.post(CECIL, "Turn 1") != []


def test_a_stand_by_who_is_silent_makes_room_for_the_next(house: PostHouse) -> None:
    for person in (f"Cecil <{CECIL}>", f"Dora <{DORA}>"):
        add_standby(house.club, person)
    for _ in range(3):
        miss(house)
    assert [each.name for each in games.players(house.club.db, "RR1")] == ["Ann", "Dora"]
    miss(house)
    assert games.game(house.club.db, "RR1").deadline is None  # nobody is left: the umpire decides
    assert house.post(UMPIRE, "waits for these orders, or for you")


def test_who_cannot_stand_by_is_told_why(house: PostHouse) -> None:
    for told, words in (
        ("Cecil", "write name and address"),
        ("C <c>", "no mail address"),
        ("C <referee@club.example>", "our own"),
    ):
        with pytest.raises(ConfigError, match=words):
            add_standby(house.club, told)
    with pytest.raises(NotFound, match=f"nobody stands by at {CECIL} .there is nobody"):
        remove_standby(house.club, CECIL)
    add_standby(house.club, f"Cecil <{CECIL}>")
    remove_standby(house.club, CECIL.upper())
    assert names(house) == []


def resign(house: PostHouse, player: str) -> None:
    house.reply([each for each in house.post(player) if each["Reply-To"]][-1], "RESIGN FOR GOOD")


def test_a_stand_by_has_the_seat_of_who_leaves_at_once(house: PostHouse) -> None:
    add_standby(house.club, f"Cecil <{CECIL}>")
    resign(house, BOB)
    assert [each.name for each in games.players(house.club.db, "RR1")] == ["Ann", "Cecil"]
    assert "You play BOB from now on" in house.post(CECIL)[0]["Subject"]
    assert house.post(ANN, "BOB has a new player")
    assert names(house) == []


def test_a_seat_that_nobody_could_take_goes_to_the_next_who_stands_by(house: PostHouse) -> None:
    resign(house, BOB)
    assert [each.name for each in games.players(house.club.db, "RR1")] == ["Ann", "Bob"]
    players = tuple(map(parse_player, (f"CEC:red:Cecil <{CECIL}>", f"DOR:blue:Dora <{DORA}>")))
    new_game(house.club, Proposal(kind="tinyrace", board="line", players=players))
    house.tick()
    house.reply(house.last(CECIL), "STANDBY")
    assert [each.name for each in games.players(house.club.db, "RR1")] == ["Ann", "Cecil"]
    add_standby(house.club, f"Dora <{DORA}>")
    assert names(house) == ["Dora"]


def test_a_game_with_another_policy_leaves_the_seat_to_the_umpire(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "other", identity__policy="token") as house:
        house.begin()
        add_standby(house.club, f"Cecil <{CECIL}>")
        resign(house, BOB)
        assert [each.name for each in games.players(house.club.db, "RR1")] == ["Ann", "Bob"]
        assert names(house) == ["Cecil"]
