"""What a player said, on its way from words to orders, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Any, Generic, TypeVar

from .values import Value

Param = str | int

Kind = TypeVar("Kind")

ASKED = "asked-"  # before the code of what a letter's writer is asked: a line may be an order, or may not be meant
TWICE = "invalid-twice"  # a game's complaint of a line that decides what another one has decided


class Complaint(Value, kw_only=False):
    """What is wrong with an order: a code with parameters; the sentence stands in the catalogue.

    ``code`` begins with ``invalid-`` (not understood), ``illegal-`` (understood, not allowed now), ``asked-`` (not read, and
    perhaps meant), ``warning-`` (may go wrong later) or ``note-`` (worth knowing). ``line`` is the letter's line, from 1; below
    0 one on file that stays, 0 where no line is to blame. ``text`` is what was read, ``paragraph`` the rule (``D2.4``), ``hint``
    what would be right, in the order language.
    """

    code: str
    line: int = 0
    text: str = ""
    paragraph: str = ""
    hint: str = ""
    params: tuple[tuple[str, Param], ...] = ()

    @property
    def is_error(self) -> bool:
        """True for ``invalid-``, ``illegal-`` and ``asked-``: a set of orders with one of these is not clean."""
        return self.code.startswith(("invalid-", "illegal-", ASKED))

    @property
    def is_asked(self) -> bool:
        """True where its writer must say what was meant."""
        return self.code.startswith(ASKED)


Complaints = tuple[Complaint, ...]


def by_line(complaints: Iterable[Complaint]) -> Complaints:
    """Return complaints in the order of their lines, each once."""
    return tuple(sorted(dict.fromkeys(complaints), key=attrgetter("line")))


ALTERNATIVE = (
    "warning-alternative-"  # before the code of what is wrong with one alternative of an order that has a better one
)
INSTEAD = "instead"


def of_alternative(complaint: Complaint, instead: str = "") -> Complaint:
    """Return the complaint of an alternative beside one that can be made: a warning, the order stands without it.

    *instead*: the alternative behind it that counts now, in the order language; it becomes a parameter of that name.
    """
    if not complaint.is_error:
        return complaint
    params = (*complaint.params, (INSTEAD, instead)) if instead else complaint.params
    return complaint.but(code=ALTERNATIVE + complaint.code, params=params)


def complaint_of(
    code: str, paragraph: str = "", text: str = "", line: int = 0, hint: str = "", **params: Param
) -> Complaint:
    """Return a complaint; what its sentence names besides the text is given by name."""
    named = tuple(params.items())
    return Complaint(code=code, paragraph=paragraph, text=text, line=line, hint=hint, params=named)


class Term(Value, kw_only=False):
    """A name the game knows: ``kind`` is a terminal of the grammar (``PLACE``), ``value`` what it means (``AC19``)."""

    kind: str
    name: str
    value: str


Terms = tuple[Term, ...]


def terms_of(kind: str, seats: Iterable[Any], *names: str) -> list[Term]:
    """Return what seats are called, by those fields; of two that share a word the first is meant: a code goes before a name."""
    return [Term(kind, name=word, value=seat.code) for name in names for seat in seats if (word := getattr(seat, name))]


class Word(Value):
    """One token as read. ``kind`` is its terminal; ``UNKNOWN`` where no name fits (``value`` is then empty)."""

    kind: str
    value: str
    text: str
    column: int


class Phrase(Value):
    """A parsed piece of an order line: the grammar's rule name and its parts, in order of writing."""

    rule: str
    parts: tuple[Phrase | Word, ...]
    line: int = 0
    text: str = ""

    @property
    def words(self) -> tuple[Word, ...]:
        """The words that stand in the phrase itself."""
        return of_kind(Word, self.parts)

    def phrases(self, *rules: str) -> Phrases:
        """Return the phrases of these rules that stand in it, in order of writing."""
        return tuple(part for part in of_kind(Phrase, self.parts) if part.rule in rules)


Phrases = tuple[Phrase, ...]


class LetterReader(Generic[Kind]):
    """One letter being understood: the ``orders`` so far; complaints carry the line of the ``phrase`` that is read."""

    def __init__(self) -> None:
        self.orders: list[Kind] = []
        self.complaints: list[Complaint] = []
        self.phrase = Phrase(rule="", parts=())

    def complain(
        self, code: str, paragraph: str = "", text: str | None = None, hint: str = "", line: int = 0, **params: Param
    ) -> None:
        """Complain of the phrase that is read, or of other words or another line."""
        told = self.phrase.text if text is None else text
        self.blame(complaint_of(code, paragraph, told, line, hint, **params))

    def blame(self, complaint: Complaint) -> None:
        """Note a complaint."""
        self.complaints.append(complaint.but(line=complaint.line or self.phrase.line))


class Understood(Value):
    """What a game makes of a player's phrases: its own order values, in order of writing, and what was wrong.

    A line that is only partly wrong gives an order for its good part *and* a complaint.
    """

    orders: tuple[Any, ...]
    complaints: Complaints


def of_kind(kind: type[Kind], orders: Iterable[object]) -> tuple[Kind, ...]:
    """Return those orders, or events, that are of a kind, in their order."""
    return tuple(order for order in orders if isinstance(order, kind))
