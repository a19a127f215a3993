"""Players' last words about a game that is over: taken until their own deadline, and then told to all."""

from __future__ import annotations

from referee.service.club.acts import REFEREE, log_act
from referee.service.club.club import Club
from referee.service.commands.statements import STATEMENT
from referee.service.letters.interpretation import newest_texts
from referee.service.post.observers import tell_observers
from referee.service.post.writing import player_values, tell_player
from referee.store import games, orders
from referee.store.database.database import transaction
from referee.store.database.rows import GameRow


def tell_statements(club: Club) -> tuple[str, ...]:
    """Mail the closing statements that are due to all players and observers; where nobody has written any nothing is sent. Return
    the ids of the games whose time for them is over.
    """
    due = games.with_statements_due(club.db, club.clock())
    for row in due:
        with transaction(club.db):
            _tell(club, row)
    return tuple(row.id for row in due)


def _tell(club: Club, row: GameRow) -> None:
    games.await_statements(club.db, row.id, None)
    said = {each.player: each.text for each in newest_texts(orders.texts(club.db, row.id, row.turn, STATEMENT))}
    if not said:
        return
    position = club.positions.of(club.db, games.game(club.db, row.id))
    told = [{**player_values(each), "text": said[each.code]} for each in position.players if each.code in said]
    values, key = {"turn": row.turn, "statements": told, "finished": True}, f"statements:{row.id}:{row.turn}"
    edition = games.highest_edition(club.db, row.id, row.turn)
    key = key if edition == 1 else f"{key}:{edition}"
    for player in position.players:
        tell_player(club, position, player, "statements", values, f"{key}:{player.code}")
    tell_observers(club, position, "statements", values, key)
    log_act(club, row.id, row.turn, "statements", {"number": len(told)}, actor=REFEREE)
