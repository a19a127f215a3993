"""A letter's text read as one player's word to one game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice

from referee.core import (
    ASKED,
    HIDDEN,
    STRUCK,
    Complaint,
    Complaints,
    Numbered,
    NumberedLines,
    Pair,
    Phrase,
    Phrases,
    Texts,
    Value,
    by_line,
    complaint_of,
    replace,
)

from .gate import doubt_of, parse_block, split_doubts, withheld
from .language import (
    COMMAND,
    FINISH,
    LONGEST_LINE,
    NOTE,
    TEXT_TO,
    TEXT_UNSIGNED,
    OrderLanguage,
)
from .letter import LetterLine, Lines, fold, part_lines
from .names import LOOK_UPS, VERB_LOOK_UPS, Head
from .parse import is_blank, parse_order
from .sections import MOST_LINES, WORDS, Sections, Stretch, sort_lines

PRESS, SALT = "PRESS", "SALT"
PASS, CLEAR = "PASS", "CLEAR"
WATCH, UNWATCH, ABSENT = "WATCH", "UNWATCH", "ABSENT"
JOIN, PREFER, NAME, RAILWAY = "JOIN", "PREFER", "NAME", "RAILWAY"
RULES = "RULES"

MOST_TRIALS = 5
MOST_PRIVATE = 5  # texts for named players
_GAME = re.compile(r"(?!turn|round)([A-Z]{1,6}[0-9]{1,6})(?!\S)", re.IGNORECASE)

MOST_OWN = 3000  # lines of a text, without what is quoted, that are read
MOST_UNREAD = 20  # lines told as not read; of a newsletter pasted whole nobody wants to read more
_OF_SIGNUPS = (RAILWAY, NAME, PREFER, JOIN)  # words of them begin many a signature
MOST_SHOWN = 3000  # characters of a letter: no answer grows with it
LEAST_SHOWN = 100  # of a line
MOST_QUOTED = 2000  # quoted lines looked at
MOST_BELOW = 200  # lines below a signature, or behind a mark of quotation


_OF_MARKS = {STRUCK: "note-struck", HIDDEN: "note-hidden"}


class Question(Value):
    """Something asked: HELP, STATUS, RESEND; ``value`` is the word behind it, "" for none."""

    verb: str
    value: str = ""


class PrivatePress(Value):
    """Press for the players named, as their names are written."""

    to: Texts
    text: str


class Trial(Value):
    """Orders that are only asked about, from WHATIF to END; ``turn`` is 0 if none is named."""

    phrases: Phrases
    complaints: Complaints
    turn: int = 0


class Reading(Value):
    """What a letter says. Lines count from 1 among the writer's own; a wrapped order has the line it begins on."""

    phrases: Phrases  # in order of writing
    complaints: Complaints  # in order of lines
    unread: NumberedLines  # the player's own lines that were not read; the first of them; no quotes
    press: str
    note: str
    commands: Texts  # canonical names, each once
    game: str  # named with ORDERS, in capitals; "" if none
    turn: int  # named with ORDERS; 0 if none
    marked: bool  # orders stood in a block begun by ORDERS
    salt: str = ""  # a word for the dice
    is_open: bool = False  # nothing ends the letter's last text
    more_unread: int = 0  # how many more were not read
    asked: Complaints = ()  # beside the unread: what may be meant, or not be, line by line with the reason
    questions: tuple[Question, ...] = ()  # each once, in the order of asking
    trials: tuple[Trial, ...] = ()
    private: tuple[PrivatePress, ...] = ()
    unsigned: str = ""  # press without its writer's name
    amends: NumberedLines = ()  # lines that ask to keep the rest of what is on file
    keeps: NumberedLines = ()  # (line, label) of orders that stay as they are on file: 1c)
    doubted: bool = False  # its orders stand below words that take them back
    quoted: Texts = ()  # orders that stand where nothing is read: in a quotation, below a signature
    below: NumberedLines = ()  # lines below a signature that would have been read above it; the first of them

    @property
    def speaks(self) -> bool:
        """Whether it says anything to us besides orders."""
        told = (self.commands, self.press, self.note, self.salt, self.questions, self.trials)
        return any((*told, self.private, self.unsigned, self.amends, self.keeps))


