"""The umpire's desk: what he does with one game of the club."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from typing import BinaryIO

import click
from msgspec import to_builtins

from referee.cli.base import Where
from referee.cli.printing import GAME, JSON, YES, ask_whether, because, check_because, say, say_row, utc
from referee.core.errors import ConfigError
from referee.core.texts.shipped import Paragraph
from referee.service.club.duetimes import rhythm_of
from referee.service.deadlines.rescheduling import due_words
from referee.service.turns.inputs import Untyped
from referee.service.umpire.explain import Explained, Reason, dry_run
from referee.service.umpire.explain import explain as explained
from referee.service.umpire.filing import accept as accept_letter
from referee.service.umpire.filing import file_orders, on_file
from referee.service.umpire.logbook import logged
from referee.service.umpire.rulings import Undone, before_and_after, withdraw
from referee.service.umpire.rulings import adjust as make_ruling
from referee.service.umpire.rulings import note as keep_note
from referee.service.umpire.rulings import undo as undo_turn
from referee.store import games
from referee.store.database.rows import ActRow


@click.command()
@GAME
@JSON
@click.pass_obj
def log(where: Where, game_id: str, as_json: bool) -> None:
    """Say what the umpire did with a game, and why, the first act first.

    A line an act: number, time (UTC), turn, who, what, with which parameters, and the reason he gave, separated by tabs. Nothing
    in this log is ever changed; `referee verify` checks it, and `referee game export` holds it.
    """
    with where.opened() as club:
        done = logged(club, game_id)
    if as_json:
        say(json.dumps([_plain(act) for act, _ in done], ensure_ascii=False, indent=1))
        return
    for act, parameters in done:
        reason = " ".join(act.reason.split())
        say_row(str(act.number), utc(act.at), f"turn {act.turn}", act.actor, act.kind, parameters or "-", reason or "-")


@click.command()
@GAME
@click.argument("turn", type=click.IntRange(min=0))
@because()
@click.option("--later", is_flag=True, help="Undo the turns after it, too, which were built on it.")
@click.option("--play", is_flag=True, help="Play what was undone anew at once, with the orders and throws on file now.")
@click.option("--deadline", default="", metavar="TIME", help="Of the turn awaited then, as 2026-12-20T20:00.")
@click.pass_obj
def undo(where: Where, game_id: str, turn: int, because: str, later: bool, play: bool, deadline: str) -> None:
    """Undo a turn of one game: it stands before that turn again.

    Orders, throws and letters on file stay as they are, and what was told stays in the log. Without --play all players are told
    that the turn does not count; it is played anew at its new deadline. Until then you may correct what was wrong. The newsletter
    that comes of it has a subject and first lines that say so, and lists what is different. The dice of a turn are the same
    as before, unless `referee dice` types others.

    Example: referee undo RR7 3 --because "GSW paid the bridge twice: my mistake." --play
    """
    with where.opened() as club:
        try:
            done = undo_turn(club, game_id, turn, because, later=later, play=play, deadline=deadline)
        except Untyped as lacking:
            names = " ".join(f"{name}=NUMBER" for name, _ in lacking.untyped) or str(lacking)
            sentence = "nothing was undone: a turn asks for throws of your own; undo without --play, and type them"
            raise ConfigError(f"{sentence}: `referee dice {game_id.upper()} {names}`") from lacking
        zone = rhythm_of(club.config, games.game(club.db, done.game)).zone
    say(_undone(done, zone))


@click.command()
@GAME
@click.argument("player", required=False, default="")
@click.argument("file", type=click.File("rb"), required=False)
@because("Why, in the words that this player reads.", needed=False)
@click.pass_obj
def orders(where: Where, game_id: str, player: str, file: BinaryIO | None, because: str) -> None:
    """File orders of PLAYER for the awaited turn, as you would read them, or show what is on file.

    Without a FILE nothing is filed: what is on file of PLAYER, or of all, is printed as it is understood. FILE is a text with
    whole orders, written as players write them, - for what is typed or piped in. They take the place of what was on file, and the
    player is told so in your words. Only orders in which nothing is wrong are taken: this is for clear, unambiguous errors. For a
    turn that was played, `referee undo` comes first.

    Example: referee orders RR7 GSW orders.txt --because "Y16 is the only hex that joins your line; you wrote Y61."
    """
    if file is not None:
        check_because(because, "what you file")
    with where.opened() as club:
        filed = (
            on_file(club, game_id, player)
            if file is None
            else file_orders(club, game_id, player, text_in(file), because)
        )
        for line in filed:
            say(line)


@click.command()
@click.argument("number", metavar="LETTER", type=int)
@because("Why, in the words that its player reads.", needed=False)
@click.pass_obj
def accept(where: Where, number: int, because: str) -> None:
    """Take one late letter after all: its orders count for the awaited turn.

    LETTER is its number in `referee letters`. Its player is told. Orders for a turn that was played count once `referee undo`
    has taken that turn back. Prints the game, the player and the orders as they are understood.
    """
    with where.opened() as club:
        game, player, lines = accept_letter(club, number, because)
    say(f"{game} {player}")
    for line in lines:
        say(line)


@click.command()
@GAME
@click.argument("changes", metavar="[NAME+=VALUE]...", nargs=-1)
@because("Your ruling, in the words that all players read.")
@click.option(
    "--withdraw", "number", metavar="NUMBER", help="Take back the ruling or note U3 for the awaited turn instead."
)
@YES
@click.pass_obj
def adjust(where: Where, game_id: str, changes: tuple[str, ...], because: str, number: str | None, yes: bool) -> None:
    """Change the position of a game by your own ruling.

    You read first what it changes, and are asked; --yes does without that, and is needed where nobody can be asked. All players
    are told at once, orders on file are read again, and the next newsletter prints the ruling. Prints its number. +=
    gives or lays, -= takes away, = sets the whole. What can be changed: money, track, home, banked, connected, unpaid_homes and
    races_run in Dampfross; money, bonds, income, track, cubes, cards, track_pile, actions, action_discards and sequence in
    Volldampf.

    Examples: referee adjust RR7 money.GSW+=5 --because "The fee in round 3 was mine to refuse."

    referee adjust RR7 'track.MGW-=Dublin - AA18' --because "That hex-side was closed."

    referee adjust RR8 cubes.Hamburg+=blue actions.ANN-=Sabotage --because "..."
    """
    if (number is None) == (not changes):
        raise click.UsageError("name either changes or a ruling to --withdraw")
    with where.opened() as club:
        if number is None:
            say(before_and_after(club, game_id, changes), err=True)
            if not yes:
                ask_whether("Shall it be so?")
            number = make_ruling(club, game_id, changes, because)
            say(
                f"{number}: the position is changed, and all players will be told with the next pass; "
                f"{taken_back(game_id, number)}"
            )
        elif not re.fullmatch(r"[Uu]?\d{1,9}", number):
            raise click.UsageError(f"--withdraw {number}: the number of a ruling is expected, as U3")
        else:
            withdraw(club, game_id, int(number.lstrip("Uu")), because)
            say(f"U{number.lstrip('Uu')} is taken back; of a ruling all players will be told with the next pass")


@click.command()
@GAME
@click.argument("text", required=False)
@click.option("--file", type=click.File("rb"), help="Take the words from a file, - for what is typed or piped in.")
@click.pass_obj
def note(where: Where, game_id: str, text: str | None, file: BinaryIO | None) -> None:
    """Have a paragraph of yours printed in the next newsletter of a game.

    Prints its number, as U5; `referee adjust GAME --withdraw U5 --because "..."` takes it back.

    Example: referee note RR7 "I am on holiday until the 3rd; the deadline stands."
    """
    if (text is None) == (file is None):
        raise click.UsageError("name either the words or a --file")
    words = text if text is not None else text_in(file)
    with where.opened() as club:
        number = f"U{keep_note(club, game_id, words)}"
    say(f"{number}: the next newsletter prints it; {taken_back(game_id, number)}")


@click.command()
@GAME
@click.argument("player", required=False, default="")
@click.option(
    "--dice", "real", is_flag=True, help="Throw the dice that the turn will have: not for who leads a company."
)
@click.pass_obj
def preview(where: Where, game_id: str, player: str, real: bool) -> None:
    """Print the newsletter that would go out now, doubtful points first.

    The awaited turn is played as a dry run, with the orders on file; nothing is written. A point a line: whose orders are missing
    or faulty, which letters came late or wait, what else to look at, and the command that helps. Then the newsletter as PLAYER
    or the first one would have it. Unless the turn was undone, so that its dice are known, stand-in dice are thrown: races then
    come out otherwise.
    """
    with where.opened() as club:
        seen = dry_run(club, game_id, player, real=real)
    for point in seen.doubtful:
        say(f"- {point}")
    if not seen.doubtful:
        say(f"{seen.game}, turn {seen.turn}: nothing is doubtful.")
    if seen.newsletter:
        dice = "with its own dice" if seen.real else "with stand-in dice"
        say(f"\n=== {seen.game}, turn {seen.turn}, as it would go out now, {dice} ===\n")
        say(seen.newsletter.removesuffix("\n"))


def taken_back(game_id: str, number: str) -> str:
    """Return how a ruling or a note is taken back."""
    return f'`referee adjust {game_id.upper()} --withdraw {number} --because "..."` takes it back'


def text_in(file: BinaryIO | None) -> str:
    assert file is not None
    try:
        return file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file.name}: this is no UTF-8 text (byte {error.start})") from error


def _undone(done: Undone, zone: str) -> str:
    if not done.turns:
        due = due_words(done.deadline, zone)
        return f"{done.game}: goes on; turn {done.awaited} is {due}; all players will be told with the next pass"
    turns = f"turn {done.turns[0]}" if len(done.turns) == 1 else f"turns {done.turns[0]} to {done.turns[-1]}"
    due = due_words(done.deadline, zone) if done.deadline else "awaited once the game goes on"
    then = "the game is over" if done.over else f"turn {done.awaited} is {due}"
    sentence = "all players will be told with the next pass"
    return f"{done.game}: {turns} undone{' and played anew' if done.played else ''}; {then}; {sentence}"


def _plain(act: ActRow) -> dict[str, object]:
    names = ("game", "number", "turn", "actor", "kind", "reason", "hash")
    values = {name: getattr(act, name) for name in names}
    return {**values, "at": utc(act.at), "parameters": json.loads(act.parameters)}


# Why something happened: a turn event by event, with the paragraphs of the rules.

WIDTH = 100


@click.command()
@GAME
@click.argument("turn", type=click.IntRange(min=0))
@click.argument("company", required=False, default="")
@JSON
@click.pass_obj
def explain(where: Where, game_id: str, turn: int, company: str, as_json: bool) -> None:
    """Say why: a played turn event by event, with the paragraph behind each and its words.

    Every charge, refusal, throw and place in the order of play, of COMPANY alone if one is named: what it did and what was done
    to it. The words of a paragraph stand where it is named first. In a game with secrets it tells what players must not know.

    Example: referee explain RR7 4 GSW
    """
    with where.opened() as club:
        found = explained(club, game_id, turn, company)
    if as_json:
        say(json.dumps(to_builtins(found), ensure_ascii=False, indent=1))
        return
    edition = f", edition {found.edition}" if found.edition > 1 else ""
    say(f"{found.game}, turn {found.turn}{edition}")
    for line in _lines(found):
        say(line)


def _lines(found: Explained) -> Iterator[str]:
    known: set[str] = set()
    yield ""
    if not found.reasons:
        yield "Nothing happened."
    for reason in found.reasons:
        yield from _reason(reason, found, known)
    if found.throws:
        yield from ("", "Throws:")
    for reason in found.throws:
        yield from _reason(reason, found, known)


def _reason(reason: Reason, found: Explained, known: set[str]) -> Iterator[str]:
    """Yield a sentence with its paragraph, and the words of that where it is named first."""
    number = f" [{reason.paragraph}]" if reason.paragraph else ""
    yield from textwrap.wrap(f"{reason.text}{number}", WIDTH, subsequent_indent="  ")
    paragraph = found.paragraphs.get(reason.paragraph)
    if paragraph is not None and reason.paragraph not in known:
        known.add(reason.paragraph)
        yield from _words(paragraph)


def _words(paragraph: Paragraph) -> Iterator[str]:
    head = f"{paragraph.number} {paragraph.title}".rstrip()
    for block in (f"{head}:", *paragraph.blocks):
        hang = "        " if block.startswith("- ") else "      "
        yield from textwrap.wrap(block, WIDTH, initial_indent="      ", subsequent_indent=hang)
