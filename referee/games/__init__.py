"""The games: folders here that export ``GAME``, then those of other packages (entry points ``referee.games``)."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable

from referee.core import NotFound
from referee.core.game import Game

GROUP = "referee.games"


class Games(Mapping[str, Game]):
    """Every game by its name, in order of names; its rules are imported when it is asked for."""

    def __getitem__(self, name: str) -> Game:
        """Raises KeyError: there is no such game."""
        game = importlib.import_module(self.module_of(name)).GAME
        if not isinstance(game, Game):
            raise TypeError(f"{self.module_of(name)}.GAME is no Game")
        return game

    def __contains__(self, name: object) -> bool:
        return name in self._ours or name in self._modules

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)

    def module_of(self, name: str) -> str:
        """Return the name of the package that exports the game's ``GAME``. Raises KeyError."""
        return self._ours.get(name) or self._modules[name]

    @cached_property
    def _ours(self) -> dict[str, str]:
        folders = (each.name for each in files(__name__).iterdir() if each.joinpath("__init__.py").is_file())
        return {name: f"{__name__}.{name}" for name in folders}

    @cached_property
    def _modules(self) -> dict[str, str]:
        """The package of every game by the game's name. Who plays one of ours does not wait for those of others to be found."""
        from importlib.metadata import entry_points

        points = {point.name: point.module for point in entry_points(group=GROUP)}
        return dict(sorted({**points, **self._ours}.items()))


@cache
def games() -> Games:
    """Return the games that are installed."""
    return Games()


def folder_of(name: str) -> Traversable:
    """Return the folder of a game's package, where its templates and orders may lie. Raises KeyError."""
    return files(games().module_of(name))


def game_named(name: str) -> Game:
    """Return a game.

    Raises:
        NotFound: there is none of that name.
    """
    if name not in games():
        near = difflib.get_close_matches(name, list(games()), 1)
        raise NotFound(
            f"there is no game {name!r} "
            + (f"(did you mean {near[0]!r}?)" if near else f"(there is {', '.join(games())})")
        )
    return games()[name]
