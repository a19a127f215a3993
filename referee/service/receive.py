"""Stored letters handled one by one: read, understood, filed and answered in one transaction each."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import zip_longest

from referee.core.errors import ConfigError, LetterDeadly, LetterTooCostly, RefereeError, StoreDamaged, TemporaryTrouble
from referee.mail.letter.message import Letter
from referee.mail.letter.tokens import without_tokens
from referee.service.club.apart import work_apart
from referee.service.club.club import Club
from referee.service.club.pictures import with_pictures
from referee.service.club.positions import Position
from referee.service.commands.commands import carry_out, taken_apart
from referee.service.commands.press import without_long_texts
from referee.service.letters.answers import acknowledgement, refusal
from referee.service.letters.duplicates import COPY, is_copy, passed_over
from referee.service.letters.flood import held_back
from referee.service.letters.held import Unproved, set_aside
from referee.service.letters.identify import STRANGER, Found, identify, why_ignored
from referee.service.letters.interpretation import Filing, Understanding, filing, understand_letter
from referee.service.letters.limits import may_answer, what_it_lacks
from referee.service.letters.ownquotes import with_returned_marked
from referee.service.letters.proof import Proof, is_vouched_for, owner_of_code, prove
from referee.service.letters.questions import only_asks, with_subject
from referee.service.post.bounces import heard_from, note_bounce
from referee.service.post.collect import is_too_large
from referee.service.post.writing import tell_umpire
from referee.store import games, held, letters, orders, outbox
from referee.store.database.damage import check_whole
from referee.store.database.database import check_room, redoable, settle, transaction
from referee.store.database.rows import HeldRow, LetterRow, LogRow, PlayerRow, PressRow

ATTEMPTS = 3
INTERRUPTED = 3  # times that work on a letter did not come to an end: then it is done where nobody else dies of it
ANSWERED_ALWAYS = ("late", "over")  # letters that only ask something have no deadline

log = logging.getLogger(__name__)


def handle_waiting(club: Club) -> int:
    """Handle every stored letter, the oldest first; one that cannot be handled never keeps back the next. Return how many.

    Raises:
        StoreBusy: the store cannot be written.
        StoreDamaged: the store is damaged.
        ConfigError: a template of the umpire's is damaged; the letters wait until it is mended.
    """
    numbers = letters.unhandled(club.db)
    handle_letters(club, numbers)
    return len(numbers)


def handle_letters(club: Club, numbers: Sequence[int]) -> None:
    """Handle the stored letters of these numbers. Raises as ``handle_waiting``."""
    with redoable(club.db):  # what a power cut undoes is handled again: no answer has left
        for number, following in zip_longest(numbers, numbers[1:], fillvalue=0):
            _try(club, letters.letter(club.db, number), letters.bytes_of(club.db, following))
    if numbers:
        settle(club.db)


def arrival_of(row: LetterRow, letter: Letter) -> datetime:
    """Return when our server had the letter: by the topmost ``Received``, unless that lies after the file came to be."""
    return min(letter.arrived, row.arrived) if letter.arrived else row.arrived


def is_late(club: Club, position: Position, arrived: datetime) -> bool:
    """Return whether orders that arrived then are too late for the awaited turn."""
    due = position.row.deadline
    grace = timedelta(minutes=club.config.grace)
    return due is not None and arrived > due + grace and club.config.late == "refuse"


def _try(club: Club, row: LetterRow, following: bytes) -> None:
    check_room(club.config.database)
    with transaction(club.db):
        letters.begin(club.db, row.id)
    club.step("receive:begun")
    try:
        if row.begun < INTERRUPTED or not work_apart(club, row.id):
            handle(club, row, following)
    except Exception as error:
        if _is_no_fault_of_the_letter(error):
            raise
        log.exception("letter %d could not be handled", row.id)
        _count_failure(club, row, error)
    club.step("receive:handled")


def _count_failure(club: Club, row: LetterRow, error: Exception) -> None:
    """Blame a letter for what it did; one that a power cut interrupts did nothing.

    Raises:
        StoreDamaged: it did nothing either.
    """
    spent = row.attempts + 1 >= ATTEMPTS or isinstance(error, LetterTooCostly | LetterDeadly)
    if spent and not isinstance(error, RefereeError):
        check_whole(club.db.conn, error)
    with transaction(club.db):
        letters.fail(club.db, row.id, "".join(traceback.format_exception(error)))
        if spent:
            _give_up(club, row)


def _is_no_fault_of_the_letter(error: Exception) -> bool:
    """Return whether the umpire must mend a setting or template, or wait, before any letter can be handled."""
    return type(error) in (ConfigError, StoreDamaged) or isinstance(error, TemporaryTrouble)


def _give_up(club: Club, row: LetterRow) -> None:
    """Park a letter for the umpire to look at. Inside a transaction."""
    now = club.clock()
    letters.finish(club.db, row.id, "parked", now, "could not be handled")
    outbox.log(club.db, LogRow(at=now, what="letter-parked", text=f"letter {row.id}"))
    tell_umpire(club, f"parked:{row.hash}", "parked", {"letter": row.id, "source": row.source})


def handle(club: Club, row: LetterRow, following: bytes = b"") -> None:
    """Handle a stored letter; *following* is most likely the next. What goes wrong is the caller's to sort."""
    if held_back(club, row):
        return
    letter = club.reader.read(row.raw, following)
    arrived = arrival_of(row, letter)
    ignored = why_ignored(club, letter)
    vouched = not ignored and is_vouched_for(club, row.raw, letter)
    with_pictures(club.pictures, lambda: _settle(club, row, letter, arrived, ignored, vouched))


