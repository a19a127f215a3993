"""The grammar of an order as the tables of a parser: made by lark, or taken from where they were kept."""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from typing import Any, Protocol

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import Lexer, TerminalDef


class Kept(Protocol):
    """A place where work is kept that need not be done twice; what it gives is whole and of this version."""

    def read(self, key: str) -> bytes | None:
        """Return what was kept under a key, None if nothing was."""

    def write(self, key: str, content: bytes) -> None:
        """Keep something."""


class _NoLexer(Lexer):
    """The parser is fed word by word; this only tells lark that there is nothing to build."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Any]:
        return iter(())


_OPTIONS: dict[str, Any] = {"parser": "lalr", "start": "order", "propagate_positions": True}


def tables_of(grammar: str, kept: Kept | None = None) -> bytes:
    """Return the tables of a grammar's parser, which may be kept: making them takes fifty times as long as reading them.

    Raises:
        lark.exceptions.LarkError: the grammar is wrong.
    """
    key = f"grammar {lark.__version__} {sorted(_OPTIONS.items())} {grammar}"
    found = kept.read(key) if kept is not None else None
    if found is not None:
        return found
    data, memo = Lark(grammar, lexer=_NoLexer, **_OPTIONS).memo_serialize([TerminalDef, Rule])
    for place in _places_of_lexer(data):
        place[0][place[1]] = ""  # a class is no table
    made = marshal.dumps((data, memo))
    if kept is not None:
        kept.write(key, made)
    return made


def parser_of(tables: bytes) -> Lark:
    """Return the parser of these tables."""
    return Lark.load(_with_lexer(*marshal.loads(tables)))  # noqa: S302 (our own: see Kept)


def _with_lexer(data: dict[str, Any], memo: dict[int, Any]) -> dict[str, Any]:
    for table, name in _places_of_lexer(data):
        table[name] = _NoLexer
    return {"data": data, "memo": memo}


def _places_of_lexer(data: dict[str, Any]) -> tuple[tuple[dict[str, Any], str], ...]:
    return (data["options"], "lexer"), (data["parser"]["lexer_conf"], "lexer_type")
