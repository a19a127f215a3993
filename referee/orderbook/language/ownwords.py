"""An umpire's own words over the order language of a game: his lists join the shipped ones, all else stands in their place."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from referee.core.errors import ConfigError
from referee.core.texts.boardfields import LONGEST
from referee.core.texts.tomltext import load_toml
from referee.orderbook.language.names import fold
from referee.orderbook.language.verbs import names_of

Tables = dict[str, dict[str, Any]]

_KINDS = {dict: "a table", list: "a list", str: "a text", bool: "true or false", int: "a number"}


def overlay(tables: Tables, where: str, text: str) -> Tables:
    """Return the tables of an order language with those of *text*, a file at *where*, over them.

    Raises:
        ConfigError: it is not TOML, says something of a verb or kind of words that the game has not, or gives a name of one
            verb to another.
    """
    try:
        own = load_toml(text)
        _check_lists("", own)
        _check_known(own, tables)
        for name in own:
            _check_kind(name, own[name], {})
        for name in ("verb", "words"):
            _check_known(own.get(name, {}), tables[name], f"{name}.")
        keys = dict.fromkeys(key for entry in tables["verb"].values() for key in entry)
        for name, entry in own.get("verb", {}).items():
            _check_kind(f"verb.{name}", entry, {})
            _check_known(entry, keys, f"verb.{name}.")
        over = {name: _over(name, table, own.get(name, {})) for name, table in tables.items()}
        _check_apart(own.get("verb", {}), tables["verb"])
    except (tomllib.TOMLDecodeError, ConfigError) as error:
        raise ConfigError(f"{where}: {error}") from error
    return over


def _over(path: str, shipped: Any, own: Any) -> Any:
    _check_kind(path, own, shipped)
    if isinstance(shipped, dict):
        told = {
            key: _over(f"{path}.{key}", shipped[key], each) if key in shipped else each for key, each in own.items()
        }
        return {**shipped, **told}
    return [*shipped, *(each for each in own if each not in shipped)] if isinstance(shipped, list) else own


def _check_kind(path: str, own: object, shipped: object) -> None:
    if type(own) is not type(shipped):
        raise ConfigError(f"{path} must be {_KINDS[type(shipped)]}")


def _check_lists(path: str, own: object) -> None:
    """Raise ConfigError where a list has more than words: the language keeps each beginning of each."""
    if isinstance(own, dict):
        for name, each in own.items():
            _check_lists(f"{path}.{name}", each)
    elif isinstance(own, list) and any(not isinstance(each, str) or len(each) > LONGEST for each in own):
        raise ConfigError(f"{path[1:]}: a list has texts of at most {LONGEST} signs")


def _check_known(own: Iterable[str], known: Iterable[str], before: str = "") -> None:
    names = list(known)
    for name in own:
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            meant = f"did you mean {before}{near[0]}?" if near else f"known: {', '.join(names)}"
            raise ConfigError(f"there is no {before}{name} ({meant})")


def _check_apart(own: Mapping[str, Mapping[str, Any]], shipped: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise ConfigError where a name of the umpire's would take a line away from another verb."""
    meant = {_folded(alias): name for name, entry in shipped.items() for alias in (name, *names_of(entry))}
    for name, entry in own.items():
        before = {_folded(alias) for alias in names_of(shipped[name])}
        for alias in names_of(entry):
            other = meant.setdefault(_folded(alias), name)
            if other != name and _folded(alias) not in before:
                raise ConfigError(f"verb.{name}: {alias!r} means {other} already")


def _folded(alias: str) -> tuple[str, bool]:
    """Return a name as lines are compared with it; ``ORDERS?`` is another one than ``ORDERS``."""
    return fold(alias), alias.endswith("?")
