"""Names as people type them: what counts as the same, the longest known name at a place in a line, what was nearly it."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from referee.core import Fields, Pair, Term, Terms, Texts, Value, View, fold, fold_letter, spellings
from referee.core.texts.boardfields import LONGEST

NEAR = 0.7  # difflib's ratio from which a word counts as a slip for a name
WORTH_A_HINT = 0.6  # from which a name is suggested for a word that is known to be one
HINTS = 3  # names suggested for one slip
LOOK_UPS = 200  # slips for names looked up for one letter; a letter with more gets its complaints without suggestions
VERB_LOOK_UPS = 500  # the same for slips in the first word of a line

_BREAKS = frozenset("()[]{};:,<>=+*|_")  # never inside a name
_HEXLIKE = re.compile(r"([^\W\d_]{1,3})0*(\d{1,4})")
# Letters of other scripts that look like Latin ones on the screen: Cyrillic, then Greek.
_LATIN = str.maketrans(
    "АВЕКМНОРСТУХІЈЅаеорсухіјѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧο",
    "ABEKMHOPCTYXIJSaeopcyxijsABEZHIKMNOPTYXo",
)


def is_hexlike(text: str) -> bool:
    """Return whether this is one to three letters of any script and a number."""
    return _HEXLIKE.fullmatch(text) is not None


def latin(text: str) -> str:
    """Return *text* with Cyrillic and Greek letters that look like Latin ones turned into these, and digits of any script into
    ours.
    """
    told = text.translate(_LATIN)
    return (
        told
        if told.isascii()
        else "".join(str(unicodedata.decimal(letter)) if letter.isdecimal() else letter for letter in told)
    )


class Lexicon:
    """All names that may stand in a letter. Where several terms share a name they are candidates in the order given."""

    def __init__(self, terms: Iterable[Term]) -> None:
        self._terms: dict[str, Terms] = {}
        for term in terms:
            for name in spellings(term.name):
                # A name of digits alone would hide the numbers of rolls and races.
                if name and not name.isdigit() and term not in self._terms.get(name, ()):
                    self._terms[name] = (*self._terms.get(name, ()), term)
        self.kinds = frozenset(term.kind for terms in self._terms.values() for term in terms)
        # A name that is longer than any of a board or of own words is found nowhere.
        self._prefixes = frozenset(name[:end] for name in self._terms for end in range(1, min(len(name), LONGEST) + 1))
        firsts = [(name, terms[0]) for name, terms in self._terms.items()]
        self._firsts = {like: [each for each in firsts if is_hexlike(each[0]) is like] for like in (False, True)}

    def terms(self) -> Terms:
        """Return all terms in the order in which they were given."""
        return tuple(dict.fromkeys(term for named in self._terms.values() for term in named))

    def exactly(self, text: str) -> Terms:
        """Return the terms with this name; zeros in front of a hex's number do not count."""
        folded = fold(text)
        match = _HEXLIKE.fullmatch(folded)
        return self._terms.get(folded) or (self._terms.get(match[1] + match[2], ()) if match else ())

    def longest(self, text: str, start: int) -> tuple[int, Terms]:
        """Return (end, terms) of the longest name that begins at *start* and ends with a word; (start, ()) for none.

        Spaces, dashes and apostrophes inside a name do not count; next to a digit they do, but for ``Y 17``.
        """
        folded = gap = ""
        best: tuple[int, Terms] = (start, ())
        for at in range(start, len(text)):
            letters = fold_letter(text[at])
            if not letters:
                if text[at] in _BREAKS or not folded:
                    break
                gap += text[at]
                continue
            if gap and not _joins(folded, gap, letters):
                break
            folded, gap = folded + letters, ""
            if folded not in self._prefixes:
                break
            if folded in self._terms and not (at + 1 < len(text) and fold_letter(text[at + 1])):
                best = (at + 1, self._terms[folded])
        return best

    def of_kinds(self, kinds: frozenset[str]) -> Texts:
        """Return one name of each thing of these kinds, the first that it was given."""
        terms = (term for named in self._terms.values() for term in named if term.kind in kinds)
        told: dict[Pair, str] = {}
        for term in terms:
            told.setdefault((term.kind, term.value), term.name)
        return tuple(told.values())

    def nearest(self, text: str, kinds: frozenset[str] = frozenset(), cutoff: float = NEAR) -> Texts:
        """Return the names, of terms of these *kinds*, that *text* may have been meant for, best first; all kinds if empty.

        Of a thing with several names the likeliest one.
        """
        folded = fold(text)
        pool = {name: term for name, term in self._firsts[is_hexlike(folded)] if not kinds or term.kind in kinds}
        if match := _HEXLIKE.fullmatch(folded):
            same = {name: shown for name, shown in pool.items() if name.rstrip("0123456789") == match[1]}
            pool = same or pool
        close = [pool[name] for name in difflib.get_close_matches(folded, pool, n=len(pool) or 1, cutoff=cutoff)]
        return tuple({(term.kind, term.value): term.name for term in reversed(close)}.values())[::-1][:HINTS]


lexicon_of = lru_cache(maxsize=16)(Lexicon)  # a game's names are asked for letter by letter


def shared_names(terms: Iterable[Term]) -> tuple[Terms, ...]:
    """Return the terms that share a name with one of the same kind, for each name the one that it is taken for first."""
    named: dict[Pair, dict[str, Term]] = {}
    for term in terms:
        named.setdefault((term.kind, fold(term.name)), {}).setdefault(term.value, term)
    return tuple(tuple(each.values()) for each in named.values() if len(each) > 1)


# How many slips may still be looked up for one letter, in whatever of its texts, beside whatever names: each takes one.
LookUps = Iterator[int]


