"""The umpire's commands: arguments come in, the service is called, lines go out, for people and scripts alike."""

from __future__ import annotations

import click

from referee import __version__
from referee.cli.base import Commands, Where
from referee.cli.lazy import LazyCommands
from referee.cli.logs import configure
from referee.config import Log, wants_colours

PLACES = {
    "setup": "setup:setup",
    "init": "games:init",
    "game": "games:game",
    "import": "games:import_",
    "status": "status:status",
    "log": "desk:log",
    "undo": "desk:undo",
    "orders": "desk:orders",
    "accept": "desk:accept",
    "adjust": "desk:adjust",
    "preview": "desk:preview",
    "explain": "desk:explain",
    "note": "desk:note",
    "dice": "dice:dice",
    "deadline": "clock:deadline",
    "hold": "clock:hold",
    "resume": "clock:resume",
    "play": "clock:play",
    "calendar": "clock:calendar",
    "replace": "signups:replace",
    "standby": "signups:standby",
    "players": "players:players",
    "tick": "tick:tick",
    "run": "tick:run",
    "read": "post:read",
    "letters": "post:letters_",
    "letter": "post:letter",
    "code": "players:code",
    "language": "players:language",
    "address": "players:address",
    "outbox": "post:outbox",
    "newsletter": "post:newsletter",
    "board": "post:board",
    "desk": "publish:desk",
    "render": "post:render",
    "publish": "publish:publish",
    "replay": "audit:replay",
    "map": "maps:map_",
    "verify": "audit:verify",
    "doctor": "doctor:doctor",
    "backup": "backup:backup",
    "forget": "backup:forget",
    "scenario": "scenario:scenario",
    "demo": "demo:demo",
    "practice": "practice:practice",
}


@click.group(
    cls=Commands,
    commands=LazyCommands(PLACES),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--club", metavar="DIR", help="The club's folder; else $REFEREE_CLUB, else the current folder.")
@click.version_option(__version__, message="%(version)s")
@click.pass_context
def main(ctx: click.Context, club: str | None) -> None:
    """Referee railway games played by post: letters in, newsletters out.

    Exit codes: 0 done, 1 a check found a difference, 2 a wrong command line, 65 no such thing,
    70 a fault of ours, 74 the database is damaged, 75 try again later, 78 mend the configuration.
    """
    configure(Log(level="warning", format="text"))  # until a club's settings are read
    if not wants_colours():
        ctx.color = False
    ctx.obj = Where(club)
