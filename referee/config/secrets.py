"""Passwords of mail servers: from the environment, a file of the owner's alone, or systemd. Never from ``referee.toml``."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path

from referee.config.values import Server
from referee.core.errors import ConfigError
from referee.system import others_may

CREDENTIALS_VARIABLE = "CREDENTIALS_DIRECTORY"  # systemd: LoadCredential=imap-password:/etc/referee/imap-password

_LONGEST = 1000  # characters of a password; a longer file is another file


def password_of(server: Server, section: str, folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """Return the password for the server of *section* (``imap``, ``smtp``), "" if none is set anywhere.

    The variable holds over the file, the file over systemd's credential; each is read anew, so that a password that was
    changed holds from the next login.

    Raises:
        ConfigError: the file is missing, somebody else may read it, or what is in it is no password.
    """
    environment = os.environ if environment is None else environment
    variable = f"REFEREE_{section.upper()}_PASSWORD"
    if environment.get(variable):
        return _check(environment[variable], f"environment variable {variable}")
    if server.password_file:
        path = folder / server.password_file
        return _read(path, f"{section}.password_file: {path}", private=True)
    credential = Path(environment.get(CREDENTIALS_VARIABLE, "")) / f"{section}-password"
    if environment.get(CREDENTIALS_VARIABLE) and credential.is_file():
        # systemd alone decides who may read it, and on some file systems its mode says nothing.
        return _read(credential, f"credential {credential.name}", private=False)
    return ""


def _read(path: Path, what: str, private: bool) -> str:
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            if private and not stat.S_ISREG(status.st_mode):
                raise ConfigError(f"{what} is no file")
            if private and others_may(status):
                raise ConfigError(f"{what} can be read by others: `chmod 600 {path}`")
            text = file.read(_LONGEST + 2).decode()
    except OSError as error:
        raise ConfigError(f"{what} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise ConfigError(f"{what} is not UTF-8") from None
    return _check(text.removesuffix("\n").removesuffix("\r"), what)


def _check(text: str, what: str) -> str:
    """Return *text* if it can be a password. The sentence of an error never repeats it."""
    if not text or len(text) > _LONGEST or any(ord(character) < 32 or ord(character) == 127 for character in text):
        raise ConfigError(f"{what} holds no password (one line of 1 to {_LONGEST} characters)")
    return text


# What systemd says in the environment of a service.


def notify_socket() -> str:
    """Return where systemd wants to be told how the service is; "" if it does not. A leading @ means the abstract namespace."""
    path = os.environ.get("NOTIFY_SOCKET", "")
    return path if path.startswith(("/", "@")) else ""


def watchdog_seconds() -> float | None:
    """Return after how many seconds without a word systemd restarts the service; None if it does not watch this process."""
    text, process = os.environ.get("WATCHDOG_USEC", ""), os.environ.get("WATCHDOG_PID", "")
    if not re.fullmatch(r"[0-9]{1,18}", text) or int(text) == 0 or process not in ("", str(os.getpid())):
        return None
    return int(text) / 1_000_000
