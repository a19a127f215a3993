"""Values as JSON between the referee and the process that reads letters: nothing that comes back can be more than a value."""

from __future__ import annotations

import hashlib
from datetime import datetime
from functools import lru_cache
from typing import Any

from referee.core.game import Forecast, Player, Setup
from referee.core.orders import Complaint, Phrase, Word
from referee.core.values import Codec, Value
from referee.mail.letter.bounces import Bounce, Failure
from referee.mail.letter.message import Letter
from referee.orderbook import PrivatePress, Question, Reading, Trial
from referee.reader.understanding import Tried, Understanding

# What the reader's process is told, and what it says.

GAMES = 32  # whose stands are known by their keys without reckoning these again


class Language(Value):
    """The texts of an order language: of all games, of this one, its grammar, and what an umpire lays over them, each with its
    file. ``parser``: the tables made of the grammar. ``key`` is the same for the same texts.
    """

    key: str
    common: str
    verbs: str
    grammar: str
    own: tuple[tuple[str, str], ...]
    parser: bytes


def language_of(common: str, verbs: str, grammar: str, own: tuple[tuple[str, str], ...], parser: bytes) -> Language:
    """Return the order language of these texts."""
    key = hashlib.sha256(repr((common, verbs, grammar, own)).encode()).hexdigest()
    return Language(key=f"language {key}", common=common, verbs=verbs, grammar=grammar, own=own, parser=parser)


class Stand(Value):
    """How a game stands: ``turn`` is awaited; ``asked`` are those whose turn it is, where not everybody is asked;
    ``salt_fixed``: no more salt is taken; ``state`` as its rules encode it; its ``language`` by its key. ``key`` is the same for
    the same stand.
    """

    key: str
    id: str
    turn: int
    asked: tuple[str, ...]
    salt_fixed: bool
    setup: Setup
    state: str
    language: str


@lru_cache(maxsize=GAMES)
def stand_of(
    game: str, turn: int, asked: tuple[str, ...], salt_fixed: bool, setup: Setup, state: str, language: str
) -> Stand:
    """Return how the game of that id stands: names in its setup change, and a reader of two clubs may meet the id again."""
    told = hashlib.sha256(repr((turn, asked, salt_fixed, setup, language)).encode() + state.encode()).hexdigest()
    return Stand(
        key=f"stand {game} {told}",
        id=game,
        turn=turn,
        asked=asked,
        salt_fixed=salt_fixed,
        setup=setup,
        state=state,
        language=language,
    )


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
    complaints: tuple[Complaint, ...]


Seats = tuple[
    tuple[str, str, Filed | None], ...
]  # games by the keys of their stands, a player's code, his orders on file


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


class Fault(Value, kw_only=False):
    """The process met a fault of ours."""

    trace: str


Query = Meant | Said


_CODEC = Codec(
    *(Letter, Bounce, Failure, Reading, Trial, Phrase, Word, Complaint, Question, PrivatePress),
    *(Understanding, Tried, Forecast, Setup, Player),
    *(Fault, Filed, Language, Stand, Thing, Quotes, Meant, Said),
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
