"""A letter that kills the process that reads it is parked, and the next one is handled."""

from __future__ import annotations

import os
import signal
import subprocess
from datetime import UTC, datetime
from typing import IO

import pytest

from referee.core.errors import ConfigError
from referee.mail.letter import worker
from referee.mail.letter.worker import Limits
from tests.posthouse import ANN, BOB, READER, UMPIRE, PostHouse

DEADLY = b"deadly"


@pytest.fixture
def deadly(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Kill the process with the signal in the list whenever a letter with the word reaches it."""
    READER.close()  # begins a process anew, which is then ours to kill
    signals: list[int] = [signal.SIGXCPU]
    processes: list[subprocess.Popen[bytes]] = []
    start, send = worker._start, worker._send

    def started(limits: Limits) -> subprocess.Popen[bytes]:
        processes.append(start(limits))
        return processes[-1]

    def sent(pipe: IO[bytes], content: bytes) -> None:
        if DEADLY in content:
            os.kill(processes[-1].pid, signals[0])
        send(pipe, content)

    monkeypatch.setattr(worker, "_start", started)
    monkeypatch.setattr(worker, "_send", sent)
    return signals


def status(house: PostHouse) -> list[tuple[str, int]]:
    return [(row["status"], row["attempts"]) for row in house.rows("SELECT status, attempts FROM letters ORDER BY id")]


def test_one_that_takes_too_long_is_parked_at_once(house: PostHouse, deadly: list[int]) -> None:
    house.game()
    house.write(ANN, "STEP 1 deadly")
    house.write(BOB, "STEP 2")
    house.tick()
    assert status(house) == [("parked", 1), ("done", 0)]
    assert "A letter was parked" in house.post(UMPIRE)[0]["Subject"]
    assert "takes more than 5 seconds" in house.rows("SELECT trace FROM letters")[0]["trace"]


def test_one_that_is_read_ahead_takes_no_other_with_it(house: PostHouse, deadly: list[int]) -> None:
    house.game()
    house.write(BOB, "STEP 2")
    house.write(ANN, "STEP 1 deadly")
    house.write(ANN, "STEP 3")
    house.tick()
    assert status(house) == [("done", 0), ("parked", 1), ("done", 0)]
    assert [row["text"] for row in house.rows("SELECT text FROM order_sets ORDER BY id")] == ["STEP 2", "STEP 3"]


def test_one_of_which_nobody_knows_why_is_tried_three_times(house: PostHouse, deadly: list[int]) -> None:
    deadly[0] = signal.SIGKILL
    house.game()
    house.write(ANN, "STEP 1 deadly")
    house.write(BOB, "STEP 2")
    house.tick()
    assert status(house) == [("stored", 1), ("done", 0)]
    house.tick()
    house.tick()
    assert status(house) == [("parked", 3), ("done", 0)]


def test_one_that_kills_whoever_handles_it_is_parked_and_the_next_handled(house: PostHouse) -> None:
    """Three times it looks like a power cut; then the letter is handled in a process of its own."""
    house.clock.now = datetime.now(UTC)
    house.game()
    house.write(ANN, "STEP 666")
    house.write(BOB, "STEP 2")
    for _ in range(3):
        assert house.command("tick").returncode == -signal.SIGKILL
        assert status(house) == [("stored", 0), ("stored", 0)]
    told = house.command("tick")
    assert (told.returncode, status(house)) == (0, [("parked", 1), ("done", 0)])
    assert "was ended by signal 9" in house.rows("SELECT trace FROM letters")[0]["trace"]
    assert "A letter was parked" in house.post(UMPIRE)[0]["Subject"]


def test_what_is_to_be_mended_first_is_no_fault_of_a_letter_that_is_handled_alone(house: PostHouse) -> None:
    house.game()
    house.write(ANN, "STEP 1")
    own = house.folder / "templates" / "common" / "acknowledgement.txt.j2"
    own.parent.mkdir(parents=True)
    own.write_text("Subject: ok\n{% if %}")
    for _ in range(5):
        with pytest.raises(ConfigError, match=r"acknowledgement\.txt\.j2:2"):
            house.tick()
    own.unlink()
    house.tick()
    assert status(house) == [("done", 0)]
