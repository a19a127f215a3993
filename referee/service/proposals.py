"""What the umpire wants a new game to be, from the command line or a TOML file, checked before anything is made."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from referee.config import Config, hour_fault, is_address, weekday_fault, zone_fault
from referee.core.errors import ConfigError
from referee.core.game import Game, Option
from referee.service.calendar import Rhythm

_PLAYER = re.compile(r"\s*([^:]*?)\s*:\s*([^:]*?)\s*:\s*(.*?)\s*<\s*([^<>]*?)\s*>\s*")
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9]{0,7}")
_FIELDS = ("code", "colour", "name", "address", "company", "zone", "language")


@dataclass(frozen=True, slots=True, kw_only=True)
class Invited:
    """A player of a game to come; empty fields take the club's values."""

    code: str
    colour: str
    name: str
    address: str
    company: str = ""
    zone: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A game to come. Empty: the board file's or the game's or the club's own choice. ``options`` as they were written."""

    kind: str = ""
    board: str = ""
    preset: str = ""
    options: tuple[tuple[str, Option], ...] = ()
    players: tuple[Invited, ...] = ()
    rhythm: Mapping[str, str | int] | None = None
    deadline: str = ""


def parse_player(text: str) -> Invited:
    """Return the player written as ``GSW:red:Ann <ann@example.org>``.

    Raises:
        ConfigError: it is not written so.
    """
    match = _PLAYER.fullmatch(text)
    if match is None:
        raise ConfigError(f'player {text!r}: write code, colour, name and address, as "GSW:red:Ann <ann@example.org>"')
    return Invited(code=match[1], colour=match[2], name=match[3], address=match[4])


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
        told = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:  # not TOML, or not UTF-8
        at = re.search(r"line (\d+)", str(error))
        raise ConfigError(f"{path}:{at[1] if at else 1}: this is not TOML: {error}") from None
    try:
        return _proposal(told)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def merged(file: Proposal, line: Proposal) -> Proposal:
    """Return the game of a file with what the command line said on top."""
    options = tuple({**dict(file.options), **dict(line.options)}.items())
    rhythm = {**(file.rhythm or {}), **(line.rhythm or {})}
    return Proposal(
        kind=line.kind or file.kind,
        board=line.board or file.board,
        preset=line.preset or file.preset,
        options=options,
        players=file.players + line.players,
        rhythm=rhythm,
        deadline=line.deadline or file.deadline,
    )


def checked_players(proposal: Proposal, game: Game, config: Config) -> tuple[Invited, ...]:
    """Return the players with the club's time zone and language where they named none.

    Raises:
        ConfigError: a name, code, colour or address is missing, wrong or there twice, or there are too few or too many.
    """
    least, most = game.players
    if not least <= len(proposal.players) <= most:
        raise ConfigError(f"{game.title} is for {least} to {most} players; {len(proposal.players)} are named")
    players = tuple(
        replace(each, zone=each.zone or config.zone, language=each.language or config.language)
        for each in proposal.players
    )
    for player in players:
        _check_player(player, game)
    for what in ("code", "colour", "address"):
        _check_apart(what, [getattr(player, what).lower() for player in players])
    if config.address.lower() in {player.address.lower() for player in players}:
        raise ConfigError(f"{config.address} is the referee's own address: a player needs another")
    return players


def rhythm_of(proposal: Proposal, config: Config) -> Rhythm:
    """Return the game's rhythm: what it says itself over the club's.

    Raises:
        ConfigError: a value is wrong.
    """
    told = proposal.rhythm or {}
    days = told.get("days", config.days)
    if not isinstance(days, int) or isinstance(days, bool) or days < 1:
        raise ConfigError(f"rhythm: days must be a whole number from 1 on, {days!r} was given")
    rhythm = Rhythm(
        days=days,
        weekday=str(told.get("weekday", config.weekday)),
        hour=str(told.get("hour", config.hour)),
        zone=str(told.get("zone", config.zone)),
    )
    fault = weekday_fault(rhythm.weekday) or hour_fault(rhythm.hour) or zone_fault(rhythm.zone)
    if fault:
        raise ConfigError(f"rhythm: {fault}")
    return rhythm


