"""What values are made of: structs that are given by name and never change, and the few that do."""

from __future__ import annotations

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
