"""What values are made of: structs that are given by name and never change, and the few that do."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, dataclass_transform

from msgspec import Struct, StructMeta, field

Fields = Mapping[str, Any]  # plain values by name, as TOML and JSON have them
Texts = tuple[str, ...]  # in an order that counts
Numbers = tuple[int, ...]
Pair = tuple[str, str]
Words = Mapping[str, str]  # by name
Amounts = Mapping[str, int]  # by name: of a company, a colour, a place


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


View = dict[str, Any]  # what is told of something, as plain values


def shared(value: Struct, kind: type[Struct]) -> dict[str, Any]:
    """Return the fields of a value that those of another *kind* have as well, by name."""
    return {name: getattr(value, name) for name in kind.__struct_fields__ if hasattr(value, name)}


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
            return self._boxed(plain)
        kind = self._kinds.get(plain[self._tag])
        if kind is None:
            raise ValueError(f"unknown kind {plain[self._tag]!r}")
        given = {name: value for name, value in unsaved.items() if name in kind.unstored}
        return kind(**given, **{name: self._value(item) for name, item in plain.items() if name != self._tag})

    def _boxed(self, plain: dict[str, Any]) -> Any:
        for what, inside in plain.items():
            match what:
                case "map":
                    return {self._value(key): self._value(item) for key, item in inside}
                case "set":
                    return frozenset(self._value(inside))
                case _ if what in self._others:
                    return self._others[what][2](inside)
        raise ValueError("unknown kind None")
