"""What an umpire types when a game is set up: options checked and set on top of a preset, players, colours, pace."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import TypeVar, get_args, get_type_hints

from .game import PACES, Option, Setup
from .values import N_, OptionError, Pair, Value, as_written

Options = TypeVar("Options", bound=Value)

Check = Callable[[Option], str]  # "" or what would be right
BUILT_IN = N_(
    "Built-in player"
)  # the name of who keeps a seat until somebody is found; in practice the code stands behind it

_BUILT_IN = re.compile(rf"{re.escape(BUILT_IN)}(?P<code> [A-Z0-9]{{1,6}})?")


def display_name(name: str, translate: Callable[[str], str]) -> str:
    """Return a player's name for a reader: a built-in player has one in each language, all others have their own."""
    match = _BUILT_IN.fullmatch(name)
    return translate(BUILT_IN) + (match["code"] or "") if match else name


def choose(
    presets: Mapping[str, Options],
    preset: str,
    chosen: tuple[tuple[str, Option], ...],
    allowed: Mapping[str, Check],
    contradictions: tuple[tuple[Callable[[Options], bool], str], ...],
) -> Options:
    """Return the preset's options with *chosen* set on top.

    Raises:
        OptionError: an unknown preset or option, a value that is not allowed, two that contradict each other.
    """
    if preset not in presets:
        raise OptionError(f"preset {preset!r} is not known; there are: {', '.join(presets)}")
    values: dict[str, Option] = {}
    for name, value in chosen:
        if name not in allowed:
            raise OptionError(f"option {name!r} is not known; there are: {', '.join(sorted(allowed))}")
        values[name] = _read_value(name, value, allowed[name])
    options = presets[preset].but(**values)
    for contradicts, sentence in contradictions:
        if contradicts(options):
            raise OptionError(sentence)
    return options


def check_table(setup: Setup, title: str, players: tuple[int, int]) -> None:
    """Raise OptionError where too few or many sit down for a game, or at a pace that there is not."""
    fewest, most = players
    if not fewest <= len(setup.players) <= most:
        raise OptionError(f"{title} is played by {fewest} to {most} players; {len(setup.players)} were named")
    if setup.pace not in PACES:
        raise OptionError(f"pace {setup.pace!r} is not one of {', '.join(PACES)}")


def check_colours(sides: Collection[Pair], colours: Collection[str], what: str) -> None:
    """Raise OptionError where a colour is none of the game's, or two have the same. *sides*: (code, colour) of each *what*."""
    used = [colour for _, colour in sides]
    for code, colour in sides:
        if colour not in colours:
            raise OptionError(f"colour {colour!r} of {code} is not one of {', '.join(colours)}")
        if used.count(colour) > 1:
            raise OptionError(f"colour {colour!r} was given to more than one {what}")


def one_of(*values: Option) -> Check:
    """Return what accepts these values alone, each in its own type."""

    def check(value: Option) -> str:
        fits = any(value == allowed and type(value) is type(allowed) for allowed in values)
        return "" if fits else "it is one of " + ", ".join(as_written(allowed) for allowed in values)

    return check


def whole(least: int, most: int, *others: Option) -> Check:
    """Return what accepts a whole number within limits, and these other values."""

    def check(value: Option) -> str:
        is_number = isinstance(value, int) and not isinstance(value, bool)
        fits = value in others or (is_number and least <= int(value) <= most)
        return "" if fits else f"it is a number from {least} to {most}" + "".join(f", or {other}" for other in others)

    return check


def checks_of(options: type[Value], **others: Check) -> Mapping[str, Check]:
    """Return what each option may be: one of the words of its type, yes or no, or as *others* check it."""
    hints = get_type_hints(options)
    return {
        name: others.get(name) or one_of(*get_args(hints[name]) or (True, False)) for name in options.__struct_fields__
    }


def _read_value(name: str, value: Option, check: Check) -> Option:
    """Return *value* in the type of the option; a command line gives everything as text, a file ``6`` as a number."""
    for reading in (value, *_readings(value)):
        if not check(reading):
            return reading
    raise OptionError(f"option {name} = {value!r}: {check(value)}")


def _readings(value: Option) -> tuple[Option, ...]:
    """Return what else a value may mean."""
    if isinstance(value, str) and value in ("true", "false"):
        return (value == "true",)
    if isinstance(value, str) and value.isdecimal() and value.isascii():
        return (int(value),)
    return (str(value),) if isinstance(value, int) and not isinstance(value, bool) else ()
