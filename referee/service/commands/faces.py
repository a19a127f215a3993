"""What a player wishes of the letters that he is sent: FORMAT and ATTACH."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.config import FILES
from referee.orderbook import Question
from referee.service.club.club import Club
from referee.service.letters.identify import Found
from referee.service.letters.verdict import Deed, Effect, Remembered, last_value
from referee.service.post.readers import ATTACH, FORMAT, Faces, faces_of, parse_attach, parse_format, wish, wish_name

WORDS = ("FORMAT TEXT", "FORMAT HTML", "ATTACH SVG JSON", "ATTACH NONE")


def deed(club: Club, found: Found, question: Question, before: tuple[Effect, ...]) -> Deed:
    """Return what one of these words does, nothing if it is none of them. *before*: what the letter has brought about so far."""
    kind = {"FORMAT": FORMAT, "ATTACH": ATTACH}.get(question.verb)
    if kind is None:
        return Deed()
    player = found.player
    values = {"kind": "faces", "what": kind, "value": question.value, "words": WORDS, "kinds": FILES}
    if not question.value:
        return Deed(answers=(_answer(values, "asked", faces_of(club, player.game, player.address)),))
    parsed = parse_format(question.value) if kind == FORMAT else parse_attach(question.value)
    if not parsed:
        return Deed(answers=({**values, "state": "wrong"},))
    name = wish_name(player.address)
    value = wish(club, player.address, last_value(before, name), {kind: parsed})
    faces = faces_of(club, player.game, player.address, value)
    return Deed(answers=(_answer(values, "done", faces),), effects=(Remembered(name=name, value=value),))


def _answer(values: Mapping[str, Any], state: str, faces: Faces) -> dict[str, Any]:
    """Return what he is told of his faces; ``lacking``: those with a PDF, which cannot be made here."""
    from referee.report.paper import PDF  # here, because few letters ask for it

    return {**values, "state": state, "faces": faces, "lacking": "pdf" in faces.files and not PDF.is_installed}
