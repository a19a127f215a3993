"""What systemd says in the environment of a service."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping


def notify_socket(environment: Mapping[str, str] | None = None) -> str:
    """Return where systemd wants to be told how the service is; "" if it does not. A leading @ means the abstract namespace."""
    environment = os.environ if environment is None else environment
    path = environment.get("NOTIFY_SOCKET", "")
    return path if path.startswith(("/", "@")) else ""


def watchdog_seconds(environment: Mapping[str, str] | None = None) -> float | None:
    """Return after how many seconds without a word systemd restarts the service; None if it does not watch this process."""
    environment = os.environ if environment is None else environment
    text, process = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
    if not re.fullmatch(r"[0-9]{1,18}", text) or int(text) == 0 or process not in ("", str(os.getpid())):
        return None
    return int(text) / 1_000_000
