"""The umpires that a game has of its own: named and taken off by the club's, told of it, and written into the game's log."""

from __future__ import annotations

from referee.config import address_fault
from referee.core.errors import ConfigError, NotFound
from referee.service.club.acts import log_act
from referee.service.club.club import Club
from referee.service.club.lock import between_passes
from referee.service.club.umpires import Umpire, keep_umpires, own_umpires
from referee.service.letters.identify import is_own
from referee.service.post.codes import code_of_umpire, tag_of_code
from referee.service.post.writing import Occasion, to_umpire
from referee.service.seats.replacing import parse_person
from referee.store import codes, games, opengames, outbox
from referee.store.database.database import transaction
from referee.store.database.rows import LogRow


def name_umpire(club: Club, game_id: str, person: str) -> tuple[Umpire, ...]:
    """Make a *person* (``Bea <bea@example.org>``) an umpire of a game, tell him, and return all that it has of its own.

    Raises:
        NotFound: there is no such game.
        ConfigError: that is no name with an address, the referee's own, or one who is umpire of it already.
        PassRunning: a pass is being made.
    """
    named, address = parse_person(person)
    name = " ".join(named.split())
    fault = (
        "write a name and an address, as Bea <bea@example.org>" if not name else address_fault(address, "bea@x.example")
    )
    if fault or is_own(club, address):
        raise ConfigError(f"{person}: {fault or 'this is the address of the referee itself'}")
    with between_passes(club.config.folder), transaction(club.db):
        game = _game(club, game_id)
        known = own_umpires(club, game)
        if any(each.address.lower() == address.lower() or each.name == name for each in known):
            raise ConfigError(f"{name} <{address}>: an umpire of {game} has this name or address already")
        umpire = Umpire(address=address, name=name)
        _keep(club, game, (*known, umpire), "named", umpire)
    return (*known, umpire)


def remove_umpire(club: Club, game_id: str, address: str) -> tuple[Umpire, ...]:
    """Take somebody off the umpires of a game, tell him, and return those that remain. Raises NotFound, PassRunning."""
    with between_passes(club.config.folder), transaction(club.db):
        game = _game(club, game_id)
        known = own_umpires(club, game)
        gone = next((each for each in known if each.address.lower() == address.lower()), None)
        if gone is None:
            there = ", ".join(f"{each.name} <{each.address}>" for each in known) or "none but the club's"
            raise NotFound(f"nobody at {address} is an umpire of {game} (there is {there})")
        remain = tuple(each for each in known if each != gone)
        _keep(club, game, remain, "removed", gone)
    return remain


def umpires_named(club: Club, game_id: str) -> tuple[Umpire, ...]:
    """Return the umpires that a game has of its own. Raises NotFound."""
    return own_umpires(club, _game(club, game_id))


def _game(club: Club, game_id: str) -> str:
    waiting = opengames.known(club.db, game_id)
    return waiting.id if waiting is not None and waiting.is_open else games.game(club.db, game_id).id


def _keep(club: Club, game: str, umpires: tuple[Umpire, ...], what: str, umpire: Umpire) -> None:
    """Write who is umpire now, and tell whom it concerns. Inside a transaction."""
    row, now = games.known(club.db, game), club.clock()
    keep_umpires(club, game, umpires)
    outbox.log(
        club.db, LogRow(at=now, game=row.id if row else None, what=f"umpire-{what}", text=f"{game}: {umpire.name}")
    )
    if row is not None:  # who led a game before it began stands in its log with its beginning
        log_act(club, game, row.turn, "umpire", {what: umpire.name})
    key = f"umpire:{what}:{game}:{umpire.address}:{now:%Y%m%d%H%M%S}"
    code = code_of_umpire(club, game, umpire, key) if what == "named" else None
    if code is not None:
        codes.issue(club.db, code)
    occasion = Occasion(key=key, kind=f"umpire-{what}", tag=tag_of_code(code) if code else None)
    others = [each.name for each in umpires if each != umpire]
    letter = to_umpire(club, occasion, {"tag": game, "others": others}, row.id if row else None, to=umpire.address)
    if letter is not None:
        outbox.put(club.db, letter)
