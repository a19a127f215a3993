"""Where a game was described, so that what is wrong with it is told with file and line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.config import line_of
from referee.core.errors import ConfigError, NotFound, OptionError, PositionError, RefereeError
from referee.core.values import Value

PLAYER = "player"  # the tables of players; their ``number`` counts from 1, 0 is one of the command line


class Misplaced(ConfigError):
    """A setting of a game to come is wrong, or missing. The place is that of a game's file: ``[section]`` and ``name``."""

    def __init__(self, sentence: str, *, section: str = "", name: str = "", number: int = 0) -> None:
        """*number*: of the table, where *section* is a list of tables."""
        self.section, self.name, self.number = section, name, number
        super().__init__(sentence)


class Origin(Value):
    """The file that describes a game. ``overruled``: settings that the command line gave otherwise, as ``options.speed``."""

    file: Path
    text: str
    overruled: frozenset[str] = frozenset()

    def placed(self, sentence: str, section: str = "", name: str = "", number: int = 0) -> str:
        """Return a sentence with the file before it, and the line of the setting or else of its section, if it has one."""
        if f"{section}.{name}".strip(".") in self.overruled or (section == PLAYER and not number):
            return sentence
        line = line_of(self.text, section, name, number) if name else 0
        line = line or (line_of(self.text, section, "", number) if section else 0)
        return f"{self.file}:{line}: {sentence}" if line else f"{self.file}: {sentence}"

    def told_position(self, fault: str) -> str:
        """Return a fault of a typed-in position with the file and the line of the key that it begins with."""
        keys = ["position", *fault.partition(":")[0].split(".")]
        places = [(".".join(keys[:depth]), keys[depth]) for depth in range(len(keys) - 1, 0, -1)]
        found = next((place for place in places if line_of(self.text, *place)), ("position", ""))
        return self.placed(f"position.{fault}", *found)


@contextmanager
def locate(origin: Origin | None, options: tuple[str, ...] = ()) -> Iterator[None]:
    """Whatever is wrong with a game is told with the place in the file that says so; *options*: the names of those chosen."""
    try:
        yield
    except RefereeError as error:
        if origin is not None:
            error.args = (_told(origin, error, options),)
        raise


def _told(origin: Origin, error: RefereeError, options: tuple[str, ...]) -> str:
    match error:
        case Misplaced():
            return origin.placed(str(error), error.section, error.name, error.number)
        case PositionError():
            return "\n".join(map(origin.told_position, error.faults))
        case OptionError():
            sections = dict.fromkeys(("preset", "pace"), "") | dict.fromkeys(options, "options")
            named = next((word for word in re.findall(r"[\w-]+", str(error)) if word in sections), "")
            return origin.placed(str(error), sections.get(named, ""), named)
        case NotFound():
            return origin.placed(str(error), "", "game")
    return str(error)
