"""Before a deadline: who has not sent his orders is reminded, and the umpire is told how the turn stands. Each once: a letter's
key is its mark, so it is kept as durably as the letter itself.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.service.club.club import Club
from referee.service.club.duetimes import Rhythm, rhythm_of
from referee.service.club.positions import Position
from referee.service.deadlines.policy import what_becomes
from referee.service.deadlines.rollcall import AWAY, FAULTY, IN, MISSING, RESIGNED, RollCall, roll_call
from referee.service.letters.interpretation import set_values
from referee.service.letters.precedence import set_to_run
from referee.service.post.calendar import wished_deadline
from referee.service.post.writing import tell_player, tell_umpire
from referee.store import games, orders, outbox
from referee.store.database.database import format_time
from referee.store.database.rows import PlayerRow


def remind(club: Club, position: Position, now: datetime) -> datetime | None:
    """Write the reminders and the umpire's outlook whose time has come; return when the next one's comes, None if none does.
    Inside a transaction.

    Of several that a long silence has let pass only the last is written.
    """
    row = position.row
    if row.deadline is None or row.deadline <= now or row.status != "running":
        return None
    rhythm, began = rhythm_of(club.config, row), games.last_turn(club.db, row.id).adjudicated_at
    times, outlook = reminder_times(rhythm, began, row.deadline), outlook_time(rhythm, began, row.deadline)
    passed = [number for number, time in enumerate(times, 1) if time <= now]
    due_outlook = outlook is not None and outlook <= now
    if passed or due_outlook:
        called = roll_call(club, position)
        for code in called.of(MISSING, FAULTY) if passed else ():
            _remind(club, position, position.player(code), called, passed[-1])
        if due_outlook:
            _tell_umpire(club, position, called)
    return min((time for time in (*times, outlook) if time is not None and time > now), default=None)


def reminder_times(rhythm: Rhythm, began: datetime, deadline: datetime) -> tuple[datetime, ...]:
    """Return when players are reminded in a turn that *began* then: in its second half, the last time last."""
    hours = [int(part) for part in rhythm.reminders.split(",") if part.strip()]
    times = (deadline - timedelta(hours=each) for each in sorted(set(hours), reverse=True))
    return tuple(time for time in times if time >= _half(began, deadline))


def outlook_time(rhythm: Rhythm, began: datetime, deadline: datetime) -> datetime | None:
    """Return when the umpire is told how a turn stands: not in its first half; None: never."""
    return max(deadline - timedelta(hours=rhythm.outlook), _half(began, deadline)) if rhythm.outlook else None


def _half(began: datetime, deadline: datetime) -> datetime:
    return began + (deadline - began) / 2


def _remind(club: Club, position: Position, player: PlayerRow, called: RollCall, number: int) -> None:
    row = position.row
    assert row.deadline is not None
    key = f"reminder:{row.id}:{row.turn}:{format_time(row.deadline)}:{number}:{player.code}"
    if outbox.has(club.db, key):
        return
    runs = set_to_run(orders.sets(club.db, row.id, row.turn), player.code)
    values = {
        "turn": row.turn,
        "deadline": row.deadline,
        "on_file": set_values(position, runs) if runs is not None else None,
        "waits": player.code in called.held,
        "then": what_becomes(club, position, called),
        "view": position.rules.view(position.state, player.code),
    }
    tell_player(club, position, player, "reminder", values, key, attachments=wished_deadline(club, position, player))


def _tell_umpire(club: Club, position: Position, called: RollCall) -> None:
    row = position.row
    assert row.deadline is not None
    values = {**umpire_values(called), "deadline": row.deadline, "then": what_becomes(club, position, called)}
    tell_umpire(club, f"outlook:{row.id}:{row.turn}:{format_time(row.deadline)}", "outlook", values, row.id, row.turn)


def umpire_values(called: RollCall) -> dict[str, list[str]]:
    """Return what the umpire's letters tell of a roll call."""
    return {
        "arrived": list(called.of(IN)),
        "faulty": list(called.of(FAULTY)),
        "missing": list(called.missing),
        "away": list(called.of(AWAY)),
        "resigned": list(called.of(RESIGNED)),
        "held": list(called.held),
        "unreachable": list(called.unreachable),
    }
