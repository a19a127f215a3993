"""Stored letters handled one by one: each is judged, and what becomes of it written, in one transaction."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import traceback
from collections.abc import Callable, Sequence
from datetime import timedelta

from referee import system
from referee.core import (
    ConfigError,
    LetterDeadly,
    LetterTooCostly,
    MachineShort,
    ReaderKilled,
    RefereeError,
    StoreDamaged,
    TemporaryTrouble,
    process_wanted,
)
from referee.store import LetterRow, check_room, check_whole, letters, redoable, settle, transaction

from .club import Club
from .letters.interpretation import Case, Verdict, too_costly, write_verdict
from .letters.limits import in_fair_order
from .stations import BEFORE, give_up, judge, pass_on
from .umpires import is_any_umpires

ATTEMPTS = 3
INTERRUPTED = 3  # times that work on a letter did not come to an end: then it is done where nobody else dies of it
SHORT = timedelta(days=1)  # for so long the machine is to blame where the reader was killed, then the letter
_PATIENCE = 300  # seconds, with a letter handled in a process of its own

log = logging.getLogger(__name__)


def handle_waiting(club: Club, answer: Callable[[], None] = lambda: None) -> int:
    """Handle every stored letter; one that cannot be handled never keeps back the next. Return how many. *answer* is called
    when of many those that are proved are handled: what they are told waits for no flood.

    Raises:
        StoreBusy: the store cannot be written.
        StoreDamaged: the store is damaged.
        ConfigError: a template of the umpire's is damaged; the letters wait until it is mended.
        MachineShort: some of them wait, as no process could be had to read them; the others are handled.
    """
    parts = [part for part in in_fair_order(club) if part]
    short: MachineShort | None = None
    for place, part in enumerate(parts):
        if place:
            answer()
        try:
            handle_letters(club, part)
        except MachineShort as error:
            short = error
    if short:
        raise short
    return sum(map(len, parts))


def handle_letters(club: Club, numbers: Sequence[int]) -> None:
    """Handle the stored letters of these numbers. Raises as ``handle_waiting``."""
    short: Exception | None = None
    with redoable(club):  # what a power cut undoes is handled again: no answer to it has left
        for number in numbers:
            short = _try(club, letters.letter(club, number)) or short
    if numbers:
        settle(club)
    if short is not None:
        raise MachineShort(f"letters wait to be read: {short}")


def _try(club: Club, row: LetterRow) -> Exception | None:
    """Handle a letter; return what the machine was short of, None if that was not so: then this was no try."""
    check_room(club.config.database)
    with transaction(club):
        letters.begin(club, row.id)
    club.step("receive:begun")
    try:
        if row.begun < INTERRUPTED or not _handle_apart(club, row.id):
            handle(club, row)
    except Exception as error:
        killed = isinstance(error, ReaderKilled) and club.now - row.stored_at < SHORT
        if killed or isinstance(error, MachineShort):
            with transaction(club):
                letters.take_back(club, row.id)
            return error
        if type(error) in (ConfigError, StoreDamaged) or isinstance(error, TemporaryTrouble):
            raise
        log.exception("letter %d could not be handled", row.id)
        _count_failure(club, row, error)
    club.step("receive:handled")
    return None


def _handle_apart(club: Club, number: int) -> bool:
    """Handle a stored letter in a process of its own (``worker``); return whether that is done. A power cut ends that and us, a
    deadly letter ends that alone and is to blame.

    Raises:
        LetterDeadly: that process died of it, or did not end.
    """
    command = [
        sys.executable,
        "-m",
        "referee.service.worker",
        str(club.config.folder),
        str(number),
        club.now.isoformat(),
    ]
    path = os.pathsep.join(path for path in sys.path if path)
    environment = {name: value for name, value in os.environ.items() if name != "REFEREE_CRASH_AT"} | {
        "PYTHONPATH": path
    }
    # It ends when its standard input does, so that it never outlives us and our lock.
    with process_wanted():
        begun = subprocess.Popen(  # noqa: S603 (our own interpreter, our own module)
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    with begun as process:
        try:
            code = process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise LetterDeadly(f"whoever handles it is not done in {_PATIENCE} seconds") from None
    if code < 0 or code == system.KILL:
        raise LetterDeadly(f"the process that handled it alone was ended by signal {abs(code)}")
    return letters.letter(club, number).status != "stored"


def _count_failure(club: Club, row: LetterRow, error: Exception) -> None:
    """Blame a letter for what it did; one that a power cut interrupts did nothing.

    Raises:
        StoreDamaged: it did nothing either.
    """
    spent = row.attempts + 1 >= ATTEMPTS or isinstance(error, LetterTooCostly | LetterDeadly)
    if spent and not isinstance(error, RefereeError):
        check_whole(club.conn, error)
    with transaction(club):
        letters.fail(club, "".join(traceback.format_exception(error)), row.id)
        if spent:
            write_verdict(club, Case(row=row, arrived=row.arrived), give_up(club, row))


def handle(club: Club, row: LetterRow) -> None:
    """Handle a stored letter. What goes wrong is the caller's to sort."""
    case, verdict = pass_on(club, Case(row=row, arrived=row.arrived), BEFORE)
    is_whole = verdict is None and not case.letter.robot and case.incomplete is None
    if is_whole and is_any_umpires(club, case.letter.sender):
        from .umpire.letters import obey  # here, because few letters are an umpire's

        verdict = obey(club, case)
    try:
        _decide(club, case, verdict)
    except LetterTooCostly as error:
        _decide(club, too_costly(case, case.letter, error), None)


def _decide(club: Club, case: Case, verdict: Verdict | None) -> None:
    """Judge a letter, unless there is a *verdict* on it, and write what becomes of it, in one transaction."""
    if case.costly:
        log.warning("letter %d: %s", case.row.id, case.costly)
    with transaction(club):
        write_verdict(club, *judge(club, case, verdict))
        club.step("receive:filing")
