"""The gate: a line of a player's own that was not read, and looks like an order, is asked about. Prose is not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from referee.core import ASKED, Complaint, Complaints, Numbered, NumberedLines, Pair, Phrase, Phrases, complaint_of

from .classify import Draft
from .expressions import DoubtForm
from .language import LONGEST_LINE, OrderLanguage
from .letter import LetterLine
from .names import is_hexlike
from .parse import mend, parse_order
from .quotations import without_courtesies
from .sections import MOST_LINES, Sections, Stretch
from .tokens import END, UNKNOWN, Token, is_arrow, payment_in

MOST_WEIGHED = 250_000  # characters of lines; beyond that any line is asked about
MOST_ASKED = 20
_WINDOW, _STEP = 300, 200  # characters of a line that are looked at together
_MOST_WITHIN = 12  # places in these where an order may begin; where there are more they are asked about
_LABEL = re.compile(r"\W{0,4}(?:[^\W\d_]{1,6}\W)?[^\W\d_]?(\d{1,2})\W{0,3}([a-h])(?![^\W_])", re.IGNORECASE)
_HEXES = {"PLACE": "HEX", UNKNOWN: "HEXLIKE"}
_SPOTS = ("PLACE", *_HEXES.values())


def split_doubts(unread: Iterable[Numbered], language: OrderLanguage) -> tuple[Complaints, NumberedLines]:
    """Return what is asked about lines that were not read, and the lines that nothing is asked about."""
    asked: list[Complaint] = []
    left: list[Numbered] = []
    weight = 0
    for number, text in unread:
        weight += len(text)
        doubt = None
        if len(asked) < MOST_ASKED:
            too_much = Complaint(f"{ASKED}unweighed", number, text)
            doubt = too_much if weight > MOST_WEIGHED else doubt_of(number, text, language)
        if doubt:
            asked.append(doubt)
        else:
            left.append((number, text))
    return tuple(asked), tuple(left)


def doubt_of(number: int, text: str, language: OrderLanguage) -> Complaint | None:
    """Return what is asked about a line, None where it is prose."""
    if language.opening(text):
        return Complaint(f"{ASKED}outside", number, text)
    windows = (text[start : start + _WINDOW] for start in range(0, max(len(text) - _WINDOW, 0) + _STEP, _STEP))
    found = next(filter(None, (_doubt(window, language) for window in windows)), None)
    return Complaint(ASKED + found[0], number, text, hint=found[1]) if found else None


def _doubt(line: str, language: OrderLanguage) -> Pair | None:
    """Return the reason to ask about a line, and how it would be written."""
    places = language.heads_within(line, _MOST_WITHIN)
    if len(places) == _MOST_WITHIN:
        return "within", ""
    for place in places:
        within = language.opening(line[place:])
        if within and (not within.verb or within.text[: within.end].isupper()):
            return "within", line[place:]
    head = language.head(line)
    tokens = [(_kind(token), token.text) for token in language.tongue.tokens(line, head.end if head else 0)]
    spoken = " ".join(("", *([head.verb] if head else ()), *(kind for kind, _ in tokens), END, ""))
    strange = sum(len(words.split()) for kind, words in tokens if kind == UNKNOWN)
    found = next((each for each in language.doubts if each.fits(line, spoken, strange)), None)
    return (
        (found.name, _order_line(found, head.verb if head else found.verb, line, tokens, language)) if found else None
    )


def _kind(token: Token) -> str:
    if token.kind == "DASH":
        return "ARROW" if is_arrow(token.text) else "DASH"
    if token.kind in _HEXES and is_hexlike(token.text):
        return _HEXES[token.kind]
    return token.kind


def _order_line(doubt: DoubtForm, name: str, line: str, tokens: Sequence[Pair], language: OrderLanguage) -> str:
    """Return how a line would be written, with what it names as far as that can be told."""
    first, *rest = [words for kind, words in tokens if kind in _SPOTS] or [""]
    match, verb = _LABEL.match(line), language.verb(name)
    label = match[1] + match[2].lower() if match else ""
    if doubt.written and rest and name == doubt.verb:
        return doubt.written.format(label=f"{label})" if label else f"{name} 1:", first=first, rest=" - ".join(rest))
    return verb.shape_of(label, bare=bool(verb.shapes[1])) if verb else ""


# Order lines as they were joined, read as phrases.

MOST_ORDERED = 40_000  # characters of the orders of a block

MOST_MENDED = (
    8  # lines that cannot be read of which a reading with other signs, or without the lines joined to them, is tried
)
_MOST_TAKEN_OFF = 4  # lines joined to one that are taken off it again

_FOR_WANT_OF_A_SIGN = ("invalid-word", "invalid-comma", "invalid-unfinished")

Parsed = tuple[Phrase | None, Complaints]


def parse_block(stretch: Stretch, unread: list[Numbered], language: OrderLanguage) -> tuple[Phrases, list[Complaint]]:
    """Return the orders of a block and what is wrong with them; *unread* takes the lines that were joined to one and spoil it."""
    drafts = stretch.drafts
    phrases: list[Phrase] = []
    complaints: list[Complaint] = []
    faulty = 0
    sizes = accumulate(min(len(draft.text), LONGEST_LINE) for draft in drafts)
    fitting = sum(size <= MOST_ORDERED for size in sizes)
    for draft in drafts[: min(fitting, MOST_LINES)]:
        if draft.too_long:
            text = f"{draft.text[:60]} …"
            complaints.append(complaint_of("invalid-long-line", "", text, draft.number, most=LONGEST_LINE))
        elif draft.head:
            phrase, faults = parse_order(draft.text, draft.head, draft.number, language)
            faulty += phrase is None or any(each.is_error for each in faults)
            if faulty <= MOST_MENDED:
                (phrase, faults), rest = _as_meant(draft, (phrase, faults), language)
                unread += () if stretch.closed else rest
                faults += tuple(Complaint("invalid-line", number, text) for number, text in rest if stretch.closed)
            phrases += [phrase] if phrase else []
            complaints += faults
    unread.sort()
    if fitting < min(len(drafts), MOST_LINES):
        complaints.append(complaint_of("invalid-long-orders", line=drafts[fitting].number, most=MOST_ORDERED))
    elif len(drafts) > MOST_LINES:
        complaints.append(complaint_of("invalid-too-many-lines", line=drafts[MOST_LINES].number, most=MOST_LINES))
    # The first payment that orders note; it is read over, as it books nothing.
    fit = [draft for draft in drafts[: min(fitting, MOST_LINES)] if draft.head and not draft.too_long]
    noted = ((draft.number, payment_in(draft.text)) for draft in fit)
    complaints += [Complaint("note-payment", number, text) for number, text in noted if text][:1]
    return tuple(phrases), complaints


def _as_meant(draft: Draft, read: Parsed, language: OrderLanguage) -> tuple[Parsed, NumberedLines]:
    """Return what a line says, and the lines that were joined to it and are none of its own: without them nothing is wrong with
    it. Where a sign makes the difference, the line as it may have been meant is told.
    """
    phrase, faults = read
    errors = [each for each in faults if each.is_error]
    if not draft.head or not errors:
        return read, ()
    if not phrase and faults[-1].code in _FOR_WANT_OF_A_SIGN:
        meant = mend(draft.text, draft.head, language)
        if meant:
            return (None, (*faults[:-1], faults[-1].but(hint=meant))), ()
    if phrase and any(each.hint for each in errors):
        return read, ()  # a slip for a name
    for at in range(len(draft.joined))[: -_MOST_TAKEN_OFF - 1 : -1]:
        alone = parse_order(draft.text[: draft.joined[at][2]], draft.head, draft.number, language)
        if alone[0] and not any(each.is_error for each in alone[1]):
            return alone, tuple((number, text) for number, text, _ in draft.joined[at:])
    return read, ()


# Words that cannot be taken back count only as the words of their letter: a line of prose may be wrapped before them.

_FEW = 2  # words of a line that may be a name or a title
_ASKED_OR_CITED = re.compile(r"[\"'„“”«»‹›‚‘’].*|.*[?？؟][^\w?？؟]*+")
_WORD = re.compile(r"[^\W\d_]++")


def withheld(sections: Sections, stretch: Stretch, language: OrderLanguage) -> list[Complaint]:
    """Take such words out of what a letter says, where it says more, and return what its writer is told of them."""
    prose = tuple(without_courtesies(sections.unread, language))
    told = []
    for verb in (each for each in language.verbs if each.final):
        says_more = bool(sections.texts) or (verb.final != "orders" and bool(stretch.drafts or stretch.keeps))
        for key, line in _uses(sections, stretch, verb.name):
            is_meant = not _ASKED_OR_CITED.fullmatch(line.text) and (not key[1] or line.text.startswith(verb.aliases))
            if says_more or not is_meant or any(_bears_on(line.number, prose, language)):
                hint = f"{verb.name} {key[1]}".strip(" ?？؟")
                told.append(line.complaint("asked-only-words", hint=hint))
                stretch.commands.pop(verb.name, None)
                sections.questions.pop(key, None)
    return told


def _uses(sections: Sections, stretch: Stretch, verb: str) -> list[tuple[Pair, LetterLine]]:
    alone = [((verb, ""), stretch.commands[verb])] if verb in stretch.commands else []
    return alone + [(key, line) for key, line in sections.questions.items() if key[0] == verb]


def _bears_on(word: int, prose: NumberedLines, language: OrderLanguage) -> Iterator[bool]:
    """Yield whether each line of *prose* may say something about the line *word*: all above it, and what runs on from it."""
    near, last = True, word
    for number, text in prose:
        if number > word:
            near, last = near and number == last + 1, number
        says_more = len(_WORD.findall(text)) > _FEW or language.prose.negates(text)
        yield says_more if number < word or near else number - word <= _FEW + 1 and language.prose.negates(text)
