"""The umpire's commands by mail: one table of them, how they are read, and what each does.

What was done is told as values: ``templates/common/umpiredone.txt.j2`` has the words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from msgspec.structs import replace

from referee.core.errors import NotFound, RefereeError
from referee.core.texts.wording import N_
from referee.core.values import Value
from referee.locale import SOURCE_LANGUAGE
from referee.orderbook import UNWATCH, WATCH
from referee.service.club.club import Club
from referee.service.club.umpires import umpire_at
from referee.service.deadlines import rescheduling
from referee.service.post.readers import known_languages, parse_language, speak
from referee.service.turns.opengames import close, invite, signup_list, start
from referee.service.umpire import rulings
from referee.service.umpire.ahead import DAYS, foretell, span, told
from referee.service.umpire.commandlines import (
    CONFIRM,
    Command,
    CommandFault,
    command_names,
    command_word,
    spoken_commands,
)
from referee.service.umpire.explain import dry_run, explain
from referee.service.umpire.filing import accept, discard, file_orders, on_file
from referee.service.umpire.logbook import actor_words, kind_words, logged
from referee.service.umpire.undo import undo
from referee.store import games, letters, opengames
from referee.store.database.database import transaction
from referee.store.database.rows import ActRow, GameRow

_GAME = re.compile(r"[A-Za-z]{1,6}[0-9]{1,6}")
_TYPED = re.compile(r"`referee (?:game )?([a-z]+) ?([^`]*)`")  # a command as sentences name it
_RULING = re.compile(r"[Uu]?(\d{1,9})")
_CHANGE = re.compile(r'"?[A-Za-z_]+(?:\.[^\s=]+)?=')

Told = dict[str, Any]  # what was done, for the template


def looks(command: Command) -> bool:
    """Return whether a command changes nothing, as ORDERS without a player."""
    row = TABLE.get(command.name)
    return row is not None and (row.looks or (command.name == "ORDERS" and len(command.words) == 1))


def game_of(club: Club, command: Command) -> str:
    """Return the id of the game that a command is about, one that waits for players too, "" where it is about none, or about all
    of his.

    Raises:
        NotFound, CommandFault: no such game or letter.
    """
    about = TABLE[command.name].about
    if not about:
        return ""
    if about == "letter":
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
    if (row := TABLE[command.name]).reasoned and not looks(command) and not command.reason:
        raise CommandFault("no-reason")
    return {"did": command.name, **row.do(club, command)}


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


def _clock(act: Callable[[Club, Command, str], GameRow]) -> Callable[[Club, Command], Told]:
    """Return what carries out an act upon a game's clock, and tells the deadline before it."""

    def do(club: Club, command: Command) -> Told:
        before = games.game(club.db, command.word(0, "game"))
        row = act(club, command, before.id)
        was = before.deadline or before.stopped_due
        moved = was if was != row.deadline else None
        return {"game": row.id, "turn": row.turn, "deadline": row.deadline, "before": moved}

    return do


def _deadline(club: Club, command: Command, game: str) -> GameRow:
    return rescheduling.set_deadline(club, game, " ".join(command.words[1:]), command.reason)


def _hold(club: Club, command: Command, game: str) -> GameRow:
    return rescheduling.hold(club, game, command.reason)


def _resume(club: Club, command: Command, game: str) -> GameRow:
    rest = [word for word in command.words[1:] if command_word(word) != "HERE"]
    here = len(rest) < len(command.words[1:])
    return rescheduling.resume(club, game, " ".join(rest), command.reason, here=here)


def _play(club: Club, command: Command, game: str) -> GameRow:
    return rescheduling.order_play(club, game, command.number(1, "turn"), command.reason)


def _orders(club: Club, command: Command) -> Told:
    game = command.word(0, "game")
    if looks(command):
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

    def in_words(act: ActRow) -> ActRow:
        name = act.kind.upper()
        kind = said.sentence(name) if name in TABLE else kind_words(club, act.kind, language)
        return replace(act, actor=actor_words(club, act.actor, language), kind=kind)

    return {"acts": [(in_words(act), what) for act, what in logged(club, game_of(club, command), language)]}


def _status(club: Club, command: Command) -> Told:
    words = command.words[command_word("".join(command.words[:1])) == "AHEAD" :]
    seen = foretell(club, span(" ".join(words) or f"{DAYS}d"))
    own = (each for each in seen if umpire_at(club, command.sender, each.game) is not None)
    return {"ahead": [(each, told(club, each, club.config.language)) for each in own]}


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
    return {"listed": [form for name in (*TABLE, CONFIRM) for form in forms_of(name, club.config.language)]}


class Row(Value, kw_only=False):
    """A command: its ``forms`` as a letter has them, and the function that does it; what it is ``about`` (game, letter, "" for
    nothing), and what else is to be known of it.

    ``reasoned``: it needs the umpire's words. ``looks``: it changes nothing, and needs no code. ``anybodys``: a player's letter
    may begin with it.
    """

    forms: tuple[str, ...]
    do: Callable[[Club, Command], Told]
    about: str = "game"
    reasoned: bool = False
    looks: bool = False
    anybodys: bool = False


