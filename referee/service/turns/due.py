"""The turns that are due are played; one that cannot be keeps no other back."""

from __future__ import annotations

import logging
import traceback
from dataclasses import dataclass
from datetime import datetime, timedelta

from referee.core.errors import StoreDamaged, TemporaryTrouble
from referee.service.club.club import Club
from referee.service.post.writing import tell_umpire
from referee.service.turns.adjudicate import adjudicate, is_due, settles
from referee.service.turns.throws import Untyped
from referee.store import games, outbox
from referee.store.database.damage import check_whole
from referee.store.database.database import transaction
from referee.store.database.rows import GameRow, LogRow

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """Turns (RR7/3) that were played or wait for throws of the umpire's; games whose turn ``failed`` by a fault of ours."""

    turns: tuple[str, ...] = ()
    untyped: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()


def play_due(club: Club, began: datetime, unread: datetime | None, rows: tuple[GameRow, ...]) -> Played:
    """Play those turns of the games in *rows* that are due; *unread*: see ``is_due``."""
    turns: list[str] = []
    untyped: list[str] = []
    failed: list[str] = []
    waiting: list[GameRow] = []
    delay = timedelta(hours=club.config.early_delay)
    for row in rows:
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
    return Played(turns=tuple(turns), untyped=tuple(untyped), failed=tuple(failed))


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
