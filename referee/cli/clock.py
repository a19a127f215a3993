"""The umpire's commands about the deadlines of one game, told to all its players and kept in its log; his dice, his words."""

from __future__ import annotations

from typing import BinaryIO

import click

from referee.cli.base import Where
from referee.cli.desk import act, text_in
from referee.cli.printing import CommandMaker, hand_out, say
from referee.service.deadlines import rescheduling
from referee.service.tick import tick
from referee.service.umpire import logbook
from referee.store import games

command = CommandMaker(__file__)

deadline, hold, resume, remind, calendar, dice = map(act, ("DEADLINE", "HOLD", "RESUME", "REMIND", "CALENDAR", "DICE"))


@command("play")
def play(where: Where, game_id: str, turn: int, because: str) -> None:
    """Play the awaited turn now, with the orders that are in.

    The inbox is read first. TURN must be the awaited one, so that the same command given twice plays nothing twice.
    """
    with where.opened() as club:
        row = rescheduling.order_play(club, game_id, turn, because)
        done, name = tick(club), f"{row.id}/{turn}"
    if name in done.turns:
        say(f"{row.id}: turn {turn} was played; letters sent: {done.sent}")
    elif name in done.untyped:
        say(f"{row.id}: turn {turn} waits for throws that you must type: `referee dice {row.id}`")
    else:
        why = "another process makes a pass" if done.elsewhere else "this pass could not play it (see `referee doctor`)"
        say(f"{row.id}: {why}; turn {turn} is played by the next one")


# The umpire's own words to players, sent at once.


@command("write")
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
                hand_out(logbook.letter_shown(club, name, rest[1:], text))
                continue
            to = logbook.write_to(club, name, rest[1:], text, observers=observers)
            say(f"{name.upper()}: {' '.join(to)}; the letters leave with the next pass")
