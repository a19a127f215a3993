"""Deadlines: local wall times, whatever the clocks do."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.config import closed_fault
from referee.service.club.duetimes import Rhythm, at_hour, is_closed, next_deadline, rhythm_of
from referee.service.deadlines.rhythms import laid_over
from referee.store import games
from tests.posthouse import ANN, BOB, PostHouse

FRIDAYS = Rhythm(days=14, weekday="Friday", hour="20:00", zone="Europe/Dublin")


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("rhythm", "now", "previous", "due"),
    [
        pytest.param(FRIDAYS, "2026-12-04T20:15", "2026-12-04T20:00", "2026-12-18T20:00", id="on time: two weeks on"),
        pytest.param(FRIDAYS, "2026-12-05T00:05", "2026-12-04T20:00", "2026-12-18T20:00", id="a tick after midnight"),
        pytest.param(FRIDAYS, "2026-12-01T09:00", "2026-12-04T20:00", "2026-12-18T20:00", id="early: the Friday after"),
        pytest.param(FRIDAYS, "2026-12-07T09:00", "2026-12-04T20:00", "2026-12-25T20:00", id="very late: from now on"),
        pytest.param(FRIDAYS, "2027-03-19T20:30", "2027-03-19T20:00", "2027-04-02T19:00", id="summer time began"),
        pytest.param(FRIDAYS, "2026-11-20T12:00", None, "2026-12-04T20:00", id="a new game"),
        pytest.param(
            Rhythm(days=1, weekday="", hour="06:00", zone="Pacific/Auckland"),
            "2026-12-07T12:00",
            None,
            "2026-12-08T17:00",
            id="the day is the zone's own",
        ),
    ],
)
def test_the_next_deadline(rhythm: Rhythm, now: str, previous: str | None, due: str) -> None:
    assert next_deadline(rhythm, utc(now), utc(previous) if previous else None) == utc(due)


def test_a_time_the_clocks_skip_moves_on_and_one_they_show_twice_is_the_first() -> None:
    assert at_hour(date(2027, 3, 28), "02:30", "Europe/Berlin") == utc("2027-03-28T01:30")
    assert at_hour(date(2027, 10, 31), "02:30", "Europe/Berlin") == utc("2027-10-31T00:30")


CLOSED = "Sunday, 12-24..01-06, 2027-03-26, 2027-04-01..2027-04-10"


@pytest.mark.parametrize(
    ("told", "now", "due"),
    [
        pytest.param({"every": "3 weeks"}, "2026-12-07T12:00", "2026-12-28T20:00", id="weeks"),
        pytest.param({"every": "1 month"}, "2027-01-31T12:00", "2027-02-28T20:00", id="no 31st of February"),
        pytest.param({"every": "3 months"}, "2026-11-07T12:00", "2027-02-07T20:00", id="over the end of a year"),
        pytest.param({"every": "1 day"}, "2026-12-07T21:00", "2026-12-08T20:00", id="a day"),
        pytest.param(
            {"closed": CLOSED}, "2026-12-05T12:00", "2026-12-14T20:00", id="a day later than the closed Sunday"
        ),
        pytest.param(
            {"every": "2 weeks", "closed": CLOSED}, "2026-12-10T12:00", "2027-01-07T20:00", id="over New Year"
        ),
        pytest.param(
            {"weekday": "Friday", "closed": CLOSED}, "2027-03-18T12:00", "2027-04-16T20:00", id="the next open Friday"
        ),
        pytest.param({"weekday": "Sunday", "closed": CLOSED}, "2026-12-07T12:00", "2026-12-20T20:00", id="never open"),
        pytest.param({"every": "1 day", "notice": 36}, "2026-12-07T12:00", "2026-12-09T20:00", id="with notice"),
        pytest.param(
            {"every": "1 day", "notice": 32}, "2026-12-07T12:00", "2026-12-09T20:00", id="notice is the least"
        ),
        pytest.param({"every": "1 day", "notice": 31}, "2026-12-07T12:00", "2026-12-08T20:00", id="just enough"),
    ],
)
def test_a_deadline_falls_where_the_calendar_has_room(told: dict[str, Any], now: str, due: str) -> None:
    rhythm = replace(Rhythm(days=8, weekday="", hour="20:00", zone="UTC"), **told)
    assert next_deadline(rhythm, utc(now)) == utc(due)


def test_no_more_days_are_looked_at_than_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each turn of each game asks for its deadline: two years of days, each compared with what is closed, take a millisecond."""
    looked: list[date] = []

    def noted(closed: str, day: date) -> bool:
        looked.append(day)
        return is_closed(closed, day)

    monkeypatch.setattr("referee.service.club.duetimes.is_closed", noted)
    closed = replace(FRIDAYS, closed="2026-12-18..2026-12-27")
    due = next_deadline(closed, datetime(2026, 12, 7, 12, tzinfo=UTC))
    assert due.date() == date(2027, 1, 1)
    assert looked == [date(2026, 12, 25), date(2027, 1, 1)]


