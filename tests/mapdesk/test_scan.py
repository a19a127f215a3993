"""A scan beneath the map: fitted by clicks, numbered as printed, its colours proposed; nothing of it gets into the file."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from referee.games.dampfross import GAME
from referee.games.dampfross.board import RailMap
from referee.games.dampfross.board.mapfile import draft_of_map, read_map
from referee.games.dampfross.editor import empty_sheet
from tests.browser import reload
from tests.mapdesk.pages import click, hex_on_screen, opened, text_of
from tests.tables import Tables

CASES = Tables(__file__)


if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.mapdesk.prints import Scan

pytestmark = pytest.mark.browser
prints = pytest.importorskip("tests.mapdesk.prints", reason="pillow is not installed")
AT = """([x, y]) => { const [a, b, c, d, e, f] = Scan.matrix(); return Desk.onScreen(a * x + c * y + e, b * x + d * y + f); }"""
FAR = ("B2", "AR2", "B25", "AR25", "W13")


@pytest.fixture(scope="module")
def original() -> RailMap:
    return read_map(GAME.board_text("kentucky_tennessee"), "x")


@pytest.fixture
def page(browser: Browser, tmp_path: Path, original: RailMap) -> Page:
    """An empty sheet of the right size, with the areas of the printed one."""
    areas = "".join(f'{letter} = "{title}"\n' for letter, title in original.areas.items())
    text = empty_sheet(original.columns, original.rows, "ky", "Kentucky")
    file = tmp_path / "ky.toml"
    file.write_text(text.replace('H = "Home"\n', areas + ("" if "H" in original.areas else 'H = "Home"\n')), "utf-8")
    return opened(browser, tmp_path, file)


def lay(page: Page, file: Path) -> None:
    page.click("#scanbox summary")
    page.set_input_files("#scan-file", file)
    page.wait_for_selector("text=Fit by clicks")


def fit(page: Page, scan: Scan, hexes: tuple[str, ...], names: tuple[str, ...] = ()) -> None:
    """Click the middles of printed hexes as a hand does, a pixel or two off, and say which they are."""
    chance = random.Random(7)  # noqa: S311 (not for secrets)
    for label, name in zip(hexes, names or hexes, strict=True):
        x, y = page.evaluate(AT, list(scan.at(label)))
        page.mouse.click(x + chance.uniform(-1.5, 1.5), y + chance.uniform(-1.5, 1.5))
        page.keyboard.type(name)  # what is asked for is typed at once
        page.keyboard.press("Enter")


def test_three_clicks_fit_the_grid_and_more_say_how_well(page: Page, tmp_path: Path, original: RailMap) -> None:
    before = text_of(page)
    scan = prints.Scan(original, tmp_path / "scan.png")
    lay(page, tmp_path / "scan.png")
    fit(page, scan, FAR)
    for label in ("W2", "AA20", "K10"):
        x, y = page.evaluate(AT, list(scan.at(label)))
        x0, y0 = hex_on_screen(page, label)
        assert (x - x0) ** 2 + (y - y0) ** 2 < 3**2
    assert page.inner_text("#scan-error").startswith("No click is more than ")
    assert text_of(page) == before
    reload(page)
    page.wait_for_function("() => Scan.layer()")


def test_a_picture_that_is_none_is_told_in_one_sentence(page: Page, tmp_path: Path) -> None:
    (tmp_path / "no.png").write_bytes(b"\x89PNG\r\n\x1a\nnot at all")
    page.click("#scanbox summary")
    page.set_input_files("#scan-file", tmp_path / "no.png")
    page.wait_for_function("() => document.getElementById('live').textContent")
    said = page.inner_text("#live")
    assert said == "no.png is no picture that this browser can read: a PNG or a JPEG is wanted."


@CASES.rows
def test_hexes_are_named_as_the_print_names_them(page: Page, scheme: str, corner: str, shifted: str, name: str) -> None:
    page.click("#scanbox summary")
    page.locator("#scanbox select").first.select_option(scheme)
    page.locator("#scanbox select").nth(1).select_option(corner)
    page.locator("#scanbox select").nth(2).select_option(shifted)
    assert page.evaluate("Scan.printed('C4')") == name
    click(page, "C4")
    assert f"{name} on the printed sheet" in page.inner_text("#panel") or name == "C4"


@pytest.mark.testdesk
def test_the_ground_of_a_scan_is_proposed_from_a_few_painted_hexes(
    page: Page, tmp_path: Path, original: RailMap
) -> None:
    scan = prints.Scan(original, tmp_path / "scan.png")
    lay(page, tmp_path / "scan.png")
    fit(page, scan, FAR)
    page.click("#scanbox summary")
    kinds: dict[str, list[str]] = defaultdict(list)
    for label in original.ground:
        kinds[original.area[label] + original.ground[label]].append(label)
    for label, mark in original.water.items():
        kinds[mark * 2].append(label)
    chance = random.Random(3)  # noqa: S311 (not for secrets)
    by_hand = {label: kind for kind, labels in kinds.items() for label in chance.sample(labels, min(5, len(labels)))}
    page.evaluate("document.querySelector('#scanbox').style.visibility = 'hidden'")
    page.evaluate("document.querySelector('#hint').style.visibility = 'hidden'")
    tools = {".": "p", "^": "m", "~": "s", "o": "l", "-": "o"}
    for label, kind in by_hand.items():
        if kind[1] in ".^":
            page.click(f'[data-area="{kind[0]}"]')
            page.keyboard.press("a")
            click(page, label)
        page.keyboard.press(tools[kind[1]])
        click(page, label)
    page.evaluate("document.querySelector('#scanbox').style.visibility = 'visible'")
    page.click("#scanbox summary")
    page.click("text=Propose the ground by colours")
    proposed = page.evaluate("[...Scan.proposals().keys()].length")
    assert proposed > 900
    made, _ = draft_of_map(text_of(page), "x")
    right = sum(
        made.ground.get(label) == kind and made.area.get(label) == original.area[label]
        for label, kind in original.ground.items()
    ) + sum(made.water.get(label) == mark for label, mark in original.water.items())
    share = right / (len(original.ground) + len(original.water))
    print(f"{len(by_hand)} hexes by hand, {proposed} proposed, {share:.1%} right")
    assert share > 0.85
    page.click("text=/Accept \\d+ proposals/")
    assert page.evaluate("Scan.proposals().size") == 0
    assert "proposed" not in page.inner_text("#hint-on")
    page.click("#undo")
    assert draft_of_map(text_of(page), "x")[0].ground != made.ground
