"""Commands that are imported when they are called: a tick by cron need not wait for what a demo needs."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, MutableMapping

import click

from referee.cli.examples import with_examples


class LazyCommands(MutableMapping[str, click.Command]):
    """Commands by name, in the order in which they were put here; *places* says ``module:name`` of each."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = dict(places)
        self._taken: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._taken:
            module, _, own_name = self._places[name].partition(":")
            command = getattr(importlib.import_module(f"referee.cli.{module}"), own_name)
            self._taken[name] = with_examples(name, command)
        return self._taken[name]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._places[name], self._taken[name] = "", command

    def __delitem__(self, name: str) -> None:
        del self._places[name]
        self._taken.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
