"""What the umpire wants a new game to be, from the command line or a TOML file, checked before anything is made."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from referee.config import Config, Settings, address_fault, language_fault, zone_fault
from referee.config.reading import PLAYER, Misplaced, Origin, locate
from referee.core import ConfigError, Pair, Value, View, from_typed
from referee.core.game import PACES, TOGETHER, Game, Option, Player
from referee.core.texts import Codec, load_toml
from referee.resources import text_from_outside

from ..deadlines.rescheduling import lay_over, parse_deadline
from ..duetimes import NAMES, Rhythm
from ..post.codes import NO_PLAYERS, is_seats
from .inputs import typed_fault

_NEEDED = ("code", "colour", "name", "address")
_FIELDS = (*_NEEDED, "company", "second_code", "second_colour", "second_company", "zone", "language")
_LONGEST_NAME = 40


class Invited(Player):
    """A player of a game to come; empty fields take the club's values. ``number``: of the table in the game's file, from 1; 0 for
    one of the command line.
    """

    address: str
    zone: str = ""
    language: str = ""
    number: int = 0


class Proposal(Value):
    """A game to come. Empty: the board file's or the game's or the club's own choice. ``options`` as they were written.

    ``position``: the table of a position to begin at, as JSON; empty for a game that begins at its beginning.
    ``throws``: of the opening, by name, which the umpire's own dice made.
    ``anonymous``: players are known by their companies alone until the end. ``map_text``: of a map that was fixed when the game
    was opened. ``origin``: the file it was read from.
    """

    unstored = frozenset({"deadline", "origin"})

    kind: str = ""
    board: str = ""
    preset: str = ""
    options: tuple[tuple[str, Option], ...] = ()
    players: tuple[Invited, ...] = ()
    rhythm: Settings | None = None
    deadline: str = ""
    pace: str = ""
    position: str = ""
    throws: tuple[tuple[str, int], ...] = ()
    anonymous: bool = False
    map_text: str = ""
    origin: Origin | None = None


def parse_player(text: str) -> Invited:
    """Return the player written as ``GSW:red:Ann <ann@example.org>``, with two companies as ``GSW+WLW:red+pink:Ann <…>``.

    Raises:
        ConfigError: it is not written so.
    """
    before, _, address = text.strip().removesuffix(">").rpartition("<")
    parts = [part.strip() for part in before.split(":", 2)]
    if len(parts) < 3 or not text.rstrip().endswith(">") or ">" in address:
        raise ConfigError(f'player {text!r}: write code, colour, name and address, as "GSW:red:Ann <ann@example.org>"')
    codes, colours = ([part.strip() for part in each.split("+")] for each in parts[:2])
    if len(codes) != len(colours) or len(codes) > 2:
        raise ConfigError(f'player {text!r}: two companies are written as "GSW+WLW:red+pink:Ann <ann@example.org>"')
    invited = Invited(code=codes[0], colour=colours[0], name=parts[2], address=address.strip())
    return invited.but(second_code=codes[1], second_colour=colours[1]) if len(codes) == 2 else invited


def parse_option(text: str) -> tuple[str, Option]:
    """Return the option written as ``jumps=2``; whole numbers, ``true`` and ``false`` are read as such.

    Raises:
        ConfigError: there is no equals sign.
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name:
        raise ConfigError(f"option {text!r}: write a name and a value, as jumps=2")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if re.fullmatch(r"-?[0-9]{1,9}", value) else value


def read_proposal(path: Path) -> Proposal:
    """Return the game described in a TOML file.

    Raises:
        ConfigError: the file is missing or damaged, with its line where the reader knows it.
    """
    try:
        text = text_from_outside(path)
        written = load_toml(text)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:  # not TOML, or not UTF-8
        at = re.search(r"line (\d+)", str(error))
        raise ConfigError(f"{path}:{at[1] if at else 1}: this is not TOML: {error}") from None
    origin = Origin(file=path, text=text)
    with locate(origin):
        return _proposal(written).but(origin=origin)


