"""Positions that people type in as tables: how everything in one is read and written again, and the faults found in it.

A game has a ``Key`` for each key of its positions; ``state.table.codes`` are its players or companies in order of play.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, Generic, TypeVar

from msgspec import Struct

from .. import N_, Fields, PositionError, Sentence, Value, first_of

State = TypeVar("State", bound=Value)

Given = Any | Callable[[Any], Any]  # a value, or what returns it from a state
FAULT = N_("{where}: {fault}")
LISTED_NUMBERS = N_("{value} is read; a list of whole numbers expected")
LISTED_WORDS = N_("{value} is read; a list of words in quotes expected")
MOST_LISTED, FIRST = 40, 8  # names; where there are more, the first of them
LINES = N_('{value} is read; lines in quotes expected, as ["{example}"]')


class PositionFault(Exception):
    """What is typed is wrong: a sentence with *values*.

    It is marked by ``N_`` if a ruling can bring it about, as umpires rule by mail.
    """

    def __init__(self, sentence: str, /, **values: object) -> None:
        super().__init__(Sentence(sentence, **values))


class Clash(PositionFault):
    """What is typed is well written: it cannot be so by the rules, or beside what else there is."""


class Unknown(PositionFault):
    """There is no thing of the typed name; the sentence is about ``value``, and ``like`` is the nearest that there is."""

    def __init__(self, sentence: str, typed: Any, known: Iterable[str]) -> None:
        near = difflib.get_close_matches(str(typed), tuple(known), 1)
        super().__init__(sentence, value=show_value(typed), like=f"; {near[0]}?" if near else "")


class PositionReader(Generic[State]):
    """``state``: the position as far as it was read; ``where``: the key that is read. Faults are noted with their keys."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.where = ""
        self.faults: list[str] = []
        self.clashes: list[str] = []  # those faults that are well written

    def note(self, fault: PositionFault, where: str = "") -> None:
        """Note a fault of the key that is read, or of another one."""
        self.faults.append(Sentence(FAULT, where=where or self.where, fault=fault.args[0]))
        self.clashes += self.faults[-1:] * isinstance(fault, Clash)

    def read(self, form: Form, typed: Any, part: str = "") -> Any:
        """Return what is typed, or as *part* of what is read, as ``.GSW`` or ``[3]``; None once a fault is noted."""
        outer, self.where = self.where, self.where + part
        try:
            return form.read(self, typed)
        except PositionFault as fault:
            self.note(fault)
            return None
        finally:
            self.where = outer

    def stop_if_faulty(self) -> None:
        """Raise PositionError if anything was wrong."""
        if self.faults:
            raise PositionError(tuple(self.faults), tuple(self.clashes))


class Form(Value, kw_only=False):
    """How a thing is typed: ``read`` (reader, typed) returns it or raises Fault, ``write`` (state, thing) what is read so."""

    read: Callable[[Any, Any], Any]
    write: Callable[[Any, Any], Any] = lambda state, thing: thing


class Key(Value, kw_only=False):
    """A key of typed-in positions: it fills the field of its name, of mappings the entries that are typed.

    ``field``: the field, if it has another name; ``get`` (state) and ``put`` (state, thing): for what is more than a field.
    ``word``: by which umpires change it in rulings, "" if they cannot. ``sparse``: entries that are empty are left out.
    """

    name: str
    form: Form
    field: str = ""
    word: str = ""
    get: Callable[[Any], Any] | None = None
    put: Callable[[Any, Any], Any] | None = None
    sparse: bool = False

    def put_into(self, state: Any, thing: Any) -> Any:
        """Return the position with what was read."""
        if self.put:
            return self.put(state, thing)
        whole = {**self.out_of(state), **thing} if isinstance(thing, dict) else thing
        if self.sparse:
            whole = {name: entry for name, entry in whole.items() if entry}
        return state.but(**{self.field or self.name: whole})

    def out_of(self, state: Any) -> Any:
        """Return what is written."""
        return self.get(state) if self.get else getattr(state, self.field or self.name)


def read_keys(reader: PositionReader[Any], keys: Iterable[Key], typed: Fields) -> None:
    """Read a table key by key, in the order of *keys*; blame those that a position does not have."""
    known = {key.name: key for key in keys}
    for name in (name for name in typed if name not in known):
        reader.note(PositionFault(f"a position has no such key ({suggest(name, tuple(known))})"), name)
    for name in known:
        thing = reader.read(known[name].form, typed[name], name) if name in typed else None
        if thing is not None:
            reader.state = known[name].put_into(reader.state, thing)


def write_keys(state: Any, keys: Iterable[Key]) -> Fields:
    """Return the table that ``read_keys`` reads."""
    return {key.name: key.form.write(state, key.out_of(state)) for key in keys}


def words_of(keys: Iterable[Key]) -> dict[str, str]:
    """Return the keys that rulings can change, by the umpire's words."""
    return {key.word: key.name for key in keys if key.word}


# --- forms that games have in common ---


def resolve(value: Given, state: Any) -> Any:
    """Return a value that may depend on the state."""
    return value(state) if callable(value) else value


