"""The post: letters, newsletters, boards; pages, order desks, zines."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from referee.config.settings import language_fault
from referee.core import ConfigError, NotFound, Numbers, Texts, count_of
from referee.report.paper import A3_SIDE, LONG_SIDE, board_file, check_ending
from referee.resources import text_from_outside
from referee.service.club import Club
from referee.service.letters.limits import read_again
from referee.service.post.attachments import desk_name, order_desk
from referee.service.post.deliver import retry as retry_letters
from referee.service.post.deliver import why_paused
from referee.service.site.publish import publish as write_pages
from referee.service.turns.newsletters import faces_of_turn, paper_of_turn
from referee.service.umpire import overview
from referee.service.umpire.filing import read_back
from referee.service.umpire.logbook import WORD, give_away
from referee.service.umpire.logbook import correspondence as exchanged
from referee.service.umpire.overview import NAME, club_page, week_of
from referee.service.umpire.zine import zine as made_zine
from referee.service.umpires import Command
from referee.store import LetterRow, letters
from referee.store import outbox as outgoing

from .base import ClubFolder, CommandMaker, write_file
from .desk import say_done
from .printing import JSON, hand_out, list_rows, say, say_json, show_progress, utc

command = CommandMaker(__file__)


@command("read")
def read(club: Club, file: Path, game_id: str, as_json: bool) -> None:
    """Say what a letter would be understood as.

    FILE is the letter as a mail program saves it (.eml); nothing is stored and nobody is answered.
    """
    told = overview.read_as(club, file.read_bytes(), game_id)
    reply = told.pop("reply", "")
    if as_json:
        say_json(told)
    elif told["reason"]:
        say(f"not taken: {told['reason']} (from {told['sender'] or 'nobody'})")
    else:
        if told["unproved"]:
            say(f"referee: it would wait for its player's word: {told['unproved']}", err=True)
        say(reply.removesuffix("\n"))


@command("letters")
def letters_(club: Club, wanted: str | None, code: str | None, number: int | None, as_json: bool) -> None:
    """List the letters received, or say what was read from the one of that NUMBER.

    A line each: number, arrival, status, sender, game, reason: on a terminal a table, in a pipe with tabs and times in UTC. Of
    one letter what became of it, the lines that are orders, and the answer to it.
    """
    if code is not None:
        told = exchanged(club, code)
        if as_json:
            say_json(told)
        for each in () if as_json else told:
            way = f"you to {each.player}" if each.kind == WORD else f"{each.player} to you"
            hand_out(f"{utc(each.arrived)}\t{each.game}\t{way}\n{each.text}\n\n")
        return
    if number is not None:
        text, row = read_back(club, number), letters.letter(club, number)
        if as_json:
            say_json({**_row(row), "subject": row.subject, "player": row.player, "read": text})
        else:
            hand_out(f"{text}\n")
        return
    rows = [_row(row) for row in letters.listed(club, wanted or "")]
    list_rows(rows, command.heads["letters"], club.config.zone, as_json=as_json)


def _row(row: LetterRow) -> dict[str, object]:
    return {"number": row.id} | {name: getattr(row, name) for name in command.heads["letters"] if name != "number"}


@command("letter")
def letter(where: ClubFolder, /, number: int, because: str, raw: bool, **instead: bool) -> None:
    """Print a letter as it came, byte by byte, or say what becomes of one that waits.

    On a terminal whatever would steer it stands as `\\x1b` or the like. A letter is held that is not proved to be its player's,
    and parked that was too large, too costly, one of too many, or failed.

    Examples: referee letter 214 --release --because "Ann read it to me on the telephone."

    referee letter 215 --discard

    referee letter 216 --anonymise > misread.eml
    """
    what = [name for name, said in instead.items() if said] or [""]
    if what[1:]:
        raise click.UsageError("one of --trace, --read, --again, --release, --discard and --anonymise is possible")
    with where.open() as club:
        if what[0] in ("release", "discard"):
            name = what[0].upper()
            say_done(club, Command(line=name, name=name, words=(str(number),), reason=because))
            return
        if what == ["again"]:
            read_again(club, number)
            say(f"letter {number} is read by the next `referee tick`")
            return
        row = letters.letter(club, number)
        text = read_back(club, number) if what == ["read"] else ""
        given = give_away(club, number) if what == ["anonymise"] else b""
    if text:
        hand_out(f"{text}\n")
    elif not row.raw:
        raise NotFound(f"letter {number} is kept without its words: `[retention]`, or its writer is forgotten")
    elif what == ["trace"]:
        say(row.trace or row.reason or row.status)
    else:
        hand_out(given or row.raw, raw=raw)
        if given:
            say("referee: look it over: what only its own words tell of somebody stays, files are left out", err=True)


@command("newsletter")
def newsletter(
    club: Club,
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
    if pdf:
        write_file(pdf, paper_of_turn(club, game_id, turn, player, paper, map_paper))
        return
    hand_out(overview.newsletter(club, game_id, turn, player, edition))


@command("render")
def render(where: ClubFolder, game_id: str, folder: Path, turn: int | None, player: str, language: str) -> None:
    """Write a newsletter with all its faces into DIR, as today's templates have it.

    The text (.txt), the page with its pictures in it (.html), the pictures (.png), the drawing (.svg), the position (.json)
    and all of it on paper (.pdf), as they would be mailed; nothing is sent. A template of yours that is broken is told with
    file and line. A line for each file. Example:

    referee render RR7 look --player GSW
    """
    with where.open() as club:
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
    where: ClubFolder, game_id: str, output: Path | None, company: str, paper: bool, keepsake: bool, width: int
) -> None:
    """Draw the board of a game as it stands."""
    if output:
        check_ending(output.suffix.lower())
    with where.open() as club:
        drawing = overview.board_drawing(club, game_id, company, paper, keepsake=keepsake)
    if not output:
        hand_out(f"{board_file(drawing, '.svg', width).decode()}\n")
    else:
        long_side = A3_SIDE if keepsake else LONG_SIDE
        write_file(output, board_file(drawing, output.suffix.lower(), width, long_side))


# Letters of ours that have not left yet.


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
    with ctx.obj.open() as club:
        rows = [
            {
                "number": row.id,
                "status": row.state,
                "tries": row.attempts,
                "next_try": row.next_try,
                "recipient": row.recipient,
                "game": row.game,
                "what": row.kind,
                "reason": row.error,
            }
            for row in outgoing.unsent(club)
        ]
        list_rows(rows, command.heads["outbox"], club.config.zone, as_json=as_json)
        paused = why_paused(club)
    if paused:
        say(f"referee: {paused}", err=True)


@command("outbox retry", outbox)
def retry(where: ClubFolder, numbers: Numbers, failed: bool) -> None:
    """Send letters with the next pass: those of these NUMBERs, else all that wait.

    The mail server is tried again at once, even if it was to be left alone.
    """
    if numbers and failed:
        raise click.UsageError("name letters by number, or all that have failed with --failed, not both")
    with where.open() as club:
        count = retry_letters(club, numbers, failed=failed)
    say(f"{count_of(count, 'letter is', 'letters are')} sent with the next pass")


# What leaves the club besides letters: its pages, an order desk, a zine.


@command("publish")
def publish(club: Club, folder: Path | None) -> None:
    """Write the club's pages into DIR, else into `publish.folder`.

    Everything is made anew; files are written where they read otherwise, and what lies there besides stays. DIR is made, is
    empty, or holds pages of ours. A line for each file written or removed, then how many.

    Example: referee publish ~/www/trains
    """
    told = club.config.publish.folder
    if not folder and not told:
        raise ConfigError("name a folder for the pages, or set publish.folder")
    done = write_pages(
        club, folder or club.config.folder / told, watch=lambda parts: show_progress("pages", parts, len(parts))
    )
    for mark, places in (("+", done.written), ("-", done.removed)):
        for place in places:
            say(f"{mark} {place}")
    files = count_of(len(done.written), "file was written", "files were written")
    say(f"{files}, {len(done.removed)} removed")


# The players' order desk, written by hand.


@command("desk")
def desk(where: ClubFolder, game_id: str | None, output: Path | None, lang: str, umpire: bool) -> None:
    """Write the order desk of a game: a page on which its players draw their orders.

    One file for the awaited turn, the same for all players, that needs no server and sends nothing by itself. Players open
    it in a browser, say whose orders they write, and send the text that it makes as an answer to a newsletter. Where the club
    publishes pages, the desk is among them. Prints where it was written.

    With --umpire it is the club as you see it: who is awaited, what came, what happens until Sunday, with buttons that write
    your commands as letters.

    Examples: referee desk RR1 -o desk.html; referee desk --umpire -o club.html
    """
    if umpire == (game_id is not None):
        raise click.UsageError("name a game, as RR1, or write --umpire for the whole club")
    if lang and (fault := language_fault(lang)):
        raise ConfigError(f"--lang: {fault}")
    with where.open() as club:
        if game_id is None:
            write_file(output or Path(NAME), club_page(club, club.config.umpire, week_of(club)))
            say(str(output or NAME))
            return
        position = club.position(game_id)
        if not position.awaited:
            raise ConfigError(f"{position.id}: nobody owes orders, so there is nothing to be ordered")
        turn = position.rules.turn(position.state)
        made = order_desk(club, position, lang or club.config.language, position.players)
    file = output or Path(desk_name(position.id, turn))
    write_file(file, made)
    say(str(file))


# The umpire's zine.


@command("zine")
def zine(
    where: ClubFolder, names: Texts, output: Path, words: Path | None, layout: str, since: datetime | None
) -> None:
    """Print your zine: the newsletters of these games since the last issue, in your order, as everybody may read them.

    First your own words, then how the games stand, newsletters with press, a board of each, order forms to cut out. The name of
    the file is the issue's: one that was made before is made again, another one begins where the last one ended. A booklet is
    A5 in the order of printing: print it on both sides of A4, turned at the short edge, and fold it once; a4 has two columns.

    Example: referee zine RR7 RR9 -o june.pdf --words june.md
    """
    try:
        said = text_from_outside(words) if words else ""
    except UnicodeDecodeError as error:
        raise ConfigError(f"{words} is not UTF-8: {error}") from error
    with where.open() as club:
        day = since.date() if since else None
        kept, content = made_zine(club, names, output.stem, output.suffix.lower(), said, layout, day)
        write_file(output, content)
    told = ", ".join(f"{each} to turn {turn}" for each, turn in kept.until.items())
    say(f"{output}: issue {kept.number}, {told}")
