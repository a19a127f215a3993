"""Who watches a game without playing, and is sent what everybody may see."""

from __future__ import annotations

from referee.mail.letter.tokens import Tag, is_token
from referee.service.club.club import Club
from referee.service.post.bounces import is_unreachable
from referee.service.post.codes import UNWATCH, tag_of_observer, tag_of_watch
from referee.store import bounces, games, observers
from referee.store.database.rows import ObserverRow


def reachable_observers(club: Club, game: str) -> tuple[ObserverRow, ...]:
    """Return who watches a game, without those from whom letters come back."""
    watching = observers.of_game(club.db, game)
    return tuple(each for each in watching if not is_unreachable(bounces.since_heard(club.db, each.address)))


def observers_of(club: Club, game_id: str) -> tuple[str, ...]:
    """Return the addresses from which a game is watched. Raises NotFound."""
    return tuple(each.address for each in observers.of_game(club.db, games.game(club.db, game_id).id))


def watch_code(club: Club, game_id: str) -> Tag:
    """Return the code for observers of a game. Raises NotFound."""
    return tag_of_watch(club, games.game(club.db, game_id).id)


def observer_of(club: Club, tag: Tag) -> ObserverRow | None:
    """Return the observer who was given the tag to end his watching with, None if nobody was."""
    watching = observers.of_game(club.db, tag.game) if tag.player == UNWATCH else ()
    return next((each for each in watching if is_token(tag.token, _token(club, each))), None)


def _token(club: Club, observer: ObserverRow) -> str:
    return tag_of_observer(club, observer.game, observer.address).token
