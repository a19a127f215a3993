"""The umpire's desk: what is done with one game of the club, told to all its players and kept in its log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO

import click

from referee.core import ConfigError
from referee.report.html import tidy
from referee.service.club import Club
from referee.service.duetimes import rhythm_of
from referee.service.tick import tick
from referee.service.umpire.commands import TABLE, as_typed, carry_out, looks, show_first
from referee.service.umpires import Command, CommandFault
from referee.store import games

from .base import ClubFolder, make_command
from .printing import ask_for_yes, check_because, say, say_json


def act(name: str) -> click.Command:
    """Return the terminal's twin of a command by mail, made from its row: arguments and options become the words of a letter."""
    row = TABLE[name]

    def run(
        where: ClubFolder,
        /,
        because: str = "",
        file: BinaryIO | None = None,
        yes: bool = False,
        as_json: bool = False,
        **said: object,
    ) -> None:
        arguments = [each for each in made.params if isinstance(each, click.Argument)]
        words = [*_words(arguments, said)]
        if "FILE" in row.asks:  # the words to players, if they stand in none, are the last that was typed
            places = len(arguments)
            if not file and len(words) >= places:
                because = words.pop()
            elif file and (places == 1 or len(words) < places):
                because = text_in(file)
            if not because.strip():
                raise click.UsageError("name either the words, last and quoted, or a --file")
        words += _words((each for each in made.params if each not in arguments), said)
        text = text_in(file) if file and "file" in row.asks else None
        asked = Command(line=name, name=name, words=tuple(words), reason=because, orders=text)
        if "file" in row.asks and because and not file:
            raise click.UsageError("name behind PLAYER a FILE with the orders, or - for what is typed")
        if row.reasoned and "BECAUSE" in row.asks and not looks(asked):
            check_because(because, f"what `referee {row.path}` changes")
        with where.open() as club:
            if change := show_first(club, asked):
                say(change, err=True)
                if not yes:
                    ask_for_yes()
            say_done(club, asked, as_json=as_json)

    made = make_command(run, row.path, {row.path: row.asks}, row.help)
    return made


def say_done(club: Club, asked: Command, *, as_json: bool = False) -> None:
    """Carry a command out and say what was done, as a letter does, with commands as they are typed. Raises UsageError."""
    try:
        told = carry_out(club, asked)
    except CommandFault as error:
        raise click.UsageError(as_typed(club.word("command", error.key, **error.values))) from error
    if as_json:
        say_json(told[TABLE[asked.name].json])
        return
    if asked.name == "PLAY":
        say(_play(club, told["game"], told["turn"]))
        return
    known = games.known(club, str(told.get("game")))
    zone = rhythm_of(club.config, known).zone if known else club.config.zone
    done = club.stationery.text("umpiredone.txt.j2", "", club.config.language, zone, told)
    said = tidy(done.strip()).rstrip()
    say(said if TABLE[asked.name].quotes else as_typed(said))


def _words(params: Iterable[click.Parameter], said: Mapping[str, object]) -> Iterator[str]:
    """Yield the words that stand behind a command's name in a letter."""
    for each in params:
        value = said.get(each.name or "")
        if value is None or value is False or value == ():  # turn 0 is one
            continue
        if isinstance(each, click.Option):
            yield each.opts[0][2:].upper()
        if value is not True:
            yield from value if isinstance(value, tuple) else (str(value),)


undo, accept, adjust, note, preview, explain = map(act, ("UNDO", "ACCEPT", "ADJUST", "NOTE", "PREVIEW", "EXPLAIN"))
orders, play, log = map(act, ("ORDERS", "PLAY", "LOG"))
deadline, hold, resume, remind, calendar, dice, write = map(
    act, ("DEADLINE", "HOLD", "RESUME", "REMIND", "CALENDAR", "DICE", "WRITE")
)


def text_in(file: BinaryIO | None) -> str:
    assert file
    try:
        return file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file.name}: this is no UTF-8 text (byte {error.start})") from error


def _play(club: Club, game: str, turn: int) -> str:
    """Make the pass that plays a turn, and return what became of it."""
    done, name = tick(club), f"{game}/{turn}"
    if name in done.turns:
        return f"{game}: turn {turn} was played; letters sent: {done.sent}"
    if name in done.untyped:
        return f"{game}: turn {turn} waits for throws that you must type: `referee dice {game}`"
    why = "another process makes a pass" if done.elsewhere else "this pass could not play it (see `referee doctor`)"
    return f"{game}: {why}; turn {turn} is played by the next one"
