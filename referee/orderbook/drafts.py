"""Order lines as they were joined, read as phrases."""

from __future__ import annotations

from itertools import accumulate

from msgspec.structs import replace

from referee.core.orders import Complaint, Phrase
from referee.orderbook.joining import Draft
from referee.orderbook.language.language import LONGEST_LINE, OrderLanguage
from referee.orderbook.language.parse import mend, parse_order
from referee.orderbook.language.tokens import Tongue, payment_in
from referee.orderbook.sections import MOST_LINES, Stretch

MOST_ORDERED = 40_000  # characters of the orders of a block

MOST_MENDED = (
    8  # lines that cannot be read of which a reading with other signs, or without the lines joined to them, is tried
)
_MOST_TAKEN_OFF = 4  # lines joined to one that are taken off it again

_FOR_WANT_OF_A_SIGN = ("invalid-word", "invalid-comma", "invalid-unfinished")

Parsed = tuple[Phrase | None, tuple[Complaint, ...]]


def parse_block(
    stretch: Stretch, unread: list[tuple[int, str]], language: OrderLanguage, tongue: Tongue
) -> tuple[tuple[Phrase, ...], list[Complaint]]:
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
            params = (("most", LONGEST_LINE),)
            complaints.append(Complaint(code="invalid-long-line", line=draft.number, text=text, params=params))
        elif draft.head is not None:
            phrase, faults = parse_order(draft.text, draft.head, draft.number, language, tongue)
            faulty += phrase is None or any(each.is_error for each in faults)
            if faulty <= MOST_MENDED:
                (phrase, faults), rest = _as_meant(draft, (phrase, faults), language, tongue)
                unread += () if stretch.closed else rest
                faults += tuple(
                    Complaint(code="invalid-line", line=number, text=text) for number, text in rest if stretch.closed
                )
            phrases += [phrase] if phrase else []
            complaints += faults
    unread.sort()
    if fitting < min(len(drafts), MOST_LINES):
        params = (("most", MOST_ORDERED),)
        complaints.append(Complaint(code="invalid-long-orders", line=drafts[fitting].number, params=params))
    elif len(drafts) > MOST_LINES:
        params = (("most", MOST_LINES),)
        complaints.append(Complaint(code="invalid-too-many-lines", line=drafts[MOST_LINES].number, params=params))
    return tuple(phrases), complaints + _payments(drafts[: min(fitting, MOST_LINES)])


def _as_meant(
    draft: Draft, read: Parsed, language: OrderLanguage, tongue: Tongue
) -> tuple[Parsed, tuple[tuple[int, str], ...]]:
    """Return what a line says, and the lines that were joined to it and are none of its own: without them nothing is wrong with
    it. Where a sign makes the difference, the line as it may have been meant is told.
    """
    phrase, faults = read
    errors = [each for each in faults if each.is_error]
    if draft.head is None or not errors:
        return read, ()
    if phrase is None and faults[-1].code in _FOR_WANT_OF_A_SIGN:
        meant = mend(draft.text, draft.head, language, tongue)
        if meant:
            return (None, (*faults[:-1], replace(faults[-1], hint=meant))), ()
    if phrase is not None and any(each.hint for each in errors):
        return read, ()  # a slip for a name
    for at in range(len(draft.joined))[: -_MOST_TAKEN_OFF - 1 : -1]:
        alone = parse_order(draft.text[: draft.joined[at][2]], draft.head, draft.number, language, tongue)
        if alone[0] is not None and not any(each.is_error for each in alone[1]):
            return alone, tuple((number, text) for number, text, _ in draft.joined[at:])
    return read, ()


def _payments(drafts: list[Draft]) -> list[Complaint]:
    """What is said about the first payment that orders note; it is read over, as it books nothing."""
    noted = (
        (draft.number, payment_in(draft.text)) for draft in drafts if draft.head is not None and not draft.too_long
    )
    return [Complaint(code="note-payment", line=number, text=text) for number, text in noted if text][:1]
