"""Map desks for tests: the page of a map, opened in a browser, and what is painted there by mouse and keyboard."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from referee.cli.maps import map_desk
from referee.games.dampfross import GAME
from tests.browser import new_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FEATURES = Path(__file__).parents[1] / "games" / "dampfross" / "maps" / "features.toml"
SHIPPED = tuple(GAME.boards())
DESK: Any = {"width": 1440, "height": 900}


def opened(
    browser: Browser, folder: Path, name: str | Path, language: str = "en", viewport: Any = DESK, **context: Any
) -> Page:
    """Return the desk of a map file, or of a shipped map by its name."""
    page = new_page(browser, viewport, **context)
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    file = folder / f"{Path(name).stem}.desk.html"
    file.write_text(map_desk(str(name), language), "utf-8")
    page.set_default_timeout(10_000)
    page.goto(file.as_uri(), wait_until="load")
    return page


def text_of(page: Page) -> str:
    return str(page.evaluate("Edits.text()"))


def doc_of(page: Page) -> dict[str, Any]:
    return tomllib.loads(text_of(page))


def hex_on_screen(page: Page, label: str) -> tuple[float, float]:
    x, y = page.evaluate("label => Desk.onScreen(...Paint.middle(label))", label)
    return x, y


def side_on_screen(page: Page, crossing: str) -> tuple[float, float]:
    ends = page.evaluate("side => Paint.edge(side)", crossing)
    x, y = page.evaluate("([x, y]) => Desk.onScreen(x, y)", [(ends[0][n] + ends[1][n]) / 2 for n in (0, 1)])
    return x, y


def click(page: Page, place: str) -> None:
    """Click a hex, ``C4``, or a hex-side, ``C4-C5``."""
    page.mouse.click(*(side_on_screen(page, place) if "-" in place else hex_on_screen(page, place)))


def drag(page: Page, places: list[str]) -> None:
    """Drag over hexes or hex-sides."""
    for n, place in enumerate(places):
        page.mouse.move(*(side_on_screen(page, place) if "-" in place else hex_on_screen(page, place)), steps=4)
        if not n:
            page.mouse.down()
    page.mouse.up()
