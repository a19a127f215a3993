"""Whose orders for the awaited turn are in."""

from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo

from referee.core.values import Value
from referee.service.club.club import Club
from referee.service.club.positions import Position
from referee.service.letters.held import waiting_players
from referee.service.letters.precedence import counts_as_in, set_to_run
from referee.service.post.bounces import unreachable_players
from referee.store import orders, seats
from referee.store.database.rows import PlayerRow

IN, FAULTY, MISSING, NOTHING_OWED = "in", "faulty", "missing", "nothing owed"
AWAY, RESIGNED = "away", "resigned"  # who owes orders all the same, but is not missed


class RollCall(Value):
    """Of each player, by code, what is on file for the awaited turn: a word of above; ``held`` whose letters wait for his word;
    ``unreachable`` to whom letters come back.
    """

    orders: dict[str, str]
    held: tuple[str, ...]
    unreachable: tuple[str, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """Who owes orders and has sent none."""
        return self.of(MISSING)

    def of(self, *words: str) -> tuple[str, ...]:
        """Return the codes of those of whom one of these words is said."""
        return tuple(code for code, said in self.orders.items() if said in words)


def roll_call(club: Club, position: Position) -> RollCall:
    """Return whose orders for the awaited turn are in."""
    row = position.row
    return RollCall(
        orders=orders_on_file(club, position),
        held=waiting_players(club, row.id, row.turn),
        unreachable=unreachable_players(club, row.id) if row.status == "running" else (),
    )


def orders_on_file(club: Club, position: Position) -> dict[str, str]:
    """Return of each player what is on file for the awaited turn."""
    sets = orders.sets(club.db, position.row.id, position.row.turn)
    found = {}
    for player in position.players:
        runs = set_to_run(sets, player.code)
        if counts_as_in(runs):
            found[player.code] = IN
        elif runs is not None:
            found[player.code] = FAULTY
        else:
            found[player.code] = _owed(club, position, player) if player.code in position.awaited else NOTHING_OWED
    return found


def away_until(club: Club, position: Position, player: PlayerRow) -> date | None:
    """Return the last day of the absence in which the deadline falls (today, where there is none); None: he is there."""
    moment = position.row.deadline or club.clock()
    return seats.away_until(club.db, player.game, player.code, moment.astimezone(ZoneInfo(player.zone)).date())


def _owed(club: Club, position: Position, player: PlayerRow) -> str:
    if player.resigned_at is not None:
        return RESIGNED
    return AWAY if away_until(club, position, player) else MISSING
