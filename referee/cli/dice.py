"""The umpire's own dice: which throws a turn asks for, and typing them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import click
from msgspec import to_builtins

from referee.cli.base import Where
from referee.cli.listing import say_json
from referee.cli.options import GAME, JSON
from referee.cli.printing import say
from referee.core.texts.wording import counted
from referee.service.turns.preview import NamedThrow, Preview, parse_throw, preview, type_throws

MOST = 12  # throws of a race, a draw, a round that seeds make: so many are listed


@click.command()
@GAME
@click.argument("throws", metavar="[NAME=NUMBER]...", nargs=-1)
@click.option("--forget", "forgotten", metavar="NAME", multiple=True, help="Take back a typed throw; may be repeated.")
@JSON
@click.pass_obj
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
    throws = [to_builtins(throw) for throw in seen.throws]
    return {"game": seen.game, "turn": seen.turn, "lacking": seen.lacking, "throws": throws, "unasked": unasked}


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
