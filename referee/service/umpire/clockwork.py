"""What the referee does by the clock, whoever writes: full games begin, built-in players order, turns are played, the umpire is
told, what is old is given up.

What it takes is imported where there is work for it: most passes of a year find none, and importing it takes far longer.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from referee.store import DIGEST, RETENTION, fact, games, opengames

from ..club import Club
from ..deadlines.downtime import is_mute
from ..post.readers import seats_kept

if TYPE_CHECKING:
    from ..turns.due import PlayedTurns

Between = Callable[[int, int], None]


def go_on(
    club: Club, began: datetime, unread: datetime | None = None, between: Between = lambda turns, games: None
) -> PlayedTurns | None:
    """Do what is due by the clock in a pass that *began* then, and return what was played, None where nothing was looked at.
    *unread*, *between*: see ``play_due``.
    """
    if opengames.with_free_seats(club):  # for those in turn for them
        from ..turns.opengames import fill_seats

        fill_seats(club)
    if opengames.full(club):
        from ..turns.opengames import start_full

        start_full(club)
    played, mute = None, is_mute(club)
    if not mute and seats_kept(club):
        from .colleagues import order_for_built_in

        order_for_built_in(club)
    # By now, not from the pass's beginning on: what built-in players have just filed is looked at, too.
    if rows := () if mute else games.to_look_at(club, club.now):
        from ..turns.due import play_due

        played = play_due(club, began, unread, rows, between)
    if not mute and games.with_statements_due(club, began):
        from ..turns.turnnews import tell_statements

        tell_statements(club)
    if club.config.digest:
        here = began.astimezone(ZoneInfo(club.config.zone))
        if f"{here:%H:%M}" >= club.config.digest and fact(club, DIGEST) < (day := f"{here:%Y-%m-%d}"):
            from .overview import write_digest

            write_digest(club, day)
    kept, day = club.config.retention, f"{began:%Y-%m-%d}"
    if (kept.letters or kept.outbox or kept.backups) and fact(club, RETENTION) < day:
        from ..tally import give_up_old

        give_up_old(club, day)
    return played
