"""One pass of the referee: collect, answer, adjudicate what is due, send."""

from __future__ import annotations

import fcntl
import logging
import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from referee.core.errors import RefereeError
from referee.service.adjudicate import adjudicate, is_due
from referee.service.answers import told_umpire
from referee.service.club import Club
from referee.service.collect import collect
from referee.service.deliver import send_waiting
from referee.service.downtime import move_deadlines
from referee.service.receive import TEMPORARY, handle_waiting
from referee.store import games, outbox
from referee.store.club import write_last_tick
from referee.store.database import transaction
from referee.store.rows import GameRow, LogRow

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """What one pass did; ``held`` when another process was at it, so that this one did nothing."""

    held: bool = False
    letters: int = 0
    turns: tuple[str, ...] = ()  # RR7/3
    sent: int = 0
    failed: tuple[str, ...] = ()  # games whose turn could not be played, by a fault of ours


def tick(club: Club) -> Pass:
    """Make one pass; if another process is making one, do nothing.

    Raises:
        MailDown, StoreBusy: the post or the store is not there now; what was done until then is done.
    """
    with _alone(club.config.folder / "tick.lock") as alone:
        return _pass(club) if alone else Pass(held=True)


def _pass(club: Club) -> Pass:
    began = club.clock()
    move_deadlines(club, began)
    collect(club)
    handled = handle_waiting(club)
    turns: list[str] = []
    failed: list[str] = []
    for row in games.running_games(club.db):
        try:
            if is_due(club, club.positions.of(club.db, row), began) and adjudicate(club, row):
                turns.append(f"{row.id}/{row.turn}")
        except Exception as error:
            if isinstance(error, RefereeError) and error.exit_code == TEMPORARY:
                raise
            log.exception("turn %d of %s could not be played", row.turn, row.id)
            _tell_failed(club, row)
            failed.append(row.id)
    sent = send_waiting(club)
    with transaction(club.db):
        write_last_tick(club.db, club.clock())
    club.step("tick:done")
    return Pass(letters=handled, turns=tuple(turns), sent=sent, failed=tuple(failed))


def _tell_failed(club: Club, row: GameRow) -> None:
    trace = traceback.format_exc()
    with transaction(club.db):
        outbox.log(club.db, LogRow(at=club.clock(), game=row.id, turn=row.turn, what="turn-failed", text=trace))
        told_umpire(club, f"turn-failed:{row.id}:{row.turn}", "turn-failed", {"trace": trace}, row.id, row.turn)


@contextmanager
def _alone(path: Path) -> Iterator[bool]:
    """Hold the lock of the club's folder; False if another process holds it. It ends with the process, however that ends."""
    handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(handle)