def _settle(club: Club, row: LetterRow, letter: Letter, arrived: datetime, ignored: str, vouched: bool) -> None:
    """Do what a letter asks for, and answer it; *ignored* as of ``why_ignored``. One transaction."""
    with transaction(club.db):
        letters.head(club.db, row.id, letter.sender, without_tokens(letter.subject), letter.message_id, arrived)
        apart = passed_over(club, row) or taken_apart(club, row, letter, ignored)
        owner = owner_of_code(club, letter) if ignored == STRANGER and not apart else None
        if apart:
            pass
        elif owner is not None:
            _take_from_stranger(club, row, letter, owner, arrived)
        elif ignored:
            # A letter too large to be kept whole lies parked in the Maildir: the umpire finds it by its status.
            status = "parked" if is_too_large(row) else "ignored"
            letters.finish(club.db, row.id, status, club.clock(), ignored)
            note_bounce(club, letter, row.id, arrived)
        else:
            _take(club, row, letter, arrived, vouched)
        club.step("receive:filing")


def _take(club: Club, row: LetterRow, letter: Letter, arrived: datetime, vouched: bool) -> None:
    """Take a letter from a player, or in his name. Inside a transaction."""
    came, letter = letter, with_returned_marked(club, letter)
    found = identify(club, letter)
    proof = prove(club, letter, found, vouched)
    if proof.why:
        _set_aside(club, row, letter, found, proof, arrived)
        return
    heard_from(club, found.player.address)
    if is_copy(club, row.id, came):
        letters.finish(club.db, row.id, "ignored", club.clock(), COPY, found.player.game, found.player.code)
        return
    letter = _with_subject(found.position, letter)
    reason, read = _judged(club, row, letter, found, arrived)
    asks = understand_letter(found.position, found.player.code, letter) if reason in ANSWERED_ALWAYS else None
    if asks is not None and only_asks(asks):
        _file(club, row, letter, found, asks, arrived)
    elif read is None or reason:
        _refuse(club, row, letter, found, reason)
    elif proof.held is not None and proof.held.player == found.player.code and _is_one_word(read):
        _release(club, row, letter, found, proof.held, arrived)
    else:
        _file(club, row, letter, found, read, arrived)


def _take_from_stranger(club: Club, row: LetterRow, letter: Letter, owner: PlayerRow, arrived: datetime) -> None:
    """Keep a letter with a player's code from an address that is not his. Inside a transaction."""
    position = club.positions.of(club.db, games.game(club.db, owner.game))
    found = Found(position=position, player=owner)
    _set_aside(club, row, with_returned_marked(club, letter), found, Proof(why="stranger"), arrived)


def _with_subject(position: Position, letter: Letter) -> Letter:
    return with_subject(letter, position.book, position.rules.lexicon(position.state))


def _set_aside(club: Club, row: LetterRow, letter: Letter, found: Found, proof: Proof, arrived: datetime) -> None:
    letter = _with_subject(found.position, letter)
    reason, read = _judged(club, row, letter, found, arrived)
    unproved = Unproved(row=row, letter=letter, found=found, proof=proof, arrived=arrived, reason=reason, read=read)
    set_aside(club, unproved)


