"""A whole map painted at the desk, from what its file says alone, comes out the same."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import asdict

from referee.games.dampfross import GAME
from referee.games.dampfross.board import RailMap
from referee.games.dampfross.board.mapfile import draft_of_map, read_map
from referee.games.dampfross.editor import empty_sheet
from tests.mapdesk.pages import click, drag, opened, text_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.testdesk]
TOOLS = {".": "p", "^": "m", "~": "s", "o": "l", "-": "o"}


def runs(board: RailMap, mark: str) -> list[list[str]]:
    """Return the hexes of a kind of ground, column by column, as far as a brush may be drawn."""
    found: list[list[str]] = []
    kinds = {**board.ground, **board.water}
    for column in range(board.columns):
        run: list[str] = []
        for row in range(board.rows):
            label = f"{'' if column < 26 else 'A'}{chr(65 + column % 26)}{row + 1}"
            if kinds[label] == mark:
                run.append(label)
            elif run:
                found.append(run)
                run = []
        found += [run] * bool(run)
    return found


def fill(page: Page, key: str, value: str) -> None:
    page.locator(f'[data-key="{key}"]').last.fill(value)
    page.locator(f'[data-key="{key}"]').last.press("Tab")


def test_ireland_is_painted_by_mouse_and_keyboard_and_comes_out_the_same(browser: Browser, tmp_path: Path) -> None:
    original = read_map(GAME.board_text("ireland"), "x")
    values = GAME.board_text("ireland")
    file = tmp_path / "isle.toml"
    file.write_text(empty_sheet(original.columns, original.rows, "ireland", "Isle"), "utf-8")
    page = opened(browser, tmp_path, file)
    for box in ("#hint", "#scanbox", "#zoom"):
        page.evaluate("box => { document.querySelector(box).style.display = 'none'; }", box)
    page.click("#tab-sheet")
    for title in original.areas.values():
        page.click("text=One more area")
        fill(page, "areas.letter", title)
    page.locator('[data-key="cells.grid"]').count()
    fill(page, "top.title", original.title)
    fill(page, "top.home_areas", "R N")
    page.click("#tab-here")
    areas = dict(zip(original.areas, "RN", strict=True))
    for letter, own in areas.items():
        page.click(f'[data-area="{own}"]')
        page.keyboard.press("a")
        for mark in ".^":
            for run in runs(original, mark):
                if mine := [label for label in run if original.area[label] == letter]:
                    drag_or_click(page, mine)
    for mark, key in TOOLS.items():
        if mark == ".":
            continue
        page.keyboard.press(key)
        for run in runs(original, mark):
            drag_or_click(page, run)
    page.click("#tab-sheet")
    page.click("[aria-label='Remove area H']")
    for river in original.river_lines:
        for key, sides in (
            ("r", [each for each in river.sides if original.rivers.get(each) == 2]),
            ("w", [each for each in river.sides if original.rivers.get(each) == 4]),
            ("c", [each for each in river.sides if each not in original.rivers]),
        ):
            page.keyboard.press(key)
            for side in sides:
                click(page, "-".join(side))
        page.keyboard.press("Escape")
    page.keyboard.press("t")
    for town in original.stations:
        click(page, town.hex)
        page.fill("#quick-name", town.name)
        page.fill("#quick-keys", " ".join(map(str, town.keys)))
        page.press("#quick-keys", "Enter")
    page.keyboard.press("h")
    for label in original.homes["any"]:
        click(page, label)
    made, faults = draft_of_map(text_of(page), "x")
    assert faults == ()
    assert page.evaluate("Desk.said().faults") == []
    assert made.ground == original.ground
    assert made.water == original.water
    assert {label: areas[letter] for label, letter in original.area.items()} == made.area
    assert made.rivers == original.rivers
    assert made.closed == original.closed
    assert [river.sides for river in made.river_lines] == [river.sides for river in original.river_lines]
    plain = [{**asdict(each), "also": ()} for each in original.stations]
    assert [asdict(each) for each in made.stations] == plain
    assert made.homes == original.homes
    assert "Kingstown" in values


def drag_or_click(page: Page, run: list[str]) -> None:
    if len(run) == 1:
        click(page, run[0])
    else:
        drag(page, run)
