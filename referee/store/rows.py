"""The rows of the store as values; the names are those of the columns. Times are aware, JSON stays text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow:
    """One game. ``turn`` is the one whose orders are awaited; ``chain`` the root of its turn seeds: the game's great secret."""

    id: str
    kind: str
    setup: str
    rules: int
    status: str  # running, finished
    turn: int
    deadline: datetime | None
    rhythm: str
    chain: str
    created: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRow:
    """Who plays, with what the game itself must not know: address, time zone, language."""

    game: str
    code: str
    name: str
    address: str
    colour: str
    company: str
    zone: str
    language: str
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRow:
    """One adjudicated turn (0 is the opening): all that is needed to adjudicate it again, and what came of it.

    ``orders`` is JSON by player as they were adjudicated, ``salts`` the players' words of salt for the dice; ``hash`` covers
    these, seed, rules and events, and the hash of the turn before. A row is never changed: a correction is a new
    ``edition`` of the turn, which also puts out of force all later turns of lower editions.
    """

    game: str
    turn: int
    edition: int = 1
    rules: int
    seed: str
    salts: str = ""
    orders: str
    events: str
    state: str
    hash: str
    deadline: datetime | None
    adjudicated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterRow:
    """One letter as it came. ``arrived`` decides whether it was in time; ``hash`` whether we had it before."""

    id: int = 0
    hash: str
    source: str
    size: int
    raw: bytes
    arrived: datetime
    stored_at: datetime
    sender: str = ""
    subject: str = ""
    message_id: str = ""
    status: str = "stored"  # stored, done, refused, parked, ignored
    reason: str = ""
    attempts: int = 0
    trace: str = ""
    game: str | None = None
    player: str | None = None
    handled_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderSet:
    """A player's whole set of orders for a turn, as one letter gave it.

    ``held``: written for another turn, so it runs only if the player confirms it. ``changed_at``: when it was last filed,
    confirmed or withdrawn.
    """

    id: int = 0
    game: str
    turn: int
    player: str
    letter: int | None
    orders: str
    complaints: str
    text: str
    clean: bool
    confirmed: bool
    withdrawn: bool
    held: bool
    arrived: datetime
    changed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PressRow:
    """A text for the newsletter (``press``), for the umpire alone (``note``), or a word for the dice (``salt``)."""

    id: int = 0
    game: str
    turn: int
    player: str
    letter: int | None
    kind: str
    text: str
    arrived: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxRow:
    """One letter of ours. ``key`` says what it is, so that nothing is written twice; ``raw`` and ``message_id`` never change."""

    id: int = 0
    key: str
    game: str | None
    turn: int | None
    player: str | None
    letter: int | None = None
    kind: str
    recipient: str
    message_id: str
    raw: bytes
    state: str = "waiting"  # waiting, sent
    attempts: int = 0
    error: str = ""
    created: datetime
    sent_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow:
    """Something the umpire should know or has done; ``kept`` is JSON of whatever an act replaced."""

    id: int = 0
    at: datetime
    game: str | None = None
    turn: int | None = None
    what: str
    text: str
    kept: str = "{}"
