"""How long the machine runs, by a clock that nobody sets: it shows when the other one was set."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from referee.core.values import Value

_BOOT = Path("/proc/sys/kernel/random/boot_id")


class Uptime(Value):
    """``seconds`` since the machine was started, its sleep counted in; ``boot`` names that start."""

    boot: str
    seconds: int


UptimeClock = Callable[[], Uptime | None]


def machine_uptime() -> Uptime | None:
    """Return how long this machine runs, None where it does not say."""
    if sys.platform != "linux":
        return None
    try:
        return Uptime(boot=_BOOT.read_text("ascii").strip(), seconds=int(time.clock_gettime(time.CLOCK_BOOTTIME)))
    except (OSError, AttributeError):
        return None


def unknown_uptime() -> Uptime | None:
    """Return None: for a clock that is not the machine's."""
    return None
