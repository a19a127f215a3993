"""What becomes of a turn whose orders are missing at its deadline: more time, no deadline any more, or it is played without."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from referee.service.club.acts import REFEREE, log_act
from referee.service.club.club import Club
from referee.service.club.duetimes import Rhythm, first_open, next_deadline, rhythm_of
from referee.service.club.positions import Position
from referee.service.deadlines.policy import ABSENCE, HOLD_OVER, PLAY, WAIT, what_becomes
from referee.service.deadlines.reminders import umpire_values
from referee.service.deadlines.rollcall import AWAY, FAULTY, IN, RollCall, away_until, roll_call
from referee.service.post.calendar import wished_deadline
from referee.service.post.observers import tell_observers
from referee.service.post.writing import tell_player, tell_umpire
from referee.service.seats.standbys import STANDBY, seat_standbys
from referee.store import games
from referee.store.database.database import format_time, transaction
from referee.store.database.rows import GameRow


def give_time(club: Club, row: GameRow) -> bool:
    """Give a turn that is due more time, if orders are missing and the game's calendar wants it; tell everybody. Return whether
    it got it.
    """
    position = club.positions.of(club.db, row)
    called = roll_call(club, position)
    chosen, back = _choice(club, position, called)
    if row.deadline is None or chosen == PLAY:
        return False
    deadline = _new_deadline(club, row, row.deadline, chosen, back)
    with transaction(club.db):
        if games.game(club.db, row.id) != row or roll_call(club, position) != called:
            return True  # somebody has written or moved it meanwhile: the next pass looks again
        games.extend(club.db, row.id, deadline)
        away = {"away": list(called.of(AWAY))} if called.of(AWAY) else {}
        values = {"missing": list(called.missing), **away, **({"after": format_time(deadline)} if deadline else {})}
        log_act(club, row.id, row.turn, chosen, values, actor=REFEREE)
        position = replace(position, row=games.game(club.db, row.id))
        taken = seat_standbys(club, position, called.missing) if chosen == STANDBY else ()
        _tell(club, club.positions.of(club.db, position.row), called, row, chosen, taken)
        club.step("missing:telling")
    return True


def gets_time(club: Club, row: GameRow) -> bool:
    """Return whether a turn would get more time if it were due."""
    position = club.positions.of(club.db, row)
    return row.deadline is not None and _choice(club, position, roll_call(club, position))[0] != PLAY


def key_of_notice(row: GameRow, code: str) -> str:
    """Return the key of the letter to a player that the awaited turn of a game gets more time at its deadline."""
    return f"held-over:{row.id}:{row.turn}:{format_time(row.deadline) if row.deadline else ''}:{code}"


def tell_played_without(club: Club, row: GameRow) -> None:
    """Tell the umpire that a turn is played without orders that its calendar has waited for. Inside a transaction."""
    rhythm = rhythm_of(club.config, row)
    if rhythm.missing == PLAY or row.deadline is None or row.play == row.turn:
        return
    called = roll_call(club, club.positions.of(club.db, row))
    if called.missing:
        values = {**umpire_values(called), "how": PLAY, "deadline": row.deadline, "before": None, "taken": []}
        tell_umpire(club, f"missing:{row.id}:{row.turn}:played", "missing", values, row.id, row.turn)


def _choice(club: Club, position: Position, called: RollCall) -> tuple[str, date | None]:
    """Return what becomes of a turn with these orders at its deadline; and after which day, if it waits for players' return."""
    if position.row.play == position.row.turn:
        return PLAY, None
    back = _return_waited_for(club, position, called, rhythm_of(club.config, position.row))
    return (ABSENCE, back) if back is not None else (what_becomes(club, position, called), None)


def _return_waited_for(club: Club, position: Position, called: RollCall, rhythm: Rhythm) -> date | None:
    """Return the last day on which players are away whose return the turn waits for, None if there is none."""
    row = position.row
    if row.deadline is None or row.extended or not rhythm.absence:
        return None
    latest = row.deadline.date() + timedelta(days=rhythm.absence)
    days = (away_until(club, position, position.player(code)) for code in called.of(AWAY))
    return max((day for day in days if day is not None and day < latest), default=None)


def _new_deadline(club: Club, row: GameRow, before: datetime, chosen: str, back: date | None) -> datetime | None:
    rhythm, now = rhythm_of(club.config, row), club.clock()
    if chosen == WAIT:
        return None
    if chosen in (HOLD_OVER, STANDBY):
        return next_deadline(rhythm, now)
    if back is not None:
        return first_open(rhythm, back + timedelta(days=1), now, weekday=False)
    day = before.astimezone(ZoneInfo(rhythm.zone)).date() + timedelta(days=rhythm.extension)
    return first_open(rhythm, day, now, weekday=False)


def _tell(
    club: Club, position: Position, called: RollCall, before: GameRow, chosen: str, taken: tuple[str, ...]
) -> None:
    """Write to all players and to the umpire; *before*: the game when its turn was due; *taken*: seats of stand-bys, who have a
    briefing. Inside a transaction.
    """
    row = position.row
    values = {
        "how": chosen,
        "turn": row.turn,
        "deadline": row.deadline,
        "before": before.deadline,
        "standby": rhythm_of(club.config, row).missing == STANDBY,
        "taken": list(taken),
        "arrived": list(called.of(IN, FAULTY)),
        "missing": list(called.missing),
        "away": list(called.of(AWAY)),
        "faulty": list(called.of(FAULTY)),
    }
    for player in (each for each in position.players if each.code not in taken):
        key, beside = key_of_notice(before, player.code), wished_deadline(club, position, player)
        tell_player(club, position, player, "heldover", values, key, "held-over", beside)
    tell_observers(club, position, "heldover", values, key_of_notice(before, "all"), "held-over")
    values = {
        **umpire_values(called),
        "how": chosen,
        "deadline": row.deadline,
        "before": before.deadline,
        "taken": list(taken),
    }
    tell_umpire(club, key_of_notice(before, "umpire"), "missing", values, row.id, row.turn)
