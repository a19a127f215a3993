"""The umpire's desk: what he does with one game of the club, told to all its players and kept in its log."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO

import click

from referee.core import ConfigError
from referee.report.html import tidy
from referee.service.club import Club
from referee.service.deadlines.rescheduling import order_play
from referee.service.duetimes import rhythm_of
from referee.service.tick import tick
from referee.service.umpire.commands import TABLE, as_typed, carry_out, looks, shown_first
from referee.service.umpire.filing import file_orders, on_file
from referee.service.umpire.logbook import logged
from referee.service.umpires import Command, CommandFault
from referee.store import games

from .base import CommandMaker, Where, made_of
from .printing import ask_whether, check_because, say, say_json, say_row, utc

command = CommandMaker(__file__)

TOLD = ("game", "number", "turn", "actor", "kind", "reason", "hash", "at")  # of an act, beside its parameters


def act(name: str) -> click.Command:
    """Return the terminal's twin of a command by mail, made from its row: arguments and options become the words of a letter."""
    row = TABLE[name]

    def run(
        where: Where,
        /,
        because: str = "",
        file: BinaryIO | None = None,
        yes: bool = False,
        as_json: bool = False,
        **said: object,
    ) -> None:
        arguments = [each for each in made.params if isinstance(each, click.Argument)]
        words = [*_spoken(arguments, said)]
        if "FILE" in row.asks:  # the words to players, if they stand in none, are the last that was typed
            places = len(arguments)
            if not file and len(words) >= places:
                because = words.pop()
            elif file and (places == 1 or len(words) < places):
                because = text_in(file)
            if not because.strip():
                raise click.UsageError("name either the words, last and quoted, or a --file")
        words += _spoken((each for each in made.params if each not in arguments), said)
        asked = Command(line=name, name=name, words=tuple(words), reason=because)
        if row.reasoned and "BECAUSE" in row.asks and not looks(asked):
            check_because(because, f"what `referee {row.path}` changes")
        with where.opened() as club:
            if change := shown_first(club, asked):
                say(change, err=True)
                if not yes:
                    ask_whether("Shall it be so?")
            say_done(club, asked, as_json=as_json)

    made = made_of(run, row.path, {row.path: row.asks}, row.help)
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
    known = games.known(club, str(told.get("game")))
    zone = rhythm_of(club.config, known).zone if known else club.config.zone
    done = club.stationery.text("umpiredone.txt.j2", "", club.config.language, zone, told)
    say(as_typed(tidy(done.strip())).rstrip())


def _spoken(params: Iterable[click.Parameter], said: Mapping[str, object]) -> Iterator[str]:
    """Yield the words that stand behind a command's name in a letter."""
    for each in params:
        value = said.get(each.name or "")
        if value in (None, False, ()):
            continue
        if isinstance(each, click.Option):
            yield each.opts[0][2:].upper()
        if value is not True:
            yield from value if isinstance(value, tuple) else (str(value),)


undo, accept, adjust, note, preview, explain = map(act, ("UNDO", "ACCEPT", "ADJUST", "NOTE", "PREVIEW", "EXPLAIN"))
deadline, hold, resume, remind, calendar, dice, write = map(
    act, ("DEADLINE", "HOLD", "RESUME", "REMIND", "CALENDAR", "DICE", "WRITE")
)


@command("log")
def log(club: Club, game_id: str, as_json: bool) -> None:
    """Say what the umpire did with a game, and why, the first act first.

    A line an act: number, time (UTC), turn, who, what, with which parameters, and the reason he gave, separated by tabs. Nothing
    in this log is ever changed; `referee verify` checks it, and `referee game export` holds it.
    """
    done = logged(club, game_id)
    if as_json:
        say_json(
            [
                {**{name: getattr(act, name) for name in TOLD}, "parameters": json.loads(act.parameters)}
                for act, _ in done
            ]
        )
        return
    for act, parameters in done:
        reason = " ".join(act.reason.split())
        say_row(str(act.number), utc(act.at), f"turn {act.turn}", act.actor, act.kind, parameters or "-", reason or "-")


@command("orders")
def orders(where: Where, game_id: str, player: str, file: BinaryIO | None, because: str) -> None:
    """File orders of PLAYER for the awaited turn, as you would read them, or show what is on file.

    Without a FILE nothing is filed: what is on file of PLAYER, or of all, is printed as it is understood. FILE is a text with
    whole orders, written as players write them, - for what is typed or piped in. They take the place of what was on file, and the
    player is told so in your words. Only orders in which nothing is wrong are taken: this is for clear, unambiguous errors. For a
    turn that was played, `referee undo` comes first.

    Example: referee orders RR7 GSW orders.txt --because "Y16 is the only hex that joins your line; you wrote Y61."
    """
    if file:
        check_because(because, "what you file")
    with where.opened() as club:
        filed = (
            on_file(club, game_id, player) if not file else file_orders(club, game_id, player, text_in(file), because)
        )
        for line in filed:
            say(line)


def text_in(file: BinaryIO | None) -> str:
    assert file
    try:
        return file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file.name}: this is no UTF-8 text (byte {error.start})") from error


@command("play")
def play(club: Club, game_id: str, turn: int, because: str) -> None:
    """Play the awaited turn now, with the orders that are in.

    The inbox is read first. TURN must be the awaited one, so that the same command given twice plays nothing twice.
    """
    row = order_play(club, game_id, turn, because)
    done, name = tick(club), f"{row.id}/{turn}"
    if name in done.turns:
        say(f"{row.id}: turn {turn} was played; letters sent: {done.sent}")
    elif name in done.untyped:
        say(f"{row.id}: turn {turn} waits for throws that you must type: `referee dice {row.id}`")
    else:
        why = "another process makes a pass" if done.elsewhere else "this pass could not play it (see `referee doctor`)"
        say(f"{row.id}: {why}; turn {turn} is played by the next one")
