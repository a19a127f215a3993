"""A player's own lines sorted: orders (wrapped lines joined), press, notes, commands, and what was not read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.core.orders import Complaint
from referee.orderbook.book import COMMAND, FINISH, Begun, Book, Head, Verb
from referee.orderbook.letter import Line
from referee.orderbook.names import fold
from referee.orderbook.tokens import PROSE, UNKNOWN, Tongue, ends_with_word

LONGEST_LINE = 2000
MOST_LINES = 200

_CONNECTORS = frozenset({"DASH", "SEMICOLON", "LPAR", "LSQB"})
_OF_A_WAY = frozenset(
    {"PLACE", "NUMBER", "HEXLIKE", "NEARLY", "COMPANY", "LPAR", "RPAR", "LSQB", "RSQB", "DASH", "SEMICOLON", "OR"}
)
_OVERLAP = 40  # characters of the line before that may belong to a name that was broken


@dataclass(slots=True, kw_only=True)
class Draft:
    """An order line, growing while lines that a mail program wrapped are joined to it. ``head`` is None for one not read."""

    number: int
    text: str
    head: Head | None
    too_long: bool = False


@dataclass(slots=True, kw_only=True)
class Stretch:
    """The lines that are read as orders: a block from ORDERS to END, or, where there is none, the whole letter."""

    line: int = 0
    begun: Begun | None = None
    closed: bool = False
    drafts: list[Draft] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)

    def content(self) -> tuple[object, ...]:
        """Return what it says, to be compared with another block."""
        orders = tuple(fold(draft.text) for draft in self.drafts)
        return (self.begun, orders, tuple(self.commands))


@dataclass(slots=True, kw_only=True)
class Sections:
    """A letter's own lines, sorted."""

    stretches: list[Stretch]
    texts: dict[str, list[str]]  # by verb: PRESS, NOTE
    unread: list[tuple[int, str]]
    complaints: list[Complaint]


def sort_lines(lines: tuple[Line, ...], book: Book, tongue: Tongue) -> Sections:
    """Return *lines* sorted. Where a letter has an ORDERS line nothing outside the blocks is read but press and notes."""
    sorter = _Sorter(book, tongue, _blocks(lines, book))
    for line in lines:
        sorter.sort(line)
    return sorter.sections


