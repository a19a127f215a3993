"""Order desks for tests: the page of a position of Dampfross, without a club; a browser that opens it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from referee.games.dampfross import GAME
from referee.games.dampfross.position.state import State
from referee.report.desk import desk_page
from referee.report.templates import Stationery
from referee.resources import template_folders

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = Path("/usr/bin/chromium")
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
STATIONERY = Stationery(lambda game: template_folders(game, None))


def page_of(state: State, language: str = "en") -> str:
    """Return the desk of a position, of a club that publishes nothing."""
    players = [{"code": each.code, "name": each.name} for each in state.table.players]
    told = {"club": "Club", "game": "RR1", "turn": state.turn, "players": players, "url": "", "page": ""}
    return desk_page(STATIONERY, "dampfross", language, told, GAME.desk(state), GAME.drawing(state))


@contextmanager
def browser() -> Iterator[Browser]:
    """Open a browser, or skip the test where there is none."""
    api: Any = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.is_file():
        pytest.skip("chromium is not installed")
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(CHROMIUM), args=OPTIONS)
        yield opened
        opened.close()
