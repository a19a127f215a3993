"""Where letters to a player go."""

from __future__ import annotations

import click

from referee.cli.base import Where
from referee.cli.options import GAME
from referee.cli.printing import say
from referee.service.commands.addresses import address_of_player, give_address


@click.command()
@GAME
@click.argument("player", metavar="PLAYER")
@click.argument("new", metavar="[ADDRESS]", required=False)
@click.pass_obj
def address(where: Where, game_id: str, player: str, new: str | None) -> None:
    """Print the address that letters to PLAYER go to, or give him another one.

    With ADDRESS all his games have it at once, whoever reads there: ask him before. He has new codes then, and the next
    `referee tick` tells both addresses. So a player can go on whose mailbox is lost, and what a rival did is undone.
    """
    with where.opened() as club:
        sentence = give_address(club, game_id, player, new) if new else address_of_player(club, game_id, player)
    say(sentence)