def _blocks(lines: Sequence[Line], book: Book) -> dict[int, Stretch]:
    """Return the blocks by the number of their ORDERS line; one is closed if END comes before the next ORDERS."""
    blocks: dict[int, Stretch] = {}
    current: Stretch | None = None
    for line in lines:
        if begun := book.begun(line.text):
            current = blocks[line.number] = Stretch(line=line.number, begun=begun)
        elif current and (verb := book.alone(line.text)) and verb.kind == FINISH:
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
        self._draft: Draft | None = None
        stretches = list(blocks.values()) if self._stretch is None else [self._stretch]
        self.sections = Sections(stretches=stretches, texts={}, unread=[], complaints=[])

    def sort(self, line: Line) -> None:
        if line.after_cut:
            self._text = self._draft = None
        if not line.text:
            self._draft = None
            if self._text is not None:
                self._text.append("")
            return
        # A bracket that is still open is stronger than a line that looks like an order: (\n12) - Y17
        if self._draft and self._draft.text.endswith(("(", "[")) and self._joined(self._draft, line):
            return
        if not (self._marked(line) or self._ordered(line)):
            self._continued(line)

    def _marked(self, line: Line) -> bool:
        """Take the lines that begin or end something: ORDERS, END, PRESS:, a command."""
        alone = self._book.alone(line.text)
        text = self._book.text_head(line.text)
        if line.number in self._blocks:
            self._stretch = self._blocks[line.number]
        elif alone:
            self._close(alone, line)
        elif text is None:
            return False
        self._draft = self._text = None
        if text:
            self._text = self.sections.texts.setdefault(text[0].name, [])
            if self._text:
                self._text.append("")
            self._text.append(text[1])
        return True

    def _close(self, verb: Verb, line: Line) -> None:
        if verb.kind == FINISH:
            # END closes what is open; in a letter without ORDERS it stands behind the orders and means nothing more.
            self._stretch = None if self._blocks else self._stretch
        elif verb.kind == COMMAND and self._stretch is not None:
            self._stretch.commands.append(verb.name)
        elif verb.kind == COMMAND:
            self.sections.unread.append((line.number, line.text))

    def _ordered(self, line: Line) -> bool:
        """Take a line that begins like an order. In a closed block the verb alone makes it one."""
        head = self._book.opening(line.text, self._tongue)
        strict = self._stretch is not None and self._stretch.closed
        if head is None and strict and self._text is None:
            head = self._book.head(line.text)
        if head is None:
            return False
        self._text = self._draft = None
        if self._stretch is None:
            self.sections.unread.append((line.number, line.text))
        else:
            self._add(Draft(number=line.number, text=head.text, head=head))
        return True

    def _continued(self, line: Line) -> None:
        if self._text is not None:
            self._text.append(line.text)
        elif self._stretch is None or not self._continues_draft(line):
            self._unordered(line)

    def _continues_draft(self, line: Line) -> bool:
        strict = self._stretch is not None and self._stretch.closed
        draft = self._draft
        return draft is not None and _continues(draft, line.text, strict, self._tongue) and self._joined(draft, line)

    def _joined(self, draft: Draft, line: Line) -> bool:
        draft.too_long = draft.too_long or len(draft.text) + len(line.text) >= LONGEST_LINE
        if not draft.too_long:
            draft.text = f"{draft.text} {line.text}"
        return True

    def _add(self, draft: Draft) -> None:
        draft.too_long = len(draft.text) > LONGEST_LINE
        self._draft = draft
        if self._stretch is not None:
            self._stretch.drafts.append(draft)

    def _unordered(self, line: Line) -> None:
        """A line that is no order: a complaint where only orders may stand or a slip spoilt one, else unread."""
        self._draft = None
        strict = self._stretch is not None and self._stretch.closed
        slip = self._book.slip(line.text) if self._stretch is not None else None
        if slip and (strict or self._book.slip_opens(line.text, self._tongue) or _is_slipped_command(line.text)):
            params = (("verb", slip[0]),)
            self._complain(
                Complaint(code="invalid-verb", line=line.number, text=line.text, hint=slip[1], params=params)
            )
        elif strict:
            self._complain(Complaint(code="invalid-line", line=line.number, text=line.text))
        else:
            self.sections.unread.append((line.number, line.text))

    def _complain(self, complaint: Complaint) -> None:
        """Complain, and let wrapped lines that follow belong to the line complained of."""
        self.sections.complaints.append(complaint)
        self._draft = Draft(number=complaint.line, text=complaint.text, head=None)


def _is_slipped_command(line: str) -> bool:
    """A command stands alone; one with a slip must be shouted, or every ``Passed.`` in a letter would be one."""
    return line.isupper() and line.rstrip(".!").isalpha()


def _continues(draft: Draft, line: str, strict: bool, tongue: Tongue) -> bool:
    """Return whether a mail program may have wrapped an order here."""
    if draft.too_long:
        return True
    if draft.text.rstrip()[-1:] in "-–—;([" or ends_with_word(draft.text, tongue.words):
        return True
    kinds = [tongue.kind_at_opening(token) for token in tongue.tokens(line[:LONGEST_LINE])]
    if kinds[:1] and (kinds[0] in _CONNECTORS or tongue.words.longest(line, 0)[1]):
        return strict or kinds[1:2] not in ([UNKNOWN], [PROSE])
    if set(kinds) <= _OF_A_WAY and ("NEARLY" not in kinds or "DASH" in kinds):
        return bool(kinds)
    return _spans(draft.text[-_OVERLAP:], line, tongue)


def _spans(before: str, line: str, tongue: Tongue) -> bool:
    """Return whether a known name was broken between the two lines: ``Dún`` / ``Laoghaire``."""
    joined = f"{before} {line[:_OVERLAP]}"
    return any(token.start < len(before) < token.end and token.kind != UNKNOWN for token in tongue.tokens(joined))
