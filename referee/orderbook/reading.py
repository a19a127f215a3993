"""A letter's text read as one player's word to one game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from referee.core.orders import Complaint, Phrase, Term
from referee.orderbook.book import Book
from referee.orderbook.letter import own_lines
from referee.orderbook.names import Lexicon, Slips
from referee.orderbook.parse import is_blank, parse_order
from referee.orderbook.sections import LONGEST_LINE, MOST_LINES, Draft, Sections, Stretch, sort_lines
from referee.orderbook.tokens import Tongue

PRESS, NOTE = "PRESS", "NOTE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a letter says. Lines count from 1 in the letter's text; a wrapped order has the line it begins on."""

    phrases: tuple[Phrase, ...]  # in order of writing
    complaints: tuple[Complaint, ...]  # in order of lines
    unread: tuple[tuple[int, str], ...]  # the player's own lines that were not read; no quotes, no signature, no blanks
    press: str
    note: str
    commands: tuple[str, ...]  # canonical names, each once
    game: str  # named with ORDERS, in capitals; "" if none
    turn: int  # named with ORDERS; 0 if none
    marked: bool  # orders stood in a block begun by ORDERS


def read_text(text: str, book: Book, terms: tuple[Term, ...]) -> Reading:
    """Return what a letter's text says; never raises for what a player wrote."""
    names = _lexicon(terms)
    tongue = Tongue(names, book.words, Slips(names))
    sections = sort_lines(own_lines(text), book, tongue)
    stretch, doubts = _chosen(sections, tongue)
    phrases, faults = _parsed(stretch.drafts, book, tongue)
    return Reading(
        phrases=phrases,
        complaints=tuple(sorted((*sections.complaints, *doubts, *faults), key=lambda complaint: complaint.line)),
        unread=tuple(sections.unread),
        press=_text(sections, PRESS),
        note=_text(sections, NOTE),
        commands=tuple(dict.fromkeys(stretch.commands)),
        game=stretch.begun.game if stretch.begun else "",
        turn=stretch.begun.turn if stretch.begun else 0,
        marked=stretch.begun is not None,
    )


@lru_cache(maxsize=16)
def _lexicon(terms: tuple[Term, ...]) -> Lexicon:
    return Lexicon(terms)


def _chosen(sections: Sections, tongue: Tongue) -> tuple[Stretch, list[Complaint]]:
    """Return the block to be read. Forms left empty do not count; of two that differ neither is read."""
    filled = [stretch for stretch in sections.stretches if not _is_empty(stretch, tongue)]
    first = (filled or sections.stretches)[0]
    other = next((stretch for stretch in filled if stretch.content() != first.content()), None)
    if other is not None:
        params = (("first", first.line), ("second", other.line))
        complaint = Complaint(code="invalid-two-blocks", line=other.line, params=params)
        return Stretch(line=first.line, begun=first.begun, closed=True), [complaint]
    if first.begun is not None and not first.closed:
        return first, [Complaint(code="note-no-end", line=first.line)]
    return first, []


def _is_empty(stretch: Stretch, tongue: Tongue) -> bool:
    return not stretch.commands and all(
        draft.head is not None and is_blank(tongue.tokens(draft.text[:LONGEST_LINE], draft.head.end))
        for draft in stretch.drafts
    )


def _parsed(drafts: list[Draft], book: Book, tongue: Tongue) -> tuple[tuple[Phrase, ...], list[Complaint]]:
    phrases: list[Phrase] = []
    complaints: list[Complaint] = []
    for draft in drafts[:MOST_LINES]:
        if draft.too_long:
            text = f"{draft.text[:60]} …"
            params = (("most", LONGEST_LINE),)
            complaints.append(Complaint(code="invalid-long-line", line=draft.number, text=text, params=params))
        elif draft.head is not None:
            phrase, faults = parse_order(draft.text, draft.head, draft.number, book, tongue)
            phrases += [phrase] if phrase else []
            complaints += faults
    if len(drafts) > MOST_LINES:
        params = (("most", MOST_LINES),)
        complaints.append(Complaint(code="invalid-too-many-lines", line=drafts[MOST_LINES].number, params=params))
    return tuple(phrases), complaints


def _text(sections: Sections, verb: str) -> str:
    return "\n".join(sections.texts.get(verb, ())).strip()
