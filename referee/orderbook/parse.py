"""From the words of one order line to the phrase the rules read, and what is wrong with the line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from lark import Token as Leaf
from lark import Tree

from referee.core.orders import Complaint, Phrase, Word
from referee.orderbook.book import Book, Head
from referee.orderbook.names import Lexicon, is_hexlike, latin
from referee.orderbook.tokens import UNKNOWN, Token, Tongue

MOST_UNKNOWN = 5  # complaints about unknown names in one line

_FORM = frozenset({"NUMBER", "LETTER", "COLON", "RPAR", "DOT"})  # what the order form prints before the blank
_PLACE = "PLACE"


@dataclass(slots=True, kw_only=True)
class _Line:
    """An order line while it is parsed."""

    number: int
    text: str
    head: Head
    words: dict[int, Word] = field(default_factory=dict)  # by place in the line
    complaints: list[Complaint] = field(default_factory=list)


def parse_order(
    text: str, head: Head, number: int, book: Book, tongue: Tongue
) -> tuple[Phrase | None, tuple[Complaint, ...]]:
    """Return the phrase of an order line that begins with *head*, None where it cannot be read, and all complaints."""
    line = _Line(number=number, text=text, head=head)
    tokens = list(tongue.tokens(text, head.end))
    if is_blank(tokens):
        return None, (Complaint(code="note-empty", line=number, text=text),)
    tree = _fed(line, tokens, book, tongue)
    phrase = _phrase(tree, line) if tree is not None else None
    return phrase, tuple(line.complaints)


def is_blank(tokens: Iterable[Token]) -> bool:
    """Return whether nothing was written behind ``1b)`` or ``RUN 7:`` of the order form."""
    kinds = [token.kind for token in tokens]
    closed = kinds[-1:] in (["COLON"], ["RPAR"], ["DOT"]) or kinds == ["NUMBER", "LETTER"]
    return set(kinds) <= _FORM and closed


def _fed(line: _Line, tokens: list[Token], book: Book, tongue: Tongue) -> Tree[Leaf] | None:
    """Feed the parser; each word is what the parser can take at its place, if it may be that at all."""
    parser: Any = book.parser.parse_interactive()  # lark gives its methods no types
    verb = Token(kinds=((line.head.verb, ""),), text=line.text[: line.head.end], start=0, end=line.head.end)
    for token in (verb, *tokens) if line.head.verb else tokens:
        accepted = frozenset(parser.accepts())
        found = _acceptable(token, accepted)
        if found is None:
            _complain(line, book, "invalid-word", (("found", token.text),))
            return None
        terminal, word = found
        line.words[token.start] = word
        if word.kind == UNKNOWN:
            _complain_of_name(line, token, accepted & book.terminals, tongue)
        parser.feed_token(_leaf(terminal, token))
    if "$END" not in parser.accepts():
        _complain(line, book, "invalid-unfinished")
        return None
    tree: Tree[Leaf] = parser.feed_eof()
    return tree


def _acceptable(token: Token, accepted: frozenset[str]) -> tuple[str, Word] | None:
    """Return the terminal and the word that *token* can be here; a known word of a wrong kind can be an unknown name."""
    for kind, value in (*token.kinds, (UNKNOWN, "")):
        for terminal in (kind, f"_{kind}"):
            if terminal in accepted:
                return terminal, Word(kind=kind, value=value, text=token.text, column=token.start + 1)
    return None


def _leaf(terminal: str, token: Token) -> Leaf:
    places = {"start_pos": token.start, "end_pos": token.end, "line": 1, "end_line": 1, "column": 1, "end_column": 1}
    return Leaf(terminal, token.text, **places)


def _complain(line: _Line, book: Book, code: str, params: tuple[tuple[str, str | int], ...] = ()) -> None:
    verb = book.rule_of(line.head.verb)
    name, example, rule = (verb.name, verb.example, verb.rule) if verb else ("", "", "")
    line.complaints.append(
        Complaint(
            code=code,
            line=line.number,
            text=line.text,
            paragraph=rule,
            hint=example,
            params=(*params, ("verb", name)),
        )
    )


def _complain_of_name(line: _Line, token: Token, accepted: frozenset[str], tongue: Tongue) -> None:
    if len(line.complaints) >= MOST_UNKNOWN:
        return
    code, hint, params = _fault_of_name(token.text, accepted - {UNKNOWN, "NUMBER", "LETTER"}, tongue)
    line.complaints.append(Complaint(code=code, line=line.number, text=token.text, hint=hint, params=params))


def _fault_of_name(
    text: str, wanted: frozenset[str], tongue: Tongue
) -> tuple[str, str, tuple[tuple[str, str | int], ...]]:
    """Return (code, hint, params) for a name nobody knows where one of the kinds *wanted* should stand."""
    meant = _meant(text, tongue.names)
    if meant:
        foreign = "".join(dict.fromkeys(char for char in text if latin(char) != char))
        return "invalid-letters", meant, (("letters", foreign),)
    kinds = frozenset(kind for kind in wanted if not kind.startswith("_"))
    hint = tongue.slips.hint(latin(text), kinds)
    if _PLACE in kinds:
        return "invalid-hex" if is_hexlike(text) else "invalid-place", hint, ()
    return f"invalid-{min(kinds, default='name').lower()}", hint, ()


def _meant(text: str, names: Lexicon) -> str:
    """Return the known name that *text* looks like on the screen, "" where it is not written in letters of another script."""
    terms = names.exactly(latin(text)) if latin(text) != text else ()
    return terms[0].name if terms else ""


def _phrase(tree: Tree[Leaf], line: _Line) -> Phrase:
    """Return a tree of the parser as a phrase: rule names and words as they are, a place said twice as one."""
    parts: list[Phrase | Word] = []
    for child in tree.children:
        if isinstance(child, Leaf):
            parts.append(line.words[child.start_pos or 0])
        elif child.data == "twice":
            parts.append(_said_twice(child, line))
        else:
            parts.append(_phrase(child, line))
    text = line.text if tree.meta.empty else line.text[tree.meta.start_pos : tree.meta.end_pos]
    return Phrase(rule=str(tree.data), parts=tuple(parts), line=line.number, text=text)


def _said_twice(tree: Tree[Leaf], line: _Line) -> Word:
    first, second = (line.words[leaf.start_pos or 0] for leaf in tree.children if isinstance(leaf, Leaf))
    # A station's number in the bracket says nothing against the name: which hexes carry it the game knows.
    if second.kind == first.kind and second.value != first.value:
        params = (("first", first.text), ("second", second.text))
        line.complaints.append(
            Complaint(code="invalid-two-places", line=line.number, text=f"{first.text} ({second.text})", params=params)
        )
    return first
