"""Orders for a later turn, sent beforehand: read and filed when it is awaited, as if they came then."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from referee.core.orders import Complaint
from referee.core.values import Value
from referee.reader.understanding import Understanding
from referee.service.club.club import Club
from referee.service.club.positions import Position
from referee.service.letters.interpretation import filing, is_in, set_to_run, set_values
from referee.service.post.writing import tell_player
from referee.service.turns.onfile import letter_read_now
from referee.store import games, later, opengames, orders
from referee.store.database.database import transaction
from referee.store.database.rows import GameRow, LaterRow, OrderSet


class _Read(Value):
    """A letter as it is read now; ``read`` None: that cannot be known."""

    row: LaterRow
    read: Understanding | None


def file_earlier(club: Club, row: GameRow) -> None:
    """File what was sent beforehand for the awaited turn of a game, and tell its players how it is understood now."""
    waiting = later.due(club.db, row.id, row.turn)
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
    for row in later.due(club.db, position.row.id, position.row.turn):
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
    later.mark_filed(club.db, row.letter, club.clock())
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
