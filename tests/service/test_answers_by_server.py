"""Many answers that leave by a mail server: in order, each once, whatever the server or a power cut does."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.service.tick import Undelivered
from referee.store import outbox
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse
from tests.servers.mailhost import DROP, MailHost
from tests.service.test_random_cuts import CUTTERS, cut_after

LETTERS = 15
SHARE = 5  # letters that may leave in a minute
CUTS = 8


@pytest.fixture(params=[True, False], ids=["together", "one by one"])
def host(request: pytest.FixtureRequest) -> Iterator[MailHost]:
    with MailHost(together=request.param) as made:
        yield made


@pytest.fixture
def house(tmp_path: Path, host: MailHost) -> Iterator[PostHouse]:
    """A club that sends through the mail server, whose openings are out; letters of Ann's and Bob's wait in its inbox."""
    settings: dict[str, Any] = {"smtp__host": "127.0.0.1", "smtp__port": host.port, "smtp__security": "none"}
    with PostHouse(tmp_path / "club", smtp__timeout=5, smtp__per_minute=1000, **settings) as made:
        made.begin()
        host.letters.clear()
        for number in range(LETTERS):
            made.write(BOB if number % 3 else ANN, f"STEP 1\nPRESS: letter {number}\n")
        yield made


def states(house: PostHouse) -> set[str]:
    return {row["state"] for row in house.rows("SELECT state FROM outbox")}


def answers(house: PostHouse, recipient: str) -> list[bytes]:
    """Return what was written to somebody after the openings, in the order of writing."""
    return [row.raw for row in house.ours("recipient = ? AND (kind != 'newsletter' OR turn > 0)", recipient)]


def all_handled_once(house: PostHouse) -> bool:
    statuses = [row["status"] for row in house.rows("SELECT status FROM letters")]
    return statuses == ["done"] * LETTERS and len(house.rows("SELECT * FROM order_sets")) == LETTERS


def test_a_reader_who_cannot_have_his_answers_now_gets_them_later_in_order(house: PostHouse, host: MailHost) -> None:
    host.to_letter[BOB] = "451 4.7.1 Greylisted, try again later"
    house.tick()
    assert host.to(ANN) == answers(house, ANN)
    assert host.to(BOB) == []
    assert {row.recipient for row in outbox.unsent(house.club.db)} == {BOB}
    assert sum(row.attempts for row in outbox.unsent(house.club.db)) == 1
    host.to_letter.clear()
    house.later(minutes=5)
    assert host.to(BOB) == answers(house, BOB)
    assert all_handled_once(house)


def test_a_reader_who_is_refused_is_told_to_the_umpire(house: PostHouse, host: MailHost) -> None:
    host.to_recipient[BOB] = "550 5.1.1 No such user"
    house.tick()
    assert host.to(ANN) == answers(house, ANN)
    assert sum(b"5.1.1 No such user" in raw for raw in host.to(UMPIRE)) == 1
    assert states(house) == {"sent", "failed"}
    assert all_handled_once(house)


def test_a_server_that_cuts_the_line_keeps_no_letter_from_being_handled(house: PostHouse, host: MailHost) -> None:
    """It had taken the answer; the same bytes are sent again."""
    host.to_letter[ANN] = DROP
    with pytest.raises(Undelivered, match=r"letters wait in the outbox: .*broke off") as caught:
        house.tick()
    assert caught.value.done.letters == LETTERS
    assert all_handled_once(house)
    host.to_letter.clear()
    house.later(minutes=10)
    (first, *others) = answers(house, ANN)
    assert host.to(ANN) == [first, first, *others]
    assert host.to(BOB) == answers(house, BOB)
    assert states(house) == {"sent"}


def test_a_server_that_is_away_keeps_no_letter_from_being_handled(house: PostHouse, host: MailHost) -> None:
    host.stop()
    with pytest.raises(Undelivered, match=r"letters wait in the outbox: .*refused"):
        house.tick()
    assert all_handled_once(house)
    attempts = [row.attempts for row in outbox.unsent(house.club.db)]
    assert (attempts[0], set(attempts[1:])) == (1, {0})
    host.start()
    house.later(minutes=5)
    assert [host.to(who) for who in (ANN, BOB)] == [answers(house, who) for who in (ANN, BOB)]


def test_no_more_leave_in_a_minute_than_the_provider_takes(house: PostHouse, host: MailHost) -> None:
    config = house.folder / "referee.toml"
    config.write_text(config.read_text("utf-8").replace("per_minute = 1000", f"per_minute = {SHARE}"), "utf-8")
    house.clock.advance(minutes=1)
    done = house.tick_again()
    assert (done.letters, done.sent, done.left > 0) == (LETTERS, SHARE, True)
    assert len(host.letters) == SHARE


@pytest.mark.parametrize("step", ["send:leased", "send:ready", "send:sent", "send:marked"])
def test_a_killed_process_loses_no_answer_and_changes_none(house: PostHouse, host: MailHost, step: str) -> None:
    """Some letters are not handled yet, then; an answer that had left and was not marked goes twice, with the same bytes."""
    house.clock.now = datetime.now(UTC)
    assert house.tick_apart(crash_at=step).returncode == -9
    handled = house.rows("SELECT count(*) AS number FROM letters WHERE status = 'done'")[0]["number"]
    assert handled == LETTERS
    house.clock.now = datetime.now(UTC) + timedelta(minutes=6)  # the dead process's lease is over
    house.tick()
    (first, *others) = answers(house, ANN)
    assert host.to(ANN) == [first] * (2 if step == "send:sent" else 1) + others
    assert host.to(BOB) == answers(house, BOB)
    assert all_handled_once(house)
    assert states(house) == {"sent"}


@pytest.mark.testlong
@pytest.mark.parametrize("seed", range(4))
def test_cuts_at_random_moments_lose_no_answer_and_change_none(house: PostHouse, host: MailHost, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    house.clock.now = datetime.now(UTC)
    for _ in range(CUTS):
        cut_after(house, chance.uniform(0.3, 1.2), chance.choice(CUTTERS))
    house.clock.now = datetime.now(UTC) + timedelta(minutes=20)  # a dead process's lease is over, and so is a pause
    house.tick()
    assert all_handled_once(house)
    assert {row["trace"] for row in house.rows("SELECT trace FROM letters")} == {""}
    assert states(house) == {"sent"}
    for who in (ANN, BOB):
        assert list(dict.fromkeys(host.to(who))) == answers(house, who)
