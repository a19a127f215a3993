"""Deadlines as iCalendar, read by a library of others."""

from datetime import UTC, datetime, timedelta

import pytest

from referee.report.ics import DueDate, calendar

icalendar = pytest.importorskip("icalendar", reason="icalendar is not installed")

DUE = DueDate(
    uid="rr1-deadline@example.org",
    sequence=3,
    at=datetime(2026, 12, 6, 20, tzinfo=UTC),
    changed=datetime(2026, 11, 22, 12, tzinfo=UTC),
    summary="RR1: Bögen; München, \\ 東京" * 6,
    description="Turn 4.\nWrite to us\x00\r, please",
)


def test_a_deadline_is_read_as_it_was_meant() -> None:
    raw = calendar([DUE])
    read = icalendar.Calendar.from_ical(raw)
    (event,) = read.walk("VEVENT")
    assert event.errors == read.errors == []
    assert (read["METHOD"], "ORGANIZER" in event, "ATTENDEE" in event) == ("PUBLISH", False, False)
    assert (event["UID"], event["SEQUENCE"], event["SUMMARY"]) == (DUE.uid, 3, DUE.summary)
    assert event["DESCRIPTION"] == "Turn 4.\nWrite to us, please"
    assert (event.start, event.decoded("DTSTAMP")) == (DUE.at, DUE.changed)
    (alarm,) = event.walk("VALARM")
    assert (alarm["ACTION"], alarm.decoded("TRIGGER")) == ("DISPLAY", timedelta(days=-1))


def test_the_blank_before_a_french_colon_is_one_in_a_calendar() -> None:
    (event,) = icalendar.Calendar.from_ical(calendar([DUE.but(summary="RR1\u00a0: les ordres")])).walk("VEVENT")
    assert event["SUMMARY"] == "RR1 : les ordres"


def test_lines_end_and_are_folded_as_the_standard_says() -> None:
    raw = calendar([DUE], "Trains")
    assert raw.endswith(b"END:VCALENDAR\r\n")
    lines = raw.split(b"\r\n")
    assert max(map(len, lines)) <= 75
    assert b"\n" not in raw.replace(b"\r\n", b"")
    for line in lines:
        line.decode()  # none ends inside a character


def test_a_calendar_to_subscribe_to_has_a_name_and_any_number_of_deadlines() -> None:
    raw = calendar([DUE, DUE.but(uid="rr2-deadline@example.org")], "Trains, all")
    assert b"\r\nX-WR-CALNAME:Trains\\, all\r\n" in raw
    assert len(icalendar.Calendar.from_ical(raw).walk("VEVENT")) == 2
    assert icalendar.Calendar.from_ical(calendar([], "Trains")).walk("VEVENT") == []


def test_a_moment_elsewhere_is_written_in_utc() -> None:
    there = datetime.fromisoformat("2026-12-06T21:00:00+01:00")
    assert calendar([DUE.but(at=there)]) == calendar([DUE])
