"""The umpire's commands as he writes them in a letter: a line with the command, and below it his words to the players.

What was done is told as values: ``templates/common/umpiredone.txt.j2`` has the words.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from typing import Any

from referee.core.errors import NotFound, RefereeError
from referee.core.regex import regex
from referee.core.texts.wording import N_
from referee.core.values import dataclass
from referee.locale import SOURCE_LANGUAGE
from referee.orderbook import UNWATCH, WATCH
from referee.orderbook.language.names import fold
from referee.orderbook.language.translated import COMMANDS
from referee.report.sentences import Spoken
from referee.resources import word_texts
from referee.service.club.club import Club
from referee.service.deadlines import rescheduling
from referee.service.post.languages import known_languages, parse_language, speak
from referee.service.turns.opengames import close, invite, signup_list, start
from referee.service.umpire import rulings
from referee.service.umpire.dryrun import dry_run
from referee.service.umpire.explain import explain
from referee.service.umpire.filing import accept, discard, file_orders
from referee.service.umpire.logbook import actor_words, kind_words, logged
from referee.service.umpire.undo import undo
from referee.store import games, letters, opengames
from referee.store.database.database import transaction
from referee.store.database.rows import ActRow, GameRow

_GAME = regex(r"[A-Za-z]{1,6}[0-9]{1,6}")
_RULING = regex(r"[Uu]?(\d{1,9})")
_CHANGE = regex(r'"?[A-Za-z_]+(?:\.[^\s=]+)?=')
_TYPED = regex(r"`referee (?:game )?([a-z]+) ?([^`]*)`")  # a command as sentences name it

Told = dict[str, Any]  # what was done, for the template


class CommandFault(RefereeError):
    """A command that is not written as it should be. ``key`` and ``values``: which sentence says so, and what it names."""

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(" ".join((key, *map(str, values.values()))))
        self.key, self.values = key, values


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What the first ``line`` of a letter of the umpire's orders: the English ``name`` in capitals, the ``words`` behind it, and
    his ``reason`` below. ``sender``: his address; ``sure``: nobody else's lines are among these.
    """

    line: str
    name: str
    words: tuple[str, ...]
    reason: str
    sender: str = ""
    sure: bool = True

    @property
    def text(self) -> str:
        """The whole command, as a letter has it."""
        return f"{self.line}\n{self.reason}".strip()

    def word(self, place: int, what: str) -> str:
        """Return a word behind the name; *what*: game, letter, turn, player, ruling, language. Raises CommandFault: none."""
        if len(self.words) <= place:
            raise CommandFault(f"missing-{what}")
        return self.words[place]

    def number(self, place: int, what: str) -> int:
        """Return a number behind the name. Raises CommandFault: it is missing, or none."""
        word = self.word(place, what)
        if not (word.isascii() and word.isdigit() and len(word) < 10):
            raise CommandFault(f"no-number-{what}", word=word)
        return int(word)


CONFIRM = "CONFIRM"  # what we have read back, in answer to that

# How each command is written. Those of LOOKS change nothing.
FORMS: Mapping[str, tuple[str, ...]] = {
    "UNDO": ("UNDO RR7 3", "UNDO RR7 3 PLAY", "UNDO RR7 3 LATER PLAY"),
    "ACCEPT": ("ACCEPT 214",),
    "DISCARD": ("DISCARD 215",),
    "ADJUST": ("ADJUST RR7 money.GSW+=5",),
    "WITHDRAW": ("WITHDRAW RR7 U3",),
    "NOTE": ("NOTE RR7",),
    "DEADLINE": ("DEADLINE RR7 2026-12-20 20:00",),
    "HOLD": ("HOLD RR7",),
    "RESUME": ("RESUME RR7",),
    "PLAY": ("PLAY RR7 3",),
    "ORDERS": ("ORDERS RR7 MGW",),
    "INVITE": ("INVITE RR9 Ann <ann@example.org>, Bob <bob@example.org>",),
    "START": ("START RR9", "START RR9 2026-12-20 20:00"),
    "CLOSE": ("CLOSE RR9",),
    "SIGNUPS": ("SIGNUPS RR9",),
    "PREVIEW": ("PREVIEW RR7",),
    "EXPLAIN": ("EXPLAIN RR7 3 GSW",),
    "LOG": ("LOG RR7",),
    "LANGUAGE": ("LANGUAGE de",),
    "COMMANDS": ("COMMANDS",),
    CONFIRM: (CONFIRM,),
}
_REASONED = ("UNDO", "ADJUST", "WITHDRAW", "DEADLINE", "HOLD", "CLOSE", "ORDERS")
LOOKS = ("SIGNUPS", "PREVIEW", "EXPLAIN", "LOG", "COMMANDS")


@cache
def _names() -> Mapping[str, Mapping[str, str]]:
    """Return what each language calls the commands, by their English names."""
    tables: Mapping[str, Mapping[str, str]] = tomllib.loads(word_texts("")[0])[COMMANDS]
    return tables


