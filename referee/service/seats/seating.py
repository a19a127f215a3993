"""Who gets which colour and code in a game that people signed up for.

The rule, as all players read it: in the order of sign-up each gets the first colour of his list that is still free. Who named
none, or none that is left, gets one of those that remain, after all others, in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from referee.core.values import Value
from referee.service.post.codes import is_seats
from referee.store.opengames import SignupRow

_LONGEST = 8  # letters and digits of a code
_USUAL = 3


class Seat(Value):
    """What somebody gets. ``choice``: which of his list the colour was, from 1; 0: none of it. ``renamed``: the code that he
    wanted was another's.
    """

    signup: SignupRow
    code: str
    colour: str
    choice: int
    renamed: bool = False


def seats_for(
    signups: Sequence[SignupRow],
    colours: Sequence[str],
    taken_colours: Iterable[str] = (),
    taken_codes: Iterable[str] = (),
    *,
    veil: bool = False,
) -> tuple[Seat, ...]:
    """Return the seats of those who signed up, in that order. *colours*: of the game, at least as many as players; *taken_…*: of
    players whom the umpire named himself. *veil*: no code may tell a name.
    """
    given = _colours(signups, [each for each in colours if each not in set(taken_colours)])
    codes = {code.upper() for code in taken_codes}
    made = []
    for signup in signups:
        code = _code(signup, codes, veil=veil)
        codes.add(code)
        wished = wishes_of(signup)
        colour = given[signup.id]
        choice = wished.index(colour) + 1 if colour in wished else 0
        renamed = bool(signup.code) and code != signup.code
        made.append(Seat(signup=signup, code=code, colour=colour, choice=choice, renamed=renamed))
    return tuple(made)


def wishes_of(signup: SignupRow) -> list[str]:
    """Return the colours that somebody would like, the dearest first."""
    return [each for each in signup.colours.split(",") if each]


def _colours(signups: Sequence[SignupRow], free: list[str]) -> dict[int, str]:
    given: dict[int, str] = {}
    for signup in signups:
        wished = next((each for each in wishes_of(signup) if each in free), None)
        if wished is not None:
            given[signup.id] = wished
            free.remove(wished)
    for signup in signups:
        if signup.id not in given:
            given[signup.id] = free.pop(0)
    return given


def _code(signup: SignupRow, taken: set[str], *, veil: bool) -> str:
    """Return the code that somebody wants, else the initials of his company, else the beginning of his name, if
    others may know that (no *veil*); with a number
    behind it where another has it.
    """
    wished = signup.code if is_seats(signup.code) else ""
    name = "" if veil else _letters(signup.name)[:_USUAL]
    for word in (wished, _initials(signup.company), name):
        if len(word) > 1 and word not in taken and is_seats(word):
            return word
    stem = wished or name or "CO"
    return numbered_code(stem, taken, 1 if stem == "CO" else 2)


def numbered_code(stem: str, taken: set[str], first: int = 2) -> str:
    """Return a code that nobody has: *stem*, shortened where it must be, and the lowest number from *first* on."""
    numbered = (f"{stem[: _LONGEST - len(str(number))]}{number}" for number in range(first, len(taken) + 3))
    return next(each for each in numbered if each not in taken)


def _initials(text: str) -> str:
    return "".join(word[0] for word in re.findall(r"[A-Za-z]+", text)).upper()[:_LONGEST]


def _letters(text: str) -> str:
    return "".join(re.findall(r"[A-Za-z]", text)).upper()
