"""A line as words, guided by the names the game knows: the longest known name wins, then hexes, numbers, the language's words."""

from __future__ import annotations

import marshal
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from referee.core import Pair, Terms, Value, View, Words, fold

from .names import Lexicon, Slips, is_hexlike

if TYPE_CHECKING:
    from lark import Lark


END = "END"
UNKNOWN = "UNKNOWN"
PROSE = "PROSE"
MANY_WORDS = 3  # unknown words in a row that are no name
LONG_WORD = 80  # characters: no name, and no number, is longer

_MARKS = {
    "(": "LPAR", ")": "RPAR", "[": "LSQB", "]": "RSQB", ";": "SEMICOLON", ":": "COLON", ",": "COMMA", "/": "SLASH",
    ".": "DOT", "+": "PLUS",
}  # fmt: skip
MARKS = frozenset({*_MARKS.values(), "DASH"})
_DASHES = r"[-–—−‐‑‒―⁃⸺⸻~∼〜]"
ARROWS = "→⇒➔➙➛➜➝➞➟➠➡➢➣➤➥➦➧➨➩➪➫➬➭➮➯➱➲➳➵➸➺➻➼➽➾⇉⇏⇛⇝⇢⇥⇨⇰⇾⟶⟹⟼⟾⤏⤑⤳⭆⭢⮕⮞🠆🠊🠖🠚🡆🡒🡢🡪"
_DASH_IN_A_NAME = re.compile(rf"{_DASHES}(?=[^\W\d_])")
_SPACE_IN_A_NAME = re.compile(r"\s+(?=[^\W\d_])")
# Dots between two places stand for a dash, too, and so does what the arrow of a font of Outlook's arrives as: Dublin à Cork.
_DASH = re.compile(rf"{_DASHES}+>*|=+>+|>+|[{ARROWS}]|\.{{2,}}|(?<=\s)(?:[·•‧∙⋅・]|[àèðÀÈÐ])(?=\s)")
_NUMBER = re.compile(r"\d{1,4}(?![^\W_])")
_LETTERED = re.compile(r"(\d{1,3})(?:([A-Za-z])(?![^\W_])|\s([A-Za-z])(?=\s*[):.]))")  # 1a) or 1 a)
_HEX = re.compile(r"[^\W\d_]{1,3}\d{1,4}(?![^\W_])")
_WORD = re.compile(rf"(?:(?!{_DASHES})[^\s()\[\];:,/<>=+{ARROWS}])+")
# What players note for themselves, as reports print it: [+6], [-1 GSW], [-2 T], (+6), [pay GSW 1], (pay 1 to GSW).
_PAYMENT = r"[\[(]\s?(?:pays?|paid|zahle|zahlt|paie|betaal)\s[^\]\[)(;]{1,40}[\])]"
_PAYMENTS = re.compile(_PAYMENT, re.IGNORECASE)
_MONEY = re.compile(
    rf"\[\s*(?:\+|±|{_DASHES})\s*\d[^\]\[]*\]|\(\s*(?:\+|±|{_DASHES})\s*\d[^)(]*\)"
    r"|\[\s?(?:[^\W\d_]{1,12}\s{1,2}){1,3}\d{1,3}\s?\]"
    rf"|{_PAYMENT}",
    re.IGNORECASE,
)
_TAIL = " \t_.!,…"


def is_arrow(dash: str) -> bool:
    """Return whether a dash points somewhere: ``->``."""
    return dash[-1] in ARROWS or (dash[-1] == ">" != dash[0])


def payment_in(line: str) -> str:
    """Return the first payment that a line notes in brackets, ``[pay GSW 1]``; "" if there is none."""
    found = _PAYMENTS.search(line)
    return found[0] if found else ""


class Token(Value):
    """One word. ``kinds`` are what it may be, as (kind, value), likeliest first; ``start`` and ``end`` are places in the line."""

    kinds: tuple[Pair, ...]
    text: str
    start: int
    end: int

    @property
    def kind(self) -> str:
        """What it is most likely."""
        return self.kinds[0][0]