class Slips:
    """Suggestions for one letter: each slip is looked up once, as long as there are look-ups."""

    def __init__(self, lexicon: Lexicon, look_ups: LookUps | None = None) -> None:
        self._lexicon = lexicon
        self._look_ups = look_ups or iter(range(LOOK_UPS))
        self._known: dict[tuple[str, frozenset[str], float], Texts] = {}

    def is_slip(self, text: str) -> bool:
        """Return whether *text* is much like a known name."""
        return bool(self._look_up(text, frozenset(), NEAR))

    def hint(self, text: str, kinds: frozenset[str]) -> str:
        """Return the names, of terms of these *kinds*, that may have been meant, with commas between them."""
        return ", ".join(self._look_up(text, kinds, WORTH_A_HINT))

    def nearest(self, text: str) -> str:
        """Return the name that was meant, of whatever kind, "" for none."""
        return next(iter(self._look_up(text, frozenset(), NEAR)), "")

    def _look_up(self, text: str, kinds: frozenset[str], cutoff: float) -> Texts:
        key = (fold(text[:80]), kinds, cutoff)
        if key not in self._known:
            self._known[key] = (
                self._lexicon.nearest(text[:80], kinds, cutoff) if next(self._look_ups, None) is not None else ()
            )
        return self._known[key]


def _joins(before: str, gap: str, after: str) -> bool:
    """Return whether the two ends may belong to one name: ``Nischny - Nowgorod``, ``Y 17``; never ``Q1 - 2``, ``X17-44``."""
    if before[-1].isdigit() or after[0].isdigit():
        return gap.isspace() and not before[-1].isdigit()
    return True


# The verbs of an order language and what hands write for them, from their tables in files of words; what is read of their
# lines.


class Verb(Value):
    """A word that begins an order, a text or a command, and what a player is told about it.

    ``shapes``: how its line is written, with the verb and without it, "" where it has none; ``{number}`` in them is the
    player's own. ``form``: the order form prints it alone. ``heading``: it orders nothing itself. ``along``: its line goes
    from place to place. ``foreign``: those of its names that are not English. ``final``: it cannot be taken back, so it counts
    only if its letter says nothing else, or nothing but "orders".
    """

    name: str
    kind: str
    aliases: Texts
    takes: str
    example: str
    help: str
    rule: str
    shapes: Pair = ("", "")
    form: bool = False
    heading: bool = False
    along: bool = False
    foreign: frozenset[str] = frozenset()
    final: str = ""

    def shape_of(self, number: str, *, bare: bool) -> str:
        """Return how a line of this verb is written, with the number its writer gave it; the example where it has no shape."""
        shape = self.shapes[bare]
        return shape.format(number=number or "…") if shape else self.example


Expression = re.Pattern[str]


class Hand(Value):
    """What is also written where an order should begin, and ``told``, what is read instead; ``for_each``: one order for each
    number that it names. ``alone`` is read behind it where nothing follows. ``exact``: only where nothing is wrong with what
    comes of it, for prose begins so, too. Where ``told`` is "" the rest of the line is read as if it stood alone.
    """

    line: Expression
    told: str
    alone: str
    for_each: bool
    exact: bool


class Head(Value, kw_only=False):
    """How an order line begins: with *verb* ("" where it has none) up to ``end``; ``text`` is the line less its bullet."""

    verb: str
    end: int
    text: str


class Begun(Value):
    """What an ORDERS line says: the game's id in capitals ("" if none), the turn (0 if none), and what stands behind them.

    ``trial``: it is a WHATIF line, its orders are only asked about.
    """

    game: str
    turn: int
    rest: str = ""
    trial: bool = False


class TextHead(Value):
    """How a text begins: ``to`` are the readers it names, as they are written; ``rest`` stands behind its colon."""

    verb: Verb
    to: Texts = ()
    rest: str = ""


class Valued(Value):
    """A word for the referee behind a verb that takes one, ``SALT pepper``; ``value`` is "" for a wrong one."""

    verb: Verb
    value: str


def verb_of(name: str, entry: Fields) -> Verb:
    """Return a verb as its table in a file of words has it."""
    told: View = {key: entry[key] for key in ("kind", "takes", "example", "help", "rule")}
    told |= {key: bool(entry.get(key, False)) for key in ("form", "heading", "along")}
    told["final"] = entry.get("final", "")
    shapes = (entry.get("shape", ""), entry.get("shape_bare", ""))
    for shape in shapes:
        shape.format(number="")
    foreign = frozenset(names_of(entry)) - {*entry.get("aliases", ())}
    return Verb(name=name, aliases=(name, *names_of(entry)), shapes=shapes, foreign=foreign, **told)


def names_of(entry: Fields) -> Texts:
    """Return the other names of a verb in its table: those of English and those of each language, all always read."""
    names = (*entry.get("aliases", ()), *(name for words in entry.get("in", {}).values() for name in words))
    return tuple(dict.fromkeys(names))


def hand_of(line: Expression, entry: Fields) -> Hand:
    """Return a hand as its table has it, its line already an expression."""
    alone, for_each, exact = entry.get("alone", ""), "(?P<each>" in entry["line"], bool(entry.get("exact", False))
    return Hand(line=line, told=entry["told"], alone=alone, for_each=for_each, exact=exact)


def courteous_names(commands: tuple[Verb, ...], courtesies: Mapping[str, list[str]]) -> dict[str, Verb]:
    """Return the commands by all their names as polite people write them."""
    # Folded apart, as that goes by letters: there are thousands of them together.
    before, after = ([fold(words) for words in ("", *courtesies[key])] for key in ("before", "after"))
    names = [(fold(alias), verb) for verb in commands for alias in verb.aliases]
    return {first + name + last: verb for name, verb in names for first in before for last in after}
