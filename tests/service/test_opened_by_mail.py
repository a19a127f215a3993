"""A whole new game from one letter of the club's umpire, proved by a code of the club that is sent the same way."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.posthouse import ANN, BOB, UMPIRE, PostHouse

GAME = f"OPEN dampfross ireland\nseats=3\nevery=3 weeks\nplayer=GSW:red:Ann <{ANN}>"


def test_a_game_is_opened_filled_and_begun_by_letters_alone(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", identity__policy="token") as house:
        told = house.says(UMPIRE, GAME, "a new game")
        assert "Once more, please" in str(house.last(UMPIRE)["Subject"])
        assert house.rows("SELECT id FROM open_games") == []
        house.clock.advance(minutes=1)
        house.reply(house.last(UMPIRE), "CONFIRM")
        told = house.told(UMPIRE)
        assert "RR1 waits for players: 2 of 3 seats are free. A newcomer writes: JOIN RR1-" in told
        house.send(BOB, told.partition("A newcomer writes: ")[2].partition(" End")[0], "a seat")
        house.reply(house.last(BOB), "JOIN")
        assert "1 of 3 seats" in house.says(UMPIRE, "SIGNUPS RR1", "x")
        house.clock.advance(minutes=1)
        house.reply(house.last(UMPIRE), "START RR1")
        assert "RR1 begins" in house.told(UMPIRE)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("OPEN", "The kind of game is missing"),
        ("OPEN chess", "there is no game 'chess'"),
        ("OPEN dampfross atlantis", "atlantis"),
        ("OPEN dampfross /etc/passwd", "a map is named as the club has it"),
        ("OPEN dampfross ireland\nHello all", "Hello all: below the command stand lines such as seats=4"),
        ("OPEN dampfross ireland\nseats=many", "seats=many: below the command"),
    ],
)
def test_what_is_wrong_is_named_and_no_game_is_opened(tmp_path: Path, text: str, said: str) -> None:
    with PostHouse(tmp_path / "club", identity__policy="token") as house:
        house.says(UMPIRE, text, "a new game")
        house.clock.advance(minutes=1)
        house.reply(house.last(UMPIRE), "CONFIRM")
        assert said in house.told(UMPIRE)
        assert house.rows("SELECT id FROM open_games") == []


def test_an_umpire_of_one_game_opens_none(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", identity__policy="token") as house:
        house.game()
        house.command("game", "umpire", "RR1", "Cyd <cyd@example.com>")
        house.tick()
        assert "The club's umpire alone can order this." in house.says("cyd@example.com", GAME, "x")
