"""Orders on file for a turn whose position has become another one: read again from their letters, as if they came now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from referee.core.errors import LetterTooCostly, ReaderLost
from referee.core.orders import Complaint
from referee.core.values import Value
from referee.reader.merging import ASKED
from referee.reader.understanding import Understanding
from referee.reader.wire import Filed
from referee.service.club.club import Club
from referee.service.club.positions import Position, format_complaints, parse_complaints
from referee.service.letters.identify import with_returned_marked
from referee.service.letters.interpretation import filing, is_in, set_to_run, set_values
from referee.service.post.writing import tell_player
from referee.store import games, letters, opengames, orders
from referee.store.database.database import transaction
from referee.store.database.rows import GameRow, LaterRow, OrderSet


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


# Orders for a later turn, sent beforehand: read and filed when it is awaited, as if they came then.


class _Read(Value):
    """A letter as it is read now; ``read`` None: that cannot be known."""

    row: LaterRow
    read: Understanding | None


def file_earlier(club: Club, row: GameRow) -> None:
    """File what was sent beforehand for the awaited turn of a game, and tell its players how it is understood now."""
    waiting = orders.kept_due(club.db, row.id, row.turn)
    if not waiting:
        return
    position = club.positions.of(club.db, row)
    counting = [each for each in waiting if position.replaced or not each.if_standby]
    read = [_Read(row=each, read=letter_read_now(club, position, each.letter, each.player)) for each in counting]
    if not read:
        return
    with transaction(club.db):
        if games.game(club.db, row.id).turn != row.turn:
            return
        for each in read:
            _file(club, position, each)


def lines_beforehand(club: Club, position: Position, kept: Iterable[OrderSet]) -> dict[str, tuple[str, ...]]:
    """Return by player the lines that will run in a turn that is only now awaited: of sets that stay on file (*kept*), or of
    letters that were sent for it beforehand.
    """
    sets = tuple(kept)
    for row in orders.kept_due(club.db, position.row.id, position.row.turn):
        if row.if_standby or not position.may_order(row.player):
            continue
        read = letter_read_now(club, position, row.letter, row.player)
        sets = filing(position, row.player, read, sets, row.letter, row.arrived).sets if read is not None else sets
    found = {code: set_to_run(sets, code) for code in {each.player for each in sets}}
    return {code: tuple(each.text.split("\n")) for code, each in found.items() if each is not None and each.text}


def _file(club: Club, position: Position, each: _Read) -> None:
    row, read = each.row, each.read
    if read is not None and read.gives_orders and _is_from_before_the_game(club, row):
        # HOME alone would be in, and the turn played before its player has read what was rolled.
        read = replace(read, complaints=(*read.complaints, Complaint(code="invalid-before-game")))
        each = replace(each, read=read)
    orders.mark_filed(club.db, row.letter, club.clock())
    sets = orders.sets(club.db, row.game, row.turn)
    arrived = club.clock() if row.if_standby else row.arrived  # they take the place of all that came before
    done = filing(position, row.player, read, sets, row.letter, arrived) if read is not None else None
    added = done.adds if done is not None else None
    if done is not None and done.withdraws:
        orders.withdraw(club.db, row.game, row.turn, row.player, row.arrived)
    if added is not None:
        # The time that a turn waits after the last orders runs from now on: their player reads only now what they mean.
        added = replace(added, changed_at=club.clock())
        orders.file_set(club.db, added)
    _tell(club, position, each, added)


def _is_from_before_the_game(club: Club, row: LaterRow) -> bool:
    began = opengames.known(club.db, row.game)
    return began is not None and began.started_at is not None and row.arrived < began.started_at


def _tell(club: Club, position: Position, each: _Read, added: OrderSet | None) -> None:
    player = position.player(each.row.player)
    values = {
        "turn": position.row.turn,
        "deadline": position.row.deadline,
        "sent": each.row.arrived,
        "standby": each.row.if_standby,
        "on_file": set_values(position, added) if added is not None else None,
        "complaints": each.read.complaints if each.read is not None else (),
        "forecast": each.read.forecast if each.read is not None and added is not None else None,
        "passes": each.read is not None and each.read.passes,
        "is_in": is_in(position, orders.sets(club.db, position.row.id, position.row.turn), player.code),
        "cleared": each.read is not None and "CLEAR" in each.read.reading.commands,
    }
    key = f"later:{each.row.letter}:{position.row.id}:{position.row.turn}"
    tell_player(club, position, player, "later", values, key)
