"""The expressions of an order language: how orders, texts and blocks begin, from the names of its verbs.

Each is read in one way only, whatever stands in a line, so that a line takes time in proportion to its length: between words
all blanks are taken (``*+``) and never given back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

# Escapes and sets of letters: a bracket in them is none.
_NO_BRACKETS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_REPEATED = re.compile(r"\)(?:[*+]|\{\d*,?\d*\})(?!\+)|\\[1-9]|\(\?P=|\(\?[a-z]*x")


def own(text: str) -> re.Pattern[str]:
    """Return an expression that stands in a file of words.

    Raises:
        ValueError: there may be too many ways to read one line by it.
    """
    if _REPEATED.search(_NO_BRACKETS.sub(lambda match: match[0] if match[0][1:].isdigit() else "x", text)):
        raise ValueError(
            f"the expression {text!r} repeats a bracket (write *+ or ++ behind it, or ?), refers to one, or is spaced out (?x)"
        )
    return re.compile(text, re.IGNORECASE)


def of_kinds(texts: Iterable[str], kinds: Mapping[str, str]) -> tuple[re.Pattern[str], ...]:
    """Return expressions over kinds, each followed by a space, from texts such as ``NUMBER LETTER? (SPOT|END)``."""

    def spelt(match: re.Match[str]) -> str:
        return "(?:" + re.sub(r"[A-Z]+", r"(?:\g<0>_)", kinds.get(match[0], match[0])) + ")"

    return tuple(re.compile(re.sub(r"[A-Z]+", spelt, text).replace(" ", "").replace("_", " ")) for text in texts)


def of_orders(names: Iterable[str]) -> re.Pattern[str]:
    """Return what finds the name of an order at the beginning of a line."""
    # R7 is a hex, R7: and R 7 are a race: a letter alone needs a space or a stop, or a wrapped line would be a new order.
    alone = r"(?!\d++(?!\s*+[:.)]))"
    return re.compile(rf"({_any_of(names, alone)})(?![^\W\d_])", re.IGNORECASE)


def within_lines(names: Iterable[str]) -> re.Pattern[str]:
    """Return what finds, anywhere in a line, the name of an order or a label, ``1a)``, ``1a (`` or ``b)``."""
    return re.compile(
        rf"(?<![^\W_])(?:(?:{_any_of(names)})(?![^\W\d_])(?=[\s:]*+[\w(])|\d{{1,2}}\s?[a-z]\s?(?=[):./(])|[a-z]\s?(?=\)\s?[\w(]))",
        re.IGNORECASE,
    )


def of_courtesies(words: Iterable[str]) -> re.Pattern[str]:
    """Return what one of these words and at most three more, once or twice, fill a line with: ``Thanks a lot, see you soon!``"""
    courtesy = rf"(?:{_any_of(words)})(?:[\s,]++[^\W\d_]++){{0,3}}[\s,.!;:-]*+"
    return re.compile(rf"{courtesy}(?:{courtesy})?", re.IGNORECASE)


def of_words(words: Iterable[str]) -> re.Pattern[str]:
    """Return what finds one of these words, or runs of words, anywhere in a line."""
    return re.compile(rf"(?<![^\W_])(?:{_any_of(words)})(?![^\W_])", re.IGNORECASE)


def of_texts(names: Iterable[str]) -> re.Pattern[str]:
    """Return what finds (name, readers) where a text begins that not everybody reads, or that nobody signs."""
    return re.compile(rf"({_any_of(names)})(?![^\W_])(.*)", re.IGNORECASE)


def of_values(names: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    """Return what finds (name, value) where a line begins like one of these names: those of more words first, as ``STAND VAN
    ZAKEN`` begins like ``STAND``.
    """
    words = sorted({len(name.split()) for name in names}, reverse=True)
    word = r"[^\W\d_]++"
    return tuple(re.compile(rf"({word}(?:\s++{word}){{{many - 1}}})(?![^\s:])\s*+:?\s*+(.*)") for many in words)


def of_blocks(names: Iterable[str], turns: Iterable[str]) -> re.Pattern[str]:
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
