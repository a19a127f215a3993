"""One game's order language, read from its texts: verbs, how a line must begin to be an order, the grammar of an order."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lark import Lark
from lark.exceptions import LarkError
from lark.lexer import Lexer

from referee.core.errors import ConfigError
from referee.core.orders import Term
from referee.orderbook.names import Lexicon, fold
from referee.orderbook.tokens import END, Tongue

BEGIN, FINISH, TEXT, TEXT_END, COMMAND, ORDER = "begin", "end", "text", "text-end", "command", "order"

_BULLET = re.compile(r"(?:[*•·]|[-–—]\s)\s*")
_LOOK_AHEAD = 8  # words that decide whether a line is an order


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """A word that begins an order, a text or a command, and what a player is told about it."""

    name: str
    kind: str
    aliases: tuple[str, ...]
    takes: str
    example: str
    help: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """How an order line begins: with *verb* ("" where it has none) up to ``end``; ``text`` is the line less its bullet."""

    verb: str
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """What an ORDERS line says: the game's id in capitals ("" if none) and the turn (0 if none)."""

    game: str
    turn: int


class Book:
    """The order language of one game. Built once, used for every letter."""

    def __init__(self, tables: Mapping[str, Any], grammar: str) -> None:
        """*tables*: the merged tables ``verb``, ``words``, ``kinds``. ``of`` is the usual door."""
        self.verbs = tuple(_verb(name, entry) for name, entry in tables["verb"].items())
        self.terminals = frozenset(re.findall(r"\b_?[A-Z]+\b", " ".join(re.findall(r"(?m)^%declare (.*)$", grammar))))
        self.parser = Lark(grammar, parser="lalr", lexer=_NoLexer, start="order", propagate_positions=True)
        self.words = Lexicon(
            Term(kind=kind, name=name, value=kind) for kind, names in tables["words"].items() for name in names
        )
        entries = tables["verb"].items()
        self._opens = {name: _patterns(entry.get("opens", ()), tables["kinds"]) for name, entry in entries}
        self._bare = {name: _patterns(entry.get("bare", ()), tables["kinds"]) for name, entry in entries}
        self._folded = {fold(alias): verb for verb in self.verbs for alias in verb.aliases}
        self._starts = _starts(self.of_kind(ORDER))
        self._begins = _begin_pattern(self.of_kind(BEGIN), tables["verb"])
        self._slip_names = Lexicon(
            Term(kind=verb.kind, name=alias, value=verb.name)
            for verb in self.verbs
            for alias in verb.aliases
            if len(alias) > 2 and " " not in alias
        )

    @classmethod
    def of(cls, *, common: str, verbs: str, grammar: str) -> Book:
        """Return the language of these texts (``orders/common/verbs.toml`` and the game's ``verbs.toml`` and ``grammar.lark``).

        Raises:
            ConfigError: a text cannot be read; an umpire may bring his own.
        """
        tables: dict[str, dict[str, Any]] = {"verb": {}, "words": {}, "kinds": {}}
        try:
            for text in (common, verbs):
                for name, table in tomllib.loads(text).items():
                    tables[name].update(table)
            return cls(tables, grammar)
        except (tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError, re.error, LarkError) as error:
            raise ConfigError(f"order language: {type(error).__name__}: {error}") from error

    def of_kind(self, kind: str) -> tuple[Verb, ...]:
        """Return the verbs of a kind, in the order of the texts."""
        return tuple(verb for verb in self.verbs if verb.kind == kind)

    def verb(self, name: str) -> Verb | None:
        """Return the verb with this canonical name."""
        return next((verb for verb in self.verbs if verb.name == name), None)

    def begun(self, line: str) -> Begun | None:
        """Return what an ORDERS line says, None for any other line."""
        match = self._begins.fullmatch(line)
        if match is None:
            return None
        return Begun(game=(match["game"] or "").upper(), turn=int(match["turn"] or 0))

    def alone(self, line: str) -> Verb | None:
        """Return the verb that is all of this line: a command, END, the end of a text."""
        verb = self._folded.get(fold(line))
        return verb if verb is not None and verb.kind in (COMMAND, FINISH, TEXT_END) else None

    def text_head(self, line: str) -> tuple[Verb, str] | None:
        """Return (verb, the rest of the line) where a text begins: ``PRESS: …``."""
        head, colon, rest = line.partition(":")
        verb = self._folded.get(fold(head))
        return (verb, rest.strip()) if colon and verb is not None and verb.kind == TEXT else None

    def head(self, line: str) -> Head | None:
        """Return the order verb at the line's beginning, whatever follows."""
        text = _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
        match = self._starts.match(text)
        verb = self._folded.get(fold(match[1])) if match else None
        return Head(verb=verb.name, end=match.end(1), text=text) if match and verb else None

    def opening(self, line: str, tongue: Tongue) -> Head | None:
        """Return the beginning of an order; None where the line is prose, whatever its first word."""
        head = self.head(line)
        if head is not None and self._fits(self._opens[head.verb], head.text, head.end, tongue):
            return head
        text = _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
        if text[:1].isdigit() and any(self._fits(bare, text, 0, tongue) for bare in self._bare.values()):
            return Head(verb="", end=0, text=text)
        return None

    def slip(self, line: str) -> tuple[str, str, int] | None:
        """Return (word, verb it was meant for, its end) where a line begins with a slip of the pen for a verb."""
        match = re.match(r"[^\W\d_]{3,12}\b", line)
        if match is None or fold(match[0]) in self._folded:
            return None
        close = self._slip_names.nearest(match[0])
        return (match[0], self._folded[fold(close[0])].name, match.end()) if close else None

    def slip_opens(self, line: str, tongue: Tongue) -> bool:
        """Return whether a line with a slip would be an order with the right verb: ``BIULD 1a: (Dublin) - Y17``."""
        slip = self.slip(line)
        return slip is not None and self._fits(self._opens[slip[1]], line, slip[2], tongue)

    def rule_of(self, verb: str) -> Verb | None:
        """Return the verb of an order; for one written without a verb, the verb it stands for."""
        return self.verb(verb or next((name for name, bare in self._bare.items() if bare), ""))

    def _fits(self, patterns: tuple[re.Pattern[str], ...], line: str, start: int, tongue: Tongue) -> bool:
        firsts: list[str] = []
        lasts: list[str] = []
        for token in tongue.tokens(line, start):
            if len(firsts) == _LOOK_AHEAD:
                break
            firsts.append(tongue.kind_at_opening(token))
            lasts.append(token.kinds[-1][0] if len(token.kinds) > 1 else firsts[-1])
        if len(firsts) < _LOOK_AHEAD:
            firsts, lasts = [*firsts, END], [*lasts, END]
        spoken = {"".join(f"{kind} " for kind in kinds) for kinds in (firsts, lasts)}
        return any(pattern.match(kinds) for pattern in patterns for kinds in spoken)


