"""One pass of the referee: collect, answer, adjudicate what is due, send."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from referee.core.errors import ConfigError, MailDown
from referee.service.club.club import Club
from referee.service.club.lock import alone
from referee.service.club.tally import write_tally
from referee.service.deadlines.downtime import give_time_back, is_mute, note_silence
from referee.service.post.collect import collect
from referee.service.post.loss import bring_back, loss, notice_loss
from referee.store import deliveryqueue, games, letters
from referee.store.club import write_last_tick
from referee.store.database.database import transaction


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
    notice_loss(club)
    unread = _collect(club, began)
    anew = _recover(club, unread)
    give_time_back(club, began)
    handled = _handle(club)
    played = _play(club, began, _first((unread, letters.first_unhandled(club.db))))
    done = replace(played, letters=anew.letters + handled, turns=anew.turns + played.turns)
    write_tally(club.config.folder, club.db)
    try:
        done = _send(club, done)
    except MailDown as error:
        _end(club)
        raise Undelivered(error, replace(done, sent=deliveryqueue.sent_since(club.db, began))) from error
    _end(club)
    return done


# What follows is imported where there is work for it: most passes of a year find none, and importing it takes far longer than
# such a pass.


def _recover(club: Club, unread: datetime | None) -> Pass:
    if loss(club) is None:
        return Pass()
    from referee.service.recovery import recover

    done = recover(club, unread)
    return Pass(letters=done.letters, turns=done.turns)


def _handle(club: Club) -> int:
    if letters.first_unhandled(club.db) is None:
        return 0
    from referee.service.receive import handle_waiting

    return handle_waiting(club)


def _play(club: Club, began: datetime, unread: datetime | None) -> Pass:
    grace, delay = timedelta(minutes=club.config.grace), timedelta(hours=club.config.early_delay)
    rows = () if is_mute(club) else games.to_look_at(club.db, began - grace, began - delay)
    if not rows:
        return Pass()
    from referee.service.turns.due import play_due

    played = play_due(club, began, unread, rows)
    return Pass(turns=played.turns, untyped=played.untyped, failed=played.failed)


def _send(club: Club, done: Pass) -> Pass:
    if not deliveryqueue.due(club.db, club.clock()):
        return done
    from referee.service.post.deliver import send_waiting

    delivered = send_waiting(club)
    return replace(done, sent=delivered.sent, left=delivered.left)


def _end(club: Club) -> None:
    """Keep that a pass was made: letters were read and turns played, whether or not any letter could leave."""
    with transaction(club.db):
        write_last_tick(club.db, club.clock())
    write_tally(club.config.folder, club.db)
    club.step("tick:done")


def _collect(club: Club, began: datetime) -> datetime | None:
    """Read the inbox; return when the first letter arrived that could not be had and is tried again.

    Raises:
        MailDown, ConfigError: it cannot be read; letters that wait in the outbox have left all the same.
    """
    try:
        bring_back(club)
        return collect(club).unread
    except (MailDown, ConfigError) as error:
        note_silence(club, began, error)
        if loss(club) is None:
            with suppress(MailDown, ConfigError):  # what is told is the first of two troubles
                _send(club, Pass())
        raise


def _first(times: Iterable[datetime | None]) -> datetime | None:
    return min((time for time in times if time is not None), default=None)
