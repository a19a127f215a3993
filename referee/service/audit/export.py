"""What has been revealed of a game as one JSON file: enough to play it again anywhere, and no more.

Never in it: the root of the chain, seeds of turns to come, addresses, letters, notes. A game in which players have secrets is
told with its setup, less the position of a brought game, and the newest hash alone until it is over.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import asdict, fields

from referee.core import (
    CHAIN_END,
    CHAIN_LENGTH,
    ConfigError,
    Fields,
    NotFound,
    Value,
    View,
    Words,
    next_seed,
    shared_fields,
)
from referee.core.game import Player, Setup
from referee.core.texts import canonical
from referee.games import game_named
from referee.store import (
    ActRow,
    LoggedTurn,
    acts,
    format_time,
    games,
    hash_of_agreement,
    hash_of_reason,
    hash_of_turn,
    parse_time,
)

from ..club import Club
from ..positions import parse_setup
from ..turns.inputs import typed_fault

# The log of a game as values: its turns in every edition, what was agreed, the umpire's acts; and what of it is revealed.

Edition = tuple[int, int]  # turn and edition

_OF_ORDERS = ("orders", "accept", "note")  # acts whose reasons may speak of orders


class GameLog(Value):
    """A game as its log tells it, or as much of it as is revealed. ``setup`` is JSON; ``end`` of the chain of seeds; the last
    turn by number and hash; what the umpire did besides, and the turns they have ``undone``, in the order in which they were
    played.
    """

    game: str
    setup: str
    end: str
    turns: tuple[LoggedTurn, ...]
    last: tuple[int, str]
    acts: tuple[ActRow, ...] = ()
    undone: tuple[LoggedTurn, ...] = ()

    @property
    def agreed(self) -> str:
        """The hash of what was agreed before the opening."""
        return hash_of_agreement(self.game, self.setup, self.end)

    @property
    def played(self) -> tuple[LoggedTurn, ...]:
        """All turns in the order in which they were played."""
        return tuple(sorted((*self.turns, *self.undone), key=place_of))

    def before(self, turn: LoggedTurn) -> LoggedTurn | None:
        """Return the turn that was the last in force when *turn* was played: editions never fall."""
        known = [each for each in (*self.turns, *self.undone) if each.turn < turn.turn and each.edition <= turn.edition]
        return max(known, key=edition_of, default=None)

    @property
    def salts(self) -> str:
        """The salts that all turns must have: the opening's, else those of the first turn that was played."""
        return next((each.salts for each in self.played[:2] if each.salts), "")

    def salts_of(self, turn: LoggedTurn) -> str:
        """Return the salts in a turn's throws: those that the turn before it printed, in the opening its own."""
        before = self.before(turn)
        return self.salts if before and before.turn else self.turns[0].salts

    def hash_over(self, turn: LoggedTurn, before: str) -> str:
        """Return the hash that a turn has over the hash *before* it."""
        return hash_of_turn(before, self.game, turn)

    def is_seed(self, turn: LoggedTurn) -> bool:
        """Return whether a turn's seed leads to the end of the chain."""
        return leads((turn.turn, turn.seed), (CHAIN_END, self.end))


def place_of(turn: LoggedTurn) -> Edition:
    """Return the place of a turn in the order in which all editions were played."""
    return turn.edition, turn.turn


def leads(later: tuple[int, str], earlier: tuple[int, str]) -> bool:
    """Return whether the seed of a turn hashes to that of an earlier one."""
    seed = later[1]
    for _ in range(later[0] - earlier[0]):
        seed = next_seed(seed)
    return seed == earlier[1]


def edition_of(turn: LoggedTurn) -> Edition:
    """Return what a turn is known by among all editions."""
    return turn.turn, turn.edition


def reveal(club: Club, game_id: str) -> GameLog:
    """Return what has been revealed of a game: of one with secrets, no turn at all before it is over. Raises NotFound."""
    log = whole_log(club, game_id)
    row = games.game(club, game_id)
    if game_named(row.kind).has_secrets and not row.is_over:
        # The position that a brought game began with names hands.
        setup = canonical({**json.loads(log.setup), "position": ""})
        return log.but(setup=setup, turns=(), acts=(), undone=())
    done = (
        act.but(reason="", withheld=hash_of_reason(act.reason)) if tells_orders(act, log.last[0]) else act
        for act in log.acts
    )
    return log.but(acts=tuple(done))


def whole_log(club: Club, game_id: str) -> GameLog:
    """Return every turn of a game, whether it may be known or not: for the club's own eyes. Raises NotFound."""
    row = games.game(club, game_id)
    stored = (games.turns(club, row.id), games.superseded(club, row.id))
    turns, undone = (tuple(LoggedTurn(**shared_fields(each, LoggedTurn)) for each in rows) for rows in stored)
    last = (turns[-1].turn, turns[-1].hash)
    end, done = games.chain_end(row), acts(club, row.id)
    return GameLog(game=row.id, setup=row.setup, end=end, turns=turns, last=last, acts=done, undone=undone)


