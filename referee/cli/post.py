"""The post: letters, newsletters, boards."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import click

from referee.cli.base import Where, write_file
from referee.cli.desk import say_done
from referee.cli.printing import JSON, CommandMaker, hand_out, list_rows, say, say_json, utc
from referee.core.errors import ConfigError, NotFound
from referee.core.texts.wording import counted
from referee.report.paper import A3_SIDE, LONG_SIDE, board_file, check_ending
from referee.service.letters.limits import read_again
from referee.service.post.deliver import retry as retry_letters
from referee.service.post.deliver import why_paused
from referee.service.turns.reprint import faces_of_turn, paper_of_turn
from referee.service.umpire import overview
from referee.service.umpire.commandacts import Command, read_back
from referee.service.umpire.logbook import WORD, given_away
from referee.service.umpire.logbook import correspondence as exchanged
from referee.store import letters
from referee.store import outbox as outgoing
from referee.store.rows import LetterRow, OutboxRow

command = CommandMaker(__file__)

log = logging.getLogger(__name__)

HEADS = {
    "number": "no",
    "arrived": "arrived",
    "status": "status",
    "sender": "sender",
    "game": "game",
    "reason": "reason",
}


@command("read")
def read(where: Where, file: Path, game_id: str, as_json: bool) -> None:
    """Say what a letter would be understood as.

    FILE is the letter as a mail program saves it (.eml); nothing is stored and nobody is answered.
    """
    with where.opened() as club:
        read_as = overview.read_as(club, file.read_bytes(), game_id)
    if as_json:
        values: dict[str, Any] = {"sender": read_as.sender, "subject": read_as.subject, "reason": read_as.reason}
        values |= {"unproved": read_as.unproved}
        if read_as.told is not None:
            values |= {"game": read_as.game, "player": read_as.player, "turn": read_as.turn, **read_as.told}
        say_json(values)
    elif read_as.reason:
        say(f"not taken: {read_as.reason} (from {read_as.sender or 'nobody'})")
    else:
        if read_as.unproved:
            say(f"referee: it would wait for its player's word: {read_as.unproved}", err=True)
        say(read_as.reply.removesuffix("\n"))


@command("letters")
def letters_(where: Where, wanted: str | None, code: str | None, number: int | None, as_json: bool) -> None:
    """List the letters received, or say what was read from the one of that NUMBER.

    A line each: number, arrival, status, sender, game, reason: on a terminal a table, in a pipe with tabs and times in UTC. Of
    one letter what became of it, the lines that are orders, and the answer to it.
    """
    if code is not None:
        with where.opened() as club:
            told = exchanged(club, code)
        if as_json:
            say_json(told)
        for each in () if as_json else told:
            way = f"you to {each.player}" if each.kind == WORD else f"{each.player} to you"
            hand_out(f"{utc(each.arrived)}\t{each.game}\t{way}\n{each.text}\n\n")
        return
    if number is not None:
        with where.opened() as club:
            text, row = read_back(club, number), letters.letter(club.db, number)
        if as_json:
            say_json({**_listed(row), "subject": row.subject, "player": row.player, "read": text})
        else:
            hand_out(f"{text}\n")
        return
    with where.opened() as club:
        rows = [_listed(row) for row in letters.listed(club.db, wanted or "")]
        list_rows(rows, HEADS, club.config.zone, as_json=as_json)


def _listed(row: LetterRow) -> dict[str, object]:
    return {"number": row.id} | {name: getattr(row, name) for name in HEADS if name != "number"}


@command("letter")
def letter(
    where: Where,
    number: int,
    trace: bool,
    is_read: bool,
    again: bool,
    is_released: bool,
    is_discarded: bool,
    because: str,
    anonymise: bool,
    raw: bool,
) -> None:
    """Print a letter as it came, byte by byte, or say what becomes of one that waits.

    On a terminal whatever would steer it stands as `\\x1b` or the like. A letter is held that is not proved to be its player's,
    and parked that was too large, too costly, one of too many, or failed.

    Examples: referee letter 214 --release --because "Ann read it to me on the telephone."

    referee letter 215 --discard

    referee letter 216 --anonymise > misread.eml
    """
    if sum((trace, is_read, again, is_released, is_discarded, anonymise)) > 1:
        raise click.UsageError("one of --trace, --read, --again, --release, --discard and --anonymise is possible")
    with where.opened() as club:
        if is_released or is_discarded:
            name = "RELEASE" if is_released else "DISCARD"
            say_done(club, Command(line=name, name=name, words=(str(number),), reason=because))
            return
        if again:
            read_again(club, number)
            say(f"letter {number} is read by the next `referee tick`")
            return
        row = letters.letter(club.db, number)
        text = read_back(club, number) if is_read else ""
        given = given_away(club, number) if anonymise else b""
    if is_read:
        hand_out(f"{text}\n")
    elif not row.raw:
        raise NotFound(f"letter {number} is kept without its words: `[retention]`, or its writer is forgotten")
    elif trace:
        say(row.trace or row.reason or row.status)
    else:
        hand_out(given or row.raw, raw=raw)
        if anonymise:
            say("referee: look it over: what only its own words tell of somebody stays, files are left out", err=True)


@command("newsletter")
def newsletter(
    where: Where,
    game_id: str,
    turn: int | None,
    player: str,
    edition: int | None,
    pdf: Path | None,
    paper: str,
    map_paper: str,
) -> None:
    """Print the newsletter of a turn.

    Turn 0 is the opening; if none is named, it is the last turn played.
    """
    with where.opened() as club:
        if pdf is not None:
            write_file(pdf, paper_of_turn(club, game_id, turn, player, paper, map_paper))
            return
        hand_out(overview.newsletter(club, game_id, turn, player, edition))


@command("render")
def render(where: Where, game_id: str, folder: Path, turn: int | None, player: str, language: str) -> None:
    """Write a newsletter with all its faces into DIR, as today's templates have it.

    The text (.txt), the page with its pictures in it (.html), the pictures (.png), the drawing (.svg), the position (.json)
    and all of it on paper (.pdf), as they would be mailed; nothing is sent. A template of yours that is broken is told with
    file and line. A line for each file. Example:

    referee render RR7 look --player GSW
    """
    with where.opened() as club:
        made = faces_of_turn(club, game_id, turn, player, language)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{folder} cannot be made: {error.strerror}") from error
    for name, content in made.items():
        write_file(folder / name, content)
        say(str(folder / name))


@command("board")
def board(
    where: Where, game_id: str, output: Path | None, company: str, paper: bool, keepsake: bool, width: int
) -> None:
    """Draw the board of a game as it stands."""
    if output is not None:
        check_ending(output.suffix.lower())
    with where.opened() as club:
        drawing = overview.board_drawing(club, game_id, company, paper, keepsake=keepsake)
    if output is None:
        hand_out(f"{board_file(drawing, '.svg', width).decode()}\n")
    else:
        long_side = A3_SIDE if keepsake else LONG_SIDE
        write_file(output, board_file(drawing, output.suffix.lower(), width, long_side))


# Letters of ours that have not left yet.

WAITING_HEADS = {
    "number": "no",
    "status": "status",
    "tries": "tries",
    "next_try": "next try",
    "recipient": "recipient",
    "game": "game",
    "what": "what",
    "reason": "reason",
}


@click.group(invoke_without_command=True)
@JSON
@click.pass_context
def outbox(ctx: click.Context, as_json: bool) -> None:
    """List the letters that wait to be sent, or have failed.

    A line each: number, status, tries, next try, recipient, game, what it is, reason: on a terminal a table, in a pipe with tabs
    and times in UTC. If the mail server is left alone for a while, stderr says why.
    """
    if ctx.invoked_subcommand is not None:
        return
    with ctx.obj.opened() as club:
        rows = [_told(row) for row in outgoing.unsent(club.db)]
        list_rows(rows, WAITING_HEADS, club.config.zone, as_json=as_json)
        paused = why_paused(club)
    if paused:
        say(f"referee: {paused}", err=True)


@command("outbox retry", outbox)
def retry(where: Where, numbers: tuple[int, ...], failed: bool) -> None:
    """Send letters with the next pass: those of these NUMBERs, else all that wait.

    The mail server is tried again at once, even if it was to be left alone.
    """
    if numbers and failed:
        raise click.UsageError("name letters by number, or all that have failed with --failed, not both")
    with where.opened() as club:
        count = retry_letters(club, numbers, failed=failed)
    say(f"{counted(count, 'letter is', 'letters are')} sent with the next pass")


def _told(row: OutboxRow) -> dict[str, object]:
    return {
        "number": row.id,
        "status": row.state,
        "tries": row.attempts,
        "next_try": row.next_try,
        "recipient": row.recipient,
        "game": row.game,
        "what": row.kind,
        "reason": row.error,
    }
