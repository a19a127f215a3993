"""The umpire's commands: read arguments, call the service, print. What they print on stdout is for people and scripts alike."""

from __future__ import annotations

import click

from referee import __version__
from referee.cli import backup, checks, code, dice, doctor, games, maps, outbox, post, scenario, show
from referee.cli.base import Commands, Where
from referee.cli.logs import configure
from referee.config import Log


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--club", metavar="DIR", help="The club's folder; else $REFEREE_CLUB, else the current folder.")
@click.version_option(__version__, message="%(version)s")
@click.pass_context
def main(ctx: click.Context, club: str | None) -> None:
    """Referee railway games played by post: letters in, newsletters out.

    Exit codes: 0 done, 1 a check found a difference, 2 a wrong command line, 65 no such thing,
    70 a fault of ours, 75 try again later, 78 mend the configuration.
    """
    configure(Log(level="warning", format="text"))  # until a club's settings are read
    ctx.obj = Where(club)


for command in (
    games.init,
    games.game,
    games.status,
    dice.dice,
    post.tick,
    post.run,
    post.read,
    post.letters_,
    post.letter,
    code.code,
    outbox.outbox,
    post.newsletter,
    post.board,
    checks.replay,
    maps.map_,
    checks.verify,
    doctor.doctor,
    backup.backup,
    scenario.scenario,
    show.demo,
):
    main.add_command(command)
