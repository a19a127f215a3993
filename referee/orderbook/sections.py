"""A player's own lines sorted: orders (wrapped lines joined), press, notes, commands, and what was not read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.core.orders import Complaint
from referee.orderbook.book import COMMAND, FINISH, Begun, Book, Head, Verb
from referee.orderbook.joining import LONGEST_LINE, Draft, continues
from referee.orderbook.letter import Line
from referee.orderbook.names import fold
from referee.orderbook.tokens import Tongue

MOST_LINES = 200
MOST_SLIPS = 500  # lines that are looked at for a slip in their first word


@dataclass(slots=True, kw_only=True)
class Stretch:
    """The lines that are read as orders: a block from ORDERS to END, or, where there is none, the whole letter."""

    line: int = 0
    begun: Begun | None = None
    closed: bool = False
    drafts: list[Draft] = field(default_factory=list)
    commands: dict[str, Line] = field(default_factory=dict)  # canonical names and where each stands first
    values: dict[str, str] = field(default_factory=dict)  # by verb: SALT

    def content(self) -> tuple[object, ...]:
        """Return what it says, to be compared with another block."""
        orders = tuple(fold(draft.text) for draft in self.drafts)
        return (self.begun, orders, tuple(self.commands), tuple(self.values.items()))


@dataclass(slots=True, kw_only=True)
class Sections:
    """A letter's own lines, sorted."""

    stretches: list[Stretch]
    texts: dict[str, list[str]]  # by verb: PRESS, NOTE
    unread: list[tuple[int, str]]
    complaints: list[Complaint]


def sort_lines(lines: tuple[Line, ...], book: Book, tongue: Tongue) -> Sections:
    """Return *lines* sorted. Where a letter has an ORDERS line nothing outside the blocks is read but press and notes."""
    sorter = _Sorter(book, tongue, _blocks(lines, book, tongue))
    for line in lines:
        sorter.sort(line)
    return sorter.sections


def _blocks(lines: Sequence[Line], book: Book, tongue: Tongue) -> dict[int, Stretch]:
    """Return the blocks by the number of their ORDERS line; one is closed if END comes before the next ORDERS."""
    blocks: dict[int, Stretch] = {}
    current: Stretch | None = None
    for line in lines:
        if begun := book.begun(line.text, tongue):
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
        self._slips_left = MOST_SLIPS
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
        if self._draft and self._draft.text.endswith(("(", "[")):
            self._draft.join(line.text)
        elif line.number in self._blocks:
            self._begin(self._blocks[line.number], line)
        elif not self._taken(line):
            self._continued(line)

    def _begin(self, block: Stretch, line: Line) -> None:
        """Take an ORDERS line and what stands behind it: some mail programs glue the first order to it."""
        self._stretch = block
        self._draft = self._text = None
        rest = block.begun.rest if block.begun else ""
        if rest and not self._taken(Line(number=line.number, text=rest)):
            self._complain(Complaint(code="invalid-line", line=line.number, text=rest))

    def _taken(self, line: Line) -> bool:
        return self._marked(line) or self._valued(line) or self._ordered(line)

    def _marked(self, line: Line) -> bool:
        """Take the lines that begin or end something: ORDERS, END, PRESS:, a command."""
        # In press "I pass" is more likely to be a tale than an order.
        alone = self._book.alone(line.text, courteous=self._text is None)
        text = self._book.text_head(line.text)
        if alone:
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
            self._stretch.commands.setdefault(verb.name, line)
        elif verb.kind == COMMAND:
            self.sections.unread.append((line.number, line.text))

    def _valued(self, line: Line) -> bool:
        """Take a line with a word for the referee: SALT pepper. Where prose may stand it must be shouted or have its colon."""
        valued = self._book.valued(line.text) if self._stretch is not None else None
        if valued is None or self._stretch is None:
            return False
        verb, value = valued
        strict = self._stretch.closed and self._text is None
        if not strict and not (value and (line.text.startswith((verb.name, *verb.aliases)) or ":" in line.text)):
            return False
        self._draft = self._text = None
        if value:
            self._stretch.values[verb.name] = value
        else:
            code = f"invalid-{verb.name.lower()}"
            self._complain(Complaint(code=code, line=line.number, text=line.text, hint=verb.example))
        return True

    def _ordered(self, line: Line) -> bool:
        """Take a line that begins like an order. In a closed block the verb alone makes it one, elsewhere what is nearly one."""
        head = self._book.opening(line.text, self._tongue) or self._nearly(line)
        if head is None:
            return False
        self._text = self._draft = None
        if self._stretch is None:
            self.sections.unread.append((line.number, line.text))
        else:
            self._add(Draft(number=line.number, text=head.text, head=head))
        return True

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
            self._text.append(line.text)
            if self._stretch is not None and self._is_lost_in_text(line.text):
                complaint = Complaint(code="note-order-in-text", line=line.number, text=line.text)
                self.sections.complaints.append(complaint)
        elif (
            self._stretch is not None
            and draft is not None
            and len(self._stretch.drafts) <= MOST_LINES
            and continues(draft, line.text, self._book, self._tongue, strict=self._stretch.closed)
        ):
            draft.join(line.text)
        else:
            self._unordered(line)

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
        self._slips_left -= 1
        strict = self._stretch is not None and self._stretch.closed
        slip = self._book.slip(line.text) if self._stretch is not None and self._slips_left >= 0 else None
        command = self._book.command_within(line.text) if self._stretch is not None else None
        if slip and (strict or self._book.slip_opens(line.text, self._tongue) or _is_slipped_command(line.text)):
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

    def _complain(self, complaint: Complaint) -> None:
        """Complain, and let wrapped lines that follow belong to the line complained of."""
        self.sections.complaints.append(complaint)
        self._draft = Draft(number=complaint.line, text=complaint.text, head=None)


def _is_slipped_command(line: str) -> bool:
    """A command stands alone; one with a slip must be shouted, or every ``Passed.`` in a letter would be one."""
    return line.isupper() and line.rstrip(".!").isalpha()
