"""What the umpire sees and does about a player's code."""

from __future__ import annotations

from referee.core.errors import ConfigError
from referee.mail.letter.tokens import Tag
from referee.service.club.acts import log_act
from referee.service.club.club import Club
from referee.service.club.positions import Position
from referee.service.post.codes import are_used, tag_of_turn
from referee.service.post.writing import tell_player
from referee.store import games, held, outbox
from referee.store.database.database import transaction
from referee.store.database.rows import LogRow, PlayerRow


def current(club: Club, game_id: str, code: str) -> Tag:
    """Return what a player's answers carry now.

    Raises:
        NotFound: there is no such game or player.
        ConfigError: no codes are used.
    """
    position, player = _coded(club, game_id, code)
    return tag_of_turn(club, player, position.row.turn)


def renew(club: Club, game_id: str, code: str) -> Tag:
    """Make all codes void that a player was given until now, send him a new one, and return it.

    Raises:
        NotFound: there is no such game or player.
        ConfigError: no codes are used, or the game is over.
    """
    position, player = _coded(club, game_id, code)
    row = position.row
    if row.status != "running":
        raise ConfigError(f"{row.id} is over: nobody needs a code for it any more")
    with transaction(club.db):
        held.renew(club.db, row.id, player.code)
        outbox.log(club.db, LogRow(at=club.clock(), game=row.id, turn=row.turn, what="code-renewed", text=player.code))
        log_act(club, row.id, row.turn, "code", {"player": player.code})
        send_code(club, position, player)
    return tag_of_turn(club, player, row.turn)


def send_code(club: Club, position: Position, player: PlayerRow, *, moved: bool = False) -> None:
    """Send a player the code that he was given anew; *moved*: because he has another address. Inside a transaction."""
    row, number = position.row, held.epoch(club.db, player.game, player.code)
    values = {"turn": row.turn, "deadline": row.deadline, "moved": moved}
    tell_player(club, position, player, "newcode", values, f"newcode:{row.id}:{player.code}:{number}")


def seat_of(club: Club, game_id: str, code: str) -> tuple[Position, PlayerRow]:
    """Return a game and one of its players. Raises NotFound: there is no such game or player."""
    position = club.positions.of(club.db, games.game(club.db, game_id))
    return position, position.player(code)


def _coded(club: Club, game_id: str, code: str) -> tuple[Position, PlayerRow]:
    if not are_used(club):
        raise ConfigError('identity.policy is "address": players are known by their address alone, no codes are used')
    return seat_of(club, game_id, code)
