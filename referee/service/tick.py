"""One pass of the referee: collect, answer, adjudicate what is due, send."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from referee.core.errors import ConfigError, MailDown, StoreDamaged, TemporaryTrouble
from referee.service.club.club import Club
from referee.service.club.lock import alone
from referee.service.post.collect import collect
from referee.service.post.deliver import send_waiting
from referee.service.post.writing import tell_umpire
from referee.service.receive import handle_waiting
from referee.service.turns.adjudicate import adjudicate, is_due, settles
from referee.service.turns.downtime import give_time_back, is_mute, note_silence
from referee.service.turns.throws import Untyped
from referee.store import deliveryqueue, games, letters, outbox
from referee.store.club import write_last_tick
from referee.store.damage import check_whole
from referee.store.database.database import transaction
from referee.store.database.rows import GameRow, LogRow

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """What one pass did; ``held`` when another process was at it, so that this one did nothing."""

    held: bool = False
    letters: int = 0
    turns: tuple[str, ...] = ()  # RR7/3
    untyped: tuple[str, ...] = ()  # turns that wait for throws of the umpire's
    sent: int = 0
    left: int = 0  # letters that could go, but the provider takes only so many a minute
    failed: tuple[str, ...] = ()  # games whose turn could not be played, by a fault of ours


class Undelivered(MailDown):
    """A whole pass was made, but letters wait: the way out is closed now. ``done``: what the pass did."""

    def __init__(self, error: MailDown, done: Pass) -> None:
        super().__init__(str(error))
        self.done = done


def tick(club: Club) -> Pass:
    """Make one pass; if another process is making one, do nothing.

    Raises:
        Undelivered: no letter can leave now; all else is done.
        StoreDamaged: the store must be brought back from a backup; nothing is done.
        MailDown, StoreBusy: the inbox or the store is not there now; what was done until then is done.
        ConfigError: what the umpire must mend is in the way of them.
    """
    with alone(club.config.folder / "tick.lock") as ours:
        return _pass(club) if ours else Pass(held=True)


def _pass(club: Club) -> Pass:
    began = club.clock()
    unread = _collect(club, began)
    give_time_back(club, began)
    handled = handle_waiting(club)
    played = Pass() if is_mute(club) else _play(club, began, _first((unread, letters.first_unhandled(club.db))))
    done = replace(played, letters=handled)
    try:
        delivered = send_waiting(club)
    except MailDown as error:
        _end(club)
        raise Undelivered(error, replace(done, sent=deliveryqueue.sent_since(club.db, began))) from error
    _end(club)
    return replace(done, sent=delivered.sent, left=delivered.left)


def _end(club: Club) -> None:
    """Keep that a pass was made: letters were read and turns played, whether or not any letter could leave."""
    with transaction(club.db):
        write_last_tick(club.db, club.clock())
    club.step("tick:done")


def _collect(club: Club, began: datetime) -> datetime | None:
    """Read the inbox; return when the first letter arrived that could not be had and is tried again.

    Raises:
        MailDown, ConfigError: it cannot be read; letters that wait in the outbox have left all the same.
    """
    try:
        return collect(club).unread
    except (MailDown, ConfigError) as error:
        note_silence(club, began, error)
        with suppress(MailDown, ConfigError):  # what is told is the first of two troubles
            send_waiting(club)
        raise


def _first(times: Iterable[datetime | None]) -> datetime | None:
    return min((time for time in times if time is not None), default=None)


def _play(club: Club, began: datetime, unread: datetime | None) -> Pass:
    """Play the turns that are due; *unread*: see ``is_due``."""
    turns: list[str] = []
    untyped: list[str] = []
    failed: list[str] = []
    waiting: list[GameRow] = []
    grace, delay = timedelta(minutes=club.config.grace), timedelta(hours=club.config.early_delay)
    for row in games.to_look_at(club.db, began - grace, began - delay):
        try:
            if not is_due(club, club.positions.of(club.db, row), began, unread):
                waiting.append(row)
            elif adjudicate(club, row):
                turns.append(f"{row.id}/{row.turn}")
        except Untyped as lacking:
            _tell_held(club, row, lacking)
            untyped.append(f"{row.id}/{row.turn}")
        except Exception as error:
            if isinstance(error, StoreDamaged | TemporaryTrouble):
                raise
            check_whole(club.db.conn, error)
            log.exception("turn %d of %s could not be played", row.turn, row.id)
            _tell_failed(club, row)
            failed.append(row.id)
    if waiting and unread is None:
        with transaction(club.db):
            for row in waiting:
                _put_aside(club, row, began, delay)
    return Pass(turns=tuple(turns), untyped=tuple(untyped), failed=tuple(failed))


def _put_aside(club: Club, row: GameRow, began: datetime, delay: timedelta) -> None:
    """Say when a game that is not due must be looked at again. Inside a transaction."""
    settled = settles(club, club.positions.of(club.db, games.game(club.db, row.id)), began)
    games.looked_at(club.db, row.id, None if settled is None else settled - delay)


def _tell_held(club: Club, row: GameRow, lacking: Untyped) -> None:
    """Tell the umpire once of each turn that it waits for his throws, and once that some of them do not fit."""
    values = {"untyped": lacking.untyped, "misfits": lacking.misfits}
    why = "misfits" if lacking.misfits else "untyped"
    with transaction(club.db):
        tell_umpire(club, f"turn-held:{why}:{row.id}:{row.turn}", "turn-held", values, row.id, row.turn)


def _tell_failed(club: Club, row: GameRow) -> None:
    trace = traceback.format_exc()
    with transaction(club.db):
        outbox.log(club.db, LogRow(at=club.clock(), game=row.id, turn=row.turn, what="turn-failed", text=trace))
        tell_umpire(club, f"turn-failed:{row.id}:{row.turn}", "turn-failed", {"trace": trace}, row.id, row.turn)
