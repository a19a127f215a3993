"""Words that cannot be taken back count only as the words of their letter: a line of prose may be wrapped before them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.core.orders import Complaint
from referee.orderbook.language.language import OrderLanguage
from referee.orderbook.lines.courtesies import without_courtesies
from referee.orderbook.lines.letter import Line
from referee.orderbook.sections import Sections, Stretch

_FEW = 2  # words of a line that may be a name or a title
_ASKED_OR_CITED = re.compile(r"[\"'„“”«»‹›‚‘’].*|.*[?？؟][^\w?？؟]*+")
_WORD = re.compile(r"[^\W\d_]++")


def withheld(sections: Sections, stretch: Stretch, language: OrderLanguage) -> list[Complaint]:
    """Take such words out of what a letter says, where it says more, and return what its writer is told of them."""
    prose = tuple(without_courtesies(sections.unread, language))
    told = []
    for verb in (each for each in language.verbs if each.final):
        says_more = bool(sections.texts) or (verb.final != "orders" and bool(stretch.drafts or stretch.keeps))
        for key, line in _said(sections, stretch, verb.name):
            is_meant = not _ASKED_OR_CITED.fullmatch(line.text) and (not key[1] or line.text.startswith(verb.aliases))
            if says_more or not is_meant or any(_bears_on(line.number, prose, language)):
                hint = f"{verb.name} {key[1]}".strip(" ?？؟")
                told.append(Complaint(code="asked-only-words", line=line.number, text=line.text, hint=hint))
                stretch.commands.pop(verb.name, None)
                sections.questions.pop(key, None)
    return told


def _said(sections: Sections, stretch: Stretch, verb: str) -> list[tuple[tuple[str, str], Line]]:
    alone = [((verb, ""), stretch.commands[verb])] if verb in stretch.commands else []
    return alone + [(key, line) for key, line in sections.questions.items() if key[0] == verb]


def _bears_on(word: int, prose: tuple[tuple[int, str], ...], language: OrderLanguage) -> Iterator[bool]:
    """Yield whether each line of *prose* may say something about the line *word*: all above it, and what runs on from it."""
    near, last = True, word
    for number, text in prose:
        if number > word:
            near, last = near and number == last + 1, number
        says_more = len(_WORD.findall(text)) > _FEW or language.prose.negates(text)
        yield says_more if number < word or near else number - word <= _FEW + 1 and language.prose.negates(text)
