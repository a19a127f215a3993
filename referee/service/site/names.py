"""How players appear on the club's pages: as they said themselves, else as the club says; those of an anonymous game by their
companies until it is over, whatever anybody said.
"""

from __future__ import annotations

from msgspec.structs import replace

from referee.config import Config
from referee.service.club.club import Club
from referee.service.post.appearance import COMPANY, fact_name
from referee.store import games
from referee.store.club import facts
from referee.store.database.rows import GameRow, PlayerRow


def public_players(club: Club, row: GameRow) -> tuple[PlayerRow, ...]:
    """Return a game's players with the names that pages show; no address."""
    players = games.players(club.db, row.id)
    said = facts(club.db, (fact_name(each.address) for each in players))
    veiled = row.anonymous and row.status == "running"
    return tuple(
        replace(each, name=(each.company or each.code) if veiled else shown_name(club.config, each, said), address="")
        for each in players
    )


def shown_name(config: Config, player: PlayerRow, said: dict[str, str]) -> str:
    """Return how a player appears; by his company's name where it is nobody's business who he is."""
    return person(config, player, said) or player.company or player.code


def person(config: Config, player: PlayerRow, said: dict[str, str]) -> str:
    """Return under what name a person's games are counted together, "" where nobody shall know that they are one's."""
    chosen = said.get(fact_name(player.address)) or (player.name if config.publish.names == "names" else COMPANY)
    return "" if chosen == COMPANY else chosen