class _NoLexer(Lexer):
    """The parser is fed word by word; this only tells lark that there is nothing to build."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Any]:
        return iter(())


def _verb(name: str, entry: Mapping[str, Any]) -> Verb:
    told = {key: entry[key] for key in ("kind", "takes", "example", "help", "rule")}
    return Verb(name=name, aliases=(name, *entry["aliases"]), **told)


def _patterns(texts: list[str], kinds: Mapping[str, str]) -> tuple[re.Pattern[str], ...]:
    """Return expressions over kinds, each followed by a space, from texts such as ``NUMBER LETTER? (SPOT|END)``."""

    def spelt(match: re.Match[str]) -> str:
        return "(?:" + re.sub(r"[A-Z]+", r"(?:\g<0>_)", kinds.get(match[0], match[0])) + ")"

    return tuple(re.compile(re.sub(r"[A-Z]+", spelt, text).replace(" ", "").replace("_", " ")) for text in texts)


def _starts(verbs: tuple[Verb, ...]) -> re.Pattern[str]:
    aliases = sorted((alias for verb in verbs for alias in verb.aliases), key=len, reverse=True)
    spelt = "|".join(re.escape(alias).replace(r"\ ", r"\s+") for alias in aliases)
    return re.compile(rf"({spelt})(?![^\W\d_])", re.IGNORECASE)


def _begin_pattern(verbs: tuple[Verb, ...], entries: Mapping[str, Any]) -> re.Pattern[str]:
    aliases = sorted((alias for verb in verbs for alias in verb.aliases), key=len, reverse=True)
    begin = "|".join(re.escape(alias).replace(r"\ ", r"\s+") for alias in aliases)
    turn = "|".join(re.escape(word) for verb in verbs for word in entries[verb.name].get("turn", ())) or "(?!)"
    return re.compile(
        rf"\W*(?:{begin})(?:[\s:]*\[?(?<![^\W_])(?P<game>[A-Za-z]{{1,8}}\d{{1,6}})\]?)?"
        rf"(?:[\s,:]*(?<![^\W_])(?:(?:{turn})\s*)?(?P<turn>\d{{1,4}}))?\W*",
        re.IGNORECASE,
    )
