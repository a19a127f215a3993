"""Commands that do something besides orders: press for some, another address, watching, seats."""

from __future__ import annotations

from referee.orderbook import UNWATCH, WATCH
from referee.service.club.club import Club
from referee.service.commands import addresses, appearance, endings, faces, joining, language, leave, press, watching
from referee.service.letters.verdict import Case, Deed
from referee.store.database.rows import LetterRow


def deed(club: Club, case: Case, row: LetterRow, *, sure: bool) -> Deed:
    """Return what the texts and commands of a player's letter do. *row*: the letter that says so, which may be a held one.

    *sure*: the letter was read back to him and he has confirmed it.
    """
    found, read = case.found, case.read
    assert read is not None
    done = press.texts(club, row, found, read, case.arrived)
    for question in read.reading.questions:
        if question.verb == "ADDRESS":
            done += addresses.address(club, row, found, question.value, done.effects, sure=sure)
        elif question.verb == language.VERB:
            done += language.deed(found, question)
        elif question.verb == WATCH:
            done += watching.watch(club, row, case.letter, question, done.effects)
        elif question.verb == UNWATCH:
            done += watching.unwatch(club, row, found.player.address, question, done.effects)
        else:
            done += leave.deed(club, row, found, question, done.effects)
            done += endings.deed(club, found, question, done.effects)
            done += faces.deed(club, found, question, done.effects)
            done += appearance.deed(club, found, question)
    return done + joining.join(club, case, row, read.reading, done.effects)
