"""The language in which somebody is written to: LANGUAGE by mail, ``referee language`` at the umpire's desk."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from referee.core.errors import ConfigError
from referee.orderbook import Question
from referee.service.club.club import Club
from referee.service.club.umpires import log_act
from referee.service.commands.addresses import seat_of
from referee.service.letters.identify import Found
from referee.service.letters.verdict import Deed, Effect, Spoken
from referee.service.post.readers import known_languages, parse_language, speak
from referee.store.database.database import transaction

VERB = "LANGUAGE"


def deed(found: Found, question: Question) -> Deed:
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
