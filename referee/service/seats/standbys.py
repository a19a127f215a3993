"""Stand-bys: who would take the seat of a player who vanishes, and taking it."""

from __future__ import annotations

from msgspec.structs import replace

from referee.config import address_fault
from referee.core.address import typed
from referee.core.errors import ConfigError, NotFound
from referee.service.club.acts import REFEREE
from referee.service.club.club import Club
from referee.service.club.duetimes import rhythm_of
from referee.service.club.positions import Position
from referee.service.letters.identify import is_own
from referee.service.post.languages import language_of
from referee.service.seats.replacing import give_seat, parse_person
from referee.store import games, standbys
from referee.store.database.database import transaction
from referee.store.database.rows import StandbyRow

STANDBY = "stand-by"  # what a calendar says where they take seats by themselves


def add_standby(club: Club, told: str) -> StandbyRow:
    """Put the person *told* as ``Cecil <cecil@example.org>`` at the end of the list, and return him. Where a seat waits for
    one, he has it at once.

    Raises:
        ConfigError: he is not written so, or the address is none, or our own.
    """
    name, written = parse_person(told)
    fault = address_fault(written, "cecil@example.org") or ("that is our own address" if is_own(club, written) else "")
    if fault:
        raise ConfigError(fault)
    row = StandbyRow(
        name=name,
        address=typed(written),
        zone=club.config.zone,
        language=language_of(club, typed(written)),
        since=club.clock(),
    )
    with transaction(club.db):
        standbys.add(club.db, row)
        fill_resigned(club)
    return row


def remove_standby(club: Club, address: str) -> None:
    """Take an address from the list. Raises NotFound: it is not on it."""
    with transaction(club.db):
        if not standbys.end(club.db, address, club.clock()):
            known = ", ".join(each.address for each in standbys.listed(club.db)) or "nobody"
            raise NotFound(f"nobody stands by at {address} (there is {known})")


def standbys_for(club: Club, position: Position) -> tuple[StandbyRow, ...]:
    """Return who stands by and does not play in a game, the longest first."""
    playing = {player.address.lower() for player in position.players}
    return tuple(each for each in standbys.listed(club.db) if each.address.lower() not in playing)


def fill_resigned(club: Club) -> None:
    """Give seats whose players have left to stand-bys, in the games whose calendar wants it; what is not filled waits for the
    next who stands by. Inside a transaction.
    """
    for row in games.running_games(club.db):
        position = club.positions.of(club.db, row)
        left = tuple(player.code for player in position.players if player.resigned_at is not None)
        if left and rhythm_of(club.config, row).missing == STANDBY and row.stopped_at is None:
            seat_standbys(club, position, left)


def seat_standbys(club: Club, position: Position, codes: tuple[str, ...]) -> tuple[str, ...]:
    """Give seats to stand-bys, as many as there are; return which seats. Inside a transaction."""
    taken = []
    for code, standby in zip(codes, standbys_for(club, position), strict=False):
        player = position.player(code)
        newcomer = replace(
            player, name=standby.name, address=standby.address, zone=standby.zone, language=standby.language
        )
        give_seat(club, position, player, newcomer, "", REFEREE)
        taken.append(code)
    return tuple(taken)
