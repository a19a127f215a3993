"""Options that several commands have, so that they are named, explained and refused alike."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

import click

from referee.config import club_folder, read_config
from referee.core.errors import RefereeError
from referee.store.database.database import open_for_reading
from referee.store.games import all_names


def _games(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Return the ids of games that a shell may complete a word with: none where no club can be looked into."""
    try:
        with open_for_reading(read_config(club_folder(ctx.find_root().params.get("club"))).database) as db:
            return sorted(name for name in all_names(db) if name.startswith(incomplete.upper()))
    except (RefereeError, sqlite3.Error):
        return []


GAME = click.argument("game_id", metavar="GAME", shell_complete=_games)
PASSPHRASE = click.option(
    "--passphrase-file",
    "passphrase",
    type=click.File("rb"),
    help="Take the passphrase from a file; else it is asked for.",
)
YES = click.option("--yes", is_flag=True, help="Do not ask.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

_READ = "Why, in the words that the players read."


def because(words: str = _READ, *, needed: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option ``--because``: where it is *needed*, a command line without it, or with no words in it, is wrong."""
    checked = _some_words if needed else None
    given: dict[str, Any] = {"required": True} if needed else {"default": ""}
    return click.option("--because", metavar="TEXT", help=words, callback=checked, **given)


def ask_whether(question: str) -> None:
    """Raises UsageError where nobody can be asked, Abort where he says no."""
    if not sys.stdin.isatty():
        raise click.UsageError("nothing was changed: nobody can be asked here, so say --yes if it is to be so")
    click.confirm(question, abort=True)


def asked_passphrase(file: BinaryIO | None, *, again: bool = False) -> str:
    """Return the passphrase in a file, without the end of its line; else ask for it, *again* where nobody could know a slip."""
    if file is None:
        return str(click.prompt("Passphrase", hide_input=True, confirmation_prompt=again))
    return file.read().decode("utf-8", "replace").rstrip("\r\n")


def check_because(because: str, change: str) -> None:
    """Raises UsageError: a *change* (``a new deadline``) is wanted, without a reason."""
    if not because.strip():
        raise click.UsageError(f'{change} needs its reason: --because "the words that the players are to read"')


def _some_words(_: click.Context, parameter: click.Parameter, value: str) -> str:
    if not value.strip():
        raise click.BadParameter("there are no words in it: the players read them", param=parameter)
    return value
