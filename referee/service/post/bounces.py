"""Letters of ours that come back, counted to the player they were written to.

The player is told of as unreachable and nothing else: letters go out as before, deadlines fall as before, and the player's next
letter ends it. So whoever could forge a bounce would have won nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from referee.core import Texts
from referee.mail.letter.message import Failure, Letter
from referee.store import BounceRow, OutboxRow, PlayerRow, games, insert, outbox

from ..club import Club
from .writing import tell_umpire

FINAL = 2  # letters that came back for good
TRYING = timedelta(days=5)  # of letters that are late, without a longer break between two reports


def letter_of_ours(club: Club, letter: Letter) -> OutboxRow | None:
    """Return which letter of ours a bounce is about: by the first Message-ID in it that is ours.

    An id is made with a secret of the club's, so that nobody knows it but who was sent the letter.
    """
    named = letter.bounce.letters if letter.bounce else ()
    return next((ours for name in named if (ours := outbox.letter_of_ours(club, name))), None)


def running_seats(club: Club, address: str) -> list[PlayerRow]:
    """Return the seats held from an address in games that are not over."""
    seats = games.seats_of(club, address)
    return [seat for seat in seats if not games.game(club, seat.game).is_over]


def count_failure(club: Club, ours: OutboxRow, failure: Failure, at: datetime, letter: int | None = None) -> None:
    """Count a failure to its reader, and tell the umpire if that makes the reader unreachable. Inside a transaction.

    *letter* is the bounce that tells it, None where the server refused our letter when it was given it.
    """
    before = is_unreachable(outbox.since_heard(club, ours.recipient))
    row = BounceRow(
        outbox=ours.id,
        letter=letter,
        game=ours.game,
        player=ours.player,
        address=ours.recipient.lower(),
        status=failure.status,
        written=ours.created,
        at=at,
        final=failure.is_final,
    )
    insert(club, row)
    text = f"letter {ours.id}: {failure.action} {failure.status}"
    club.log("bounce", text, ours.game, ours.turn)
    if not before and is_unreachable(outbox.since_heard(club, ours.recipient)):
        _tell(club, ours, failure, letter)


def is_unreachable(rows: Iterable[BounceRow]) -> bool:
    """Return whether what came back from one address, in order of time, says that nothing arrives there."""
    known = tuple(rows)
    if len({row.outbox for row in known if row.final}) >= FINAL:
        return True
    began = ended = None
    for row in (row for row in known if row.status.startswith("4")):
        if not began or ended is None or row.written - ended > TRYING:
            began = row.written
        ended = row.at
    # A single letter that was given up after so many days of trying has said it all.
    return began is not None and ended is not None and ended - began >= TRYING


def unreachable_players(club: Club, game: str) -> Texts:
    """Return the codes of the players of a game whom letters do not reach."""
    players = games.players(club, game)
    return tuple(each.code for each in players if is_unreachable(outbox.since_heard(club, each.address)))


def regard_as_reachable(club: Club, address: str) -> None:
    """A letter came from *address*: whoever reads there can be reached again. Inside a transaction."""
    known = outbox.since_heard(club, address)
    if not known:
        return
    outbox.clear_bounces(club, address, club.now)
    if is_unreachable(known):
        text = f"{known[-1].player or ''}: a letter came"
        club.log("reachable", text, known[-1].game)


def _tell(club: Club, ours: OutboxRow, failure: Failure, letter: int | None) -> None:
    running = running_seats(club, ours.recipient)
    if not running:
        return
    about = next((seat for seat in running if seat.game == ours.game), running[0])
    club.log("unreachable", about.code, about.game)
    values = {
        "player": about.code,
        "name": about.name,
        "recipient": ours.recipient,
        "named": "" if failure.recipient.lower() == ours.recipient.lower() else failure.recipient,
        "status": failure.status,
        "games": [seat.game for seat in running],
        "number": letter or 0,
    }
    tell_umpire(club, f"unreachable:{ours.recipient.lower()}:{ours.id}", "unreachable", values, about.game)