def read_text(text: str, language: OrderLanguage) -> Reading:
    """Return what a letter's text says; never raises for what a player wrote."""
    return Readings().of(text, language)


class Readings:
    """What the texts of one letter say: each is read once, and slips are looked up for all of them together."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, OrderLanguage], Reading] = {}
        self._spoken: dict[OrderLanguage, OrderLanguage] = {}
        self._look_ups, self._verb_look_ups = map(iter, (range(LOOK_UPS), range(VERB_LOOK_UPS)))
        self.ours: Callable[[], frozenset[str]] = frozenset  # the lines of letters of ours that it may quote, folded

    def of(self, text: str, language: OrderLanguage) -> Reading:
        """Return what *text* says; never raises for what a player wrote."""
        key = (text, language)
        if key not in self._known:
            self._known[key] = _read(text, self.spoken_language(language))
        return self._known[key]

    def questions_on(self, reading: Reading) -> Complaints:
        """Return what is asked about a reading's lines, but for those that are ours."""
        return tuple(each for each in reading.asked if not self._is_ours(each.text))

    def quoted_orders(self, reading: Reading) -> Texts:
        """Return the orders that a reading's letter quotes, but for those that are ours."""
        return tuple(each for each in reading.quoted if not self._is_ours(each))

    def _is_ours(self, line: str) -> bool:
        return not self.ours().isdisjoint((fold(line), fold(f"| {line}")))

    def spoken_language(self, language: OrderLanguage) -> OrderLanguage:
        """Return the language as the letter's lines may speak it."""
        if language not in self._spoken:
            self._spoken[language] = language.having(self._look_ups, self._verb_look_ups)
        return self._spoken[language]


def _read(text: str, language: OrderLanguage) -> Reading:
    own, left, below, loose, unseen = part_lines(text)
    sections = sort_lines(own[:MOST_OWN], language)
    more = tuple(line for line in own[MOST_OWN:] if line.text)
    stretch, doubts = _choose_block(sections, language)
    doubted = bool(stretch.aside) and not stretch.drafts  # all orders are taken back, perhaps
    taken = replace(stretch, drafts=stretch.aside) if doubted else stretch
    phrases, faults = parse_block(taken, sections.unread, language)
    trials, private = [each for each in sections.stretches if each.is_trial], _private(sections, language)
    outside = _outside(sections, stretch)
    doubts += withheld(sections, stretch, language)
    heads = {str(value) for each in sections.complaints for name, value in each.params if name == WORDS}
    asked, unread = split_doubts((each for each in sections.unread if each[1] not in heads), language)
    shown = within(unread[:MOST_UNREAD])
    ordered = bool(phrases or stretch.commands or stretch.begun)
    apart = [
        _apart(lines if ordered else (), f"{ASKED}{where}", language)
        for lines, where in ((below, "below"), (loose, "quoted"))
    ]
    spoken = _speech_lines(below[:MOST_BELOW], language)
    # More is asked about, or spoken to, than anybody needs to.
    many = [("trials", MOST_TRIALS, each.line) for each in trials[MOST_TRIALS:][:1]]
    many += [("private", MOST_PRIVATE, 0)] if private[MOST_PRIVATE:] else []
    doubts += [complaint_of(f"note-many-{what}", line=line, most=most) for what, most, line in many]
    doubts += [complaint_of("invalid-long-letter", line=more[0].number, most=MOST_OWN)] if more else []
    # Who has something on file, to keep the rest of, takes this back.
    amends = sections.amends[:1] if phrases else []
    doubts += [Complaint("invalid-amendment", line, text) for line, text in amends]
    doubts += [Complaint("invalid-kept", line, text) for line, _, text in stretch.keeps]
    # What would have been read if it were not struck out, or could be seen.
    hidden = islice(_speech_lines(unseen[:MOST_BELOW], language), MOST_UNREAD)
    doubts += [line.complaint(_OF_MARKS[line.mark]) for line in hidden]
    doubts += _beside_orders(stretch, phrases, language)
    return Reading(
        phrases=phrases,
        complaints=by_line((*sections.complaints, *doubts, *faults)),
        unread=shown,
        press=_text(sections, PRESS),
        note=_text(sections, NOTE),
        commands=tuple(stretch.commands),
        game=_game(sections, (stretch, *trials)),
        turn=stretch.begun.turn if stretch.begun else 0,
        marked=stretch.begun is not None,
        salt=stretch.values.get(SALT, "") or outside,
        questions=tuple(Question(verb=verb, value=value) for verb, value in sections.questions),
        trials=tuple(_trial(each, language) for each in trials[:MOST_TRIALS]),
        private=private[:MOST_PRIVATE],
        unsigned="\n\n".join(_text(sections, verb.name) for verb in language.of_kind(TEXT_UNSIGNED)).strip(),
        more_unread=len(unread) - len(shown) + len(more),
        asked=by_line((*asked, *apart[0], *apart[1])),
        is_open=sections.is_open,
        amends=tuple(sections.amends[:MOST_LINES]),
        keeps=tuple((line, label) for line, label, _ in stretch.keeps[:MOST_LINES]),
        quoted=tuple(islice(_possible_orders(left[:MOST_QUOTED], language), MOST_LINES)),
        doubted=doubted,
        below=within(
            tuple((each.number, each.text) for each in spoken if each.number not in {asked.line for asked in apart[0]})[
                :MOST_UNREAD
            ]
        ),
    )


