"""Deadlines: local wall times, whatever the clocks do."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.config import closed_fault
from referee.service.club.duetimes import Rhythm, at_hour, is_closed, next_deadline, rhythm_of
from referee.service.deadlines.rhythms import check_rhythm, laid_over, parse_setting
from referee.store import games
from tests.posthouse import ANN, BOB, PostHouse

PAGE = (Path(__file__).parents[2] / "docs" / "deadlines.md").read_text("utf-8")
CASES = re.findall(r"^\| ((?:`\w+=[^`]+` ?)+) \| (.*?) ?\| (.+?) \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)
FRIDAYS = Rhythm(days=14, weekday="Friday", hour="20:00", zone="Europe/Dublin")


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def in_dublin(text: str) -> datetime:
    return datetime.strptime(text, "%a %Y-%m-%d %H:%M").replace(tzinfo=ZoneInfo("Europe/Dublin"))


@pytest.mark.parametrize(("calendar", "begins", "turn", "due", "why"), CASES, ids=[case[-1] for case in CASES])
def test_the_calendar_of_each_case_in_the_page(calendar: str, begins: str, turn: str, due: str, why: str) -> None:
    settings = dict(parse_setting(each) for each in re.findall(r"`([^`]+)`", calendar))
    check_rhythm(settings)
    rhythm = replace(FRIDAYS, begins=begins, **{"weekday": "", **settings})
    expected = in_dublin(due)
    assert f"{expected:%a}" == due[:3]
    assert next_deadline(rhythm, in_dublin(turn)).astimezone(expected.tzinfo) == expected


def test_the_page_has_the_cases() -> None:
    assert len(CASES) > 20


def test_a_time_the_clocks_skip_moves_on_and_one_they_show_twice_is_the_first() -> None:
    assert at_hour(date(2027, 3, 28), "02:30", "Europe/Berlin") == utc("2027-03-28T01:30")
    assert at_hour(date(2027, 10, 31), "02:30", "Europe/Berlin") == utc("2027-10-31T00:30")


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
    assert set(looked) == {date(2026, 12, each) for each in (11, 18, 25)} | {date(2027, 1, 1)}


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
    assert f"{row.deadline:%F %H:%M}" == "2026-12-18 20:00"
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
    st.sampled_from(["", "Sunday", "Wednesday", "Sunday, Wednesday"]),
    st.sampled_from(["1 day", "3 days", "1 week", "2 weeks", "10 days", "1 month"]),
    st.sampled_from(["", "2026-11-29", "2027-01-31"]),
)
def test_a_deadline_leaves_the_minimum_and_is_the_first_that_does(
    now: datetime, zone: str, weekday: str, every: str, begins: str
) -> None:
    rhythm = Rhythm(days=1, every=every, weekday=weekday, hour="02:30", zone=zone, begins=begins)
    due = next_deadline(rhythm, now)
    assert due - now >= rhythm.minimum
    apart = {"day": 1, "week": 7, "month": 31}[rhythm.interval[1]] * rhythm.interval[0]
    if not begins or begins < now.isoformat():
        assert due - now <= rhythm.minimum + timedelta(days=apart + (7 if weekday else 1), hours=2)
    later = due - rhythm.minimum + timedelta(seconds=1)  # a turn that begins when too little is left gets the next
    assert next_deadline(rhythm, later) > due
