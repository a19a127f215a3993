"""What all commands share: which club is meant, how mistakes end, which command is imported when, what is logged."""

from __future__ import annotations

import importlib
import json
import logging
import os
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from referee.cli.printing import say, visible
from referee.config import Log, club_folder, read_config
from referee.core.errors import ConfigError, RefereeError
from referee.core.values import Mutable
from referee.service.club import Club, open_club

_TOLD = tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8"))
EXAMPLES: Mapping[str, Sequence[str]] = _TOLD["examples"]
PLACES: Mapping[str, Mapping[str, str]] = _TOLD["places"]
_MEANT: Mapping[str, str] = _TOLD["meant"]


def leaves(path: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    """Yield what does something, with the words that call it: a command, or all below it."""
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield path, command
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from leaves(f"{path} {name}".strip(), each)


def with_examples(path: str, command: click.Command) -> click.Command:
    """Return a command, and all below it, with the examples for its help."""
    if path in EXAMPLES:
        lines = "\n".join(f"  referee {line}" for line in EXAMPLES[path])
        command.epilog = f"\b\nExample{'s' if len(EXAMPLES[path]) > 1 else ''}:\n{lines}"
    for name, each in getattr(command, "commands", {}).items():
        with_examples(f"{path} {name}", each)
    return command


class LazyCommands(MutableMapping[str, click.Command]):
    """Commands by name, in the order in which they were put here; *places* says by groups ``module:name`` of each."""

    def __init__(self, places: Mapping[str, Mapping[str, str]]) -> None:
        self._places = {name: place for group in places.values() for name, place in group.items()}
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


# What the program says of its own work, on stderr: for people a line, for programs an object a line.
#
# Below warnings nothing stands in it that a player wrote, no address and no secret: letters, turns and sendings are told by
# their numbers (``service/journal``). What comes from libraries is told from warnings on: some log every byte of a line.

FIELDS = "told"  # the name under which a record carries its fields

_SECRET = re.compile(
    r"(?P<before>\b(?:Bearer|password|passwd|token|AUTH +[A-Z0-9-]+|LOGIN +\S+) *[=:]? *)[^\s,;'\")]+"
    r"|(?<=\+)[A-Za-z]{1,6}[0-9]+-[A-Za-z0-9]+-[A-Za-z0-9]{8}(?=@)"  # the code of a player's reply address
    r"|(?<=\[)[A-Za-z]{1,6}[0-9]+-[A-Za-z0-9]+-[A-Za-z0-9]{8}(?=\])",  # and that of his subjects
    re.I,
)
_GONE = "[...]"


def configure(log: Log) -> None:
    """Say from now on what *log* wants to hear, in its format."""
    root = logging.getLogger()
    for handler in [each for each in root.handlers if isinstance(each, _Stderr)]:
        root.removeHandler(handler)
    handler = _Stderr()
    handler.setFormatter(JsonLines() if log.format == "json" else Lines())
    root.addHandler(handler)
    level = logging.getLevelNamesMapping()[log.level.upper()]
    root.setLevel(max(level, logging.WARNING))
    logging.getLogger("referee").setLevel(level)


def tell(sentence: str) -> None:
    """Say why a command ends, on stderr: as it is for people, as an object where programs read."""
    formats = [each.formatter for each in logging.getLogger().handlers if isinstance(each, _Stderr)]
    if any(isinstance(each, JsonLines) for each in formats):
        logging.getLogger("referee").error("%s", sentence)
    else:
        say(f"referee: {sentence}", err=True)


def without_secrets(text: str) -> str:
    """Return *text* without what looks like a password, token or reply code. No line of ours should hold one; this is the net."""
    return _SECRET.sub(lambda found: (found["before"] or "") + _GONE, text)


class Lines(logging.Formatter):
    """``referee: letter number=3 status=done``; a trace stands on lines of its own."""

    def format(self, record: logging.LogRecord) -> str:
        words = [visible(record.getMessage(), "")]
        words += [visible(f"{name}={value}", "") for name, value in _fields(record).items() if value not in (None, "")]
        trace = _trace(self, record)
        return without_secrets("referee: " + " ".join(words) + (f"\n{trace}" if trace else ""))


class JsonLines(logging.Formatter):
    """One object a line: ``at`` (UTC), ``level``, ``from`` (the module), ``text``, then the record's own fields."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "text": without_secrets(record.getMessage()),
            **_fields(record),
        }
        trace = _trace(self, record)
        if trace:
            told["trace"] = without_secrets(trace)
        return json.dumps(told, ensure_ascii=True)  # nothing in a log may steer a terminal


class _Stderr(logging.Handler):
    """Writes to stderr as it is at that moment: a test, or a caller, may have put another in its place."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            sys.stderr.write(self.format(record) + "\n")
            sys.stderr.flush()
        except (OSError, ValueError):
            return  # nobody listens any more; the work goes on


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    return dict(getattr(record, FIELDS, {}))


def _trace(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    if not record.exc_info:
        return ""
    lines = formatter.formatException(record.exc_info).splitlines()
    return "\n".join(visible(line, "") for line in lines)


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
        paths = () if args[0] in self.commands else (path for path, _ in leaves("", self))
        meant = (path for path in paths if path.endswith(f" {args[0]}") or path == _MEANT.get(args[0]))
        if told := " or ".join(f"`referee {path}`" for path in meant):
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