@pytest.mark.parametrize(
    "closed", ["", "Sunday", "2027-03-26", "02-29", "12-24..01-06", " Sunday , 2027-03-26..2027-04-02,01-01"]
)
def test_a_list_of_days_without_deadlines(closed: str) -> None:
    assert closed_fault(closed) == ""


@pytest.mark.parametrize(
    "closed", ["sundays", "2027-02-29", "26.3.2027", "12-24..2027-01-06", "1..2", "2027-04-02..2027-03-26"]
)
def test_what_is_no_list_of_days_is_named(closed: str) -> None:
    assert repr(closed) in closed_fault(closed)


def test_a_game_keeps_its_own_calendar_and_follows_the_club_in_all_else(house: PostHouse) -> None:
    house.game(rhythm={"every": "3 weeks", "weekday": "Friday", "grace": 0, "closed": "12-24..01-06"})
    row = games.game(house.club.db, "RR1")
    assert f"{row.deadline:%F %H:%M}" == "2027-01-08 20:00"
    club = replace(house.club.config, days=3, zone="Europe/Dublin", weekday="Monday", grace=99, notice=5)
    rhythm = rhythm_of(club, row)
    assert (rhythm.every, rhythm.weekday, rhythm.zone) == ("3 weeks", "Friday", "UTC")
    assert (rhythm.grace, rhythm.notice) == (0, 5)


def test_the_command_line_overrules_what_a_file_says_of_the_calendar() -> None:
    assert laid_over({"days": 7, "hour": "20:00"}, {"every": "1 month"}) == {"hour": "20:00", "every": "1 month"}
    assert laid_over({"every": "1 month"}, {"days": 7}) == {"days": 7}


def test_each_game_has_its_own_grace(house: PostHouse) -> None:
    house.game(rhythm={"days": 7, "grace": 120})
    house.game(rhythm={"days": 7, "grace": 0})
    house.clock.advance(days=7, hours=8, minutes=1)
    assert house.tick().turns == ("RR2/1",)
    house.clock.advance(hours=1, minutes=58)
    house.write(ANN, "STEP 2")
    assert house.tick().turns == ()
    assert house.post(ANN, "Orders for turn 1 received")
    house.clock.advance(minutes=2)
    assert house.tick().turns == ("RR1/1",)


def test_each_game_plays_early_as_it_says_itself(house: PostHouse) -> None:
    house.game(rhythm={"days": 7, "early_delay": -1})
    house.game(rhythm={"days": 7, "early_delay": 3})
    house.game()
    for game in ("RR1", "RR2", "RR3"):
        for player in (ANN, BOB):
            house.write(player, "STEP 2", f"[{game}]")
    assert house.tick().turns == ("RR3/1",)
    house.clock.advance(hours=3)
    assert house.tick().turns == ("RR2/1",)
    house.clock.advance(days=7, hours=6)
    assert "RR1/1" in house.tick().turns


@given(
    st.datetimes(min_value=datetime(2020, 1, 1), max_value=datetime(2040, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
    st.sampled_from(["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "UTC"]),
    st.sampled_from(["", "Sunday", "Wednesday"]),
    st.integers(1, 40),
)
def test_a_deadline_always_leaves_time(now: datetime, zone: str, weekday: str, days: int) -> None:
    due = next_deadline(Rhythm(days=days, weekday=weekday, hour="02:30", zone=zone), now)
    assert (days - 1) * 86400 - 7200 < (due - now).total_seconds() <= (days + 8) * 86400
