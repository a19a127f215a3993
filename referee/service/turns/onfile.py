"""Orders on file for a turn whose position has become another one: read again from their letters, as if they came now."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from referee.core.errors import LetterTooCostly, ReaderLost
from referee.core.values import Value
from referee.reader.merging import ASKED
from referee.reader.understanding import Understanding
from referee.reader.values import Filed
from referee.service.club.club import Club
from referee.service.club.positions import Position, format_complaints, parse_complaints
from referee.service.letters.identify import with_returned_marked
from referee.service.letters.interpretation import set_to_run, set_values
from referee.store import letters, orders
from referee.store.database.rows import OrderSet


class Kept(Value):
    """The set of a player that runs: as it was filed, and as it is read in the position of now; ``told`` for his letter."""

    before: OrderSet
    now: OrderSet
    told: Mapping[str, Any]


def kept_orders(club: Club, position: Position) -> dict[str, Kept]:
    """Return what is on file for the awaited turn of *position*, by player; letters are read for it."""
    sets = orders.sets(club.db, position.row.id, position.row.turn)
    found = {player.code: set_to_run(sets, player.code) for player in position.players}
    return {code: _kept(club, position, each) for code, each in found.items() if each is not None}


def refile(club: Club, kept: Mapping[str, Kept], at: datetime) -> None:
    """File anew what is read otherwise now; what was filed before stays, withdrawn. Inside a transaction."""
    for code, each in kept.items():
        if each.now != each.before:
            orders.withdraw(club.db, each.before.game, each.before.turn, code, at)
            orders.file_set(club.db, replace(each.now, id=0, changed_at=at))


def letter_read_now(
    club: Club, position: Position, number: int, player: str, rest: Filed | None = None
) -> Understanding | None:
    """Return what a stored letter of a player's says in a position; *rest*: what it may keep. None where nobody knows."""
    try:
        letter = with_returned_marked(club, club.reader.read(letters.letter(club.db, number).raw))
        return club.reader.meant(letter, player, position.in_play, rest)[1]
    except (LetterTooCostly, ReaderLost):
        return None


def _kept(club: Club, position: Position, row: OrderSet) -> Kept:
    read = _read(club, position, row)
    now = row
    if read is not None and read.gives_orders and not read.versions:
        encoded, complaints = position.rules.encode(read.orders), format_complaints(read.complaints)
        if (encoded, complaints) != (row.orders, row.complaints):
            now = replace(row, orders=encoded, complaints=complaints, clean=read.is_clean)
    return Kept(before=row, now=now, told=set_values(position, now))


def _read(club: Club, position: Position, row: OrderSet) -> Understanding | None:
    """Return what a set says now, None where that cannot be known."""
    if row.letter is not None:
        wrong = parse_complaints(row.complaints)  # what such a letter kept stands in the set itself
        rest = Filed(text=row.text, complaints=wrong) if ASKED.isdisjoint(each.code for each in wrong) else None
        return letter_read_now(club, position, row.letter, row.player, rest)
    try:
        return club.reader.typed(f"ORDERS\n{row.text}\nEND", row.player, position.in_play)
    except (LetterTooCostly, ReaderLost):
        return None
