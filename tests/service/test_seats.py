"""What players say of their seats by mail: that a turn shall wait, that they are away, that they leave."""

from __future__ import annotations

from datetime import date
from email.message import EmailMessage

import pytest

from referee.service.commands.endings import parse_days
from referee.service.deadlines.missing import orders_on_file
from referee.store import games
from referee.store.games import acts
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, line_of, text_of


def asked(house: PostHouse, text: str, sender: str = ANN) -> str:
    """Write a letter, make a pass and return the answer's text."""
    house.send(sender, text)
    answers: list[EmailMessage] = [each for each in house.post(sender) if each["Auto-Submitted"] == "auto-replied"]
    return line_of(answers[-1])


def on_file(house: PostHouse) -> dict[str, str]:
    position = house.club.positions.of(house.club.db, games.game(house.club.db, "RR1"))
    return orders_on_file(house.club, position)


def test_a_turn_waits_for_its_deadline_if_a_player_wants_it(house: PostHouse) -> None:
    house.game()
    house.write(BOB, "STEP 1")
    answer = asked(house, "STEP 2\nWAIT")
    assert "This turn is not played before its deadline" in answer
    assert "even long before the deadline" not in answer
    assert house.later(days=3).turns == ()
    answer = asked(house, "STEP 3")
    assert "Your orders are in. A player has asked to WAIT: the turn is not played before its deadline." in answer
    assert "even long before the deadline" not in answer
    assert house.tick().turns == ()  # other orders do not take it back
    assert house.later(days=4, hours=9).turns == ("RR1/1",)
    assert "This turn" in asked(house, "wait please")
    for player in (ANN, BOB):
        house.write(player, "STEP 1")
    assert house.tick().turns == ()
    assert "You wait no longer" in asked(house, "NO WAIT")
    house.tick()
    assert games.game(house.club.db, "RR1").turn == 3
    assert "You had not asked to wait" in asked(house, "NO WAIT")


def test_a_turn_waits_for_a_player_who_said_that_he_is_away(house: PostHouse) -> None:
    house.game(rhythm={"days": 7, "absence": 7, "reminders": "72, 24", "outlook": 24})
    answer = asked(house, "ABSENT 2026-12-12 to 2026-12-18")
    assert "You are away from Saturday 12 December 2026 to Friday 18 December 2026" in answer
    assert "the turn waits once for your return, by 7 days at most" in answer
    assert len(house.post(UMPIRE, "ANN is away")) == 1
    house.write(BOB, "STEP 1")
    for _ in range(7):
        house.later(days=1)
    assert house.post(ANN, "your orders are missing") == []
    assert on_file(house) == {"ANN": "away", "BOB": "in"}
    (outlook,) = house.post(UMPIRE, "before its deadline")
    assert "Away:       ANN, and said so\n" in text_of(outlook)
    assert house.later(hours=9).turns == ()
    (told,) = house.post(BOB, "waits for a player's return")
    assert "Away:               ANN\n" in text_of(told)
    assert "Deadline: Saturday 19 December 2026, 20:00 UTC" in text_of(told)
    assert house.later(days=5).turns == ("RR1/1",)  # once; and the policy of this house is to play on


@pytest.mark.parametrize(("until", "days"), [("2026-12-22", 7), ("2026-12-18", 0)])
def test_a_turn_is_played_without_a_player_who_is_away_for_too_long(house: PostHouse, until: str, days: int) -> None:
    """He is not missing: the turn is not extended for him, and the newsletter does not say that nothing was received."""
    house.game(rhythm={"days": 7, "absence": days, "missing": "extend"})
    asked(house, f"ABSENT 2026-12-12 to {until}")
    house.write(BOB, "STEP 1")
    assert house.later(days=7, hours=9).turns == ("RR1/1",)


