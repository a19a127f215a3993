"""The umpire's commands as he writes them in a letter: a line with the command, and below it his words to the players."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from referee.core.errors import ConfigError, NotFound
from referee.orderbook import UNWATCH, WATCH
from referee.service.club.club import Club
from referee.service.club.duetimes import rhythm_of
from referee.service.deadlines import clock
from referee.service.deadlines.clock import due_words, local_words
from referee.service.turns.opengames import close, invite, signup_list, start
from referee.service.umpire import rulings
from referee.service.umpire.dryrun import dry_run
from referee.service.umpire.explain import explain
from referee.service.umpire.filing import accept, discard, file_orders
from referee.service.umpire.logbook import logged
from referee.service.umpire.undo import undo
from referee.store import games, letters, opengames
from referee.store.database.rows import GameRow

_GAME = re.compile(r"[A-Za-z]{1,6}[0-9]{1,6}")
_RULING = re.compile(r"[Uu]?(\d{1,9})")
_ORDERS_LINE = re.compile(r"^ORDERS\b", re.IGNORECASE | re.MULTILINE)  # below it stand a player's, as he writes them
_TYPED = re.compile(r"`referee (?:game )?([a-z]+) ?([^`]*)`")  # a command as sentences name it


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What a letter of the umpire's orders: ``name`` in capitals, the ``words`` behind it, and his ``reason`` below."""

    name: str
    words: tuple[str, ...]
    reason: str

    def word(self, place: int, what: str) -> str:
        """Return a word behind the name. Raises ConfigError: it is missing."""
        if len(self.words) <= place:
            raise ConfigError(f"{self.name}: {what} is missing; write it as {FORMS[self.name]}")
        return self.words[place]

    def number(self, place: int, what: str) -> int:
        """Return a number behind the name. Raises ConfigError: it is missing, or none."""
        word = self.word(place, what)
        if not (word.isascii() and word.isdigit() and len(word) < 10):
            raise ConfigError(f"{self.name}: {word!r} is no number of {what}; write it as {FORMS[self.name]}")
        return int(word)


# How each command is written. Those of LOOKS change nothing.
FORMS: Mapping[str, str] = {
    "UNDO": "UNDO RR7 3, or UNDO RR7 3 PLAY, or UNDO RR7 3 LATER PLAY",
    "ACCEPT": "ACCEPT 214",
    "DISCARD": "DISCARD 215",
    "ADJUST": "ADJUST RR7 money.GSW+=5",
    "WITHDRAW": "WITHDRAW RR7 U3",
    "NOTE": "NOTE RR7",
    "DEADLINE": "DEADLINE RR7 2026-12-20 20:00",
    "HOLD": "HOLD RR7",
    "RESUME": "RESUME RR7",
    "PLAY": "PLAY RR7 3",
    "ORDERS": "ORDERS RR7 MGW, your words to MGW below it, then a line ORDERS and the whole orders as MGW would write them",
    "INVITE": "INVITE RR9 Ann <ann@example.org>, Bob <bob@example.org>",
    "START": "START RR9, or START RR9 2026-12-20 20:00",
    "CLOSE": "CLOSE RR9",
    "SIGNUPS": "SIGNUPS RR9",
    "PREVIEW": "PREVIEW RR7",
    "EXPLAIN": "EXPLAIN RR7 3 GSW",
    "LOG": "LOG RR7",
    "COMMANDS": "COMMANDS",
}
_REASONED = ("UNDO", "ADJUST", "WITHDRAW", "DEADLINE", "HOLD", "CLOSE", "ORDERS")
LOOKS = ("SIGNUPS", "PREVIEW", "EXPLAIN", "LOG", "COMMANDS")


def parse_command(text: str) -> Command | None:
    """Return the command that the umpire's own lines begin with, None if they begin otherwise."""
    lines = text.strip().split("\n")
    name, *words = lines[0].split() or [""]
    if name.upper() not in FORMS or (name.upper() == "ORDERS" and not _names_player(words)):
        return None
    return Command(name=name.upper(), words=tuple(words), reason="\n".join(lines[1:]).strip())


def misspelt_command(text: str) -> Command | None:
    """Return what stands where a command would: an unknown word and a game (PLAI RR7 3), None where there is no such thing. An
    umpire's own orders (ORDERS RR7 3), and words of one who watches a game, are known.
    """
    name, *words = text.strip().split("\n")[0].split() or [""]
    is_unknown = name.isalpha() and name.upper() not in (*FORMS, WATCH, UNWATCH)
    looks_like_one = is_unknown and words and _GAME.fullmatch(words[0])
    return Command(name=name.upper(), words=tuple(words), reason="") if looks_like_one else None


