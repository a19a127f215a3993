"""What the umpire orders in a letter is done here.

What was done is told as values: ``templates/common/umpiredone.txt.j2`` has the words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from referee.core.errors import NotFound, RefereeError
from referee.core.texts.wording import N_
from referee.service.club.club import Club
from referee.service.deadlines import rescheduling
from referee.service.post.readers import known_languages, parse_language, speak
from referee.service.turns.opengames import close, invite, signup_list, start
from referee.service.umpire import rulings
from referee.service.umpire.commandlines import (
    FORMS,
    REASONED,
    Command,
    CommandFault,
    command_word,
    forms_of,
    spoken_commands,
)
from referee.service.umpire.explain import dry_run, explain
from referee.service.umpire.filing import accept, discard, file_orders, on_file
from referee.service.umpire.logbook import actor_words, kind_words, logged
from referee.service.umpire.undo import undo
from referee.store import games, letters, opengames
from referee.store.database.database import transaction
from referee.store.database.rows import ActRow, GameRow

_RULING = re.compile(r"[Uu]?(\d{1,9})")
_CHANGE = re.compile(r'"?[A-Za-z_]+(?:\.[^\s=]+)?=')

Told = dict[str, Any]  # what was done, for the template


def game_of(club: Club, command: Command) -> str:
    """Return the id of the game that a command is about, one that waits for players too, "" where it is about none, or about all
    of his.

    Raises:
        NotFound, CommandFault: no such game or letter.
    """
    if command.name in ("LANGUAGE", "COMMANDS"):
        return ""
    if command.name in ("ACCEPT", "DISCARD"):
        number = command.number(0, "letter")
        game = letters.letter(club.db, number).game
        if not game:
            raise NotFound(N_("letter {number} is about no game"), number=number)
        return game
    word = command.word(0, "game")
    waiting = opengames.known(club.db, word)
    return waiting.id if waiting is not None and waiting.is_open else games.game(club.db, word).id


def carry_out(club: Club, command: Command) -> Told:
    """Do what the umpire orders, and return what was done.

    Raises:
        RefereeError: it cannot be done; nothing was changed.
    """
    if command.name in REASONED and not command.looks and not command.reason:
        raise CommandFault("no-reason")
    return {"did": command.name, **_DOES[command.name](club, command)}


def _undo(club: Club, command: Command) -> Told:
    options = {command_word(word) for word in command.words[2:]}
    if options - {"PLAY", "LATER"}:
        raise CommandFault("no-option")
    game, turn = command.word(0, "game"), command.number(1, "turn")
    done = undo(club, game, turn, command.reason, later="LATER" in options, play="PLAY" in options)
    last = done.turns[-1]
    return {"game": done.game, "turn": turn, "last": last, "played": done.played, "awaited": done.awaited}


def _accept(club: Club, command: Command) -> Told:
    game, player, lines = accept(club, command.number(0, "letter"), command.reason)
    return {"game": game, "player": player, "lines": lines}


def _discard(club: Club, command: Command) -> Told:
    number = command.number(0, "letter")
    discard(club, number, command.reason)
    return {"number": number}


def shown_first(club: Club, command: Command) -> str:
    """Return what a command would change, for what is done only when its umpire has seen that; "" where it cannot be done."""
    try:
        is_ruling = command.name == "ADJUST" and command.reason
        return rulings.before_and_after(club, command.word(0, "game"), _changes(command)) if is_ruling else ""
    except RefereeError:  # it is told when its turn to be done comes
        return ""


def _adjust(club: Club, command: Command) -> Told:
    return {"number": rulings.adjust(club, command.word(0, "game"), _changes(command), command.reason)}


def _changes(command: Command) -> Iterator[str]:
    changes: list[str] = []
    for word in command.words[1:]:  # one may have blanks in it: track.GSW-=Dublin - Y17
        if changes and not _CHANGE.match(word):
            changes[-1] += f" {word}"
        else:
            changes.append(word)
    return (each[1:-1] if each[:1] == each[-1:] == '"' else each for each in changes)  # as on the machine


def _withdraw(club: Club, command: Command) -> Told:
    match = _RULING.fullmatch(command.word(1, "ruling"))
    if match is None:
        raise CommandFault("no-number-ruling", word=command.words[1])
    rulings.withdraw(club, command.words[0], int(match[1]), command.reason)
    return {"number": f"U{match[1]}"}


def _note(club: Club, command: Command) -> Told:
    number = rulings.note(club, command.word(0, "game"), command.reason)
    return {"game": command.words[0].upper(), "number": f"U{number}"}


def _deadline(club: Club, command: Command) -> Told:
    return _clock(
        club, command, lambda game: rescheduling.set_deadline(club, game, " ".join(command.words[1:]), command.reason)
    )


def _hold(club: Club, command: Command) -> Told:
    return _clock(club, command, lambda game: rescheduling.hold(club, game, command.reason))


def _resume(club: Club, command: Command) -> Told:
    rest = [word for word in command.words[1:] if command_word(word) != "HERE"]
    here = len(rest) < len(command.words[1:])
    return _clock(
        club, command, lambda game: rescheduling.resume(club, game, " ".join(rest), command.reason, here=here)
    )


def _play(club: Club, command: Command) -> Told:
    return _clock(
        club, command, lambda game: rescheduling.order_play(club, game, command.number(1, "turn"), command.reason)
    )


def _clock(club: Club, command: Command, act: Callable[[str], GameRow]) -> Told:
    before = games.game(club.db, command.word(0, "game"))
    row = act(before.id)
    was = before.deadline or before.stopped_due
    return {"game": row.id, "turn": row.turn, "deadline": row.deadline, "before": was if was != row.deadline else None}


def _orders(club: Club, command: Command) -> Told:
    game = command.word(0, "game")
    if command.looks:
        return {"on_file": tuple(on_file(club, game))}
    player = command.word(1, "player")
    lines = command.reason.split("\n")
    begin = next((number for number, line in enumerate(lines) if _begins_orders(line)), 0)  # below it stand a player's
    if not begin or not "".join(lines[:begin]).strip():
        raise CommandFault("no-orders")
    filed = file_orders(club, game, player, "\n".join(lines[begin:]), "\n".join(lines[:begin]))
    return {"game": game.upper(), "player": player.upper(), "lines": filed}


def _begins_orders(line: str) -> bool:
    return command_word((line.split() or [""])[0]) == "ORDERS"


def _invite(club: Club, command: Command) -> Told:
    people = tuple(each.strip() for each in " ".join(command.words[1:]).split(",") if each.strip())
    if not people:
        raise CommandFault("missing-people")
    return {"invited": invite(club, command.word(0, "game"), people, command.reason)}


def _start(club: Club, command: Command) -> Told:
    game, seats = start(club, command.word(0, "game"), " ".join(command.words[1:]))
    return {"game": game, "seats": seats}


def _close(club: Club, command: Command) -> Told:
    return {"game": close(club, command.word(0, "game"), command.reason)}


def _signups(club: Club, command: Command) -> Told:
    listed = signup_list(club, command.word(0, "game"))
    return {"game": listed.game.id, "stand": listed.stand, "line": listed.word, "signups": listed.signups}


def _preview(club: Club, command: Command) -> Told:
    return {"seen": dry_run(club, command.word(0, "game"), "".join(command.words[1:2]))}


def _explain(club: Club, command: Command) -> Told:
    turn = explain(club, command.word(0, "game"), command.number(1, "turn"), "".join(command.words[2:3]))
    return {"explained": turn}


def _log(club: Club, command: Command) -> Told:
    language = club.config.language
    said = spoken_commands(language)

    def told(act: ActRow) -> ActRow:
        name = act.kind.upper()
        kind = said.sentence(name) if name in FORMS else kind_words(club, act.kind, language)
        return replace(act, actor=actor_words(club, act.actor, language), kind=kind)

    return {"acts": [(told(act), what) for act, what in logged(club, game_of(club, command), language)]}


def _language(club: Club, command: Command) -> Told:
    command.word(0, "language")
    said = " ".join(command.words)
    language = parse_language(said)
    if not language:
        known = ", ".join(f"{code} {name}" for code, name in known_languages())
        raise CommandFault("no-language", word=said, known=known)
    with transaction(club.db):
        speak(club, command.sender, language)
    return {}


def _commands(club: Club, _: Command) -> Told:
    return {"listed": [form for name in FORMS for form in forms_of(name, club.config.language)]}


_DOES: Mapping[str, Callable[[Club, Command], Told]] = {
    "UNDO": _undo,
    "ACCEPT": _accept,
    "DISCARD": _discard,
    "ADJUST": _adjust,
    "WITHDRAW": _withdraw,
    "NOTE": _note,
    "DEADLINE": _deadline,
    "HOLD": _hold,
    "RESUME": _resume,
    "PLAY": _play,
    "ORDERS": _orders,
    "INVITE": _invite,
    "START": _start,
    "CLOSE": _close,
    "SIGNUPS": _signups,
    "PREVIEW": _preview,
    "EXPLAIN": _explain,
    "LOG": _log,
    "LANGUAGE": _language,
    "COMMANDS": _commands,
}
