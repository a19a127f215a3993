"""The chain of hashes over a game's log: what was agreed, then turn by turn. Whoever knows the last hash knows the whole."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from referee.core import Value

from .database import format_time

if TYPE_CHECKING:
    from .rows import ActRow


def hash_of_agreement(game: str, setup: str, end: str) -> str:
    """Return the hash that the opening's builds on: over the game's id, its setup as JSON, the end of its chain of seeds."""
    return _hash_of(game, setup, end)


class LoggedTurn(Value):
    """A turn as a game's log tells it: all that is needed to play it again, and what happened.

    ``orders`` is JSON by player as they were adjudicated, ``events`` JSON, ``salts`` the players' words of salt for the dice,
    ``typed`` JSON of the throws that the umpire's own dice made, by name, "" if none. ``hash`` covers all others, and the hash of
    the turn before. Above 1 the ``edition`` is a correction, or follows one. ``acts`` is number and hash of the last act in the
    umpire's log when the turn was played, "" if there was none; ``letters`` JSON by player: the hashes of the letters that were
    ``received`` from them, and of the one that ``counted`` (``hash_of_letters``).
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
    acts: str = ""
    letters: str = ""


def hash_of_turn(before: str, game: str, turn: LoggedTurn) -> str:
    """Return the hash of a turn over the hash *before* it.

    A turn without typed throws (``typed`` is "") has the hash that it had before throws could be typed, a first edition the one
    that it had before turns could be undone.
    """
    lines = [before, game, str(turn.turn), str(turn.rules), turn.seed, turn.salts, turn.orders, turn.events]
    lines += [turn.typed] if turn.typed else []
    lines += [f"edition {turn.edition}"] if turn.edition > 1 else []
    lines += [f"{name} {told}" for name, told in (("acts", turn.acts), ("letters", turn.letters)) if told]
    return _hash_of(*lines)


def booking(root: str, fingerprint: str) -> str:
    """Return the name under which a letter is booked: with the *root* of the game's seeds in it, so that nobody else can try
    which words have it.
    """
    return _hash_of(root, "letter", fingerprint)[:16]


def hash_of_letters(game: str, turn: int, player: str, kind: str, names: Iterable[str]) -> str:
    """Return what stands in a turn's hash for a player's letters that were ``received`` or ``counted``, by their names."""
    return _hash_of(game, str(turn), player, kind, *names)


def hash_of_act(before: str, act: ActRow) -> str:
    """Return the hash of an act of the umpire's over the hash *before* it: that of the agreement for the first.

    In the place of the reason stands its hash, so that the log can be checked by somebody who may not know it yet.
    """
    reason = (not act.reason and act.withheld) or hash_of_reason(act.reason)
    told = (act.game, str(act.number), str(act.turn), format_time(act.at), act.actor, act.kind, act.parameters, reason)
    return _hash_of(before, *told)


def hash_of_reason(reason: str) -> str:
    """Return what stands in an act's hash for the umpire's words, which may have several lines."""
    return _hash_of(reason)


def _hash_of(*lines: str) -> str:
    # None of the lines of a sound log has an end of line inside, so no two logs give the same text.
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