def within(lines: NumberedLines, room: int = MOST_SHOWN) -> NumberedLines:
    """Return as many lines as may be shown, the first at least; the last of them is perhaps cut off."""
    kept: list[Numbered] = []
    for number, text in lines:
        if room > 0 or not kept:
            kept.append((number, beginning(text, max(room, LEAST_SHOWN))))
        room -= len(text)
    return tuple(kept)


def beginning(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[:room].rstrip()} ..."


def label_of(line: str, language: OrderLanguage) -> Pair:
    """Return how a line of orders begins, ``RUN 7:`` or ``1c)``, and what stands behind it; "" and the line where it has none."""
    return Readings().spoken_language(language).label(line)


def on_line(phrase: Phrase, line: int) -> Phrase:
    """Return a phrase as if it stood on that line."""
    parts = tuple(on_line(part, line) if isinstance(part, Phrase) else part for part in phrase.parts)
    return replace(phrase, parts=parts, line=line)


def _choose_block(sections: Sections, language: OrderLanguage) -> tuple[Stretch, list[Complaint]]:
    """Return the block to be read. Forms left empty do not count; of two that differ neither is read."""
    blocks = [stretch for stretch in sections.stretches if not stretch.is_trial] or [Stretch()]
    filled = [
        stretch
        for stretch in blocks
        if stretch.commands
        or stretch.values
        or stretch.keeps
        or not all(draft.head and is_of_form(draft.text, draft.head, language) for draft in stretch.drafts)
    ]
    first = (filled or blocks)[0]
    other = next((stretch for stretch in filled if stretch.content() != first.content()), None)
    if other:
        complaint = complaint_of("invalid-two-blocks", line=other.line, first=first.line, second=other.line)
        return Stretch(line=first.line, begun=first.begun, closed=True), [complaint]
    if first.begun and not first.closed:
        return first, [Complaint("note-no-end", first.line)]
    return first, []


def _outside(sections: Sections, stretch: Stretch) -> str:
    """Return the salt that stands in no block, "" if there is none; beside one in the block it is not read, and told so."""
    value, line = sections.values.get(SALT, ("", None))
    if not line or SALT not in stretch.values:
        return value
    sections.unread[:] = sorted((*sections.unread, (line.number, line.text)))
    return ""


def is_of_form(text: str, head: Head, language: OrderLanguage) -> bool:
    """Return whether this is a line of the order form as it was sent out."""
    verb = language.verb(head.verb)
    return (verb is not None and verb.heading) or is_blank(
        language.tongue.tokens(text[:LONGEST_LINE], head.end), head, language
    )


