"""Lines that are closed however a test ends: one left open would be found much later, beside another test."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from referee.config import Imap
from referee.mail.servers.imap import ImapSource
from referee.mail.servers.login import Credentials
from referee.mail.servers.smtp import SmtpTransport
from tests.mail import boxes
from tests.mail.boxes import PLAIN, Faulty, Seconds, Sources, Transports, fake_settings
from tests.servers.fakeimap import Mailbox, fake_imap
from tests.servers.mailhost import MailHost


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits looks often."""
    monkeypatch.setattr("referee.mail.maildir.LOOK", 0.01)
    monkeypatch.setattr("referee.mail.servers.imap._SLICE", 0.05)


@pytest.fixture
def source() -> Iterator[Sources]:
    """Make sources as ``boxes.source`` does."""
    with ExitStack() as lines:

        def make(told: Imap, ask: Credentials | None = None, seconds: Seconds | None = None) -> ImapSource:
            made = boxes.source(told, ask, seconds)
            lines.callback(made.close)
            return made

        yield make


@pytest.fixture
def faulty(source: Sources) -> Iterator[Faulty]:
    """A server that misbehaves as the test tells it, and a source for it."""
    mailbox, seconds = Mailbox(letters={1: PLAIN, 2: PLAIN + b"two\r\n", 3: PLAIN + b"three\r\n"}), Seconds()
    with fake_imap(mailbox) as port:
        made = source(fake_settings(port), seconds=seconds)
        yield mailbox, made, seconds
        made.close()


@pytest.fixture
def smtp() -> Iterator[Transports]:
    """Make transports as ``boxes.transport`` does."""
    with ExitStack() as lines:

        def make(host: MailHost, *settings: Any, **more: Any) -> SmtpTransport:
            made = boxes.transport(host, *settings, **more)
            lines.callback(made.close)
            return made

        yield make


@pytest.fixture(params=[True, False], ids=["together", "one by one"])
def host(request: pytest.FixtureRequest) -> Iterator[MailHost]:
    """A mail server that takes commands together, or does not."""
    with MailHost(together=request.param) as made:
        yield made
