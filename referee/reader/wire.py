"""Values as JSON between the referee and the process that reads letters: nothing that comes back can be more than a value."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from referee.core.game import Forecast, Player, Setup
from referee.core.orders import Complaint, Phrase, Word
from referee.mail.letter.bounces import Bounce, Failure
from referee.mail.letter.message import Letter
from referee.orderbook import PrivatePress, Question, Reading, Trial
from referee.reader.understanding import Tried, Understanding
from referee.reader.values import Fault, Filed, Language, Meant, NamedGames, Quoted, Said, Seat, Stand, Thing

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
