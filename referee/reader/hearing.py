"""One letter as the reader's process hears it: what it quotes of ours, which game it names, what it asks, what it means. Pure.

All that is said to one letter shares its look-ups, and no text of it is read twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Any

from msgspec import field

from referee.core import TWICE, Complaint, Complaints, Mutable, Phrase, Phrases, Texts, Value, by_line, complaint_of
from referee.mail.letter.message import Letter, read_letter
from referee.orderbook import (
    ABSENT,
    OrderLanguage,
    Reading,
    Readings,
    Sent,
    label_of,
    lift_form,
    mark_returned,
    on_line,
    own_words,
    read_text,
    sent_lines,
)

from .understanding import InPlay, Understanding, understand_letter
from .wire import Filed

# A letter that changes some of the orders on file: its lines and those that it keeps, as one set. Values alone.

NOT_KEPT = (
    "invalid-kept"  # the order book's complaint of a line that keeps something, until it is known what is on file
)
MERGED = "note-merged"
ASKED = frozenset(("invalid-amendment", NOT_KEPT))

About = tuple[Any, ...]


class _Line(Value):
    """A line of orders. ``about``: what it decides, () where no order came of it; ``label``: how it begins, to be compared."""

    phrase: Phrase
    heading: Phrase | None
    about: About
    label: str


def with_rest(game: InPlay, player: str, read: Understanding, filed: Filed | None) -> Understanding:
    """Return a letter that asks to keep orders on file understood together with these; any other as it is."""
    said = read.reading
    if not (said.amends or said.keeps) or read.other_turn or read.out_of_turn or read.versions:
        return read
    if not filed or "CLEAR" in said.commands:
        return read
    return _Merge(game, player, read, filed).result()


class _Merge:
    """One letter and the set that it changes."""

    def __init__(self, game: InPlay, player: str, read: Understanding, base: Filed) -> None:
        self._game, self._player, self._read, self._base = game, player, read, base
        self._alone = game.rules.understand(game.state, player, read.reading.phrases)  # what the letter says by itself
        filed = self._phrases(f"ORDERS\n{base.text}\nEND")
        # Lines on file stand on no line of this letter, and are told apart: complaints name them.
        self._filed = tuple(on_line(phrase, -at) for at, phrase in enumerate(filed, start=1))
        self._old = tuple(self._lines(self._filed))
        self._new = tuple(self._lines(read.reading.phrases))
        self._stays = {line: self._about_kept(line, label) for line, label in read.reading.keeps}

    def result(self) -> Understanding:
        """Return the letter with what it keeps, or that this cannot be decided."""
        both = {line.about for line in self._new} & {about for about in self._stays.values() if about}
        if both or any(complaint.code == TWICE for complaint in self._alone.complaints):
            line, text = (*self._read.reading.amends, *self._read.reading.keeps)[0]
            return self._read.but(
                reading=self._read.reading.but(phrases=(), commands=()),
                orders=(),
                complaints=(*self._letter_faults(), Complaint(code="invalid-merge", line=line, text=text)),
                forecast=self._game.rules.forecast(self._game.state, self._player, ()),
            )
        if not self._new:
            kept = self._read.reading.amends or any(self._stays.values())
            return self._read.but(complaints=(*self._letter_faults(), *([Complaint(code="note-kept")] if kept else ())))
        return self._merge()

    def _merge(self) -> Understanding:
        rules, state = self._game.rules, self._game.state
        lines = self._together()
        phrases = tuple(_with_headings(lines))
        understood = rules.understand(state, self._player, phrases)
        forecast = rules.forecast(state, self._player, understood.orders)
        kept = sum(line in self._old for line in lines)
        note = [complaint_of(MERGED, kept=kept)] if kept else []
        found = (*self._letter_faults(), *understood.complaints, *forecast.complaints, *self._still_wrong(), *note)
        return self._read.but(
            reading=self._read.reading.but(phrases=phrases),
            orders=understood.orders,
            complaints=by_line(found),
            forecast=forecast,
        )

    def _together(self) -> tuple[_Line, ...]:
        """Return the lines on file, those that the letter has anew in the place of the old ones, and what else it has."""
        anew = {line.about: line for line in self._new if line.about}
        labels = {line.label for line in self._new if line.label}
        gone = self._withdrawals()
        stay = (each for each in self._old if each.about not in gone and (each.about or each.label not in labels))
        return tuple(dict.fromkeys((*(anew.get(line.about, line) for line in stay), *self._new)))

    def _withdrawals(self) -> frozenset[About]:
        """Return what lines on file decide that the letter takes back: ``RUN 6: none`` is in order, and decides nothing."""
        faulty = {complaint.line for complaint in self._alone.complaints}
        nothing = (line for line in self._new if line.label and not line.about and line.phrase.line not in faulty)
        return frozenset(filter(None, (self._about_kept(line.phrase.line, line.label) for line in nothing)))

    def _letter_faults(self) -> Complaints:
        """Return what is wrong with the letter itself, whatever it orders."""
        of_orders = {*self._alone.complaints, *self._read.forecast.complaints}
        missing = [line for line, about in self._stays.items() if not about]
        return tuple(
            each
            for each in self._read.complaints
            if each not in of_orders and (each.code not in ASKED or (each.code == NOT_KEPT and each.line in missing))
        )

    def _still_wrong(self) -> Complaints:
        """Return what could not be read in the letter that is changed, and stands in this one neither."""
        labels = {line.label for line in (*self._old, *self._new)}
        found = dict.fromkeys(each.but(line=0) for each in self._base.complaints if each.code.startswith("invalid-"))
        for each in self._game.rules.understand(self._game.state, self._player, self._filed).complaints:
            found.pop(each.but(line=0), None)  # of a line on file, which is heard again if it stays
        return tuple(each for each in found if (label := self._label(each.text)) and label not in labels)

    def _lines(self, phrases: Phrases) -> Iterator[_Line]:
        heading: Phrase | None = None
        abouts = self._abouts(phrases)
        for at, phrase in enumerate(phrases, start=1):
            head = self._game.language.head(phrase.text)
            verb = self._game.language.verb(head.verb) if head else None
            if verb and verb.heading:
                heading = phrase
            else:
                yield _Line(phrase=phrase, heading=heading, about=abouts.get(at, ()), label=self._label(phrase.text))

    def _abouts(self, phrases: Phrases) -> dict[int, About]:
        """Return what each phrase decides, by its place from 1; what a game adds to an order stands before it."""
        numbered = tuple(on_line(phrase, at) for at, phrase in enumerate(phrases, start=1))
        orders = self._game.rules.understand(self._game.state, self._player, numbered).orders
        return {order.line: self._game.rules.about(order) for order in orders}

    def _about_kept(self, line: int, label: str) -> About:
        """Return what an order on file decides that a line of the letter keeps, () where there is none."""
        above = [each.heading for each in self._new if each.heading and each.phrase.line < line][-1:]
        alike = [old for old in self._old if old.about and self._verb(old.phrase.text) == self._verb(label)]
        if not any(map(str.isdigit, label)):  # LIMIT, HOME: a number behind it is no part of the label
            return alike[0].about if len(alike) == 1 else ()
        for old in alike:
            rest = label_of(old.phrase.text, self._game.language)[1]
            phrases = (*above, *self._phrases(f"ORDERS\n{label} {rest}\nEND"))
            if old.about in self._abouts(phrases).values():
                return old.about
        return ()

    def _verb(self, text: str) -> str:
        head = self._game.language.head(text)
        verb = self._game.language.rule_of(head.verb if head else "")
        return verb.name if verb else ""

    def _label(self, text: str) -> str:
        return "".join(filter(str.isalnum, label_of(text, self._game.language)[0])).casefold()

    def _phrases(self, text: str) -> Phrases:
        return read_text(text, self._game.language).phrases


def _with_headings(lines: Iterable[_Line]) -> Iterator[Phrase]:
    """Yield the phrases, each company's together, below its heading."""
    groups: dict[str, list[_Line]] = {"": []}
    for line in lines:
        groups.setdefault(line.heading.text if line.heading else "", []).append(line)
    for group in groups.values():
        heading = group[0].heading if group else None
        yield from [heading] if heading else []
        yield from (line.phrase for line in group)


