"""Our dataclasses and those of the standard library are the same to whoever uses them."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import types
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from referee.core import values

WAYS: tuple[dict[str, bool], ...] = (
    {"frozen": True, "slots": True, "kw_only": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "kw_only": True},
    {"frozen": True, "slots": True, "eq": False},
    {"slots": True},
    {"slots": True, "kw_only": True},
)
Maker = Callable[..., Callable[[type], Any]]


def _filled(made: dict[str, Any]) -> None:
    def total(self: Any) -> int:
        return int(self.units) + len(self.towns)

    made |= {
        "__module__": __name__,
        "__qualname__": "Build",
        "__annotations__": {
            "units": "int",
            "towns": "tuple[str, ...]",
            "rivals": "dict[str, int]",
            "code": "str",
            "tries": "list[int]",
            "label": "str",
            "kinds": "ClassVar[int]",
        },
        "towns": ("Dublin",),
        "rivals": dataclasses.field(default_factory=dict, compare=False),
        "code": dataclasses.field(default="secret", repr=False),
        "tries": dataclasses.field(init=False, default_factory=list, hash=False),
        "label": dataclasses.field(init=False, default="1a"),
        "kinds": 3,
        "total": total,
    }


def build_of(maker: Maker, way: dict[str, bool]) -> Any:
    return maker(**way)(types.new_class("Build", exec_body=_filled))


def both(way: dict[str, bool]) -> tuple[Any, Any]:
    return build_of(values.dataclass, way), build_of(dataclasses.dataclass, way)


@values.dataclass(frozen=True, slots=True, kw_only=True)
class Hex:
    """One that can be pickled: it has a place."""

    column: int
    row: int = 1
    seen: ClassVar[int] = 0


@values.dataclass(frozen=True, slots=True)
class Halved:
    """One that checks what it is made of, and has an equality of its own."""

    number: int
    half: int = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "half", self.number // 2)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Halved) and self.half == other.half


def _tried(act: Callable[[], Any]) -> object:
    """Return what comes of an act: its value, or the kind of its error."""
    try:
        return act()
    except Exception as error:
        return type(error)


ACTS: dict[str, Callable[[Any], object]] = {
    "told": lambda build: repr(build(units=1)),
    "told-filled": lambda build: repr(build(units=1, towns=(), rivals={"GSW": 1}, code="x")),
    "by-place": lambda build: repr(build(1, ("Cork",))),
    "nothing-given": lambda build: build(),
    "too-much-given": lambda build: build(units=1, price=2),
    "given-though-not-taken": lambda build: build(units=1, label="2b"),
    "equal": lambda build: build(units=1) == build(units=1, rivals={"GSW": 1}),
    "unequal": lambda build: build(units=1) == build(units=2),
    "another-kind": lambda build: build(units=1) == 1,
    "hash": lambda build: len({build(units=1), build(units=1)}),
    "hash-of-its-fields": lambda build: hash(build(units=1)) == hash((1, ("Dublin",), "secret", "1a")),
    "replaced": lambda build: repr(dataclasses.replace(build(units=1), units=5)),
    "replaced-what-is-not-taken": lambda build: dataclasses.replace(build(units=1), label="x"),
    "a-dict": lambda build: dataclasses.asdict(build(units=1)),
    "fields": lambda build: [(each.name, each.init, each.compare, each.kw_only) for each in dataclasses.fields(build)],
    "changed": lambda build: setattr(build(units=1), "units", 2),
    "deleted": lambda build: delattr(build(units=1), "units"),
    "copied": lambda build: repr(copy.copy(build(units=1))),
    "copied-deeply": lambda build: repr(copy.deepcopy(build(units=1, rivals={"GSW": 1}))),
    "a-method": lambda build: build(units=1).total(),
    "own-lists": lambda build: build(units=1).tries is build(units=1).tries,
    "of-the-class": lambda build: build.kinds,
    "slots": lambda build: hasattr(build(units=1), "__dict__"),
    "matched": lambda build: build.__match_args__,
}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way))
def test_they_are_what_the_standard_library_makes(way: dict[str, bool]) -> None:
    differing = {
        name: (_tried(lambda: act(ours)), _tried(lambda: act(theirs)))  # noqa: B023 (called here)
        for name, act in ACTS.items()
        for ours, theirs in (both(way),)
        if _tried(lambda: act(ours)) != _tried(lambda: act(theirs))  # noqa: B023
    }
    assert differing == {}


def test_a_value_can_be_pickled_and_is_sealed_afterwards() -> None:
    again = pickle.loads(pickle.dumps(Hex(column=3)))  # noqa: S301 (our own)
    assert again == Hex(column=3, row=1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="row"):
        again.row = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="price"):
        again.price = 2


def test_what_a_class_says_itself_stays() -> None:
    assert Halved(4) == Halved(5)
    assert Halved(4).half == 2
    assert Halved.__doc__ == "One that checks what it is made of, and has an equality of its own."


def test_a_constructor_says_whose_it_is_and_is_compiled_once() -> None:
    with pytest.raises(TypeError, match=r"Hex\.__init__\(\) missing 1 required keyword-only argument: 'column'"):
        Hex()  # type: ignore[call-arg]
    made = vars(Hex)["__init__"]
    Hex(column=1)
    assert vars(Hex)["__init__"] is made


@pytest.mark.parametrize("way", [way for way in WAYS if way.get("slots")], ids=lambda way: "-".join(way))
def test_what_a_maker_makes_is_what_the_constructor_makes(way: dict[str, bool]) -> None:
    build = build_of(values.dataclass, way)
    made = values.maker(build)
    for name in (
        "told",
        "told-filled",
        "by-place",
        "nothing-given",
        "too-much-given",
        "given-though-not-taken",
        "hash",
    ):
        assert _tried(lambda: ACTS[name](made)) == _tried(lambda: ACTS[name](build)), name  # noqa: B023 (called here)
    assert type(made(units=1)) is build
    assert made(units=1, rivals={"GSW": 1}).rivals == {"GSW": 1}
    assert made(units=1).tries is not made(units=1).tries
    assert _tried(lambda: setattr(made(units=1), "units", 2)) == _tried(lambda: setattr(build(units=1), "units", 2))


def test_a_maker_is_for_plain_classes_with_slots_alone() -> None:
    with pytest.raises(TypeError, match="Halved is more than a frozen class with slots"):
        values.maker(Halved)
    with pytest.raises(TypeError, match="Build is more than"):
        values.maker(build_of(values.dataclass, {"frozen": True, "kw_only": True}))