_CODEC = Codec(Proposal, Invited, tag="is")  # a game has a kind itself


def format_proposal(proposal: Proposal) -> str:
    """Return a game to come as JSON."""
    return _CODEC.encode(proposal)


def parse_proposal(text: str) -> Proposal:
    """Return the game to come written by ``format_proposal``."""
    return _CODEC.decode(text)  # type: ignore[no-any-return]


def merge_proposals(file: Proposal, line: Proposal) -> Proposal:
    """Return the game of a file with what the command line said on top."""
    names = ("kind", "board", "preset", "deadline", "pace", "position", "anonymous")
    said = {name: value for name in names if (value := getattr(line, name))}
    overruled = {{"kind": "game", "board": "map"}.get(name, name) for name in said}
    for table in ("options", "rhythm", "throws"):
        overruled |= {f"{table}.{name}" for name in dict(getattr(line, table) or {})}
    return file.but(
        **said,
        options=tuple({**dict(file.options), **dict(line.options)}.items()),
        players=file.players + line.players,
        rhythm=lay_over(file.rhythm or {}, line.rhythm or {}),
        throws=tuple({**dict(file.throws), **dict(line.throws)}.items()),
        origin=file.origin.but(overruled=frozenset(overruled)) if file.origin else None,
    )


def checked_players(proposal: Proposal, game: Game, config: Config) -> tuple[Invited, ...]:
    """Return the players with the club's time zone and language where they named none, and addresses as we write to them.

    Raises:
        ConfigError: a name, code, colour or address is missing, wrong or there twice, or there are too few or too many.
    """
    least, most = game.players
    if not least <= len(proposal.players) <= most:
        named = {0: "none is named", 1: "1 is named"}.get(len(proposal.players), f"{len(proposal.players)} are named")
        raise Misplaced(f"{game.title} is for {least} to {most} players; {named}")
    players = tuple(
        each.but(zone=each.zone or config.zone, language=each.language or config.language) for each in proposal.players
    )
    for player in players:
        for name, fault in _faults(player, game, config.address):
            if fault:
                sentence = f"player {player.code or player.name}: {fault}"
                raise Misplaced(sentence, section=PLAYER, name=name, number=player.number)
    players = tuple(each.but(address=from_typed(each.address)) for each in players)
    for what in ("code", "colour", "address"):
        _check_apart(what, players)
    return players


def pace_of(proposal: Proposal) -> str:
    """Return the game's pace. Raises ConfigError: there is no such pace."""
    pace = proposal.pace or TOGETHER
    if pace not in PACES:
        raise Misplaced(f"pace {pace!r} is not possible ({' or '.join(PACES)})", name="pace")
    return pace


def first_deadline(proposal: Proposal, rhythm: Rhythm, now: datetime) -> datetime | None:
    """Return the first deadline if the umpire fixed it. Raises Misplaced, as ``parse_deadline``."""
    if not proposal.deadline:
        return None
    try:
        return parse_deadline(proposal.deadline, rhythm, now)
    except ConfigError as error:
        raise Misplaced(str(error), name="deadline") from None


def _proposal(written: View) -> Proposal:
    _check_names(
        written,
        ("game", "map", "preset", "options", "pace", "rhythm", "deadline", "player", "position", "throws", "anonymous"),
        "",
    )
    options, rhythm = _table(written, "options"), _table(written, "rhythm")
    _check_names(rhythm, NAMES, "rhythm: ", "rhythm")
    players = written.get("player", [])
    if not isinstance(players, list) or not all(isinstance(each, dict) for each in players):
        raise Misplaced("players stand in tables headed [[player]]", name="player")
    for name, value in options.items():
        if not isinstance(value, (str, int, bool)):
            sentence = f"options: {name} must be a text, a whole number, true or false"
            raise Misplaced(sentence, section="options", name=name)
    throws, anonymous = _table(written, "throws"), written.get("anonymous", False)
    if throws and (fault := typed_fault(throws)):
        raise Misplaced(f"throws: {fault}", section="throws")
    if not isinstance(anonymous, bool):
        raise Misplaced("anonymous must be true or false", name="anonymous")
    return Proposal(
        kind=_text(written, "game"),
        board=_text(written, "map"),
        preset=_text(written, "preset"),
        options=tuple(options.items()),
        players=tuple(_parse_invited(each, number) for number, each in enumerate(players, 1)),
        rhythm=rhythm,
        deadline=str(written.get("deadline", "")),
        pace=_text(written, "pace"),
        position=_position(written),
        throws=tuple(throws.items()),
        anonymous=anonymous,
    )


