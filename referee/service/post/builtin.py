"""Seats of built-in players: which they are, and that nobody is mailed there."""

from __future__ import annotations

import json
from collections.abc import Sequence

from referee.service.club.club import Club
from referee.store.club import fact, write_fact

BUILT_IN_DOMAIN = "built-in.invalid"  # RFC 2606: no mail is ever delivered there

_FACT = "built-in seats"


def is_built_in(address: str) -> bool:
    """Return whether an address is that of a built-in player."""
    return address.lower().endswith(f"@{BUILT_IN_DOMAIN}")


def seats_kept(club: Club) -> tuple[tuple[str, str], ...]:
    """Return game and code of each seat that a built-in player was given."""
    return tuple((game, code) for game, code in json.loads(fact(club.db, _FACT) or "[]"))


def keep_seats(club: Club, seats: Sequence[tuple[str, str]]) -> None:
    """Write which seats built-in players have. Inside a transaction."""
    write_fact(club.db, _FACT, json.dumps(list(dict.fromkeys(seats))))
