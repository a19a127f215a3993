"""The umpire's own words to players, sent at once."""

from __future__ import annotations

from typing import BinaryIO

import click

from referee.cli.base import Where
from referee.cli.desk import text_in
from referee.cli.printing import hand_out, say
from referee.service.umpire import words
from referee.store import games


@click.command()
@click.argument("said", metavar="[GAME] [PLAYER]... [TEXT]", nargs=-1)
@click.option("--file", type=click.File("rb"), help="Take the words from a file, - for what is typed or piped in.")
@click.option("--all-games", is_flag=True, help="To the players of all games that run.")
@click.option("--observers", is_flag=True, help="To who watches, too.")
@click.option("--preview", is_flag=True, help="Print the letter as its first reader would have it; nothing is sent.")
@click.pass_obj
def write(
    where: Where, said: tuple[str, ...], file: BinaryIO | None, all_games: bool, observers: bool, preview: bool
) -> None:
    """Write to the players of a game, or to some of them, at once and in your own words.

    TEXT stands last and is quoted. Each has a letter of his own in his language, with the deadline; the answers go to your
    address. What goes to all stands in the game's log; of other letters it says to whom. A line for each game: its id, and to
    whom was written.

    Examples: referee write RR7 "The server moves on Friday; the deadline stands."

    referee write RR7 MGW GSW --file words.txt --preview
    """
    rest = [*said]
    if file is None and not rest:
        raise click.UsageError("the words are missing: name them last, quoted, or say --file")
    text = text_in(file) if file is not None else rest.pop()
    if not all_games and not rest:
        raise click.UsageError('name a game, as `referee write RR7 "..."`, or say --all-games')
    if all_games and rest:
        raise click.UsageError(
            f"--all-games goes to all players of all games: {' '.join(rest)} cannot be named with it"
        )
    with where.opened() as club:
        names = [row.id for row in games.running_games(club.db)] if all_games else [rest[0]]
        for name in names:
            if preview:
                hand_out(words.shown(club, name, rest[1:], text))
                continue
            to = words.write(club, name, rest[1:], text, observers=observers)
            say(f"{name.upper()}: {' '.join(to)}; the letters leave with the next pass")
