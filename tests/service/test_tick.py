"""When a turn is played, when it is not, and what happens to two processes at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.core.errors import ConfigError
from referee.service.club import club
from referee.service.post.writing import message_id
from referee.service.turns.adjudicate import adjudicate
from referee.store import games
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, text_of


@pytest.fixture
def patient(tmp_path: Path) -> PostHouse:
    """A club with the early delay and the downtime guard of the defaults."""
    return PostHouse(tmp_path / "patient", deadlines__early_delay=12, deadlines__downtime_hold=24)


def test_an_early_turn_waits_for_the_delay_after_the_last_change(patient: PostHouse) -> None:
    with patient as house:
        house.game()
        house.write(ANN, "STEP 1")
        assert house.send(BOB, "STEP 1").turns == ()
        house.clock.advance(hours=11)
        assert house.send(ANN, "STEP 2").turns == ()
        assert house.later(hours=11, minutes=59).turns == ()
        assert house.later(minutes=1).turns == ("RR1/1",)


def test_a_withdrawal_holds_the_turn(patient: PostHouse) -> None:
    with patient as house:
        house.game()
        house.write(ANN, "STEP 1")
        house.send(BOB, "STEP 1")
        house.clock.advance(hours=10)
        house.send(BOB, "CLEAR")
        assert house.later(hours=20).turns == ()


def test_after_an_outage_the_deadline_is_moved_and_all_are_told(patient: PostHouse) -> None:
    with patient as house:
        house.begin()
        house.clock.advance(days=9)  # the deadline fell two days ago
        assert house.send(ANN, "STEP 1").turns == ()
        assert "Thursday 17 December 2026, 12:00 (Europe/Dublin)" in text_of(
            house.post(ANN, "the deadline was moved")[0]
        )
        assert len(house.post(BOB, "the deadline was moved")) == 1
        (told,) = house.post(UMPIRE, "The referee was out of order")
        assert "RR1, turn 1: Thursday 17 December 2026, 12:00" in text_of(told)
        assert house.post(ANN, "Orders for turn 1 received")
        assert house.later(hours=23).turns == ()
        assert house.later(hours=2).turns == ("RR1/1",)
        assert len(house.post(BOB, "the deadline was moved")) == 1


def test_a_short_gap_moves_nothing(patient: PostHouse) -> None:
    with patient as house:
        house.game()
        for _ in range(8):
            assert house.later(hours=20).turns == ()
        assert house.later(hours=20).turns == ("RR1/1",)


def test_letters_that_lay_there_in_time_count_whenever_the_tick_comes(house: PostHouse) -> None:
    house.game()
    house.clock.advance(days=7, hours=8, minutes=5)  # within grace
    house.write(ANN, "STEP 3")
    house.clock.advance(days=1)
    house.write(BOB, "STEP 3")  # too late
    assert house.tick().turns == ("RR1/1",)
    assert "missing: BOB" in house.told(ANN)
    assert "after the deadline" in text_of(house.post(BOB, "not taken")[0])


def test_late_orders_may_be_taken_until_adjudication(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "lax", deadlines__late="until-adjudication") as house:
        house.game()
        house.clock.advance(days=8)
        assert house.send(ANN, "STEP 3").turns == ("RR1/1",)
        assert "missing: BOB" in house.told(ANN)


def test_a_time_in_the_senders_own_words_does_not_help(house: PostHouse) -> None:
    """Neither Date nor a Received line that claims a later time than the file has."""
    house.game()
    house.clock.advance(days=8)
    house.write(ANN, "STEP 3", Date="Mon, 7 Dec 2026 12:00:00 +0000")
    assert "missing: ANN BOB" in (house.tick(), house.text(ANN))[1]


def test_our_servers_received_line_says_when_a_letter_came(house: PostHouse) -> None:
    """A server that fetches mail once a day writes files late; the line it wrote on top counts."""
    house.game()
    house.clock.advance(days=8)
    received = "from mx.example by club.example; Mon, 14 Dec 2026 19:59:00 +0000"
    raw = f"Received: {received}\r\nFrom: {ANN}\r\nSubject: [RR1]\r\n\r\nSTEP 3\r\n"
    house.drop(raw.encode())
    house.tick()
    assert "missing: BOB" in house.told(ANN)


def test_a_fault_of_the_rules_leaves_the_turn_as_it_was_and_tells_the_umpire_once(house: PostHouse) -> None:
    house.game()
    house.club.db.execute("UPDATE games SET kind = 'nosuch'")
    house.clock.advance(days=8)
    for _ in range(2):
        assert house.tick().failed == ("RR1",)
    assert len(house.post(UMPIRE, "could not be played")) == 1
    house.club.db.execute("UPDATE games SET kind = 'tinyrace'")
    assert house.tick().turns == ("RR1/1",)


def test_a_turn_played_meanwhile_is_not_played_again(house: PostHouse) -> None:
    house.game()
    row = games.game(house.club.db, "RR1")
    assert adjudicate(house.club, row)
    assert not adjudicate(house.club, row)


def test_without_a_maildir_nothing_is_played(house: PostHouse) -> None:
    """No deadline passes before the inbox was read."""
    house.game()
    house.clock.advance(days=8)
    inbox = house.folder / "mail" / "in" / "new"
    inbox.rename(inbox.with_name("away"))
    with pytest.raises(ConfigError):
        house.tick()
    assert house.rows("SELECT turn FROM games")[0]["turn"] == 1


def in_children(count: int, act: Callable[[], object]) -> list[int]:
    """Run *act* in processes of their own at the same moment; return how each ended."""
    go, ready = os.pipe()
    children = []
    for _ in range(count):
        child = os.fork()
        if child == 0:
            os.close(ready)
            os.read(go, 1)  # until the parent closes its end
            try:
                act()
            except BaseException:
                os._exit(1)
            os._exit(0)
        children.append(child)
    os.close(go)
    os.close(ready)
    return [os.waitpid(child, 0)[1] for child in children]


def test_two_processes_at_the_same_moment_do_the_work_once(house: PostHouse) -> None:
    house.clock.now = datetime.now(UTC)
    house.game()
    house.write(ANN, "STEP 3")
    house.write(BOB, "STEP 3")
    assert in_children(4, house.tick_again) == [0, 0, 0, 0]
    house.tick_again()
    assert len(house.rows("SELECT * FROM turns WHERE turn = 1")) == 1
    assert len(house.sent_files()) == 6
    assert len(house.rows("SELECT * FROM order_sets")) == 2


def expected_post(house: PostHouse) -> set[str]:
    hashes = [row["hash"] for row in house.rows("SELECT hash FROM letters")]
    names = {f"newsletter.rr1.{turn}.{player}.1" for turn in (0, 1) for player in ("ann", "bob")}
    return {message_id(house.club, name) for name in names | {f"reply.{each}" for each in hashes}}


@pytest.mark.parametrize("name", club.PASS_STEPS)
def test_a_power_cut_at_any_step_loses_nothing_and_sends_nothing_twice(house: PostHouse, name: str) -> None:
    house.game()
    house.write(ANN, "STEP 3\nPRESS: hello")
    house.write(BOB, "STEP 3")
    house.clock.advance(minutes=1)
    assert in_children(1, lambda: house.tick_again(crash_at=name)) == [9], "the process was not killed"
    house.clock.advance(minutes=6)  # what the dead process was about to send was its own for five
    house.tick()
    assert {str(letter["Message-ID"]) for letter in house.post()} == expected_post(house)
    assert len(house.sent_files()) == 6
    assert [row["status"] for row in house.rows("SELECT status FROM letters")] == ["done", "done"]
    assert len(house.rows("SELECT * FROM order_sets")) == 2
    assert len(house.rows("SELECT * FROM press")) == 1
    assert [row["turn"] for row in house.rows("SELECT turn FROM turns ORDER BY turn")] == [0, 1]
    assert not list((house.folder / "mail" / "in" / "new").iterdir())
    assert len(list((house.folder / "mail" / "in" / "cur").iterdir())) == 2


def test_the_real_command_is_killed_and_mended_too(house: PostHouse) -> None:
    house.clock.now = datetime.now(UTC)
    house.game()
    house.write(ANN, "STEP 3")
    house.write(BOB, "STEP 3")
    assert house.tick_apart(crash_at="adjudicate:writing").returncode == -9
    done = house.tick_apart()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "letters handled: 0, turns played: RR1/1, letters sent: 6\n"


def test_a_step_that_is_not_listed_is_an_error() -> None:
    with pytest.raises(ValueError, match="is not listed"):
        club.step("receive:nowhere", "")
