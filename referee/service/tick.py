"""One pass of the referee: collect, answer, adjudicate what is due, send."""

from __future__ import annotations

import logging
import traceback
from dataclasses import dataclass

from referee.core.errors import RefereeError
from referee.service.adjudicate import adjudicate, is_due
from referee.service.alone import alone
from referee.service.answers import told_umpire
from referee.service.club import Club
from referee.service.collect import collect
from referee.service.deliver import send_waiting
from referee.service.downtime import move_deadlines
from referee.service.receive import TEMPORARY, handle_waiting
from referee.service.throws import Untyped
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
    untyped: tuple[str, ...] = ()  # turns that wait for throws of the umpire's
    sent: int = 0
    left: int = 0  # letters that could go, but the provider takes only so many a minute
    failed: tuple[str, ...] = ()  # games whose turn could not be played, by a fault of ours


def tick(club: Club) -> Pass:
    """Make one pass; if another process is making one, do nothing.

    Raises:
        MailDown, StoreBusy: the post or the store is not there now; what was done until then is done.
    """
    with alone(club.config.folder / "tick.lock") as ours:
        return _pass(club) if ours else Pass(held=True)


def _pass(club: Club) -> Pass:
    began = club.clock()
    move_deadlines(club, began)
    collect(club)
    handled = handle_waiting(club)
    turns: list[str] = []
    untyped: list[str] = []
    failed: list[str] = []
    for row in games.running_games(club.db):
        try:
            if is_due(club, club.positions.of(club.db, row), began) and adjudicate(club, row):
                turns.append(f"{row.id}/{row.turn}")
        except Untyped as lacking:
            _tell_held(club, row, lacking)
            untyped.append(f"{row.id}/{row.turn}")
        except Exception as error:
            if isinstance(error, RefereeError) and error.exit_code == TEMPORARY:
                raise
            log.exception("turn %d of %s could not be played", row.turn, row.id)
            _tell_failed(club, row)
            failed.append(row.id)
    delivered = send_waiting(club)
    with transaction(club.db):
        write_last_tick(club.db, club.clock())
    club.step("tick:done")
    return Pass(
        letters=handled,
        turns=tuple(turns),
        untyped=tuple(untyped),
        sent=delivered.sent,
        left=delivered.left,
        failed=tuple(failed),
    )


def _tell_held(club: Club, row: GameRow, lacking: Untyped) -> None:
    """Tell the umpire once of each turn that it waits for his throws, and once that some of them do not fit."""
    values = {"untyped": lacking.untyped, "misfits": lacking.misfits}
    why = "misfits" if lacking.misfits else "untyped"
    with transaction(club.db):
        told_umpire(club, f"turn-held:{why}:{row.id}:{row.turn}", "turn-held", values, row.id, row.turn)


def _tell_failed(club: Club, row: GameRow) -> None:
    trace = traceback.format_exc()
    with transaction(club.db):
        outbox.log(club.db, LogRow(at=club.clock(), game=row.id, turn=row.turn, what="turn-failed", text=trace))
        told_umpire(club, f"turn-failed:{row.id}:{row.turn}", "turn-failed", {"trace": trace}, row.id, row.turn)
