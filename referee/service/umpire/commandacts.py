"""The umpire's commands by mail that change something: what each does, told as values for ``umpiredone.txt.j2``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from msgspec import to_builtins
from msgspec.structs import asdict, replace

from referee.bots import SECOND, STRENGTHS
from referee.core import N_, ConfigError, RefereeError, Texts, Value, Words, fold
from referee.store import games, letters, orders, outbox, seats
from referee.store.games import acts
from referee.store.rows import GameRow

from ..audit.replay import replay
from ..club import Club
from ..commands.addresses import seat_of
from ..deadlines import rescheduling
from ..deadlines.rescheduling import parse_setting
from ..duetimes import NAMES, rhythm_of
from ..post.codes import command_names
from ..post.readers import ATTACH, FORMAT, is_built_in, parse_format, set_faces
from ..post.writing import render
from ..seats import add_standby, remove_standby, replace_player, standbys_for
from ..turns.adjudicate import parse_throw, preview, type_throws
from ..turns.inputs import Untyped
from ..turns.newgames import ambiguous_names
from ..turns.opengames import invite as invite_people
from ..turns.opengames import open_game, signup_list
from ..turns.opengames import start as begin_game
from ..turns.proposals import Proposal, parse_option, parse_player
from ..umpire import logbook, rulings
from ..umpires import umpire_at
from .colleagues import seat_built_in
from .filing import accept as accept_letter
from .filing import discard as discard_letter
from .filing import file_orders, on_file
from .filing import release as release_letter
from .overview import text_of
from .rulings import end_game, move_on
from .rulings import undo as undo_turn

# How the umpire's commands are written: a line with the command, in any language, and below it his words to the players.

Told = dict[str, Any]  # what was done, for the template


class CommandFault(RefereeError):
    """A command that is not written as it should be. ``key`` and ``values``: which sentence says so, and what it names."""

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(" ".join((key, *map(str, values.values()))))
        self.key, self.values = key, values


class Command(Value):
    """What the first ``line`` of a letter of the umpire's orders: the English ``name`` in capitals, the ``words`` behind it, and
    his ``reason`` below. ``sender``: his address; ``sure``: nobody else's lines are among these; ``given``: options of its row
    that were taken from the words, with what stood behind each.
    """

    line: str
    name: str
    words: Texts
    reason: str
    sender: str = ""
    sure: bool = True
    given: Mapping[str, str] = {}

    @property
    def text(self) -> str:
        """The whole command, as a letter has it."""
        return f"{self.line}\n{self.reason}".strip()

    @property
    def game(self) -> str:
        """The game that it names first. Raises CommandFault: none."""
        return self.word(0, "game")

    @property
    def until(self) -> str:
        """The time behind the game, or behind DEADLINE; "" for none."""
        return " ".join((*self.words[1:], self.given.get("DEADLINE", ""))).strip()

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


@cache
def _known() -> Words:
    """Return the commands and the words behind them, by their names in all languages as they are compared."""
    called = {said: name for table in command_names().values() for name, said in table.items()}
    own = {name: name for table in command_names().values() for name in table}
    return {fold(said): name for said, name in {**own, **called}.items()}


def command_word(word: str) -> str:
    """Return the English name of a command, or of a word behind one; "" of any other word."""
    return _known().get(fold(word), "")


# What was read from a letter that came: its lines that are orders, and what its writer was answered.


def read_back(club: Club, number: int) -> str:
    """Return what became of a letter, the lines that were read as orders, and our answer to it as it was sent.

    Raises:
        NotFound: there is no letter of that number.
    """
    row = letters.letter(club.db, number)
    whose = f", {row.game} {row.player or ''}".rstrip() if row.game else ""
    reason = f" ({row.reason})" if row.reason else ""
    parts = [f"letter {row.id} from {row.sender or 'nobody'}: {row.status}{reason}{whose}"]
    for read in orders.of_letter(club.db, number):
        marks = [word for word, is_so in (("confirmed", read.confirmed), ("withdrawn", read.withdrawn)) if is_so]
        how = ", ".join(["in order" if read.clean else "with faults", *marks])
        parts.append(f"read as orders for turn {read.turn}, {how}:\n{read.text or 'nothing'}")
    answers = [f"answered:\n{text_of(each)}".removesuffix("\n") for each in outbox.answers_to(club.db, row.id)]
    return "\n\n".join((*parts, *(answers or ["it was not answered"])))


_UNTYPED = N_(
    "nothing was undone: a turn asks for throws of your own; undo it without playing it, and type them: `referee dice {dice}`"
)
_PEOPLE = re.compile(r"[^,<>]*<[^<>]*>|[^\s,<>]+")
_RULING = re.compile(r"[Uu]?(\d{1,9})")
_CHANGE = re.compile(r'"?[A-Za-z_]+(?:\.[^\s=]+)?=')


def undo(club: Club, command: Command) -> Told:
    game, turn, given = command.game, command.number(1, "turn"), command.given
    if command.words[2:]:
        raise CommandFault("no-option")
    until = given.get("DEADLINE", "")
    try:
        done = undo_turn(club, game, turn, command.reason, later="LATER" in given, play="PLAY" in given, deadline=until)
    except Untyped as lacking:
        names = " ".join(f"{name}=NUMBER" for name, _ in lacking.untyped) or str(lacking)
        raise ConfigError(_UNTYPED, dice=f"{game.upper()} {names}") from lacking
    last = done.turns[-1] if done.turns else 0
    return {"turn": turn, "last": last, **asdict(done)}


def accept(club: Club, command: Command) -> Told:
    game, player, lines = accept_letter(club, command.number(0, "letter"), command.reason)
    return {"game": game, "player": player, "lines": lines}


def release(club: Club, command: Command) -> Told:
    number = command.number(0, "letter")
    game, player, lines = release_letter(club, number, command.reason) or ("", "", ())
    return {"number": number, "game": game, "player": player, "lines": lines}


def discard(club: Club, command: Command) -> Told:
    number = command.number(0, "letter")
    discard_letter(club, number, command.reason)
    return {"number": number}


def adjust(club: Club, command: Command) -> Told:
    game, number = command.game, command.given.get("WITHDRAW")
    if (number is None) == (not command.words[1:]):
        raise CommandFault("no-change")
    if number is not None:
        return {"did": "WITHDRAW", **withdraw(club, replace(command, words=(game, number)))}
    return {"game": game.upper(), "number": rulings.adjust(club, game, changes(command), command.reason)}


def changes(command: Command) -> Iterator[str]:
    found: list[str] = []
    for word in command.words[1:]:  # one may have blanks in it: track.GSW-=Dublin - Y17
        if found and not _CHANGE.match(word):
            found[-1] += f" {word}"
        else:
            found.append(word)
    return (each[1:-1] if each[:1] == each[-1:] == '"' else each for each in found)  # as on the machine


def withdraw(club: Club, command: Command) -> Told:
    match = _RULING.fullmatch(command.word(1, "ruling"))
    if match is None:
        raise CommandFault("no-number-ruling", word=command.words[1])
    rulings.withdraw(club, command.words[0], int(match[1]), command.reason)
    return {"number": f"U{match[1]}"}


Act = Callable[[Club, Command], Told]


def clock(act: Callable[[Club, Command, str], GameRow]) -> Act:
    """Return what carries out an act upon a game's clock, and tells the deadline before it."""

    def do(club: Club, command: Command) -> Told:
        before = games.game(club.db, command.game)
        row = act(club, command, before.id)
        was = before.deadline or before.stopped_due
        moved = was if was != row.deadline else None
        return {"game": row.id, "turn": row.turn, "deadline": row.deadline, "before": moved}

    return do


