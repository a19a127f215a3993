"""The chain of hashes over a game's log: what was agreed, then turn by turn. Whoever knows the last hash knows the whole."""

from __future__ import annotations

import hashlib


def hash_of_agreement(game: str, setup: str, end: str) -> str:
    """Return the hash that the opening's builds on: over the game's id, its setup as JSON, the end of its chain of seeds."""
    return _hash_of(game, setup, end)


def hash_of_turn(
    before: str,
    *,
    game: str,
    turn: int,
    rules: int,
    seed: str,
    salts: str,
    orders: str,
    events: str,
    typed: str = "",
    edition: int = 1,
) -> str:
    """Return the hash of a turn over the hash *before* it; *orders*, *events* and *typed* are JSON.

    A turn without typed throws (*typed* is "") has the hash that it had before throws could be typed, a first edition the one
    that it had before turns could be undone.
    """
    lines = [before, game, str(turn), str(rules), seed, salts, orders, events]
    lines += [typed] if typed else []
    lines += [f"edition {edition}"] if edition > 1 else []
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