class Tongue(Value, kw_only=False):
    """What a line may be made of: the game's names, the order language's own words, and what a slip may have meant where a name
    (``slips``) or a verb should stand.
    """

    names: Lexicon
    words: Lexicon
    slips: Slips
    verbs: Slips
    numbers: Words  # words for numbers, folded

    def may_be_name(self, token: Token) -> bool:
        """Return whether a word can be a name nobody knows: no mark is one, and no word of the order language."""
        return bool({kind for kind, _ in token.kinds} - MARKS - self.words.kinds)

    def tokens(self, line: str, start: int = 0) -> Iterator[Token]:
        """Yield the words of *line* from *start* on; money noted in brackets and a full stop at the end are read over."""
        text = _MONEY.sub(lambda match: " " * len(match[0]), line).rstrip(_TAIL)
        if text[-2:].strip() == "J" and text[:-1].strip() and not self.names.exactly("J"):
            text = text[:-1].rstrip(_TAIL)  # what a smile of Outlook's arrives as
        at = start
        while at < len(text):
            if text[at].isspace():
                at += 1
                continue
            for token in self._at(text, at):
                yield token
                at = token.end

    def kind_at_opening(self, token: Token) -> str:
        """Return a token's kind where an order may begin: an unknown word is told apart by what it is like."""
        if token.kind != UNKNOWN:
            return token.kind
        if is_hexlike(token.text):
            return "HEXLIKE"
        if self.slips.is_slip(token.text):
            return "NEARLY"
        return UNKNOWN if len(token.text.split()) < MANY_WORDS else PROSE

    def _at(self, text: str, at: int) -> tuple[Token, ...]:
        if (match := _DASH.match(text, at)) and not (match[0].isalpha() and self._longest_known(text, at)):
            return (_token(text, at, match.end(), "DASH"),)
        if text[at] in _MARKS:
            return (_token(text, at, at + 1, _MARKS[text[at]]),)
        if match := _LETTERED.match(text, at):
            letter = match.end(2) if match[2] else match.end(3)
            return (
                _token(text, at, match.end(1), "NUMBER", str(int(match[1]))),
                _token(text, letter - 1, letter, "LETTER", text[letter - 1].lower()),
            )
        if match := _NUMBER.match(text, at):
            return (_token(text, at, match.end(), "NUMBER", str(int(match[0]))),)
        return (self._spelt_number(text, at) or self._longest_known(text, at) or self._unknown(text, at),)

    def _spelt_number(self, text: str, at: int) -> Token | None:
        """A number as a word, unless a longer name begins with it."""
        match = _WORD.match(text, at, at + LONG_WORD)  # a.a.a.a is one word, in which names begin again and again
        number = self.numbers.get(fold(match[0].rstrip(_TAIL))) if match else None
        if not match or number is None or self.names.longest(text, at)[0] > at:
            return None
        return _token(text, at, at + len(match[0].rstrip(_TAIL)), "NUMBER", number)

    def _longest_known(self, text: str, at: int) -> Token | None:
        """A name or a word of the language; the longer one, both as candidates where they are equally long."""
        end, terms = self.names.longest(text, at)
        word_end, words = self.words.longest(text, at)
        if word_end >= end:
            end, terms = word_end, (*terms, *words) if word_end == end else words
        if not terms and (match := _HEX.match(text, at)):
            end, terms = match.end(), self.names.exactly(match[0])
        return Token(kinds=_candidates(terms), text=text[at:end], start=at, end=end) if terms else None

    def _unknown(self, text: str, at: int) -> Token:
        """A run of words nobody knows, as one; a hex nobody knows stands alone."""
        if match := _HEX.match(text, at):
            return _token(text, at, match.end(), UNKNOWN)
        end = self._run_end(text, at)
        # A dash without spaces is a hyphen if the whole looks like a name: Nischni-Nowgrod.
        while (match := _DASH_IN_A_NAME.match(text, end)) and not self._longest_known(text, match.end()):
            further = self._run_end(text, match.end())
            if not self.slips.is_slip(text[at:further]):
                break
            end = further
        return _token(text, at, end, UNKNOWN)

    def _run_end(self, text: str, at: int) -> int:
        match = _WORD.match(text, at)
        end = match.end() if match else at + 1
        while (space := _SPACE_IN_A_NAME.match(text, end)) and end - at < LONG_WORD:
            if self._longest_known(text, space.end()) or _HEX.match(text, space.end()):
                break
            following = _WORD.match(text, space.end())
            end = following.end() if following else space.end()
        return end


def _token(text: str, start: int, end: int, kind: str, value: str = "") -> Token:
    return Token(kinds=((kind, value),), text=text[start:end], start=start, end=end)


def _candidates(terms: Terms) -> tuple[Pair, ...]:
    """One candidate for each kind: the first term of it."""
    kinds: dict[str, str] = {}
    for term in terms:
        kinds.setdefault(term.kind, term.value)
    return tuple(kinds.items())


