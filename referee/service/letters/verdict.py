"""What becomes of a letter, and what is known of it on its way past the stations."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from msgspec.structs import replace

from referee.core.errors import LetterTooCostly
from referee.core.values import Value
from referee.mail.letter.message import Letter, unread
from referee.reader.understanding import Understanding
from referee.service.letters.identify import Found, Proof
from referee.service.post.collect import is_too_large
from referee.store.letters import Fate
from referee.store.rows import LetterRow, OrderSet

Answers = tuple[object, ...]  # values for ``answers.txt.j2``: what the writer of a letter is told of its commands


class Verdict(Value, kw_only=False):
    """What becomes of a letter. ``reason``: as the umpire reads it, where it says more than the fate; ``then``: what is written
    with it, where it was judged before the transaction.
    """

    fate: Fate
    reason: str = ""
    game: str | None = None
    player: str | None = None
    then: Callable[[], object] | None = None


# A letter on its way past the stations (``service/stations.py``), with what they have found out about it.


class Case(Value):
    """``row``: the letter as it came; ``arrived``: when our server had it. ``spent``: what the reader had used before.

    ``sender``: whom its header names; ``sure``: that proves it is his. ``opened``: as it is read, ``came``: the same before
    what it quotes of ours was marked; None before it is opened. ``ignored``: why it is no player's. ``vouched``: a mail
    server says that it is its sender's. ``whose``, ``proved``: whose it is, None before that is asked; ``named``: the
    umpire has said to which game. ``why``: why it cannot be taken. ``read``: what it says. ``sets``: the orders of its turn
    that were on file then. ``costly``: why its header alone was read, "" if all was. ``incomplete``: why a part of it is
    not there to be read, None if all is.
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

    def verdict(self, fate: Fate, reason: str = "") -> Verdict:
        """Return a verdict on what the letter's player wrote to his game."""
        return Verdict(fate, reason=reason, game=self.found.position.row.id, player=self.found.player.code)


def too_costly(case: Case, letter: Letter, error: LetterTooCostly) -> Case:
    """Return a case by the header alone: to read more of the letter takes more than a letter may."""
    head, why = unread(letter), Fate.TOO_LARGE if is_too_large(case.row) else Fate.TOO_COSTLY
    return replace(case, opened=head, came=head, costly=str(error), incomplete=why)


def arrival_of(row: LetterRow, letter: Letter) -> datetime:
    """Return when our server had the letter: by the topmost ``Received``, unless that lies after the file came to be."""
    return min(letter.arrived, row.arrived) if letter.arrived else row.arrived
