"""Who is umpire of what: the club's umpire of every game, and beside that one those whom a game has of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from msgspec.structs import asdict

from referee.core import N_, ConfigError, RefereeError, Texts, Value
from referee.core.texts import canonical
from referee.mail.letter.tokens import without_tokens
from referee.store import UMPIRES, ActRow, GameRow, fact, transaction, write_act, write_fact

from .club import Club
from .tally import between_passes

_FACT = f"{UMPIRES} "  # with the id of a game behind it


class Umpire(Value):
    """An umpire of one game, known to its log by ``name``; the club's own, whom the settings name, has none."""

    address: str
    name: str = ""


Umpires = tuple[Umpire, ...]


def own_umpires(club: Club, game: str | None) -> Umpires:
    """Return the umpires that a game has of its own, as they were named; none for no game."""
    return umpires_in(fact(club, _FACT + game)) if game else ()


def umpires_in(kept: str) -> Umpires:
    """Return the umpires that stand in a fact."""
    return tuple(Umpire(**each) for each in json.loads(kept or "[]"))


def umpires_of(club: Club, game: str | None) -> Umpires:
    """Return who is written to about a game: its own umpires, else the club's; nobody where no umpire wants letters."""
    clubs = (Umpire(address=club.config.umpire),) if club.config.umpire else ()
    return own_umpires(club, game) or clubs


def umpire_at(club: Club, address: str, game: str) -> Umpire | None:
    """Return who may command a game from an address: the club's umpire or one of its own; None if nobody there may."""
    if club.config.umpire and address.lower() == club.config.umpire.lower():
        return Umpire(address=club.config.umpire)
    return next((each for each in own_umpires(club, game) if each.address.lower() == address.lower()), None)


def is_any_umpires(club: Club, address: str) -> bool:
    """Return whether an address is that of the club's umpire, or of one of any game."""
    if umpire_at(club, address, ""):
        return True
    kept = club.query("SELECT value FROM club WHERE name GLOB ?", [f"{_FACT}*"])
    return any(each["address"].lower() == address.lower() for row in kept for each in json.loads(row["value"]))


def keep_umpires(club: Club, game: str, umpires: Iterable[Umpire]) -> None:
    """Write whom a game has as umpires of its own. Inside a transaction."""
    write_fact(club, _FACT + game, json.dumps([asdict(each) for each in umpires], ensure_ascii=False))


# The log of what the umpire did with a game: every act is written into it in the transaction that does it.

UMPIRE = "umpire"  # by a command on the club's machine
BY_MAIL = "umpire by mail"
BUILT_IN = "built-in player"
REFEREE = "referee"  # what the umpire's settings had done
_LONGEST = 4000  # characters of a reason


@contextmanager
def umpires_act(club: Club) -> Iterator[None]:
    """What the umpire does inside is done whole or not at all, and not during a pass. Raises PassRunning, ConfigError."""
    with between_passes(club), transaction(club):
        yield


def log_act(
    club: Club,
    row: GameRow,
    kind: str,
    parameters: Mapping[str, object] | None = None,
    reason: str = "",
    actor: str = "",
) -> ActRow:
    """Write an act about the awaited turn into the log of a game. Inside a transaction, that of the act itself.

    *kind* is the command's word, *actor* else whoever acts with this *club*. An export tells everybody
    what stands here: no address, no code and no orders that were not played.
    """
    plain = canonical(parameters or {})
    who, why = actor or club.actor, checked_reason(reason)
    act = ActRow(
        game=row.id,
        turn=row.turn,
        at=club.now.replace(microsecond=0),
        actor=who,
        kind=kind,
        parameters=plain,
        reason=why,
    )
    return write_act(club, act)


def checked_reason(text: str, *, needed: bool = False) -> str:
    """Return the umpire's own words as they are kept and printed, without codes.

    Raises:
        ConfigError: they are too long or cannot be printed; or there are none where they are *needed*.
    """
    words = without_tokens(text.replace("\r\n", "\n").strip())
    if needed and not words:
        raise ConfigError('say why: --because "the words that the players are to read"')
    if len(words) > _LONGEST:
        told = N_("the reason has {number} characters: at most {most} are possible")
        raise ConfigError(told, number=len(words), most=_LONGEST)
    if not all(char.isprintable() or char == "\n" for char in words):
        raise ConfigError(N_("the reason holds characters that cannot be printed"))
    return words


# How the umpire's commands are written: a line with the command, in any language, and below it the umpire's words to the players.

_CHANGE = re.compile(r'"?[A-Za-z_]+(?:\.[^\s=]+)?=')


class CommandFault(RefereeError):
    """A command that is not written as it should be. ``key`` and ``values``: which sentence says so, and what it names."""

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(" ".join((key, *map(str, values.values()))))
        self.key, self.values = key, values


class Command(Value):
    """What the first ``line`` of a letter of the umpire's orders: the English ``name`` in capitals, the ``words`` behind it, and
    the ``reason`` below. ``sender``: the umpire's address; ``sure``: nobody else's lines are among these; ``given``: options of
    its row that were taken from the words, with what stood behind each; ``orders``: those of a file that was typed behind it.
    """

    line: str
    name: str
    words: Texts
    reason: str
    sender: str = ""
    sure: bool = True
    given: Mapping[str, str] = {}
    orders: str | None = None

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

    @property
    def changes(self) -> Iterator[str]:
        """What stands behind the game, as it is typed on the machine; a change may have blanks in it: track.GSW-=Dublin - Y17."""
        found: list[str] = []
        for word in self.words[1:]:
            if found and not _CHANGE.match(word):
                found[-1] += f" {word}"
            else:
                found.append(word)
        return (each[1:-1] if each[:1] == each[-1:] == '"' else each for each in found)
