"""What commands print: players, strangers and servers have a word in it, and nothing that they wrote may steer a terminal."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import click

_STEERING = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")  # categories of Unicode
_SEPARATORS = "\n\t"


def visible(text: str, kept: str = _SEPARATORS) -> str:
    r"""Return *text* with ``\x1b`` in the place of what a terminal would obey or hide, but for the characters *kept*.

    From DEL on it is ``\u009b``: so JSON stays JSON, which has such escapes and writes all before as one anyway.
    """
    if text.isprintable():
        return text
    return "".join(_visible(letter) if letter not in kept else letter for letter in text)


def say(text: str, *, err: bool = False, end: str = "\n") -> None:
    """Print a line, or lines; *end* "" leaves the last one open, for an answer to be typed."""
    click.echo(visible(text) + end, err=err, nl=False)


def say_row(*fields: str) -> None:
    """Print a line of fields with tabs between them, which none of them holds."""
    click.echo("\t".join(visible(field, "") for field in fields))


def say_coloured(*parts: tuple[str, str | None]) -> None:
    """Print a line of parts, each with its colour (of click, ``bold``, or None), which what is no terminal is never sent."""
    styled = (click.style(visible(text, ""), **_style(colour)) for text, colour in parts)
    click.echo("".join(styled))


def _style(colour: str | None) -> dict[str, Any]:
    return {"bold": True} if colour == "bold" else {"fg": colour}


def is_terminal() -> bool:
    """Return whether a person reads what is printed, as far as one can know."""
    return sys.stdout.isatty()


def hand_out(content: str | bytes, *, raw: bool = False) -> None:
    """Print what a program may want as it is: into a file or a pipe every byte, but on a terminal what people can read unless it
    is wanted *raw*.
    """
    if raw or not is_terminal():
        click.echo(content, nl=False)
        return
    text = content.decode("utf-8", "backslashreplace") if isinstance(content, bytes) else content
    click.echo(visible(text.replace("\r\n", "\n")), nl=not text.endswith("\n"))


def _visible(letter: str) -> str:
    if unicodedata.category(letter) not in _STEERING:
        return letter
    return f"\\x{ord(letter):02x}" if letter < "\x7f" else json.dumps(letter)[1:-1].replace("\x7f", "\\u007f")


# Bars that show how far long work is: on a terminal alone, and on stderr, so that no script reads them.

Each = TypeVar("Each")


def is_watched() -> bool:
    """Return whether anybody would see a bar."""
    return sys.stderr.isatty()


def shown(what: str, steps: Iterable[Each], number: int) -> Iterator[Each]:
    """Yield so many *steps* of a work, with a bar called *what* where somebody sees it."""
    if not is_watched():
        yield from steps
        return
    with click.progressbar(steps, length=number, label=what, file=sys.stderr) as bar:
        yield from bar


class Percent:
    """A bar for work that tells how much of it remains."""

    def __init__(self, what: str) -> None:
        """*what*: its name."""
        self._done = 0
        self._bar = click.progressbar(length=100, label=what, file=sys.stderr)

    def __call__(self, remaining: int, whole: int) -> None:
        """Show that *remaining* of the *whole* are still to be done."""
        now = 100 - 100 * remaining // max(whole, 1)
        self._bar.update(now - self._done)
        self._done = now
        if not remaining:
            self._bar.render_finish()
