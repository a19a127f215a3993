"""The umpire's own maps: checked, drawn, begun."""

from __future__ import annotations

import difflib
import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.resources import files
from itertools import count
from math import sqrt
from pathlib import Path
from typing import Any

from referee.bots.trial import ANSWERS, Trial, heat, try_board
from referee.core import ConfigError, MapError, Texts, Value, counted
from referee.core.game import Atlas, Survey
from referee.core.texts import Broken, NotToml, TomlText
from referee.games import game_named, games
from referee.orderbook import OrderLanguage
from referee.report.mapdesk import map_page
from referee.report.paper import board_file, check_ending
from referee.resources import order_texts, text_from_outside

_FORMAT = re.compile(r"^[ \t]*format[ \t]*=[ \t]*[\"']([^\"'\n]*)[\"']", re.MULTILINE)


class Checked(Value):
    """A map file that was looked at: the survey of a good one, else its faults, a sentence with file and line each."""

    file: str
    survey: Survey | None = None
    faults: Texts = ()
    missing: str = ""
    """What no game can begin without, in one line."""


def check_map(kind: str, name: str) -> Checked:
    """Return what is to be said of a map; *kind* "": of the game that it is for.

    Raises:
        NotFound: an unknown game.
        ConfigError: no such map.
    """
    file, text, atlas = _read(kind, name)
    try:
        return Checked(file=file, survey=atlas.survey(text, file))
    except MapError as error:
        faults = tuple(str(error).split("\n"))
        lacking: Texts = ()
        if atlas.draft is not None:
            with suppress(MapError):  # nothing of it can be read
                lacking = atlas.missing(atlas.draft(text, file)[0])
        first = f"{', '.join(lacking)} must be there, and " if lacking else ""
        missing = f"before a game can begin, {first}{counted(len(faults), 'fault')} must be put right"
        return Checked(file=file, faults=faults, missing=missing)


def draw_map(kind: str, name: str, suffix: str, width: int) -> tuple[bytes, str]:
    """Return the picture of a map as a file with this ending, and its faults, a sentence with file and line each, if any:
    they are marked on it. *width* in pixels, for a PNG; *kind* as ``check_map``.

    Raises:
        NotFound: an unknown game.
        ConfigError: no such map, another kind of picture.
        MapError: nothing of the map can be drawn.
        RefereeError: what draws this kind is not installed, or failed.
    """
    check_ending(suffix)
    file, text, atlas = _read(kind, name)
    drawing, faults = atlas.drawing_of_draft(text, file)
    return board_file(drawing, suffix, width), str(MapError(file, faults)) if faults else ""


def new_map(kind: str, columns: int, rows: int, title: str, file: Path) -> str:
    """Write an empty sheet and return what its columns and rows count (``hexes``).

    Raises:
        ConfigError: it is too large, has a title that cannot be written, or its file is there already.
    """
    atlas = _atlas(kind)
    most_columns, most_rows = atlas.largest
    if not (1 <= columns <= most_columns and 1 <= rows <= most_rows):
        raise ConfigError(
            f"a sheet has 1 to {most_columns} columns and 1 to {most_rows} rows; {columns} x {rows} was asked for"
        )
    if not title.strip() or not title.isprintable() or set(title) & set('"\\'):
        raise ConfigError(f"the title {title!r} is empty or holds quotes, backslashes or control characters")
    # Its name as the id of a map: small letters, digits and _.
    plain = unicodedata.normalize("NFKD", file.stem.casefold()).encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    name = name if name[:1].isalpha() else f"map_{name}".rstrip("_")
    text = atlas.sheet(columns, rows, name, title.strip())
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError as error:
        raise ConfigError(f"{file} is there already; a new sheet never overwrites a map") from error
    except OSError as error:
        raise ConfigError(f"{file} cannot be written: {error.strerror}") from error
    return atlas.unit


def map_desk(name: str, language: str = "en") -> str:
    """Return the page on which a map file, or a shipped map by its name, is painted.

    Raises:
        ConfigError: no such map, or none of a game with a map desk.
        MapError: it is no TOML.
    """
    file, text, atlas = _read("", name)
    if atlas.kit is None:
        raise ConfigError(f"{file} is no map with hexes to paint: the map desk is for maps of Dampfross")
    try:
        doc = TomlText(text).values
    except NotToml as error:
        raise MapError(file, ((error.line, f"This is no TOML: {error.reason}."),)) from error
    told = {"file": file, "text": text, "doc": _as_json(doc), "kit": atlas.kit()}
    return map_page(told, language)


