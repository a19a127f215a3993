"""Values as JSON between the referee and the process that reads letters: nothing that comes back can be more than a value."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from msgspec import Struct

from referee.core.game import Forecast, Player, Setup
from referee.core.orders import Complaint, Phrase, Word
from referee.core.values import Value
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
    """How a game stands: ``state`` as its rules encode it; ``key`` is the same for the same stand."""

    key: str
    setup: Setup
    state: str


@lru_cache(maxsize=GAMES)
def stand_of(game: str, setup: Setup, state: str) -> Stand:
    """Return how the game of that id stands: names in its setup change, and a reader of two clubs may meet the id again."""
    told = hashlib.sha256(repr(setup).encode() + state.encode()).hexdigest()
    return Stand(key=f"stand {game} {told}", setup=setup, state=state)


class GameInPlay(Value):
    """A game to which letters come. ``turn`` is awaited; ``asked`` are those whose turn it is, where not everybody is asked;
    ``salt_fixed``: no more salt is taken.
    """

    id: str
    turn: int
    asked: tuple[str, ...]
    salt_fixed: bool
    stand: Stand
    language: Language


class Thing(Value, kw_only=False):
    """Something that the process is told once: a ``Language``, or a ``Stand``."""

    key: str
    value: Language | Stand


class Seat(Value):
    """A game in play, its stand and its language by their keys."""

    id: str
    turn: int
    asked: tuple[str, ...]
    salt_fixed: bool
    stand: str
    language: str


class NamedGames(Value):
    """Which game does the letter name, for each of these to which it may belong?"""

    letter: Letter
    games: tuple[Seat, ...]


class Quoted(Value):
    """Which of its lines are quoted from letters of ours, written about that game? ``broken``: pieces of our lines too."""

    letter: Letter
    ours: tuple[bytes, ...]
    game: Seat
    broken: bool


class Filed(Value):
    """Orders on file as text, and what was wrong with them."""

    text: str
    complaints: tuple[Complaint, ...]


class Meant(Value):
    """What does the letter mean, as that player's, who has those orders on ``file``?"""

    letter: Letter
    player: str
    game: Seat
    file: Filed | None


class Said(Value):
    """What does the letter say in that language, whoever wrote it? ``subject``: the subject may ask something too."""

    letter: Letter
    language: str
    subject: bool


class Fault(Value, kw_only=False):
    """The process met a fault of ours."""

    trace: str


Query = NamedGames | Quoted | Meant | Said


_KINDS: tuple[type[Struct], ...] = (
    *(Letter, Bounce, Failure, Reading, Trial, Phrase, Word, Complaint, Question, PrivatePress),
    *(Understanding, Tried, Forecast, Setup, Player),
    *(Fault, Filed, Language, Stand, Thing, Seat, NamedGames, Quoted, Meant, Said),
)
_NUMBERS = {kind: number for number, kind in enumerate(_KINDS)}
_NAMES = [kind.__struct_fields__ for kind in _KINDS]
_PLAIN = frozenset({str, int, bool, type(None)})


def dumps(value: Any) -> bytes:
    """Return a value as JSON. Raises TypeError: something in it is none that may be sent."""
    return json.dumps(_plain(value)).encode("ascii")


def loads(content: bytes) -> Any:
    """Return the value written by ``dumps``; lists come back as tuples. Raises ValueError."""
    return _value(json.loads(content))


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple or kind is list:
        return [_plain(each) for each in value]
    number = _NUMBERS.get(kind)
    if number is not None:
        return {"kind": number, "fields": [_plain(getattr(value, name)) for name in _NAMES[number]]}
    if isinstance(value, Mapping):
        return {"map": {_key(name): _plain(each) for name, each in value.items()}}
    if kind is datetime:
        return {"time": value.isoformat()}
    if kind is bytes:
        return {"bytes": value.decode("latin-1")}
    raise TypeError(f"{kind.__name__} cannot be sent to or from the reader of letters")


def _key(name: Any) -> str:
    if type(name) is not str:
        raise TypeError(f"{name!r} is no text, so a mapping with it cannot be sent to or from the reader of letters")
    return name


def _value(plain: Any) -> Any:
    if type(plain) is list:
        return tuple([_value(each) for each in plain])
    if type(plain) is not dict:
        return plain
    if "kind" in plain:
        number = plain["kind"]
        return _KINDS[number](**dict(zip(_NAMES[number], map(_value, plain["fields"]), strict=True)))
    if "map" in plain:
        return {name: _value(each) for name, each in plain["map"].items()}
    return datetime.fromisoformat(plain["time"]) if "time" in plain else plain["bytes"].encode("latin-1")
