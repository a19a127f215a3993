"""Stored letters handled one by one: read, understood, filed and answered in one transaction each."""

from __future__ import annotations

import logging
import traceback
from datetime import datetime, timedelta

from referee.core.errors import ConfigError, RefereeError
from referee.mail.message import Letter, read_letter
from referee.service.answers import acknowledgement, refusal, told_umpire
from referee.service.club import Club
from referee.service.collect import is_too_large
from referee.service.identify import Found, identify, why_ignored
from referee.service.positions import Position
from referee.service.reading import Filing, Understanding, filing, understand_letter
from referee.store import letters, orders, outbox
from referee.store.database import transaction
from referee.store.rows import LetterRow, LogRow, PressRow

ATTEMPTS = 3
TEMPORARY = 75

log = logging.getLogger(__name__)


def handle_waiting(club: Club) -> int:
    """Handle every stored letter, the oldest first; one that cannot be handled never keeps back the next. Return how many.

    Raises:
        StoreBusy: the store cannot be written.
        ConfigError: a template of the umpire's is damaged; the letters wait until it is mended.
    """
    numbers = letters.unhandled(club.db)
    for number in numbers:
        _try(club, letters.letter(club.db, number))
    return len(numbers)


def arrival_of(row: LetterRow, letter: Letter) -> datetime:
    """Return when our server had the letter: by the topmost ``Received``, unless that lies after the file came to be."""
    return min(letter.arrived, row.arrived) if letter.arrived else row.arrived


def is_late(club: Club, position: Position, arrived: datetime) -> bool:
    """Return whether orders that arrived then are too late for the awaited turn."""
    due = position.row.deadline
    grace = timedelta(minutes=club.config.grace)
    return due is not None and arrived > due + grace and club.config.late == "refuse"


def _try(club: Club, row: LetterRow) -> None:
    with transaction(club.db):
        letters.begin(club.db, row.id)
    club.step("receive:begun")
    if row.attempts >= ATTEMPTS:  # it killed us each time
        _give_up(club, row)
        return
    try:
        _handle(club, row)
    except Exception as error:
        if _is_no_fault_of_the_letter(error):
            with transaction(club.db):
                letters.forgive(club.db, row.id)
            raise
        log.exception("letter %d could not be handled", row.id)
        with transaction(club.db):
            letters.fail(club.db, row.id, traceback.format_exc())
        if row.attempts + 1 >= ATTEMPTS:
            _give_up(club, row)
    club.step("receive:handled")


def _is_no_fault_of_the_letter(error: Exception) -> bool:
    """Return whether the umpire must mend a setting or template, or wait, before any letter can be handled."""
    return type(error) is ConfigError or (isinstance(error, RefereeError) and error.exit_code == TEMPORARY)


def _give_up(club: Club, row: LetterRow) -> None:
    """Park a letter for the umpire to look at."""
    now = club.clock()
    with transaction(club.db):
        letters.finish(club.db, row.id, "parked", now, "could not be handled")
        outbox.log(club.db, LogRow(at=now, what="letter-parked", text=f"letter {row.id}"))
        told_umpire(club, f"parked:{row.hash}", "parked", {"letter": row.id, "source": row.source})


def _handle(club: Club, row: LetterRow) -> None:
    letter = read_letter(row.raw)
    arrived = arrival_of(row, letter)
    ignored = why_ignored(club, letter)
    with transaction(club.db):
        letters.head(club.db, row.id, letter.sender, letter.subject, letter.message_id, arrived)
        if ignored:
            # A letter too large to be kept whole lies parked in the Maildir: the umpire finds it by its status.
            status = "parked" if is_too_large(row) else "ignored"
            letters.finish(club.db, row.id, status, club.clock(), ignored)
        else:
            _take(club, row, letter, arrived)
        club.step("receive:filing")


def _take(club: Club, row: LetterRow, letter: Letter, arrived: datetime) -> None:
    """Take a letter from a player. Inside a transaction."""
    found = identify(club, letter)
    reason = found.reason or _unreadable(row, letter)
    if not reason and is_late(club, found.position, arrived):
        reason = "late"
    read = None if reason else understand_letter(found.position, found.player.code, letter)
    if read is not None and read.says_nothing and not read.reading.unread:
        reason = "empty"
    if read is None or reason:
        _refuse(club, row, letter, found, reason)
    else:
        _file(club, row, letter, found, read, arrived)


def _unreadable(row: LetterRow, letter: Letter) -> str:
    """Return why there is nothing to read in a letter, "" if there is."""
    if is_too_large(row):
        return "too-large"
    if letter.text.strip():
        return ""
    known = (code for code in ("encrypted", "bad-charset") if code in letter.problems)
    broken = {"unreadable", "too-many-headers", "too-many-parts", "too-deep"} & set(letter.problems)
    return next(known, "unreadable" if broken else "empty")


def _refuse(club: Club, row: LetterRow, letter: Letter, found: Found, reason: str) -> None:
    status = "parked" if reason == "too-large" else "refused"
    game = found.position.row.id
    letters.finish(club.db, row.id, status, club.clock(), reason, game, found.player.code)
    if _may_answer(club, letter, found):
        outbox.put(club.db, refusal(club, row, letter, found, reason))


def _file(club: Club, row: LetterRow, letter: Letter, found: Found, read: Understanding, arrived: datetime) -> None:
    game, turn, player = found.position.row.id, found.position.row.turn, found.player.code
    done = filing(found.position, player, read, orders.sets(club.db, game, turn), row.id, arrived)
    _write_filing(club, found, done, arrived)
    salt = "" if found.position.begun else read.reading.salt
    for kind, text in (("press", read.reading.press), ("note", read.reading.note), ("salt", salt)):
        if text:
            told = PressRow(game=game, turn=turn, player=player, letter=row.id, kind=kind, text=text, arrived=arrived)
            orders.keep_text(club.db, told)
    if read.reading.note:
        told_umpire(club, f"note:{row.hash}", "note", {"player": player, "note": read.reading.note}, game, turn)
    letters.finish(club.db, row.id, "done", club.clock(), "", game, player)
    if _may_answer(club, letter, found):
        outbox.put(club.db, acknowledgement(club, row, letter, found, read, done, arrived))


def _write_filing(club: Club, found: Found, done: Filing, arrived: datetime) -> None:
    game, turn = found.position.row.id, found.position.row.turn
    if done.withdraws:
        orders.withdraw(club.db, game, turn, found.player.code, arrived)
    if done.confirms:
        orders.confirm(club.db, done.confirms, arrived)
    if done.adds is not None:
        orders.file_set(club.db, done.adds)


def _may_answer(club: Club, letter: Letter, found: Found) -> bool:
    """Return whether the player may have an answer: his mail is not a machine's, and he has not had too many today."""
    if not letter.answerable:
        return False
    day_ago = club.clock() - timedelta(days=1)
    return outbox.replies_since(club.db, found.player.address, day_ago) < club.config.replies_per_day
