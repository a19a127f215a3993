"""The umpire's commands: arguments come in, the service is called, lines go out, for people and scripts alike."""

from __future__ import annotations

import sys
from io import TextIOWrapper

import click

from referee import __version__
from referee.config import Log, wants_colours
from referee.config.settings import LOG_FORMATS

from .base import PLACES, ClubFolder, Commands, LazyCommands, configure


@click.group(
    cls=Commands,
    commands=LazyCommands(PLACES),
    groups=PLACES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--club", metavar="DIR", help="The club's folder; else $REFEREE_CLUB, else the current folder.")
@click.option(
    "--log", type=click.Choice(LOG_FORMATS), help="How the log is written on stderr; else as the club's settings say."
)
@click.version_option(__version__, message="%(version)s")
@click.pass_context
def main(ctx: click.Context, club: str | None, log: str | None) -> None:
    """Referee railway games played by post: letters in, newsletters out.

    Exit codes: 0 done, 1 a check found a difference, 2 a wrong command line, 65 no such thing,
    70 a fault of ours, 74 the database is damaged, 75 try again later, 78 mend the configuration.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # not everybody's terminal knows all the letters that people write
            stream.reconfigure(errors="backslashreplace")
    configure(Log(level="warning", format=log or "text"))  # until a club's settings are read
    if not wants_colours():
        ctx.color = False
    ctx.obj = ClubFolder(club, log)
