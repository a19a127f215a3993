"""Settings, sources and transports for the mailboxes of a test's server, and waits for them."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from referee.config import Imap, Smtp
from referee.mail.servers.imap import ImapSource
from referee.mail.servers.login import Credentials, Login, Patience
from referee.mail.servers.smtp import SmtpTransport
from tests.servers.dovecot import PASSWORD, Dovecot, certificate
from tests.servers.fakeimap import Mailbox
from tests.servers.mailhost import USER, MailHost

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


ANN, BOB, REFEREE = "ann@example.org", "bob@example.net", "referee@club.example"
RAW = b"To: ann@example.org\r\nSubject: x\r\n\r\n.\r\n..\r\nFrom here\r\n.\r\n=E9\r\n"


def transport(
    host: MailHost,
    security: str = "none",
    login: Callable[[], Login] = lambda: Login(user=USER),
    ca_file: str = "",
    timeout: int = 5,
) -> SmtpTransport:
    """Return a way out through *host*."""
    settings = Smtp(
        host="localhost" if ca_file else "127.0.0.1",
        port=host.port,
        security=security,
        ca_file=ca_file,
        user=USER,
        password_file="",
        token_command="",
        timeout=timeout,
        per_minute=60,
    )
    return SmtpTransport(settings, login, Path())


Transports = Callable[..., SmtpTransport]  # as ``transport``


def pem(folder: Path) -> Path:
    """Write a certificate for localhost, with its key, that nobody trusts unasked."""
    path = folder / "host.pem"
    path.write_text("".join(certificate().values()))
    return path


# What shall happen meanwhile happens when the source looks, in the same thread, and not after a time.

LAST = 600  # looks after which a wait is given up that nothing ends


class Stop(threading.Event):
    """What ends a wait: set by itself at the last of so many *looks*. At the first one *act* is done.

    A source looks at it before each of its looks for letters. ``gave_up``: all looks were taken.
    """

    def __init__(self, act: Callable[[], object] = lambda: None, looks: int = LAST) -> None:
        super().__init__()
        self._act = act
        self._looks = looks
        self.taken = 0

    @property
    def gave_up(self) -> bool:
        return self.taken >= self._looks

    def is_set(self) -> bool:
        self._look()
        return super().is_set()

    def wait(self, timeout: float | None = None) -> bool:
        self._look()
        return super().wait(timeout)

    def _look(self) -> None:
        self.taken += 1
        if self.taken == 1:
            self._act()
        if self.gave_up:
            self.set()