def tells_orders(act: ActRow, last: int) -> bool:
    """Return whether an act's reason may speak of orders that were not played when *last* was the last turn."""
    return act.kind in _OF_ORDERS and act.turn > last


FORMAT = "referee-game-1"
MOST = 50_000_000  # bytes

_KINDS = {"a whole number": int, "a text": str, "an object": dict, "a list": list}
_PARTS: Mapping[str, Words] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_LONG = ("board", "position")  # texts of many lines
_TURN_BEGINS = re.compile(r'\{\s*"turn":\s*(?P<turn>\d{1,9}),\s*"rules"')
_GAME = re.compile(r"[A-Za-z]{1,8}[0-9]{1,6}")


def format_revealed(log: GameLog) -> str:
    """Return the text of an export.

    Raises:
        ConfigError: the club's own log is damaged.
    """
    try:
        turns = [_plain_turn(turn) for turn in log.turns]
        undone = [_plain_turn(turn) for turn in log.undone]
        setup = json.loads(log.setup)
        done = [_plain_act(act) for act in log.acts]
    except ValueError as error:
        raise ConfigError(f"the log of {log.game} is damaged, see `referee verify {log.game}`: {error}") from error
    last = {"turn": log.last[0], "hash": log.last[1]}
    plain = {"format": FORMAT, "game": log.game, "setup": setup, "end": log.end, "turns": turns, "last": last}
    # A game without any is written as it was before there was a log of them.
    plain |= {name: rows for name, rows in (("acts", done), ("undone", undone)) if rows}
    return json.dumps(plain, ensure_ascii=False, indent=1) + "\n"


