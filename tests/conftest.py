"""The tiny game is installed beside the referee, as any game that is not ours."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.games import games
from tests.posthouse import INSTALLED, PostHouse
from tests.servers.fixtures import dovecot, mailbox  # noqa: F401 (fixtures)

sys.path.append(str(INSTALLED))
games.cache_clear()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    """A club in a folder of its own, on Monday 7 December 2026, 12:00 UTC, without early delay."""
    with PostHouse(tmp_path / "club") as made:
        yield made