FEWEST_WORDS = 20  # in a letter with less no quotation hides
CONFIRM = "CONFIRM"
MOST_OURS = 32  # letters of ours, of 100 kB at most each, whose texts are remembered

_BEFORE_SUBJECT = re.compile(r"(?:\[[^\]]*\]|\b(?:re|aw|sv|antw|ref)\s*:|\s)+", re.IGNORECASE)


def may_quote(letter: Letter) -> bool:
    """Return whether something in a letter may be quoted from ours, for all that can be seen without them."""
    texts = (letter.text, *letter.alternatives, *letter.pieces)
    return any(len(text.split()) >= FEWEST_WORDS or "\n>" in text for text in texts)


@lru_cache(maxsize=MOST_OURS)
def _text_of(raw: bytes) -> str:
    """Return what a letter of ours says: its reader's next letter is compared with it again."""
    return read_letter(raw).text


class _Ours:
    """Letters of ours, read when they are asked for."""

    def __init__(self, raws: Iterable[bytes], broken: bool) -> None:
        self._raws, self._broken = raws, broken

    @cached_property
    def texts(self) -> Texts:
        """Return what each says."""
        return tuple(_text_of(raw) for raw in self._raws)

    @cached_property
    def lines(self) -> Sent:
        """Return their lines."""
        return sent_lines(self.texts, broken=self._broken)

    def both(self) -> tuple[Sent, Texts]:
        return self.lines, self.texts


