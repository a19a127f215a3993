"""A game's deadline for the calendars of its readers."""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.mail.compose import Attachment
from referee.report.ics import MEDIA_TYPE, Moment, calendar
from referee.service.club.club import Club
from referee.service.club.positions import Position
from referee.service.post.readers import faces_of
from referee.store.database.rows import GameRow, PlayerRow

KIND = "ics"


def deadline_file(club: Club, position: Position, language: str, turn: int, deadline: datetime) -> Attachment:
    """Return the deadline of a turn, whether or not it is the one that is in the store, as a file beside a letter."""
    moment = deadline_moment(club, position, language, turn, deadline)
    return Attachment(name=f"{position.row.id}-deadline.{KIND}", media_type=MEDIA_TYPE, content=calendar([moment]))


def wished_deadline(club: Club, position: Position, player: PlayerRow) -> tuple[Attachment, ...]:
    """Return the deadline of the awaited turn as a file for a player who wants it, nothing for another or where there is none."""
    row = position.row
    if row.deadline is None or row.stopped_at is not None or KIND not in faces_of(club, row.id, player.address).files:
        return ()
    return (deadline_file(club, position, player.language, row.turn, row.deadline),)


def deadline_moment(club: Club, position: Position, language: str, turn: int, deadline: datetime) -> Moment:
    """Return the deadline of a turn. A game has one moment in a calendar, which goes on from turn to turn.

    Nobody's code is in it: people share their calendars.
    """
    row = position.row
    board = club.stationery.translate(language)(position.board_title) if position.board_title else ""
    values = {"id": row.id, "game": position.rules.title, "board": board, "turn": turn}
    values |= {"club": club.config.club, "address": club.config.address}
    sequence = moves(row, deadline)
    return Moment(
        uid=f"{row.id.lower()}-deadline@{club.config.address.rpartition('@')[2]}",
        sequence=sequence,
        at=deadline,
        # The bytes of a letter follow from the store alone: each move is a second later than the one before.
        changed=row.created + timedelta(seconds=sequence),
        summary=club.stationery.word(position.rules.name, language, "calendar", "due", values),
        description=club.stationery.word(position.rules.name, language, "calendar", "about", values),
    )


def moves(row: GameRow, deadline: datetime) -> int:
    """Return how often a game's deadline has moved, when it is that one."""
    return row.moved + (deadline != row.deadline)
