"""Texts that people write come in (TOML with its lines; beside it boards and sketches, typed-in positions, rulebooks); values go
out, to JSON and back.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from .. import Fields, Numbered, Value

# Values to JSON and back. Each object says what it is: a value of a class has its ``kind``, a mapping is {"map": pairs}, a set
# {"set": list}; what is no list or object stands for itself, and a list for a tuple.
#
# The JSON is the same bytes on every interpreter: sorted keys, no spaces, no floats.

Other = tuple[type, Callable[[Any], str], Callable[[str], Any]]

_PLAIN = frozenset((str, int, bool, type(None)))


def canonical(plain: object) -> str:
    """Return JSON: the same bytes for the same value."""
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class Codec:
    """Writes and reads values of the classes it was given.

    *tag*: under what an object has its class's name; *others*: by name a type that JSON has not, how it becomes a text, and how a
    text becomes it.
    """

    def __init__(
        self, *kinds: type[Value], tag: str = "kind", others: Mapping[str, Other] = MappingProxyType({})
    ) -> None:
        self._tag, self._others = tag, others
        self._kinds = {kind.__name__: kind for kind in kinds}
        self._stored = {kind: [name for name in kind.__struct_fields__ if name not in kind.unstored] for kind in kinds}

    def encode(self, value: Any) -> str:
        """Return *value* as JSON.

        Raises:
            TypeError: something in it is not a str, int, bool, None, tuple, frozenset, mapping or known class.
        """
        return canonical(self._plain(value))

    def decode(self, text: str, unsaved: Fields | None = None) -> Any:
        """Return the value written by ``encode``.

        *unsaved*: fields of the outermost value that are not stored (``unstored``), by name; those that
        the value does not have are passed over.

        Raises:
            ValueError: the text is not ours (unknown kind, missing or unknown field).
        """
        try:
            return self._value(json.loads(text), unsaved or {})
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"this is no value: {error}") from error

    def _plain(self, value: Any) -> Any:
        kind = type(value)
        if kind in _PLAIN:
            return value
        if kind in self._stored:
            plain = {name: self._plain(getattr(value, name)) for name in self._stored[kind]}
            plain[self._tag] = kind.__name__
            return plain
        if isinstance(value, (tuple, list)):
            return [self._plain(item) for item in value]
        if isinstance(value, Mapping):
            return {"map": sorted([self._plain(key), self._plain(item)] for key, item in value.items())}
        if isinstance(value, frozenset):
            return {"set": sorted(self._plain(item) for item in value)}
        if isinstance(value, (str, int)):
            return value
        for name, (other, write, _) in self._others.items():
            if kind is other:
                return {name: write(value)}
        raise TypeError(f"{kind.__name__} cannot be stored")

    def _value(self, plain: Any, unsaved: Fields = MappingProxyType({})) -> Any:
        if isinstance(plain, list):
            return tuple([self._value(item) for item in plain])
        if not isinstance(plain, dict):
            return plain
        if self._tag not in plain:
            return self._box(plain)
        kind = self._kinds.get(plain[self._tag])
        if kind is None:
            raise ValueError(f"unknown kind {plain[self._tag]!r}")
        given = {name: value for name, value in unsaved.items() if name in kind.unstored}
        return kind(**given, **{name: self._value(item) for name, item in plain.items() if name != self._tag})

    def _box(self, plain: dict[str, Any]) -> Any:
        for what, inside in plain.items():
            match what:
                case "map":
                    return {self._value(key): self._value(item) for key, item in inside}
                case "set":
                    return frozenset(self._value(inside))
                case _ if what in self._others:
                    return self._others[what][2](inside)
        raise ValueError("unknown kind None")


# A TOML text with its lines: the TOML library gives values without their places, whoever mends a file needs the places.

MOST_PARTS = 20  # of a key: the library takes quadratic time for them
LONGEST = 40  # digits of a number: to write out a million of them takes minutes
DEEPEST = 50  # lists and tables in each other: it has no way out of them but a RecursionError

_HEADER = re.compile(r"\s*\[\[?([^\[\]]+)\]\]?\s*(#.*)?$")
_KEY = re.compile(r"\s*([A-Za-z0-9_.\"'-]+(?:\s+\.\s+[A-Za-z0-9_-]+)*)\s*=")
_WORD = re.compile(r"[\w-]+")
_TRIPLE = re.compile("\"\"\"|'''")
_TOKEN = re.compile(
    r"""
    \"{3} (?: \\. | [^\\] )*? (?: \"{3} | \Z )   # texts of many lines, closed or not
    | '{3} .*? (?: '{3} | \Z )
    | " (?: \\[^\n] | [^"\\\n] )* "?
    | ' [^'\n]* '?
    | [\w-]+
    | \#[^\n]*
    | \S
    """,
    re.DOTALL | re.VERBOSE,
)
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$| \(at end of document\)$")


class TooMuch(tomllib.TOMLDecodeError):
    """A TOML text that nobody wrote by hand, and that would keep its reader busy."""

    def __init__(self, text: str, at: int, reason: str) -> None:
        line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
        ValueError.__init__(self, f"{reason} (at line {line}, column {column})")


class NotToml(Exception):
    """The text is no TOML: ``line`` and ``reason``."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        self.reason = reason
        super().__init__(reason)


class Where(Value, kw_only=False):
    """A table of the file: ``section`` is ``""`` for the top, ``index`` counts the blocks of an array of tables from 0."""

    section: str = ""
    index: int = 0


