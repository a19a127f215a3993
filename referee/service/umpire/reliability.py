"""How reliably people have played, over all games of the club: whoever looks for a stand-by or fills a game wants to know."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator

from msgspec.structs import replace

from referee.core.values import Value
from referee.service.club.club import Club
from referee.service.club.positions import OPENING
from referee.service.letters.interpretation import set_to_run
from referee.store import games, orders, outbox
from referee.store.acts import acts
from referee.store.database.rows import GameRow, PlayerRow


class Record(Value):
    """What a person (an ``address``) has done in turns that were played: of those in which orders were ``owed``, for so many some
    were on file when the turn was played (``sent``), for the others none (``missed``); ``reminded``: letters that asked for
    missing or faulty orders. ``resigned``: seats left.
    """

    name: str
    address: str
    games: tuple[str, ...] = ()
    owed: int = 0
    sent: int = 0
    missed: int = 0
    reminded: int = 0
    resigned: int = 0


def records(club: Club) -> tuple[Record, ...]:
    """Return the record of everybody who has a seat, those who missed the most first. A seat that was taken over counts from the
    turn on in which its player has it.
    """
    found: dict[str, Record] = {}
    for row in games.all_games(club.db):
        for seat, turns, reminded in _seats(club, row):
            key = seat.address.lower()
            known = found.get(key, Record(name=seat.name, address=seat.address))
            found[key] = replace(
                known,
                games=(*known.games, row.id),
                owed=known.owed + len(turns),
                sent=known.sent + sum(turns),
                missed=known.missed + len(turns) - sum(turns),
                reminded=known.reminded + reminded,
                resigned=known.resigned + (seat.resigned_at is not None),
            )
    return tuple(sorted(found.values(), key=lambda each: (-each.missed, -each.resigned, each.name, each.address)))


def _seats(club: Club, row: GameRow) -> Iterator[tuple[PlayerRow, list[bool], int]]:
    """Yield of each seat whether orders were on file, turn by turn in which some were owed, and how many reminders went to it."""
    position = club.positions.of(club.db, row)
    played = games.turns(club.db, row.id)
    owing: dict[int, set[str]] = {}
    for before, turn in itertools.pairwise(played):
        awaited = position.rules.awaiting(position.rules.decode(before.state, position.setup))
        owing[turn.turn] = {each.player for each in awaited}
    since = {json.loads(act.parameters)["player"]: act.turn for act in acts(club.db, row.id) if act.kind == "replace"}
    filed = {number: orders.sets(club.db, row.id, number) for number in owing}
    for seat in position.players:
        first = since.get(seat.code, OPENING)
        turns = [number for number, codes in owing.items() if seat.code in codes and number >= first]
        sent = [set_to_run(filed[number], seat.code) is not None for number in turns]
        yield seat, sent, outbox.reminders(club.db, row.id, seat.code, seat.address)
