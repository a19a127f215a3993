"""The expressions of an order language: how orders, texts and blocks begin, from the names of its verbs.

Each is read in one way only, whatever stands in a line, so that a line takes time in proportion to its length: between words
all blanks are taken (``*+``) and never given back.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from referee.core import ConfigError, Fields, Texts, Value, Words, fold
from referee.core.texts import load_toml
from referee.core.texts.boardfields import LONGEST

from .names import Expression, latin, names_of

# Escapes and sets of letters: a bracket in them is none.
_NO_BRACKETS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_REPEATED = re.compile(r"\)(?:[*+]|\{\d*,?\d*\})(?!\+)|\\[1-9]|\(\?P=|\(\?[a-z]*x")


def own(text: str) -> Expression:
    """Return an expression that stands in a file of words.

    Raises:
        ValueError: there may be too many ways to read one line by it.
    """
    if _REPEATED.search(_NO_BRACKETS.sub(lambda match: match[0] if match[0][1:].isdigit() else "x", text)):
        raise ValueError(
            f"the expression {text!r} repeats a bracket (write *+ or ++ behind it, or ?), refers to one, or is spaced out (?x)"
        )
    return re.compile(text, re.IGNORECASE)


def of_kinds(texts: Iterable[str], kinds: Words) -> tuple[Expression, ...]:
    """Return expressions over kinds, each followed by a space, from texts such as ``NUMBER LETTER? (SPOT|END)``."""

    def spelt(match: re.Match[str]) -> str:
        return "(?:" + re.sub(r"[A-Z]+", r"(?:\g<0>_)", kinds.get(match[0], match[0])) + ")"

    return tuple(re.compile(re.sub(r"[A-Z]+", spelt, text).replace(" ", "").replace("_", " ")) for text in texts)


def of_orders(names: Iterable[str]) -> Expression:
    """Return what finds the name of an order at the beginning of a line."""
    # R7 is a hex, R7: and R 7 are a race: a letter alone needs a space or a stop, or a wrapped line would be a new order.
    alone = r"(?!\d++(?!\s*+[:.)]))"
    return re.compile(rf"({_any_of(names, alone)})(?![^\W\d_])", re.IGNORECASE)


def within_lines(names: Iterable[str]) -> Expression:
    """Return what finds, anywhere in a line, the name of an order or a label, ``1a)``, ``1a (`` or ``b)``."""
    return re.compile(
        rf"(?<![^\W_])(?:(?:{_any_of(names)})(?![^\W\d_])(?=[\s:]*+[\w(])|\d{{1,2}}\s?[a-z]\s?(?=[):./(])|[a-z]\s?(?=\)\s?[\w(]))",
        re.IGNORECASE,
    )


def of_courtesies(words: Iterable[str]) -> Expression:
    """Return what one of these words and at most three more, once or twice, fill a line with: ``Thanks a lot, see you soon!``"""
    courtesy = rf"(?:{_any_of(words)})(?:[\s,]++[^\W\d_]++){{0,3}}[\s,.!;:-]*+"
    return re.compile(rf"{courtesy}(?:{courtesy})?", re.IGNORECASE)


def of_words(words: Iterable[str]) -> Expression:
    """Return what finds one of these words, or runs of words, anywhere in a line."""
    return re.compile(rf"(?<![^\W_])(?:{_any_of(words)})(?![^\W_])", re.IGNORECASE)


def of_texts(names: Iterable[str]) -> Expression:
    """Return what finds (name, readers) where a text begins that not everybody reads, or that nobody signs."""
    return re.compile(rf"({_any_of(names)})(?![^\W_])(.*)", re.IGNORECASE)


def of_values(names: Iterable[str]) -> tuple[Expression, ...]:
    """Return what finds (name, value) where a line begins like one of these names: those of more words first, as ``STAND VAN
    ZAKEN`` begins like ``STAND``.
    """
    words = sorted({len(name.split()) for name in names}, reverse=True)
    word = r"[^\W\d_]++"
    return tuple(re.compile(rf"({word}(?:\s++{word}){{{many - 1}}})(?![^\s:])\s*+:?\s*+(.*)") for many in words)


def of_blocks(names: Iterable[str], turns: Iterable[str]) -> Expression:
    """Return what finds (begin, game, turn, odd) where a block begins; *turns* may stand before the turn's number."""
    turn = "|".join(map(re.escape, turns)) or "(?!)"
    return re.compile(
        rf"\W*(?P<begin>{_any_of(names)})(?![^\W_])"
        rf"(?:[\s:]*+\[?(?<![^\W_])(?P<game>[A-Za-z]{{1,8}}\d{{1,6}})(?![^\W_])\]?)?"
        rf"(?:[\s,:]*+(?<![^\W_])(?:(?:{turn})\s*+)?(?P<turn>\d{{1,4}})(?![^\W_])(?!\s*+\)))?"
        # What stands between this and an order behind it; ORDERS RR7 3" and a line END is a sentence about orders.
        r"(?:\W*+\Z|[\s:.,;–—-]*+(?=[\w(*•·])|(?P<odd>))",
        re.IGNORECASE,
    )


def _any_of(names: Iterable[str], alone: str = "") -> str:
    """Return an expression for one of the names, the longest first; *alone* stands behind those of one letter or two."""
    longest = sorted(names, key=len, reverse=True)
    spelt = (re.escape(name).replace(r"\ ", r"\s++") + (alone if len(name) < 3 else "") for name in longest)
    return "|".join(spelt) or "(?!)"


