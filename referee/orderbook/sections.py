"""A player's own lines sorted: orders (wrapped lines joined), press, notes, commands, and what was not read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from referee.core.orders import Complaint
from referee.orderbook.hands import ended, respelt
from referee.orderbook.joining import Draft, continues, holds
from referee.orderbook.language.language import (
    ASKED,
    COMMAND,
    FINISH,
    LONGEST_LINE,
    TEXT_END,
    Begun,
    Book,
    Head,
    TextHead,
)
from referee.orderbook.language.names import fold
from referee.orderbook.language.parse import parse_order
from referee.orderbook.language.tokens import UNKNOWN, Tongue
from referee.orderbook.language.verbs import Verb
from referee.orderbook.lines.letter import Line

MOST_LINES = 200
MOST_FAULTS = 100  # lines complained of; of a newsletter pasted into a block nobody wants to read more


@dataclass(slots=True, kw_only=True)
class Stretch:
    """The lines that are read as orders: a block from ORDERS to END, or, where there is none, the whole letter."""

    line: int = 0
    begun: Begun | None = None
    closed: bool = False
    drafts: list[Draft] = field(default_factory=list)
    commands: dict[str, Line] = field(default_factory=dict)  # canonical names and where each stands first
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


@dataclass(slots=True, kw_only=True)
class Sections:
    """A letter's own lines, sorted."""

    stretches: list[Stretch]
    texts: dict[tuple[str, tuple[str, ...]], list[str]]  # by verb (PRESS, NOTE) and readers named
    questions: dict[tuple[str, str], None]  # (verb, value), in the order of asking
    values: dict[str, tuple[str, Line]]  # by verb: SALT, where it stands in no block of a letter that has one
    unread: list[tuple[int, str]]
    complaints: list[Complaint]
    amends: list[tuple[int, str]] = field(default_factory=list)  # lines that ask to keep the rest of what is on file


def sort_lines(lines: tuple[Line, ...], book: Book, tongue: Tongue) -> Sections:
    """Return *lines* sorted. Where a letter has an ORDERS line no order outside the blocks is read."""
    lines = _unglued(respelt(lines, book, tongue), book, tongue)
    sorter = _Sorter(book, tongue, _blocks(lines, book, tongue))
    for line in lines:
        sorter.sort(line)
    return sorter.sections


def _unglued(lines: tuple[Line, ...], book: Book, tongue: Tongue) -> tuple[Line, ...]:
    """Return *lines* with END on a line of its own where a mail program glued it to a block's last order.

    Only in capitals, only in a block that nothing else ends, and only where no order follows: else it may be anything.
    """
    if all(len(_halves(line, book)) == 1 for line in lines):
        return lines
    glued = frozenset(_glued_ends(lines, book, tongue))
    halves = (_halves(line, book) if line.number in glued else (line,) for line in lines)
    return tuple(half for pair in halves for half in pair)


def _glued_ends(lines: tuple[Line, ...], book: Book, tongue: Tongue) -> Iterator[int]:
    """Yield the numbers of the lines that END is glued to."""
    last: Line | None = None  # of the orders of a block that is still open
    inside = False
    for line in lines:
        if book.begun(line.text, tongue):
            yield from _with_end(last, book, tongue)
            last, inside = None, True
        elif book.ends(line.text):
            last, inside = None, False
        elif inside and _orders(_halves(line, book)[0], book, tongue):
            last = line
    yield from _with_end(last, book, tongue)


def _with_end(line: Line | None, book: Book, tongue: Tongue) -> Iterator[int]:
    """Yield the number of an order or a command with END behind it."""
    if line is None:
        return
    order, *end = _halves(line, book)
    if end and _orders(order, book, tongue):
        *_, word = tongue.tokens(line.text)
        if line.text.endswith(word.text) and word.kind == UNKNOWN:  # no town's name ends so
            yield line.number


