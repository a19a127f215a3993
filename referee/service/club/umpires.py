"""Who is umpire of what: the club's umpire of every game, and beside him those whom a game has of its own."""

from __future__ import annotations

import json
from collections.abc import Iterable

from msgspec.structs import asdict

from referee.core.values import Value
from referee.service.club.club import Club
from referee.store.club import UMPIRES, fact, write_fact

_FACT = f"{UMPIRES} "  # with the id of a game behind it


class Umpire(Value):
    """An umpire of one game, by whose ``name`` its log knows him; the club's own, whom the settings name, has none."""

    address: str
    name: str = ""


def own_umpires(club: Club, game: str | None) -> tuple[Umpire, ...]:
    """Return the umpires that a game has of its own, as they were named; none for no game."""
    return umpires_in(fact(club.db, _FACT + game)) if game else ()


def umpires_in(kept: str) -> tuple[Umpire, ...]:
    """Return the umpires that stand in a fact."""
    return tuple(Umpire(**each) for each in json.loads(kept or "[]"))


def umpires_of(club: Club, game: str | None) -> tuple[Umpire, ...]:
    """Return who is written to about a game: its own umpires, else the club's; nobody where no umpire wants letters."""
    clubs = (Umpire(address=club.config.umpire),) if club.config.umpire else ()
    return own_umpires(club, game) or clubs


def umpire_at(club: Club, address: str, game: str) -> Umpire | None:
    """Return who may command a game from an address: the club's umpire or one of its own; None if nobody there may."""
    if club.config.umpire and address.lower() == club.config.umpire.lower():
        return Umpire(address=club.config.umpire)
    return next((each for each in own_umpires(club, game) if each.address.lower() == address.lower()), None)


def is_any_umpires(club: Club, address: str) -> bool:
    """Return whether an address is that of the club's umpire, or of one of any game."""
    if umpire_at(club, address, "") is not None:
        return True
    kept = club.db.query("SELECT value FROM club WHERE name GLOB ?", [f"{_FACT}*"])
    return any(each["address"].lower() == address.lower() for row in kept for each in json.loads(row["value"]))


def keep_umpires(club: Club, game: str, umpires: Iterable[Umpire]) -> None:
    """Write whom a game has as umpires of its own. Inside a transaction."""
    write_fact(club.db, _FACT + game, json.dumps([asdict(each) for each in umpires], ensure_ascii=False))
