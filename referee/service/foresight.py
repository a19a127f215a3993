"""Whose the next letter most likely is, before anybody has read it: what will be asked about it is then answered while the one
before it still is. A guess that is wrong costs some of the reader's time, and nothing else.
"""

from __future__ import annotations

from referee.mail.letter.headers import read_head
from referee.mail.letter.identity import message_ids, sole_mailbox
from referee.reader.values import Guess
from referee.service.club.club import Club
from referee.service.letters.interpretation import base
from referee.service.letters.ownquotes import answered_by, raws_of
from referee.store import games, orders
from referee.store.database.rows import LetterRow


def guess(club: Club, row: LetterRow | None) -> Guess | None:
    """Return whose a letter is by the sender that its header names, if he plays in one game alone."""
    try:
        return _guess(club, row) if row is not None else None
    except Exception:  # whoever handles that letter meets what is wrong; the one in hand is not to blame
        return None


def _guess(club: Club, row: LetterRow) -> Guess | None:
    head, _ = read_head(row.raw)
    sender = sole_mailbox(head.all("from"))
    seats = games.seats_of(club.db, sender.address) if sender else ()
    if sender is None or len(seats) != 1:
        return None
    position = club.positions.of(club.db, games.game(club.db, seats[0].game))
    if position.row.status != "running":
        return None
    player = seats[0].code
    references = message_ids((*head.all("references"), *head.all("in-reply-to")))
    ours, broken = answered_by(club, references, sender.address, seats)
    sets = orders.sets(club.db, position.row.id, position.row.turn)
    file = base(sets, player, row.arrived)
    return Guess(game=position.in_play, player=player, ours=raws_of(ours), broken=broken, file=file)
