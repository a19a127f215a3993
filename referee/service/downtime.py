"""After an outage no deadline falls before players had time to write."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from referee.service.answers import told_umpire
from referee.service.club import Club
from referee.service.positions import Position
from referee.service.writing import Occasion, render, to_player
from referee.store import games, outbox
from referee.store.club import last_tick
from referee.store.database import format_time, transaction
from referee.store.rows import GameRow, LogRow


def move_deadlines(club: Club, now: datetime) -> None:
    """Move every deadline that fell in a long gap since the last pass to *now* and ``downtime_hold`` more, and tell all."""
    hold = timedelta(hours=club.config.downtime_hold)
    last = last_tick(club.db)
    if not hold or last is None or now - last < hold:
        return
    for row in games.running_games(club.db):
        if row.deadline is not None and last < row.deadline <= now:
            _move(club, row, now + hold)


def _move(club: Club, row: GameRow, deadline: datetime) -> None:
    position = replace(club.positions.of(club.db, row), row=replace(row, deadline=deadline))
    key = f"{row.id}:{row.turn}:{format_time(deadline)}"
    values = {"turn": row.turn, "deadline": deadline}
    letters = [
        to_player(
            club,
            position,
            player,
            render(club, "postponed", position, player, values),
            Occasion(key=f"postponed:{key}:{player.code}", kind="postponed", turn=row.turn),
        )
        for player in position.players
    ]
    with transaction(club.db):
        games.move_deadline(club.db, row.id, deadline)
        _log_move(club, row, position)
        told_umpire(club, f"postponed:{key}", "postponed", {"deadline": deadline}, row.id, row.turn)
        for letter in letters:
            outbox.put(club.db, letter)


def _log_move(club: Club, row: GameRow, moved: Position) -> None:
    times = [format_time(each.deadline) for each in (row, moved.row) if each.deadline]
    text = " -> ".join(times)
    outbox.log(club.db, LogRow(at=club.clock(), game=row.id, turn=row.turn, what="deadline-moved", text=text))
