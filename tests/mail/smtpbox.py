"""Settings and transports for a test's mail server."""

from collections.abc import Callable
from pathlib import Path

from referee.config import Smtp
from referee.mail.servers.login import Login
from referee.mail.servers.smtp import SmtpTransport
from tests.servers.dovecot import certificate
from tests.servers.mailhost import USER, MailHost

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
    """Write a certificate for localhost, with its key, that nobody trusts by himself."""
    path = folder / "host.pem"
    path.write_text("".join(certificate().values()))
    return path
