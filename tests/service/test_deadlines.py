"""Deadlines: when they fall, who is reminded, what is foretold, and what is done when orders are missing."""

import json
import re
import stat
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from referee.config import closed_fault
from referee.core import ConfigError
from referee.service.deadlines.missing import outlook_time, policy, reminder_times
from referee.service.deadlines.rescheduling import check_rhythm, lay_over, parse_setting
from referee.service.duetimes import Rhythm, at_hour, is_closed, next_deadline, rhythm_of
from referee.service.post.readers import speak
from referee.service.umpire.ahead import CALENDAR, foretell, span, tell
from referee.store import games, parse_time, transaction, write_pause
from tests.posthouse import ANN, BEGIN, BOB, UMPIRE, Clubs, PostHouse
from tests.service.test_tick import in_children
from tests.tables import Tables

CASES = Tables(__file__)

# Deadlines: local wall times, whatever the clocks do.


PAGE = (Path(__file__).parents[2] / "docs" / "deadlines.md").read_text("utf-8")
CALENDARS = re.findall(r"^\| ((?:`\w+=[^`]+` ?)+) \| (.*?) ?\| (.+?) \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)
FRIDAYS = Rhythm(days=14, weekday="Friday", hour="20:00", zone="Europe/Dublin")


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def in_dublin(text: str) -> datetime:
    return datetime.strptime(text, "%a %Y-%m-%d %H:%M").replace(tzinfo=ZoneInfo("Europe/Dublin"))


@pytest.mark.parametrize(("calendar", "begins", "turn", "due", "why"), CALENDARS, ids=[case[-1] for case in CALENDARS])
def test_the_calendar_of_each_case_in_the_page(calendar: str, begins: str, turn: str, due: str, why: str) -> None:
    settings = dict(parse_setting(each) for each in re.findall(r"`([^`]+)`", calendar))
    check_rhythm(settings)
    rhythm = FRIDAYS.but(begins=begins, **{"weekday": "", **settings})
    expected = in_dublin(due)
    assert f"{expected:%a}" == due[:3]
    assert next_deadline(rhythm, in_dublin(turn)).astimezone(expected.tzinfo) == expected


def test_the_page_has_the_cases() -> None:
    assert len(CALENDARS) > 20


def test_a_time_the_clocks_skip_moves_on_and_one_they_show_twice_is_the_first() -> None:
    assert at_hour(date(2027, 3, 28), "02:30", "Europe/Berlin") == utc("2027-03-28T01:30")
    assert at_hour(date(2027, 10, 31), "02:30", "Europe/Berlin") == utc("2027-10-31T00:30")


def test_no_more_days_are_looked_at_than_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each turn of each game asks for its deadline: two years of days, each compared with what is closed, take a millisecond."""
    looked: list[date] = []

    def noted(closed: str, day: date) -> bool:
        looked.append(day)
        return is_closed(closed, day)

    monkeypatch.setattr("referee.service.duetimes.is_closed", noted)
    closed = FRIDAYS.but(closed="2026-12-18..2026-12-27")
    due = next_deadline(closed, datetime(2026, 12, 7, 12, tzinfo=UTC))
    assert due.date() == date(2027, 1, 1)
    assert set(looked) == {date(2026, 12, each) for each in (11, 18, 25)} | {date(2027, 1, 1)}


@CASES.rows
def test_a_list_of_days_without_deadlines(closed: str) -> None:
    assert closed_fault(closed) == ""


@CASES.rows
def test_what_is_no_list_of_days_is_named(closed: str) -> None:
    assert repr(closed) in closed_fault(closed)


def test_a_game_keeps_its_own_calendar_and_follows_the_club_in_all_else(house: PostHouse) -> None:
    house.game(rhythm={"every": "3 weeks", "weekday": "Friday", "grace": 0, "closed": "12-24..01-06"})
    row = house.row()
    assert f"{row.deadline:%F %H:%M}" == "2026-12-18 20:00"
    club = house.club.config.but(days=3, zone="Europe/Dublin", weekday="Monday", grace=99, notice=5)
    rhythm = rhythm_of(club, row)
    assert (rhythm.every, rhythm.weekday, rhythm.zone) == ("3 weeks", "Friday", "UTC")
    assert (rhythm.grace, rhythm.notice) == (0, 5)


def test_players_are_told_that_they_may_ask_for_hints(race: PostHouse) -> None:
    for allowed in ("no", "yes"):
        race.act(f"CALENDAR RR1 hints={allowed}", "Beginners play.")
        race.tick()
        assert ("Send the one word HINT" in race.told(ANN)) == (allowed == "yes")


def test_the_command_line_overrules_what_a_file_says_of_the_calendar() -> None:
    assert lay_over({"days": 7, "hour": "20:00"}, {"every": "1 month"}) == {"hour": "20:00", "every": "1 month"}
    assert lay_over({"every": "1 month"}, {"days": 7}) == {"days": 7}


def test_each_game_has_its_own_grace(house: PostHouse) -> None:
    house.game(rhythm={"days": 7, "grace": 120})
    house.game(rhythm={"days": 7, "grace": 0})
    assert house.later(days=7, hours=8, minutes=1).turns == ("RR2/1",)
    house.wait(hours=1, minutes=58)
    assert house.send(ANN, "STEP 2").turns == ()
    assert house.post(ANN, "Orders for turn 1 received")
    assert house.later(minutes=2).turns == ("RR1/1",)


def test_each_game_plays_early_as_it_says_itself(house: PostHouse) -> None:
    house.game(rhythm={"days": 7, "early_delay": -1})
    house.game(rhythm={"days": 7, "early_delay": 3})
    house.game()
    for game in ("RR1", "RR2", "RR3"):
        for player in (ANN, BOB):
            house.write(player, "STEP 2", f"[{game}]")
    assert house.tick().turns == ("RR3/1",)
    assert house.later(hours=3).turns == ("RR2/1",)
    assert "RR1/1" in house.later(days=7, hours=6).turns


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


# Before a deadline: whose orders are missing or faulty is reminded, once each time; the umpire is told how the turn stands.


RHYTHM = {"days": 7, "reminders": "72, 24", "outlook": 24}  # from Monday 7, 12:00 to Monday 14, 20:00


def reminded(house: PostHouse, player: str) -> list[str]:
    return [str(each["Subject"]) for each in house.post(player) if "your orders" in each["Subject"]]


def test_a_reminder_that_was_written_is_not_written_again_by_another_process(house: PostHouse) -> None:
    house.game(rhythm=RHYTHM)
    house.wait(days=4, hours=9)
    house.tick_again()
    house.club.execute("UPDATE games SET changed = ''")
    house.tick_again()
    assert len(reminded(house, BOB)) == 1


def test_an_empty_pass_looks_at_no_game_between_two_reminders(house: PostHouse) -> None:
    house.begin(rhythm=RHYTHM)
    house.wait(hours=50)
    assert games.to_look_at(house.club, house.clock.now) == ()
    house.wait(hours=54)
    assert [row.id for row in games.to_look_at(house.club, house.clock.now)] == ["RR1"]


@CASES.rows
def test_reminders_fall_into_the_second_half_of_a_turn(hours: str, left: list[int]) -> None:
    rhythm = Rhythm(days=14, weekday="", hour="20:00", zone="UTC", reminders=hours, outlook=200)
    due = BEGIN.replace(day=21)
    assert [(due - time).total_seconds() / 3600 for time in reminder_times(rhythm, BEGIN, due)] == left
    assert outlook_time(rhythm, BEGIN, due) == BEGIN.replace(day=14)


# What the referee will do if nobody writes is foretold, and comes true.


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
            found |= {
                (what, each.game, each.turn, who, at) for who in (each.who.split() if what == "reminder" else ("",))
            }
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
def foretelling(club: Clubs) -> PostHouse:
    return club(deadlines__reminders="72, 24", deadlines__outlook=24, retention__letters=2)


@pytest.mark.parametrize("missing", ["extend", "hold-over", "stand-by", "play"])
def test_what_is_foretold_comes_true(foretelling: PostHouse, missing: str) -> None:
    for _ in range(3):
        foretelling.game(rhythm={"days": 7, "missing": missing, "stop_from": 0, "statements": 3})
    foretelling.act("STANDBY Cecil <cecil@example.com>")
    foretelling.send("eve@example.com", "Hello?", "a question")
    foretelling.send(ANN, "STEP 2", "[RR1]")
    foretelling.send(BOB, "STEP 1\nABSENT 2026-12-13 to 2026-12-16", "[RR2]")
    while foretelling.row("RR3").status == "running":
        foretelling.write(ANN, "STEP 3", "[RR3]")
        foretelling.send(BOB, "STEP 3", "[RR3]")
    foretelling.send(ANN, "STATEMENT: a game.", "[RR3]")
    seen = foretold(foretelling, 16)
    assert seen == happened(foretelling, 16)
    assert {"turn", "reminder", "outlook", "letters", "statements"} <= {each[0] for each in seen}
    assert missing == "play" or missing in {each[0] for each in seen}


def test_it_stands_in_order_of_time_with_the_setting_that_decides_each(foretelling: PostHouse) -> None:
    foretelling.game(rhythm={"days": 7, "grace": 5})
    foretelling.club = foretelling.club.but(config=foretelling.club.config.but(missing="extend"))
    foretelling.send(ANN, "STEP 2")
    before = foretelling.ours(), foretelling.rows("SELECT * FROM games")
    days = timedelta(days=11)
    assert [f"{each.at:%d %H:%M} {tell(foretelling.club, each)}" for each in foretell(foretelling.club, days)] == [
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
    assert (foretelling.ours(), foretelling.rows("SELECT * FROM games")) == before


def test_a_pause_of_the_post_and_a_turn_of_typed_throws_keep_nothing_back(foretelling: PostHouse) -> None:
    foretelling.game(rhythm={"days": 7})
    write_pause(foretelling.club, foretelling.clock.now, "refused")
    assert {each.what for each in foretell(foretelling.club, timedelta(days=8))} >= {"deadline", "without"}


def test_the_umpire_asks_by_mail(foretelling: PostHouse) -> None:
    foretelling.game(rhythm={"days": 7})
    assert "Friday 11 December 2026, 20:00 UTC: RR1 reminds ANN BOB of turn 1" in foretelling.says(
        UMPIRE, "STATUS AHEAD 7d"
    )
    assert "Monday 14" not in foretelling.told(UMPIRE)
    assert "is no time to look ahead: write days or weeks, as 30d or 2w" in foretelling.says(
        UMPIRE, "STATUS AHEAD soon"
    )
    with transaction(foretelling.club):
        speak(foretelling.club, UMPIRE, "de")
    assert "RR1 erinnert ANN BOB an Zug 1" in foretelling.says(UMPIRE, "STAND VORAUS")


@CASES.rows
def test_a_time_ahead_is_days_or_weeks(text: str, days: int) -> None:
    assert span(text) == timedelta(days=days)


@CASES.rows
def test_another_time_ahead_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="write days or weeks, as 30d or 2w"):
        span(text)


def test_a_private_calendar_of_it_follows_what_comes(club: Clubs) -> None:
    made = club(club__ahead=14)
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


def test_the_command_prints_a_line_each(foretelling: PostHouse) -> None:
    foretelling.act(f"DEADLINE {foretelling.game()} 2026-12-20 20:00", "x")
    (first, *_) = json.loads(foretelling.command("status", "--ahead", "366d", "--json").stdout)
    assert first["game"] == "RR1"


# A turn whose orders are missing at its deadline: given more time, held over, played without, or left to the umpire.


WEEK: dict[str, Any] = {"days": 7, "missing": "extend", "extension": 3, "stop_from": 2}


def due(house: PostHouse) -> str:
    deadline = house.row().deadline
    return f"{deadline:%a %d %H:%M}" if deadline else "none"


def test_a_power_cut_gives_no_time_twice(house: PostHouse) -> None:
    house.game(rhythm=WEEK)
    house.wait(days=7, hours=9)
    (ended,) = in_children(1, lambda: house.tick_again("missing:telling"))
    assert ended
    assert due(house) == "Mon 14 20:00"
    house.tick()
    assert due(house) == "Thu 17 20:00"
    assert len(house.post(BOB, "Turn 1: more time")) == 1


WEEKLY = Rhythm(days=7, weekday="", hour="20:00", zone="UTC", missing="hold-over", missing_from=2, stop_from=3)


@CASES.rows
def test_the_policy(missing: int, extended: int, umpire: bool, chosen: str) -> None:
    assert policy(WEEKLY, missing, extended, umpire=umpire) == chosen


@CASES.rows
def test_the_policy_with_stand_bys(extended: int, standbys: int, chosen: str) -> None:
    rhythm = WEEKLY.but(missing="stand-by")
    assert policy(rhythm, 3, extended, umpire=True, standbys=standbys) == chosen
