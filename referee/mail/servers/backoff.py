"""How long a server that fails is left alone."""

from __future__ import annotations

import time
from collections.abc import Callable

FIRST = 5.0  # seconds
LONGEST = 900.0


class Patience:
    """Seconds to wait after failures in a row: 5, 10, 20 ... 15 minutes, and by chance up to a quarter more.

    *chance* gives numbers from 0 to below 1; *clock* gives seconds that never go back.
    """

    def __init__(self, chance: Callable[[], float], clock: Callable[[], float] = time.monotonic) -> None:
        self._chance = chance
        self._clock = clock
        self._failures = 0
        self._until = 0.0

    def failed(self) -> None:
        """Count a failure."""
        wait = min(LONGEST, FIRST * 2 ** min(self._failures, 20))
        self._failures += 1
        self._until = self._clock() + wait * (1 + self._chance() / 4)

    def succeeded(self) -> None:
        """Forget the failures."""
        self._failures, self._until = 0, 0.0

    def left(self) -> float:
        """Return how many seconds are still to be waited."""
        return max(0.0, self._until - self._clock()) if self._failures else 0.0