def give_orders(club: Club, command: Command) -> Told:
    game = command.game
    if len(command.words) == 1:
        return {"on_file": tuple(on_file(club, game))}
    player = command.word(1, "player")
    lines = command.reason.split("\n")
    firsts = ((line.split() or [""])[0] for line in lines)
    begin = next(
        (number for number, word in enumerate(firsts) if command_word(word) == "ORDERS"), 0
    )  # a player's, below
    if not begin:
        raise CommandFault("no-orders")
    filed = file_orders(club, game, player, "\n".join(lines[begin:]), "\n".join(lines[:begin]))
    return {"game": game.upper(), "player": player.upper(), "lines": filed}


def open_(club: Club, command: Command, *, dry_run: bool = False) -> Told:
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


def invite(club: Club, command: Command) -> Told:
    people = tuple(each.strip() for each in _PEOPLE.findall(" ".join(command.words[1:])))
    if not people:
        raise CommandFault("missing-people")
    return {"invited": invite_people(club, command.game, people, command.reason)}


def start(club: Club, command: Command) -> Told:
    game, seats = begin_game(club, command.game, command.until)
    return {"game": game, "seats": seats, "alike": ambiguous_names(club, game)}


def give_seat(club: Club, command: Command) -> Told:
    game, code, who = command.game, command.word(1, "player"), " ".join(command.words[2:])
    given, strength = command.given, command.given.get("STRENGTH", SECOND)
    if [bool(who), "STANDBY" in given, "BUILT-IN" in given].count(True) != 1:
        raise CommandFault("one-newcomer")
    if strength not in STRENGTHS:
        raise CommandFault("no-strength", word=strength, known=", ".join(STRENGTHS))
    before = games.seat(club.db, game, code)
    zone, language = given.get("ZONE", ""), given.get("LANGUAGE", "")
    if "STANDBY" in given:
        listed = standbys_for(club, seat_of(club, game, code)[0])
        if not listed:
            raise ConfigError(N_("nobody stands by for this game (`referee standby` lists them)"))
        first = listed[0]
        who, zone, language = f"{first.name} <{first.address}>", zone or first.zone, language or first.language
    if "BUILT-IN" in given:
        seat = seat_built_in(club, game, code, command.reason, strength)
    else:
        seat = replace_player(club, game, code, who, command.reason, zone, language)
    had = {"person": f"{before.name} <{before.address}>"} if before and not is_built_in(before.address) else {}
    told = seat.name if is_built_in(seat.address) else f"{seat.name} <{seat.address}>"
    return {"game": seat.game, "player": seat.code, "name": told, **had}


