"""Answers that leave while other letters are handled: in order, safe on the disk before, and as well as without it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.service.post.deliver import BATCH, HANDLED
from referee.service.tick import Undelivered
from referee.store import deliveryqueue, outbox
from referee.store.database.database import settle_meanwhile
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse
from tests.servers.mailhost import DROP, MailHost
from tests.service.test_random_cuts import CUTTERS, cut_after

LETTERS = 3 * HANDLED
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
        made.game()
        made.tick()
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


@pytest.fixture
def seen(house: PostHouse, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int, int]]:
    """Of each letter of ours, when it is given to the server: its number, the last that is safe, how many are handled."""
    found: list[tuple[int, int, int]] = []
    safe = outbox.highest(house.club.db)
    begin = house.club.transport.begin

    def settled(db: Any) -> None:
        nonlocal safe
        settle_meanwhile(db)
        safe = outbox.highest(db)

    def begun(message_id: str, *more: Any) -> None:
        (row,) = house.rows("SELECT id FROM outbox WHERE message_id = ?", message_id)
        handled = house.rows("SELECT id FROM letters WHERE status = 'done'")
        found.append((row["id"], safe, len(handled)))
        begin(message_id, *more)

    monkeypatch.setattr("referee.service.post.deliver.settle_meanwhile", settled)
    monkeypatch.setattr(house.club.transport, "begin", begun)
    return found


def test_answers_leave_while_others_are_handled_and_each_once(
    house: PostHouse, host: MailHost, seen: list[tuple[int, int, int]]
) -> None:
    done = house.tick()
    assert (done.letters, done.sent, done.left) == (LETTERS, len(host.letters), 0)
    assert [host.to(who) for who in (ANN, BOB)] == [answers(house, who) for who in (ANN, BOB)]
    assert all_handled_once(house)
    assert states(house) == {"sent"}
    early = [each for each in seen if each[2] < LETTERS]
    assert len(early) >= LETTERS - 2 * HANDLED
    assert all(number <= safe for number, safe, _ in early), "it left before it was safe on the disk"
    assert host.lines == 2, "one for the openings"
    assert vars(house.club.transport)["_client"] is None, "nobody needs the line any more"


def test_few_letters_are_answered_when_all_are_handled(tmp_path: Path, host: MailHost) -> None:
    """The disk is not waited for after each."""
    with PostHouse(tmp_path / "few", smtp__host="127.0.0.1", smtp__port=host.port, smtp__security="none") as house:
        house.game()
        for number in range(HANDLED - 1):
            house.write(ANN, f"STEP {number % 3 + 1}")
        assert house.tick().sent == HANDLED + 1
        assert states(house) == {"sent"}


def test_a_reader_who_cannot_have_his_answers_now_gets_them_later_in_order(house: PostHouse, host: MailHost) -> None:
    host.to_letter[BOB] = "451 4.7.1 Greylisted, try again later"
    house.tick()
    assert host.to(ANN) == answers(house, ANN)
    assert host.to(BOB) == []
    assert {row.recipient for row in deliveryqueue.unsent(house.club.db)} == {BOB}
    assert sum(row.attempts for row in deliveryqueue.unsent(house.club.db)) == 1
    host.to_letter.clear()
    house.clock.advance(minutes=5)
    house.tick()
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
    house.clock.advance(minutes=10)
    house.tick()
    (first, *others) = answers(house, ANN)
    assert host.to(ANN) == [first, first, *others]
    assert host.to(BOB) == answers(house, BOB)
    assert states(house) == {"sent"}


def test_a_server_that_is_away_keeps_no_letter_from_being_handled(house: PostHouse, host: MailHost) -> None:
    host.stop()
    with pytest.raises(Undelivered, match=r"letters wait in the outbox: .*refused"):
        house.tick()
    assert all_handled_once(house)
    attempts = [row.attempts for row in deliveryqueue.unsent(house.club.db)]
    assert (attempts[0], set(attempts[1:])) == (1, {0})
    host.start()
    house.clock.advance(minutes=5)
    house.tick()
    assert [host.to(who) for who in (ANN, BOB)] == [answers(house, who) for who in (ANN, BOB)]


def test_no_more_leave_in_a_minute_than_the_provider_takes(house: PostHouse, host: MailHost) -> None:
    config = house.folder / "referee.toml"
    config.write_text(config.read_text("utf-8").replace("per_minute = 1000", f"per_minute = {HANDLED}"), "utf-8")
    house.clock.advance(minutes=1)
    done = house.tick_again()
    assert (done.letters, done.sent, done.left > 0) == (LETTERS, HANDLED, True)
    assert len(host.letters) == HANDLED


def test_a_handling_that_ends_in_an_error_marks_what_is_on_its_way_and_gives_the_others_back(
    house: PostHouse, host: MailHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What had to be handled is handled by the next pass, and nothing is sent twice."""
    begin, begun = house.club.transport.begin, []

    def failing(*letter: Any) -> None:
        begin(*letter)
        begun.append(letter)

    def no_room(path: Path) -> None:
        if begun:
            raise OSError("the disk is gone")

    monkeypatch.setattr(house.club.transport, "begin", failing)
    with monkeypatch.context() as broken:
        broken.setattr("referee.service.receive.check_room", no_room)
        with pytest.raises(OSError, match="the disk is gone"):
            house.tick()
    assert len(host.letters) == 1
    assert states(house) == {"sent", "waiting"}
    assert len(house.rows("SELECT id FROM outbox WHERE state = 'sent' AND turn > 0")) == 1
    assert house.rows("SELECT id FROM outbox WHERE lease IS NOT NULL") == []
    house.tick()
    assert [host.to(who) for who in (ANN, BOB)] == [answers(house, who) for who in (ANN, BOB)]
    assert all_handled_once(house)


@pytest.mark.parametrize("step", ["send:leased", "send:ready", "send:sent", "send:marked"])
def test_a_killed_process_loses_no_answer_and_changes_none(house: PostHouse, host: MailHost, step: str) -> None:
    """Some letters are not handled yet, then; an answer that had left and was not marked goes twice, with the same bytes."""
    house.clock.now = datetime.now(UTC)
    assert house.tick_apart(crash_at=step).returncode == -9
    handled = house.rows("SELECT count(*) AS number FROM letters WHERE status = 'done'")[0]["number"]
    assert HANDLED <= handled < LETTERS
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


def test_fewer_answers_wait_than_are_leased_at_once() -> None:
    assert HANDLED <= BATCH
