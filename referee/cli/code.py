"""The code by which a player's letters are known."""

from __future__ import annotations

import click

from referee.cli.base import Where
from referee.cli.options import GAME
from referee.cli.printing import say
from referee.service.commands.playercodes import current
from referee.service.commands.playercodes import renew as renew_code
from referee.service.post.codes import address_of


@click.command()
@GAME
@click.argument("player", metavar="PLAYER")
@click.option("--renew", is_flag=True, help="Make older codes void and send the player a new one.")
@click.pass_obj
def code(where: Where, game_id: str, player: str, renew: bool) -> None:
    """Print the code that PLAYER's letters to a game carry now: a secret.

    A line with the address, where the club uses such addresses, and a line with what the subject holds. With --renew the codes
    of all earlier letters are void, and a letter with the new one leaves with the next `referee tick`.
    """
    with where.opened() as club:
        tag = renew_code(club, game_id, player) if renew else current(club, game_id, player)
        address = address_of(club, tag)
    if address:
        say(address)
    say(f"[{tag}]")
