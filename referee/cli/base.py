"""What all commands share: which club is meant, how mistakes end, how times are printed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from referee.cli.lazy import leaves
from referee.cli.logs import configure, tell
from referee.config import club_folder, read_config
from referee.core.errors import ConfigError, RefereeError
from referee.core.values import Mutable
from referee.service.club.club import Club, open_club

SOFTWARE = 70  # sysexits.h: a fault of ours


class Where(Mutable, kw_only=False):
    """The club folder as given on the command line, None if it was not, and so the format of the log."""

    club: str | None
    log: str | None = None

    @contextmanager
    def opened(self) -> Iterator[Club]:
        """Open the club. Raises ConfigError."""
        config = read_config(club_folder(self.club))
        configure(replace(config.log, format=self.log or config.log.format))
        with private(), open_club(config) as club:
            yield club


class Commands(click.Group):
    """A group whose commands end with one sentence on stderr and the exit code of the mistake; *groups* part its help."""

    def __init__(self, *, groups: Mapping[str, Iterable[str]], **details: Any) -> None:
        super().__init__(**details)
        self._groups = groups

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by groups."""
        width = max(len(path) for path, _ in leaves("", self))
        for title, names in self._groups.items():
            with formatter.section(title):
                told = [each for name in names for each in leaves(name, self.commands[name])]
                room = formatter.width - width - 6
                formatter.write_dl([(path.ljust(width), _short(each, room)) for path, each in told])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; of one that is called by more words these are told."""
        longer = (
            () if args[0] in self.commands else (path for path, _ in leaves("", self) if path.endswith(f" {args[0]}"))
        )
        if told := " or ".join(f"`referee {path}`" for path in longer):
            raise click.UsageError(f"No such command {args[0]!r}. Did you mean {told}?", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a ``RefereeError`` is told, not thrown."""
        try:
            return super().invoke(ctx)
        except RefereeError as error:
            tell(str(error))
            ctx.exit(error.exit_code)


def _short(command: click.Command, room: int) -> str:
    """Return as many clauses of the first sentence of its help as there is room for."""
    whole = command.get_short_help_str(300).rstrip(".")
    ends = [len(whole), *(mark.start() for mark in reversed([*re.finditer("[:;,]", whole)]))]
    return next((whole[:end] for end in ends if end <= room), command.get_short_help_str(room))


@contextmanager
def private() -> Iterator[None]:
    """What is made inside can be read by its owner alone: orders are secret, and so are the dice to come."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def write_file(file: Path, content: bytes) -> None:
    """Write what a command was asked for into a file. Raises ConfigError: it cannot be written."""
    try:
        file.write_bytes(content)
    except OSError as error:
        raise ConfigError(f"{file} cannot be written: {error.strerror}") from error


def utc(time: datetime) -> str:
    """Return a time as scripts like it: 2026-12-04T20:00:00Z."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")