# What makes a line that was not read look like an order, from the tables ``[doubts]`` in files of words.


class DoubtForm(Value):
    """One reason. ``line``: how the line begins; ``kinds``: words in it, wherever they stand (none: any); ``few``: more words
    that nobody knows make it prose; ``verb``: the order it is taken for; ``written``: that with the line's own label and places.
    """

    name: str
    line: Expression
    kinds: tuple[Expression, ...]
    few: int
    verb: str
    written: str

    def fits(self, text: str, spoken: str, strange: int) -> bool:
        """*spoken*: the kinds of the line's words, a blank before and behind each; *strange*: how many words nobody knows."""
        if strange > self.few or not self.line.match(text):
            return False
        return not self.kinds or any(shape.search(spoken) for shape in self.kinds)


def doubts_of(tables: Mapping[str, Fields], kinds: Words) -> tuple[DoubtForm, ...]:
    """Return the reasons in their order."""
    return tuple(
        DoubtForm(
            name=name,
            line=own(entry.get("line", "")),
            kinds=of_kinds((f"(?<=_)(?:{shape})" for shape in entry.get("kinds", ())), kinds),
            few=entry.get("few", 1_000),
            verb=entry.get("verb", ""),
            written=entry.get("written", ""),
        )
        for name, entry in tables.items()
    )


# What prose says of what stands beside it: that it is not meant.

_LONGEST = 300  # characters of a line that are looked at


class Prose:
    """The words for that, from the table ``courtesies``."""

    def __init__(self, words: Mapping[str, Sequence[str]]) -> None:
        self._revoking, self._supposing, self._negating, self._banners = (
            of_words(words.get(key, ())) for key in ("revoking", "supposing", "negating", "banners")
        )

        self._offices = tuple(map(fold, words.get("offices", ())))

    def names_office(self, name: str) -> bool:
        """Return whether somebody of that name would be taken for the umpire, or for us."""
        return any(office in fold(latin(name)) for office in self._offices)

    def takes_back(self, line: str) -> bool:
        """Return whether what stands below a line is not ordered: ``If MGW starts in Dublin:``"""
        line = line[:_LONGEST].strip(" *[](<>#_-")
        supposed = self._supposing.match(line)
        whole = supposed is not None and (line.endswith(":") or not any(map(str.isalnum, line[supposed.end() :])))
        return whole or self._revoking.search(line) is not None

    def is_banner(self, line: str) -> bool:
        """Return whether a line begins what a firm or a program writes into each letter: ``CAUTION: External sender``."""
        return self._banners.match(line[:_LONGEST].lstrip(" *[<!#_-")) is not None

    def negates(self, line: str) -> bool:
        """Return whether a line has a word like ``not`` in it."""
        return self._negating.search(line[:_LONGEST]) is not None


# What words of orders are called in the language of whoever reads them: we keep orders in English, and read all languages.

SAID = "said"  # the table of words that stand inside orders, for each language
COMMANDS = "commands"  # that of the umpire's commands by mail
# All tables of a file of words.
TABLES = (*["verb", "words", "kinds", "courtesies", "lines", "elsewhere", "hands", "numbers", "doubts"], SAID, COMMANDS)


@lru_cache(maxsize=16)
def spoken_words(texts: Texts, language: str) -> dict[str, str]:
    """Return, by a word as we write it (``ORDERS``, ``FASTEST``, ``none``), what a language calls it; nothing for English.

    *texts*: the files of words of a game, as ``orders/common/verbs.toml``: of a verb the first name that it has in the language,
    of what stands inside orders the word in the table ``said``.
    """
    found: dict[str, str] = {}
    for text in texts:
        tables = tomllib.loads(text)
        found |= {
            name: entry["in"][language][0] for name, entry in tables["verb"].items() if language in entry.get("in", {})
        }
        found |= tables.get(SAID, {}).get(language, {})
    return found


@lru_cache(maxsize=4)
def _english(text: str) -> dict[str, str]:
    tables = tomllib.loads(text)[SAID]
    return {said: word for table in tables.values() for word, said in table.items()}


def in_english(word: str, text: str) -> str:
    """Return a word as we write it that a language says so in the table ``said`` of *text*; others as they are."""
    return _english(text).get(word, word)


# An umpire's own words over the order language of a game: lists among them join the shipped ones, all else takes their place.

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


def _check_apart(own: Mapping[str, Fields], shipped: Mapping[str, Fields]) -> None:
    """Raise ConfigError where a name of the umpire's would take a line away from another verb."""
    meant = {_fold_alias(alias): name for name, entry in shipped.items() for alias in (name, *names_of(entry))}
    for name, entry in own.items():
        before = {_fold_alias(alias) for alias in names_of(shipped[name])}
        for alias in names_of(entry):
            other = meant.setdefault(_fold_alias(alias), name)
            if other != name and _fold_alias(alias) not in before:
                raise ConfigError(f"verb.{name}: {alias!r} means {other} already")


def _fold_alias(alias: str) -> tuple[str, bool]:
    """Return a name as lines are compared with it; ``ORDERS?`` is another one than ``ORDERS``."""
    return fold(alias), alias.endswith("?")
