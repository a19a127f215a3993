"""The outbox: each letter at least once, always the same bytes and Message-ID; into a Maildir exactly once.

Each letter is leased to one process, sent in a transaction of its own and marked. A process that dies in between has sent it
or not: when its lease is over, the same bytes are sent again. The mark of one that a server took is on the disk before the next
begins.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from contextlib import nullcontext
from datetime import timedelta

from referee.core import (
    ConfigError,
    Interrupted,
    LetterDamaged,
    LoginRefused,
    MailDown,
    NotTaken,
    Numbers,
    Refused,
    Rejected,
    TryLater,
    Unclear,
    Value,
)
from referee.mail.compose import fault_of
from referee.mail.letter.message import Failure
from referee.store import OutboxRow, fact, lasting, outbox, redoable, transaction, write_fact
from referee.store.files import whole
from referee.store.outbox import GIVEN_UP, LEASE, LONGEST_WAIT

from ..club import Club
from ..umpires import umpire_at
from .bounces import count_failure
from .lockout import check_lockout, forget_refusals, note_refusal
from .readers import is_built_in
from .writing import tell_umpire

# What the umpire sees and does about letters of ours that have not left.


def why_paused(club: Club) -> str:
    """Return why nobody is sent anything at this moment, "" if letters go out."""
    try:
        check_lockout(club, "smtp")
    except LoginRefused as error:
        return str(error)
    pause = outbox.current_pause(club, club.now)
    return f"{pause.why} (next try at {pause.until:%H:%M} UTC)" if pause else ""


def retry(club: Club, numbers: Numbers = (), *, failed: bool = False) -> int:
    """Let letters be sent with the next pass and return how many: those of *numbers*, else all that wait, or *failed*.

    Raises:
        NotFound: one of them neither waits nor has failed; then nothing is changed.
    """
    state = "failed" if failed else "waiting"
    with transaction(club):
        chosen = numbers or tuple(row.id for row in outbox.unsent(club) if row.state == state)
        for number in chosen:
            outbox.try_again(club, number)
        outbox.end_pause(club)
    forget_refusals(club, "smtp")
    return len(set(chosen))


BATCH = 20  # letters that a process leases at once

_MINUTE = timedelta(minutes=1)
_REFUSED = "letters-refused"  # in which words to which readers, since the last one was taken

log = logging.getLogger(__name__)


class Sendings(Value):
    """What a pass sent, and how many letters could go but are ``left`` for the next one: more than a minute's share waited."""

    sent: int = 0
    left: int = 0


def send_waiting(club: Club) -> Sendings:
    """Send what is due, the oldest first, as fast as the provider allows and without ever waiting.

    Raises:
        MailDown: nobody can be sent anything; some letters wait, those before them are out.
        ConfigError: a setting is wrong.
    """
    sent = 0
    try:
        if outbox.due(club, club.now) and (paused := why_paused(club)):
            raise MailDown(f"{paused}; `referee outbox retry` tries at once")
        with redoable(club):
            now, share = club.now, sys.maxsize  # a Maildir takes any number
            if club.config.smtp.host:
                share = max(0, club.config.smtp.per_minute - outbox.tried_since(club, now - _MINUTE, now))
            while numbers := _lease(club, min(share, BATCH)):
                share -= len(numbers)
                sent += _send_leased(club, numbers)
    except MailDown as error:
        raise MailDown(f"letters wait in the outbox: {error}") from error
    finally:
        club.transport.close()
    return Sendings(sent=sent, left=outbox.due(club, club.now))


def _lease(club: Club, most: int) -> Numbers:
    if most <= 0 or not outbox.due(club, club.now):
        return ()
    with transaction(club):
        numbers = outbox.take(club, club.now, most)
    club.step("send:leased")
    return numbers


def _send_leased(club: Club, numbers: Numbers) -> int:
    """Send leased letters, and return how many went out. What is not tried is given back."""
    lease = outbox.outgoing(club, numbers[0]).lease
    assert lease
    sent = 0
    try:
        for number in numbers:
            row = outbox.outgoing(club, number)
            if row.lease != lease:
                continue  # one before it showed that its reader cannot have it now
            if club.now > lease - LEASE / 2:
                break  # the lease should last longer than sending one more
            sent += _send(club, row)
    finally:
        with transaction(club):
            outbox.release(club, numbers, lease)
    return sent


