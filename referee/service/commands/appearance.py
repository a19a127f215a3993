"""How a player wishes to appear on the club's pages: APPEAR AS."""

from __future__ import annotations

from referee.orderbook import Question
from referee.service.club.club import Club
from referee.service.letters.identify import Found
from referee.service.letters.verdict import Deed, Remembered
from referee.service.post.readers import COMPANY, LONGEST, fact_name, parse_appearance
from referee.store.club import fact

VERB = "APPEAR"


def deed(club: Club, found: Found, question: Question) -> Deed:
    """Return what this word does, nothing if the question is another one."""
    if question.verb != VERB:
        return Deed()
    name = fact_name(found.player.address)
    values = {
        "kind": "appear",
        "value": question.value,
        "longest": LONGEST,
        "published": bool(club.config.publish.folder),
    }
    if not question.value:
        said = fact(club.db, name) or (COMPANY if club.config.publish.names == "companies" else found.player.name)
        return Deed(answers=({**values, "state": "asked", "name": said, "company": said == COMPANY},))
    parsed = parse_appearance(question.value)
    if not parsed:
        return Deed(answers=({**values, "state": "wrong", "name": "", "company": False},))
    told = {**values, "state": "done", "name": parsed, "company": parsed == COMPANY}
    return Deed(answers=(told,), effects=(Remembered(name=name, value=parsed),))
