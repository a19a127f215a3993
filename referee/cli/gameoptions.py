"""What a new game shall be, as it is said on the command line: for games made at once and for those that wait for players."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from referee.config import LONGEST
from referee.core.game import PACES
from referee.service.deadlines.rhythms import parse_setting
from referee.service.turns.preview import parse_throw
from referee.service.turns.proposals import Proposal, merged, parse_option, parse_player, read_proposal

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.argument("kind", required=False, default=""),
    click.option(
        "--map",
        "board",
        metavar="NAME",
        default="",
        help="A map of the game or of the club's maps folder, or a .toml file. A game with a single map needs none.",
    ),
    click.option("--preset", default="", help="A set of options; the game's own choice if not given."),
    click.option(
        "--option",
        "options",
        metavar="NAME=VALUE",
        multiple=True,
        help="One option other than the preset's; may be repeated.",
    ),
    click.option(
        "--player",
        "players",
        metavar='"CODE:COLOUR:NAME <ADDRESS>"',
        multiple=True,
        help="One player; repeated for each. With two companies each: GSW+WLW:red+pink:Ann <ann@example.org>.",
    ),
    click.option(
        "--pace", type=click.Choice(PACES), help="All play each turn together, or one player is asked after the other."
    ),
    click.option(
        "--from",
        "file",
        type=click.Path(path_type=Path, dir_okay=False),
        help="A TOML file that says all this, and more.",
    ),
    click.option(
        "--throw",
        "throws",
        metavar="NAME=NUMBER",
        multiple=True,
        help="A throw of the opening by your own dice, as rolls/1/1=5; may be repeated.",
    ),
    click.option("--deadline", default="", metavar="TIME", help="The first deadline, as 2026-12-04T20:00."),
    click.option(
        "--anonymous", is_flag=True, help="Players are known by their companies alone until the game is over."
    ),
    click.option("--days", type=click.IntRange(1, LONGEST), help="Days a turn lasts."),
    click.option(
        "--rhythm",
        "rhythm",
        metavar="NAME=VALUE",
        multiple=True,
        help='What the game says of its deadlines other than the club, as "every=3 weeks" or weekday=Friday; may be repeated.',
    ),
)


def described(command: Command) -> Command:
    """Give a command the options that say what a game shall be; it takes them as keywords for ``proposal_of``."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def proposal_of(said: dict[str, Any]) -> Proposal:
    """Return the game that is meant. Raises ConfigError."""
    days, file = said["days"], said["file"]
    proposal = Proposal(
        kind=said["kind"],
        board=said["board"],
        preset=said["preset"],
        options=tuple(parse_option(text) for text in said["options"]),
        players=tuple(parse_player(text) for text in said["players"]),
        rhythm=({} if days is None else {"days": days}) | dict(parse_setting(text) for text in said["rhythm"]),
        deadline=said["deadline"],
        pace=said["pace"] or "",
        anonymous=said["anonymous"],
        throws=tuple(parse_throw(text) for text in said["throws"]),
    )
    return merged(read_proposal(file), proposal) if file else proposal