def _orders(line: Line, book: Book, tongue: Tongue) -> bool:
    """Return whether a line is a command or begins like an order."""
    return bool(book.alone(line.text) or book.opening(line.text, tongue))


def _halves(line: Line, book: Book) -> tuple[Line, ...]:
    """Return a line and the END in capitals behind it as two; any other line alone."""
    order, end = ended(line.text, book)
    return (replace(line, text=order), Line(number=line.number, text=end, written=end)) if end else (line,)


def _blocks(lines: Sequence[Line], book: Book, tongue: Tongue) -> dict[int, Stretch]:
    """Return the blocks by the number of their ORDERS line; one is closed if END comes before the next ORDERS."""
    blocks: dict[int, Stretch] = {}
    current: Stretch | None = None
    for line in lines:
        if begun := book.begun(line.text, tongue):
            current = blocks[line.number] = Stretch(line=line.number, begun=begun)
        elif current and book.ends(line.text):
            current.closed = True
            current = None
    return blocks


class _Sorter:
    """Goes through the lines once; remembers which block, text and order the line before belonged to."""

    def __init__(self, book: Book, tongue: Tongue, blocks: dict[int, Stretch]) -> None:
        self._book = book
        self._tongue = tongue
        self._blocks = blocks
        self._stretch: Stretch | None = None if blocks else Stretch()
        self._text: list[str] | None = None
        # A quotation has ended a text, and nothing of the player's followed yet; whether right below a line of it.
        self._broken: bool | None = None
        self._blank = True  # so was the line before
        self._draft: Draft | None = None
        self._faults: Counter[tuple[int, bool]] = Counter()  # by (line of the trial, is it an error)
        stretches = list(blocks.values()) if self._stretch is None else [self._stretch]
        self.sections = Sections(stretches=stretches, texts={}, questions={}, values={}, unread=[], complaints=[])

    def sort(self, line: Line) -> None:
        if line.after_cut:
            self._broken = not self._blank if self._text is not None else self._broken
            self._text = self._draft = None
        self._blank = not line.text
        if not line.text:
            self._draft = None
            if self._text is not None:
                self._text.append("")
            return
        # A bracket that is still open is stronger than a line that looks like an order: (\n12) - Y17
        if self._draft and (self._draft.text.endswith(("(", "[")) or holds(self._draft, line.text, self._book)):
            self._draft.join(line.text)
        elif line.number in self._blocks and self._book.begun(line.text, self._tongue):
            self._begin(self._blocks[line.number], line)
        elif self._taken(line):
            self._broken = None
        else:
            self._continued(line)

    def _begin(self, block: Stretch, line: Line) -> None:
        """Take an ORDERS line and what stands behind it: some mail programs glue the first order to it."""
        self._stretch = block
        self._draft = self._text = self._broken = None
        rest = block.begun.rest if block.begun else ""
        if rest and not self._taken(Line(number=line.number, text=rest, written=rest)):
            self._complain(Complaint(code="invalid-line", line=line.number, text=rest))

    def _taken(self, line: Line) -> bool:
        return self._marked(line) or self._valued(line) or self._ordered(line)

    def _marked(self, line: Line) -> bool:
        """Take the lines that begin or end something: ORDERS, END, PRESS:, a command."""
        # In press "I pass" is more likely to be a tale than an order.
        alone = self._book.alone(line.text, courteous=self._text is None)
        titled = (
            self._text is None
        )  # in a note, which is for one alone, a word on its line does not begin what is for all
        text = self._book.text_head(line.written, titled=titled) or self._book.text_head(line.text, titled=titled)
        if alone:
            self._close(alone, line)
        elif text is None:
            return False
        self._draft = self._text = None
        if text:
            self._open(text)
        return True

    def _open(self, head: TextHead) -> None:
        self._text = self.sections.texts.setdefault((head.verb.name, head.to), [])
        if self._text:
            self._text.append("")
        self._text.append(head.rest)

    def _close(self, verb: Verb, line: Line) -> None:
        if verb.kind in ASKED:
            # What is asked does no harm, wherever it stands.
            self.sections.questions.setdefault((verb.name, ""))
        elif verb.kind == FINISH:
            # END closes what is open; in a letter without ORDERS it stands behind the orders and means nothing more.
            self._stretch = None if self._blocks else self._stretch
        elif verb.kind == TEXT_END and self._broken is not None:
            self._complain(Complaint(code="warning-cut-text", line=line.number, text=line.text))
        elif verb.kind == COMMAND and self._stretch is not None:
            self._stretch.commands.setdefault(verb.name, line)
        elif verb.kind == COMMAND:
            self.sections.unread.append((line.number, line.text))

    def _valued(self, line: Line) -> bool:
        """Take a line with a word for the referee: SALT pepper. Where prose may stand it must be shouted or have its colon."""
        valued = self._book.valued(line.text)
        if valued is None:
            return False
        verb, value = valued
        asks = verb.kind in ASKED
        strict = self._stretch is not None and self._stretch.closed and self._text is None
        plain = line.text.startswith((verb.name, *verb.aliases)) or (asks and self._text is None) or ":" in line.text
        if not (strict or (value and plain)):
            return False
        self._draft = self._text = None
        if asks and value:
            self.sections.questions.setdefault((verb.name, value))
        elif asks:
            code = f"note-{verb.name.lower()}"
            self._complain(Complaint(code=code, line=line.number, text=line.text, hint=verb.example))
        elif value and self._stretch is not None:
            self._stretch.values[verb.name] = value
        elif value:
            self.sections.values[verb.name] = (value, line)
        else:
            code = f"invalid-{verb.name.lower()}"
            self._complain(Complaint(code=code, line=line.number, text=line.text, hint=verb.example))
        return True

    def _ordered(self, line: Line) -> bool:
        """Take a line that begins like an order. In a closed block the verb alone makes it one, elsewhere what is nearly one."""
        if self._stretch is not None and not self._stretch.is_trial and self._text is None:
            label = self._book.kept(line.text, self._tongue)
            if label:
                self._draft = None
                self._stretch.keeps.append((line.number, label, line.text))
                return True
        head = self._book.opening(line.text, self._tongue) or self._nearly(line)
        if head is None or self._goes_on(head, line.text):
            return False
        self._text = self._draft = None
        if self._stretch is None:
            self.sections.unread.append((line.number, line.text))
        else:
            note = Complaint(
                code="note-read-as", line=line.number, text=line.written, params=(("orders", line.read_as),)
            )
            if line.read_as and note not in self.sections.complaints:
                self._complain(note)
            self._add(Draft(number=line.number, text=head.text, head=head))
        return True

    def _goes_on(self, head: Head, line: str) -> bool:
        """Return whether a line without a label, ``(Metz) - G69``, is the rest of the order above: unless that is whole without
        it and could not be read with it.
        """
        draft = self._draft
        if head.verb or not line.startswith("(") or draft is None or draft.head is None:
            return False
        if draft.head.verb == "" or self._book.rule_of(draft.head.verb) is self._book.rule_of(""):
            return True
        return not (self._reads(draft.text, draft.head) and not self._reads(f"{draft.text} {line}", draft.head))

    def _reads(self, text: str, head: Head) -> bool:
        text = text[:LONGEST_LINE]
        return parse_order(text, head, 0, self._book, self._tongue)[0] is not None

    def _nearly(self, line: Line) -> Head | None:
        """Return the beginning of a line that is read only so that its writer is told what is wrong with it."""
        if self._stretch is None:
            return None
        if self._text is not None:
            return self._book.nearly_bare(line.text, self._tongue)
        head = self._book.head(line.text) if self._stretch.closed else None
        return head or self._book.nearly(line.text, self._tongue)

    def _continued(self, line: Line) -> None:
        draft = self._draft
        if self._text is not None:
            self._text.append(line.written)
            if self._stretch is not None and self._is_lost_in_text(line.text):
                complaint = Complaint(code="note-order-in-text", line=line.number, text=line.text)
                self._complain(complaint)
        elif self._book.amends(line.text):
            self._amend(line)
        elif (
            self._stretch is not None
            and draft is not None
            and len(self._stretch.drafts) <= MOST_LINES
            and continues(draft, line.text, self._book, self._tongue, strict=self._stretch.closed)
        ):
            draft.join(line.text)
        else:
            self._unordered(line)

    def _amend(self, line: Line) -> None:
        """Take what asks to keep the rest; what is only asked about is reckoned alone."""
        self._draft = None
        if self._stretch is not None and self._stretch.is_trial:
            self._complain(Complaint(code="note-trial-alone", line=line.number, text=line.text))
        else:
            self.sections.amends.append((line.number, line.text))

    def _is_lost_in_text(self, line: str) -> bool:
        return bool(self._book.nearly(line, self._tongue) or self._book.alone(line))

    def _add(self, draft: Draft) -> None:
        draft.too_long = len(draft.text) > LONGEST_LINE
        self._draft = draft
        if self._stretch is not None:
            self._stretch.drafts.append(draft)

    def _unordered(self, line: Line) -> None:
        """A line that is no order: a complaint where only orders may stand or a slip spoilt one, else unread."""
        self._draft = None
        if self._broken:
            self._broken = None
            self._complain(Complaint(code="warning-cut-text", line=line.number, text=line.text))
            return
        strict = self._stretch is not None and self._stretch.closed
        trial = self._trial()
        if strict and self._faults[trial.line if trial else 0, True] >= MOST_FAULTS:
            return  # it would be left out, whatever it is
        slip = self._book.slip(line.text, self._tongue) if self._stretch is not None else None
        command = self._book.command_within(line.text) if self._stretch is not None else None
        game = self._book.elsewhere(line.text, strict=strict) if self._stretch is not None else ""
        if game:
            self._complain(
                Complaint(code="invalid-other-game", line=line.number, text=line.text, params=(("game", game),))
            )
        elif slip and (strict or self._book.slip_opens(line.text, self._tongue) or _is_slipped_command(line.text)):
            params = (("verb", slip[0]),)
            self._complain(
                Complaint(code="invalid-verb", line=line.number, text=line.text, hint=slip[1], params=params)
            )
        elif command:
            params = (("verb", command.name),)
            code = "invalid-not-alone" if strict else "note-not-alone"
            self._complain(Complaint(code=code, line=line.number, text=line.text, params=params))
        elif strict:
            self._complain(Complaint(code="invalid-line", line=line.number, text=line.text))
        else:
            self.sections.unread.append((line.number, line.text))

    def _trial(self) -> Stretch | None:
        return self._stretch if self._stretch is not None and self._stretch.is_trial else None

    def _complain(self, complaint: Complaint) -> None:
        """Complain, and let wrapped lines that follow belong to the line complained of. Of a hundred the last says that there are
        more; errors are counted for themselves, and those of a trial, for they decide whether orders are in order.
        """
        trial = self._trial()
        key = (trial.line if trial else 0, complaint.is_error)
        self._faults[key] += 1
        if self._faults[key] == MOST_FAULTS:
            code = "invalid-more-faults" if complaint.is_error else "note-more-faults"
            complaint = Complaint(code=code, line=complaint.line, params=(("most", MOST_FAULTS - 1),))
        if self._faults[key] <= MOST_FAULTS:
            (trial.complaints if trial else self.sections.complaints).append(complaint)
        self._draft = Draft(number=complaint.line, text=complaint.text, head=None)


def _is_slipped_command(line: str) -> bool:
    """A command stands alone; one with a slip must be shouted, or every ``Passed.`` in a letter would be one."""
    return line.isupper() and line.rstrip(".!").isalpha()
