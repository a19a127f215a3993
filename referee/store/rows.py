"""The rows of the store as values; the names are those of the columns. Times are aware, JSON stays text. Columns that are
written and asked for in SQL alone, as when somebody's absence ended, stand in ``schema.sql``.
"""

from __future__ import annotations

from datetime import datetime

from referee.core import Enclosed, Value

from .hashes import LoggedTurn


class NumberedRow(Value):
    """A row that its table gives a number: 0 until then."""

    id: int = 0


class PlayersRow(NumberedRow):
    """Something of a player's in a game."""

    game: str
    player: str


class GameRow(Value):
    """One game. ``turn`` is the one whose orders are awaited; ``chain`` the root of its turn seeds: the game's great secret.

    ``statements_due``: until then closing statements are awaited; ``archived_at``: since when the umpire has put it away.
    ``anonymous``: its players are known by their companies alone until it is over.
    ``rhythm``: JSON of what it says of its calendar. ``stopped_at``: since when the umpire has stopped it, with the deadline
    ``stopped_due`` that it had; ``play``: the turn that is to be played at once. ``extended``: how often the awaited turn
    was given more time because orders were missing; ``moved``: how often the deadline was another one.
    """

    table = "games"
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
    stopped_at: datetime | None = None
    stopped_due: datetime | None = None
    play: int | None = None
    extended: int = 0
    statements_due: datetime | None = None
    archived_at: datetime | None = None
    anonymous: bool = False
    moved: int = 0

    @property
    def turn_key(self) -> tuple[str, int]:
        """Game and number of the awaited turn: what names it in the store."""
        return self.id, self.turn

    @property
    def is_over(self) -> bool:
        """Whether no turn of it is played any more."""
        return self.status != "running"

    @property
    def is_archived(self) -> bool:
        """Whether it is put away: over, or stopped because another club has it."""
        return self.archived_at is not None and (self.is_over or self.stopped_at is not None)


class PlayerRow(Value):
    """Who plays, with what the game itself must not know: address, time zone, language. ``resigned_at``: when they left."""

    table = "players"
    game: str
    code: str
    name: str
    address: str
    colour: str
    company: str
    zone: str
    language: str
    place: int
    resigned_at: datetime | None = None


class TurnRow(LoggedTurn):
    """One adjudicated turn (0 is the opening): all that is needed to adjudicate it again, and what came of it.

    A row is never changed: a correction is a new ``edition`` of the turn, and an act ``undo`` puts out of force all editions up
    to its own of the turn and of all later ones. Editions begin with 1 and never fall from turn to turn. ``booked``: JSON of the
    names whose hashes are its ``letters``.
    """

    table = "turns"
    game: str
    state: str
    deadline: datetime | None
    adjudicated_at: datetime
    booked: str = ""


class WaitRow(PlayersRow):
    """A player wants a turn not to be played before its deadline."""

    table = "waits"
    turn: int
    letter: int
    asked_at: datetime


class AbsenceRow(PlayersRow):
    """A player is away from one day to another (dates as 2026-12-20, both included)."""

    table = "absences"
    since: str
    until: str
    told_at: datetime


class StandbyRow(NumberedRow):
    """Somebody who would take a vanished player's seat."""

    table = "standbys"
    name: str
    address: str
    zone: str
    language: str
    since: datetime


class LaterRow(Value):
    """A letter with orders for a turn that had not come, or for the awaited one in case a stand-by takes over a seat
    (``if_standby``).
    """

    table = "later_orders"
    letter: int
    game: str
    player: str
    turn: int
    arrived: datetime
    if_standby: bool = False


class NewsRow(NumberedRow):
    """Something that the umpire is told in the next digest."""

    table = "news"
    key: str
    at: datetime
    subject: str
    text: str


class ThrowRow(NumberedRow):
    """A throw that the umpire typed for a turn still to be played, or took back (``number`` None). The newest row counts."""

    table = "typed_throws"
    game: str
    turn: int
    name: str
    number: int | None
    typed_at: datetime


class LetterRow(NumberedRow):
    """One letter as it came. ``arrived`` decides whether it was in time; ``hash`` whether we had it before."""

    table = "letters"
    hash: str
    source: str
    size: int
    raw: bytes
    arrived: datetime
    stored_at: datetime
    sender: str = ""
    subject: str = ""
    message_id: str = ""
    status: str = "stored"  # stored, done, refused, parked, ignored, held
    reason: str = ""
    attempts: int = 0  # that failed by its fault
    begun: int = 0  # times that work on it began and did not come to an end
    trace: str = ""
    seconds: float = 0  # of the processor, that reading it took
    sure: bool = False  # its header alone proves whose it is
    game: str | None = None
    player: str | None = None
    handled_at: datetime | None = None


