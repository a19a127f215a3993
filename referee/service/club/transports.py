"""Which way letters come and go: a mail server where one is set, else a Maildir."""

from __future__ import annotations

import ipaddress
import random
from collections.abc import Callable
from datetime import datetime

from msgspec.structs import replace

from referee.config import Config, Server
from referee.config.secrets import password_of
from referee.core.errors import ConfigError
from referee.mail.interfaces import Source, Transport
from referee.mail.maildir import MaildirSource, MaildirTransport
from referee.mail.servers.backoff import Patience
from referee.mail.servers.login import Credentials, credentials


def source_of(config: Config, clock: Callable[[], datetime]) -> Source:
    """Return where letters arrive; nothing is connected yet.

    Raises:
        ConfigError: the settings do not go together.
    """
    if not config.imap.host:
        return MaildirSource(config.mail_in)
    from referee.mail.servers.imap import (
        ImapSource,  # here, because who has no such server should not wait for it at each tick
    )

    settings = replace(config.imap, user=config.imap.user or config.address)
    check_security(settings, "imap")
    # Chance decides only when a server that failed is tried again: many clubs should not come back in the same second.
    patience = Patience(random.SystemRandom().random)
    return ImapSource(settings, login_of(config, "imap"), config.folder, patience, clock)


def transport_of(config: Config) -> Transport:
    """Return how letters leave; nothing is connected yet.

    Raises:
        ConfigError: the settings do not go together.
    """
    if not config.smtp.host:
        return MaildirTransport(config.mail_out)
    from referee.mail.servers.smtp import SmtpTransport

    settings = replace(config.smtp, user=config.smtp.user or config.address)
    check_security(settings, "smtp")
    return SmtpTransport(settings, login_of(config, "smtp"), config.folder)


def login_of(config: Config, section: str) -> Credentials:
    """Return what gives the login for the server of *section* (``imap``, ``smtp``), asked anew each time."""
    server = config.smtp if section == "smtp" else config.imap
    user = server.user or config.address
    return credentials(user, lambda: password_of(server, section, config.folder), server.token_command)


def check_security(server: Server, section: str) -> None:
    """Raises ConfigError where a password would go over a network unencrypted."""
    if server.security == "none" and not _is_this_machine(server.host):
        raise ConfigError(
            f'{section}.security: "none" is for a server on this machine alone, {section}.host is {server.host!r}'
        )


def _is_this_machine(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.removeprefix("[").removesuffix("]")).is_loopback
    except ValueError:
        return False