def _position(written: View) -> str:
    try:
        return json.dumps(_table(written, "position"), ensure_ascii=False) if "position" in written else ""
    except TypeError:
        raise Misplaced("position: it holds a date or a time", section="position") from None


def _parse_invited(written: View, number: int) -> Invited:
    where = f"player {number}: "
    _check_names(written, _FIELDS, where, PLAYER, number)
    for name in _NEEDED:
        if name not in written:
            raise Misplaced(f"{where}{name} is missing", section=PLAYER, number=number)
    return Invited(**{name: _text(written, name, where, PLAYER, number) for name in _FIELDS}, number=number)


def _text(written: View, name: str, where: str = "", section: str = "", number: int = 0) -> str:
    value = written.get(name, "")
    if not isinstance(value, str):
        raise Misplaced(f"{where}{name} must be a text (in quotation marks)", section=section, name=name, number=number)
    return value


def _table(written: View, name: str) -> View:
    table = written.get(name, {})
    if not isinstance(table, dict):
        raise Misplaced(f"{name} must be a table, headed [{name}]", name=name)
    return table


def _check_names(written: View, known: Iterable[str], where: str, section: str = "", number: int = 0) -> None:
    names = tuple(known)
    for name in written:
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            meant = f"did you mean {near[0]}?" if near else f"known: {', '.join(names)}"
            raise Misplaced(f"{where}unknown setting {name} ({meant})", section=section, name=name, number=number)


def _faults(player: Invited, game: Game, own: str) -> Iterator[Pair]:
    """Yield fields of a player with what is wrong with each, "" for nothing. *own*: the referee's address."""
    sides = ("", "second_") if player.second_code or player.second_colour else ("",)
    for side in sides:
        code = getattr(player, f"{side}code")
        if not is_seats(code):
            known = ", ".join(NO_PLAYERS)
            yield f"{side}code", f"code {code!r} must be 1 to 8 letters and digits, a letter first, and none of {known}"
    for side in sides:
        colour = getattr(player, f"{side}colour")
        if colour not in game.colours:
            yield f"{side}colour", f"there is no colour {colour!r} (there is {', '.join(game.colours)})"
    for name in ("name", "company", "second_company"):
        text = getattr(player, name)
        if len(text) > _LONGEST_NAME or not text.isprintable() or (name == "name" and not text.strip()):
            yield name, f"{name} {text!r} must be 1 to {_LONGEST_NAME} printable characters"
    yield "address", address_fault(player.address, "ann@example.org")
    yield "zone", zone_fault(player.zone)
    yield "language", language_fault(player.language)
    if from_typed(player.address).lower() == own.lower():
        yield "address", f"{own} is the referee's own address: a player needs another"


def _check_apart(what: str, players: Iterable[Invited]) -> None:
    """Raise ConfigError where two players, or two companies of one, have the same code, colour or address."""
    seen = set()
    for player in players:
        for name in (what, f"second_{what}"):
            value = getattr(player, name, "")
            if value and value.lower() in seen:
                whose = "players" if what == "address" else "companies"
                sentence = f"two {whose} have the {what} {value.lower()}"
                raise Misplaced(sentence, section=PLAYER, name=name, number=player.number)
            seen.add(value.lower())
