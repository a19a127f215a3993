"""What the umpire does to a game: acts in a log that nobody can change unnoticed, rulings, deadlines."""

import json
import sqlite3
from datetime import datetime

import pytest

from referee.core import ConfigError, LetterTooCostly
from referee.service.audit.export import parse_revealed
from referee.service.deadlines import rescheduling
from referee.service.duetimes import Rhythm
from referee.service.umpires import checked_reason, log_act
from referee.store import transaction
from tests.posthouse import ANN, Clubs, PostHouse, verdict_on

# What the umpire does stands in a log that nobody can change unnoticed.


def act(house: PostHouse, kind: str, reason: str = "") -> None:
    with transaction(house.club):
        log_act(house.club, house.row(), kind, {"days": 3}, reason)


@pytest.fixture
def logged(club: Clubs) -> PostHouse:
    made = club()
    made.game()
    act(made, "hold", "Ann is ill")
    made.wait(hours=1)
    act(made, "resume", "She is well\n\nand sends her love")
    return made


def test_acts_are_numbered_and_cannot_be_changed(logged: PostHouse) -> None:
    assert [(each.number, each.kind, each.actor) for each in logged.acts()] == [
        (1, "hold", "umpire"),
        (2, "resume", "umpire"),
    ]
    for sql in (
        "UPDATE acts SET reason = 'x'",
        "DELETE FROM acts",
        "INSERT OR REPLACE INTO acts SELECT * FROM acts WHERE number = 1",
    ):
        with pytest.raises(sqlite3.IntegrityError, match="an act of the umpire is never"), transaction(logged.club):
            logged.club.execute(sql)


def test_a_log_that_was_altered_behind_the_back_of_the_store_is_noticed(logged: PostHouse) -> None:
    assert logged.faults() == ()
    logged.club.execute("DROP TRIGGER acts_unchanged")
    logged.club.execute("UPDATE acts SET reason = 'Ann is away' WHERE number = 1")
    found = logged.faults()
    assert [(fault.turn, fault.text) for fault in found] == [
        (1, "act 1 of the umpire's log does not fit its hash, and the act before it")
    ]


def test_an_act_that_was_left_out_is_noticed(logged: PostHouse) -> None:
    logged.club.execute("DROP TRIGGER acts_undeleted")
    logged.club.execute("DELETE FROM acts WHERE number = 1")
    assert [fault.text for fault in logged.faults()] == ["act 1 of the umpire's log is missing"]


def test_an_export_holds_the_log_and_proves_it(logged: PostHouse) -> None:
    text = logged.export()
    assert verdict_on(text).faults == ()
    plain = json.loads(text)
    assert [each["reason"] for each in plain["acts"]] == ["Ann is ill", "She is well\n\nand sends her love"]
    for name, other in {"reason": "x", "kind": "play", "turn": 2, "parameters": {}, "actor": "referee"}.items():
        altered = json.loads(text)
        altered["acts"][1][name] = other
        faults = verdict_on(altered).faults
        assert [fault.text for fault in faults] == [
            "act 2 of the umpire's log does not fit its hash, and the act before it"
        ], name
    for name, other in {"at": "today", "reason": "\x1b[2J", "parameters": []}.items():
        plain["acts"][0] = {**json.loads(text)["acts"][0], name: other}
        with pytest.raises(ValueError, match="entry 1 of the acts"):
            parse_revealed(json.dumps(plain).encode())


def test_a_game_without_acts_is_exported_as_ever(club: Clubs) -> None:
    made = club()
    made.game()
    assert "acts" not in json.loads(made.export())


def test_log_lists_a_game_s_acts(logged: PostHouse) -> None:
    said = logged.command("log", "rr1").stdout.split("\n\n")[-1].splitlines()
    told = ["2: Monday 7 December 2026, 13:00 UTC, turn 1, umpire: RESUME", "  days 3"]
    assert said == [*told, "| She is well", "|", "| and sends her love"]
    plain = json.loads(logged.command("log", "RR1", "--json").stdout)
    assert plain[0]["parameters"] == {"days": 3}
    assert plain[1]["reason"] == "She is well\n\nand sends her love"
    assert logged.command("log", "RR9").returncode == 65


def test_the_log_names_those_who_watch_without_more_words(race: PostHouse) -> None:
    race.act("WRITE RR1 OBSERVERS", "To all.")
    assert "\n  observers, players ANN BOB\n" in race.command("log", "RR1").stdout


def test_a_reason_is_asked_for_and_bounded() -> None:
    assert checked_reason("  why\r\nnot ") == "why\nnot"
    with pytest.raises(ConfigError, match="say why: --because"):
        checked_reason(" ", needed=True)
    with pytest.raises(ConfigError, match="4001 characters"):
        checked_reason("x" * 4001)
    with pytest.raises(ConfigError, match="cannot be printed"):
        checked_reason("\x1b[2J")


def test_a_ruling_that_nobody_logged_is_noticed(begun: PostHouse) -> None:
    begun.act("ADJUST RR1 money.ANN+=3", "The fee in turn 1 was mine to refuse.")
    begun.later(days=8)
    plain = json.loads(begun.export())
    del plain["acts"]
    texts = [fault.text for fault in verdict_on(plain).faults]
    assert "its ruling U1 is not one of the umpire's log" in texts


def test_a_ruling_leaves_on_file_what_can_no_longer_be_read(begun: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    begun.send(ANN, "STEP 1")
    filed = begun.rows("SELECT * FROM order_sets")

    def meant(*_: object) -> None:
        raise LetterTooCostly

    monkeypatch.setattr(begun.club.reader, "understand", meant)
    begun.act("ADJUST RR1 money.ANN+=3", "The fee in turn 1 was mine to refuse.")
    assert begun.rows("SELECT * FROM order_sets") == filed != []


# What the umpire does about deadlines: told to everybody with the reason, kept in the log, and nothing twice.


def test_a_game_that_is_over_has_no_deadlines(race: PostHouse) -> None:
    race.club.execute("UPDATE games SET status = 'finished', deadline = NULL")
    with pytest.raises(ConfigError, match="RR1 is over"):
        race.act("HOLD RR1", "x")


def test_what_the_umpire_decided_on_a_game_that_moved_meanwhile_is_not_done(
    race: PostHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two umpires at once: the second one is told, and sees what the first one did before going on."""
    parse = rescheduling.parse_deadline

    def other_first(told: str, rhythm: Rhythm, now: datetime) -> datetime:
        monkeypatch.setattr(rescheduling, "parse_deadline", parse)
        race.act("DEADLINE RR1 2026-12-21", "the other one's")
        return parse(told, rhythm, now)

    monkeypatch.setattr(rescheduling, "parse_deadline", other_first)
    with pytest.raises(ConfigError, match="RR1 was changed meanwhile, nothing was done: see `referee status RR1`"):
        race.act("DEADLINE RR1 2026-12-20", "mine")
    assert race.row().deadline == datetime.fromisoformat("2026-12-21T20:00Z")


def test_a_moment_is_told_as_the_commands_say_it() -> None:
    assert (
        rescheduling.due_words(datetime.fromisoformat("2026-12-20T20:00Z"), "Europe/Berlin")
        == "due Sun 2026-12-20 21:00 Europe/Berlin"
    )
    assert rescheduling.due_words(None, "UTC") == "due when all orders are in"