@cache
def _known() -> Mapping[str, str]:
    """Return the commands and the words behind them, by their names in all languages as they are compared."""
    own = {name: name for name in (*FORMS, "LATER", "HERE")}
    called = {name: word for table in _names().values() for word, name in table.items()}
    return {fold(name): word for name, word in {**own, **called}.items()}


def forms_of(name: str, language: str) -> tuple[str, ...]:
    """Return how a command is written, with the names that a language has for commands; nothing of one that there is not."""
    said = Spoken(_names().get(language, {}))
    return tuple(map(said.sentence, FORMS.get(name, ())))


def parse_command(text: str) -> Command | None:
    """Return the command that the umpire's own lines begin with, in whichever language, None if they begin otherwise."""
    lines = text.strip().split("\n")
    first, *words = lines[0].split() or [""]
    name = _known().get(fold(first), "") if first.isalpha() else ""
    if name not in FORMS or (name == "ORDERS" and not _names_player(words)):
        return None
    return Command(line=lines[0], name=name, words=tuple(words), reason="\n".join(lines[1:]).strip())


def misspelt_command(text: str) -> Command | None:
    """Return what stands where a command would: an unknown word and a game (PLAI RR7 3), None where there is no such thing. An
    umpire's own orders (ORDERS RR7 3), and words of one who watches a game, are known.
    """
    line = text.strip().split("\n")[0]
    name, *words = line.split() or [""]
    is_unknown = name.isalpha() and fold(name) not in _known() and name.upper() not in (WATCH, UNWATCH)
    looks_like_one = is_unknown and words and _GAME.fullmatch(words[0])
    return Command(line=line, name=name.upper(), words=tuple(words), reason="") if looks_like_one else None


def no_command(name: str) -> CommandFault:
    """Return what is said of a word that is no command."""
    known = {found: found for found in FORMS} | {
        said: word for each in _names().values() for word, said in each.items()
    }
    near = get_close_matches(name, known, 1)
    return CommandFault("near-command", word=name, near=near[0]) if near else CommandFault("no-command", word=name)


def _names_player(words: Sequence[str]) -> bool:
    """Return whether the words behind ORDERS name a player (RR7 MGW), and not a turn of the umpire's own (RR7 3)."""
    return len(words) == 2 and not words[1].isdigit()


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


def as_written(sentence: str, language: str = SOURCE_LANGUAGE) -> str:
    """Return a sentence with the commands that it names as a letter in a *language* has them: UNDO RR7 3 LATER for
    `referee undo RR7 3 --later`.

    What can be done on the machine alone stays as it is typed there.
    """

    def written(typed: re.Match[str]) -> str:
        name, words = typed[1].upper(), typed[2].partition("--because")[0].split()
        told = [word.removeprefix("--").upper() if word.startswith("--") else word for word in words]
        return said.sentence(" ".join((name, *told))) if name in FORMS else typed[0]

    said = Spoken(_names().get(language, {}))

    return _TYPED.sub(written, sentence)


def carry_out(club: Club, command: Command) -> Told:
    """Do what the umpire orders, and return what was done.

    Raises:
        RefereeError: it cannot be done; nothing was changed.
    """
    if command.name in _REASONED and not command.reason:
        raise CommandFault("no-reason")
    return {"did": command.name, **_DOES[command.name](club, command)}


def _undo(club: Club, command: Command) -> Told:
    options = {_known().get(fold(word)) for word in command.words[2:]}
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
    rest = [word for word in command.words[1:] if _known().get(fold(word)) != "HERE"]
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
    game, player = command.word(0, "game"), command.word(1, "player")
    lines = command.reason.split("\n")
    begin = next((number for number, line in enumerate(lines) if _begins_orders(line)), 0)  # below it stand a player's
    if not begin or not "".join(lines[:begin]).strip():
        raise CommandFault("no-orders")
    filed = file_orders(club, game, player, "\n".join(lines[begin:]), "\n".join(lines[:begin]))
    return {"game": game.upper(), "player": player.upper(), "lines": filed}


def _begins_orders(line: str) -> bool:
    return _known().get(fold((line.split() or [""])[0])) == "ORDERS"


def _invite(club: Club, command: Command) -> Told:
    people = tuple(each.strip() for each in " ".join(command.words[1:]).split(",") if each.strip())
    if not people:
        raise CommandFault("missing-people")
    return {"invited": invite(club, command.word(0, "game"), people, command.reason)}


def _start(club: Club, command: Command) -> Told:
    game, seats = start(club, command.word(0, "game"), " ".join(command.words[1:]))
    return {"game": game, "seats": seats}


def _close(club: Club, command: Command) -> Told:
    return {"game": close(club, command.word(0, "game"), command.reason).id}


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
    said = Spoken(_names().get(language, {}))

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