def test_who_is_back_earlier_says_so(house: PostHouse) -> None:
    house.game(rhythm={"days": 7, "absence": 7})
    asked(house, "ABSENT 12.12.2026 - 18.12.2026")
    assert on_file(house)["ANN"] == "away"
    assert "You are there again" in asked(house, "PRESENT")
    assert on_file(house)["ANN"] == "missing"
    assert len(house.post(UMPIRE, "ANN is there again")) == 1
    assert "You were not away" in asked(house, "I am back")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("ABSENT", "say on which days, as ABSENT 2026-12-20"),
        ("ABSENT 2026-02-30", '"2026-02-30" names no days'),
        ("ABSENT 2026-12-20 to 2026-12-19", "names no days from one to a later one"),
        ("ABSENT 2026-12-01 to 2026-12-06", "Sunday 6 December 2026 is past"),
        ("ABSENT 2026-12-20 to 2027-12-20", "you may be away for 100 days at once"),
    ],
)
def test_days_that_are_none_change_nothing(house: PostHouse, words: str, told: str) -> None:
    house.game()
    assert told in asked(house, words)
    assert house.rows("SELECT * FROM absences") == []
    assert house.post(UMPIRE) == []


def test_nobody_leaves_by_one_word(house: PostHouse) -> None:
    house.game()
    assert "Nothing has changed yet." in asked(house, "RESIGN")
    assert on_file(house)["ANN"] == "missing"
    assert house.post(UMPIRE) == []


def test_who_leaves_for_good_is_waited_for_no_longer(house: PostHouse) -> None:
    house.game(rhythm={"days": 7, "missing": "extend", "reminders": "24"})
    assert "You have left the game, and all are told." in asked(house, "RESIGN FOR GOOD")
    (told,) = house.post(BOB, "Ann has left the game")
    assert "plays ANN no longer" in line_of(told)
    (told,) = house.post(UMPIRE, "ANN has resigned")
    assert "referee replace RR1 ANN" in text_of(told)
    assert "You have left the game before." in asked(house, "RESIGN FOR GOOD")
    assert [(act.kind, act.actor) for act in acts(house.club.db, "RR1")] == [("resigned", "referee")]
    house.later(days=6, hours=9)
    assert house.post(ANN, "your orders are missing") == []
    assert house.send(BOB, "STEP 2").turns == ("RR1/1",)
    assert house.later(days=8).turns == ()  # Bob is missing: extended
    assert house.later(days=4).turns == ("RR1/2",)


def test_what_he_has_on_file_runs_when_he_leaves_and_nothing_else_is_waited_for(house: PostHouse) -> None:
    house.game()
    asked(house, "STEP 3")
    answer = asked(house, "RESIGN FOR GOOD")
    assert "The orders you sent before will run" in answer
    assert "Nobody waits for your orders any more. Deadline: " in answer
    (told,) = house.post(BOB, "Ann has left the game")
    assert "what is on file for this turn runs, and later turns are played without." in line_of(told)
    assert "Nobody waits for your orders any more." in asked(house, "STATUS")
    assert house.send(BOB, "STEP 1").turns == ("RR1/1",)
    assert "The referee still waits" not in asked(house, "STATUS")


def test_a_game_that_all_have_left_plays_at_its_deadlines_alone(house: PostHouse) -> None:
    house.game()
    for player in (ANN, BOB):
        asked(house, "I resign for good", player)
    assert house.tick().turns == ()
    assert house.later(days=7, hours=9).turns == ("RR1/1",)
    assert house.tick().turns == ()


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2026-12-20 to 2027-01-06", ((2026, 12, 20), (2027, 1, 6))),
        ("from 20.12.2026 - 6.1.2027", ((2026, 12, 20), (2027, 1, 6))),
        ("2026-12-20", ((2026, 12, 20), (2026, 12, 20))),
        ("31. 12. 2026", ((2026, 12, 31), (2026, 12, 31))),
    ],
)
def test_days_are_read_as_people_write_them(text: str, days: tuple[tuple[int, int, int], tuple[int, int, int]]) -> None:
    assert parse_days(text) == (date(*days[0]), date(*days[1]))
