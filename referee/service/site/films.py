"""The film of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.service.club.club import Club
from referee.service.site.folder import Files
from referee.service.site.games import Shown


def film_files(club: Club, game: Shown, values: Mapping[str, Any]) -> Files:
    """Return the film of a game."""
    return {}
