"""A player's own lines sorted: orders (wrapped lines joined), press, notes, commands, and what was not read."""

from __future__ import annotations

from collections import Counter
from enum import Enum

from msgspec import field

from referee.core import Complaint, Mutable, Numbered, Pair, Texts, Value, complaint_of, fold

from .classify import CUT_TEXT, Draft, KeptLine, Kind, Other, Place, Said, classify, read_line
from .hands import respelt, split_end
from .language import ASKED, COMMAND, FINISH, LONGEST_LINE, TEXT_END, OrderLanguage
from .letter import LetterLine, Lines, perhaps_announces
from .names import Begun, Head, TextHead, Valued, Verb
from .quotations import without_footer
from .tokens import UNKNOWN

TAKEN_BACK, QUOTED = "asked-taken-back", "asked-perhaps-quoted"
WORDS = "words"  # the parameter of these that tells below which line

MOST_LINES = 200
MOST_FAULTS = 25  # lines complained of; of a newsletter pasted into a block nobody wants to read more


class Stretch(Mutable):
    """The lines that are read as orders: a block from ORDERS to END, or, where there is none, the whole letter."""

    line: int = 0
    begun: Begun | None = None
    closed: bool = False
    drafts: list[Draft] = field(default_factory=list)
    aside: list[Draft] = field(default_factory=list)  # orders below words that take them back
    commands: dict[str, LetterLine] = field(default_factory=dict)  # canonical names and where each stands first
    values: dict[str, str] = field(default_factory=dict)  # by verb: SALT
    keeps: list[tuple[int, str, str]] = field(
        default_factory=list
    )  # (line, label, text) of orders that stay as they are on file
    complaints: list[Complaint] = field(default_factory=list)  # of a trial: they are nothing to the orders beside it

    @property
    def is_trial(self) -> bool:
        """Whether its orders are only asked about."""
        return self.begun is not None and self.begun.trial

    def content(self) -> tuple[object, ...]:
        """Return what it says, to be compared with another block."""
        orders = tuple(fold(draft.text) for draft in self.drafts)
        kept = tuple(fold(label) for _, label, _ in self.keeps)
        return (self.begun, orders, kept, tuple(self.commands), tuple(self.values.items()))


class Sections(Mutable):
    """A letter's own lines, sorted."""

    stretches: list[Stretch]
    texts: dict[tuple[str, Texts], list[str]]  # by verb (PRESS, NOTE) and readers named
    questions: dict[Pair, LetterLine]  # by (verb, value), in the order of asking
    values: dict[str, tuple[str, LetterLine]]  # by verb: SALT, where it stands in no block of a letter that has one
    unread: list[Numbered]
    complaints: list[Complaint]
    is_open: bool = False  # nothing ends its last text
    amends: list[Numbered] = field(default_factory=list)  # lines that ask to keep the rest of what is on file


def sort_lines(lines: Lines, language: OrderLanguage) -> Sections:
    """Return *lines* sorted. Where a letter has an ORDERS line no order outside the blocks is read."""
    lines, blocks = _split_blocks(respelt(lines, language), language)
    sorter = _Sorter(language, blocks)
    for line in lines:
        sorter.sort(line)
    sorter.end()
    return sorter.sections


def _split_blocks(lines: Lines, language: OrderLanguage) -> tuple[Lines, dict[LetterLine, Stretch]]:
    """Return *lines*, and the blocks by their ORDERS line; one is closed if END comes before the next ORDERS.

    END has a line of its own where a mail program glued it to the last order of a block that nothing else ends.
    """
    blocks: dict[LetterLine, Stretch] = {}
    inside: list[LetterLine] = []  # of a block that is open
    halves: dict[LetterLine, Lines] = {}

    def look_for_end() -> None:
        last = _last_order(inside[1:], language)
        if not last:
            return
        *_, word = language.tongue.tokens(last.text)
        # END in capitals, which is no part of a town's name.
        if len(pieces := _halves(last, language)) > 1 and last.text.endswith(word.text) and word.kind == UNKNOWN:
            blocks[inside[0]].closed = True
            halves[last] = pieces

    for line in lines:
        if begun := language.read_beginning(line.text):
            look_for_end()
            inside = [line]
            blocks[line] = Stretch(line=line.number, begun=begun)
        elif inside and language.ends(line.text):
            blocks[inside[0]].closed = True
            inside = []
        elif inside:
            inside.append(line)
    look_for_end()
    return tuple(half for line in lines for half in halves.get(line, (line,))), blocks


