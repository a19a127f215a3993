"""A person who wants to be forgotten: his games stay as they were played, all that the club still knows of him goes."""

from __future__ import annotations

from referee.core.errors import ConfigError, NotFound
from referee.core.values import Value
from referee.service.club.club import Club
from referee.service.club.tally import between_passes
from referee.service.club.umpires import is_any_umpires, log_act
from referee.store import games, givenup, opengames, outbox
from referee.store.database.database import transaction
from referee.store.database.rows import LogRow

_ALIAS = "forgotten-{}@example.invalid"


class Forgotten(Value):
    """Somebody who was forgotten: what stands in the place of his ``address``, and his ``seats`` (RR7 MGW)."""

    alias: str
    seats: tuple[str, ...]


def forget(club: Club, address: str) -> Forgotten:
    """Forget whoever writes from an address: letters from him and to him lose their words, and his address and name are taken out
    of everything but what hashes cover (the setup of a game, its turns, the umpire's log).

    Raises:
        NotFound: nobody here has that address.
        ConfigError: a game still needs him; nothing was changed.
        PassRunning: a pass is being made.
    """
    with between_passes(club.config.folder), givenup.overwriting(club.db), transaction(club.db):
        check_forgettable(club, address)
        seats = games.seats_of(club.db, address)
        alias = _ALIAS.format(givenup.next_alias(club.db))
        for seat in seats:
            row = games.game(club.db, seat.game)
            log_act(club, row.id, row.turn, "forget", {"player": seat.code})
        givenup.forget_address(club.db, address, alias)
        outbox.log(club.db, LogRow(at=club.clock(), what="forgotten", text=alias))
    return Forgotten(alias=alias, seats=tuple(f"{seat.game} {seat.code}" for seat in seats))


def check_forgettable(club: Club, address: str) -> None:
    """Raise as ``forget`` where a person cannot be forgotten now."""
    seats = games.seats_of(club.db, address)
    for seat in seats:
        row = games.game(club.db, seat.game)
        if row.status == "running":
            instead = (
                f'`referee replace {row.id} {seat.code} "NAME <ADDRESS>" --because "…"` gives the seat to somebody else'
            )
            raise ConfigError(f"{address} plays {seat.code} in {row.id}: {instead} first")
        if row.statements_due is not None:
            raise ConfigError(
                f"{address} is still sent the closing statements of {row.id}: forget him once they are out"
            )
    for signup in opengames.signups_of(club.db, address):
        instead = f"`referee game signups {signup.game} --remove {address}` first"
        raise ConfigError(f"{address} has signed up for {signup.game}: {instead}")
    if is_any_umpires(club, address):
        raise ConfigError(
            f"{address} is an umpire's: mend mail.umpire, or `referee game umpire GAME --remove {address}` first"
        )
    if any(row.recipient.lower() == address.lower() for row in outbox.unsent(club.db) if row.state == "waiting"):
        raise ConfigError(f"letters to {address} wait to be sent: forget him after the next pass that sends them")
    if not seats and not givenup.is_known(club.db, address):
        raise NotFound(
            f"nobody here has the address {address}: `referee players` and `referee letters` name whom we know"
        )
