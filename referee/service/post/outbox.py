"""What the umpire sees and does about letters of ours that have not left."""

from __future__ import annotations

from referee.core.errors import LoginRefused
from referee.service.club.club import Club
from referee.service.post.lockout import check_lockout, forget_refusals
from referee.store import deliveryqueue
from referee.store.database.database import transaction


def why_paused(club: Club) -> str:
    """Return why nobody is sent anything at this moment, "" if letters go out."""
    try:
        check_lockout(club, "smtp")
    except LoginRefused as error:
        return str(error)
    pause = deliveryqueue.current_pause(club.db, club.clock())
    return f"{pause.why} (next try at {pause.until:%H:%M} UTC)" if pause else ""


def retry(club: Club, numbers: tuple[int, ...] = (), *, failed: bool = False) -> int:
    """Let letters be sent with the next pass and return how many: those of *numbers*, else all that wait, or *failed*.

    Raises:
        NotFound: one of them neither waits nor has failed; then nothing is changed.
    """
    state = "failed" if failed else "waiting"
    with transaction(club.db):
        chosen = numbers or tuple(row.id for row in deliveryqueue.unsent(club.db) if row.state == state)
        for number in chosen:
            deliveryqueue.try_again(club.db, number)
        deliveryqueue.end_pause(club.db)
    forget_refusals(club, "smtp")
    return len(set(chosen))
