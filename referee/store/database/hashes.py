"""The chain of hashes over a game's log: what was agreed, then turn by turn. Whoever knows the last hash knows the whole."""

from __future__ import annotations

import hashlib


def hash_of_agreement(game: str, setup: str, end: str) -> str:
    """Return the hash that the opening's builds on: over the game's id, its setup as JSON, the end of its chain of seeds."""
    return _hash_of(game, setup, end)


def hash_of_turn(
    before: str, *, game: str, turn: int, rules: int, seed: str, salts: str, orders: str, events: str, typed: str = ""
) -> str:
    """Return the hash of a turn over the hash *before* it; *orders*, *events* and *typed* are JSON.

    A turn without typed throws (*typed* is "") has the hash that it had before throws could be typed.
    """
    lines = (before, game, str(turn), str(rules), seed, salts, orders, events)
    return _hash_of(*lines, typed) if typed else _hash_of(*lines)


def _hash_of(*lines: str) -> str:
    # None of the lines of a sound log has an end of line inside, so no two logs give the same text.
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
