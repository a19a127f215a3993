"""What commands print: players, strangers and servers have a word in it, and nothing that they wrote may steer a terminal."""

from __future__ import annotations

import json
import sqlite3
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, BinaryIO, TypeVar
from zoneinfo import ZoneInfo

import click
from msgspec.structs import asdict

from referee.config import club_folder, read_config
from referee.core import RefereeError, Words
from referee.store import all_names, open_for_reading

_STEERING = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")  # categories of Unicode


def visible(text: str, kept: str = "\n\t") -> str:
    r"""Return *text* with ``\x1b`` in the place of what a terminal would obey or hide, but for the characters *kept*.

    From DEL on it is ``\u009b``: so JSON stays JSON, which has such escapes and writes all before as one anyway.
    """
    if text.isprintable():
        return text
    return "".join(_visible(letter) if letter not in kept else letter for letter in text)


def say(text: str, *, err: bool = False, end: str = "\n") -> None:
    """Print a line, or lines; *end* "" leaves the last one open, for an answer to be typed."""
    click.echo(visible(text) + end, err=err, nl=False)


def say_row(*fields: str) -> None:
    """Print a line of fields with tabs between them, which none of them holds."""
    click.echo("\t".join(visible(field, "") for field in fields))


def say_coloured(*parts: tuple[str, str | None]) -> None:
    """Print a line of parts, each with its colour (of click, ``bold``, or None), which what is no terminal is never sent."""
    styled = (
        click.style(visible(text, ""), fg=None if colour == "bold" else colour, bold=colour == "bold" or None)
        for text, colour in parts
    )
    click.echo("".join(styled))


def is_terminal() -> bool:
    """Return whether a person reads what is printed, as far as one can know."""
    return sys.stdout.isatty()


def hand_out(content: str | bytes, *, raw: bool = False) -> None:
    """Print what a program may want as it is: into a file or a pipe every byte, but on a terminal what people can read unless it
    is wanted *raw*.
    """
    if raw or not is_terminal():
        click.echo(content, nl=False)
        return
    text = content.decode("utf-8", "backslashreplace") if isinstance(content, bytes) else content
    click.echo(visible(text.replace("\r\n", "\n")), nl=not text.endswith("\n"))


def _visible(letter: str) -> str:
    if unicodedata.category(letter) not in _STEERING:
        return letter
    return f"\\x{ord(letter):02x}" if letter < "\x7f" else json.dumps(letter)[1:-1].replace("\x7f", "\\u007f")


# Bars that show how far long work is: on a terminal alone, and on stderr, so that no script reads them.

Each = TypeVar("Each")


def is_watched() -> bool:
    """Return whether anybody would see a bar."""
    return sys.stderr.isatty()


def show_progress(what: str, steps: Iterable[Each], number: int) -> Iterator[Each]:
    """Yield so many *steps* of a work, with a bar called *what* where somebody sees it."""
    if not is_watched():
        yield from steps
        return
    with click.progressbar(steps, length=number, label=what, file=sys.stderr) as bar:
        yield from bar


class Percent:
    """A bar for work that tells how much of it remains."""

    def __init__(self, what: str) -> None:
        """*what*: its name."""
        self._done = 0
        self._bar = click.progressbar(length=100, label=what, file=sys.stderr)

    def __call__(self, remaining: int, whole: int) -> None:
        """Show that *remaining* of the *whole* are still to be done."""
        now = 100 - 100 * remaining // max(whole, 1)
        self._bar.update(now - self._done)
        self._done = now
        if not remaining:
            self._bar.render_finish()


def utc(time: datetime) -> str:
    """Return a time as scripts like it: 2026-12-04T20:00:00Z."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


# Listings: on a terminal a table under a heading, in a pipe a line each with tabs, with ``--json`` objects.

Row = Mapping[str, Any]  # a text, number, truth or time by name, None where there is nothing

COLOURS = {"ok": "green"} | dict.fromkeys(("held", "refused", "warning"), "yellow")
COLOURS |= dict.fromkeys(("parked", "failed", "fault"), "red")


def list_rows(rows: Iterable[Row], heads: Words, zone: str, *, as_json: bool) -> None:
    """Print rows; *heads*: the heading of each column by its name, in their order. As JSON the whole of each row is printed.

    Times are local (*zone*) on a terminal, else in UTC as scripts like them.
    """
    if as_json:
        say_json([dict(row) for row in rows])
    elif is_terminal():
        # Columns stand below one another; words for trouble have a colour.
        table = ([_cell(row[name], zone) for name in heads] for row in rows)
        for number, cells in enumerate(pad((heads.values(), *table))):
            spaced = [f"{cell}  " for cell in cells[:-1]] + [cells[-1].rstrip()]
            say_coloured(*((cell, COLOURS.get(cell.strip()) if number else "bold") for cell in spaced))
    else:
        for row in rows:
            say_row(*(_plain(row[name]) for name in heads))


def say_json(value: object) -> None:
    """Print something as JSON, values by their fields, times as ``2026-12-04T20:00:00Z``."""
    say(
        json.dumps(
            value,
            default=lambda each: utc(each) if isinstance(each, datetime) else asdict(each),
            ensure_ascii=False,
            indent=1,
        )
    )


def pad(rows: Iterable[Iterable[str]]) -> list[list[str]]:
    """Return the cells of a table as wide as their columns."""
    shown = [[visible(cell, "") for cell in row] for row in rows]
    widths = [max(map(_width, column)) for column in zip(*shown, strict=True)]
    return [[cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)] for row in shown]


def _width(text: str) -> int:
    from wcwidth import wcswidth  # here, because its tables take longer to read than a pass

    return max(0, wcswidth(text))


def _cell(value: Any, zone: str) -> str:
    if isinstance(value, datetime):
        return f"{value.astimezone(ZoneInfo(zone)):%a %Y-%m-%d %H:%M}"
    return _plain(value)


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        return utc(value)
    return "-" if value in (None, "") else str(value)


# Options that several commands have, so that they are named, explained and refused alike.


def games_known(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Return the ids of games that a shell may complete a word with: none where no club can be looked into."""
    try:
        with open_for_reading(read_config(club_folder(ctx.find_root().params.get("club"))).database) as db:
            return sorted(name for name in all_names(db) if name.startswith(incomplete.upper()))
    except (RefereeError, sqlite3.Error):
        return []


GAME = click.argument("game_id", metavar="GAME", shell_complete=games_known)
PASSPHRASE = click.option(
    "--passphrase-file",
    "passphrase",
    type=click.File("rb"),
    help="Take the passphrase from a file; else it is asked for.",
)
FILE = click.option(
    "--file", type=click.File("rb"), help="Take the words from a file, - for what is typed or piped in."
)
YES = click.option("--yes", is_flag=True, help="Do not ask.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

READ = "Why, in the words that the players read."


def because(words: str = READ, *, needed: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option ``--because``: where it is *needed*, a command line without it, or with no words in it, is wrong."""
    checked = _some_words if needed else None
    given: dict[str, Any] = {"required": True} if needed else {"default": ""}
    return click.option("--because", metavar="TEXT", help=words, callback=checked, **given)


def ask_for_yes() -> None:
    """Raises UsageError where nobody can be asked, Abort where the answer is no."""
    if not sys.stdin.isatty():
        raise click.UsageError("nothing was changed: nobody can be asked here, so say --yes if it is to be so")
    click.confirm("Shall it be so?", abort=True)


def asked_passphrase(file: BinaryIO | None, *, again: bool = False) -> str:
    """Return the passphrase in a file, without the end of its line; else ask for it, *again* where nobody could know a slip."""
    if not file:
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
