"""Dataclasses whose methods are made when they are first called.

The standard library compiles six functions for each class as soon as it is defined. That was a third of all the work of a pass
that finds one letter, and most of these functions are never called in it. So the library is asked for the fields alone; a
constructor is compiled when the first value is made, and what else a value can do is one function for all classes. What a
value is and does is the same, and ``fields``, ``replace`` and ``asdict`` of the standard library take it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from operator import attrgetter
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Value = TypeVar("Value")

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        cls: type | None = None, /, *, frozen: bool = False, slots: bool = False, kw_only: bool = False, eq: bool = True
    ) -> Any:
        """Make a class a dataclass, as ``dataclasses.dataclass`` does with these words."""

        def made(cls: type) -> type:
            return _made(cls, frozen=frozen, slots=slots, kw_only=kw_only, eq=eq)

        return made if cls is None else made(cls)


def _made(cls: type, *, frozen: bool, slots: bool, kw_only: bool, eq: bool) -> type:
    cls.__doc__ = cls.__doc__ or cls.__name__  # else the library compiles the constructor to say what it takes
    cls = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)
    methods: dict[str, Any] = {"__init__": _constructor(cls, sealed=frozen), "__repr__": _repr}
    if eq:
        methods["__eq__"] = _equality(cls)
    if eq and not frozen:
        methods["__hash__"] = None
    elif eq:
        methods["__hash__"] = _hashing(cls)
    if frozen:
        methods |= {"__setattr__": _no_change, "__delattr__": _no_change}
    if frozen and slots:
        methods |= {"__getstate__": _state, "__setstate__": _set_state}
    for name, method in methods.items():
        # A class with an equality of its own has a hash of None in its place, which is not its own word.
        if name not in vars(cls) or (name == "__hash__" and vars(cls)[name] is None and frozen):
            setattr(cls, name, method)
    return cls


def _constructor(cls: Any, *, sealed: bool) -> Callable[..., None]:
    """Return a constructor that compiles the real one when it is first called, and leaves its place to it."""

    def __init__(self: Any, *values: Any, **named: Any) -> None:  # noqa: N807 (it stands for it)
        if cls.__init__ is __init__:
            cls.__init__ = _compiled(cls, sealed=sealed)
        cls.__init__(self, *values, **named)

    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    return __init__


_NOT_GIVEN = object()


def _compiled(cls: Any, *, sealed: bool) -> Callable[..., None]:
    """Return the constructor of a class, as the standard library would write it."""
    taken, given, known = _arguments(cls)
    body = []
    for name, value in given.items():
        slot = vars(cls).get(name)
        if not sealed:
            body.append(f" self.{name} = {value}")
        elif isinstance(slot, MemberDescriptorType):
            known[f"_set_{name}"] = slot.__set__  # a third quicker than the object's way
            body.append(f" _set_{name}(self, {value})")
        else:
            body.append(f" _set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    made: Callable[..., None] = _function(
        f"def __init__({', '.join(['self', *taken])})", body or [" pass"], known | {"_set": object.__setattr__}
    )
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def maker(kind: Callable[Given, Value]) -> Callable[Given, Value]:
    """Return what makes values of a frozen class with slots as its constructor does, at a third of the price.

    For the few classes of which a turn makes dozens: a call of a class puts what is given into a tuple and a dictionary, a call
    of a function does not. A value is filled while it is of a class of the same shape that is not frozen.
    """
    cls: Any = kind
    names = tuple(field.name for field in dataclasses.fields(cls))
    if (cls.__bases__, getattr(cls, "__slots__", ())) != ((object,), names) or hasattr(cls, "__post_init__"):
        raise TypeError(f"{cls.__name__} is more than a frozen class with slots")
    taken, given, known = _arguments(cls)
    known |= {"_new": object.__new__, "_open": type(cls.__name__, (), {"__slots__": names}), "_cls": cls}
    body = [" self = _new(_open)", *(f" self.{name} = {value}" for name, value in given.items())]
    made: Callable[Given, Value] = _function(
        f"def make({', '.join(taken)})", [*body, " self.__class__ = _cls", " return self"], known
    )
    return made


def _arguments(cls: Any) -> tuple[list[str], dict[str, str], dict[str, Any]]:
    """Return what a constructor takes, what it sets each field to, and the names that are known in it."""
    known: dict[str, Any] = {"_not_given": _NOT_GIVEN}
    plain, named, given = [], [], {}
    for field in dataclasses.fields(cls):
        name = field.name
        value, taken = name, name
        if field.default is not dataclasses.MISSING:
            known[f"_default_{name}"] = field.default
            taken = f"{name}=_default_{name}"
        elif field.default_factory is not dataclasses.MISSING:
            known[f"_make_{name}"] = field.default_factory
            taken = f"{name}=_not_given"
            value = f"_make_{name}() if {name} is _not_given else {name}"
        if not field.init:
            if taken == name:
                continue  # the class sets it by itself
            value = f"_default_{name}" if field.default is not dataclasses.MISSING else f"_make_{name}()"
        elif field.kw_only:
            named.append(taken)
        else:
            plain.append(taken)
        given[name] = value
    return [*plain, *(["*", *named] if named else [])], given, known


def _function(head: str, body: list[str], known: dict[str, Any]) -> Any:
    exec(f"{head}:\n" + "\n".join(body), known)  # noqa: S102 (our own names)
    return known[head.removeprefix("def ").partition("(")[0]]


def _equality(cls: type) -> Callable[[Any, Any], bool]:
    values = _values_of(field.name for field in dataclasses.fields(cls) if field.compare)

    def __eq__(self: Any, other: Any) -> bool:  # noqa: N807 (it stands for it)
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hashing(cls: type) -> Callable[[Any], int]:
    values = _values_of(
        field.name for field in dataclasses.fields(cls) if (field.compare if field.hash is None else field.hash)
    )
    return lambda self: hash(values(self))


def _values_of(names: Iterable[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what gives a value's fields of these names as a tuple."""
    few = tuple(names)
    if len(few) > 1:
        return attrgetter(*few)
    one = attrgetter(*few) if few else None
    return (lambda value: (one(value),)) if one is not None else (lambda value: ())


def _repr(self: Any) -> str:
    told = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in dataclasses.fields(self) if each.repr)
    return f"{self.__class__.__qualname__}({told})"


def _no_change(self: Any, name: str, value: object = None) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to or delete field {name!r} of {self.__class__.__qualname__}")


def _state(self: Any) -> list[Any]:
    """Return what is copied or pickled of a value, as the standard library does for frozen classes with slots."""
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
