"""One letter as the reader's process hears it: what it quotes of ours, which game it names, what it asks, what it means. Pure.

All that is said to one letter shares its look-ups, and no text of it is read twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache

from msgspec import field
from msgspec.structs import replace

from referee.core.orders import Term
from referee.core.values import Mutable
from referee.mail.letter.message import Letter, read_letter
from referee.orderbook import (
    ABSENT,
    OrderLanguage,
    Reading,
    Readings,
    Sent,
    lift_form,
    mark_returned,
    own_words,
    sent_lines,
)
from referee.reader.merging import with_rest
from referee.reader.understanding import InPlay, Understanding, understand_letter
from referee.reader.wire import Filed

FEWEST_WORDS = 20  # in a letter with less no quotation hides
CONFIRM = "CONFIRM"
MOST_OURS = 32  # letters of ours, of 100 kB at most each, whose texts are remembered

_BEFORE_SUBJECT = re.compile(r"(?:\[[^\]]*\]|\b(?:re|aw|sv|antw|ref)\s*:|\s)+", re.IGNORECASE)


def may_quote(letter: Letter) -> bool:
    """Return whether something in a letter may be quoted from ours, for all that can be seen without them."""
    texts = (letter.text, *letter.alternatives, *letter.pieces)
    return any(len(text.split()) >= FEWEST_WORDS or "\n>" in text for text in texts)


def _parts_of_subject(subject: str) -> tuple[str, ...]:
    """Return a subject, and what was written before or behind one of ours in it."""
    own = subject.partition("[")[0], subject.rpartition("?")[2], subject
    return tuple(_BEFORE_SUBJECT.sub(" ", each).strip() for each in own)


@lru_cache(maxsize=MOST_OURS)
def _text_of(raw: bytes) -> str:
    """Return what a letter of ours says: its reader's next letter is compared with it again."""
    return read_letter(raw).text


class _Ours:
    """Letters of ours, read when they are asked for."""

    def __init__(self, raws: Iterable[bytes], broken: bool) -> None:
        self._raws, self._broken = raws, broken

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Return what each says."""
        return tuple(_text_of(raw) for raw in self._raws)

    @cached_property
    def lines(self) -> Sent:
        """Return their lines."""
        return sent_lines(self.texts, broken=self._broken)

    def both(self) -> tuple[Sent, tuple[str, ...]]:
        return self.lines, self.texts


class Hearing(Mutable, kw_only=False):
    """What is asked about one letter."""

    readings: Readings = field(default_factory=Readings)

    def games_named(self, letter: Letter, games: Iterable[InPlay]) -> tuple[str, ...]:
        """Return the id that the letter's text names, read as a letter to each of these games; "" where it names none."""
        return tuple(self.readings.of(letter.text, game.language, game.terms).game for game in games)

    def quoted(self, letter: Letter, ours: Iterable[bytes], game: InPlay, *, broken: bool) -> Letter:
        """Return *letter* with ``> `` before the lines that it quotes of letters of *ours*, about *game*, without a mark, and
        with the form that was filled in where it is quoted as its own.

        *broken*: pieces of our lines are ours too.
        """
        sent = _Ours(ours, broken)
        self.readings.ours = lambda: sent.lines.lines
        texts = (letter.text, *letter.alternatives, *letter.pieces)
        if any(len(own_words(text)) >= FEWEST_WORDS for text in texts):
            texts = tuple(mark_returned(text, sent.lines, game.language, game.terms, self.readings) for text in texts)
        told = [lift_form(text, sent.both, game.language, game.terms, self.readings) for text in texts]
        (text, *others), found = [text for text, _ in told], next((what for _, what in told if what), "")
        alternatives, pieces = others[: len(letter.alternatives)], others[len(letter.alternatives) :]
        return replace(
            letter,
            text=text,
            alternatives=tuple(alternatives),
            pieces=tuple(pieces),
            problems=(*letter.problems, *([found] if found else [])),
        )

    def meant(
        self, letter: Letter, player: str, game: InPlay, file: Filed | None = None
    ) -> tuple[Letter, Understanding]:
        """Return the letter, with its subject where that asks something, and what it means as *player*'s; the orders on *file*
        are those of which it may keep some.
        """
        told = self._with_subject(letter, game.language, game.terms)
        return told, with_rest(game, player, understand_letter(game, player, told, self.readings), file)

    def _confirms(self, words: str, language: OrderLanguage) -> bool:
        return bool(words) and self.readings.of(words, language, ()).commands == (CONFIRM,)

    def said(self, letter: Letter, language: OrderLanguage, *, subject: bool) -> Reading:
        """Return what the letter says to a game of which nothing is known but its language."""
        told = self._with_subject(letter, language, ()) if subject else letter
        return self.readings.of(told.text, language, ())

    def _with_subject(self, letter: Letter, language: OrderLanguage, terms: tuple[Term, ...]) -> Letter:
        """Return a letter with its subject as its first line, if it says nothing and the subject asks something."""
        said = self.readings.of(letter.text, language, terms)
        words = _BEFORE_SUBJECT.sub(" ", letter.subject).strip()
        if said.speaks or said.phrases or said.complaints or said.marked:
            return letter
        if not said.unread and any(self._confirms(part, language) for part in _parts_of_subject(letter.subject)):
            return replace(letter, text=f"{CONFIRM}\n{letter.text}")
        asked = self.readings.of(words, language, ()).questions
        # "Away" is what machines write that answer for somebody.
        if any(each.value or each.verb != ABSENT for each in asked):
            return replace(letter, text=f"{words}\n{letter.text}")
        return letter
