"""Settings that are tried before they are written: what a server refuses changes nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from referee.config import FILE, Config, SettingValue, config_from, sample_toml, with_settings
from referee.config.secrets import password_of
from referee.mail.servers import imapline, smtpline
from referee.mail.servers.login import credentials
from referee.service.club.club import make_club
from referee.service.club.transports import check_security

OWN_FILE = "mail-password"


def planned(folder: Path, given: Mapping[str, SettingValue]) -> Config:
    """Return the settings of the club in *folder*, there or not, with *given* ones. Raises ConfigError: they do not do."""
    return config_from(folder, _text(folder, given))


def has_login(config: Config) -> bool:
    """Return whether both servers are told who we are. Raises ConfigError: a password is set, and cannot be read."""
    servers = (("imap", config.imap), ("smtp", config.smtp))
    return all(server.token_command or password_of(server, name, config.folder) for name, server in servers)


def log_in(config: Config, section: str, password: str) -> None:
    """Log in to the server of ``imap`` or ``smtp``, with *password* or, where that is "", as the settings say.

    Raises:
        ConfigError: a setting is wrong.
        LoginRefused, MailDown: as ``open_line``.
    """
    server = config.smtp if section == "smtp" else config.imap
    check_security(server, section)
    user = server.user or config.address
    ask = credentials(user, lambda: password or password_of(server, section, config.folder), server.token_command)
    if section == "imap":
        imapline.hang_up(imapline.open_line(replace(config.imap, user=user), ask, config.folder), polite=True)
    else:
        smtpline.hang_up(smtpline.open_line(replace(config.smtp, user=user), ask, config.folder), polite=True)


def write_club(folder: Path, given: Mapping[str, SettingValue], password: str) -> Config:
    """Make the club, or change *given* settings of one that is there; a *password* that is not "" is written, too.

    Raises:
        ConfigError: a setting is wrong, or something cannot be written.
    """
    if not (folder / FILE).exists():
        make_club(folder, dict(given))
    text = _text(folder, given)
    config = config_from(folder, text)
    if password:
        _write(folder / OWN_FILE, f"{password}\n")
    _write(folder / FILE, text)
    return config


def _text(folder: Path, given: Mapping[str, SettingValue]) -> str:
    path = folder / FILE
    return with_settings(path.read_text("utf-8") if path.exists() else sample_toml({}), given)


def _write(path: Path, text: str) -> None:
    """Write a file for its owner alone, whole or not at all."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
