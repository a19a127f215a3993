"""What systemd says in the environment of a service."""

from __future__ import annotations

import os
import re


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
