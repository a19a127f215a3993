"""The deadline in calendars: beside newsletters and reminders, for who wants it."""

from __future__ import annotations

from datetime import datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.service.deadlines import rescheduling
from referee.store import games
from referee.store.database.rows import GameRow
from tests.posthouse import ANN, BOB, PostHouse

icalendar = pytest.importorskip("icalendar", reason="icalendar is not installed")


def row(house: PostHouse) -> GameRow:
    return games.game(house.club.db, "RR1")


def deadlines(letters: list[EmailMessage]) -> list[tuple[str, int, datetime]]:
    """Return UID, SEQUENCE and time of all deadlines that letters bring, in their order."""
    parts = [part for letter in letters for part in letter.walk() if part.get_content_type() == "text/calendar"]
    assert [part.get_filename() for part in parts] == ["RR1-deadline.ics"] * len(parts)
    events = [icalendar.Calendar.from_ical(part.get_payload(decode=True)).walk("VEVENT")[0] for part in parts]
    return [(str(event["UID"]), event["SEQUENCE"], event.start) for event in events]


def test_a_deadline_goes_on_in_calendars_whoever_moves_it(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", players__attach="") as house:
        house.game(rhythm={"days": 7, "reminders": "24"})
        house.write(ANN, "ATTACH ICS")
        house.tick()
        first = row(house).deadline
        rescheduling.set_deadline(house.club, "RR1", "2026-12-25", "Advent")
        moved = row(house).deadline
        house.clock.advance(days=17, hours=12)
        house.tick()  # the reminder
        for sender in (ANN, BOB):
            house.write(sender, "ORDERS RR1 1\nSTEP 1\nEND")
        house.tick()  # the next newsletter
        after = row(house).deadline
        assert first != moved != after
        uid = "rr1-deadline@club.example"
        assert deadlines(house.post(ANN)) == [(uid, 1, moved), (uid, 2, after)]
        assert row(house).moved == 2
        assert deadlines(house.post(BOB)) == []
        assert "\nURL" not in str(house.post(ANN)[-1])
