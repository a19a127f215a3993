"""The loop: one pass after another until somebody says stop. The only place that sleeps."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
from _thread import start_new_thread
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from .config.values import notify_socket, watchdog_seconds
from .core import ClubBusy, ConfigError, RefereeError, TemporaryTrouble, Texts
from .service.club import Club
from .service.post.lockout import forget_refusals
from .service.tally import alone
from .service.tick import Pass, Progress, Undelivered, Watch, tick
from .store.club import last_poll

LAST_PASS = 10  # seconds that a pass may still take after a signal: a server may have frozen in the middle of it

_HAS_ALARM = hasattr(signal, "setitimer")

log = logging.getLogger(__name__)


class _Overdue(BaseException):
    """The last pass takes too long. It ends like a power cut, which loses nothing: nobody is to catch this on the way."""


def run(club: Club, told: Callable[[Pass], None], watch: Watch = lambda _: None) -> None:
    """Make passes until SIGTERM or SIGINT; the pass being made is finished first, if it takes no longer than ``LAST_PASS``
    seconds. *told* is called after each pass, be it one after which no letter could leave; *watch* while one takes long.

    The next pass begins when a letter may have come, at the latest after ``Config.poll`` seconds. What is only down for now
    is tried again then. Systemd's watchdog is fed by passes that could read the inbox, by nothing else.

    Raises:
        ClubBusy: another process runs for this club.
        ConfigError: the umpire must mend something, seen before a pass could read the inbox. Later it is borne like an
            outage: a password file that is being changed should not end the service.
        RefereeError: anything else.
    """
    try:
        with alone(club.config.folder / "run.lock") as ours, until_signalled() as stop:
            if not ours:
                raise ClubBusy(f"another `referee run` is at work for {club.config.folder}: nothing done")
            # Whoever starts us anew may have mended the login.
            for section in ("imap", "smtp"):
                forget_refusals(club, section)
            notify(READY)
            try:
                _go_on(club, told, watch, stop)
            finally:
                notify(STOPPING)
    except _Overdue:
        log.warning("the last pass took longer than %d seconds: broken off, the next one goes on from there", LAST_PASS)


def _go_on(club: Club, told: Callable[[Pass], None], watch: Watch, stop: threading.Event) -> None:
    trouble = lost = ""
    borne: tuple[type[RefereeError], ...] = (TemporaryTrouble,)
    # Between two passes: no more than half of what systemd's watchdog bears.
    poll, watchdog = club.config.poll, watchdog_seconds()
    patience = poll if watchdog is None else min(poll, watchdog / 2)
    while not stop.is_set():
        before = last_poll(club)
        trouble = _attempt(lambda: _make_pass(club, told, watch), (trouble, lost), borne, logging.WARNING)
        if last_poll(club) != before:
            notify(ALIVE)
            borne = (TemporaryTrouble, ConfigError)
        if not stop.is_set():
            # A pass opens the line anew a little later; if it cannot, that is the trouble to tell of.
            lost = _attempt(lambda: club.source.wait(patience, stop), (lost,), borne, logging.INFO)


def _make_pass(club: Club, told: Callable[[Pass], None], watch: Watch) -> None:
    before = last_poll(club)

    def alive(progress: Progress) -> None:
        watch(progress)
        if last_poll(club) != before:
            notify(ALIVE)

    try:
        told(tick(club, alive))
    except Undelivered as error:
        told(error.done)
        raise


def _attempt(act: Callable[[], None], known: Texts, borne: tuple[type[RefereeError], ...], level: int) -> str:
    """Do *act*; return what is down, "" if nothing. The log says it once, not with every try: nothing that is *known*.

    Raises:
        RefereeError: one that is none of those *borne*.
    """
    try:
        act()
    except borne as error:
        if str(error) not in known:
            log.log(level, "%s", error)
        return str(error)
    return ""


@contextmanager
def until_signalled() -> Iterator[threading.Event]:
    """Yield what SIGTERM and SIGINT set. Raises _Overdue in whatever is still done ``LAST_PASS`` seconds later."""
    stop = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        # Not here: this very thread may be waiting for the event and holding its lock, and would then wait for ever.
        start_new_thread(stop.set, ())
        _wake_in(LAST_PASS)

    def on_alarm(number: int, frame: FrameType | None) -> None:
        raise _Overdue

    handlers = {signal.SIGTERM: on_signal, signal.SIGINT: on_signal}
    if sys.platform != "win32" and _HAS_ALARM:
        handlers[signal.SIGALRM] = on_alarm
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield stop
    finally:
        _wake_in(0)
        for number, handler in before.items():
            signal.signal(number, handler)


def _wake_in(seconds: float) -> None:
    """Have the alarm ring in so many seconds, 0: not at all. Where there is none, the process ends then."""
    if sys.platform != "win32" and _HAS_ALARM:
        signal.setitimer(signal.ITIMER_REAL, seconds)
    elif seconds:
        end = threading.Timer(seconds, os._exit, [0])
        end.daemon = True
        end.start()


# Tells systemd how the service is (sd_notify): one datagram with a few words.

READY = "READY=1"
ALIVE = "WATCHDOG=1"
STOPPING = "STOPPING=1"


def notify(words: str) -> None:
    """Tell systemd *words*, if it started us and wants to hear. That it cannot be told stops nothing."""
    path = notify_socket()
    if sys.platform == "win32" or not path:
        return
    address = "\0" + path[1:] if path.startswith("@") else path
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
            told.connect(address)
            told.send(words.encode())
    except OSError as error:
        log.warning("systemd cannot be told %s: %s", words, error)
