"""What becomes of a letter, as one value: the stations judge, ``service/write.py`` alone writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Any

from referee.core.values import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A held letter counts from now on: its player has said that it is his."""

    letter: int
    game: str
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A letter came from an address: what came back from there counts no longer."""

    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounced:
    """A mail server says that a letter of ours did not arrive."""

    ours: OutboxRow
    failure: Failure
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """A fact of the club has another value."""

    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """Whoever reads at an address wants his letters in a language."""

    address: str
    language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressKept:
    """The new address that a player asked for is wanted no more."""

    game: str
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressAgreed:
    """One side of an address change (``addresschanges.BEFORE``, ``AFTER``) has confirmed it."""

    number: int
    side: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressChanged:
    """Both sides have confirmed an address change: it is made, and both are told, the new address *there*, the old one *here*."""

    number: int
    position: Position
    player: PlayerRow
    after: str
    there: Occasion
    here: Occasion


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchEnded:
    """An observer is sent no more newsletters."""

    observer: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitEnded:
    """A player wants a turn to wait for its deadline no longer."""

    game: str
    turn: int
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsencesEnded:
    """A player is there again."""

    game: str
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Resigned:
    """A player leaves his seat; all others are told."""

    position: Position
    player: PlayerRow


@dataclass(frozen=True, slots=True, kw_only=True)
class StandbyEnded:
    """Who reads at an address would take no seat any more."""

    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SignupChanged:
    """Somebody who has signed up for an open game says something else now, has a seat, or wants none."""

    signup: SignupRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A letter to the umpire, written once for each ``key`` (``tell_umpire``)."""

    key: str
    kind: str
    values: Mapping[str, Any] = field(default_factory=dict)
    game: str | None = None
    turn: int | None = None
    reply_to: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What one command of a letter does: ``answers`` are values for ``answers.txt.j2``, of which its writer is told."""

    answers: tuple[object, ...] = ()
    effects: tuple[Effect, ...] = ()
    notes: tuple[Note, ...] = ()

    def __add__(self, other: Deed) -> Deed:
        return Deed(
            answers=self.answers + other.answers, effects=self.effects + other.effects, notes=self.notes + other.notes
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
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