def standby(club: Club, command: Command) -> Told:
    if "WITHDRAW" in command.given:
        remove_standby(club, command.given["WITHDRAW"])
    if command.words:
        add_standby(club, " ".join(command.words))
    listed = seats.standbys(club.db)
    return {"people": [{"name": each.name, "address": each.address, "since": each.since} for each in listed]}


def end(club: Club, command: Command) -> Told:
    row = end_game(club, command.game, command.reason)
    return {"game": row.id, "turn": row.turn}


def write(club: Club, command: Command) -> Told:
    codes, given, words = command.words, command.given, command.reason
    if codes and command_word(codes[0]) == "ALL":
        codes, given = codes[1:], {**given, "ALL-GAMES": ""}
    elif codes and "ALL-GAMES" in given:
        raise CommandFault("all-games", words=" ".join(codes))
    elif not codes and "ALL-GAMES" not in given:
        raise CommandFault("no-readers")
    names = [row.id for row in games.running_games(club.db)]
    if "ALL-GAMES" not in given:
        names, codes = [command.game.upper()], codes[1:]
    observers = "OBSERVERS" in given

    def addressed(name: str) -> logbook.Addressed:
        return logbook.addressed(club, name, codes, words, umpire_at(club, command.sender, name))

    if "PREVIEW" in given:
        shown = ((position, readers[0], values) for position, readers, values in map(addressed, names))
        return {"drafts": [render(club, logbook.WORD, *each).text for each in shown]}
    told = {
        name: logbook.write_to(club, addressed(name), to_all=not codes, observers=observers)
        for name in names  # a power cut may have come between two of a letter
        if not (command.sender and any(act.actor == club.actor for act in acts(club.db, name)))
    }
    return {"written": told, "observers": observers}


def rules(club: Club, command: Command) -> Told:
    row = games.game(club.db, command.game)
    moved = move_on(club, row.id, replay(club, row.id), command.reason)
    return {"game": row.id, "moved": moved, "rules": games.last_turn(club.db, row.id).rules}


def dice(club: Club, command: Command) -> Told:
    game, given = command.game, [*map(parse_throw, command.words[1:])]
    if twice := next((name for at, (name, _) in enumerate(given) if name in dict(given[:at])), ""):
        raise ConfigError(N_("{name} is typed twice"), name=twice)
    forgotten = (*command.given.get("FORGET", "").split(),)
    seen = type_throws(club, game, dict(given), forgotten) if given or forgotten else preview(club, game)
    return {"throws": {**to_builtins(seen), "lacking": seen.lacking}}


def faces(club: Club, command: Command) -> Told:
    given = {name.lower(): value for name, value in command.given.items()} | dict(map(parse_setting, changes(command)))
    if {*given} - {FORMAT, ATTACH} or ("" != given.get(FORMAT, "") != parse_format(str(given[FORMAT]))):
        raise CommandFault("no-faces")
    seen = set_faces(club, command.game, {name: str(value) for name, value in given.items()})
    return {"game": command.words[0].upper(), "faces": {FORMAT: seen.format, ATTACH: seen.files}}


def calendar(club: Club, command: Command) -> Told:
    row, given = games.game(club.db, command.game), dict(map(parse_setting, changes(command)))
    if given:
        row = rescheduling.change_rhythm(club, row.id, given, command.reason)
    return {"game": row.id, "calendar": to_builtins(rhythm_of(club.config, row)), "changed": bool(given)}


def archive(club: Club, command: Command) -> Told:
    back = "BACK" in command.given
    row = rulings.archive(club, command.game, back=back)
    return {"game": row.id, "back": back, "statements": row.statements_due is not None and not back}