def no_command(name: str) -> str:
    """Return the sentence about a word that is no command."""
    near = get_close_matches(name, FORMS, 1)
    return f"{name} is no command" + (f" (did you mean {near[0]}?)" if near else "") + "; COMMANDS lists them"


def _names_player(words: Sequence[str]) -> bool:
    """Return whether the words behind ORDERS name a player (RR7 MGW), and not a turn of the umpire's own (RR7 3)."""
    return len(words) == 2 and not words[1].isdigit()


def game_of(club: Club, command: Command) -> str:
    """Return the id of the game that a command is about, one that waits for players too, "" where it is about none.

    Raises:
        NotFound, ConfigError: no such game or letter.
    """
    if command.name == "COMMANDS":
        return ""
    if command.name in ("ACCEPT", "DISCARD"):
        number = command.number(0, "a letter")
        game = letters.letter(club.db, number).game
        if not game:
            raise NotFound(f"letter {number} is about no game")
        return game
    word = command.word(0, "the game")
    waiting = opengames.known(club.db, word)
    return waiting.id if waiting is not None and waiting.is_open else games.game(club.db, word).id


def as_written(sentence: str) -> str:
    """Return a sentence with the commands that it names as a letter has them: UNDO RR7 3 LATER for `referee undo RR7 3 --later`.

    What can be done on the machine alone stays as it is typed there.
    """

    def written(typed: re.Match[str]) -> str:
        name, words = typed[1].upper(), typed[2].partition("--because")[0].split()
        told = [word.removeprefix("--").upper() if word.startswith("--") else word for word in words]
        return " ".join((name, *told)) if name in FORMS else typed[0]

    return _TYPED.sub(written, sentence)


def carry_out(club: Club, command: Command) -> str:
    """Do what the umpire orders, and return what was done.

    Raises:
        RefereeError: it cannot be done; nothing was changed.
    """
    if command.name in _REASONED and not command.reason:
        raise ConfigError(f"{command.name}: say why, in lines below the command: the players read them")
    return _DOES[command.name](club, command)


def _undo(club: Club, command: Command) -> str:
    options = {word.upper() for word in command.words[2:]}
    if options - {"PLAY", "LATER"}:
        raise ConfigError(f"UNDO: PLAY or LATER is expected behind the turn; write it as {FORMS['UNDO']}")
    game, turn = command.word(0, "the game"), command.number(1, "a turn")
    done = undo(club, game, turn, command.reason, later="LATER" in options, play="PLAY" in options)
    turns = f"turn {turn} is" if len(done.turns) == 1 else f"turns {turn} to {done.turns[-1]} are"
    return (
        f"{done.game}: {turns} undone{' and played anew' if done.played else ''}; turn {done.awaited} is awaited now."
    )


def _accept(club: Club, command: Command) -> str:
    game, player, lines = accept(club, command.number(0, "a letter"), command.reason)
    return "\n".join((f"{game}: the letter of {player} counts. On file from it:", *lines))


def _discard(club: Club, command: Command) -> str:
    return discard(club, command.number(0, "a letter"), command.reason)


def _adjust(club: Club, command: Command) -> str:
    number = rulings.adjust(club, command.word(0, "the game"), command.words[1:], command.reason)
    return f"Ruling {number} is made, and all players are told."


def _withdraw(club: Club, command: Command) -> str:
    match = _RULING.fullmatch(command.word(1, "the ruling"))
    if match is None:
        raise ConfigError(f"WITHDRAW: write it as {FORMS['WITHDRAW']}")
    rulings.withdraw(club, command.words[0], int(match[1]), command.reason)
    return f"{match[1]} is taken back."


def _note(club: Club, command: Command) -> str:
    number = rulings.note(club, command.word(0, "the game"), command.reason)
    return f"Kept for the next newsletter as U{number}; WITHDRAW {command.words[0].upper()} U{number} takes it back."


def _deadline(club: Club, command: Command) -> str:
    row = clock.set_deadline(club, command.word(0, "the game"), " ".join(command.words[1:]), command.reason)
    return f"{row.id}: turn {row.turn} is {_due(club, row)}; all players are told."


