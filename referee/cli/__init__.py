"""The umpire's commands: arguments come in, the service is called, lines go out, for people and scripts alike."""

from __future__ import annotations

import sys
from io import TextIOWrapper

import click

from referee import __version__
from referee.cli.base import Commands, LazyCommands, Where, configure
from referee.config import Log, wants_colours
from referee.config.settings import LOG_FORMATS

# By the groups of `referee --help` and docs/commands.md, the everyday ones first.
PLACES = {
    "Each day": {
        "status": "status:status",
        "letters": "post:letters_",
        "letter": "post:letter",
        "outbox": "post:outbox",
        "tick": "tick:tick",
        "run": "tick:run",
    },
    "A turn": {
        "orders": "desk:orders",
        "preview": "desk:preview",
        "newsletter": "post:newsletter",
        "board": "post:board",
        "play": "clock:play",
        "dice": "clock:dice",
        "deadline": "clock:deadline",
        "calendar": "clock:calendar",
        "hold": "clock:hold",
        "resume": "clock:resume",
        "remind": "clock:remind",
        "accept": "desk:accept",
        "note": "desk:note",
        "write": "clock:write",
        "adjust": "desk:adjust",
        "undo": "desk:undo",
        "explain": "desk:explain",
        "log": "desk:log",
    },
    "Games": {
        "game": "games:game",
        "desk": "publish:desk",
        "zine": "publish:zine",
        "publish": "publish:publish",
    },
    "Players": {
        "players": "players:players",
        "replace": "players:replace",
        "standby": "players:standby",
        "code": "players:code",
        "language": "players:language",
        "address": "players:address",
        "forget": "setup:forget",
    },
    "Set-up": {
        "practice": "practice:practice",
        "demo": "practice:demo",
        "setup": "setup:setup",
        "init": "games:init",
        "import": "games:import_",
        "backup": "setup:backup",
    },
    "Checks": {
        "doctor": "audit:doctor",
        "read": "post:read",
        "verify": "audit:verify",
        "replay": "audit:replay",
    },
    "Mapmakers": {
        "map": "maps:map_",
        "scenario": "maps:scenario",
    },
    "For programs": {
        "metrics": "status:metrics",
        "render": "post:render",
    },
}


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
    ctx.obj = Where(club, log)
