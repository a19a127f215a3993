"""What becomes of a letter, as one value: the stations judge, ``service/receive.py`` alone writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import field
from msgspec.structs import replace

from referee.core.errors import LetterTooCostly
from referee.core.values import Value
from referee.mail.letter.bounces import Failure
from referee.mail.letter.message import Letter, unread
from referee.reader.understanding import Understanding
from referee.service.club.positions import Position
from referee.service.letters.identify import Found, Proof
from referee.service.letters.interpretation import Filing
from referee.service.post.collect import is_too_large
from referee.service.post.writing import Occasion
from referee.store.database.rows import (
    AbsenceRow,
    CodeRow,
    HeldRow,
    LaterRow,
    LetterRow,
    LogRow,
    MoveRow,
    ObserverRow,
    OrderSet,
    OutboxRow,
    PlayerRow,
    PressRow,
    StandbyRow,
    WaitRow,
)
from referee.store.letters import Fate
from referee.store.opengames import SignupRow


class Release(Value):
    """A held letter counts from now on: its player has said that it is his."""

    letter: int
    game: str
    player: str


class Reached(Value):
    """A letter came from an address: what came back from there counts no longer."""

    address: str


class Bounced(Value):
    """A mail server says that a letter of ours did not arrive."""

    ours: OutboxRow
    failure: Failure
    at: datetime


class Remembered(Value):
    """A fact of the club has another value."""

    name: str
    value: str


class Spoken(Value):
    """Whoever reads at an address wants his letters in a language."""

    address: str
    language: str


class AddressKept(Value):
    """The new address that a player asked for is wanted no more."""

    game: str
    player: str


class AddressAgreed(Value):
    """One side of an address change (``codes.BEFORE``, ``AFTER``) has confirmed it."""

    number: int
    side: str


class AddressChanged(Value):
    """Both sides have confirmed an address change: it is made, and both are told, the new address *there*, the old one *here*."""

    number: int
    position: Position
    player: PlayerRow
    after: str
    there: Occasion
    here: Occasion


class WatchEnded(Value):
    """An observer is sent no more newsletters."""

    observer: int


class WaitEnded(Value):
    """A player wants a turn to wait for its deadline no longer."""

    game: str
    turn: int
    player: str


class AbsencesEnded(Value):
    """A player is there again."""

    game: str
    player: str


class Resigned(Value):
    """A player leaves his seat; all others are told."""

    position: Position
    player: PlayerRow


class Voted(Value):
    """A player has a word (``kind`` of an act) about how the game is to end, and whom as its winner."""

    position: Position
    player: PlayerRow
    kind: str
    how: str = ""
    winner: str = ""


class StandbyEnded(Value):
    """Who reads at an address would take no seat any more."""

    address: str


class SignupChanged(Value):
    """Somebody who has signed up for an open game says something else now, has a seat, or wants none."""

    signup: SignupRow


class Failed(Value):
    """Handling the letter failed by its fault; ``trace`` is kept."""

    trace: str


# A row is written as a new one of its table.
Row = (
    OutboxRow
    | LogRow
    | PressRow
    | HeldRow
    | ObserverRow
    | MoveRow
    | WaitRow
    | AbsenceRow
    | StandbyRow
    | LaterRow
    | SignupRow
    | CodeRow
)
AddressEffect = AddressKept | AddressAgreed | AddressChanged
SeatEffect = WaitEnded | AbsencesEnded | Resigned | Voted | StandbyEnded | SignupChanged
Effect = Row | Release | Reached | Bounced | Remembered | Spoken | AddressEffect | WatchEnded | SeatEffect | Failed


def last_value(effects: Sequence[Effect], name: str) -> str:
    """Return the value that effects give last to the fact of that *name*, "" for none."""
    return next((each.value for each in reversed(effects) if isinstance(each, Remembered) and each.name == name), "")


class Note(Value):
    """A letter to the umpire, written once for each ``key`` (``tell_umpire``)."""

    key: str
    kind: str
    values: Mapping[str, Any] = field(default_factory=dict)
    game: str | None = None
    turn: int | None = None
    reply_to: str = ""


class Deed(Value):
    """What one command of a letter does: ``answers`` are values for ``answers.txt.j2``, of which its writer is told."""

    answers: tuple[object, ...] = ()
    effects: tuple[Effect, ...] = ()
    notes: tuple[Note, ...] = ()

    def __add__(self, other: Deed) -> Deed:
        return Deed(
            answers=self.answers + other.answers, effects=self.effects + other.effects, notes=self.notes + other.notes
        )


class Verdict(Value):
    """What becomes of a letter. ``reason``: as the umpire reads it, where it says more than the fate; ``filing``: what it does to
    the orders on file; ``effects``: all else that it does, in this order; ``answer``: what its player is told; ``notes``: what
    the umpire is.
    """

    fate: Fate
    reason: str = ""
    game: str | None = None
    player: str | None = None
    filing: Filing | None = None
    effects: tuple[Effect, ...] = ()
    answer: OutboxRow | None = None
    notes: tuple[Note, ...] = ()


# A letter on its way past the stations (``service/stations.py``), with what they have found out about it.


class Case(Value):
    """``row``: the letter as it came; ``arrived``: when our server had it. ``spent``: what the reader had used before.

    ``sender``: whom its header names; ``sure``: that proves it is his. ``opened``: as it is read, ``came``: the same before
    what it quotes of ours was marked; None before it is opened. ``ignored``: why it is no player's. ``vouched``: a mail
    server says that it is its sender's. ``whose``, ``proved``: whose it is, None before that is asked; ``named``: the
    umpire has said to which game. ``why``: why it cannot be taken. ``read``: what it says. ``sets``: the orders of its turn
    that were on file then. ``costly``: why its header alone was read, "" if all was. ``incomplete``: why a part of it is
    not there to be read, None if all is. ``effects``: what it brings about whatever becomes of it.
    """

    row: LetterRow
    arrived: datetime
    spent: float = 0
    sender: str = ""
    sure: bool = False
    opened: Letter | None = None
    came: Letter | None = None
    ignored: Fate | None = None
    vouched: bool = False
    whose: Found | None = None
    proved: Proof | None = None
    why: Fate | None = None
    read: Understanding | None = None
    named: bool = False
    sets: tuple[OrderSet, ...] = ()
    costly: str = ""
    incomplete: Fate | None = None
    effects: tuple[Effect, ...] = ()

    @property
    def letter(self) -> Letter:
        """The letter; it must have been opened."""
        assert self.opened is not None
        return self.opened

    @property
    def found(self) -> Found:
        """The game and player that it is from, as far as we know; it must have been asked."""
        assert self.whose is not None
        return self.whose

    @property
    def proof(self) -> Proof:
        """Whether it is his; it must have been asked."""
        assert self.proved is not None
        return self.proved

    @property
    def says_something(self) -> bool:
        """Whether anything in it is meant for us."""
        return self.read is not None and not self.read.says_nothing

    def verdict(self, fate: Fate, **more: Any) -> Verdict:
        """Return a verdict on what the letter's player wrote to his game."""
        return Verdict(fate=fate, game=self.found.position.row.id, player=self.found.player.code, **more)


def too_costly(case: Case, letter: Letter, error: LetterTooCostly) -> Case:
    """Return a case by the header alone: to read more of the letter takes more than a letter may."""
    head, why = unread(letter), Fate.TOO_LARGE if is_too_large(case.row) else Fate.TOO_COSTLY
    return replace(case, opened=head, came=head, costly=str(error), incomplete=why)


def arrival_of(row: LetterRow, letter: Letter) -> datetime:
    """Return when our server had the letter: by the topmost ``Received``, unless that lies after the file came to be."""
    return min(letter.arrived, row.arrived) if letter.arrived else row.arrived
