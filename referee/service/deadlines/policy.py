"""What a calendar wants to become of a turn whose orders are missing at its deadline: decided here, done in ``missing``."""

from __future__ import annotations

from referee.service.club.club import Club
from referee.service.club.duetimes import Rhythm, rhythm_of
from referee.service.club.positions import Position
from referee.service.club.umpires import umpires_of
from referee.service.deadlines.rollcall import RollCall
from referee.service.seats.standbys import STANDBY, standbys_for

PLAY, EXTEND, HOLD_OVER, WAIT, ABSENCE = "play", "extend", "hold-over", "wait", "absence"


def what_becomes(club: Club, position: Position, called: RollCall) -> str:
    """Return what becomes of the awaited turn if it is due and these orders are missing: a word of above."""
    row, rhythm = position.row, rhythm_of(club.config, position.row)
    there = len(standbys_for(club, position)) if called.missing and rhythm.missing == STANDBY else 0
    return policy(rhythm, len(called.missing), row.extended, umpire=bool(umpires_of(club, row.id)), standbys=there)


def policy(rhythm: Rhythm, missing: int, extended: int, *, umpire: bool, standbys: int = 0) -> str:
    """Return what becomes of a turn with so many players *missing* at its deadline, after it was *extended* so often.

    *umpire*: there is one who could decide about a game that waits; *standbys*: so many could take a seat.
    """
    if rhythm.missing == PLAY or missing < rhythm.missing_from:
        return PLAY
    if not extended:
        return HOLD_OVER if rhythm.missing == STANDBY else rhythm.missing
    if rhythm.missing == STANDBY and standbys:
        return STANDBY
    return WAIT if umpire and 0 < rhythm.stop_from <= missing else PLAY