class Hearing(Mutable, kw_only=False):
    """What is asked about one letter."""

    readings: Readings = field(default_factory=Readings)

    def games_named(self, letter: Letter, games: Iterable[InPlay]) -> Texts:
        """Return the id that the letter's text names, read as a letter to each of these games; "" where it names none."""
        return tuple(self.readings.of(letter.text, game.language).game for game in games)

    def mark_quotations(self, letter: Letter, ours: Iterable[bytes], game: InPlay, *, broken: bool) -> Letter:
        """Return *letter* with ``> `` before the lines that it quotes of letters of *ours*, about *game*, without a mark, and
        with the form that was filled in where it is quoted as its own.

        *broken*: pieces of our lines are ours too.
        """
        sent = _Ours(ours, broken)
        self.readings.ours = lambda: sent.lines.lines
        texts = (letter.text, *letter.alternatives, *letter.pieces)
        if any(len(own_words(text)) >= FEWEST_WORDS for text in texts):
            texts = tuple(mark_returned(text, sent.lines, game.language, self.readings) for text in texts)
        told = [lift_form(text, sent.both, game.language, self.readings) for text in texts]
        (text, *others), found = [text for text, _ in told], next((what for _, what in told if what), "")
        alternatives, pieces = others[: len(letter.alternatives)], others[len(letter.alternatives) :]
        return letter.but(
            text=text,
            alternatives=tuple(alternatives),
            pieces=tuple(pieces),
            problems=(*letter.problems, *([found] if found else [])),
        )

    def understand(
        self, letter: Letter, player: str, game: InPlay, file: Filed | None = None
    ) -> tuple[Letter, Understanding]:
        """Return the letter, with its subject where that asks something, and what it means as *player*'s; the orders on *file*
        are those of which it may keep some.
        """
        told = self._with_subject(letter, game.language)
        return told, with_rest(game, player, understand_letter(game, player, told, self.readings), file)

    def hear(self, letter: Letter, language: OrderLanguage, *, subject: bool) -> Reading:
        """Return what the letter says to a game of which nothing is known but its language."""
        told = self._with_subject(letter, language) if subject else letter
        return self.readings.of(told.text, language)

    def _with_subject(self, letter: Letter, language: OrderLanguage) -> Letter:
        """Return a letter with its subject as its first line, if it says nothing and the subject asks something."""
        said, bare = self.readings.of(letter.text, language), language.naming(())
        words = _BEFORE_SUBJECT.sub(" ", letter.subject).strip()
        if said.speaks or said.phrases or said.complaints or said.marked:
            return letter
        own = letter.subject.partition("[")[0], letter.subject.rpartition("?")[2], letter.subject
        parts = filter(
            None, (_BEFORE_SUBJECT.sub(" ", each).strip() for each in own)
        )  # before or behind one of ours, or all
        if not said.unread and any(self.readings.of(part, bare).commands == (CONFIRM,) for part in parts):
            return letter.but(text=f"{CONFIRM}\n{letter.text}")
        asked = self.readings.of(words, bare).questions
        # "Away" is what machines write that answer for somebody.
        if any(each.value or each.verb != ABSENT for each in asked):
            return letter.but(text=f"{words}\n{letter.text}")
        return letter
