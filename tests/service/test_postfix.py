"""Letters that leave through a real mail server, and come back from it."""

import email
import email.policy
from collections.abc import Iterator

import pytest

from referee.service.post.deliver import send_waiting
from tests.posthouse import ANN, BOB, REFEREE, Clubs, PostHouse
from tests.servers.mailhost import MailHost, smtp_settings
from tests.servers.postfix import Postfix, why_no_postfix

pytestmark = [pytest.mark.postfix, pytest.mark.skipif(bool(why_no_postfix()), reason=why_no_postfix() or "it is here")]


@pytest.fixture
def world() -> Iterator[MailHost]:
    """The server of all players: it does not know Ann."""
    with MailHost() as host:
        host.to_recipient[ANN] = "550 5.1.1 No such user here"
        yield host


@pytest.fixture
def postfix(world: MailHost) -> Iterator[Postfix]:
    with Postfix(world.port) as server:
        yield server


@pytest.fixture
def house(club: Clubs, postfix: Postfix) -> PostHouse:
    made = club(mail__in=str(postfix.inbox), **smtp_settings(postfix.port))
    made.game()
    return made


def test_a_letter_that_the_world_does_not_take_comes_back_and_is_not_answered(
    house: PostHouse, postfix: Postfix, world: MailHost
) -> None:
    """Our own server took it, so it counts as sent; what comes back names it, and starts no correspondence."""
    assert send_waiting(house.club).sent == 2
    (came,) = postfix.arrived(1)
    bounce = email.message_from_bytes(came.read_bytes(), policy=email.policy.default)
    assert bounce["Return-Path"] == "<>"
    assert bounce["Auto-Submitted"] == "auto-replied"
    assert bounce.get_content_type() == "multipart/report"
    assert f"Final-Recipient: rfc822; {ANN}" in bounce.as_string()
    assert house.value("SELECT message_id FROM outbox WHERE recipient = ?", ANN) in bounce.as_string()
    before = len(house.rows("SELECT id FROM outbox WHERE recipient = ?", ANN))
    house.tick()
    assert len(house.rows("SELECT id FROM outbox WHERE recipient = ?", ANN)) == before
    assert house.column("SELECT status FROM letters") == ["ignored"]


def test_what_the_world_takes_arrives_as_it_was_written(house: PostHouse, postfix: Postfix, world: MailHost) -> None:
    """A real server adds its lines on top and changes nothing below."""
    send_waiting(house.club)
    postfix.arrived(1)  # Ann's bounce; Bob's letter went before or goes with it
    for _ in range(100):
        if world.to(BOB):
            break
        postfix.pause()
    (taken,) = [each for each in world.letters if each.recipients == (BOB,)]
    written = house.ours("recipient = ?", BOB)[0].raw
    assert taken.raw.endswith(written)
    assert taken.raw.startswith(b"Received: from ")
    assert taken.sender == REFEREE
