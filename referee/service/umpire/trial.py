"""Is it a good map? Built-in players try it, and what came of it stands beside the maps that come with the program."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from math import sqrt
from pathlib import Path

from referee.bots.trial import ANSWERS, Trial, heat, try_board
from referee.core.errors import ConfigError, MapError
from referee.games import game_named
from referee.orderbook import OrderLanguage
from referee.report.paper import board_file, check_ending
from referee.resources import order_texts
from referee.service.umpire.maps import read_map

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
