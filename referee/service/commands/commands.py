"""Commands that do something besides orders: press for some, another address, watching, seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from referee.config import FILES
from referee.core.errors import ConfigError
from referee.orderbook import UNWATCH, WATCH, Question
from referee.service.club.club import Club
from referee.service.club.umpires import log_act
from referee.service.commands import addresses, endings, joining, press, watching
from referee.service.commands.addresses import seat_of
from referee.service.letters.identify import Found
from referee.service.letters.verdict import Case, Deed, Effect, Remembered, Spoken, last_value
from referee.service.post.readers import (
    ATTACH,
    COMPANY,
    FORMAT,
    LONGEST,
    Faces,
    faces_of,
    fact_name,
    known_languages,
    parse_appearance,
    parse_attach,
    parse_format,
    parse_language,
    speak,
    wish,
    wish_name,
)
from referee.store.club import fact
from referee.store.database.database import transaction
from referee.store.database.rows import LetterRow

# How a player wishes to appear on the club's pages: APPEAR AS.

APPEAR = "APPEAR"


def appear(club: Club, found: Found, question: Question) -> Deed:
    """Return what this word does, nothing if the question is another one."""
    if question.verb != APPEAR:
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


# What a player wishes of the letters that he is sent: FORMAT and ATTACH.

WORDS = ("FORMAT TEXT", "FORMAT HTML", "ATTACH SVG JSON", "ATTACH NONE")


def set_faces_by_mail(club: Club, found: Found, question: Question, before: tuple[Effect, ...]) -> Deed:
    """Return what one of these words does, nothing if it is none of them. *before*: what the letter has brought about so far."""
    kind = {"FORMAT": FORMAT, "ATTACH": ATTACH}.get(question.verb)
    if kind is None:
        return Deed()
    player = found.player
    values = {"kind": "faces", "what": kind, "value": question.value, "words": WORDS, "kinds": FILES}
    if not question.value:
        return Deed(answers=(_told_faces(values, "asked", faces_of(club, player.game, player.address)),))
    parsed = parse_format(question.value) if kind == FORMAT else parse_attach(question.value)
    if not parsed:
        return Deed(answers=({**values, "state": "wrong"},))
    name = wish_name(player.address)
    value = wish(club, player.address, last_value(before, name), {kind: parsed})
    faces = faces_of(club, player.game, player.address, value)
    return Deed(answers=(_told_faces(values, "done", faces),), effects=(Remembered(name=name, value=value),))


def _told_faces(values: Mapping[str, Any], state: str, faces: Faces) -> dict[str, Any]:
    """Return what he is told of his faces; ``lacking``: those with a PDF, which cannot be made here."""
    from referee.report.paper import PDF  # here, because few letters ask for it

    return {**values, "state": state, "faces": faces, "lacking": "pdf" in faces.files and not PDF.is_installed}


# The language in which somebody is written to: LANGUAGE by mail, ``referee language`` at the umpire's desk.

VERB = "LANGUAGE"


def set_language(found: Found, question: Question) -> Deed:
    """Return what the word does: its answer, and all that follow, are in the new language."""
    values = {"kind": "language", "value": question.value, "known": known_languages()}
    if not question.value:
        return Deed(answers=({**values, "state": "asked"},))
    language = parse_language(question.value)
    if not language:
        return Deed(answers=({**values, "state": "wrong"},))
    spoken = Spoken(address=found.player.address, language=language)
    return Deed(answers=({**values, "state": "done"},), effects=(spoken,))


def in_new_language(found: Found, effects: Sequence[Effect]) -> Found:
    """Return a player as he reads our answer: in the language that his letter asks for."""
    said = [each.language for each in effects if isinstance(each, Spoken)]
    return replace(found, player=replace(found.player, language=said[-1])) if said else found


def language_of_player(club: Club, game_id: str, code: str, language: str = "") -> str:
    """Return the language in which a player is written to; the umpire gives him another one, in all his games, by naming it.

    Raises:
        NotFound: there is no such game or player.
        ConfigError: no letters can be written in that language.
    """
    player = seat_of(club, game_id, code)[1]
    if not language:
        return player.language
    parsed = parse_language(language)
    if not parsed:
        raise ConfigError(f"no letters can be written in {language!r} ({_there_are()})")
    with transaction(club.db):
        speak(club, player.address, parsed)
        log_act(
            club,
            player.game,
            seat_of(club, game_id, code)[0].row.turn,
            "language",
            {"player": code, "language": parsed},
        )
    return parsed


def _there_are() -> str:
    return "there is " + ", ".join(f"{code} {name}" for code, name in known_languages())


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
        elif question.verb == VERB:
            done += set_language(found, question)
        elif question.verb == WATCH:
            done += watching.watch(club, row, case.letter, question, done.effects)
        elif question.verb == UNWATCH:
            done += watching.unwatch(club, row, found.player.address, question, done.effects)
        else:
            done += endings.say_of_seat(club, row, found, question, done.effects)
            done += endings.deed(club, found, question, done.effects)
            done += set_faces_by_mail(club, found, question, done.effects)
            done += appear(club, found, question)
    return done + joining.join(club, case, row, read.reading, done.effects)
