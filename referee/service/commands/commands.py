"""Commands that do something besides orders: press for some, another address, watching; and letters of nobody we know."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from referee.mail.letter.message import Letter
from referee.orderbook import UNWATCH, WATCH
from referee.service.club.club import Club
from referee.service.commands import addresschange, observers, press
from referee.service.letters.identify import STRANGER, Found
from referee.service.letters.interpretation import Understanding
from referee.store.database.rows import LetterRow


def carry_out(
    club: Club, row: LetterRow, letter: Letter, found: Found, read: Understanding, arrived: datetime, *, sure: bool
) -> list[dict[str, Any]]:
    """Do what a player's letter asks, and return what he is told of it, for ``answers.txt.j2``. Inside a transaction.

    *sure*: the letter was read back to him and he has confirmed it.
    """
    told = press.pass_on(club, row, found, read, arrived)
    for question in read.reading.questions:
        if question.verb == "ADDRESS":
            told.append(addresschange.ask(club, row, found, question.value, sure=sure))
        elif question.verb == WATCH:
            told.append(observers.watch(club, row, letter, question))
        elif question.verb == UNWATCH:
            told.append(observers.unwatch(club, row, found.player.address, question))
    return told


def taken_apart(club: Club, row: LetterRow, letter: Letter, ignored: str) -> bool:
    """Take what need not come from a player's address: an end of watching, a watch or a new address confirmed, a code for
    observers. *ignored*: why the letter would not be taken as a player's. Return whether it was taken. Inside a transaction.
    """
    human = ignored in ("", STRANGER)
    return (
        observers.unsubscribed(club, row, letter, answer=human)
        or (human and (addresschange.confirmed(club, row, letter) or observers.confirmed(club, row, letter)))
        or (ignored == STRANGER and observers.heard(club, row, letter))
    )