def _judged(
    club: Club, row: LetterRow, letter: Letter, found: Found, arrived: datetime
) -> tuple[str, Understanding | None]:
    """Return why a letter cannot be taken, "" if it can, and what it says as far as it could be read."""
    reason = found.reason or _unreadable(row, letter)
    if not reason and is_late(club, found.position, arrived):
        reason = "late"
    read = None if reason else understand_letter(found.position, found.player.code, letter)
    if read is not None and read.says_nothing and not read.reading.unread:
        reason = "empty"
    if read is not None and read.versions:
        reason = "two-versions"
    return reason, read


def _is_one_word(read: Understanding) -> bool:
    """Return whether a letter says CONFIRM and nothing else."""
    return read.reading.commands == ("CONFIRM",) and not read.gives_orders


def _release(club: Club, row: LetterRow, letter: Letter, found: Found, waiting: HeldRow, arrived: datetime) -> None:
    """Take a letter that was held: its player says that it is his. It counts as if it had come with this one."""
    position, original = found.position, letters.letter(club.db, waiting.letter)
    if waiting.released_by is not None or waiting.turn != position.row.turn:
        _refuse(club, row, letter, found, "held-old" if waiting.released_by is None else "released")
        return
    told = _with_subject(position, with_returned_marked(club, club.reader.read(original.raw)))
    read = understand_letter(position, found.player.code, told)
    _file(club, row, letter, found, read, arrived, original)
    letters.finish(club.db, original.id, "done", club.clock(), "", position.row.id, found.player.code)
    held.release(club.db, original.id, row.id, club.clock())


def _unreadable(row: LetterRow, letter: Letter) -> str:
    """Return why there is nothing to read in a letter, "" if there is."""
    if is_too_large(row):
        return "too-large"
    if letter.text.strip():
        return ""
    known = (code for code in ("encrypted", "winmail", "bad-charset") if code in letter.problems)
    broken = {"unreadable", "too-many-headers", "too-many-parts", "too-deep"} & set(letter.problems)
    return next(known, "unreadable" if broken else "empty")


def _refuse(club: Club, row: LetterRow, letter: Letter, found: Found, reason: str) -> None:
    status = "parked" if reason == "too-large" else "refused"
    game = found.position.row.id
    letters.finish(club.db, row.id, status, club.clock(), reason, game, found.player.code)
    if may_answer(club, letter, found):
        outbox.put(club.db, refusal(club, row, letter, found, reason))


def _file(
    club: Club,
    row: LetterRow,
    letter: Letter,
    found: Found,
    read: Understanding,
    arrived: datetime,
    original: LetterRow | None = None,
) -> None:
    """File what a letter says, or what the *original* says that it releases."""
    game, turn, player = found.position.row.id, found.position.row.turn, found.player.code
    number = original.id if original else row.id
    before = orders.sets(club.db, game, turn)
    done = filing(found.position, player, read, before, number, arrived)
    read = without_long_texts(club, read)
    _write_filing(club, found, done, arrived)
    carried_out = carry_out(club, original or row, letter, found, read, arrived, sure=original is not None)
    salt = "" if found.position.begun else read.reading.salt
    for kind, text in (("press", read.reading.press), ("salt", salt)):
        if text:
            # A mail program may have put a code there, with the beginning of the letter that is answered.
            kept = without_tokens(text)
            told = PressRow(game=game, turn=turn, player=player, letter=number, kind=kind, text=kept, arrived=arrived)
            orders.keep_text(club.db, told)
    letters.finish(club.db, row.id, "done", club.clock(), what_it_lacks(read, done, before), game, player)
    if may_answer(club, letter, found):
        outbox.put(club.db, acknowledgement(club, row, letter, found, read, done, arrived, carried_out, original))


def _write_filing(club: Club, found: Found, done: Filing, arrived: datetime) -> None:
    game, turn = found.position.row.id, found.position.row.turn
    if done.withdraws:
        orders.withdraw(club.db, game, turn, found.player.code, arrived)
    if done.confirms:
        orders.confirm(club.db, done.confirms, arrived)
    if done.adds is not None:
        orders.file_set(club.db, done.adds)
