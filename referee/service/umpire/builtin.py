"""Seats that the umpire lets a built-in player play: it sees what would be mailed to it, and writes orders as text."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from typing import Any

from referee.bots import dampfross, volldampf
from referee.core.agreement import BUILT_IN as NAME
from referee.core.errors import ConfigError
from referee.service.club.acts import BUILT_IN
from referee.service.club.club import Club
from referee.service.commands.playercodes import seat_of
from referee.service.letters.interpretation import set_to_run
from referee.service.post.builtin import BUILT_IN_DOMAIN, is_built_in, keep_seats, seats_kept
from referee.service.seats.replacing import replace_player
from referee.service.umpire.filing import file_as_written
from referee.store import games, orders
from referee.store.database.database import transaction
from referee.store.database.rows import PlayerRow

_ANSWERS: Mapping[str, Callable[[Mapping[str, Any], str], tuple[str, ...]]] = {
    "dampfross": dampfross.answer,
    "volldampf": volldampf.answer,
}

log = logging.getLogger(__name__)


def seat_built_in(club: Club, game_id: str, code: str, because: str) -> PlayerRow:
    """Let a built-in player have a seat, tell everybody so, and return the seat.

    Raises:
        NotFound: there is no such game or player.
        ConfigError: this game has no built-in player, or as ``replace_player``.
    """
    position, player = seat_of(club, game_id, code)
    if position.rules.name not in _ANSWERS:
        raise ConfigError(f"{position.rules.title} has no built-in player; name a person, or say --standby")
    told = f"{NAME} <{player.code.lower()}@{BUILT_IN_DOMAIN}>"
    seat = replace_player(club, game_id, code, told, because)
    with transaction(club.db):
        keep_seats(club, (*seats_kept(club), (seat.game, seat.code)))
    return seat


def order_for_built_in(club: Club) -> None:
    """File the orders of built-in players that are awaited, and drop seats that are theirs no more. Outside of transactions."""
    kept = seats_kept(club)
    still = tuple(each for each in kept if _plays(club, *each))
    if still != kept:
        with transaction(club.db):
            keep_seats(club, still)
    for game, code in still:
        try:
            _order(club, game, code)
        except Exception:  # one who knows no answer is missing, as any player
            log.exception("the built-in player %s of %s knows no orders", code, game)


def _plays(club: Club, game: str, code: str) -> bool:
    row = games.known(club.db, game)
    seat = games.seat(club.db, game, code) if row is not None and row.status == "running" else None
    return seat is not None and is_built_in(seat.address)


def _order(club: Club, game: str, code: str) -> None:
    position = club.positions.of(club.db, games.game(club.db, game))
    filed = orders.sets(club.db, game, position.row.turn)
    if position.row.stopped_at is not None or code not in position.awaited:
        return
    if set_to_run(filed, code) is not None:  # orders that stand beside and do not run keep nobody from ordering
        return
    seen = json.loads(json.dumps(position.rules.view(position.state, code)))  # as it would be mailed, and no more
    lines = _ANSWERS[position.rules.name](seen, code)
    text = "\n".join(("ORDERS", *lines, "END"))
    with transaction(club.db):
        if not file_as_written(club, position, code, text, BUILT_IN):
            log.warning(
                "orders of the built-in player %s for turn %d of %s are not clean", code, position.row.turn, game
            )