def load_toml(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Return the values of a TOML text, in time in proportion to its length.

    Raises:
        tomllib.TOMLDecodeError: it is none, or too much for the library.
    """
    _check_shape(text)
    return tomllib.loads(text, parse_float=parse_float)


def _check_shape(text: str) -> None:
    depth = parts = begun = 0
    dotted = False  # the part before had a dot behind it
    for match in _TOKEN.finditer(text):
        first = match[0][0]
        if len(match[0]) > LONGEST and (first.isdigit() or match[0][1].isdigit()) and first not in "\"'#":
            raise TooMuch(text, match.start(), f"a number of more than {LONGEST} digits")
        if match[0] == ".":
            dotted = True
            continue
        if first.isalnum() or first in "_-\"'":
            parts, begun = (parts + 1, begun) if dotted and parts else (1, match.start())
        else:
            parts = 0
        dotted = False
        depth = max(0, depth + (first in "[{") - (first in "]}"))
        if parts > MOST_PARTS:
            raise TooMuch(text, begun, f"a key of more than {MOST_PARTS} parts")
        if depth > DEEPEST:
            raise TooMuch(text, match.start(), "nested too deep")


class TomlText:
    """The values of a TOML file (``values``), and where each of them stands. Broken numbers come as they were written."""

    def __init__(self, text: str) -> None:
        """Raises NotToml."""
        self._lines = text.splitlines()
        try:
            # Rules know no floats: what is written with a point stays text until its reader knows the unit.
            self.values: Fields = load_toml(text, parse_float=Broken)
        except tomllib.TOMLDecodeError as error:
            raise _not_toml(str(error), len(self._lines)) from error
        self._headers: dict[Where, int] = {Where(): 0}
        # The first and the last line of each key.
        self._keys: dict[Where, dict[str, tuple[int, int]]] = {Where(): {}}
        self._words: dict[int, list[str]] = {}  # of the lines that were asked about
        self._survey()

    def line(self, where: Where, key: str = "") -> int:
        """Return the line of a key; else of its table's header; else of a key with the table's name; else 0."""
        found = self._find(where, key)
        if found is not None:
            return found[0]
        if where in self._headers:
            return self._headers[where]
        table = self._find(Where(), where.section)
        return 0 if table is None else table[0]

    def token_line(self, where: Where, key: str, token: str, nth: int = 0) -> int:
        """Return the line of the *nth* (from 0) appearance of a word in a key's value; the key's line if it is not found."""
        found = self._find(where, key)
        if found is None:
            return self.line(where, key)
        first, last = found
        for number in range(first, last + 1):
            here = self._times(token, number, within_value=number > first)
            if nth < here:
                return number
            nth -= here
        return first

    def first_content_line(self, where: Where, key: str) -> int:
        """Return the line of the first character of a multi-line string (TOML drops a line end after its opening)."""
        line = self.line(where, key)
        return line + 1 if line and self._lines[line - 1].rstrip().endswith(('"""', "'''")) else line

    def content(self, where: Where, key: str) -> tuple[Numbered, ...]:
        """Return (line number, words) for each line of a key's text; empty lines and what follows a ``#`` are left out."""
        table: Any = self.values
        for part in where.section.split(".") if where.section else ():
            table = table[part]
        text = (table[where.index] if isinstance(table, list) else table)[key]
        start = self.first_content_line(where, key)
        rows = ((start + n, row.partition("#")[0].strip()) for n, row in enumerate(text.splitlines()))
        return tuple((number, words) for number, words in rows if words)

    def _times(self, token: str, number: int, *, within_value: bool) -> int:
        """Return how often a word stands in a line; if it is not *within_value* the key before the ``=`` is no part of it."""
        text = self._lines[number - 1]
        text = text if within_value else text.partition("=")[2]
        if not _WORD.fullmatch(token):
            return len(re.findall(rf"(?<![\w-]){re.escape(token)}(?![\w-])", text))
        if number not in self._words:
            self._words[number] = _WORD.findall(text)
        return self._words[number].count(token)

    def _find(self, where: Where, key: str) -> tuple[int, int] | None:
        found = self._keys.get(where, {}).get(key)
        return found or (self._keys[Where()].get(f"{where.section}.{key}") if where.section else None)

    def _survey(self) -> None:
        """Note every header and key outside multi-line strings."""
        where, inside, counts, last = Where(), "", dict[str, int](), ""
        for number, text in enumerate(self._lines, start=1):
            if not inside and (header := _HEADER.match(text)):
                name = header[1].strip()
                where = Where(name, counts.get(name, 0))
                counts[name] = where.index + 1
                self._headers[where] = number
                self._keys[where], last = {}, ""
            elif not inside and (key := _KEY.match(text)):
                last = re.sub(r"[\s\"']", "", key[1])
                self._keys[where].setdefault(last, (number, number))
            elif last:
                self._keys[where][last] = self._keys[where][last][0], number
            inside = _inside_after(text, inside)


class Broken(str):
    """A number with a point or an exponent, as it was written."""

    __slots__ = ()


def _inside_after(text: str, inside: str) -> str:
    """Return the quotes of the multi-line string that is open after this line, "" for none."""
    if not inside and text.lstrip().startswith("#"):
        return ""
    for quotes in _TRIPLE.findall(text):
        if not inside:
            inside = quotes
        elif quotes == inside:
            inside = ""
    return inside


def _not_toml(message: str, lines: int) -> NotToml:
    place = _AT_LINE.search(message)
    line = int(place[1]) if place and place[1] else lines
    return NotToml(line, _AT_LINE.sub("", message))
