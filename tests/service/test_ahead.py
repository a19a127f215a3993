"""What the referee will do if nobody writes is foretold, and comes true."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from icalendar import Calendar
from msgspec.structs import replace

from referee.core.errors import ConfigError
from referee.service.deadlines.rescheduling import set_deadline
from referee.service.post.readers import speak
from referee.service.seats import add_standby
from referee.service.umpire.ahead import CALENDAR, foretell, span, told
from referee.store import games
from referee.store.database.database import parse_time, transaction
from referee.store.outbox import write_pause
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse

_HAPPENED = """
    SELECT 'turn' AS what, game, turn, '' AS who, adjudicated_at AS at FROM turns WHERE turn > 0
    UNION ALL SELECT kind, game, turn, '', at FROM acts WHERE actor = 'referee'
    UNION ALL SELECT kind, game, turn, coalesce(player, ''), created FROM outbox WHERE kind IN ('reminder', 'outlook')
    UNION ALL SELECT 'letters', '', 0, '', at FROM log WHERE what = 'given-up'
"""


def foretold(house: PostHouse, days: int) -> set[tuple[str, str, int, str, datetime]]:
    """What is foretold, with the first pass (11 minutes past every fourth hour) in which it can be done."""
    found = set()
    for each in foretell(house.club, timedelta(days=days)):
        if each.what not in ("deadline", "over"):
            what = "turn" if each.what in ("early", "played", "without") else each.what
            at = each.at.replace(hour=each.at.hour // 4 * 4, minute=11, second=0, microsecond=0)
            at += timedelta(hours=4 * (at < each.at))
            found |= {(what, each.game, each.turn, who, at) for who in (each.who if what == "reminder" else ("",))}
    return found


def happened(house: PostHouse, days: int) -> set[tuple[str, str, int, str, datetime]]:
    """What becomes of as many days with a pass every fourth hour."""
    begin = house.clock.now
    house.clock.now = begin.replace(minute=11)
    for _ in range(days * 6):
        house.later(hours=4)
    rows = [(*row[:4], parse_time(row[4]).replace(second=0, microsecond=0)) for row in house.rows(_HAPPENED)]
    return {row for row in rows if row[4] > begin}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    with PostHouse(
        tmp_path / "club", deadlines__reminders="72, 24", deadlines__outlook=24, retention__letters=2
    ) as made:
        yield made


@pytest.mark.parametrize("missing", ["extend", "hold-over", "stand-by", "play"])
def test_what_is_foretold_comes_true(house: PostHouse, missing: str) -> None:
    for _ in range(3):
        house.game(rhythm={"days": 7, "missing": missing, "stop_from": 0, "statements": 3})
    add_standby(house.club, "Cecil <cecil@example.com>")
    house.send("eve@example.com", "Hello?", "a question")
    house.send(ANN, "STEP 2", "[RR1]")
    house.send(BOB, "STEP 1\nABSENT 2026-12-13 to 2026-12-16", "[RR2]")
    while games.game(house.club.db, "RR3").status == "running":
        house.write(ANN, "STEP 3", "[RR3]")
        house.send(BOB, "STEP 3", "[RR3]")
    house.send(ANN, "STATEMENT: a game.", "[RR3]")
    seen = foretold(house, 16)
    assert seen == happened(house, 16)
    assert {"turn", "reminder", "outlook", "letters", "statements"} <= {each[0] for each in seen}
    assert missing == "play" or missing in {each[0] for each in seen}


def test_it_stands_in_order_of_time_with_the_setting_that_decides_each(house: PostHouse) -> None:
    house.game(rhythm={"days": 7, "grace": 5})
    house.club = replace(house.club, config=replace(house.club.config, missing="extend"))
    house.send(ANN, "STEP 2")
    before = house.ours(), house.rows("SELECT * FROM games")
    days = timedelta(days=11)
    assert [f"{each.at:%d %H:%M} {told(house.club, each)}" for each in foretell(house.club, days)] == [
        "11 20:00 reminds BOB of turn 1 [deadlines.reminders = 72, 24]",
        "13 20:00 reminds BOB of turn 1 [deadlines.reminders = 72, 24]",
        "13 20:00 tells you how turn 1 stands [deadlines.outlook = 24]",
        "14 20:00 turn 1 is due; missing so far: BOB [deadlines.days = 7, as RR1 says itself]",
        "14 20:05 waits for BOB until 2026-12-17 20:00 UTC [deadlines.extension = 3]",
        "14 20:06 reminds BOB of turn 1 [deadlines.reminders = 72, 24]",
        "16 20:00 reminds BOB of turn 1 [deadlines.reminders = 72, 24]",
        "16 20:00 tells you how turn 1 stands [deadlines.outlook = 24]",
        "17 20:00 turn 1 is due; missing so far: BOB [deadlines.days = 7, as RR1 says itself]",
        "17 20:05 plays turn 1 without BOB; the next one is due 2026-12-21 20:00 UTC [deadlines.missing = extend]",
    ]
    assert (house.ours(), house.rows("SELECT * FROM games")) == before


def test_a_pause_of_the_post_and_a_turn_of_typed_throws_keep_nothing_back(house: PostHouse) -> None:
    house.game(rhythm={"days": 7})
    write_pause(house.club.db, house.clock.now, "refused")
    assert {each.what for each in foretell(house.club, timedelta(days=8))} >= {"deadline", "without"}


def test_the_umpire_asks_by_mail(house: PostHouse) -> None:
    house.game(rhythm={"days": 7})
    assert "Friday 11 December 2026, 20:00 UTC: RR1 reminds ANN BOB of turn 1" in house.says(UMPIRE, "STATUS AHEAD 7d")
    assert "Monday 14" not in house.told(UMPIRE)
    assert "is no time to look ahead: write days or weeks, as 30d or 2w" in house.says(UMPIRE, "STATUS AHEAD soon")
    with transaction(house.club.db):
        speak(house.club, UMPIRE, "de")
    assert "RR1 erinnert ANN BOB an Zug 1" in house.says(UMPIRE, "STAND VORAUS")


@pytest.mark.parametrize(("text", "days"), [("30d", 30), ("2W", 14), ("10", 10)])
def test_a_time_ahead_is_days_or_weeks(text: str, days: int) -> None:
    assert span(text) == timedelta(days=days)


@pytest.mark.parametrize("text", ["", "0d", "soon", "367d", "3h"])
def test_another_time_ahead_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="write days or weeks, as 30d or 2w"):
        span(text)


def test_a_private_calendar_of_it_follows_what_comes(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", club__ahead=14) as made:
        made.begin(rhythm={"days": 7})
        file = made.folder / CALENDAR

        def summaries() -> list[str]:
            return [str(each["SUMMARY"]) for each in Calendar.from_ical(file.read_bytes()).walk("VEVENT")]

        assert summaries()[0] == "RR1 turn 1 is due; missing so far: ANN BOB"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        made.send(ANN, "STEP 2")
        assert summaries()[0] == "RR1 turn 1 is due; missing so far: BOB"
        made.later(days=1)
        assert len(set(re.findall("UID:.*", file.read_text()))) == len(summaries())


def test_the_command_prints_a_line_each(house: PostHouse) -> None:
    set_deadline(house.club, house.game(), "2026-12-20 20:00", "x")
    (first, *_) = json.loads(house.command("status", "--ahead", "366d", "--json").stdout)
    assert first["game"] == "RR1"
