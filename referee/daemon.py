"""The loop: one pass after another until somebody says stop. The only place that sleeps."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from referee.config.systemd import watchdog_seconds
from referee.core.errors import ClubBusy, RefereeError
from referee.service.alone import alone
from referee.service.club import Club
from referee.service.lockout import forget_refusals
from referee.service.systemd import ALIVE, READY, STOPPING, notify
from referee.service.tick import Pass, tick
from referee.store.club import last_poll

TEMPORARY = 75

log = logging.getLogger(__name__)


def run(club: Club, told: Callable[[Pass], None]) -> None:
    """Make passes until SIGTERM or SIGINT; the pass being made is finished first. *told* is called after each pass.

    The next pass begins when a letter may have come, at the latest after ``Config.poll`` seconds. What is only down for now
    is tried again then. Systemd's watchdog is fed by passes that could read the inbox, by nothing else.

    Raises:
        ClubBusy: another process runs for this club.
        RefereeError: anything else the umpire must mend.
    """
    with alone(club.config.folder / "run.lock") as ours, _until_signalled() as stop:
        if not ours:
            raise ClubBusy(f"another `referee run` is at work for {club.config.folder}: nothing done")
        # Whoever starts us anew may have mended the login.
        for section in ("imap", "smtp"):
            forget_refusals(club, section)
        notify(READY)
        try:
            _go_on(club, told, stop)
        finally:
            notify(STOPPING)


def _go_on(club: Club, told: Callable[[Pass], None], stop: threading.Event) -> None:
    trouble = lost = ""
    patience = _patience(club.config.poll)
    while not stop.is_set():
        before = last_poll(club.db)
        trouble = _tried(lambda: told(tick(club)), trouble)
        if last_poll(club.db) != before:
            notify(ALIVE)
        if not stop.is_set():
            lost = _tried(lambda: club.source.wait(patience, stop), lost)


def _tried(act: Callable[[], None], trouble: str) -> str:
    """Do *act*; return what is down, "" if nothing. The log says it once, not with every try.

    Raises:
        RefereeError: what the umpire must mend.
    """
    try:
        act()
    except RefereeError as error:
        if error.exit_code != TEMPORARY:
            raise
        if str(error) != trouble:
            log.warning("%s", error)
        return str(error)
    return ""


def _patience(poll: int) -> float:
    """Return the seconds between two passes: no more than half of what systemd's watchdog bears."""
    watchdog = watchdog_seconds()
    return poll if watchdog is None else min(poll, watchdog / 2)


@contextmanager
def _until_signalled() -> Iterator[threading.Event]:
    stop = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
