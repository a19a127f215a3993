"""The umpire's commands by mail: one table of them, how they are read, and what each does.

What was done is told as values: ``templates/common/umpiredone.txt.j2`` has the words.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path

from msgspec.structs import asdict

from referee.core import RefereeError, Texts, Value, View, fields_of
from referee.locale import SOURCE_LANGUAGE
from referee.mail.letter.tokens import without_tokens
from referee.orderbook import UNWATCH, WATCH
from referee.store import ActRow, letters, transaction

from ..club import Club
from ..deadlines.missing import remind_now
from ..deadlines.rescheduling import calendar, hold, order_play, parse_setting, resume, set_deadline
from ..duetimes import NAMES
from ..letters.reliability import persons, records
from ..post.codes import CLUB, command_names, spoken_commands
from ..post.readers import faces, known_languages, parse_language, speak
from ..seats import standby
from ..site.parts import ratings
from ..turns.adjudicate import dice
from ..turns.gamefile import Proposal, parse_option, parse_player
from ..turns.opengames import close, invite, open_game, remove_signup, signup_list, start
from ..umpire import filing, overview, rulings
from ..umpires import Command, CommandFault
from .ahead import DAYS, foretell, span
from .colleagues import id_of, replace_player
from .explain import dry_run, explain
from .filing import command_word
from .logbook import actor_words, log_of, show_letter, show_letters, write
from .overview import ahead, now

# The umpire's commands by mail that change nothing: what each tells, as values for ``umpiredone.txt.j2``.


def show_status(club: Club, command: Command) -> View:
    if command.words and command_word(command.words[0]) == "AHEAD":
        seen = foretell(club, span(" ".join(command.words[1:]) or f"{DAYS}d"))
        return {"ahead": ahead(club, command.sender, seen, club.config.language)}
    if command.words:
        return {"standing": overview.standing(club, command.words[0])}
    return {"now": now(club, command.sender)}


def show_signups(club: Club, command: Command) -> View:
    if "WITHDRAW" in command.given:
        remove_signup(club, command)
    listed = signup_list(club, command.game)
    people = [
        {
            **fields_of(each, "name", "address", "state", "code", "company"),
            "colours": [colour for colour in each.colours.split(",") if colour],
            "since": each.seated_at or each.asked_at,
        }
        for each in listed.signups
    ]
    return {"game": listed.game.id, "stood": {**listed.stand, "join": listed.word, "signups": people}}


CONFIRM = "CONFIRM"  # what we have read back, in answer to that
GAME = re.compile(r"[A-Za-z]{1,6}[0-9]{1,6}")
_TYPED = re.compile(r"`referee (?:game )?([a-z]+) ?([^`]*)`")  # a command as sentences name it


def looks(command: Command) -> bool:
    """Return whether a command changes nothing, as ORDERS without a player."""
    row = TABLE.get(command.name)
    is_question = command.name == "ORDERS" and not command.reason and command.orders is None
    return row is not None and (is_question or len(command.words) <= row.looks)


def game_of(club: Club, command: Command) -> str:
    """Return the id of the game that a command is about, one that waits for players too, ``CLUB`` where its own umpire alone may
    give it, "" where it is about none, or about all of the umpire's.

    Raises:
        NotFound, CommandFault: no such game or letter.
    """
    about = TABLE[command.name].about
    if about == "club":
        return CLUB
    if not about or (about == "any" and not (command.words and GAME.fullmatch(command.words[0]))):
        return "" if looks(command) or not about else CLUB
    if about == "letter":
        return letters.letter(club, command.number(0, "letter")).game or CLUB
    return id_of(club, command.game)


def carry_out(club: Club, command: Command) -> View:
    """Do what the umpire orders, and return what was done.

    Raises:
        RefereeError: it cannot be done; nothing was changed.
    """
    if (row := TABLE[command.name]).reasoned and not looks(command) and not without_tokens(command.reason).strip():
        raise CommandFault("no-reason")
    return {"did": command.name, **row.do(club, _without_options(command, row.options))}


def show_first(club: Club, command: Command) -> str:
    """Return what a command would change, for what is done only when its umpire has seen that; "" where it cannot be done.

    Raises: RefereeError of a game that cannot be opened.
    """
    if command.name == "OPEN":
        open_(club, command, dry_run=True)
    try:
        is_ruling = command.name == "ADJUST" and command.reason
        return rulings.before_and_after(club, command) if is_ruling else ""
    except RefereeError:  # it is told when its turn to be done comes
        return ""


def _log(club: Club, command: Command) -> View:
    language = club.config.language
    said = spoken_commands(language)

    def describe(act: ActRow, what: str) -> View:
        name = act.kind.upper()
        did = said.sentence(name) if name in TABLE else club.word("act", act.kind, language)
        words = {"parameters": json.loads(act.parameters), "who": actor_words(club, act.actor, language), "did": did}
        return {**asdict(act), **words, "what": what}

    return {"acts": [describe(*each) for each in log_of(club, game_of(club, command), language)]}


def _language(club: Club, command: Command) -> View:
    command.word(0, "language")
    said = " ".join(command.words)
    language = parse_language(said)
    if not language:
        known = ", ".join(f"{code} {name}" for code, name in known_languages())
        raise CommandFault("no-language", word=said, known=known)
    with transaction(club):
        speak(club, command.sender, language)
    return {}


def _without_options(command: Command, valued: Mapping[str, bool]) -> Command:
    """Return a command without the options of its row among its words: they are ``given``, each with what stands behind it."""
    rest: list[str] = []
    given: dict[str, str] = {}
    last = ""
    for word in command.words:
        name = command_word(word) or word.upper()
        if name in valued:
            given[name], last = "", name
        elif valued.get(last):
            given[last] = f"{given[last]} {word}".lstrip()
        else:
            rest.append(word)
    return command.but(words=tuple(rest), given=given)


def open_(club: Club, command: Command, *, dry_run: bool = False) -> View:
    """Let a game wait for players that stands in the lines below: ``seats=4``, ``every=3 weeks``, ``player=…``, options."""
    kind, board = command.word(0, "kind"), " ".join(command.words[1:])
    lines = [line.strip() for line in command.reason.split("\n") if line.strip()]
    said = [(line, *(part.strip() for part in line.partition("=")[::2])) for line in lines]
    if wrong := next((line for line, name, value in said if not name or not value), "/" in board and board):
        raise CommandFault("no-setting", word=wrong)
    named = {name.lower(): value for _, name, value in said}
    seats = named.get("seats", "0")
    if not seats.isdigit():
        raise CommandFault("no-setting", word=f"seats={seats}")
    own = ("seats", "player", "preset", "pace", "when-full", "anonymous")
    proposal = Proposal(
        kind=kind.lower(),
        board=board,
        preset=named.get("preset", ""),
        pace=named.get("pace", ""),
        players=tuple(parse_player(value) for _, name, value in said if name.lower() == "player"),
        rhythm=dict(parse_setting(line) for line, name, _ in said if name.lower() in NAMES),
        options=tuple(parse_option(line) for line, name, _ in said if name.lower() not in (*own, *NAMES)),
        anonymous="anonymous" in named,
    )
    opened = open_game(club, proposal, int(seats), when_full="when-full" in named, dry_run=dry_run)
    if dry_run:
        return {}
    listed = signup_list(club, opened.id)
    return {"game": listed.game.id, "stand": listed.stand, "line": listed.word}


Act = Callable[[Club, Command], View]


class CommandRow(Value):
    """A command, as ``commands.toml`` explains it, with the function that does it."""

    do: Act
    forms: Texts
    typed: str
    about: str = "game"
    reasoned: bool = False
    looks: int = -1
    anybodys: bool = False
    quotes: bool = False
    asks: Mapping[str, Mapping[str, object]] = {}
    help: str = ""
    json: str = ""

    @property
    def path(self) -> str:
        """The words that call it in a terminal: ``game end``."""
        return self.typed.partition(" {")[0]

    @property
    def options(self) -> Mapping[str, bool]:
        """The words that may stand behind its others, and whether what follows is the value of each."""
        return {key[2:].upper(): "is_flag" not in told for key, told in self.asks.items() if key.startswith("--")}


_DO: Mapping[str, Act] = {
    "UNDO": rulings.undo,
    "ACCEPT": filing.accept,
    "DISCARD": filing.discard,
    "RELEASE": filing.release,
    "ADJUST": rulings.adjust,
    "WITHDRAW": rulings.withdraw,
    "NOTE": rulings.note,
    "DEADLINE": lambda club, asked: show_status(club, asked) if looks(asked) else set_deadline(club, asked),
    "HOLD": hold,
    "RESUME": resume,
    "PLAY": lambda club, asked: {
        "game": order_play(club, asked.game, turn := asked.number(1, "turn"), asked.reason).id,
        "turn": turn,
    },
    "ORDERS": filing.give_orders,
    "REPLACE": replace_player,
    "STANDBY": standby,
    "WRITE": write,
    "REMIND": remind_now,
    "CALENDAR": calendar,
    "DICE": dice,
    "FACES": faces,
    "RULES": rulings.move_on,
    "ARCHIVE": rulings.archive,
    "OPEN": open_,
    "INVITE": invite,
    "START": start,
    "END": rulings.end_game,
    "CLOSE": close,
    "STATUS": show_status,
    "LETTERS": show_letters,
    "LETTER": show_letter,
    "PLAYERS": lambda club, _: {"records": records(club), "rated": ratings(club), "whose": persons(club)},
    "NEWSLETTER": lambda club, asked: {
        "newsletter": overview.newsletter(
            club, asked.game, asked.number(1, "turn") if len(asked.words) > 1 else None, "".join(asked.words[2:3])
        )
    },
    "SIGNUPS": show_signups,
    "PREVIEW": dry_run,
    "EXPLAIN": explain,
    "LOG": _log,
    "LANGUAGE": _language,
    "COMMANDS": lambda club, _: {
        "listed": [form for name in (*TABLE, CONFIRM) for form in forms_of(name, club.config.language)]
    },
}


def _rows() -> Iterator[tuple[str, CommandRow]]:
    for name, row in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items():
        forms = tuple(row.pop("forms"))
        yield name, CommandRow(do=_DO[name], forms=forms, **{"typed": f"{name.lower()} {{game}} {{more}}", **row})


TABLE: Mapping[str, CommandRow] = dict(_rows())


# How they are read, and named in sentences.


def forms_of(name: str, language: str) -> Texts:
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
    return command if name in (*TABLE, CONFIRM) and (name != "ORDERS" or _is_umpires(command)) else None


def misspelt_command(text: str) -> Command | None:
    """Return what stands where a command would: an unknown word and a game (PLAI RR7 3), None where there is no such thing. An
    umpire's own orders (ORDERS RR7 3), and words of one who watches a game, are known.
    """
    line = text.strip().split("\n")[0]
    name, *words = line.split() or [""]
    is_unknown = name.isalpha() and not command_word(name) and name.upper() not in (WATCH, UNWATCH)
    looks_like_one = is_unknown and words and GAME.fullmatch(words[0])
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

    def write_command(typed: re.Match[str]) -> str:
        name, words = typed[1].upper(), typed[2].partition("--because")[0].split()
        told = [word.removeprefix("--").upper() if word.startswith("--") else word for word in words if word != "FILE"]
        return said.sentence(" ".join((name, *told))) if name in TABLE else typed[0]

    said = spoken_commands(language)
    return _TYPED.sub(write_command, sentence)


_SAID = re.compile(r"\b([^\W\d_a-z]{3,})\s+([A-Z]{1,6}\d{1,6})\b(?:\s+(U?\d+)\b)?")  # a command as letters name it


def as_typed(sentence: str) -> str:
    """Return a sentence with the commands that it names as a terminal has them: `referee undo RR7 3` for UNDO RR7 3."""

    def type_command(said: re.Match[str]) -> str:
        row = TABLE.get(command_word(said[1]))
        return f"`referee {row.typed.format(game=said[2], more=said[3] or '').strip()}`" if row else said[0]

    return _SAID.sub(type_command, sentence)
