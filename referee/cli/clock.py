"""The umpire's commands about the deadlines of one game, told to all its players and kept in its log; his dice, his words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import BinaryIO

import click

from referee.cli.base import Where
from referee.cli.desk import act, text_in
from referee.cli.printing import CommandMaker, check_because, hand_out, say, say_json
from referee.core.texts.wording import counted
from referee.service.club.duetimes import NAMES, rhythm_of
from referee.service.deadlines import rescheduling
from referee.service.deadlines.rescheduling import parse_setting
from referee.service.tick import tick
from referee.service.turns.adjudicate import NamedThrow, Preview, parse_throw, preview, type_throws
from referee.service.umpire import logbook
from referee.store import games

command = CommandMaker(__file__)

deadline, hold, resume, remind = map(act, ("DEADLINE", "HOLD", "RESUME", "REMIND"))


@command("play")
def play(where: Where, game_id: str, turn: int, because: str) -> None:
    """Play the awaited turn now, with the orders that are in.

    The inbox is read first. TURN must be the awaited one, so that the same command given twice plays nothing twice.
    """
    with where.opened() as club:
        row = rescheduling.order_play(club, game_id, turn, because)
        done, name = tick(club), f"{row.id}/{turn}"
    if name in done.turns:
        say(f"{row.id}: turn {turn} was played; letters sent: {done.sent}")
    elif name in done.untyped:
        say(f"{row.id}: turn {turn} waits for throws that you must type: `referee dice {row.id}`")
    else:
        why = "another process makes a pass" if done.elsewhere else "this pass could not play it (see `referee doctor`)"
        say(f"{row.id}: {why}; turn {turn} is played by the next one")


@command("calendar")
def calendar(where: Where, game_id: str, settings: tuple[str, ...], because: str, as_json: bool) -> None:
    """Change a game's calendar from the next turn on, or show it.

    Names and values are those of [rhythm] in a game's file (docs/deadlines.md). A line each: name, value, separated by a tab.
    All players are told of a change, with the reason. Example:

    referee calendar RR7 "every=1 month" weekday=Friday --because "Everybody asked for more time"
    """
    given = dict(parse_setting(text) for text in settings)
    if given:
        check_because(because, "another calendar")
    with where.opened() as club:
        row = rescheduling.change_rhythm(club, game_id, given, because) if given else games.game(club.db, game_id)
        rhythm = rhythm_of(club.config, row)
    if as_json:
        say_json(rhythm)
        return
    for name in NAMES[1:] if rhythm.every else NAMES:  # days, and every in its place
        say(f"{name}\t{getattr(rhythm, name)}")
    if given:
        say(f"{row.id}: the turns after this one go by it; all players will be told with the next pass")


# The umpire's own dice: which throws a turn asks for, and typing them.

MOST = 12  # throws of a race, a draw, a round that seeds make: so many are listed


@command("dice")
def dice(where: Where, game_id: str, throws: tuple[str, ...], forgotten: tuple[str, ...], as_json: bool) -> None:
    """Type throws of dice of your own for the next turn of a game, by name, or list what it asks for.

    Each throw has a name, as rolls/2/1 for the first roll of round 2 or race/7/2/GSW for the second throw of GSW's train in
    race 7. A typed throw takes the place of the one that the turn's seed would make; the newsletter names it as yours.
    With the option `roll = typed` a turn waits until the rolls that it asks for are typed.

    The list is that of a dry run with the orders on file today and with stand-in dice: how often a race or a draw throws may
    come out otherwise. No throw that a seed makes is shown. A line each: name, numbers possible, and the number that was
    typed, "to be typed" or "seed", separated by tabs.
    """
    given = [parse_throw(text) for text in throws]
    names = [name for name, _ in given]
    twice = next((name for name in names if names.count(name) > 1), "")
    if twice:
        raise click.UsageError(f"{twice} is typed twice")
    with where.opened() as club:
        seen = type_throws(club, game_id, dict(given), forgotten) if given or forgotten else preview(club, game_id)
    if as_json:
        say_json(_plain(seen))
        return
    for line in _lines(seen):
        say(line)


def _plain(seen: Preview) -> dict[str, object]:
    """Return what is told of the throws, as plain values; ``unasked``: typed, but today nothing asks for them."""
    unasked = [{"name": name, "typed": number, "meant": near} for name, number, near in seen.unasked]
    return {"game": seen.game, "turn": seen.turn, "lacking": seen.lacking, "throws": seen.throws, "unasked": unasked}


def _lines(seen: Preview) -> Iterator[str]:
    if seen.lacking:
        sentence = counted(seen.lacking, "throw is to be typed", "throws are to be typed")
        yield f"{seen.game}, turn {seen.turn}: {sentence} before it is played."
    else:
        yield f"{seen.game}, turn {seen.turn}: no throw needs to be typed{' any more' if _any_needed(seen) else ''}."
    for (kind, by_seed), throws in groupby(seen.throws, lambda throw: (_kind(throw), _by_seed(throw))):
        listed = list(throws)
        shown = listed[:MOST] if by_seed else listed
        yield from map(_line, shown)
        if len(listed) > len(shown):
            yield f"{kind}/...\t\t{len(listed) - len(shown)} more by the seed"
    for name, number, near in seen.unasked:
        meant = f" (did you mean {near}?)" if near else ""
        yield f"{name}\t\t{number}, but with today's orders nothing asks for it{meant}"


def _any_needed(seen: Preview) -> bool:
    return any(throw.needed for throw in seen.throws)


def _kind(throw: NamedThrow) -> str:
    """Return how the name begins, as ``race/7``."""
    return "/".join(throw.name.split("/")[:2])


def _by_seed(throw: NamedThrow) -> bool:
    return throw.typed is None and not throw.needed


def _line(throw: NamedThrow) -> str:
    if throw.typed is None:
        sentence = "to be typed" if throw.needed else "seed"
    else:
        sentence = str(throw.typed) if throw.typed <= throw.sides else f"{throw.typed}, which is not possible"
    return f"{throw.name}\t1-{throw.sides}\t{sentence}"


# The umpire's own words to players, sent at once.


@command("write")
def write(
    where: Where, said: tuple[str, ...], file: BinaryIO | None, all_games: bool, observers: bool, preview: bool
) -> None:
    """Write to the players of a game, or to some of them, at once and in your own words.

    TEXT stands last and is quoted. Each has a letter of his own in his language, with the deadline; the answers go to your
    address. What goes to all stands in the game's log; of other letters it says to whom. A line for each game: its id, and to
    whom was written.

    Examples: referee write RR7 "The server moves on Friday; the deadline stands."

    referee write RR7 MGW GSW --file words.txt --preview
    """
    rest = [*said]
    if file is None and not rest:
        raise click.UsageError("the words are missing: name them last, quoted, or say --file")
    text = text_in(file) if file is not None else rest.pop()
    if not all_games and not rest:
        raise click.UsageError('name a game, as `referee write RR7 "..."`, or say --all-games')
    if all_games and rest:
        raise click.UsageError(
            f"--all-games goes to all players of all games: {' '.join(rest)} cannot be named with it"
        )
    with where.opened() as club:
        names = [row.id for row in games.running_games(club.db)] if all_games else [rest[0]]
        for name in names:
            if preview:
                hand_out(logbook.letter_shown(club, name, rest[1:], text))
                continue
            to = logbook.write_to(club, name, rest[1:], text, observers=observers)
            say(f"{name.upper()}: {' '.join(to)}; the letters leave with the next pass")
