"""The power is cut at random moments of a pass, in a process of its own: no letter is blamed for it, lost or counted twice."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.posthouse import ANN, BOB, PostHouse

CUTS = 12  # of one club
CUTTERS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)  # the power, whoever stops us, Ctrl-C


def cut_after(house: PostHouse, seconds: float, by: signal.Signals) -> None:
    """Begin a pass and end it then, unless it is done by then."""
    with house.begun("tick") as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(by)


def assert_undisturbed(house: PostHouse, ours: int) -> None:
    """All letters were handled, and no more or less than so many *ours* written and sent, each once."""
    rows = house.rows("SELECT status, trace FROM letters")
    assert {(row["status"], row["trace"]) for row in rows} == {("done", "")}
    written = [row["message_id"] for row in house.rows("SELECT message_id FROM outbox ORDER BY id")]
    assert [str(letter["Message-ID"]) for letter in house.post()] == written
    assert len(house.sent_files()) == len(written) == ours


@pytest.mark.parametrize(("step", "cuts"), [("receive:begun", 5), ("receive:filing", 3)])
def test_a_cut_is_no_attempt(house: PostHouse, step: str, cuts: int) -> None:
    """After three of them the letter is handled in a process of its own, which dies of none."""
    house.clock.now = datetime.now(UTC)
    house.game()
    house.write(ANN, "STEP 3")
    for _ in range(cuts):
        assert house.tick_apart(crash_at=step).returncode == -9, "the process was not killed"
    assert house.tick_apart().returncode == 0
    assert_undisturbed(house, 3)


@pytest.mark.testlong
@pytest.mark.parametrize("seed", range(4))
def test_cuts_at_random_moments_park_double_and_lose_nothing(tmp_path: Path, seed: int) -> None:
    """In every second club there is but one letter, so that all cuts meet the same."""
    chance = random.Random(seed)  # noqa: S311
    with PostHouse(tmp_path / "club") as house:
        house.clock.now = datetime.now(UTC)
        began = time.monotonic()
        assert house.tick_apart().returncode == 0
        longest = time.monotonic() - began
        house.game()
        house.write(ANN, "STEP 3\nPRESS: hello")
        if seed % 2:
            house.write(BOB, "STEP 3")
        for _ in range(CUTS):
            cut_after(house, chance.uniform(0, longest), chance.choice(CUTTERS))
        house.clock.now = datetime.now(UTC) + timedelta(minutes=6)  # a dead process's lease is over
        house.tick()
        assert_undisturbed(house, 6 if seed % 2 else 3)
        assert len(house.rows("SELECT * FROM turns")) == 1 + seed % 2
        assert [row["text"] for row in house.rows("SELECT text FROM press")] == ["hello"]
