"""A running game moved on to the rules of a newer program, once its turns were played again by them."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.errors import ConfigError
from referee.service.audit.replay import Compared
from referee.service.club.club import Club
from referee.service.club.positions import NOTE
from referee.service.club.umpires import checked_reason, log_act
from referee.service.turns.adjudicate import RULES, is_behind
from referee.store import games
from referee.store.database.database import transaction


def move_on(club: Club, game_id: str, compared: Iterable[Compared], because: str) -> tuple[int, int] | None:
    """Have a game be played by the rules of this program from its awaited turn on; return the versions before and from now on,
    None if its newest turn was played by them.

    *compared*: its turns, played again. *because*: why although they come out otherwise; the next newsletter prints it.

    Raises:
        NotFound: there is no such game.
        ConfigError: it is over, or a turn comes out otherwise and no reason is given.
    """
    row, reason = games.game(club.db, game_id), checked_reason(because)
    if row.status != "running":
        raise ConfigError(f"{row.id} is over: no turn of it is played any more")
    last = games.last_turn(club.db, row.id)
    if not is_behind(club.db, row.kind, last):
        return None
    now = club.positions.of(club.db, row).rules.rules
    otherwise = [each.turn for each in compared if each.differs]
    if otherwise and not reason:
        raise ConfigError(
            f"{row.id}: by version {now} of the rules turn {otherwise[0]} comes out otherwise than it was told; play the game to"
            " its end with the release that began it, or say with --because why it is to go on by the new rules"
        )
    with transaction(club.db):
        log_act(club, row.id, row.turn, RULES, {"from": last.rules, "to": now}, reason)
        if reason:
            log_act(club, row.id, row.turn, NOTE, {}, reason)
    return last.rules, now
