"""Letters with a machine's mark that may be a person's: redirected by a rule of the mail server, or without a return path."""

from __future__ import annotations

import re
from datetime import datetime

from msgspec.structs import replace

from referee.mail.letter.bounces import Failure
from referee.mail.letter.headers import without_marks
from referee.mail.letter.message import Letter
from referee.service.club.club import Club
from referee.service.letters.identify import Found, identify, with_returned_marked
from referee.service.letters.proof import owner_of_code
from referee.service.letters.verdict import Bounced, Case, Deed, Note, Verdict
from referee.service.post.bounces import letter_of_ours, running_seats
from referee.store import games, letters, outbox
from referee.store.database.rows import LetterRow
from referee.store.letters import Fate

# What Exchange writes into each letter that a rule redirects (``mail.redirected``).
_REDIRECTED = re.compile(
    rb"^(?:return-path(?=:\s*<\s*>\s*$)|auto-submitted(?=:\s*auto-(?:generated|forwarded)))",
    re.IGNORECASE | re.MULTILINE,
)
_NO_PATH = re.compile(rb"^return-path(?=:\s*<\s*>\s*$)", re.IGNORECASE | re.MULTILINE)
_SPEAKERS = ("auto-submitted", "auto-reply")  # a person's letter may bear these signs
WITH_ORDERS = "with orders"


def as_sent(club: Club, raw: bytes) -> bytes:
    """Return a letter without the marks of the rule that redirects the club's mail, if there is such a rule."""
    return without_marks(raw, _REDIRECTED) if club.config.redirected else raw


def by_a_person(club: Club, row: LetterRow, letter: Letter) -> Letter:
    """Return a letter that gives orders, and is a machine's by nothing but its missing return path, as a person's."""
    if letter.robot != "bounce" or letter.bounce or not letter.sender or _orders_of(club, letter) is None:
        return letter
    plain = club.reader.read(without_marks(row.raw, _NO_PATH))
    return letter if plain.robot else plain


def reported(club: Club, case: Case) -> Verdict | None:
    """Return the verdict on a machine's letter that gives orders: the umpire is told of it, once a turn; None on any other."""
    found = _orders_of(club, case.letter) if case.letter.robot in _SPEAKERS else None
    if found is None:
        return None
    game, turn, player = found.position.row.id, found.position.row.turn, found.player.code
    sign = case.letter.robot
    verdict = Verdict(fate=Fate.ROBOT, reason=f"{Fate.ROBOT}: {sign}, {WITH_ORDERS}", game=game, player=player)
    key = f"machine:{game}:{turn}"
    if outbox.has(club.db, f"umpire:{key}"):
        return verdict
    number = letters.times_of(club.db, game, f"{Fate.ROBOT}: %{WITH_ORDERS}") + 1
    values = {"player": player, "letter": case.row.id, "sign": sign, "number": number}
    return replace(verdict, notes=(Note(key=key, kind="machine", values=values, game=game, turn=turn),))


def _orders_of(club: Club, letter: Letter) -> Found | None:
    """Return whose letter it is, where it gives orders for a running game in words of its own."""
    owner = owner_of_code(club, letter)
    if owner is not None:
        position = club.positions.of(club.db, games.game(club.db, owner.game))
        found = Found(position=position, player=position.player(owner.code))
    elif letter.sender and games.seats_of(club.db, letter.sender):
        found = identify(club, letter)
    else:
        return None
    if found.why is not None:
        return None
    own = with_returned_marked(club, letter)
    _, read = club.reader.meant(own, found.player.code, found.position.in_play)
    return found if read.gives_orders else None


# What a mail server's report says of a letter of ours.


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
