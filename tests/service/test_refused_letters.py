"""A server that refuses us keeps all letters and turns waiting; a reader who is refused keeps nobody."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.core.errors import MailDown
from referee.service.club.tally import HEARTBEAT
from referee.service.doctor.database import database_findings
from referee.service.post.bounces import unreachable_players
from referee.service.post.deliver import send_waiting
from referee.service.tick import Undelivered
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse
from tests.servers.mailhost import MailHost
from tests.service.test_deliver import states

OF_US = [
    ("recipient", "554 5.7.1 <ann@example.org>: Relay access denied"),
    ("recipient", "550 SMTP authentication required"),
    ("recipient", "503 You must authenticate first (#5.5.1)"),
    ("letter", "554 5.2.252 SendAsDenied; not allowed to send as referee@club.example"),
    ("letter", "550 5.4.5 Daily user sending quota exceeded. o65sm25351206pga.71 - gsmtp"),
    ("recipient", "550 go away"),  # in the same words to both
    ("letter", "554 Transaction failed"),
]


@pytest.fixture
def host() -> Iterator[MailHost]:
    with MailHost() as made:
        yield made


@pytest.fixture
def house(tmp_path: Path, host: MailHost) -> Iterator[PostHouse]:
    """A club that sends through the mail server; two openings wait in its outbox."""
    with PostHouse(
        tmp_path / "club", smtp__host="127.0.0.1", smtp__port=host.port, smtp__security="none", smtp__timeout=5
    ) as made:
        made.game()
        yield made


@pytest.mark.parametrize(("at", "said"), OF_US)
def test_who_refuses_us_keeps_all_letters_and_turns_waiting(
    house: PostHouse, host: MailHost, at: str, said: str
) -> None:
    refusals = host.to_recipient if at == "recipient" else host.to_letter
    refusals[""] = said
    for _ in range(16):
        with pytest.raises(Undelivered) as caught:
            house.tick()
        house.clock.advance(hours=12)
    assert caught.value.exit_code == 75
    assert set(states(house).values()) == {"waiting"}, "none has failed, and no note says so"
    assert [row["turn"] for row in house.rows("SELECT turn FROM games")] == [1], "nobody has its opening"
    assert unreachable_players(house.club, "RR1") == ()
    assert not (house.folder / HEARTBEAT).exists()
    words = said.split(maxsplit=1)[1][-20:]
    assert words in house.command("status").stdout
    found = list(database_findings(house.club.config, house.clock.now))
    assert any(each.level == "fault" and "no letter could leave" in each.text and words in each.text for each in found)
    refusals.clear()
    house.tick()
    house.tick()
    assert (house.folder / HEARTBEAT).exists()
    house.later(hours=2)
    assert [len(host.to(who)) for who in (ANN, BOB)] == [2, 2], "openings and newsletters"
    assert b"RR1" in host.to(ANN)[0]


def test_a_refusal_in_unclear_words_is_the_readers_own_once_another_letter_has_left(
    house: PostHouse, host: MailHost
) -> None:
    host.to_recipient[ANN] = "550 Requested action not taken: mailbox unavailable"
    assert send_waiting(house.club).sent == 1
    assert states(house) == {ANN: "waiting", BOB: "sent"}
    house.clock.advance(minutes=5)
    assert send_waiting(house.club).sent == 1
    assert states(house) == {ANN: "failed", BOB: "sent", UMPIRE: "sent"}
    assert b"mailbox unavailable" in host.to(UMPIRE)[0]


def test_who_alone_is_refused_in_words_that_speak_of_us_keeps_nobody_waiting_for_long(
    house: PostHouse, host: MailHost
) -> None:
    host.to_recipient[ANN] = "550 relay not permitted"
    with pytest.raises(MailDown, match="refuses us: 550 relay not permitted"):
        send_waiting(house.club)
    house.clock.advance(minutes=5)
    assert send_waiting(house.club).sent == 1
    assert states(house) == {ANN: "waiting", BOB: "sent"}


def test_two_readers_refused_in_their_own_words_keep_nobody_waiting(house: PostHouse, host: MailHost) -> None:
    host.to_recipient |= {ANN: "550 5.1.1 No such user", BOB: "550 5.1.1 No such user"}
    send_waiting(house.club)
    assert states(house) == {ANN: "failed", BOB: "failed", UMPIRE: "sent"}
