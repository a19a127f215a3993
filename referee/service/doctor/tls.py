"""What is to be said alike of every line to a mail server: encryption, certificate, and why it could not be opened."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from referee.config import Server
from referee.core.errors import ConfigError, LoginRefused, RefereeError, Untrusted
from referee.service.doctor.finding import Finding, fault, ok, warning

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