def first_deadline(proposal: Proposal, rhythm: Rhythm, now: datetime) -> datetime | None:
    """Return the first deadline if the umpire fixed it: a local time of the rhythm's zone, unless it names its own.

    Raises:
        ConfigError: it is no time, or past.
    """
    if not proposal.deadline:
        return None
    try:
        due = datetime.fromisoformat(proposal.deadline)
    except ValueError:
        raise ConfigError(f"deadline {proposal.deadline!r}: write it as 2026-12-04T20:00") from None
    due = due if due.tzinfo else due.replace(tzinfo=ZoneInfo(rhythm.zone))
    if due <= now:
        raise ConfigError(f"deadline {proposal.deadline!r} is past")
    return due


def _proposal(told: Mapping[str, Any]) -> Proposal:
    _check_names(told, ("game", "map", "preset", "options", "rhythm", "deadline", "player"), "")
    options, rhythm = _table(told, "options"), _table(told, "rhythm")
    _check_names(rhythm, ("days", "weekday", "hour", "zone"), "rhythm: ")
    players = told.get("player", [])
    if not isinstance(players, list) or not all(isinstance(each, dict) for each in players):
        raise ConfigError("players stand in tables headed [[player]]")
    for name, value in options.items():
        if not isinstance(value, (str, int, bool)):
            raise ConfigError(f"options: {name} must be a text, a whole number, true or false")
    return Proposal(
        kind=_text(told, "game"),
        board=_text(told, "map"),
        preset=_text(told, "preset"),
        options=tuple(options.items()),
        players=tuple(_invited(each, number) for number, each in enumerate(players, 1)),
        rhythm=rhythm,
        deadline=str(told.get("deadline", "")),
    )


def _invited(told: Mapping[str, Any], number: int) -> Invited:
    where = f"player {number}: "
    _check_names(told, _FIELDS, where)
    for name in ("code", "colour", "name", "address"):
        if name not in told:
            raise ConfigError(f"{where}{name} is missing")
    return Invited(**{name: _text(told, name, where) for name in _FIELDS})


def _text(told: Mapping[str, Any], name: str, where: str = "") -> str:
    value = told.get(name, "")
    if not isinstance(value, str):
        raise ConfigError(f"{where}{name} must be a text (in quotation marks)")
    return value


def _table(told: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = told.get(name, {})
    if not isinstance(table, dict):
        raise ConfigError(f"{name} must be a table, headed [{name}]")
    return table


def _check_names(told: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    names = tuple(known)
    for name in told:
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            meant = f"did you mean {near[0]}?" if near else f"known: {', '.join(names)}"
            raise ConfigError(f"{where}unknown setting {name} ({meant})")


def _check_player(player: Invited, game: Game) -> None:
    where = f"player {player.code or player.name}: "
    if not _CODE.fullmatch(player.code):
        raise ConfigError(f"{where}code {player.code!r} must be 1 to 8 letters and digits, a letter first")
    if player.colour not in game.colours:
        raise ConfigError(f"{where}there is no colour {player.colour!r} (there is {', '.join(game.colours)})")
    if not is_address(player.address):
        raise ConfigError(f"{where}{player.address!r} is no mail address (as ann@example.org)")
    for name in ("name", "company"):
        text = getattr(player, name)
        if len(text) > 40 or not text.isprintable() or (name == "name" and not text.strip()):
            raise ConfigError(f"{where}{name} {text!r} must be 1 to 40 printable characters")
    fault = zone_fault(player.zone)
    if fault:
        raise ConfigError(where + fault)


def _check_apart(what: str, values: list[str]) -> None:
    for value in values:
        if values.count(value) > 1:
            raise ConfigError(f"two players have the {what} {value}")
