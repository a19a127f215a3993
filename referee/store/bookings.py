"""The letters of players that a turn covers: each under a name that its writer was told, and that tells nobody else anything."""

from __future__ import annotations

import json
from collections.abc import Mapping

from referee.store import games, letters
from referee.store.database.connection import Database
from referee.store.database.hashes import booking, hash_of_letters
from referee.store.database.rows import GameRow


def booked_letters(db: Database, row: GameRow, runs: Mapping[str, int | None]) -> dict[str, dict[str, list[str]]]:
    """Return by player the letters ``received`` from him that no turn in force covers, and the one that ``counted``; *runs*: its
    number by player.
    """
    covered = {
        name for told in games.booked(db, row.id) for each in json.loads(told).values() for name in each["received"]
    }
    named = [(each, booking(row.chain, each.hash)) for each in letters.of_players(db, row.id)]
    return {
        code: {
            "received": sorted(name for each, name in named if each.player == code and name not in covered),
            "counted": [name for each, name in named if each.player == code and each.id == number],
        }
        for code, number in runs.items()
    }


def sealed_letters(game: str, turn: int, booked: Mapping[str, Mapping[str, list[str]]]) -> dict[str, dict[str, str]]:
    """Return of booked letters what everybody may know: a hash of each list, which does not even tell how many there are."""
    return {
        code: {kind: hash_of_letters(game, turn, code, kind, names) for kind, names in lists.items()}
        for code, lists in booked.items()
    }
