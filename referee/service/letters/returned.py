"""What a mail server's report says of a letter of ours."""

from __future__ import annotations

from datetime import datetime

from referee.mail.letter.bounces import Failure
from referee.mail.letter.message import Letter
from referee.service.club.club import Club
from referee.service.letters.verdict import Bounced, Deed, Note
from referee.service.post.bounces import letter_of_ours, running_seats
from referee.store import games
from referee.store.database.rows import LetterRow


def bounce(club: Club, row: LetterRow, letter: Letter, arrived: datetime) -> Deed:
    """Return what a letter says of one of ours: that it came back; one that names none of them is told to the umpire, if it names
    a player, and counts to nobody.
    """
    if letter.bounce is None:
        return Deed()
    ours, failure = letter_of_ours(club, letter), letter.bounce.worst
    if ours is not None:
        return Deed(effects=(Bounced(ours=ours, failure=failure, at=arrived),))
    return Deed(notes=_unproved(club, failure, row.id) if failure.is_final and failure.recipient else ())


def _unproved(club: Club, failure: Failure, number: int) -> tuple[Note, ...]:
    """Return what the umpire is told, once a turn, of a bounce that anybody may have written: some servers return nothing of our
    letter.
    """
    running = running_seats(club, failure.recipient)
    if not running:
        return ()
    seat, game = running[0], games.game(club.db, running[0].game)
    values = {"player": seat.code, "name": seat.name, "recipient": seat.address, "status": failure.status}
    key = f"unproved-bounce:{game.id}:{game.turn}:{seat.code}"
    return (Note(key=key, kind="unproved-bounce", values={**values, "number": number}, game=game.id, turn=game.turn),)
