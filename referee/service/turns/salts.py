"""The players' words of salt: given before the first turn is played, mixed into the dice from then on."""

from __future__ import annotations

from referee.core.regex import regex
from referee.service.club.positions import Position
from referee.service.letters.precedence import newest_texts
from referee.store import games, orders
from referee.store.database.connection import Database

_WORD = regex(r"\w+")


def salts_of(db: Database, position: Position) -> str:
    """Return the salts of the awaited turn, as ``GSW=pepper MGW=dill`` in order of play; "" if nobody gave any.

    They are those given before the first turn, whatever was written since: also where that turn was undone.
    """
    if position.begun:
        return games.last_turn(db, position.row.id).salts
    undone = games.replaced(db, position.row.id, position.row.turn)
    if undone is not None:
        return undone.salts
    given = orders.texts(db, position.row.id, position.row.turn, "salt")
    words = {each.player: each.text for each in newest_texts(given)}
    return " ".join(f"{player.code}={words[player.code]}" for player in position.players if player.code in words)


def are_of(salts: str, codes: tuple[str, ...]) -> bool:
    """Return whether salts are words of these players, each at most once, in their order."""
    given = [each.partition("=") for each in salts.split(" ")] if salts else []
    if not all(_WORD.fullmatch(word) for _, _, word in given):
        return False
    named = [code for code, _, _ in given]
    return named == [code for code in codes if code in named]
