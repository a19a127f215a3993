"""The loop: one pass after another until somebody says stop. The only place that sleeps."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable
from types import FrameType

from referee.core.errors import RefereeError
from referee.service.club import Club
from referee.service.tick import Pass, tick

TEMPORARY = 75

log = logging.getLogger(__name__)


def run(club: Club, told: Callable[[Pass], None]) -> None:
    """Make passes, ``Config.poll`` seconds apart, until SIGTERM or SIGINT; the pass being made is finished first.

    *told* is called after each pass. What is only down for now is tried again with the next pass.

    Raises:
        RefereeError: anything else the umpire must mend.
    """
    stop = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        while not stop.is_set():
            _one_pass(club, told)
            stop.wait(club.config.poll)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _one_pass(club: Club, told: Callable[[Pass], None]) -> None:
    try:
        told(tick(club))
    except RefereeError as error:
        if error.exit_code != TEMPORARY:
            raise
        log.warning("%s", error)
