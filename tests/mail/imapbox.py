"""Settings and sources for the mailboxes of a test's server."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from referee.config import Imap
from referee.mail.servers.imap import ImapSource
from referee.mail.servers.login import Credentials, Login, Patience
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.fakeimap import Mailbox

NOW = datetime(2026, 12, 7, 12, tzinfo=UTC)
PLAIN = b"From: ann@example.org\r\nSubject: orders\r\n\r\nSTEP 3\r\n"


def settings(server: Dovecot, user: str, **changes: object) -> Imap:
    """Return how to reach a mailbox, without encryption where *changes* say nothing else."""
    return fake_settings(server.ports.imap).but(host="localhost", user=user, **changes)


def fake_settings(port: int) -> Imap:
    """Return how to reach the mailbox of a server on this machine that knows only one."""
    return Imap(
        host="127.0.0.1",
        port=port,
        security="none",
        ca_file="",
        user="referee",
        password_file="",
        token_command="",
        timeout=20,
        folder="INBOX",
        processed="Referee/Processed",
        parked="Referee/Parked",
        idle=True,
    )


class Seconds:
    """Seconds that pass when we say so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def source(told: Imap, ask: Credentials | None = None, seconds: Seconds | None = None) -> ImapSource:
    """Return a source that comes back when *seconds* say so, without chance."""
    usual = Login(user=told.user, password=PASSWORD)
    patience = Patience(lambda: 0.0, seconds or Seconds())
    return ImapSource(told, ask or (lambda: usual), Path("/"), patience, lambda: NOW)


Sources = Callable[..., ImapSource]  # as ``source``
Faulty = tuple[Mailbox, ImapSource, Seconds]  # what a server is told to do wrong, a source for it, and its seconds