def _hold(club: Club, command: Command) -> str:
    row = clock.hold(club, command.word(0, "the game"), command.reason)
    return f"{row.id} is stopped, and all players are told; RESUME {row.id} lets it go on."


def _resume(club: Club, command: Command) -> str:
    rest = [word for word in command.words[1:] if word.upper() != "HERE"]
    here = len(rest) < len(command.words[1:])
    row = clock.resume(club, command.word(0, "the game"), " ".join(rest), command.reason, here=here)
    return f"{row.id} goes on: turn {row.turn} is {_due(club, row)}; all players are told."


def _play(club: Club, command: Command) -> str:
    row = clock.order_play(club, command.word(0, "the game"), command.number(1, "a turn"), command.reason)
    return f"{row.id}: turn {row.turn} is played now, unless it waits for throws of your own."


def _orders(club: Club, command: Command) -> str:
    game, player = command.word(0, "the game"), command.word(1, "the player")
    begin = _ORDERS_LINE.search(command.reason)
    if begin is None or not command.reason[: begin.start()].strip():
        raise ConfigError(f"ORDERS: write it as {FORMS['ORDERS']}")
    lines = file_orders(club, game, player, command.reason[begin.start() :], command.reason[: begin.start()])
    return "\n".join((f"{game.upper()}: on file for {player.upper()} from now on, who is told:", *lines))


def _invite(club: Club, command: Command) -> str:
    people = tuple(each.strip() for each in " ".join(command.words[1:]).split(",") if each.strip())
    if not people:
        raise ConfigError(f"INVITE: nobody is named; write it as {FORMS['INVITE']}")
    invited = invite(club, command.word(0, "the game"), people, command.reason)
    return "\n".join(f"{each.game}: {each.name} <{each.address}> is invited" for each in invited)


def _start(club: Club, command: Command) -> str:
    game, seats = start(club, command.word(0, "the game"), " ".join(command.words[1:]))
    return "\n".join((f"{game} begins:", *(f"{each.code}, {each.colour}: {each.signup.name}" for each in seats)))


def _close(club: Club, command: Command) -> str:
    return f"{close(club, command.word(0, 'the game'), command.reason).id} is given up; who has signed up is told."


def _signups(club: Club, command: Command) -> str:
    listed = signup_list(club, command.word(0, "the game"))
    told = (
        f"- {each.name} <{each.address}>, {each.state}{f', would like {each.colours}' if each.colours else ''}"
        for each in listed.signups
    )
    free = f"{listed.game.id}: {listed.stand['free']} of {listed.stand['seats']} seats are free."
    return "\n".join((free, f"A newcomer writes: {listed.word}", *told))


def _preview(club: Club, command: Command) -> str:
    seen = dry_run(club, command.word(0, "the game"), "".join(command.words[1:2]))
    points = "\n".join(f"- {point}" for point in seen.doubtful) or "Nothing is doubtful."
    dice = "with its own dice" if seen.real else "with stand-in dice"
    return f"{points}\n\n=== {seen.game}, turn {seen.turn}, as it would go out now, {dice} ===\n\n{seen.newsletter}"


def _explain(club: Club, command: Command) -> str:
    told = explain(club, command.word(0, "the game"), command.number(1, "a turn"), "".join(command.words[2:3]))
    said = (f"{each.text}{f' [{each.paragraph}]' if each.paragraph else ''}" for each in (*told.reasons, *told.throws))
    words = (
        "\n".join((f"{number} {each.title}".rstrip(), *each.blocks)) for number, each in sorted(told.paragraphs.items())
    )
    return "\n\n".join(("\n".join(said), *words))


def _log(club: Club, command: Command) -> str:
    told = (
        f"{act.number}: {local_words(act.at, club.config.zone)}, turn {act.turn}, {act.actor}: {act.kind} {did}".rstrip()
        + f"\n{act.reason}"
        for act, did in logged(club, game_of(club, command))
    )
    return "\n\n".join(each.strip() for each in told) or "Nothing was done."


def _commands(club: Club, command: Command) -> str:
    forms = (f"- {form}" for form in FORMS.values())
    return "\n".join(("One command a letter, in its first line; below it your words to the players:", *forms))


def _due(club: Club, row: GameRow) -> str:
    return due_words(row.deadline, rhythm_of(club.config, row).zone)


_DOES: Mapping[str, Callable[[Club, Command], str]] = {
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
    "COMMANDS": _commands,
}