class OrderSet(PlayersRow):
    """A player's whole set of orders for a turn, as one letter gave it.

    ``doubtful``: written for another turn, or in a quotation: it runs only if the player confirms it. ``changed_at``: when it was
    last filed, confirmed or withdrawn.
    """

    table = "order_sets"
    turn: int
    letter: int | None
    orders: str
    complaints: str
    text: str
    clean: bool
    confirmed: bool
    withdrawn: bool
    doubtful: bool
    arrived: datetime
    changed_at: datetime


class PressRow(PlayersRow):
    """A text for the newsletter (``press``, without its writer's name ``unsigned``), for the players in ``readers`` alone
    (``private``), for the umpire alone (``note``) or from the umpire (``word``), or a word for the dice (``salt``).
    """

    table = "press"
    turn: int
    letter: int | None
    kind: str
    text: str
    arrived: datetime
    readers: str = ""  # codes with commas between them


class OutboxRow(NumberedRow):
    """One letter of ours. ``key`` says what it is, so that nothing is written twice; ``raw`` and ``message_id`` never change.

    Where files are ``enclosed`` (``at:hash``, by blanks) ``raw`` is what stands round them, packed, and ``size`` the bytes of the
    whole letter: ``store.files`` makes it. A letter that is still to be kept brings its ``files``, and ``raw`` unpacked.

    ``next_try``: not sent before; ``lease``: until then a process is sending it; ``delayed_since``: when its recipient could not
    have it for the first time.
    """

    table = "outbox"
    unstored = frozenset({"files"})

    key: str
    game: str | None
    turn: int | None
    player: str | None
    letter: int | None = None
    kind: str
    recipient: str
    message_id: str
    raw: bytes
    state: str = "waiting"  # waiting, sent, failed
    attempts: int = 0
    error: str = ""
    created: datetime
    next_try: datetime | None = None
    lease: datetime | None = None
    delayed_since: datetime | None = None
    enclosed: str = ""
    size: int = 0
    files: tuple[Enclosed, ...] = ()


class HeldRow(Value):
    """A letter that counts only when its player has said so. ``turn`` was awaited when it came; ``why`` is a word of
    ``held.txt.j2``; ``released_by`` is the letter that said so.
    """

    table = "held_letters"
    letter: int
    hash: str
    game: str
    player: str
    turn: int
    why: str
    held_at: datetime
    released_by: int | None = None


class CodeRow(Value):
    """A code that an umpire's address was given for a game. ``command``: the letter's text that it is good for, "" for any one
    command; ``used_by``: the letter that has had one carried out by it.
    """

    table = "codes"
    token: str
    game: str
    address: str
    command: str
    issued_at: datetime
    used_by: int | None = None


class MoveRow(PlayersRow):
    """A new address (``after``) that a player's letter asked for; it holds once somebody at each of the two has confirmed it.

    ``void``: the player has asked for another one since, or for none. ``agreed_…``: the letter that said so from there, for the
    old address the one that asked, where that was proved well enough.
    """

    table = "address_changes"
    before: str
    after: str
    letter: int
    asked_at: datetime
    void: bool = False
    agreed_before: int | None = None
    agreed_after: int | None = None


class ObserverRow(NumberedRow):
    """Somebody who is sent the newsletters of a game that they do not play in; ``letter`` asked for them."""

    table = "observers"
    game: str
    address: str  # its domain in lower case
    letter: int
    since: datetime


class BounceRow(NumberedRow):
    """A letter of ours, ``written`` then, of which a mail server told us ``at`` that it did not arrive.

    ``letter`` told it, None where the server said so when it was given the letter. ``final``: nobody tries any more.
    """

    table = "bounces"
    outbox: int
    letter: int | None
    game: str | None
    player: str | None
    address: str  # lower case
    status: str
    written: datetime
    at: datetime
    final: bool


class LogRow(NumberedRow):
    """Something the umpire should know or has done; ``kept`` is JSON of whatever an act replaced."""

    table = "log"
    at: datetime
    game: str | None = None
    turn: int | None = None
    what: str
    text: str
    kept: str = "{}"


class ActRow(Value):
    """Something the umpire did with a game; a row is never changed. ``number`` counts from 1 in its game.

    ``turn``: the one it is about. ``actor``: ``umpire``, ``umpire by mail``, or ``referee`` for what the umpire's settings had
    done. ``kind`` is the command's word; ``parameters`` is JSON, ``reason`` the umpire's own words or "". All of it is told to
    everybody by an export: no address, no code, no orders stand in it. A reason that speaks of orders still to be played is
    ``withheld`` there: its hash stands in its place. ``hash`` covers the rest and the hash of the act before.
    """

    table = "acts"
    unstored = frozenset({"withheld"})

    game: str
    number: int = 0
    turn: int
    at: datetime
    actor: str
    kind: str
    parameters: str = "{}"
    reason: str = ""
    hash: str = ""
    withheld: str = ""
