"""Games that are over, or that another club has now, are put away: nothing of them is lost, they only leave the daily lists."""

from __future__ import annotations

from referee.core.errors import ConfigError
from referee.service.club.club import Club
from referee.service.club.umpires import log_act
from referee.service.deadlines.rescheduling import whole_export
from referee.store import games
from referee.store.database.database import transaction
from referee.store.database.rows import GameRow


def archive(club: Club, game_id: str, *, back: bool = False) -> GameRow:
    """Put a game away, or take it *back*, and return it. Doing so twice changes nothing.

    Raises:
        NotFound: there is no such game.
        ConfigError: it is not over, and was not given to another club.
    """
    with transaction(club.db):
        row = games.game(club.db, game_id)
        given_away = row.stopped_at is not None and whole_export(club, row.id) is not None
        if row.status == "running" and not given_away:
            raise ConfigError(f"{row.id} is not over: turn {row.turn} is awaited")
        if row.is_archived == back:
            games.archive(club.db, row.id, None if back else club.clock())
            log_act(club, row.id, row.turn, "archive", {"back": back})
    return games.game(club.db, row.id)
