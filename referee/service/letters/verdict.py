"""What becomes of a letter, as one value: the stations judge, ``service/write.py`` alone writes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import field

from referee.core.values import Value
from referee.mail.letter.bounces import Failure
from referee.service.club.positions import Position
from referee.service.letters.interpretation import Filing
from referee.service.post.writing import Occasion
from referee.store.database.rows import (
    AbsenceRow,
    CodeRow,
    HeldRow,
    LaterRow,
    LogRow,
    MoveRow,
    ObserverRow,
    OutboxRow,
    PlayerRow,
    PressRow,
    StandbyRow,
    WaitRow,
)
from referee.store.fates import Fate
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
    """One side of an address change (``addresschanges.BEFORE``, ``AFTER``) has confirmed it."""

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
SeatEffect = WaitEnded | AbsencesEnded | Resigned | StandbyEnded | SignupChanged
Effect = Row | Release | Reached | Bounced | Remembered | Spoken | AddressEffect | WatchEnded | SeatEffect | Failed


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
