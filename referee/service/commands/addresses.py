"""A player's address: what the umpire sees of it and does about it, and what follows when there is another one."""

from __future__ import annotations

from msgspec.structs import replace

from referee.config import address_fault
from referee.core.address import mailbox, typed
from referee.core.errors import ConfigError
from referee.service.club.acts import log_act
from referee.service.club.club import Club
from referee.service.club.positions import Position
from referee.service.commands.playercodes import seat_of, send_code
from referee.service.letters.identify import is_own
from referee.service.post.codes import are_used
from referee.service.post.writing import Occasion, player_values, render, to_player, to_somebody
from referee.store import addresschanges, games, held, outbox
from referee.store.club import move_facts_of_reader
from referee.store.database.database import transaction
from referee.store.database.rows import LogRow, PlayerRow


def address_of_player(club: Club, game_id: str, code: str) -> str:
    """Return where letters to a player go. Raises NotFound."""
    return seat_of(club, game_id, code)[1].address


def give_address(club: Club, game_id: str, code: str, text: str) -> str:
    """Have letters to a player go to another address in all his games, and return it. The umpire wants it: nobody need confirm
    it, both addresses are told.

    Raises:
        NotFound: there is no such game or player.
        ConfigError: no letters can be sent there, or it is another player's in one of his games.
    """
    after = typed(text)
    with transaction(club.db):
        position, player = seat_of(club, game_id, code)
        fault = address_fault(text, "ann@example.org") or _taken(club, player, after)
        if fault:
            raise ConfigError(f"player {player.code}: {fault}")
        if after.lower() == player.address.lower():
            return player.address
        key = f"given:{player.game}:{player.code}:{held.epoch(club.db, player.game, player.code) + 1}"
        there, here = (Occasion(key=f"{key}:{side}", kind="address", turn=position.row.turn) for side in ("new", "old"))
        move(club, position, player, after, there, here, by_umpire=True)
    return after


def move(
    club: Club, position: Position, player: PlayerRow, after: str, there: Occasion, here: Occasion, *, by_umpire: bool
) -> None:
    """Give every seat that is held from a player's address another one, and new codes: whoever reads at the old one has those of
    before. Both addresses are told, the new one *there*, the old one *here*. Inside a transaction.
    """
    seats = games.seats_of(club.db, player.address)
    for seat in seats:
        addresschanges.forget(club.db, seat.game, seat.code)
        held.renew(club.db, seat.game, seat.code)
        outbox.log(club.db, LogRow(at=club.clock(), game=seat.game, what="address-changed", text=seat.code))
        if by_umpire:
            log_act(club, seat.game, games.game(club.db, seat.game).turn, "address", {"player": seat.code})
    addresschanges.move(club.db, player.address, after)
    move_facts_of_reader(club.db, player.address, after)
    _tell_both(club, position, player, after, there, here, by_umpire)
    if are_used(club):
        _send_codes(club, [each for each in seats if (each.game, each.code) != (player.game, player.code)])


def _tell_both(
    club: Club, position: Position, player: PlayerRow, after: str, there: Occasion, here: Occasion, by_umpire: bool
) -> None:
    values = {"player": player_values(player), "by_umpire": by_umpire}
    now = replace(player, address=after)
    rendered = render(club, "address", position, now, {**values, "state": "moved"})
    outbox.put(club.db, to_player(club, position, now, rendered, there))
    rendered = render(club, "address", position, player, {**values, "state": "left"})
    outbox.put(club.db, to_somebody(club, position, player.address, rendered, here))


def _send_codes(club: Club, seats: list[PlayerRow]) -> None:
    for seat in seats:
        position = club.positions.of(club.db, games.game(club.db, seat.game))
        if position.row.status == "running":
            send_code(club, position, position.player(seat.code), moved=True)


def _taken(club: Club, player: PlayerRow, after: str) -> str:
    """Return why an address cannot be this player's, "" if it can."""
    if is_own(club, after):
        return f"{after} is the referee's own address: a player needs another"
    for seat in games.seats_of(club.db, player.address):
        others = (each for each in games.players(club.db, seat.game) if each.code != seat.code)
        rival = next((each.code for each in others if mailbox(each.address) == mailbox(after)), "")
        if rival:
            return f"{after} is the address of {rival} in {seat.game}"
    return ""