def take_map(file: Path, downloaded: Path) -> tuple[Checked, Path | None]:
    """Put what the map desk made in the place of *file*, and return what is to be said of it, and where the old one is kept.

    Nothing is done where both are the same (None). A map with faults is taken: it is being made.

    Raises:
        ConfigError: one of them cannot be read or written, or the new one is the old one or no map of the same game.
        MapError: it is no TOML, or nothing of it can be drawn.
    """
    _, old, atlas = _read("", str(file))
    _, new, made = _read("", str(downloaded))
    if file.resolve() == downloaded.resolve():
        raise ConfigError(
            f"{downloaded} is the map itself: name what the browser downloaded, as ~/Downloads/{file.name}"
        )
    if made.draft is None or made.format != atlas.format:
        raise ConfigError(f"{downloaded} is no map of the same game as {file}")
    made.draft(new, str(downloaded))
    kept = None
    if new != old:
        names = (file.with_name(f"{file.stem}.old{number or ''}{file.suffix}") for number in count())
        kept = next(each for each in names if not each.exists())
        try:
            file.rename(kept)
            file.write_bytes(new.encode())
        except OSError as error:
            raise ConfigError(f"{file} cannot be written: {error.strerror}") from error
    return check_map("", str(file)), kept


def _as_json(value: Any) -> Any:
    """Return TOML values as JSON has them; what a script would misread comes as it was written, in ``$``."""
    if isinstance(value, dict):
        return {key: _as_json(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_as_json(each) for each in value]
    if isinstance(value, bool) or (isinstance(value, str) and not isinstance(value, Broken)):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else {"$": str(value), "int": True}
    return {"$": str(value)}


def _atlas(kind: str) -> Atlas:
    game = game_named(kind)
    if game.atlas is None:
        raise ConfigError(f"{game.title} offers nothing to mapmakers")
    return game.atlas


def _read(kind: str, name: str) -> tuple[str, str, Atlas]:
    """Return (file, text) of a map file, or of a shipped map by its name, and the atlas of the game it is for."""
    # Those that offer anything to mapmakers, where none is named.
    mapped = [game_named(kind)] if kind else [game for game in games().values() if game.atlas is not None]
    if not Path(name).is_file():
        for game in mapped:
            if name in game.boards():
                return f"{name}.toml", game.board_text(name), _atlas(game.name)
    try:
        text = text_from_outside(Path(name))
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name} is not UTF-8: {error}") from error
    except OSError as error:
        shipped = "; ".join(f"shipped with {game.title}: {', '.join(game.boards())}" for game in mapped)
        raise ConfigError(f"{name} cannot be read: {error.strerror}; {shipped}") from error
    # The format that it names, or what comes nearest to it: a map full of faults is known as well.
    formats = {game.atlas.format: game for game in mapped if game.atlas is not None}
    named = _FORMAT.search(text)
    near = difflib.get_close_matches(named[1], list(formats), 1) if named else []
    return name, text, _atlas((formats[near[0]] if near else mapped[0]).name)


def read_map(kind: str, name: str) -> tuple[str, str, str]:
    """Return the game that a map is for, its file and its text; raises as ``check_map``."""
    file, text, atlas = _read(kind, name)
    return next(game.name for game in games().values() if game.atlas is atlas), file, text


# Is it a good map? Built-in players try it, and what came of it stands beside the maps that come with the program.

GAMES = 50
FIGURES = "tried.toml"  # beside this module; `make tried` writes it


def shipped_figures(kind: str) -> Mapping[str, Mapping[str, float]]:
    """Return the figures of the maps that come with a game."""
    table = tomllib.loads(files("referee.service.umpire").joinpath(FIGURES).read_text("utf-8"))
    found: Mapping[str, Mapping[str, float]] = table.get(kind, {})
    return found


def try_map(kind: str, name: str, games: int) -> tuple[str, Iterator[Trial]]:
    """Return the game that a map is for, and its trial as it goes on, after each of so many games.

    Raises:
        NotFound: an unknown game.
        ConfigError: no such map, or one of a game without built-in players.
        MapError: with every fault of the map.
    """
    game, file, text = read_map(kind, name)
    if game not in ANSWERS:
        raise ConfigError(f"{game} has no built-in players who could try a map")
    rules = game_named(game)
    rules.check_board(text, file)
    return game, try_board(rules, OrderLanguage.of(**order_texts(game)), text, Path(file).stem, games, "map try")


def margin(won: int, of: int) -> int:
    """Return the margin of chance of a share, in per cent points: 95 of 100 times it is no further off."""
    share = won / of
    return round(196 * sqrt(max(share * (1 - share), 0.25 / of) / of))


def draw_heat(kind: str, name: str, trial: Trial, suffix: str, width: int) -> bytes:
    """Return the picture of where track lay and trains ran, as a file with this ending. Raises as ``draw_map``."""
    check_ending(suffix)
    game, file, text = read_map(kind, name)
    atlas = game_named(game).atlas
    if atlas is None:
        raise MapError(file, ())
    return board_file(heat(atlas.drawing(text, file), trial), suffix, width)
