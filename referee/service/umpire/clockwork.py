"""What the referee does by the clock, whoever writes: full games begin, built-in players order, turns are played, the umpire is
told, what is old is given up.

What it takes is imported where there is work for it: most passes of a year find none, and importing it takes far longer.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from referee.service.club import Club
from referee.service.deadlines.downtime import is_mute
from referee.service.post.readers import seats_kept
from referee.store import games, opengames
from referee.store.club import DIGEST, RETENTION, fact

if TYPE_CHECKING:
    from referee.service.turns.due import Played

Between = Callable[[int, int], None]


def go_on(
    club: Club, began: datetime, unread: datetime | None = None, between: Between = lambda turns, games: None
) -> Played | None:
    """Do what is due by the clock in a pass that *began* then, and return what was played, None where nothing was looked at.
    *unread*, *between*: see ``play_due``.
    """
    _begin(club)
    _order_for_built_in(club)
    played = _play(club, began, unread, between)
    _tell_statements(club, began)
    _write_digest(club, began)
    _drop_old(club, began)
    return played


def _begin(club: Club) -> None:
    """Give free seats to those in turn for them, and begin the games that were waiting for players and have them now."""
    if opengames.with_free_seats(club.db):
        from referee.service.turns.opengames import fill_seats

        fill_seats(club)
    if not opengames.full(club.db):
        return
    from referee.service.turns.opengames import start_full

    start_full(club)


def _order_for_built_in(club: Club) -> None:
    """Have built-in players order, where the umpire gave them a seat."""
    if is_mute(club) or not seats_kept(club):
        return
    from referee.service.umpire.colleagues import order_for_built_in

    order_for_built_in(club)


def _play(club: Club, began: datetime, unread: datetime | None, between: Between) -> Played | None:
    # By now, not from the pass's beginning on: what built-in players have just filed is looked at, too.
    rows = () if is_mute(club) else games.to_look_at(club.db, club.clock())
    if not rows:
        return None
    from referee.service.turns.due import play_due

    return play_due(club, began, unread, rows, between)


def _tell_statements(club: Club, began: datetime) -> None:
    """Mail the closing statements of games whose time for them is over."""
    if is_mute(club) or not games.with_statements_due(club.db, began):
        return
    from referee.service.turns.turnnews import tell_statements

    tell_statements(club)


def _write_digest(club: Club, now: datetime) -> None:
    """Write the umpires' digests, if the club has any and it is time."""
    if not club.config.digest:
        return
    here = now.astimezone(ZoneInfo(club.config.zone))
    day = f"{here:%Y-%m-%d}"
    if f"{here:%H:%M}" < club.config.digest or fact(club.db, DIGEST) >= day:
        return
    from referee.service.umpire.digest import write_digest

    write_digest(club, day)


def _drop_old(club: Club, now: datetime) -> None:
    """Give up, once a day, what is kept no longer."""
    kept = club.config.retention
    day = f"{now:%Y-%m-%d}"
    if not (kept.letters or kept.outbox or kept.backups) or fact(club.db, RETENTION) >= day:
        return
    from referee.service.post.retention import give_up_old

    give_up_old(club, day)
