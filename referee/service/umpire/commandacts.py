"""The umpire's commands by mail that change something: what each does, told as values for ``umpiredone.txt.j2``."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from msgspec import to_builtins

from referee.core import N_, ConfigError, View, Words, fold
from referee.store import games, letters, orders, outbox
from referee.store.games import acts

from ..club import Club
from ..deadlines.rescheduling import parse_setting
from ..duetimes import NAMES
from ..post.codes import command_names
from ..post.readers import ATTACH, FORMAT, parse_format, set_faces
from ..post.writing import render
from ..turns.adjudicate import parse_throw, preview, type_throws
from ..turns.opengames import open_game, signup_list
from ..turns.proposals import Proposal, parse_option, parse_player
from ..umpire import logbook
from ..umpires import Command, CommandFault, umpire_at
from .filing import file_orders, on_file
from .overview import text_of

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
    row = letters.letter(club, number)
    whose = f", {row.game} {row.player or ''}".rstrip() if row.game else ""
    reason = f" ({row.reason})" if row.reason else ""
    parts = [f"letter {row.id} from {row.sender or 'nobody'}: {row.status}{reason}{whose}"]
    for read in orders.of_letter(club, number):
        marks = [word for word, is_so in (("confirmed", read.confirmed), ("withdrawn", read.withdrawn)) if is_so]
        how = ", ".join(["in order" if read.clean else "with faults", *marks])
        parts.append(f"read as orders for turn {read.turn}, {how}:\n{read.text or 'nothing'}")
    answers = [f"answered:\n{text_of(each)}".removesuffix("\n") for each in outbox.answers_to(club, row.id)]
    return "\n\n".join((*parts, *(answers or ["it was not answered"])))


Act = Callable[[Club, Command], View]


def give_orders(club: Club, command: Command) -> View:
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


def write(club: Club, command: Command) -> View:
    codes, given, words = command.words, command.given, command.reason
    if codes and command_word(codes[0]) == "ALL":
        codes, given = codes[1:], {**given, "ALL-GAMES": ""}
    elif codes and "ALL-GAMES" in given:
        raise CommandFault("all-games", words=" ".join(codes))
    elif not codes and "ALL-GAMES" not in given:
        raise CommandFault("no-readers")
    names = [row.id for row in games.running_games(club)]
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
        if not (command.sender and any(act.actor == club.actor for act in acts(club, name)))
    }
    return {"written": told, "observers": observers}


def dice(club: Club, command: Command) -> View:
    game, given = command.game, [*map(parse_throw, command.words[1:])]
    if twice := next((name for at, (name, _) in enumerate(given) if name in dict(given[:at])), ""):
        raise ConfigError(N_("{name} is typed twice"), name=twice)
    forgotten = (*command.given.get("FORGET", "").split(),)
    seen = type_throws(club, game, dict(given), forgotten) if given or forgotten else preview(club, game)
    return {"throws": {**to_builtins(seen), "lacking": seen.lacking}}


def faces(club: Club, command: Command) -> View:
    given = {name.lower(): value for name, value in command.given.items()} | dict(map(parse_setting, command.changes))
    if {*given} - {FORMAT, ATTACH} or ("" != given.get(FORMAT, "") != parse_format(str(given[FORMAT]))):
        raise CommandFault("no-faces")
    seen = set_faces(club, command.game, {name: str(value) for name, value in given.items()})
    return {"game": command.words[0].upper(), "faces": {FORMAT: seen.format, ATTACH: seen.files}}