def _last_order(lines: list[LetterLine], language: OrderLanguage) -> LetterLine | None:
    """Return the last line that is an order or a command, but for an END glued to it; None too where END is glued to none."""
    if all(len(_halves(line, language)) == 1 for line in lines):
        return None
    texts = ((line, _halves(line, language)[0].text) for line in reversed(lines))
    return next((line for line, text in texts if language.alone(text) or language.opening(text)), None)


def _halves(line: LetterLine, language: OrderLanguage) -> Lines:
    """Return a line and the END in capitals behind it as two; any other line alone."""
    order, end = split_end(line.text, language)
    return (line.but(text=order), LetterLine(line.number, end, end)) if end else (line,)


class _Cut(Enum):
    """What a quotation did to a text, while nothing else of the player's has followed."""

    NONE = "there was none"
    BETWEEN = "it ended it at an empty line"
    WITHIN = "it stands right below a line of it"


class _Aside(Value):
    """Words below which nothing is acted upon, and why: ``code`` of the complaint. ``ends``: an empty line ends that; the first
    line below them tells.
    """

    code: str
    words: str
    ends: bool | None = None


class _Sorter:
    """Goes through the lines once; remembers which block, text and order the line before belonged to."""

    def __init__(self, language: OrderLanguage, blocks: dict[LetterLine, Stretch]) -> None:
        self._language = language
        self._blocks = blocks
        self._stretch: Stretch | None = None if blocks else Stretch()
        self._text: list[str] | None = None
        self._cut = _Cut.NONE
        self._blank = self._after_blank = True  # so was the line before; and the one before that
        self._draft: Draft | None = None
        self._aside: _Aside | None = None
        self._faults: Counter[tuple[int, bool]] = Counter()  # by (line of the trial, is it an error)
        stretches = list(blocks.values()) if not self._stretch else [self._stretch]
        self.sections = Sections(stretches=stretches, texts={}, questions={}, values={}, unread=[], complaints=[])

    def end(self) -> None:
        """Take the end of the letter: a text that nothing ended before goes down to its footer."""
        if self._text is not None:
            self._text[:] = without_footer(self._text, self._language)
            self.sections.is_open = True

    def sort(self, line: LetterLine) -> None:
        if line.after_cut:
            if self._text is not None:
                self._cut = _Cut.BETWEEN if self._blank else _Cut.WITHIN
            self._text = self._draft = self._aside = None
        self._after_blank, self._blank = self._blank, not line.text
        if line.text:
            self._take(classify(line, self._place(self._blocks.get(line)), self._language), line)
            return
        self._draft = None
        if self._aside and self._aside.ends:
            self._aside = None
        if self._text is not None:
            self._text.append("")

    def _place(self, block: Stretch | None = None) -> Place:
        """Return where the next line stands; *block*: the one that it begins."""
        stretch, trial, in_text = self._stretch, self._trial(), self._text is not None
        strict = stretch is not None and stretch.closed and not in_text
        fits = stretch is None or len(stretch.drafts) <= MOST_LINES
        return Place(
            begun=block.begun if block else None,
            reads=stretch is not None,
            strict=strict,
            trial=trial is not None,
            in_text=in_text,
            torn=self._cut is _Cut.WITHIN,
            full=strict and self._faults[trial.line if trial else 0, True] >= MOST_FAULTS,
            above=self._draft if fits else None,
        )

    def _take(self, kind: Kind, line: LetterLine) -> None:
        if self._text is not None and isinstance(kind, Complaint | Other):
            self._text.append(line.written)
        match kind:
            case Other.REST:
                assert self._draft
                self._draft.join(line.text, line.number)
            case Other():
                self._draft = None
                if kind is Other.UNREAD:
                    self._aside = self._set_aside(line)
                told = {Other.AMENDS: self.sections.amends, Other.UNREAD: self.sections.unread}.get(kind, [])
                told.append((line.number, line.text))
            case Complaint():
                self._cut = _Cut.NONE if kind.code == CUT_TEXT else self._cut  # its writer is told once
                self._aside = self._set_aside(line) if self._text is None else self._aside
                self._complain(kind)
            case Begun():
                self._begin(kind, line)
            case _:
                self._hear(kind, line)

    def _set_aside(self, line: LetterLine) -> _Aside | None:
        """Return what holds below a line of prose. Nobody knows where a quotation without marks ends."""
        if self._aside and self._aside.code == QUOTED:
            return self._aside
        if perhaps_announces(line.text):
            return _Aside(code=QUOTED, words=line.text)
        return _Aside(code=TAKEN_BACK, words=line.text) if self._language.prose.takes_back(line.text) else None

    def _leaves(self, kind: Said, line: LetterLine) -> bool:
        """Leave aside what stands below such words, and say so; return whether that was done."""
        aside = self._aside
        if not aside:
            return False
        is_text = isinstance(kind, TextHead) and aside.code == TAKEN_BACK
        if is_text or (isinstance(kind, Verb) and kind.kind in (FINISH, TEXT_END)):
            self._aside = aside if aside.code == QUOTED else None
            return False
        # An empty line right below the words ends nothing, one below what they take back does.
        ends = (not self._after_blank) if aside.ends is None else aside.ends
        self._aside = aside.but(ends=ends and aside.code != QUOTED)
        self._complain(line.complaint(aside.code, words=aside.words))
        if isinstance(kind, Head) and self._stretch:
            self._draft = Draft(line.number, kind.text, kind, too_long=len(kind.text) > LONGEST_LINE)
            self._stretch.aside += [self._draft] if aside.code == TAKEN_BACK else []
        return True

    def _hear(self, kind: Said, line: LetterLine) -> None:
        """Take a line that says something by itself: what stood open above it has ended."""
        self._draft = self._text = None
        if self._leaves(kind, line):
            return
        match kind:
            case Verb():
                self._close(kind, line)
            case TextHead():
                self._text = self.sections.texts.setdefault((kind.verb.name, kind.to), [])
                self._text += ["", kind.rest] if self._text else [kind.rest]
            case Valued():
                self._value(kind, line)
            case KeptLine(label):
                assert self._stretch
                self._stretch.keeps.append((line.number, label, line.text))
            case Head():
                self._order(kind, line)
        self._cut = _Cut.NONE

    def _begin(self, begun: Begun, line: LetterLine) -> None:
        """Take an ORDERS line and what stands behind it: some mail programs glue the first order to it."""
        self._stretch, self._draft, self._text, self._cut = self._blocks[line], None, None, _Cut.NONE
        self._aside = self._aside if self._aside and self._aside.code == QUOTED else None
        rest = LetterLine(line.number, begun.rest, begun.rest)
        kind = read_line(rest, self._place(), self._language) if rest.text else None
        if kind:
            self._hear(kind, rest)
        elif rest.text:
            self._complain(Complaint("invalid-line", line.number, rest.text))

    def _close(self, verb: Verb, line: LetterLine) -> None:
        if verb.kind in ASKED:
            # What is asked does no harm, wherever it stands.
            self.sections.questions.setdefault((verb.name, ""), line)
        elif verb.kind == FINISH:
            # END closes what is open; in a letter without ORDERS it stands behind the orders and means nothing more.
            self._stretch = None if self._blocks else self._stretch
        elif verb.kind == TEXT_END and self._cut is not _Cut.NONE:
            self._complain(line.complaint(CUT_TEXT))
            self._draft = None
        elif verb.kind == COMMAND and self._stretch:
            self._stretch.commands.setdefault(verb.name, line)
        elif verb.kind == COMMAND:
            self.sections.unread.append((line.number, line.text))

    def _value(self, valued: Valued, line: LetterLine) -> None:
        verb, value = valued.verb, valued.value
        asks = verb.kind in ASKED
        if not value:
            code = f"{'note' if asks else 'invalid'}-{verb.name.lower()}"
            self._complain(line.complaint(code, hint=verb.example))
        elif asks:
            self.sections.questions.setdefault((verb.name, value), line)
        elif self._stretch:
            self._stretch.values[verb.name] = value
        else:
            self.sections.values[verb.name] = (value, line)

    def _order(self, head: Head, line: LetterLine) -> None:
        if not self._stretch:
            self.sections.unread.append((line.number, line.text))
            return
        note = complaint_of("note-read-as", "", line.written, line.number, orders=line.read_as)
        if line.read_as and note not in self.sections.complaints:
            self._complain(note)
        too_long = len(head.text) > LONGEST_LINE
        self._draft = Draft(line.number, head.text, head, too_long=too_long)
        self._stretch.drafts.append(self._draft)

    def _trial(self) -> Stretch | None:
        return self._stretch if self._stretch and self._stretch.is_trial else None

    def _complain(self, complaint: Complaint) -> None:
        """Complain, and let wrapped lines that follow belong to the line complained of. Of a hundred the last says that there are
        more; errors are counted for themselves, and those of a trial, for they decide whether orders are in order.
        """
        trial = self._trial()
        key = (trial.line if trial else 0, complaint.is_error)
        self._faults[key] += 1
        if self._faults[key] == MOST_FAULTS:
            code = "invalid-more-faults" if complaint.is_error else "note-more-faults"
            complaint = complaint_of(code, line=complaint.line, most=MOST_FAULTS - 1)
        if self._faults[key] <= MOST_FAULTS:
            (trial.complaints if trial else self.sections.complaints).append(complaint)
        self._draft = Draft(complaint.line, complaint.text, None)
