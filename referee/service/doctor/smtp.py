"""The SMTP server through which letters leave: does it let us in, does it take what we send? Nothing is sent."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from datetime import datetime

from msgspec.structs import replace

from referee.config import Config
from referee.core.errors import RefereeError
from referee.mail.servers.smtpline import BROKEN, hang_up, open_line, plain_words
from referee.service.club.transports import check_security, login_of
from referee.service.doctor.finding import Finding, fault, ok, warning
from referee.service.doctor.tls import line_findings, not_opened
from referee.store.database.checkup import looked_into

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
        with looked_into(config.database) as db:
            return int(next(db.query("SELECT coalesce(max(max(size, length(raw))), 0) AS size FROM outbox"))["size"])
    except RefereeError:
        return 0  # what is wrong with the database is said elsewhere
