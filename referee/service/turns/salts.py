"""The players' words of salt, mixed into the dice: of those who signed up from the opening on, else from the second turn on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.core.regex import regex
from referee.service.club.positions import OPENING, Position
from referee.service.letters.interpretation import newest_texts
from referee.store import games, orders
from referee.store.database.connection import Database

_WORD = regex(r"\w+")


def salts_of(db: Database, position: Position) -> str:
    """Return the salts that the awaited turn prints, as ``GSW=pepper MGW=dill`` in order of play; "" if nobody gave any.

    A turn is thrown with those that the one before printed, the opening with its own: a word that came with the orders could be
    the umpire's, made to fit them.
    """
    last = games.last_turn(db, position.row.id)
    if last.salts or last.turn != OPENING:
        return last.salts
    given = newest_texts(orders.texts(db, position.row.id, position.row.turn, "salt"))
    return joined((player.code for player in position.players), {each.player: each.text for each in given})


def joined(codes: Iterable[str], words: Mapping[str, str]) -> str:
    """Return salts as they are thrown with; *codes* in order of play."""
    return " ".join(f"{code}={words[code]}" for code in codes if words.get(code))


def are_of(salts: str, codes: tuple[str, ...]) -> bool:
    """Return whether salts are words of these players, each at most once, in their order."""
    given = [each.partition("=") for each in salts.split(" ")] if salts else []
    if not all(_WORD.fullmatch(word) for _, _, word in given):
        return False
    named = [code for code, _, _ in given]
    return named == [code for code in codes if code in named]
