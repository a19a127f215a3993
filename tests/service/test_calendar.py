"""Deadlines: local wall times, whatever the clocks do."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.service.turns.calendar import Rhythm, at_hour, format_rhythm, next_deadline, parse_rhythm

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


def test_a_rhythm_is_stored_as_text() -> None:
    assert parse_rhythm(format_rhythm(FRIDAYS)) == FRIDAYS


@given(
    st.datetimes(min_value=datetime(2020, 1, 1), max_value=datetime(2040, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
    st.sampled_from(["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "UTC"]),
    st.sampled_from(["", "Sunday", "Wednesday"]),
    st.integers(1, 40),
)
def test_a_deadline_always_leaves_time(now: datetime, zone: str, weekday: str, days: int) -> None:
    due = next_deadline(Rhythm(days=days, weekday=weekday, hour="02:30", zone=zone), now)
    assert (days - 1) * 86400 - 7200 < (due - now).total_seconds() <= (days + 8) * 86400
