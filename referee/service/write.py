"""A verdict written: the one place where a letter that was handled changes anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.mail.letter.tokens import without_tokens
from referee.service.club.club import Club
from referee.service.commands.addresses import move
from referee.service.commands.endings import vote
from referee.service.commands.leave import resign
from referee.service.letters.interpretation import Filing
from referee.service.letters.verdict import (
    AbsencesEnded,
    AddressAgreed,
    AddressChanged,
    AddressKept,
    Bounced,
    Case,
    Effect,
    Failed,
    Reached,
    Release,
    Remembered,
    Resigned,
    Row,
    SignupChanged,
    Spoken,
    StandbyEnded,
    Verdict,
    Voted,
    WaitEnded,
    WatchEnded,
)
from referee.service.post.bounces import count_failure, regard_as_reachable
from referee.service.post.readers import speak
from referee.service.post.writing import tell_umpire
from referee.service.seats import fill_resigned
from referee.store import codes, letters, opengames, orders, outbox, seats
from referee.store.club import write_fact
from referee.store.database.rows import (
    AbsenceRow,
    CodeRow,
    HeldRow,
    LaterRow,
    LogRow,
    MoveRow,
    ObserverRow,
    OutboxRow,
    PressRow,
    StandbyRow,
    WaitRow,
)
from referee.store.letters import Fate, Head
from referee.store.opengames import SignupRow

ROWS: Mapping[type[Any], Callable[..., object]] = {
    OutboxRow: outbox.put,
    LogRow: outbox.log,
    PressRow: orders.keep_text,
    HeldRow: codes.hold,
    ObserverRow: seats.add_observer,
    MoveRow: codes.ask_move,
    WaitRow: seats.ask_to_wait,
    AbsenceRow: seats.tell_absence,
    LaterRow: orders.keep_for_later,
    StandbyRow: seats.add_standby,
    SignupRow: opengames.sign_up,
    CodeRow: codes.issue,
}


def write(club: Club, case: Case, verdict: Verdict) -> None:
    """Write what becomes of a letter. Inside a transaction."""
    if verdict.filing is not None:
        write_filing(club, verdict.filing)
    for effect in verdict.effects:
        _carry_out(club, case.row.id, effect)
    _finish(club, case, verdict)
    if verdict.answer is not None:
        outbox.put(club.db, verdict.answer)
    for note in verdict.notes:
        tell_umpire(club, note.key, note.kind, note.values, note.game, note.turn, note.reply_to)


def write_filing(club: Club, filing: Filing) -> None:
    """Write what becomes of the orders on file. Inside a transaction."""
    if filing.withdraws:
        orders.withdraw(club.db, filing.game, filing.turn, filing.player, filing.arrived)
    if filing.confirms:
        orders.confirm(club.db, filing.confirms, filing.arrived)
    if filing.adds is not None:
        orders.file_set(club.db, filing.adds)


def _carry_out(club: Club, number: int, effect: Effect) -> None:
    """Do what letter *number* brings about."""
    db, now = club.db, club.clock()
    match effect:
        case Release():
            _release(club, effect, number)
        case Reached():
            regard_as_reachable(club, effect.address)
        case Bounced():
            count_failure(club, effect.ours, effect.failure, effect.at, number)
        case Remembered():
            write_fact(db, effect.name, effect.value)
        case Spoken():
            speak(club, effect.address, effect.language)
        case AddressKept():
            codes.void_move(db, effect.game, effect.player)
        case AddressAgreed():
            codes.agree_move(db, effect.number, effect.side, number)
        case AddressChanged():
            codes.confirm_move(db, effect.number, number, now)
            move(club, effect.position, effect.player, effect.after, effect.there, effect.here, by_umpire=False)
        case WatchEnded():
            seats.end_observer(db, effect.observer, now, number)
        case WaitEnded():
            seats.end_wait(db, effect.game, effect.turn, effect.player, now)
        case AbsencesEnded():
            seats.end_absences(db, effect.game, effect.player, now)
        case StandbyEnded():
            seats.end_standby(db, effect.address, now)
        case SignupChanged():
            opengames.rewrite(db, effect.signup)
        case Voted():
            vote(club, effect)
        case Resigned():
            resign(club, effect.position, effect.player)
            fill_resigned(club)
        case Failed():
            letters.fail(db, number, effect.trace)
        case _:
            _add(club, effect)


def _add(club: Club, row: Row) -> None:
    ROWS[type(row)](club.db, row)
    if isinstance(row, StandbyRow):
        fill_resigned(club)


def _release(club: Club, release: Release, by: int) -> None:
    codes.release(club.db, release.letter, by, club.clock())
    done = Fate.FILED
    letters.finish(club.db, release.letter, done.status, club.clock(), done, release.game, release.player)


def _finish(club: Club, case: Case, verdict: Verdict) -> None:
    reason = verdict.reason or verdict.fate
    row, status, now = case.row, verdict.fate.status, club.clock()
    counted = {"seconds": round(club.reader.spent - case.spent, 2), "sure": case.sure}
    letters.finish(club.db, row.id, status, now, reason, verdict.game, verdict.player, _head(case), **counted)


def _head(case: Case) -> Head | None:
    """Return what is kept of a letter's header, None of one that was not looked at."""
    if case.opened is not None:
        letter = case.opened
        subject = without_tokens(letter.subject)
        return Head(sender=letter.sender, subject=subject, message_id=letter.message_id, arrived=case.arrived)
    return Head(sender=case.sender, arrived=case.arrived) if case.sender else None
