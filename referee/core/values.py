"""What values are made of: structs that are given by name and never change, and the few that do."""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, dataclass_transform

from msgspec import Struct, StructMeta, field


class _ByName(StructMeta):
    """Structs take their fields by name, those of which a class says ``kw_only=False`` by place as well."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], /, **config: Any) -> Any:
        return super().__new__(mcs, name, bases, namespace, **{"kw_only": True, **config})


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class Value(Struct, metaclass=_ByName, frozen=True):
    """A value that never changes. ``unstored``: its fields that are no part of what is kept of it."""

    unstored: ClassVar[frozenset[str]] = frozenset()


@dataclass_transform(kw_only_default=True, field_specifiers=(field,))
class Mutable(Struct, metaclass=_ByName):
    """What is filled while something is worked out."""


class Partial(Value, eq=False):
    """A value that is the same as another one whatever stands in its ``uncompared`` fields."""

    uncompared: ClassVar[frozenset[str]] = frozenset()

    def __eq__(self, other: object) -> bool:
        return (
            self._compared() == other._compared() if isinstance(other, Partial) and type(other) is type(self) else False
        )

    def __hash__(self) -> int:
        return hash(self._compared())

    def _compared(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__struct_fields__ if name not in self.uncompared)


# Values to JSON and back: tuples as lists, a value of a class as an object with its ``kind``.
#
# The JSON is the same bytes on every interpreter: sorted keys, no spaces, no floats.

Reader = Callable[[Any], Any]
ObjectReader = Callable[[dict[str, Any], Mapping[str, Any]], Any]

_PLAIN = frozenset((str, int, bool, type(None)))


def canonical(plain: object) -> str:
    """Return JSON: the same bytes for the same value."""
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class Codec:
    """Writes and reads the values of the classes it was given; a class's name is its ``kind``."""

    def __init__(self, *kinds: type[Value]) -> None:
        """*kinds*: every class of values that may stand where its type is not known from a field (events, orders, states)."""
        self._kinds = {kind.__name__: kind for kind in kinds}
        # By class, its name and the fields that are stored.
        self._written = {
            kind: (kind.__name__, [name for name in kind.__struct_fields__ if name not in kind.unstored])
            for kind in kinds
        }
        for name, fields in self._written.values():
            assert "kind" not in fields, f"{name} has a field 'kind'"
        self._readers: dict[type[Value], ObjectReader] = {}

    def encode(self, value: Any) -> str:
        """Return *value* as JSON.

        Raises:
            TypeError: something in it is not a str, int, bool, None, tuple, frozenset, mapping or known class.
        """
        return canonical(self._plain(value))

    def decode(self, text: str, unsaved: Mapping[str, Any] | None = None) -> Any:
        """Return the value written by ``encode``.

        *unsaved*: fields of the outermost value that are not stored (``unstored``), by name; those that
        the value does not have are passed over.

        Raises:
            ValueError: the text is not ours (unknown kind, missing or unknown field).
        """
        plain = json.loads(text)
        return self._object(plain, unsaved or {}) if isinstance(plain, dict) else self._value(plain)

    def _plain(self, value: Any) -> Any:
        kind = type(value)
        if kind in _PLAIN:
            return value
        if kind in self._written:
            name, fields = self._written[kind]
            plain = {field: self._plain(getattr(value, field)) for field in fields}
            plain["kind"] = name
            return plain
        if isinstance(value, (tuple, list)):
            return [self._plain(item) for item in value]
        if isinstance(value, frozenset):
            return sorted(self._plain(item) for item in value)
        if isinstance(value, Mapping):
            # Keys may be tuples (hex-sides), so a mapping is written as a sorted list of pairs.
            return sorted([self._plain(key), self._plain(item)] for key, item in value.items())
        if isinstance(value, (str, int)):
            return value
        raise TypeError(f"{kind.__name__} cannot be stored")

    def _value(self, plain: Any) -> Any:
        if isinstance(plain, list):
            return tuple(self._value(item) for item in plain)
        if isinstance(plain, dict):
            return self._object(plain, {})
        return plain

    def _object(self, plain: dict[str, Any], unsaved: Mapping[str, Any]) -> Any:
        kind = self._kinds.get(plain.get("kind", ""))
        if kind is None:
            raise ValueError(f"unknown kind {plain.get('kind')!r}")
        hints = typing.get_type_hints(kind) if kind not in self._readers else {}
        if hints:
            self._readers[kind] = self._object_reader(kind, hints)
        return self._readers[kind](plain, unsaved)

    def _object_reader(self, kind: type[Value], hints: dict[str, Any]) -> ObjectReader:
        readers = {name: self._reader(hints[name]) for name in kind.__struct_fields__ if name not in kind.unstored}
        known = {*readers, "kind"}

        def read(plain: dict[str, Any], unsaved: Mapping[str, Any]) -> Any:
            if unknown := plain.keys() - known:
                raise ValueError(f"{kind.__name__} has no field {min(unknown)!r}")
            try:
                given = {name: value for name, value in unsaved.items() if name in kind.unstored}
                return kind(**given, **{name: readers[name](plain[name]) for name in readers if name in plain})
            except TypeError as error:
                raise ValueError(f"{kind.__name__}: {error}") from error

        return read

    def _reader(self, hint: Any) -> Reader:
        origin, arguments = typing.get_origin(hint), typing.get_args(hint)
        if origin is tuple and arguments and arguments[-1] is not Ellipsis:
            readers = tuple(self._reader(argument) for argument in arguments)
            return lambda plain: tuple(reader(item) for reader, item in zip(readers, plain, strict=True))
        if origin is tuple:
            item_reader = self._reader(arguments[0])
            return lambda plain: tuple(item_reader(item) for item in plain)
        if origin is frozenset:
            member_reader = self._reader(arguments[0])
            return lambda plain: frozenset(member_reader(item) for item in plain)
        if origin in (dict, Mapping) or (isinstance(origin, type) and issubclass(origin, Mapping)):
            key_reader, value_reader = self._reader(arguments[0]), self._reader(arguments[1])
            return lambda plain: {key_reader(key): value_reader(item) for key, item in plain}
        if origin in (typing.Union, types.UnionType):
            return self._union_reader(arguments)
        return self._value

    def _union_reader(self, arguments: tuple[Any, ...]) -> Reader:
        """Optional values and unions of plain values and others: what is not None is read by its own kind."""
        others = [argument for argument in arguments if argument is not type(None)]
        if len(others) == 1:
            reader = self._reader(others[0])
            return lambda plain: None if plain is None else reader(plain)
        return self._value
