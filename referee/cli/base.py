"""What all commands share: which club is meant, how mistakes end, which command is imported when, what is logged."""

from __future__ import annotations

import importlib
import json
import logging
import os
import re
import sys
import tomllib
from collections import UserDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any

import click

from referee.config import Log, club_folder, read_config
from referee.core import ConfigError, Fields, Mutable, RefereeError, View, Words
from referee.service.club import Club, open_club

from .printing import FILE, GAME, JSON, PASSPHRASE, YES, because, say, visible

_TOLD = tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8"))
EXAMPLES: Mapping[str, Sequence[str]] = _TOLD["examples"]
PLACES: Mapping[str, Words] = _TOLD["places"]
_MEANT: Words = _TOLD["meant"]


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


class LazyCommands(UserDict[str, click.Command]):
    """Commands by name, in the order in which they were put here; *places* says by groups ``module:name`` of each."""

    def __init__(self, places: Mapping[str, Words]) -> None:
        self._places = {name: place for group in places.values() for name, place in group.items()}
        super().__init__(dict.fromkeys(self._places, click.Command(None)))

    def __getitem__(self, name: str) -> click.Command:
        if place := self._places.pop(name, ""):
            module, _, own_name = place.partition(":")
            command = getattr(importlib.import_module(f"referee.cli.{module}"), own_name)
            self.data[name] = with_examples(name, command)
        return self.data[name]


# What the program says of its own work, on stderr: for people a line, for programs an object a line.
#
# Below warnings nothing stands in it that a player wrote, no address and no secret: letters, turns and sendings are told by
# their numbers (``service/tick``). What comes from libraries is told from warnings on: some log every byte of a line.

FIELDS = "told"  # the name under which a record carries its fields

_SECRET = re.compile(
    r"(?P<before>\b(?:Bearer|password|passwd|token|AUTH +[A-Z0-9-]+|LOGIN +\S+) *[=:]? *)[^\s,;'\")]+"
    r"|(?<=\+)[A-Za-z]{1,6}[0-9]+-[A-Za-z0-9]+-[A-Za-z0-9]{8}(?=@)"  # the code of a player's reply address
    r"|(?<=\[)[A-Za-z]{1,6}[0-9]+-[A-Za-z0-9]+-[A-Za-z0-9]{8}(?=\])",  # and that of subjects
    re.I,
)


def configure(log: Log) -> None:
    """Say from now on what *log* wants to hear, in its format."""
    root = logging.getLogger()
    for handler in [each for each in root.handlers if isinstance(each, _Stderr)]:
        root.removeHandler(handler)
    handler = _Stderr()
    handler.setFormatter(JsonLines() if log.format == "json" else PlainLines())
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
    return _SECRET.sub(lambda found: f"{found['before'] or ''}[...]", text)


class PlainLines(logging.Formatter):
    """``referee: letter number=3 status=done``; a trace stands on lines of its own."""

    def format(self, record: logging.LogRecord) -> str:
        words = [visible(record.getMessage(), "")]
        words += [
            visible(f"{name}={value}", "")
            for name, value in getattr(record, FIELDS, {}).items()
            if value not in (None, "")
        ]
        trace = _trace(self, record)
        return without_secrets("referee: " + " ".join(words) + (f"\n{trace}" if trace else ""))


class JsonLines(logging.Formatter):
    """One object a line: ``at`` (UTC), ``level``, ``from`` (the module), ``text``, then the record's own fields."""

    def format(self, record: logging.LogRecord) -> str:
        told: View = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "text": without_secrets(record.getMessage()),
            **getattr(record, FIELDS, {}),
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


def _trace(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    if not record.exc_info:
        return ""
    lines = formatter.formatException(record.exc_info).splitlines()
    return "\n".join(visible(line, "") for line in lines)


SOFTWARE = 70  # sysexits.h: a fault of ours


class ClubFolder(Mutable, kw_only=False):
    """The club folder as given on the command line, None if it was not, and so the format of the log."""

    club: str | None
    log: str | None = None

    @contextmanager
    def open(self) -> Iterator[Club]:
        """Open the club. Raises ConfigError."""
        config = read_config(club_folder(self.club))
        configure(config.log.but(format=self.log or config.log.format))
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


# Commands whose arguments and options stand in a file beside their module, as ``post.toml`` beside ``post.py``, and what those
# that list something print above it (``heads``).

_TYPES: Mapping[str, object] = {
    "int": int,
    "day": click.DateTime(["%Y-%m-%d"]),
    "bytes": click.File("rb"),
    "text": click.File(),
    "path": click.Path(path_type=Path),
    "file": click.Path(path_type=Path, dir_okay=False),
    "folder": click.Path(path_type=Path, file_okay=False),
    "existing": click.Path(path_type=Path, exists=True, dir_okay=False),
    "existing-name": click.Path(exists=True, dir_okay=False),
}
_COMMON = {"GAME": GAME, "JSON": JSON, "YES": YES, "PASSPHRASE": PASSPHRASE, "FILE": FILE}


Run = Callable[..., None]  # what a command does


class CommandMaker:
    """Makes commands of the functions of a module, with what its TOML file says of each by the words that call it."""

    def __init__(self, module: str) -> None:
        self._rows = tomllib.loads(Path(module).with_suffix(".toml").read_text("utf-8"))
        self.heads: Mapping[str, Words] = self._rows.pop("heads", {})

    def __call__(self, path: str, group: click.Group | None = None) -> Callable[[Run], click.Command]:
        """Return what makes the command of a function."""

        def make(run: Run) -> click.Command:
            command = make_command(run, path, self._rows)
            if group is not None:
                group.add_command(command)
            return command

        return make


def make_command(run: Run, path: str, rows: Fields, told: str | None = None) -> click.Command:
    """Return the command of a function, which has an open ``club``, ``where`` it is or ``ctx`` first if it wants them, with what
    *rows* say of it by the words that call it: keys are click's declarations, those in capitals options that several commands
    have, or a table of such. *told*: its help, if that is not the function's.
    """
    first = next(iter(signature(run).parameters), "")
    if first == "ctx":
        run = click.pass_context(run)
    elif first in ("club", "where"):
        run = click.pass_obj(_in_club(run) if first == "club" else run)
    for parameter in reversed([*_parameters(rows, path)]):
        run = parameter(run)
    return click.command(path.rpartition(" ")[2], help=told)(run)


def _in_club(run: Run) -> Run:
    @wraps(run)
    def run_in_club(where: ClubFolder, /, **said: object) -> None:
        with where.open() as club:
            run(club, **said)

    return run_in_club


def _parameters(rows: Fields, table: str) -> Iterator[Callable[[Run], Run]]:
    for key, row in rows[table].items():
        if key in rows and key.isupper():
            yield from _parameters(rows, key)
        elif key in _COMMON or key == "BECAUSE":
            yield _COMMON.get(key) or because(**row)
        else:
            told = dict(row)
            kind = _TYPES.get(told.pop("type", ""))
            if "choices" in told:
                kind = click.Choice(told.pop("choices"), case_sensitive=not told.pop("any_case", False))
            elif "range" in told:
                kind = click.IntRange(*told.pop("range"))
                kind.name = "number"  # click says "is not a valid" before it
            yield (click.option if key.startswith("-") else click.argument)(*key.split(), type=kind, **told)
