"""What every way out promises, shown on a Maildir and on a mail server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from referee.core.errors import ConfigError, MailDown, RefereeError
from referee.mail.interfaces import Transport
from referee.mail.maildir import MaildirTransport, make_maildir
from tests.mail.smtpbox import ANN, RAW, REFEREE, Transports
from tests.servers.mailhost import MailHost


class Way(Protocol):
    """A way out with the tools of a test: make one, see what arrived, take the far end away."""

    def transport(self) -> Transport: ...
    def arrived(self) -> list[bytes]: ...
    def break_down(self) -> type[RefereeError]: ...


class MaildirWay:
    def __init__(self, path: Path) -> None:
        make_maildir(path)
        self.path = path

    def transport(self) -> Transport:
        return MaildirTransport(self.path)

    def arrived(self) -> list[bytes]:
        return [path.read_bytes() for path in (self.path / "new").iterdir()]

    def break_down(self) -> type[RefereeError]:
        (self.path / "new").rename(self.path / "away")
        return ConfigError


class SmtpWay:
    def __init__(self, host: MailHost, smtp: Transports) -> None:
        self.host, self.smtp = host, smtp

    def transport(self) -> Transport:
        return self.smtp(self.host)

    def arrived(self) -> list[bytes]:
        return [each.raw for each in self.host.letters]

    def break_down(self) -> type[RefereeError]:
        self.host.stop()
        return MailDown


@pytest.fixture(params=["maildir", "together", "one by one"])
def way(request: pytest.FixtureRequest, tmp_path: Path, smtp: Transports) -> Iterator[Way]:
    if request.param == "maildir":
        yield MaildirWay(tmp_path / "out")
        return
    with MailHost(together=request.param == "together") as host:
        yield SmtpWay(host, smtp)


def test_a_letter_arrives_byte_for_byte(way: Way) -> None:
    transport = way.transport()
    transport.send("<1@club.example>", RAW, ANN, REFEREE)
    transport.close()
    assert way.arrived() == [RAW]


def test_a_way_out_can_be_used_again_after_it_was_closed(way: Way) -> None:
    transport = way.transport()
    transport.close()
    for number in range(3):
        transport.send(f"<{number}@club.example>", RAW, ANN, REFEREE)
        transport.close()
        transport.close()
    assert way.arrived() == [RAW] * 3


def test_a_letter_sent_again_is_the_same_letter(way: Way) -> None:
    """Into a Maildir it goes once; a mail server cannot know, and gets the same bytes."""
    for _ in range(2):
        transport = way.transport()
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
        transport.close()
    assert set(way.arrived()) == {RAW}
    assert len(way.arrived()) == (2 if isinstance(way, SmtpWay) else 1)


def test_a_far_end_that_is_not_there_is_told(way: Way) -> None:
    transport = way.transport()
    told = way.break_down()
    for _ in range(2):
        with pytest.raises(told):
            transport.send("<1@club.example>", RAW, ANN, REFEREE)
    transport.close()
