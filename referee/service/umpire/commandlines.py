"""How the umpire's commands are written: a line with the command, in any language, and below it his words to the players."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache

from referee.core.errors import RefereeError
from referee.core.values import Value
from referee.locale import SOURCE_LANGUAGE
from referee.orderbook import UNWATCH, WATCH
from referee.orderbook.language.names import fold
from referee.orderbook.language.translated import COMMANDS
from referee.report.sentences import Spoken
from referee.resources import word_texts
from referee.service.club.club import Club
from referee.service.umpire.overview import text_of
from referee.store import letters, orders, outbox
from referee.store.database.rows import LetterRow, OrderSet

_GAME = re.compile(r"[A-Za-z]{1,6}[0-9]{1,6}")
_TYPED = re.compile(r"`referee (?:game )?([a-z]+) ?([^`]*)`")  # a command as sentences name it


class CommandFault(RefereeError):
    """A command that is not written as it should be. ``key`` and ``values``: which sentence says so, and what it names."""

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(" ".join((key, *map(str, values.values()))))
        self.key, self.values = key, values


class Command(Value):
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
    def looks(self) -> bool:
        """Whether it changes nothing, as ORDERS without a player."""
        return self.name in LOOKS or (self.name == "ORDERS" and len(self.words) == 1)

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
    "ORDERS": ("ORDERS RR7 MGW", "ORDERS RR7"),
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
REASONED = ("UNDO", "ADJUST", "WITHDRAW", "DEADLINE", "HOLD", "CLOSE", "ORDERS")
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


def command_word(word: str) -> str:
    """Return the English name of a command, or of a word behind one; "" of any other word."""
    return _known().get(fold(word), "")


def spoken_commands(language: str) -> Spoken:
    """Return the names that a language has for commands."""
    return Spoken(_names().get(language, {}))


def forms_of(name: str, language: str) -> tuple[str, ...]:
    """Return how a command is written, with the names that a language has for commands; nothing of one that there is not."""
    return tuple(map(spoken_commands(language).sentence, FORMS.get(name, ())))


def parse_command(text: str) -> Command | None:
    """Return the command that the umpire's own lines begin with, in whichever language, None if they begin otherwise."""
    lines = text.strip().split("\n")
    first, *words = lines[0].split() or [""]
    name = command_word(first) if first.isalpha() else ""
    command = Command(line=lines[0], name=name, words=tuple(words), reason="\n".join(lines[1:]).strip())
    return command if name in FORMS and (name != "ORDERS" or _is_umpires(command)) else None


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
    known = {found: found for found in FORMS} | {
        said: word for each in _names().values() for word, said in each.items()
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
        return said.sentence(" ".join((name, *told))) if name in FORMS else typed[0]

    said = spoken_commands(language)
    return _TYPED.sub(written, sentence)


# What was read from a letter that came: its lines that are orders, and what its writer was answered.


def read_back(club: Club, number: int) -> str:
    """Return what became of a letter, the lines that were read as orders, and our answer to it as it was sent.

    Raises:
        NotFound: there is no letter of that number.
    """
    row = letters.letter(club.db, number)
    parts = [_fate(row), *(_lines(each) for each in orders.of_letter(club.db, number))]
    return "\n\n".join((*parts, *_answers(club, row)))


def _fate(row: LetterRow) -> str:
    """Return what became of it: ``letter 3 from ann@example.org: done, RR1 GSW``."""
    whose = f", {row.game} {row.player or ''}".rstrip() if row.game else ""
    reason = f" ({row.reason})" if row.reason else ""
    return f"letter {row.id} from {row.sender or 'nobody'}: {row.status}{reason}{whose}"


def _lines(read: OrderSet) -> str:
    marks = [word for word, is_so in (("confirmed", read.confirmed), ("withdrawn", read.withdrawn)) if is_so]
    how = ", ".join(["in order" if read.clean else "with faults", *marks])
    return f"read as orders for turn {read.turn}, {how}:\n{read.text or 'nothing'}"


def _answers(club: Club, row: LetterRow) -> Iterator[str]:
    answers = outbox.answers_to(club.db, row.id)
    if not answers:
        yield "it was not answered"
    for answer in answers:
        yield f"answered:\n{text_of(answer)}".removesuffix("\n")
