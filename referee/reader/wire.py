"""Values as JSON between the referee and the process that reads letters: nothing that comes back can be more than a value."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

from referee.core import Complaint, Complaints, Keeper, Pair, Phrase, ReaderFailed, Texts, Value, Word
from referee.core.game import Forecast, Game, Player, Setup
from referee.core.texts import Codec
from referee.games import game_named
from referee.mail.letter.message import Bounce, Failure, Letter
from referee.orderbook import PrivatePress, Question, Reading, Trial

from .limitedprocess import LETTER, QUERY, THING, LimitedProcess, Limits
from .understanding import Tried, Understanding

# What the reader's process is told, and what it says.


class Language(Keeper):
    """The texts of an order language: of all games, of this one, its grammar, and what an umpire lays over them, each with its
    file. ``parser``: the tables made of the grammar.
    """

    common: str
    verbs: str
    grammar: str
    own: tuple[Pair, ...]
    parser: bytes

    @cached_property
    def key(self) -> str:
        """The same for the same texts."""
        told = repr((self.common, self.verbs, self.grammar, self.own)).encode()
        return f"language {hashlib.sha256(told).hexdigest()}"


class Stand(Keeper):
    """How a game stands: ``turn`` is awaited; ``asked`` are those whose turn it is, where not everybody is asked;
    ``salt_fixed``: no more salt is taken; ``state`` as its rules encode it; its ``language`` by its key.
    """

    id: str
    turn: int
    asked: Texts
    salt_fixed: bool
    setup: Setup
    state: str
    language: str

    @cached_property
    def key(self) -> str:
        """The same for the same stand: names in its setup change, and a reader of two clubs may meet the id again."""
        return f"stand {self.id} {hashlib.sha256(repr(self).encode()).hexdigest()}"


class GameInPlay(Value):
    """A game to which letters come."""

    stand: Stand
    language: Language


class Thing(Value, kw_only=False):
    """Something that the process is told once: a ``Language``, or a ``Stand``."""

    key: str
    value: Language | Stand


class Filed(Value):
    """Orders on file as text, and what was wrong with them."""

    text: str
    complaints: Complaints


Seats = tuple[
    tuple[str, str, Filed | None], ...
]  # games by the keys of their stands, a player's code, the orders on file


class Quotes(Value):
    """Letters of ``ours``, about the game of that ``stand``, which a letter may quote. ``broken``: pieces of our lines too."""

    ours: tuple[bytes, ...]
    stand: str
    broken: bool


class Meant(Value):
    """What does the letter mean in the game that it names among those of its ``seats``, else in the first?"""

    letter: Letter
    seats: Seats
    quotes: Quotes | None


class Said(Value):
    """What does the letter say in that language, whoever wrote it? ``subject``: the subject may ask something too."""

    letter: Letter
    language: str
    subject: bool
    quotes: Quotes | None


class Crash(Value, kw_only=False):
    """The process met a fault of ours."""

    trace: str


Query = Meant | Said


_CODEC = Codec(
    *(Letter, Bounce, Failure, Reading, Trial, Phrase, Word, Complaint, Question, PrivatePress),
    *(Understanding, Tried, Forecast, Setup, Player),
    *(Crash, Filed, Language, Stand, Thing, Quotes, Meant, Said),
    tag="is",  # words have a field of the usual name
    others={
        "time": (datetime, datetime.isoformat, datetime.fromisoformat),
        "bytes": (bytes, lambda value: value.decode("latin-1"), lambda text: text.encode("latin-1")),
    },
)


def dumps(value: Any) -> bytes:
    """Return a value as JSON. Raises TypeError: something in it is none that may be sent."""
    return _CODEC.encode(value).encode("utf-8", "surrogatepass")


def loads(content: bytes) -> Any:
    """Return the value written by ``dumps``; lists come back as tuples. Raises ValueError."""
    return _CODEC.decode(content.decode("utf-8", "surrogatepass"))


# Letters read and understood in another process, one after the other. What the process is asked about a letter after it has read
# it is charged to that letter: all of it together takes at most so much time and so many look-ups.

AT_ONCE = 15  # games asked about in one request: fewer than the process remembers, with their languages

Seat = tuple[GameInPlay, str, Filed | None]  # a game, a player's code, the orders on file: some may be kept


Quoted = tuple[Quotes, GameInPlay]  # letters of ours that a letter may quote, and the game that they are about


class Reader:
    """Reads letters, and says what they mean. Each method raises LetterTooCostly, where a letter takes more time than it may,
    ReaderLost, where the process dies and nobody knows why, and ReaderFailed for a fault of ours.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self._process = LimitedProcess(limits or Limits())

    @property
    def spent(self) -> float:
        """Seconds of the processor that all letters until now took."""
        return self._process.spent

    def read(self, raw: bytes) -> Letter:
        """Return the letter that *raw* holds."""
        letter: Letter = self._value(self._process.ask(LETTER + raw))
        return letter

    def understand(
        self, letter: Letter, seats: Sequence[Seat], quotes: Quoted | None = None
    ) -> tuple[Letter, str, int, Understanding]:
        """Return a letter, with its subject where that asks something, the game that it names, "" for none, and what it means: in
        that one if it is among these, by its place, else in the first.
        """
        told = tuple((game.stand.key, player, file) for game, player, file in seats)
        games = [game for game, _, _ in seats]
        found, named, at, read = self._ask(
            Meant(letter=letter, seats=told, quotes=quotes[0] if quotes else None), games, quotes
        )
        setup = games[at].stand.setup
        return found, named, at, _decode(read, game_named(setup.game), setup)

    def understand_typed(self, text: str, player: str, game: GameInPlay) -> Understanding:
        """Return what orders mean that stand in no letter, as *player*'s."""
        self.read(b"")  # they have an account of their own
        return self.understand(Letter(text=text), [(game, player, None)])[-1]

    def hear(
        self, letter: Letter, language: Language, quotes: Quoted | None = None, *, subject: bool = False
    ) -> Reading:
        """Return what the letter says to a game of which nothing is known but its language; *subject*: it may ask something."""
        query = Said(letter=letter, language=language.key, subject=subject, quotes=quotes[0] if quotes else None)
        said: Reading = self._ask(query, (), quotes, language)
        return said

    def close(self) -> None:
        """End the process, if there is one; the next letter begins another."""
        self._process.end()

    def _ask(self, query: Query, games: Iterable[GameInPlay], quotes: Quoted | None, *languages: Language) -> Any:
        spoken_of = (*games, *(quotes or ())[1:])
        things = [*languages, *(each for game in spoken_of for each in (game.language, game.stand))]
        return self._value(self._process.ask(QUERY + dumps(query), [_thing(each) for each in things]))

    def _value(self, answer: bytes) -> Any:
        value = loads(answer)
        if isinstance(value, Crash):
            raise ReaderFailed(f"the process that reads letters met a fault of ours:\n{value.trace}")
        return value


def _thing(value: Language | Stand) -> tuple[str, Callable[[], bytes]]:
    return value.key, lambda: THING + dumps(Thing(value.key, value))


def _decode(read: Understanding, rules: Game, setup: Setup) -> Understanding:
    """Return an understanding with the orders that stand in it as one text."""
    versions = tuple(_decode(each, rules, setup) for each in read.versions)
    return read.but(orders=tuple(rules.decode(read.orders[0], setup)), versions=versions)
