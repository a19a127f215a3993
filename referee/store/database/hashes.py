"""The chain of hashes over a game's log: what was agreed, then turn by turn. Whoever knows the last hash knows the whole."""

from __future__ import annotations

import hashlib

from referee.core.values import dataclass


def hash_of_agreement(game: str, setup: str, end: str) -> str:
    """Return the hash that the opening's builds on: over the game's id, its setup as JSON, the end of its chain of seeds."""
    return _hash_of(game, setup, end)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedTurn:
    """A turn as a game's log tells it: all that is needed to play it again, and what happened.

    ``orders`` is JSON by player as they were adjudicated, ``events`` JSON, ``salts`` the players' words of salt for the dice,
    ``typed`` JSON of the throws that the umpire's own dice made, by name, "" if none. ``hash`` covers all others, and the hash of
    the turn before. Above 1 the ``edition`` is a correction, or follows one.
    """

    turn: int
    rules: int
    seed: str
    salts: str = ""
    typed: str = ""
    orders: str
    events: str
    hash: str
    edition: int = 1


def hash_of_turn(before: str, game: str, turn: LoggedTurn) -> str:
    """Return the hash of a turn over the hash *before* it.

    A turn without typed throws (``typed`` is "") has the hash that it had before throws could be typed, a first edition the one
    that it had before turns could be undone.
    """
    lines = [before, game, str(turn.turn), str(turn.rules), turn.seed, turn.salts, turn.orders, turn.events]
    lines += [turn.typed] if turn.typed else []
    lines += [f"edition {turn.edition}"] if turn.edition > 1 else []
    return _hash_of(*lines)


def hash_of_act(
    before: str, *, game: str, number: int, turn: int, at: str, actor: str, kind: str, parameters: str, reason: str
) -> str:
    """Return the hash of an act of the umpire's over the hash *before* it: that of the agreement for the first.

    *at* is written as the store writes times; *parameters* is JSON; *reason* is the hash of the reason: so that the log can be
    checked by somebody who may not know it yet.
    """
    return _hash_of(before, game, str(number), str(turn), at, actor, kind, parameters, reason)


def hash_of_reason(reason: str) -> str:
    """Return what stands in an act's hash for the umpire's words, which may have several lines."""
    return _hash_of(reason)


def _hash_of(*lines: str) -> str:
    # None of the lines of a sound log has an end of line inside, so no two logs give the same text.
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
