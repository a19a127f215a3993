"""In which language a player is written to."""

from __future__ import annotations

import click

from referee.cli.base import Where
from referee.cli.printing import say
from referee.service.commands.language import language_of_player


@click.command()
@click.argument("game_id", metavar="GAME")
@click.argument("player", metavar="PLAYER")
@click.argument("new", metavar="[LANGUAGE]", required=False)
@click.pass_obj
def language(where: Where, game_id: str, player: str, new: str | None) -> None:
    """Print the language that PLAYER is written to in, or give him another one.

    With LANGUAGE, as de, all his letters are in it from the next one on, in all his games. By mail he says so himself. Example:

    referee language RR7 GSW de
    """
    with where.opened() as club:
        said = language_of_player(club, game_id, player, new or "")
    say(said)
