"""The deadline in calendars: beside newsletters, reminders and letters that move it, for who wants it."""

from __future__ import annotations

from datetime import datetime
from email.message import EmailMessage
from itertools import pairwise
from pathlib import Path

import pytest

from referee.service.deadlines import rescheduling
from referee.service.umpire.rulings import undo
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
        house.send(ANN, "ATTACH ICS")
        first = row(house).deadline
        rescheduling.set_deadline(house.club, "RR1", "2026-12-25", "Advent")
        moved = row(house).deadline
        house.later(days=17, hours=12)  # the reminder
        for sender in (ANN, BOB):
            house.write(sender, "ORDERS RR1 1\nSTEP 1\nEND")
        house.tick()  # the next newsletter
        after = row(house).deadline
        assert first != moved != after
        uid = "rr1-deadline@club.example"
        # The letter that tells of another deadline, the reminder, the newsletter.
        assert deadlines(house.post(ANN)) == [(uid, 1, moved), (uid, 1, moved), (uid, 2, after)]
        assert row(house).moved == 2
        assert deadlines(house.post(BOB)) == []
        assert "\nURL" not in str(house.last(ANN))


def test_who_is_told_that_a_deadline_moved_has_it_for_his_calendar(tmp_path: Path) -> None:
    settings = {"players__attach": "ics", "deadlines__missing": "extend"}
    with PostHouse(tmp_path / "club", **settings) as house:
        house.game(rhythm={"days": 7})
        house.send(ANN, "ORDERS RR1 1\nSTEP 1\nEND")
        rescheduling.hold(house.club, "RR1", "Christmas")
        house.later(days=3)
        assert len(deadlines(house.post(BOB))) == 1  # the opening: a game that stands still has no deadline
        rescheduling.resume(house.club, "RR1", because="Over")
        resumed = row(house).deadline
        house.later(days=8)  # Bob's orders are missing
        extended = row(house).deadline
        for sender in (ANN, BOB):
            house.write(sender, "ORDERS RR1 1\nSTEP 1\nEND")
        house.tick()
        played = row(house).deadline
        undo(house.club, "RR1", 1, because="Once more")
        house.tick()
        told = deadlines(house.post(BOB))[1:]
        assert [each[2] for each in told] == [resumed, extended, played, row(house).deadline]
        assert {each[0] for each in told} == {"rr1-deadline@club.example"}
        for earlier, later in pairwise(told):
            assert later[1] == earlier[1] + (later[2] != earlier[2])
