"""The post: letters, newsletters, boards."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import Any

import click

from referee.cli.base import Where, utc, write_file
from referee.cli.printing import hand_out, say, say_row
from referee.report.files import board_file, check_ending
from referee.service.letters.flood import read_again
from referee.service.umpire import overview
from referee.service.umpire.readback import read_back
from referee.store import letters

log = logging.getLogger(__name__)

LETTERS = ("no", "arrived (UTC)       ", "status", "sender", "game", "reason")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--game", "game_id", metavar="GAME", default="", help="Read it as a letter about this game.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def read(where: Where, file: Path, game_id: str, as_json: bool) -> None:
    """Say what a letter would be understood as.

    FILE is the letter as a mail program saves it (.eml); nothing is stored and nobody is answered.
    """
    with where.opened() as club:
        read_as = overview.read_as(club, file.read_bytes(), game_id)
    if as_json:
        told: dict[str, Any] = {"sender": read_as.sender, "subject": read_as.subject, "reason": read_as.reason}
        told |= {"unproved": read_as.unproved}
        if read_as.told is not None:
            told |= {"game": read_as.game, "player": read_as.player, "turn": read_as.turn, **read_as.told}
        say(json.dumps(told, ensure_ascii=False, indent=1))
    elif read_as.reason:
        say(f"not taken: {read_as.reason} (from {read_as.sender or 'nobody'})")
    else:
        if read_as.unproved:
            say(f"referee: it would wait for its player's word: {read_as.unproved}", err=True)
        say(read_as.reply.removesuffix("\n"))


@click.command("letters")
@click.option(
    "--status",
    "wanted",
    type=click.Choice(["stored", "done", "refused", "parked", "held", "ignored"]),
    help="Only these.",
)
@click.argument("number", type=int, required=False)
@click.pass_obj
def letters_(where: Where, wanted: str | None, number: int | None) -> None:
    """List the letters received, or say what was read from the one of that NUMBER.

    A line each: number, arrival (UTC), status, sender, game, reason, separated by tabs; on a terminal with a heading. Of one
    letter what became of it, the lines that are orders, and the answer to it.
    """
    if number is not None:
        with where.opened() as club:
            hand_out(f"{read_back(club, number)}\n")
        return
    if sys.stdout.isatty():
        say_row(*LETTERS)
    with where.opened() as club:
        for row in letters.listed(club.db, wanted or ""):
            told = (str(row.id), utc(row.arrived), row.status, row.sender or "-", row.game or "-", row.reason or "-")
            say_row(*told)


@click.command()
@click.argument("number", type=int)
@click.option("--trace", is_flag=True, help="Print what went wrong with it instead.")
@click.option("--read", "is_read", is_flag=True, help="Say what was read from it instead, as `referee letters NUMBER`.")
@click.option("--again", is_flag=True, help="Have a parked letter read by the next pass instead.")
@click.option("--raw", is_flag=True, help="On a terminal, too, print every byte as it is.")
@click.pass_obj
def letter(where: Where, number: int, trace: bool, is_read: bool, again: bool, raw: bool) -> None:
    """Print a letter as it came, byte by byte.

    On a terminal whatever would steer it stands as `\\x1b` or the like.
    """
    with where.opened() as club:
        if again:
            read_again(club, number)
            say(f"letter {number} is read by the next `referee tick`")
            return
        row = letters.letter(club.db, number)
        told = read_back(club, number) if is_read else ""
    if is_read:
        hand_out(f"{told}\n")
    elif trace:
        say(row.trace or row.reason or row.status)
    else:
        hand_out(row.raw, raw=raw)


@click.command()
@click.argument("game_id", metavar="GAME")
@click.argument("turn", type=click.IntRange(min=0), required=False)
@click.option("--player", default="", metavar="CODE", help="Whose; else the first player's.")
@click.option(
    "--edition", type=click.IntRange(min=1), help="An earlier one, of a turn that was undone; else the newest."
)
@click.pass_obj
def newsletter(where: Where, game_id: str, turn: int | None, player: str, edition: int | None) -> None:
    """Print the newsletter of a turn.

    Turn 0 is the opening; if none is named, it is the last turn played.
    """
    with where.opened() as club:
        hand_out(overview.newsletter(club, game_id, turn, player, edition))


@click.command()
@click.argument("game_id", metavar="GAME")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A .svg, .png or .pdf file; else SVG is printed.",
)
@click.option("--company", default="", metavar="CODE", help="Shows the lines of this company, or player, alone.")
@click.option("--paper", is_flag=True, help="For printing: white sea, black rivers.")
@click.option("--width", type=click.IntRange(200, 4000), default=1600, show_default=True, help="Width of a PNG.")
@click.pass_obj
def board(where: Where, game_id: str, output: Path | None, company: str, paper: bool, width: int) -> None:
    """Draw the board of a game as it stands."""
    if output is not None:
        check_ending(output.suffix.lower())
    with where.opened() as club:
        drawing = overview.board_drawing(club, game_id, company, paper)
    if output is None:
        hand_out(f"{board_file(drawing, '.svg', width).decode()}\n")
    else:
        write_file(output, board_file(drawing, output.suffix.lower(), width))