def read_revealed(path: Path) -> GameLog:
    """Return what an export says; whether it is true is another matter.

    Raises:
        NotFound: there is no such file.
        ConfigError: it cannot be read, or is no whole export; the sentence names the place.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(MOST + 1)
        if len(raw) > MOST:
            raise ConfigError(f"{path} is not read: it has more than {MOST:,} bytes")
        return parse_revealed(raw)
    except FileNotFoundError as error:
        raise NotFound(f"there is no file {path}") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from error


def parse_revealed(raw: bytes) -> GameLog:
    """Return what the bytes of an export say.

    Raises:
        ValueError: they are no whole export; the sentence names the place.
    """
    given = _check_object(_parse_json(raw), "file", "the file")
    if given["format"] != FORMAT:
        raise ValueError(f"the format is {given['format']!r}, {FORMAT!r} is expected")
    if not _GAME.fullmatch(given["game"]):
        raise ValueError(f"game: {given['game']!r} is no game's id")
    last = _check_object(given["last"], "last", "last")
    setup = canonical(given["setup"])
    _check_setup(setup)
    turns = tuple(_read_turn(each, place) for place, each in enumerate(given["turns"], 1))
    done = tuple(_read_act(given["game"], each, place) for place, each in enumerate(given.get("acts", []), 1))
    undone = tuple(_read_turn(each, place) for place, each in enumerate(given.get("undone", []), 1))
    shown = (last["turn"], last["hash"])
    return GameLog(game=given["game"], setup=setup, end=given["end"], turns=turns, last=shown, acts=done, undone=undone)


def _plain_turn(turn: LoggedTurn) -> View:
    plain = {**asdict(turn), "orders": json.loads(turn.orders), "events": json.loads(turn.events)}
    plain |= {name: json.loads(plain[name]) for name in ("typed", "letters") if plain[name]}
    # A turn without them is written as it was before there were any.
    return {name: value for name, value in plain.items() if name in _PARTS["turn"] or value not in ("", 1)}


def _plain_act(act: ActRow) -> View:
    given = {name: getattr(act, name) for name in _PARTS["act"]} | ({"withheld": act.withheld} if act.withheld else {})
    return {**given, "at": format_time(act.at), "parameters": json.loads(act.parameters)}


def _parse_json(raw: bytes) -> Any:
    """Return the JSON value, with nothing in it that has no exact place in an export."""
    try:
        plain = json.loads(raw.decode(), **_STRICT)
        canonical(plain).encode()  # JSON can write half a character; nothing can be done with one
    except (UnicodeDecodeError, UnicodeEncodeError) as error:
        raise ValueError(f"this is no UTF-8 text ({error.reason}){_place(raw)}") from error
    except json.JSONDecodeError as error:
        raise ValueError(
            f"this is no JSON, or was cut off{_place(raw, error.pos)}: line {error.lineno}: {error.msg}"
        ) from error
    except RecursionError as error:
        raise ValueError("this is no export: it is nested too deep") from error
    except ValueError as error:
        raise ValueError(f"{error}{_place(raw)}") from error
    return plain


def _place(raw: bytes, near: int | None = None) -> str:
    """Return where the first thing stands that keeps an export from being read: in a turn, or behind one; "" without turns.

    *near*: a character it was noticed at.
    """
    decoder = json.JSONDecoder(**_STRICT)
    text = raw.decode(errors="surrogateescape")
    starts = list(_TURN_BEGINS.finditer(text))
    if starts and near is not None and near < starts[0].start():
        return ", before the opening"
    behind, at = "", 0
    for start in starts:
        if start.start() < at:
            continue  # inside a turn
        if behind and text[at : start.start()].strip("\n ,"):
            return behind
        try:
            given, at = decoder.raw_decode(text, start.start())
            canonical(given).encode()
        except (ValueError, RecursionError):
            return f", in turn {start['turn']}"
        behind = f", behind turn {start['turn']}"
    return behind if near is not None else ""


def _once(pairs: list[tuple[str, Any]]) -> View:
    given: View = {}
    for name, value in pairs:
        if name in given:
            raise ValueError(f"{name!r} stands twice in one object")
        given[name] = value
    return given


def _whole(text: str) -> Any:
    raise ValueError(f"{text} stands where only whole numbers can")


_STRICT: Fields = {"object_pairs_hook": _once, "parse_float": _whole, "parse_constant": _whole}


def _check_object(given: Any, part: str, where: str) -> View:
    """Return an object that has just the names that a part must have, and of others those it may have, each of its type."""
    if not isinstance(given, dict):
        raise ValueError(f"{where}: an object is expected")
    for name in _PARTS[part]:
        if name not in given:
            raise ValueError(f"{where}: {name!r} is missing")
    known = {**_PARTS[part], **_PARTS.get(f"{part}-may", {})}
    for name in given:
        if name in known and type(given[name]) is not _KINDS[known[name]]:
            raise ValueError(f"{where}: {name!r} must be {known[name]}")
    for name in given:
        if name not in known:
            raise ValueError(f"{where}: {name!r} does not belong here")
    return given


def _read_turn(given: Any, place: int) -> LoggedTurn:
    number = given.get("turn") if isinstance(given, dict) else None
    where = f"turn {number}" if type(number) is int else f"entry {place} of the turns"
    _check_object(given, "turn", where)
    if not 0 <= given["turn"] < CHAIN_LENGTH:
        raise ValueError(f"{where}: a game has turns from 0 to {CHAIN_LENGTH - 1}")
    if not given["salts"].isprintable():
        raise ValueError(f"{where}: 'salts' cannot be printed")
    if "typed" in given and (fault := typed_fault(given["typed"])):
        raise ValueError(f"{where}: 'typed': {fault}")
    if given.get("edition", 2) < 2:
        raise ValueError(f"{where}: 'edition': a whole number from 2 on is expected")
    texts = {name: canonical(given[name]) for name in ("typed", "orders", "events", "letters") if name in given}
    return LoggedTurn(**{**given, **texts})


def _read_act(game: str, given: Any, place: int) -> ActRow:
    where = f"entry {place} of the acts"
    _check_object(given, "act", where)
    if not all(char.isprintable() or char == "\n" for name in ("actor", "kind", "reason") for char in given[name]):
        raise ValueError(f"{where}: something in it cannot be printed")
    try:
        at = parse_time(given["at"])
    except ValueError:
        raise ValueError(f"{where}: 'at' is no time") from None
    if not at.tzinfo or format_time(at) != given["at"]:
        raise ValueError(f"{where}: 'at' is not written as 2026-12-04T20:00:00.000000Z")
    return ActRow(**{**given, "game": game, "at": at, "parameters": canonical(given["parameters"])})


def _check_setup(text: str) -> None:
    """Raise ValueError unless the text is a setup through and through: what reads it trusts its types, and prints names."""
    try:
        setup = parse_setup(text)
        fits = _has_texts(setup) and all(isinstance(player, Player) and _has_texts(player) for player in setup.players)
    except (ValueError, TypeError, AttributeError, AssertionError) as error:
        raise ValueError(f"setup: {error or 'this is none'}") from error
    if not fits:
        raise ValueError("setup: something that is no text, or cannot be printed, stands where a text should")


def _has_texts(value: Setup | Player) -> bool:
    texts = {each.name: getattr(value, each.name) for each in fields(value) if each.type is str}
    return all(isinstance(text, str) and (text.isprintable() or name in _LONG) for name, text in texts.items())
