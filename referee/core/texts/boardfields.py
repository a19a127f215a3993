"""Reads the fields of a board file: of which type they must be, and the faults found so far, with their lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from .. import Faults, Fields, MapError, Numbered, as_written
from . import Broken, NotToml, TomlText, Where
from .shipped import shipped_faults

Board = TypeVar("Board")

Form = Mapping[str, Mapping[str, tuple[str, bool]]]  # a format's sections, ``top`` is what stands before them

LONGEST = 300  # signs of a name or title: pictures measure each
MOST = 1000  # entries of a list, or blocks: each is compared with all others

FORM_FAULTS = __package__  # whose ``faults.toml`` holds what is said of the form of a board file

_DEGREES = re.compile(r"[+-]?\d{1,3}(\.\d+)?")


class BoardReader:
    """A file being read: its fields, and the faults found so far as (line, sentence)."""

    def __init__(self, source: TomlText, form: Form, what: str) -> None:
        self.source = source
        self.form = form
        self.faults: list[Numbered] = []
        self.top = self.fields(source.values, Where(), "top", what)

    def blame(self, line: int, sentence: str) -> None:
        """Note a fault."""
        self.faults.append((line, sentence))

    def blame_field(self, where: Where, key: str, sentence: str) -> None:
        """Note a fault at the line of a field."""
        self.blame(self.source.line(where, key), sentence)

    def fields(self, plain: Any, where: Where, section: str, what: str) -> dict[str, Any]:
        """Return the fields of a table that have the right type; blame unknown, missing and wrong ones."""
        known = self.form[section]
        if not isinstance(plain, dict):
            self.blame(self.source.line(where), _says("no-table", "table", what=what, shown=show_value(plain)))
            return {}
        good = {}
        for name, value in plain.items():
            if name not in known:
                self.blame_field(where, name, _says("unknown", field=name, what=what, known=", ".join(known)))
            elif not has_type(value, known[name][0]):
                wrong = _says("wrong", known[name][0], field=name, what=what, shown=show_value(value))
                self.blame_field(where, name, wrong)
            else:
                good[name] = value
        for name, (kind, needed) in known.items():
            if needed and name not in plain:
                self.blame(self.source.line(where), _says("missing", kind, field=name, what=what))
        return good

    def blocks(self, section: str) -> Iterable[tuple[Where, Fields]]:
        """Return the good fields of each block of an array of tables, with its place."""
        for n, plain in enumerate(self.top.get(section, ())):
            where = Where(section, n)
            yield where, self.fields(plain, where, section, f"[[{section}]] {n + 1}")

    def block(self, section: str, key: str, value: Any) -> Where:
        """Return the place of the first block of an array of tables in which a field has a value."""
        plains = self.top.get(section, ())
        found = (n for n, plain in enumerate(plains) if isinstance(plain, dict) and plain.get(key) == value)
        return Where(section, next(found, 0))

    def table(self, section: str) -> Fields:
        """Return the good fields of a table of the file; {} where the file has none."""
        if section not in self.top:
            return {}
        return self.fields(self.top[section], Where(section), section, f"[{section}]")


def read_board(
    text: str,
    file: str,
    form: Form,
    what: str,
    build: Callable[[BoardReader], Board],
    check: Callable[[BoardReader, Board], None] = lambda reader, board: None,
) -> Board:
    """Return the board written in *text*; *file* is only named in faults. *check* looks at a board without holes.

    Raises:
        MapError: with every fault that was found, in order of lines.
    """

    def build_board(reader: BoardReader) -> Board:
        board = build(reader)
        if not reader.faults:
            check(reader, board)
        return board

    board, faults = draft_of(text, file, form, what, build_board)
    if faults:
        raise MapError(file, faults)
    return board


def draft_of(
    text: str, file: str, form: Form, what: str, build: Callable[[BoardReader], Board]
) -> tuple[Board, Faults]:
    """Return an unfinished board as far as it can be read, and its faults.

    Raises:
        MapError: it is no TOML.
    """
    try:
        reader = BoardReader(TomlText(text), form, what)
    except NotToml as error:
        raise MapError(file, ((error.line, f"This is no TOML: {error.reason}."),)) from error
    board = build(reader)
    return board, tuple(sorted(reader.faults))


def has_type(value: Any, kind: str) -> bool:
    """Return whether a TOML value is of a type that faults.toml has words for."""
    if kind == "degrees":
        return not isinstance(value, bool) and _DEGREES.fullmatch(str(value)) is not None and not _is_text(value)
    if kind == "line":
        return _is_text(value) and len(value) <= LONGEST and bool(value.strip()) and value.isprintable()
    if kind == "text":
        return _is_text(value)
    if kind in ("number", "count"):
        return isinstance(value, int) and not isinstance(value, bool) and value >= (kind == "number")
    if kind == "flag":
        return isinstance(value, bool)
    if kind in ("lines", "numbers", "counts"):
        return isinstance(value, list) and len(value) <= MOST and all(has_type(item, kind[:-1]) for item in value)
    if kind == "table":
        return isinstance(value, dict)
    return isinstance(value, list) and 0 < len(value) <= MOST


def kind_words(kind: str) -> str:
    """Return what is expected of a type of fields."""
    return str(shipped_faults(FORM_FAULTS)["types"][kind])


def _says(code: str, kind: str = "", **values: object) -> str:
    return str(shipped_faults(FORM_FAULTS)[code]).format(kind=kind and kind_words(kind), **values)


def show_value(value: Any) -> str:
    """Return a value as it may stand in a sentence."""
    text = f'"{value}"' if _is_text(value) else as_written(value)
    text = " ".join(text.split())
    return text if len(text) <= 40 else f"{text[:37]}..."


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, Broken)


# Small boards for scenarios: a table of words instead of a board file.


def is_sketch(text: str) -> bool:
    """Return whether a setup's board is a sketch: it is kept as JSON, a board file is TOML."""
    return text.startswith("{")


def read_sketch(
    written: Fields,
    name: str,
    form: Form,
    expand: Callable[[BoardReader], Fields],
    build: Callable[[BoardReader], Board],
) -> Board:
    """Return the board of a sketch; *expand* returns the fields of the board file that it stands for.

    Raises:
        MapError: with every fault that was found, without lines.
    """
    sketch = _reader(written, {**form, "top": form["sketch"]})
    reader = _reader(expand(sketch), form)
    board = build(reader)
    if faults := sketch.faults or reader.faults:
        raise MapError(name, tuple((0, sentence) for _, sentence in faults))
    return board


def _reader(values: Fields, form: Form) -> BoardReader:
    source = TomlText("")
    source.values = values
    return BoardReader(source, form, "the sketch")
