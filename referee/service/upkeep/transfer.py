"""A whole game taken from one club to another: with its secrets, letters and log, in a file that a passphrase opens."""

from __future__ import annotations

from typing import Any

from referee.core.errors import ConfigError
from referee.games import game_named
from referee.service.audit.verify import verify_game
from referee.service.club.acts import log_act
from referee.service.club.club import Club
from referee.service.club.lock import between_passes
from referee.service.upkeep.sealed import opened, sealed
from referee.store import deliveryqueue, games, wholegame
from referee.store.database.database import transaction


def whole_game(club: Club, game_id: str, passphrase: str) -> bytes:
    """Return a game with everything that another club needs to go on with it, as a file that only the passphrase opens.

    Raises:
        NotFound: there is no such game.
        ConfigError: it still runs here, letters of it wait to be sent, or the passphrase is too short.
        PassRunning: a pass is being made.
    """
    with between_passes(club.config.folder), transaction(club.db):
        row = games.game(club.db, game_id)
        if row.status == "running" and row.stopped_at is None:
            stop = f'`referee hold {row.id} --because "It moves to another machine."`'
            raise ConfigError(f"{row.id} runs, and would be played here and there: {stop} first")
        if any(each.game == row.id and each.state == "waiting" for each in deliveryqueue.unsent(club.db)):
            raise ConfigError(
                f"letters about {row.id} wait to be sent: `referee tick` first, else they would leave twice"
            )
        log_act(club, row.id, row.turn, "export", {"secrets": True})
        return sealed({"game": row.id, "rows": wholegame.rows_of(club.db, row.id)}, passphrase)


def take_in(club: Club, raw: bytes, passphrase: str) -> str:
    """Put a whole game into this club, verify it, and return its id. A game that ran is stopped, and waits to be resumed.

    Raises:
        ConfigError: the file is none, is damaged or of a newer referee, another passphrase opens it, the game is here already, or
            it does not verify; nothing is kept of it.
        PassRunning: a pass is being made.
    """
    held: dict[str, Any] = opened(raw, passphrase)
    game = str(held["game"])
    with between_passes(club.config.folder), transaction(club.db):
        if game in games.all_names(club.db):
            raise ConfigError(f"{game} is here already, and its hashes cover its name: import it into another club")
        try:
            wholegame.write_rows(club.db, held["rows"])
        except ValueError as error:
            raise ConfigError(f"{game} was written by another release of the referee: {error}") from error
        row = games.game(club.db, game)
        game_named(row.kind)
        faults = verify_game(club, game).faults
        if faults:
            raise ConfigError(f"{game} is not in order, nothing is kept of it: turn {faults[0].turn}: {faults[0].text}")
        log_act(club, game, row.turn, "import")
    return game
