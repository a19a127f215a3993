"""Waits in tests: what shall happen meanwhile happens when the source looks, in the same thread, and not after a time."""

import threading
from collections.abc import Callable

LAST = 600  # looks after which a wait is given up that nothing ends


class Stop(threading.Event):
    """What ends a wait: set by itself at the last of so many *looks*. At the first one *act* is done.

    A source looks at it before each of its looks for letters. ``gave_up``: all looks were taken.
    """

    def __init__(self, act: Callable[[], object] = lambda: None, looks: int = LAST) -> None:
        super().__init__()
        self._act = act
        self._looks = looks
        self.taken = 0

    @property
    def gave_up(self) -> bool:
        return self.taken >= self._looks

    def is_set(self) -> bool:
        self._look()
        return super().is_set()

    def wait(self, timeout: float | None = None) -> bool:
        self._look()
        return super().wait(timeout)

    def _look(self) -> None:
        self.taken += 1
        if self.taken == 1:
            self._act()
        if self.gave_up:
            self.set()
