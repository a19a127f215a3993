"""Orders as people write them by hand, respelt as the order language has them: a list's numbers, ``b)`` below ``3a)``, several
orders on one line, and what an order language lists as hands (``[hands]`` in ``verbs.toml``).

A line is respelt only where it is no order as it stands and every line that comes of it is one. Prose never is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.core import Pair, Texts

from .language import FINISH, LONGEST_LINE, OrderLanguage
from .letter import LetterLine, Lines
from .names import Hand
from .parse import parse_order

MOST_TRIED = (
    60_000  # characters that are tried as orders; a letter with more has its lines read as they stand from there on
)
MOST_ON_A_LINE = 30  # orders

_LISTED = re.compile(r"\(?\d{1,2}[.)]\s++|#\d{1,2}[.:)]?\s++")
_LABEL = re.compile(r"(\d{1,3})\s?[a-z](?![^\W_])", re.IGNORECASE)
_LETTER = re.compile(r"([a-z])\s?[).:/]{1,2}\s*+", re.IGNORECASE)
_DEEPEST = 2  # signs, or companies, before an order that are read over
_SECOND = re.compile(r"b\s?:", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,4}")
_BETWEEN = " \t;,.&"  # between two orders of one line
_MARKS = ":-–—"  # also between orders and words about them


def respelt(lines: Lines, language: OrderLanguage) -> Lines:
    """Return *lines* with what hands write otherwise respelt; lines that come of one have its number."""
    writer = _Writer(language)
    spelt = [piece for line in lines for piece in writer.respelt(line)]
    given = {writer.order_of(line.text) for line in spelt if not line.read_as}
    kept = [line for line in spelt if not (line.read_as and writer.order_of(line.text) in given)]
    told: dict[int, list[str]] = {}
    for line in kept:
        told.setdefault(line.number, []).append(line.text)
    return tuple(line.but(read_as=", ".join(told[line.number])) if line.read_as else line for line in kept)


def split_end(text: str, language: OrderLanguage) -> Pair:
    """Return a text without the END in capitals behind it, and that END; the text and "" where there is none."""
    names = (name for verb in language.of_kind(FINISH) for name in verb.aliases)
    for name in sorted(names, key=len, reverse=True):
        if text.endswith(f" {name}"):
            return text.removesuffix(name).rstrip(), name
    return text, ""


class _Writer:
    """Goes through the lines once; remembers the number of the label above."""

    def __init__(self, language: OrderLanguage) -> None:
        self._language = language
        self._number, self._lettered = "", False
        self._left = MOST_TRIED

    def respelt(self, line: LetterLine) -> Lines:
        """Return the lines that a line is read as, mostly itself."""
        if not line.text or self._left <= 0 or len(line.text) > LONGEST_LINE:
            return (line,)
        return tuple(map(self._remember_label, self._split(line)))

    def _remember_label(self, line: LetterLine) -> LetterLine:
        """Return a line as it is, its label remembered for those below it and behind it."""
        if match := _LABEL.match(line.text):
            self._number = match[1]
        return line

    def order_of(self, text: str) -> Texts:
        """Return (verb, number) of a line that orders something with a number, () for any other."""
        head = self._language.head(text)
        match = _NUMBER.match(text, head.end) or _NUMBER.match(text, head.end + 1) if head else None
        return (head.verb, match[0]) if head and match else ()

    def _split(self, line: LetterLine) -> Iterator[LetterLine]:
        """Yield the orders that stand on a line, each respelt."""
        apart = self._amending_apart(line.text)
        if apart:
            for text in apart:
                yield from self._split(line.but(text=text))
            return
        begun = self._language.read_beginning(line.text)
        orders, end = split_end(begun.rest, self._language) if begun else (line.text, "")
        texts = self._apart(orders)
        if not begun:
            texts = texts or (line.text,)
        elif texts or end:
            texts = (line.text.removesuffix(begun.rest).rstrip(), *(texts or (orders,)), end)
        else:
            yield line
            return
        for place, text in enumerate(filter(None, texts)):
            yield from self._as_written(line.but(text=text, after_cut=line.after_cut and place == 0))

    def _amending_apart(self, text: str) -> Texts:
        """Return what asks to keep the rest and the orders behind or before it as two texts, () where there are no two."""
        places = self._language.amending(text)
        if not places:
            return ()
        self._left -= 1
        for _, end in reversed(places):
            behind = text[end:].lstrip(_BETWEEN + _MARKS)
            if self._ordering(behind):
                return text[:end], behind
        start = places[0][0]
        before = text[:start].rstrip(_BETWEEN + _MARKS + "(")
        return (before, text[start:]) if self._ordering(before) else ()

    def _ordering(self, text: str) -> bool:
        """Return whether a text is orders, or begins like one that cannot be read."""
        return bool(text) and (
            self._is_read(self._spelt(text)) or bool(self._apart(text)) or self._language.nearly(text) is not None
        )

    def _as_written(self, line: LetterLine, depth: int = 0) -> Iterator[LetterLine]:
        text = line.text
        # B: is BUILD: too, but below a: it is what follows that.
        if self._is_order(text) and not (self._lettered and _SECOND.match(text)):
            yield line
            return
        letter = _LETTER.match(text) if self._number else None
        if letter and self._says(spelt := f"{self._number}{letter[1]}) {text[letter.end() :]}", text):
            yield line.but(text=spelt)
            return
        for hand, match in self._language.hands_at(text):
            spelt_lines = [*self._each(hand, match, text, depth)]
            if spelt_lines and all(map(self._is_exact if hand.exact else self._is_order, spelt_lines)):
                self._left -= sum(map(len, spelt_lines))
                read_as = hand.told if hand.for_each else ""
                self._lettered = text[0] in "aA"
                yield from (line.but(text=spelt, read_as=read_as) for spelt in spelt_lines)
                return
        listed = _LISTED.match(text)
        yield line.but(text=text[listed.end() :]) if listed and self._says(text[listed.end() :], text) else line

    def _says(self, spelt: str, text: str) -> bool:
        """Return whether a line says more without the number of a list, or with the number of the label above."""
        return self._is_order(spelt) or bool(self._language.alone(spelt) and not self._language.alone(text))

    def _is_exact(self, text: str) -> bool:
        """Return whether a line is an order with which nothing is wrong."""
        self._left -= len(text)
        head = self._language.opening(text)
        phrase, faults = parse_order(head.text, head, 0, self._language) if head else (None, ())
        return phrase is not None and not faults

    def _is_order(self, text: str) -> bool:
        return self._language.opening(text) is not None or bool(self._language.read_kept(text))

    def _each(self, hand: Hand, match: re.Match[str], text: str, depth: int) -> Iterator[str]:
        """Yield the lines that a hand's line stands for: one, one for each number in it, or one above that of its rest."""
        rest = text[match.end() :].strip()
        if not hand.told or "\n" in hand.told:
            yield from filter(None, match.expand(hand.told).split("\n"))
            below = LetterLine(0, rest, rest)
            yield from (each.text for each in self._as_written(below, depth + 1)) if depth < _DEEPEST else (rest,)
            return
        rest = rest.rstrip(".! ") or hand.alone
        if not hand.for_each:
            yield f"{match.expand(hand.told)} {rest}".strip()
            return
        for number in dict.fromkeys(_NUMBER.findall(match["each"])):
            yield f"{hand.told} {number} {rest}".strip()

    def _apart(self, text: str) -> Texts:
        """Return the orders of a line with several, () for a line that is one, or that cannot be read as several."""
        starts = self._language.heads_within(text, MOST_ON_A_LINE)
        if len(starts) < 2:
            return ()
        if self._is_read(text):
            return ()
        pieces: list[str] = []
        end = len(text)
        for start in reversed(starts):
            piece = text[start:end].strip(_BETWEEN)
            if self._is_read(self._spelt(piece)):
                pieces.insert(0, piece)
                end = start
        before = text[:end].strip(_BETWEEN)
        return tuple(pieces) if len(pieces) > 1 and not before.strip("-–—*•·:") else ()

    def _spelt(self, text: str) -> str:
        """Return a line without a list's number, as an order where it is one."""
        lines = list(self._as_written(LetterLine(0, text, text)))
        return lines[0].text

    def _is_read(self, text: str) -> bool:
        """Return whether a line can be read as one order, whatever names in it are unknown."""
        self._left -= len(text)
        if self._language.alone(text.rstrip(".")) or self._language.read_kept(text):
            return True
        head = self._language.opening(text)
        return head is not None and (parse_order(head.text, head, 0, self._language)[0] is not None)
