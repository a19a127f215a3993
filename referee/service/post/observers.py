"""Who watches a game without playing, and is sent what everybody may see."""

from __future__ import annotations

from collections.abc import Callable

from referee.core import Texts, View
from referee.mail.letter.tokens import Tag
from referee.store import ObserverRow, games, orders, outbox

from ..club import Club
from ..positions import Position
from .attachments import wished_deadline
from .bounces import is_unreachable
from .codes import UNWATCH, WATCH, address_of, is_given, tag_of
from .writing import somebody, tell_player


def reachable_observers(club: Club, game: str) -> tuple[ObserverRow, ...]:
    """Return who watches a game, without those from whom letters come back."""
    watching = orders.observers_of(club, game)
    return tuple(each for each in watching if not is_unreachable(outbox.since_heard(club, each.address)))


def tell_observers(club: Club, position: Position, template: str, values: View, key: str, kind: str = "") -> None:
    """Put a letter that all players are sent into the outbox for who watches the game, with how to get no more of them. Inside a
    transaction.

    *key*, *kind*: as of ``tell_player``, the key that of all of them.
    """
    row = position.row
    for each in reachable_observers(club, row.id):
        unsubscribe = address_of(club, tag_of(club, UNWATCH, row.id, each.address)) or club.config.address
        to, own = somebody(club, row.id, each.address), f"{key}:observer-{each.id}"
        tell_player(club, position, to, template, values, own, kind, unsubscribe=unsubscribe)


def tell_all(
    club: Club,
    position: Position,
    template: str,
    values: View,
    key: str,
    *but: str,
    kind: str = "",
    dated: bool = False,
    own: Callable[[str], View] = lambda code: {},
) -> None:
    """Put a letter about the awaited turn into the outbox for all players *but* some, by their codes, and for who watches;
    *dated*: with the deadline as a file for players who want it; *own*: what each is told besides, "" for who watches. Inside a
    transaction.
    """
    for player in position.players:
        if player.code not in but:
            beside = wished_deadline(club, position, player) if dated else ()
            told, name = {**values, **own(player.code)}, f"{key}:{player.code}"
            tell_player(club, position, player, template, told, name, kind, attachments=beside)
    tell_observers(club, position, template, {**values, **own("")}, key, kind)


def observers_of(club: Club, game_id: str) -> Texts:
    """Return the addresses from which a game is watched. Raises NotFound."""
    return tuple(each.address for each in orders.observers_of(club, games.game(club, game_id).id))


def watch_code(club: Club, game_id: str) -> Tag:
    """Return the code for observers of a game. Raises NotFound."""
    return tag_of(club, WATCH, games.game(club, game_id).id)


def observer_of(club: Club, tag: Tag) -> ObserverRow | None:
    """Return the observer who was given the tag to end watching with, None if nobody was."""
    watching = orders.observers_of(club, tag.game) if tag.player == UNWATCH else ()
    return next((each for each in watching if is_given(club, tag, UNWATCH, each.address)), None)