def _beside_orders(stretch: Stretch, phrases: Phrases, language: OrderLanguage) -> list[Complaint]:
    """What becomes of PASS and CLEAR in a letter that orders something: the orders count."""
    headings = {verb.name for verb in language.verbs if verb.heading}
    ordering = {draft.number for draft in stretch.drafts if draft.head and draft.head.verb not in headings}
    if ordering.isdisjoint(phrase.line for phrase in phrases):
        return []
    codes = {PASS: "note-pass-and-orders", CLEAR: "note-clear-and-orders"}
    found = ((codes[name], line) for name, line in stretch.commands.items() if name in codes)
    return [line.complaint(code) for code, line in found]


def _possible_orders(left: Texts, language: OrderLanguage) -> Iterator[str]:
    """Yield those of the lines that are not read that could be read as orders. In a quoted newsletter only its form can be."""
    begun = {place for place, line in enumerate(left) if language.read_beginning(line)}
    inside = not begun
    for place, line in enumerate(left):
        alone = language.alone(line)
        inside = place in begun or (inside and not (begun and alone and alone.kind == FINISH))
        is_command = bool(begun and alone and alone.kind == COMMAND)
        if inside and (is_command or _is_order(line[:LONGEST_LINE], language)):
            yield line


def _apart(lines: Lines, code: str, language: OrderLanguage) -> list[Complaint]:
    """Return what is asked about orders that stand where nothing is read, beside some that are."""
    found = (
        line
        for line in lines[:MOST_BELOW]
        # As it stands, or once a hand's label is written as it should be.
        if _is_order(text := line.text[:LONGEST_LINE], language) or doubt_of(line.number, text, language)
    )
    return [line.complaint(code) for line in found][:MOST_UNREAD]


def _speech_lines(lines: Lines, language: OrderLanguage) -> Iterator[LetterLine]:
    """Yield the lines in which something is said to us: an order, a command, a question, the beginning of a text."""
    for line in lines:
        text = line.text[:LONGEST_LINE]
        valued = language.read_value(text)
        if (
            language.alone(text)
            or language.text_head(text)
            or (valued and valued.value and valued.verb.name not in _OF_SIGNUPS)
            or _is_order(text, language)
        ):
            yield line


def _is_order(line: str, language: OrderLanguage) -> bool:
    head = language.opening(line)
    if not head or is_of_form(head.text, head, language):
        return False
    return parse_order(head.text, head, 0, language)[0] is not None


def _text(sections: Sections, verb: str) -> str:
    return "\n".join(sections.texts.get((verb, ()), ())).strip()


def _private(sections: Sections, language: OrderLanguage) -> tuple[PrivatePress, ...]:
    names = {verb.name for verb in language.of_kind(TEXT_TO)}
    told = ((to, "\n".join(lines).strip()) for (verb, to), lines in sections.texts.items() if verb in names)
    return tuple(PrivatePress(to=to, text=text) for to, text in told if text)


def _trial(stretch: Stretch, language: OrderLanguage) -> Trial:
    rest: list[Numbered] = []
    phrases, faults = parse_block(stretch, rest, language)
    faults += [Complaint("invalid-line", number, text) for number, text in rest]
    open_ended = [] if stretch.closed else [Complaint("note-no-end", stretch.line)]
    found = by_line((*stretch.complaints, *faults, *open_ended))
    return Trial(phrases=phrases, complaints=found, turn=stretch.begun.turn if stretch.begun else 0)


def _game(sections: Sections, blocks: tuple[Stretch, ...]) -> str:
    """Return the game that the orders name, else a trial, else a question (STATUS RR7); "" if none does."""
    begun = [each.begun.game for each in blocks if each.begun]
    # WATCH and UNWATCH name games of others. RULES D4 asks for a chapter: a game named there has two letters at least.
    elsewhere = (WATCH, UNWATCH, RAILWAY)
    about = [(verb, _GAME.match(value)) for verb, value in sections.questions if verb not in elsewhere]
    asked = (match[1].upper() for verb, match in about if match and not (verb == RULES and match[1][1:].isdigit()))
    return next(filter(None, begun), "") or next(asked, "")
