"""A letter that kills the process that reads it is parked, and the next one is handled."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from typing import NoReturn

import pytest

from referee.core.errors import ConfigError
from referee.reader import limitedprocess
from referee.service.post.collect import collect
from referee.service.tick import Undelivered
from referee.store import games
from referee.store.database.database import transaction
from tests.doomedreader import DEADLY, kill_reader
from tests.forkedreader import begin_as_in_a_club
from tests.posthouse import ANN, BOB, READER, UMPIRE, PostHouse


@pytest.fixture
def deadly(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Kill the process with the signal in the list whenever a letter with the word reaches it."""
    signals: list[int] = [signal.SIGXCPU]
    kill_reader(monkeypatch, lambda content: signals[0] if DEADLY in content else None)
    return signals


def status(house: PostHouse) -> list[tuple[str, int]]:
    return [(row["status"], row["attempts"]) for row in house.rows("SELECT status, attempts FROM letters ORDER BY id")]


def test_one_that_takes_too_long_is_parked_at_once(house: PostHouse, deadly: list[int]) -> None:
    house.game()
    house.write(ANN, "STEP 1 deadly")
    house.send(BOB, "STEP 2")
    assert status(house) == [("parked", 1), ("done", 0)]
    assert "A letter was parked" in house.post(UMPIRE)[0]["Subject"]
    assert "takes more than 5 seconds" in house.rows("SELECT trace FROM letters")[0]["trace"]


def test_one_that_is_read_ahead_takes_no_other_with_it(house: PostHouse, deadly: list[int]) -> None:
    house.game()
    house.write(BOB, "STEP 2")
    house.write(ANN, "STEP 1 deadly")
    house.send(ANN, "STEP 3")
    assert status(house) == [("done", 0), ("parked", 1), ("done", 0)]
    assert [row["text"] for row in house.rows("SELECT text FROM order_sets ORDER BY id")] == ["STEP 2", "STEP 3"]


def test_one_of_which_nobody_knows_why_is_tried_three_times(house: PostHouse, deadly: list[int]) -> None:
    deadly[0] = signal.SIGSEGV
    house.game()
    house.write(ANN, "STEP 1 deadly")
    house.send(BOB, "STEP 2")
    assert status(house) == [("stored", 1), ("done", 0)]
    house.tick()
    house.tick()
    assert status(house) == [("parked", 3), ("done", 0)]


def test_a_reader_killed_for_want_of_memory_is_no_try_and_turns_wait(house: PostHouse, deadly: list[int]) -> None:
    """All else of the pass is made, but it ends with 75. After a day the letter is to blame."""
    deadly[0] = signal.SIGKILL
    house.begin()
    with transaction(house.club.db):
        games.move_deadline(house.club.db, "RR1", house.clock.now + timedelta(hours=5))
    house.write(ANN, "STEP 1 deadly")
    house.write(BOB, "STEP 2")
    for _ in range(5):
        with pytest.raises(
            Undelivered, match=r"wait to be read: .* was killed, most likely for want of memory"
        ) as caught:
            house.tick()
        assert caught.value.exit_code == 75
        house.clock.advance(hours=2)
    assert status(house) == [("stored", 0), ("done", 0)]
    assert len(house.post(BOB)) == 2, "the other one is answered"
    assert house.rows("SELECT turn FROM games")[0]["turn"] == 1
    house.clock.advance(days=1)
    for attempts in (1, 2, 3):
        house.tick()
        assert status(house)[0][1] == attempts
    assert house.rows("SELECT turn FROM games")[0]["turn"] == 2


def test_where_no_process_can_be_begun_letters_wait_and_none_is_parked(
    house: PostHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.begin()
    house.write(ANN, "STEP 1")
    READER.close()
    with monkeypatch.context() as short:
        short.setattr(limitedprocess, "_start", begin_as_in_a_club)
        short.setattr(subprocess, "Popen", refuse)
        for _ in range(5):
            with pytest.raises(Undelivered, match="no process can be begun on this machine now"):
                house.tick()
            house.clock.advance(hours=12)
    assert status(house) == [("stored", 0)]
    house.tick()
    assert status(house) == [("done", 0)]


def test_a_reader_that_ends_before_it_listens_is_the_machines_fault(
    house: PostHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Python does without memory for what it imports."""
    house.begin()
    house.write(ANN, "STEP 1")
    READER.close()
    with monkeypatch.context() as short:
        short.setattr(limitedprocess, "_start", begin_as_in_a_club)
        short.setattr(sys, "executable", "false")
        for _ in range(5):
            with pytest.raises(Undelivered, match="ended before it could listen"):
                house.tick()
    house.tick()
    assert status(house) == [("done", 0)]


def refuse(*_: object, **__: object) -> NoReturn:
    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))


def test_one_that_kills_whoever_handles_it_is_parked_and_the_next_handled(house: PostHouse) -> None:
    """Three times it looks like a power cut; then the letter is handled in a process of its own. What letters mean is asked in
    another one, which has none of our environment.
    """
    house.clock.now = datetime.now(UTC)
    house.game()
    house.send(ANN, "STEP 3")
    house.write(ANN, "ORDERS?")  # what is on file is reckoned in ours
    house.write(BOB, "STEP 2")
    for _ in range(3):
        assert house.command("tick", TINYGAME_DEADLY="3").returncode == -signal.SIGKILL
        assert status(house)[1:] == [("stored", 0), ("stored", 0)]
    told = house.command("tick", TINYGAME_DEADLY="3")
    assert (told.returncode, status(house)) == (0, [("done", 0), ("parked", 1), ("done", 0)])
    assert "was ended by signal 9" in house.rows("SELECT trace FROM letters WHERE id = 2")[0]["trace"]
    assert "A letter was parked" in house.post(UMPIRE)[0]["Subject"]


def test_what_is_to_be_mended_first_is_no_fault_of_a_letter_that_is_handled_alone(house: PostHouse) -> None:
    house.game()
    house.write(ANN, "STEP 1")
    own = house.folder / "templates" / "common" / "acknowledgement.txt.j2"
    own.parent.mkdir(parents=True)
    own.write_text("Subject: ok\n{% if %}")
    for _ in range(4):  # the last of them by a process of its own
        with pytest.raises(ConfigError, match=r"acknowledgement\.txt\.j2:2"):
            house.tick()
    own.unlink()
    house.tick()
    assert status(house) == [("done", 0)]


def test_a_command_of_the_umpires_is_one_too_where_it_is_handled_alone(house: PostHouse) -> None:
    house.clock.now = datetime.now(UTC)
    house.game()
    house.write(UMPIRE, "LOG RR1", "a command")
    collect(house.club)
    house.club.db.execute("UPDATE letters SET begun = 3")
    house.command("tick")
    assert [dict(row) for row in house.rows("SELECT status, reason FROM letters")] == [
        {"status": "done", "reason": "command of the umpire"}
    ]