def whole(least: int, most: Given) -> Form:
    """Return how a whole number within limits is typed."""

    def read(reader: PositionReader[Any], typed: Any) -> int:
        limit = resolve(most, reader.state)
        is_number = isinstance(typed, int) and not isinstance(typed, bool)
        if is_number and least <= typed <= limit:
            return int(typed)
        told = N_("{value} is read; a whole number from {least} to {most} expected")
        raise (Clash if is_number else PositionFault)(told, value=show_value(typed), least=least, most=limit)

    return Form(read)


def word(kinds: Given, sentence: str = N_("{value} is not known ({known})")) -> Form:
    """Return how one of the known words is typed; *sentence*: about the ``value`` that is none of them."""

    def read(reader: PositionReader[Any], typed: Any) -> str:
        known = resolve(kinds, reader.state)
        if typed in known:
            return str(typed)
        raise PositionFault(sentence, value=show_value(typed), known=suggest(str(typed), known))

    return Form(read)


codes_of = attrgetter("table.codes")  # players or companies in order of play
CODE = word(codes_of, N_("{value} is no company of this game ({known})"))


def optional(form: Form, lacking: Any) -> Form:
    """Return how a thing is typed that may be left out, or be typed as *lacking*, which is what is read then."""
    return Form(
        lambda reader, typed: lacking if typed in (None, lacking) else form.read(reader, typed),
        lambda state, thing: lacking if thing == lacking else form.write(state, thing),
    )


def list_of(
    form: Form, sentence: str = LISTED_WORDS, kind: type = str, example: str = "", *, numbered: bool = False
) -> Form:
    """Return how a list is typed; *sentence*: about the ``value`` that is none, or not all of one *kind*.

    With an *example*, a single entry may be typed without brackets. *numbered*: faults say in which entry they are.
    """

    def read(reader: PositionReader[Any], typed: Any) -> tuple[Any, ...]:
        listed = [typed] if example and isinstance(typed, kind) else typed
        if not isinstance(listed, list) or not all(isinstance(each, kind) for each in listed):
            raise PositionFault(sentence, value=show_value(typed), example=example)
        things = [reader.read(form, each, f"[{at}]" * numbered) for at, each in enumerate(listed, 1)]
        return tuple(thing for thing in things if thing is not None)

    return Form(read, lambda state, things: [form.write(state, thing) for thing in things])


def rows(kind: type[Struct], **columns: Form) -> Form:
    """Return how a list of values is typed: as tables with their fields, in their order by the names of the *columns*."""
    fields = dict(zip(columns, kind.__struct_fields__, strict=True))

    def read(reader: PositionReader[Any], typed: Fields) -> Struct:
        for name in (name for name in typed if name not in columns):
            reader.note(PositionFault(f"no such key ({suggest(name, tuple(columns))})"), f"{reader.where}.{name}")
        return kind(**{fields[name]: reader.read(columns[name], typed.get(name), f".{name}") for name in columns})

    form = Form(
        read, lambda state, thing: {name: columns[name].write(state, getattr(thing, fields[name])) for name in columns}
    )
    return list_of(form, f"a list of tables expected, each with {', '.join(columns)}", dict, numbered=True)


def table_of(
    names: Form,
    values: Form,
    every: Given,
    lacking: Any,
    sentence: str,
    example: Given,
) -> Form:
    """Return how a mapping is typed: as a table of *values* by *names*; *sentence*: about the ``value`` that is none.

    *every*: what there may be entries of, in the order of writing; *lacking*: what they are written with if they have none,
    None: not at all.
    """

    def read(reader: PositionReader[Any], typed: Any) -> Fields:
        if not isinstance(typed, dict):
            raise PositionFault(sentence, value=show_value(typed), example=resolve(example, reader.state))
        known = {name: reader.read(names, name, f".{name}") for name in typed}
        found = {key: reader.read(values, typed[name], f".{name}") for name, key in known.items() if key is not None}
        return {key: found[key] for key in resolve(every, reader.state) if found.get(key) is not None}

    def write(state: Any, things: Fields) -> Fields:
        told = {key: things.get(key, lacking) for key in resolve(every, state)}
        return {names.write(state, key): values.write(state, each) for key, each in told.items() if each is not None}

    return Form(read, write)


def by_company(form: Form, lacking: Any = None) -> Form:
    """Return how things of companies or players are typed: as a table by their codes."""
    told = N_("{value} is read; a table by companies expected, as {example}")
    return table_of(CODE, form, codes_of, lacking, told, lambda state: f"{{ {codes_of(state)[0]} = … }}")


def suggest(name: str, known: Iterable[str]) -> Sentence:
    """Return what may be meant by a word that is not known, else what is known; of very many the first."""
    names = tuple(known)
    near = difflib.get_close_matches(name, names, 1)
    if near:
        return Sentence(N_("did you mean {hint}?"), hint=near[0])
    return Sentence(N_("there is {hint}"), hint=first_of(names, MOST_LISTED if len(names) <= MOST_LISTED else FIRST))


def show_value(value: Any) -> str:
    """Return a value as a fault shows it."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