# A new command is a row here, a function above, its names in orders/common/verbs.toml and a sentence in umpiredone.txt.j2.
TABLE: Mapping[str, Row] = {
    "UNDO": Row(("UNDO RR7 3", "UNDO RR7 3 PLAY", "UNDO RR7 3 LATER PLAY"), _undo, reasoned=True),
    "ACCEPT": Row(("ACCEPT 214",), _accept, about="letter"),
    "DISCARD": Row(("DISCARD 215",), _discard, about="letter"),
    "ADJUST": Row(("ADJUST RR7 money.GSW+=5",), _adjust, reasoned=True),
    "WITHDRAW": Row(("WITHDRAW RR7 U3",), _withdraw, reasoned=True),
    "NOTE": Row(("NOTE RR7",), _note, anybodys=True),
    "DEADLINE": Row(("DEADLINE RR7 2026-12-20 20:00",), _clock(_deadline), reasoned=True),
    "HOLD": Row(("HOLD RR7",), _clock(_hold), reasoned=True),
    "RESUME": Row(("RESUME RR7",), _clock(_resume)),
    "PLAY": Row(("PLAY RR7 3",), _clock(_play)),
    "ORDERS": Row(("ORDERS RR7 MGW", "ORDERS RR7"), _orders, reasoned=True),
    "INVITE": Row(("INVITE RR9 Ann <ann@example.org>, Bob <bob@example.org>",), _invite),
    "START": Row(("START RR9", "START RR9 2026-12-20 20:00"), _start),
    "CLOSE": Row(("CLOSE RR9",), _close, reasoned=True),
    "SIGNUPS": Row(("SIGNUPS RR9",), _signups, looks=True),
    "PREVIEW": Row(("PREVIEW RR7",), _preview, looks=True),
    "EXPLAIN": Row(("EXPLAIN RR7 3 GSW",), _explain, looks=True),
    "LOG": Row(("LOG RR7",), _log, looks=True),
    "STATUS": Row(("STATUS AHEAD", "STATUS AHEAD 14d"), _status, about="", looks=True),
    "LANGUAGE": Row(("LANGUAGE de",), _language, about="", anybodys=True),
    "COMMANDS": Row(("COMMANDS",), _commands, about="", looks=True, anybodys=True),
}


# How they are read, and named in sentences.


def forms_of(name: str, language: str) -> tuple[str, ...]:
    """Return how a command is written, with the names that a language has for commands; nothing of one that there is not."""
    return tuple(
        map(spoken_commands(language).sentence, TABLE[name].forms if name in TABLE else (CONFIRM,) * (name == CONFIRM))
    )


def parse_command(text: str) -> Command | None:
    """Return the command that the umpire's own lines begin with, in whichever language, None if they begin otherwise."""
    lines = text.strip().split("\n")
    first, *words = lines[0].split() or [""]
    name = command_word(first) if first.isalpha() else ""
    command = Command(line=lines[0], name=name, words=tuple(words), reason="\n".join(lines[1:]).strip())
    if name == "STATUS" and not words:  # a player's
        return None
    return command if name in (*TABLE, CONFIRM) and (name != "ORDERS" or _is_umpires(command)) else None


def misspelt_command(text: str) -> Command | None:
    """Return what stands where a command would: an unknown word and a game (PLAI RR7 3), None where there is no such thing. An
    umpire's own orders (ORDERS RR7 3), and words of one who watches a game, are known.
    """
    line = text.strip().split("\n")[0]
    name, *words = line.split() or [""]
    is_unknown = name.isalpha() and not command_word(name) and name.upper() not in (WATCH, UNWATCH)
    looks_like_one = is_unknown and words and _GAME.fullmatch(words[0])
    return Command(line=line, name=name.upper(), words=tuple(words), reason="") if looks_like_one else None


def no_command(name: str) -> CommandFault:
    """Return what is said of a word that is no command."""
    known = {found: found for found in (*TABLE, CONFIRM)} | {
        said: word for each in command_names().values() for word, said in each.items()
    }
    near = get_close_matches(name, known, 1)
    return CommandFault("near-command", word=name, near=near[0]) if near else CommandFault("no-command", word=name)


def _is_umpires(orders: Command) -> bool:
    """Return whether ORDERS names a player (RR7 MGW) or stands alone (RR7), and begins no orders of the umpire's own (RR7 3)."""
    return (len(orders.words) == 2 and not orders.words[1].isdigit()) or (len(orders.words) == 1 and not orders.reason)


def as_written(sentence: str, language: str = SOURCE_LANGUAGE) -> str:
    """Return a sentence with the commands that it names as a letter in a *language* has them: UNDO RR7 3 LATER for
    `referee undo RR7 3 --later`.

    What can be done on the machine alone stays as it is typed there.
    """

    def written(typed: re.Match[str]) -> str:
        name, words = typed[1].upper(), typed[2].partition("--because")[0].split()
        told = [word.removeprefix("--").upper() if word.startswith("--") else word for word in words]
        return said.sentence(" ".join((name, *told))) if name in TABLE else typed[0]

    said = spoken_commands(language)
    return _TYPED.sub(written, sentence)
