"""The grammar of an order as a parser, whose tables lark makes; they are kept where there is a place for that.

lark itself is imported where a line is parsed or tables are made: most of what imports this never does.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from lark import Lark


class Kept(Protocol):
    """A place where work is kept that need not be done twice; what it gives is whole and of this version."""

    def read(self, key: str) -> bytes | None:
        """Return what was kept under a key, None if nothing was."""

    def write(self, key: str, content: bytes) -> None:
        """Keep something."""


class WrongGrammar(ValueError):
    """A grammar that is none."""


_OPTIONS: dict[str, Any] = {"parser": "lalr", "start": "order", "propagate_positions": True}


def tables_of(grammar: str, kept: Kept | None = None, lark: str = "") -> bytes:
    """Return the tables of a grammar's parser, which may be kept: making them takes fifty times as long as reading them.
    *lark*: which lark makes them.

    Raises:
        WrongGrammar: it cannot be read.
    """
    key = f"grammar {lark} {sorted(_OPTIONS.items())} {grammar}"
    found = kept.read(key) if kept is not None else None
    if found is not None:
        return found
    from lark import Lark
    from lark.exceptions import LarkError
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    try:
        data, memo = Lark(grammar, lexer=_no_lexer(), **_OPTIONS).memo_serialize([TerminalDef, Rule])
    except LarkError as error:
        raise WrongGrammar(f"{type(error).__name__}: {error}") from error
    for place in _places_of_lexer(data):
        place[0][place[1]] = ""  # a class is no table
    made = marshal.dumps((data, memo))
    if kept is not None:
        kept.write(key, made)
    return made


class Parser:
    """The parser of orders; each line is fed to it word by word."""

    def __init__(self, tables: bytes) -> None:
        from lark import Lark

        self._parser: Lark = Lark.load(_with_lexer(*marshal.loads(tables)))  # noqa: S302 (our own: see Kept)

    def begin(self) -> Feed:
        """Return what the words of a line are fed to."""
        return Feed(self._parser.parse_interactive())


class Feed:
    """A line while it is parsed."""

    def __init__(self, state: Any) -> None:
        self._state = state  # lark gives its methods no types

    def copy(self) -> Feed:
        """Return another that has taken the same words."""
        return Feed(self._state.copy())

    def accepts(self) -> frozenset[str]:
        """Return the terminals that can stand next, ``$END`` among them where the line may end."""
        return frozenset(self._state.accepts())

    def choices(self) -> frozenset[str]:
        """Return those that the parser's table has an entry for: quicker, and nearly as strict."""
        return frozenset(self._state.choices())

    def take(self, terminal: str, text: str, start: int, end: int) -> bool:
        """Feed a word, which stands in the line from *start* to *end*; return whether it was taken."""
        leaf, unexpected = _classes()
        try:
            self._state.feed_token(leaf(terminal, text, start_pos=start, end_pos=end))
        except unexpected:
            return False
        return True

    def end(self) -> Any:
        """Return the tree of the line, None where it ends too early: rules with their name in ``data`` and their ``children``."""
        try:
            return self._state.feed_eof()
        except _classes()[1]:
            return None


def is_word(child: Any) -> bool:
    """Return whether what stands in a rule is no rule but a word, with its place in the line in ``start_pos``."""
    return isinstance(child, str)


@cache
def _classes() -> tuple[Any, Any]:
    from lark import Token
    from lark.exceptions import UnexpectedInput

    return Token, UnexpectedInput


@cache
def _no_lexer() -> type:
    """Return what tells lark that there is nothing to build, for the parser is fed word by word."""
    from lark.lexer import Lexer

    class NoLexer(Lexer):
        def __init__(self, lexer_conf: Any) -> None:
            pass

        def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Any]:
            return iter(())

    return NoLexer


def _with_lexer(data: dict[str, Any], memo: dict[int, Any]) -> dict[str, Any]:
    for table, name in _places_of_lexer(data):
        table[name] = _no_lexer()
    return {"data": data, "memo": memo}


def _places_of_lexer(data: dict[str, Any]) -> tuple[tuple[dict[str, Any], str], ...]:
    return (data["options"], "lexer"), (data["parser"]["lexer_conf"], "lexer_type")
