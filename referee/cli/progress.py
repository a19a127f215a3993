"""Bars that show how far long work is: on a terminal alone, and on stderr, so that no script reads them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

import click

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
