"""Commands that check: replaying what was played."""

from __future__ import annotations

import click

from referee.cli.base import SOFTWARE, Where
from referee.service.replay import chain_end
from referee.service.replay import replay as replayed
from referee.store import games


@click.command()
@click.argument("game_id", metavar="GAME")
@click.pass_obj
def replay(where: Where, game_id: str) -> None:
    """Play a game's stored turns again and compare.

    Each turn is adjudicated from its stored orders and seed; events and states must be the same, byte by byte.
    """
    with where.opened() as club:
        name = games.game(club.db, game_id).id
        compared = list(replayed(club, name))
        for each in compared:
            result = f"differs: {', '.join(each.differs)}" if each.differs else "same"
            click.echo(
                f"{name}\tturn {each.turn}\trules {each.rules}\t{each.events} events\t{each.size} bytes\t{result}"
            )
        click.echo(f"{name}\tend of the chain of seeds\t{chain_end(club, name)}")
    if any(each.differs for each in compared):
        raise click.exceptions.Exit(SOFTWARE)
