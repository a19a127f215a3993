"""While no letter can leave: a pass is still a pass, and what is closed is told by its own name."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.service.doctor.database import database_findings
from referee.service.tick import Undelivered
from referee.store.club import last_tick
from tests.posthouse import ANN, PostHouse
from tests.servers.mailhost import MailHost


@pytest.fixture
def host() -> Iterator[MailHost]:
    with MailHost() as made:
        yield made


@pytest.fixture
def house(tmp_path: Path, host: MailHost) -> Iterator[PostHouse]:
    """A club with a game whose opening has left through a mail server."""
    with PostHouse(
        tmp_path / "club", smtp__host="127.0.0.1", smtp__port=host.port, smtp__security="none", smtp__timeout=5
    ) as made:
        made.begin()
        yield made


def said(house: PostHouse, topic: str = "work") -> list[str]:
    findings = database_findings(house.club.config, house.clock.now)
    return [f"{each.level} {each.text}" for each in findings if each.topic == topic]


def test_a_pass_that_read_answered_and_played_has_been_made(house: PostHouse, host: MailHost) -> None:
    host.stop()
    house.clock.advance(hours=1)
    house.write(ANN, "STEP 3")
    with pytest.raises(Undelivered, match="letters wait in the outbox") as caught:
        house.tick()
    assert (caught.value.done.letters, caught.value.done.sent) == (1, 0)
    assert caught.value.exit_code == 75
    assert last_tick(house.club.db) == house.clock.now


def test_the_letters_that_left_before_are_counted(house: PostHouse, host: MailHost) -> None:
    host.to_recipient[ANN] = "421 4.3.2 closing"
    house.clock.advance(days=8)
    with pytest.raises(Undelivered) as caught:
        house.tick()
    assert caught.value.done.turns == ("RR1/1",)
    assert caught.value.done.sent == len(house.rows("SELECT 1 FROM outbox WHERE turn = 1 AND state = 'sent'"))


def test_the_doctor_tells_the_closed_way_out_and_not_a_missing_pass(house: PostHouse, host: MailHost) -> None:
    host.stop()
    house.write(ANN, "STEP 3")
    for level in ("warning", "fault"):
        with pytest.raises(Undelivered):
            house.tick()
        assert any(line.startswith("ok 1 game runs, the last pass ended") for line in said(house))
        assert any(
            line.startswith(f"{level} no letter could leave since 2026-12-07 12:00 UTC: SMTP") for line in said(house)
        )
        house.clock.advance(hours=2)
    host.start()
    house.tick()
    assert not any("no letter could leave" in line for line in said(house))


def test_the_command_says_what_it_did_and_what_is_closed(house: PostHouse, host: MailHost) -> None:
    """Also in its log, by the numbers of the letters."""
    host.stop()
    house.club.db.execute("UPDATE outbox SET tried_at = NULL")  # by a clock that is ahead of the machine's
    house.club.db.conn.commit()
    house.clock.now = datetime.now(UTC) - timedelta(seconds=5)
    house.write(ANN, "STEP 3")
    told = house.command("tick", REFEREE_LOG_LEVEL="info")
    assert told.returncode == 75
    assert told.stdout == "letters handled: 1, letters sent: 0\n"
    assert "letters wait in the outbox: SMTP" in told.stderr
    assert "referee: letter number=1 status=done" in told.stderr
    assert "smtp: no letter could leave since " in house.command("status").stdout
    host.start()
    assert house.command("outbox", "retry").returncode == 0
    assert house.command("tick").returncode == 0
    assert "no letter could leave" not in house.command("status").stdout
