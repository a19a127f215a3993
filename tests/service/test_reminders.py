"""Before a deadline: whose orders are missing or faulty is reminded, once each time; the umpire is told how the turn stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.service.club.duetimes import Rhythm
from referee.service.deadlines import rescheduling
from referee.service.deadlines.missing import outlook_time, reminder_times
from referee.store import games
from tests.posthouse import ANN, BEGIN, BOB, UMPIRE, PostHouse, text_of

RHYTHM = {"days": 7, "reminders": "72, 24", "outlook": 24}  # from Monday 7, 12:00 to Monday 14, 20:00


def reminded(house: PostHouse, player: str) -> list[str]:
    return [str(each["Subject"]) for each in house.post(player) if "your orders" in each["Subject"]]


def pass_hours(house: PostHouse, hours: int) -> None:
    for _ in range(hours):
        house.later(hours=1)


def test_who_has_sent_nothing_is_reminded_at_each_time_and_once(house: PostHouse) -> None:
    house.game(rhythm=RHYTHM)
    house.write(ANN, "STEP 2")
    pass_hours(house, 104)
    assert reminded(house, BOB) == ["[RR1] Turn 1: your orders are missing"]
    pass_hours(house, 47)
    assert len(reminded(house, BOB)) == 1
    pass_hours(house, 24)
    assert len(reminded(house, BOB)) == 2
    assert reminded(house, ANN) == []
    (_, last) = (each for each in house.post(BOB) if "your orders" in each["Subject"])
    assert "Deadline: Monday 14 December 2026, 20:00 UTC" in text_of(last)
    assert "The referee has no orders from you for turn 1." in text_of(last)
    house.write(BOB, "STEP 1")
    pass_hours(house, 1)
    assert len(reminded(house, BOB)) == 2


def test_who_has_errors_in_his_orders_is_told_which(house: PostHouse) -> None:
    house.game(rhythm=RHYTHM)
    house.send(ANN, "STEP 9")
    house.later(days=4, hours=9)
    assert reminded(house, ANN) == ["[RR1] Turn 1: your orders have errors"]
    (told,) = (each for each in house.post(ANN) if "your orders" in each["Subject"])
    assert "Not in order:" in text_of(told)
    assert "the turn is not played early" in text_of(told)


def test_a_reminder_that_was_written_is_not_written_again_by_another_process(house: PostHouse) -> None:
    house.game(rhythm=RHYTHM)
    house.clock.advance(days=4, hours=9)
    house.tick_again()
    house.club.db.execute("UPDATE games SET changed = ''")
    house.tick_again()
    assert len(reminded(house, BOB)) == 1


def test_after_a_silence_only_the_last_reminder_is_written(house: PostHouse) -> None:
    house.game(rhythm=RHYTHM)
    house.later(days=6, hours=9)
    assert len(reminded(house, BOB)) == 1


def test_nobody_is_reminded_after_the_deadline(house: PostHouse) -> None:
    house.game(rhythm={**RHYTHM, "grace": 60})
    assert house.later(days=7, hours=8, minutes=30).turns == ()
    assert reminded(house, BOB) == []
    assert house.post(UMPIRE) == []


def test_a_moved_deadline_has_reminders_of_its_own(house: PostHouse) -> None:
    house.game(rhythm=RHYTHM)
    pass_hours(house, 153)
    assert len(reminded(house, BOB)) == 2
    rescheduling.set_deadline(house.club, "RR1", "2026-12-25", "Advent")
    pass_hours(house, 150)
    assert len(reminded(house, BOB)) == 2
    pass_hours(house, 150)
    assert len(reminded(house, BOB)) == 4


def test_the_umpire_is_told_before_each_deadline_who_is_in_missing_and_doubtful(house: PostHouse) -> None:
    house.game(rhythm=RHYTHM)
    house.write(ANN, "STEP 9")
    pass_hours(house, 151)
    assert house.post(UMPIRE) == []
    pass_hours(house, 20)
    (told,) = house.post(UMPIRE)
    assert told["Subject"] == "[RR1] Turn 1 before its deadline: 1 missing"
    text = text_of(told)
    assert "Turn 1 is due: Monday 14 December 2026, 20:00 UTC\n" in text
    assert "\nIn:         -\nMissing:    BOB\nDoubtful:   ANN, with errors in the orders on file\n" in text
    assert "At the deadline the turn is played without those who are missing." in text
    assert 'referee deadline RR1 "' in text


def test_the_umpire_is_told_of_letters_that_wait_and_letters_that_come_back(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", identity__policy="token", deadlines__outlook=24) as house:
        house.begin()
        house.send(BOB, "STEP 1")
        house.later(days=6, hours=9)
        (told,) = house.post(UMPIRE)
        assert "Held:       BOB, a letter waits for the player's CONFIRM\n" in text_of(told)


def test_an_empty_pass_looks_at_no_game_between_two_reminders(house: PostHouse) -> None:
    house.begin(rhythm=RHYTHM)
    house.clock.advance(hours=50)
    assert games.to_look_at(house.club.db, house.clock.now) == ()
    house.clock.advance(hours=54)
    assert [row.id for row in games.to_look_at(house.club.db, house.clock.now)] == ["RR1"]


@pytest.mark.parametrize(
    ("hours", "left"), [("", []), ("24", [24]), ("24, 72,24", [72, 24]), ("400, 168, 169", [168]), ("1", [1])]
)
def test_reminders_fall_into_the_second_half_of_a_turn(hours: str, left: list[int]) -> None:
    rhythm = Rhythm(days=14, weekday="", hour="20:00", zone="UTC", reminders=hours, outlook=200)
    due = BEGIN.replace(day=21)
    assert [(due - time).total_seconds() / 3600 for time in reminder_times(rhythm, BEGIN, due)] == left
    assert outlook_time(rhythm, BEGIN, due) == BEGIN.replace(day=14)


def test_a_reminder_and_the_outlook_say_what_becomes_of_the_turn(house: PostHouse) -> None:
    """First it would be held over, and if that has been done the game waits for the umpire, or is played without him."""
    house.game(rhythm={**RHYTHM, "missing": "hold-over", "stop_from": 2})
    house.write(ANN, "STEP 2")
    pass_hours(house, 160)
    assert "the turn is held over for everybody, once" in house.told(UMPIRE)
    assert "played without you" not in house.told(BOB)
    pass_hours(house, 170)
    assert "played without those who are missing" in house.told(UMPIRE)
    assert "the turn is played without you." in house.told(BOB)