def _send(club: Club, row: OutboxRow) -> bool:
    """Send one letter and mark what became of it; return whether it is out.

    Raises:
        MailDown: nobody can be sent anything now.
    """
    try:
        row = whole(club, row)
    except LetterDamaged as error:
        log.error("letter %d of the outbox waits: %s", row.id, error)
        with transaction(club):
            outbox.mark_delayed(club, row, club.now, str(error))
        return False
    fault = fault_of(row.raw, row.message_id, row.recipient)
    if fault:
        _fail(club, row, f"not sent, by a fault of ours: {fault}")
        return False
    club.step("send:ready")
    posted = not is_built_in(row.recipient)
    try:
        if posted:
            club.transport.send(row.message_id, row.raw, row.recipient, club.config.address)
    except ConfigError:
        raise
    except Exception as error:
        _note_failure(club, row, error)
        return False
    club.step("send:sent")
    # A Maildir knows by its name a letter that is sent again; a server does not: a power cut is to undo the last mark alone.
    with lasting(club) if club.config.smtp.host else nullcontext(), transaction(club):
        outbox.mark_sent(club, row.id, club.now)
    club.step("send:marked")
    if posted:
        _note_reached(club)
    if posted and fact(club, _REFUSED):
        with transaction(club):
            write_fact(club, _REFUSED, "")
    return True


def _note_failure(club: Club, row: OutboxRow, error: Exception) -> None:
    """Keep why a letter did not leave, and what is to become of it. Raises MailDown: nobody can be sent anything now."""
    if isinstance(error, MailDown | OSError):
        _hold_all(club, row, error)
    elif isinstance(error, Unclear):
        # It is given up if another has left since; refused to two readers in the same words, all wait.
        from referee.mail.servers.login import alike

        words, known = f"{error.code} {alike(error.text)}", json.loads(fact(club, _REFUSED) or "{}")
        readers = {*(known["readers"] if known.get("words") == words else ()), row.recipient}
        with transaction(club):
            write_fact(club, _REFUSED, json.dumps({"words": words, "readers": sorted(readers)}))
        if len(readers) > 1:
            told = f"{club.config.smtp.host} refuses letters to different readers alike: {error}"
            _hold_all(club, row, Rejected(told))
        now, since = club.now, row.delayed_since
        if since and (not known or now - since >= LONGEST_WAIT):
            _fail(club, row, str(error), error)
        else:
            _delay(club, row, str(error), error)
    elif isinstance(error, Refused | TryLater):
        _note_reached(club)
        (_fail if isinstance(error, Refused) else _delay)(club, row, str(error), error)
    else:
        log.error("letter %d of the outbox could not be sent", row.id, exc_info=error)
        _delay(club, row, "not sent, by a fault of ours: see the log")


def _note_reached(club: Club) -> None:
    """Keep that the server took a letter, or answered to it: it need not be left alone any more."""
    forget_refusals(club, "smtp")
    if outbox.pause(club):
        with transaction(club):
            outbox.end_pause(club)


def _hold_all(club: Club, row: OutboxRow, error: MailDown | OSError) -> None:
    """End this pass, and leave a server alone that is down or lets nobody in; a Maildir's disk may have room again at once.

    Raises:
        MailDown: always.
    """
    now, why = club.now, str(error)
    if isinstance(error, Interrupted):
        # It may be this very letter that the server does not bear: the next pass sends the others before it.
        _delay(club, row, why)
    else:
        with transaction(club):
            if isinstance(error, Rejected):  # if it is about its reader after all, the others are tried before it
                outbox.mark_delayed(club, row, now + _MINUTE, why)
            else:
                outbox.mark_tried(club, why, now, row.id)
            if club.config.smtp.host and not isinstance(error, LoginRefused):
                outbox.write_pause(club, now, why)
    if isinstance(error, LoginRefused):
        note_refusal(club, "smtp", error)
    raise MailDown(why) from error


def _delay(club: Club, row: OutboxRow, why: str, answer: NotTaken | None = None) -> None:
    """Let a letter wait for its next try, or give it up; *answer* is the server's."""
    now = club.now
    if row.delayed_since and now - row.delayed_since >= GIVEN_UP:
        _fail(club, row, f"given up after {GIVEN_UP.days} days: {why}", answer)
        return
    with transaction(club):
        outbox.mark_delayed(club, row, now, why)


def _fail(club: Club, row: OutboxRow, why: str, answer: NotTaken | None = None) -> None:
    """Give a letter up and tell the umpire: once for each reader and turn, and never of a letter to the umpire."""
    now = club.now
    with transaction(club):
        outbox.mark_failed(club, row.id, now, why)
        club.log("letter-failed", f"{row.id}: {why}", row.game, row.turn)
        if row.recipient == club.config.umpire:
            return
        whose = f"{row.game}:{row.turn}:{row.player}" if row.player else str(row.id)
        values = {"number": row.id, "recipient": row.recipient, "player": row.player or "", "why": why}
        game = None if umpire_at(club, row.recipient, row.game or "") else row.game  # nor to one who cannot be reached
        tell_umpire(club, f"undelivered:{whose}", "undelivered", values, game, row.turn)
        if answer:
            count_failure(club, row, Failure(recipient=row.recipient, action="failed", status=_status(answer)), now)


def _status(answer: NotTaken) -> str:
    """Return the status in a server's answer (RFC 3463), as 5.1.1; 5.0.0 or 4.0.0 where it names none."""
    named = re.match(r"[45]\.[0-9]{1,3}\.[0-9]{1,3}\b", answer.text)
    return named[0] if named else f"{answer.code // 100}.0.0"