def last_word(line: str, words: Lexicon) -> frozenset[str]:
    """Return the kinds of the order language's word that the line ends with (OR, WITH); none for any other word."""
    last = line.rsplit(maxsplit=1)[-1:]
    terms = words.exactly(last[0]) if last and fold(last[0]) else ()
    return frozenset(term.kind for term in terms)


# The grammar of an order as a parser, whose tables lark makes; they are kept where there is a place for that.
#
# lark itself is imported where a line is parsed or tables are made: most of what imports this never does.


class WorkCache(Protocol):
    """A place where work is kept that need not be done twice; what it gives is whole and of this version."""

    def read(self, key: str) -> bytes | None:
        """Return what was kept under a key, None if nothing was."""

    def write(self, key: str, content: bytes) -> None:
        """Keep something."""


class WrongGrammar(ValueError):
    """A grammar that is none."""


_OPTIONS: View = {"parser": "lalr", "start": "order", "propagate_positions": True}


def tables_of(grammar: str, kept: WorkCache | None = None, lark: str = "") -> bytes:
    """Return the tables of a grammar's parser, which may be kept: making them takes fifty times as long as reading them.
    *lark*: which lark makes them.

    Raises:
        WrongGrammar: it cannot be read.
    """
    key = f"grammar {lark} {sorted(_OPTIONS.items())} {grammar}"
    found = kept.read(key) if kept else None
    if found is not None:
        return found
    from lark import Lark
    from lark.exceptions import LarkError
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    try:
        data, memo = Lark(grammar, lexer=_no_lexer(), **_OPTIONS).memo_serialize([TerminalDef, Rule])
    except LarkError as error:
        raise WrongGrammar(f"{type(error).__name__}: {error}") from error
    for table, name in _places_of_lexer(data):
        table[name] = ""  # a class is no table
    made = marshal.dumps((data, memo))
    if kept:
        kept.write(key, made)
    return made


class Parser:
    """The parser of orders; each line is fed to it word by word."""

    def __init__(self, tables: bytes) -> None:
        from lark import Lark

        data, memo = marshal.loads(tables)  # noqa: S302 (our own: see Kept)
        for table, name in _places_of_lexer(data):
            table[name] = _no_lexer()
        self._parser: Lark = Lark.load({"data": data, "memo": memo})

    def begin(self) -> Feed:
        """Return what the words of a line are fed to."""
        return Feed(self._parser.parse_interactive())


class Feed:
    """A line while it is parsed."""

    def __init__(self, state: Any) -> None:
        self._state = state  # lark gives its methods no types

    def copy(self) -> Feed:
        """Return another that has taken the same words."""
        return Feed(self._state.copy())

    def accepts(self) -> frozenset[str]:
        """Return the terminals that can stand next, ``$END`` among them where the line may end."""
        return frozenset(self._state.accepts())

    def choices(self) -> frozenset[str]:
        """Return those that the parser's table has an entry for: quicker, and nearly as strict."""
        return frozenset(self._state.choices())

    def take(self, terminal: str, token: Token) -> bool:
        """Feed a word; return whether it was taken."""
        leaf, unexpected = _classes()
        try:
            self._state.feed_token(leaf(terminal, token.text, start_pos=token.start, end_pos=token.end))
        except unexpected:
            return False
        return True

    def end(self) -> Any:
        """Return the tree of the line, None where it ends too early: rules with their name in ``data`` and their ``children``."""
        try:
            return self._state.feed_eof()
        except _classes()[1]:
            return None


def is_word(child: Any) -> bool:
    """Return whether what stands in a rule is no rule but a word, with its place in the line in ``start_pos``."""
    return isinstance(child, str)


@cache
def _classes() -> tuple[Any, Any]:
    from lark import Token
    from lark.exceptions import UnexpectedInput

    return Token, UnexpectedInput


@cache
def _no_lexer() -> type:
    """Return what tells lark that there is nothing to build, for the parser is fed word by word."""
    from lark.lexer import Lexer

    class NoLexer(Lexer):
        def __init__(self, lexer_conf: Any) -> None:
            pass

        def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Any]:
            return iter(())

    return NoLexer


def _places_of_lexer(data: View) -> tuple[tuple[View, str], ...]:
    return (data["options"], "lexer"), (data["parser"]["lexer_conf"], "lexer_type")
