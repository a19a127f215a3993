"""From the words of one order line to the phrase the rules read, and what is wrong with the line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain, islice, pairwise
from typing import Any

from msgspec import field

from referee.core import Complaint, Complaints, Mutable, Phrase, Word, Words, complaint_of

from .language import LONGEST_LABEL, OF_A_LABEL, OrderLanguage
from .names import Head, is_hexlike, latin
from .tokens import UNKNOWN, Feed, Token, is_word

END_OF_LINE = "$END"  # lark's name for it
MOST_UNKNOWN = 5  # complaints about unknown names in one line

_PLACE = "PLACE"
# What many write where the language has another sign, or a place of its own for it, and the complaint that says so.
_UNFIT = {",": "invalid-comma", **dict.fromkeys(("+", "pay", "pays", "paying"), "invalid-remark")}


class _Line(Mutable):
    """An order line while it is parsed."""

    number: int
    text: str
    head: Head
    first: list[Token] = field(default_factory=list)  # as many words as the order form prints, and one
    words: dict[int, Word] = field(default_factory=dict)  # by place in the line
    blamed: set[int] = field(default_factory=set)  # places of words complained of that are like nothing known
    complaints: list[Complaint] = field(default_factory=list)
    stop: tuple[int, int] | None = None  # where the word begins and ends from which on it cannot be read


def parse_order(text: str, head: Head, number: int, language: OrderLanguage) -> tuple[Phrase | None, Complaints]:
    """Return the phrase of an order line that begins with *head*, None where it cannot be read, and all complaints."""
    phrase, line = _parse(text, head, number, language)
    return phrase, tuple(line.complaints)


def mend(text: str, head: Head, language: OrderLanguage) -> str:
    """Return an order line that cannot be read as it can with a sign more, another one or one less at the place, or the places,
    where it cannot be read on; "" where that is not enough. Tries a line some twenty times.
    """
    _, line = _parse(text, head, 0, language)
    for change in _CHANGES if line.stop else ():
        tried, stop = text, line.stop
        for _ in range(_MOST_CHANGES):
            if stop is None:
                break
            tried = change(tried, *stop)
            phrase, found = _parse(tried, head, 0, language)
            if phrase and not found.complaints:
                return tried
            stop = found.stop if found.stop and found.stop > stop else None
    return ""


def _insert(sign: str) -> Callable[[str, int, int], str]:
    return lambda text, start, _: f"{text[:start].rstrip()}{sign}{text[start:]}".rstrip()


def _replace(sign: str) -> Callable[[str, int, int], str]:
    def change(text: str, start: int, end: int) -> str:
        named = any(map(str.isalnum, text[start:end]))  # a name is no sign
        return text if named else f"{text[:start].rstrip()}{sign}{text[end:].lstrip()}".rstrip()

    return change


# A bracket that was not closed, a sign too many, a dash or semicolon left out or written otherwise, a colon left out.
_CHANGES = (*map(_insert, (") ", "] ")), *map(_replace, (" ", "; ", " - ")), *map(_insert, (" - ", "; ", ": ")))
_MOST_CHANGES = 3


def _parse(text: str, head: Head, number: int, language: OrderLanguage) -> tuple[Phrase | None, _Line]:
    line = _Line(number=number, text=text, head=head)
    spoken = language.tongue.tokens(text, head.end)  # no further than the line can be read
    line.first += islice(spoken, LONGEST_LABEL + 1)
    if is_blank(line.first, head, language):
        line.complaints.append(Complaint("note-empty", number, text))
        return None, line
    tree = _feed(line, spoken, language)
    return _phrase(tree, line) if tree is not None else None, line


def is_blank(tokens: Iterable[Token], head: Head, language: OrderLanguage) -> bool:
    """Return whether nothing was written behind ``1b)``, ``RUN 7:`` or ``HOME`` of the order form."""
    kinds = [token.kind for token in islice(tokens, LONGEST_LABEL + 1)]
    if not kinds:
        verb = language.verb(head.verb)
        return verb is not None and verb.form
    closed = kinds[-1] in ("COLON", "RPAR", "DOT") or kinds == ["NUMBER", "LETTER"]
    return len(kinds) <= LONGEST_LABEL and set(kinds) <= OF_A_LABEL and closed


def _feed(line: _Line, others: Iterable[Token], language: OrderLanguage) -> Any:
    """Feed the parser, the first words and the *others*; each is what the parser can take at its place, if it may be that at
    all. Return the tree, None where there is none.
    """
    parser = language.parser.begin()
    before: Token | None = None
    stood: Feed | None = None

    def lacking(token: Token | None) -> str:
        # Where a name of another kind was taken for a strange one, what is missing is missing before that.
        if stood and before and before.start in line.blamed:
            return _lacking(stood, before, language) if before.kind != UNKNOWN else ""
        return _lacking(parser, token, language)

    verb, end = line.head.verb, line.head.end
    begin = [Token(kinds=((verb, ""),), text=line.text[:end], start=0, end=end)] if verb else []
    for token, after in pairwise(chain(begin, line.first, others, (None,))):
        assert token
        # Trying out what the parser takes now is slow: its table, nearly as strict, does for a word of one kind.
        tables = len(token.kinds) == 1 and token.kind != UNKNOWN
        accepted = parser.choices() if tables else parser.accepts()
        fits = accepted & {f"{mark}{kind}" for kind, _ in token.kinds for mark in ("", "_")}
        if len(fits) > 1:  # RED is a colour, or a player of that name
            accepted = _likely(parser, token, after, fits, language)
        found = _acceptable(token, accepted, language)
        if found is None:
            if before and any(value and (kind, value) in before.kinds for kind, value in token.kinds):
                continue  # a place is only said once more: Dublin AB18
            _complain_from(line, before, token, language, lacking(token))
            return None
        terminal, word = found
        trial = _standing(parser, word, line)
        if not parser.take(terminal, token):
            # The parser's table takes some words for an order of another kind than the one that is read.
            accepted = parser.accepts()
            found = _acceptable(token, accepted, language)
            trial = _standing(parser, found[1], line) if found else None
            if found is None or not parser.take(found[0], token):
                _complain_from(line, before, token, language, lacking(token))
                return None
            word = found[1]
        line.words[token.start], stood = word, trial
        if stood:
            wanted = _likely(stood, token, after, accepted & language.terminals, language)
            _complain_of_name(line, token, wanted, language)
        before = token
    tree = parser.end()
    if tree is None:
        _complain_from(line, before, None, language, lacking(None))
    return tree


def _acceptable(token: Token, accepted: frozenset[str], language: OrderLanguage) -> tuple[str, Word] | None:
    """Return the terminal and the word that *token* can be here; a known name of a wrong kind can be an unknown name."""
    for kind, value in (*token.kinds, *(((UNKNOWN, ""),) if language.tongue.may_be_name(token) else ())):
        for terminal in (kind, f"_{kind}"):
            if terminal in accepted:
                return terminal, Word(kind=kind, value=value, text=token.text, column=token.start + 1)
    return None


def _standing(parser: Feed, word: Word, line: _Line) -> Feed | None:
    """Return the parser as it is before a name nobody knows, to try with it what may be meant; None where nobody will ask."""
    return parser.copy() if word.kind == UNKNOWN and len(line.complaints) < MOST_UNKNOWN else None


def _likely(
    parser: Feed, token: Token, after: Token | None, kinds: frozenset[str], language: OrderLanguage
) -> frozenset[str]:
    """Return those of *kinds* that a word may be because the next one (None: the end) can follow; all where none can."""

    def goes_on(kind: str) -> bool:
        trial = parser.copy()
        if not trial.take(kind, token):
            return False
        accepted = trial.accepts()
        return END_OF_LINE in accepted if not after else _acceptable(after, accepted, language) is not None

    return frozenset(filter(goes_on, kinds)) or kinds


def _lacking(parser: Feed, token: Token | None, language: OrderLanguage) -> str:
    """Return the code of what is missing before *token*, or at the end of the line: that may stand there, and *token* behind it.

    "" where nothing of what the language names (``lacks``) is missing.
    """
    accepted = parser.accepts() if language.lacks else frozenset()
    for kind, code in language.lacks.items():
        for terminal in accepted & {kind, f"_{kind}"}:
            trial = parser.copy()
            trial.take(terminal, Token(kinds=((kind, ""),), text="", start=0, end=0))
            if not token or _acceptable(token, trial.accepts(), language):
                return code
    return ""


def _complain_from(
    line: _Line, before: Token | None, token: Token | None, language: OrderLanguage, lacking: str
) -> None:
    """Complain that the line cannot be read from *token* on (None: that it ends too early), or of what is *lacking* there.

    Where a word nobody knows stands before that, and like nothing anybody knows, the line cannot be read from there on.
    """
    last = line.complaints[-1] if line.complaints else None
    if before and last and before.start in line.blamed:
        line.complaints.pop()
        token = before
    line.stop = (token.start, token.end) if token else (len(line.text.rstrip()),) * 2
    verb = language.rule_of(line.head.verb)
    found = {"found": token.text} if token else {}
    complaint = complaint_of(
        lacking or (_UNFIT.get(token.text.casefold(), "invalid-word") if token else "invalid-unfinished"),
        verb.rule if verb else "",
        line.text,
        line.number,
        verb.shape_of(_number(line.first), bare=not line.head.verb) if verb else "",
        **found,
        verb=verb.name if verb else "",
    )
    line.complaints.append(complaint)


def _number(tokens: list[Token]) -> str:
    """Return the number that an order line begins with, with its letter: ``1b``."""
    if not tokens or tokens[0].kind != "NUMBER":
        return ""
    letter = tokens[1].text.lower() if tokens[1:] and tokens[1].kind == "LETTER" else ""
    return tokens[0].text + letter


def _complain_of_name(line: _Line, token: Token, accepted: frozenset[str], language: OrderLanguage) -> None:
    wanted = accepted - {UNKNOWN, "NUMBER", "LETTER"}
    if language.strange in wanted and not language.tongue.slips.is_slip(token.text):
        wanted = frozenset({language.strange})
    code, hint, params = _fault_of_name(token.text, wanted, language)
    if not hint:
        line.blamed.add(token.start)
    paragraph, kinds = "", wanted & language.tongue.names.kinds
    if kinds and kinds <= language.listed:
        verb = language.rule_of(line.head.verb)
        paragraph = verb.rule if verb else ""
        near = hint if token.kind == UNKNOWN else ""  # a name of something else is no slip
        hint = near or ", ".join(language.tongue.names.of_kinds(kinds))
    line.complaints.append(complaint_of(code, paragraph, token.text, line.number, hint, **params))


def _fault_of_name(text: str, wanted: frozenset[str], language: OrderLanguage) -> tuple[str, str, Words]:
    """Return (code, hint, params) for a name nobody knows where one of the kinds *wanted* should stand."""
    meant = language.tongue.names.exactly(latin(text)) if latin(text) != text else ()
    if meant:  # it looks like a known name on the screen
        foreign = "".join(dict.fromkeys(char for char in text if latin(char) != char))
        return "invalid-letters", meant[0].name, {"letters": foreign}
    kinds = frozenset(kind for kind in wanted if not kind.startswith("_"))
    hint = language.tongue.slips.hint(latin(text), kinds)
    if _PLACE in kinds:
        return "invalid-hex" if is_hexlike(text) else "invalid-place", hint, {}
    named = sorted(kinds & language.tongue.names.kinds or kinds)
    near = (kind for kind in named if len(named) > 1 and language.tongue.slips.hint(latin(text), frozenset({kind})))
    return f"invalid-{next(near, max(named, default='name')).lower()}", hint, {}


def _phrase(tree: Any, line: _Line) -> Phrase:
    """Return a tree of the parser as a phrase: rule names and words as they are, a place said twice as one."""
    parts: list[Phrase | Word] = []
    for child in tree.children:
        if is_word(child):
            parts.append(line.words[child.start_pos or 0])
        elif child.data == "twice":
            parts.append(_repetition(child, line))
        else:
            parts.append(_phrase(child, line))
    text = line.text if tree.meta.empty else line.text[tree.meta.start_pos : tree.meta.end_pos]
    return Phrase(rule=str(tree.data), parts=tuple(parts), line=line.number, text=text)


def _repetition(tree: Any, line: _Line) -> Word:
    first, second = (line.words[leaf.start_pos or 0] for leaf in tree.children if is_word(leaf))
    # A station's number in the bracket says nothing against the name: which hexes carry it the game knows.
    if second.kind == first.kind and second.value != first.value:
        text = f"{first.text} ({second.text})"
        found = complaint_of("invalid-two-places", "", text, line.number, first=first.text, second=second.text)
        line.complaints.append(found)
    return first
