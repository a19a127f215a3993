"""The SMTP server through which letters leave: does it let us in, does it take what we send? Nothing is sent."""

from __future__ import annotations

import smtplib
import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from referee.config import Config, Server
from referee.core.errors import ConfigError, LoginRefused, RefereeError, Untrusted
from referee.mail.servers.smtp import BROKEN, hang_up, open_line, plain_words
from referee.service.club.club import check_security, login_of
from referee.service.doctor.finding import Finding, fault, ok, warning
from referee.store.database.database import open_for_reading

# What is to be said alike of every line to a mail server: encryption, certificate, and why it could not be opened.

EXPIRES = timedelta(days=14)


def not_opened(topic: str, section: str, error: RefereeError) -> Finding:
    """Return why a server could not be used, and which settings could mend it."""
    if isinstance(error, Untrusted):
        return fault(topic, error.told, error.remedy)
    if isinstance(error, LoginRefused):
        remedy = (
            f"check {section}.user and the password or token; many providers want an app password or OAuth2 "
            "(docs/setup.md)"
        )
    elif isinstance(error, ConfigError):
        remedy = f"mend it in [{section}] of referee.toml"
    else:
        remedy = f"check {section}.host, {section}.port and {section}.security, and that no firewall is between"
    return fault(topic, str(error), remedy)


def line_findings(topic: str, server: Server, line: socket.socket | None, now: datetime) -> Iterator[Finding]:
    """Return how safe an open line is."""
    where = f"{server.host}:{server.port} answers"
    if not isinstance(line, ssl.SSLSocket):
        yield ok(topic, f"{where}, without encryption, on this machine")
        return
    yield ok(topic, f"{where}, encrypted by {line.version()}")
    ends = _end_of(line)
    if ends is not None and ends - now < EXPIRES:
        sentence = f"its certificate runs out on {ends:%Y-%m-%d}"
        yield warning(topic, sentence, "renew it, or tell whoever runs the server: after that day nothing goes")


def _end_of(line: ssl.SSLSocket) -> datetime | None:
    certificate = line.getpeercert() or {}
    ends = certificate.get("notAfter")
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(ends), UTC) if isinstance(ends, str) else None


TOPIC = "outbox"
LETTER = 1_000_000  # bytes: a newsletter with its board


def smtp_findings(config: Config, now: datetime) -> Iterator[Finding]:
    """Return what is to be said of the server through which letters leave."""
    settings = replace(config.smtp, user=config.smtp.user or config.address)
    ask = login_of(config, "smtp")
    try:
        check_security(settings, "smtp")
        login = ask()
        client = open_line(settings, ask, config.folder)
    except RefereeError as error:
        yield not_opened(TOPIC, "smtp", error)
        return
    try:
        yield from line_findings(TOPIC, settings, client.sock, now)
        if login.password or login.token:
            yield ok(TOPIC, f"{settings.user} is let in")
        else:
            yield warning(
                TOPIC, "nobody logs in", "set smtp.password_file or smtp.token_command, if the server wants it"
            )
        yield _size(client, config)
        yield from _sender(client, config)
    except BROKEN as error:
        yield fault(
            TOPIC, f"{settings.host}: {plain_words(error)}", "try again; if it stays, ask whoever runs the server"
        )
    finally:
        hang_up(client, polite=True)


def _size(client: smtplib.SMTP, config: Config) -> Finding:
    size = str(client.esmtp_features.get("size", ""))
    most, largest = int(size) if size.isdecimal() else 0, max(_largest(config), LETTER)
    if most and most < largest:
        return fault(
            TOPIC,
            f"the server takes letters of at most {most:,} bytes, ours have up to {largest:,}",
            "ask for more, or use another server",
        )
    return ok(TOPIC, f"letters of up to {most:,} bytes are taken" if most else "the server names no limit of size")


def _sender(client: smtplib.SMTP, config: Config) -> Iterator[Finding]:
    """Ask whether we may send from our address; the letter is then not begun."""
    code, words = client.mail(config.address)
    client.rset()
    if code >= 400:
        sentence = f"the server does not let us send from {config.address}: {code} {plain_words(words)}"
        yield fault(TOPIC, sentence, "set mail.address to the address of the account, or allow it there")
    else:
        yield ok(TOPIC, f"letters may be sent from {config.address}")


def _largest(config: Config) -> int:
    try:
        with open_for_reading(config.database) as db:
            return int(next(db.query("SELECT coalesce(max(max(size, length(raw))), 0) AS size FROM outbox"))["size"])
    except RefereeError:
        return 0  # what is wrong with the database is said elsewhere
