"""The umpire's dry run of the awaited turn: which throws it would ask for; and the throws that he types for it.

Nothing of it is told to anybody else, and no seed of the game is used: a dry run must not tell what the dice will show.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from referee.core.dice import SeededDice
from referee.core.errors import ConfigError, NotFound
from referee.core.values import Value
from referee.service.club.club import Club
from referee.service.club.positions import Position
from referee.service.club.umpires import log_act
from referee.service.turns.adjudicate import decoded, sets_to_run
from referee.service.turns.throws import TriedDice, is_name
from referee.store import games
from referee.store.database.database import transaction
from referee.store.orders import type_throw, typed_throws

_MOST = 999  # no die has more sides
_STAND_IN = SeededDice("a dry run")  # any dice will do, but those of the game


class NamedThrow(Value):
    """A throw that the awaited turn would ask for: ``typed`` if it was, ``needed`` if nothing but a typed throw will do."""

    name: str
    sides: int
    typed: int | None
    needed: bool


class Preview(Value):
    """The throws of the awaited turn with the orders on file today, in the order of throwing.

    ``unasked``: typed throws that nothing asks for today, each with the name that may have been meant, or "".
    """

    game: str
    turn: int
    throws: tuple[NamedThrow, ...]
    unasked: tuple[tuple[str, int, str], ...]

    @property
    def lacking(self) -> int:
        """How many throws must still be typed."""
        return sum(throw.needed and throw.typed is None for throw in self.throws)


def parse_throw(text: str) -> tuple[str, int]:
    """Return the throw written as ``rolls/2/1=5``.

    Raises:
        ConfigError: it is not written so.
    """
    name, _, number = (part.strip() for part in text.partition("="))
    if not is_name(name):
        raise ConfigError(
            f"throw {text!r}: write its name and a number, as rolls/2/1=5 (`referee dice GAME` lists names)"
        )
    if not (number.isascii() and number.isdigit() and len(number) < 10 and 1 <= int(number) <= _MOST):
        raise ConfigError(f"throw {text!r}: behind the = a whole number from 1 to {_MOST} is expected, as {name}=5")
    return name, int(number)


def preview(club: Club, game_id: str) -> Preview:
    """Return the throws of the awaited turn of a game.

    Raises:
        NotFound: there is no such game.
        ConfigError: it is over.
    """
    position = _awaiting(club, game_id)
    return _preview(club, position, typed_throws(club.db, position.row.id, position.row.turn))


def type_throws(club: Club, game_id: str, given: Mapping[str, int], forgotten: tuple[str, ...]) -> Preview:
    """Keep throws for the awaited turn of a game, and forget others that were typed for it; all or nothing.

    Raises:
        NotFound: there is no such game, or no throw of a name to be forgotten.
        ConfigError: the game is over; or a number does not lie on its die, as far as the throw is asked for today.
    """
    position = _awaiting(club, game_id)
    row = position.row
    before = typed_throws(club.db, row.id, row.turn)
    for name in forgotten:
        if name not in before:
            raise NotFound(f"no throw {name!r} was typed for turn {row.turn} of {row.id}{_listed(before)}")
        if name in given:
            raise ConfigError(f"throw {name!r} cannot be typed and forgotten at once")
    after = {**{name: number for name, number in before.items() if name not in forgotten}, **given}
    seen = _preview(club, position, dict(sorted(after.items())))
    _check_fit(seen, given)
    changes = {**dict.fromkeys(forgotten), **given}
    with transaction(club.db):
        if games.game(club.db, row.id).turn != row.turn:
            raise ConfigError(f"turn {row.turn} of {row.id} was played meanwhile: nothing was typed")
        typed = {name: number for name, number in changes.items() if before.get(name) != number}
        for name, number in typed.items():
            type_throw(club.db, row.id, row.turn, name, number, club.clock())
        if typed:  # not which: an export tells the log before the turn is played
            log_act(club, row.id, row.turn, "dice", {"throws": len(typed)})
    return seen


def _awaiting(club: Club, game_id: str) -> Position:
    row = games.game(club.db, game_id)
    if row.status != "running":
        raise ConfigError(f"{row.id} is over: nothing is thrown any more")
    return club.positions.of(club.db, row)


def _preview(club: Club, position: Position, typed: Mapping[str, int]) -> Preview:
    rules, dice = position.rules, TriedDice(given=typed, otherwise=_STAND_IN)
    rules.adjudicate(position.state, decoded(position, sets_to_run(club, position)), dice)
    needed = rules.needs_typed(position.state)
    throws = tuple(
        NamedThrow(name=name, sides=sides, typed=typed.get(name), needed=name.startswith(needed))
        for name, sides in dice.asked.items()
    )
    unasked = tuple((name, number, _near(name, dice)) for name, number in dice.unused.items())
    return Preview(game=position.row.id, turn=position.row.turn, throws=throws, unasked=unasked)


def _near(name: str, dice: TriedDice) -> str:
    free = [each for each in dice.asked if each not in dice.given]
    return next(iter(difflib.get_close_matches(name, free, 1)), "")


def _check_fit(seen: Preview, given: Mapping[str, int]) -> None:
    faults = [
        f"throw {each.name}={given[each.name]}: 1 to {each.sides} possible"
        for each in seen.throws
        if each.name in given and given[each.name] > each.sides
    ]
    if faults:
        raise ConfigError("; ".join(faults))


def _listed(typed: Mapping[str, int]) -> str:
    return f" (there is {', '.join(typed)})" if typed else ""
