"""When a turn is due, at its deadline or before it; those that are due are played, and one that cannot be keeps no other back."""

from __future__ import annotations

import logging
import traceback
from datetime import datetime, timedelta

from referee.core import ConfigError, StoreDamaged, TemporaryTrouble, Texts, Value, Watch
from referee.store import GameRow, check_whole, games, orders, transaction

from ..club import Club
from ..deadlines.missing import give_time, remind
from ..duetimes import last_moment, rhythm_of
from ..letters.interpretation import counts_as_in, set_to_run
from ..positions import Position
from ..post.writing import tell_umpire
from .adjudicate import adjudicate
from .inputs import Untyped, file_earlier

log = logging.getLogger(__name__)


class PlayedTurns(Value):
    """Turns (RR7/3) that were played or wait for throws of the umpire's; games whose turn ``failed`` by a fault of ours."""

    turns: Texts = ()
    untyped: Texts = ()
    failed: Texts = ()


def is_due(club: Club, position: Position, began: datetime, unread: datetime | None) -> bool:
    """Return whether the awaited turn may be played.

    *began*: when this pass began to collect; letters that lay there by deadline and grace are then all in the store, but for
    those that are tried again, of which the first came at *unread*: no turn is played without one that was in time.
    """
    row, last = position.row, last_moment(club.config, position.row)
    if row.stopped_at:
        return False
    if row.play == row.turn:
        return unread is None
    if last and last < began:
        return unread is None or unread > last
    settled = settles(club, position, began)
    return settled is not None and settled <= began and unread is None


def settles(club: Club, position: Position, began: datetime) -> datetime | None:
    """Return from when on the turn may be played before its deadline, if nothing is changed; None: not all orders are in, the
    game never plays early or is stopped, a player has said WAIT, or the turn was undone, so that the umpire has something to do
    before. A turn without a deadline is played as soon as all are in.
    """
    row = position.row
    delay = rhythm_of(club.config, row).delay if row.deadline else timedelta()
    if delay is None or row.stopped_at or games.replaced(club, *row.turn_key):
        return None
    sets = orders.sets(club, *position.row.turn_key)
    sets = tuple(each for each in sets if each.player in position.awaited)
    owing = [code for code in position.awaited if not position.player(code).resigned_at]
    if not owing or not all(counts_as_in(set_to_run(sets, code)) for code in owing):
        return None
    if row.deadline and orders.waiting(club, *row.turn_key):
        return None
    last = max((each.changed_at for each in sets), default=began)
    return last + delay


def play_due(
    club: Club,
    began: datetime,
    unread: datetime | None,
    rows: tuple[GameRow, ...],
    between: Watch = lambda turns, games: None,
) -> PlayedTurns:
    """Play those turns of the games in *rows* that are due; *unread*: see ``is_due``.

    *between* is called after each game, with how many turns were played and how many games are left.
    """
    turns: list[str] = []
    untyped: list[str] = []
    failed: list[str] = []
    waiting: list[GameRow] = []
    for left, row in zip(reversed(range(len(rows))), rows, strict=True):
        try:
            if not is_due(club, club.position(row), began, unread):
                file_earlier(club, row)
                waiting.append(row)
            elif not give_time(club, row) and adjudicate(club, row):
                turns.append(f"{row.id}/{row.turn}")
        except Untyped as lacking:
            values = {"untyped": lacking.untyped, "misfits": lacking.misfits}
            why = "misfits" if lacking.misfits else "untyped"
            with transaction(club):
                tell_umpire(club, f"turn-held:{why}:{row.id}:{row.turn}", "turn-held", values, *row.turn_key)
            untyped.append(f"{row.id}/{row.turn}")
        except Exception as error:
            if isinstance(error, StoreDamaged | TemporaryTrouble):
                raise
            check_whole(club.conn, error)
            log.exception("turn %d of %s could not be played", row.turn, row.id)
            # Of what the umpire can mend the sentence is told, else the trace.
            trace = str(error) if isinstance(error, ConfigError) else traceback.format_exc()
            with transaction(club):
                club.log("turn-failed", trace, *row.turn_key)
                tell_umpire(club, f"turn-failed:{row.id}:{row.turn}", "turn-failed", {"trace": trace}, *row.turn_key)
            failed.append(row.id)
        between(len(turns), left)
    if waiting and not unread:
        with transaction(club):
            for row in waiting:
                position = club.position(row.id)
                times = (settles(club, position, began), remind(club, position, began))
                games.write(club, row.id, changed=min((time for time in times if time), default=None))
    return PlayedTurns(turns=tuple(turns), untyped=tuple(untyped), failed=tuple(failed))
