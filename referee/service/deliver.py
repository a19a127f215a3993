"""The outbox: each letter at least once, always the same bytes and Message-ID; into a Maildir exactly once."""

from __future__ import annotations

from referee.core.errors import MailDown
from referee.service.club import Club
from referee.store import outbox
from referee.store.database import transaction


def send_waiting(club: Club) -> int:
    """Send all that waits, the oldest first, and return how many letters went out.

    Raises:
        MailDown: some could not be sent; they wait for the next pass, the others are out.
    """
    sent, failed = 0, ""
    for number in outbox.waiting(club.db):
        row = outbox.outgoing(club.db, number)
        club.step("send:ready")
        try:
            club.transport.send(row.message_id, row.raw)
        except (MailDown, OSError) as error:
            failed = str(error)
            with transaction(club.db):
                outbox.mark_failed(club.db, number, failed)
            continue
        club.step("send:sent")
        with transaction(club.db):
            outbox.mark_sent(club.db, number, club.clock())
        club.step("send:marked")
        sent += 1
    if failed:
        raise MailDown(f"letters wait in the outbox: {failed}")
    return sent
