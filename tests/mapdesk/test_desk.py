"""The map desk in a browser: everything that the format can say is painted or typed, and the file keeps what was not touched."""

from __future__ import annotations

import difflib
import re
import tomllib
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from referee.cli.maps import map_desk
from referee.games.dampfross.board import FORM
from referee.games.dampfross.board.mapfile import draft_of_map
from referee.report.desk import map_script
from tests.browser import reload, violations
from tests.mapdesk.pages import FEATURES, SHIPPED, click, doc_of, drag, opened, side_on_screen, text_of
from tests.tables import Tables

CASES = Tables(__file__)


if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
MAPS = (*SHIPPED, FEATURES)
TABS = {"special": "ends", "transports": "ends", "top": "sheet", "numbered_grid": "sheet", "cells": "sheet"}
TYPED = {"line": "Wort", "text": "A1-A2", "number": "5", "count": "3", "lines": "N", "numbers": "12 13"}


@pytest.fixture
def desk(browser: Browser, tmp_path: Path) -> Page:
    return opened(browser, tmp_path, FEATURES)


@pytest.mark.parametrize("name", MAPS, ids=lambda name: Path(name).stem)
def test_a_map_in_which_nothing_was_changed_comes_out_byte_for_byte(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    page = opened(browser, tmp_path, name)
    before = page.evaluate("JSON.parse(document.getElementById('told').textContent).text")
    assert text_of(page) == before
    page.keyboard.press("l")
    click(page, "B3")
    page.click("#undo")
    assert text_of(page) == before


def changed_lines(before: str, after: str) -> list[str]:
    return [line for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line[0] in "+-"]


@CASES.rows
def test_what_was_not_touched_keeps_its_line_its_comment_and_its_place(
    desk: Page, key: str, places: list[str], lines: int
) -> None:
    before = text_of(desk)
    desk.keyboard.press(key)
    for place in places:
        click(desk, place)
    if key == "t":
        desk.keyboard.type("Neu")
        desk.keyboard.press("Enter")
    assert len(changed_lines(before, text_of(desk))) == lines, changed_lines(before, text_of(desk))


@pytest.mark.parametrize("section", [each for each in FORM if each != "sketch"])
def test_every_field_of_the_format_can_be_typed_and_is_explained(desk: Page, section: str) -> None:
    tab = TABS.get(section, "places" if section in ("station", "junction") else "lines")
    desk.click(f"#tab-{tab}")
    if section == "cells":
        desk.click("text=The cells as text")
        desk.evaluate("Panel.render()")  # as a check that comes back late does
    elif tab in ("lines", "places") or section == "special":
        desk.click(f"[data-add={section}]")
    for key, (kind, _) in FORM[section].items():
        if kind in ("table", "tables"):
            continue
        before = doc_of(desk)
        control = desk.locator(f'[data-key="{section}.{key}"]').last
        assert desk.evaluate(
            "key => JSON.parse(document.getElementById('told').textContent).keys[key]", f"{section}.{key}"
        )
        if kind == "flag":
            control.click()
        elif control.evaluate("each => each.tagName") == "SELECT":
            control.select_option("free")
        else:
            control.fill(TYPED[kind])
            control.press("Tab")
        after = doc_of(desk)
        block = after if section == "top" else after[section]
        block = block[-1] if isinstance(block, list) else block
        assert key in block, key
        assert after != before, key
        assert {each for each in after if after[each] != before.get(each)} <= {section, key, "cells"}


def test_a_tab_that_is_pressed_while_the_panel_is_drawn_anew_is_shown(desk: Page) -> None:
    desk.hover("#tab-lines")
    desk.mouse.down()
    desk.evaluate("Panel.render()")  # as a check that comes back late does
    desk.mouse.up()
    assert desk.evaluate("Panel.tab()") == "lines"
    assert desk.get_attribute("#tab-lines", "aria-selected") == "true"


def test_areas_and_homes_can_be_typed(desk: Page) -> None:
    desk.click("#tab-sheet")
    desk.click("text=One more area")
    desk.keyboard.type("Zedland")
    desk.keyboard.press("Tab")
    assert doc_of(desk)["areas"]["Z"] == "Zedland"
    desk.click("#gives")
    desk.keyboard.press("m")
    click(desk, "D5")
    assert draft_of_map(text_of(desk), "x")[0].area["D5"] == "Z"
    desk.click("#tab-ends")
    desk.fill('[data-key="home_terminals.4"]', "Alton = 1\nZell = 3")
    desk.press('[data-key="home_terminals.4"]', "Tab")
    desk.fill('[data-key="home_terminals.first_round_ways"]', "")
    desk.press('[data-key="home_terminals.first_round_ways"]', "Tab")
    homes = doc_of(desk)["home_terminals"]
    assert homes["4"] == {"Alton": 1, "Zell": 3}
    assert "first_round_ways" not in homes
    desk.fill('[data-key="home_terminals.any"]', "Fell\nGorse")
    desk.press('[data-key="home_terminals.any"]', "Tab")
    assert doc_of(desk)["home_terminals"]["any"] == ["Fell", "Gorse"]


TOOLS = {
    "plain": ("p", "I8", "", 0),
    "mountain": ("m", "F8", "", 0),
    "lake": ("l", "D5", "", 0),
    "sea": ("s", "D5", "", 0),
    "outside": ("o", "D5", "", 0),
    "river": ("r", "B8-B9", "river", 1),
    "wide": ("w", "B8-B9", "river", 1),
    "closed": ("c", "B8-B9", "river", 1),
    "forbidden": ("x", "B8-B9", "forbidden", 1),
    "walled": ("k", "D5", "forbidden", 1),
    "open": ("i", "B8-B9", "forbidden", 1),
    "priced": ("e", "B8-B9", "priced", 1),
    "bridge": ("b", "B8-B9", "bridge", 1),
    "causeway": ("y", "B8-B9", "causeway", 1),
    "permitted": ("n", "B8-B9", "permitted", 1),
    "special": ("d", "D5", "special", 1),
}


@pytest.mark.parametrize("by", ["click", "key"])
def test_a_tool_works_with_one_click_and_with_the_keyboard(desk: Page, by: str) -> None:
    before = doc_of(desk)
    for tool, (key, place, section, more) in TOOLS.items():
        desk.evaluate("document.getElementById('over').focus()")
        if by == "click":
            desk.click(f"[data-tool={tool}]")
            click(desk, place)
        else:
            desk.keyboard.press(key)
            steer(desk, place)
        after = doc_of(desk)
        assert after != before, tool
        if section:
            assert len(after[section]) - len(before.get(section, ())) == more, tool
        else:
            assert after["cells"] != before["cells"], tool
        desk.click("#undo")
        assert doc_of(desk) == before, tool
        desk.click("#redo")
        assert doc_of(desk) == after, tool
        desk.click("#begin")


def steer(desk: Page, place: str) -> None:
    """Move the cursor from A1 to a hex and use the tool there, or on its southern hex-side, and move back."""
    column, row = desk.evaluate("label => Sheet.parse(label)", place.split("-")[0])
    for key, times in (("ArrowRight", column), ("ArrowDown", row)):
        for _ in range(times):
            desk.keyboard.press(key)
    desk.keyboard.press("4" if "-" in place else "Enter")
    for key, times in (("ArrowLeft", column), ("ArrowUp", row)):
        for _ in range(times):
            desk.keyboard.press(key)


def test_a_river_is_dragged_along_hex_sides_and_taken_back_side_by_side(desk: Page) -> None:
    desk.keyboard.press("r")
    drag(desk, ["B8-B9", "B8-C9", "B8-C8"])
    assert doc_of(desk)["river"][-1]["edges"] == "B8-B9 B8-C9 B8-C8"
    desk.evaluate("document.getElementById('over').focus()")
    desk.keyboard.press("Backspace")
    assert doc_of(desk)["river"][-1]["edges"] == "B8-B9 B8-C9"


def test_a_quick_hand_loses_no_hex_side_and_not_the_first(desk: Page) -> None:
    desk.keyboard.press("r")
    course = ["A8-B8", "B7-B8", "B8-C8", "B8-C9", "C8-C9"]
    for n, place in enumerate(course):
        desk.mouse.move(*side_on_screen(desk, place))
        if not n:
            desk.mouse.down()
    desk.mouse.up()
    assert set(doc_of(desk)["river"][-1]["edges"].split()) == set(course)


def test_a_special_begins_without_ends_and_takes_towns_alone(desk: Page) -> None:
    desk.click("#tab-ends")
    desk.click('[data-add="special"]')
    desk.locator('[data-key="special.towns"]').last.fill("Alton")
    desk.locator('[data-key="special.towns"]').last.press("Tab")
    assert "hexes" not in doc_of(desk)["special"][-1]


def test_towns_are_named_where_they_lie_and_a_ferry_is_two_clicks(desk: Page) -> None:
    for key in "mt":
        desk.keyboard.press(key)
        click(desk, "D5")
    desk.keyboard.type("Neuburg")
    desk.keyboard.press("Tab")
    desk.keyboard.type("11 12")
    desk.keyboard.press("Enter")
    assert doc_of(desk)["station"][-1] == {"numbers": [11, 12], "name": "Neuburg", "hex": "D5"}
    assert draft_of_map(text_of(desk), "x")[0].ground["D5"] == "."
    desk.keyboard.press("h")
    click(desk, "D5")
    assert doc_of(desk)["home_terminals"]["any"] == ["Neuburg"]
    desk.keyboard.press("j")
    click(desk, "D4")
    desk.keyboard.type("Kreuz")
    desk.keyboard.press("Enter")
    assert doc_of(desk)["junction"][-1] == {"name": "Kreuz", "hex": "D4"}
    desk.keyboard.press("f")
    click(desk, "A5")
    click(desk, "D5")
    assert doc_of(desk)["ferry"][-1]["ends"] == "A5-D5"


def test_the_inspector_says_what_a_hex_costs_and_faults_wait(desk: Page) -> None:
    desk.keyboard.press("v")
    click(desk, "D5")
    assert desk.inner_text("blockquote").startswith("From D5 a hex costs 1 point")
    desk.keyboard.press("s")
    click(desk, "E3")
    desk.wait_for_selector("#faults .sign")
    assert "hex E3 is sea" in desk.inner_text("#faults")
    assert desk.get_attribute("#save", "href")


def test_what_was_made_is_there_again_when_the_page_is_opened_anew(desk: Page) -> None:
    before = text_of(desk)
    desk.keyboard.press("m")
    for place in ("D5", "D4", "C5"):
        click(desk, place)
    made = text_of(desk)
    desk.evaluate("Edits.keep()")
    reload(desk)
    assert text_of(desk) == made
    for _ in range(3):
        desk.click("#undo")
    assert text_of(desk) == before


def test_a_hundred_steps_are_undone_and_no_more(desk: Page) -> None:
    desk.evaluate("for (let n = 0; n < 101; n += 1) Edits.put('pitch_km', n + 1)")
    for _ in range(100):
        assert desk.is_enabled("#undo")
        desk.evaluate("Edits.undo()")
    assert not desk.is_enabled("#undo")
    assert doc_of(desk)["pitch_km"] == 1


def test_a_map_from_a_stranger_is_text_and_never_a_script(browser: Browser, tmp_path: Path) -> None:
    evil = "</script><img src=x onerror=alert(1)>"
    text = FEATURES.read_text("utf-8").replace('"Features"', f'"{evil}"').replace('"Alton"', f'"{evil}"')
    (tmp_path / "evil.toml").write_text(text, "utf-8")
    page = opened(browser, tmp_path, tmp_path / "evil.toml")
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    click(page, "A5")
    assert page.inner_text("#name") == evil
    assert page.input_value("#panel [data-key='station.name']") == evil
    assert page.locator("img").count() == 0


def test_axe_has_nothing_to_say_of_any_part_and_a_telephone_is_told(browser: Browser, tmp_path: Path) -> None:
    page = opened(browser, tmp_path, "bavaria", bypass_csp=True, viewport={"width": 1024, "height": 768})
    assert not page.is_visible("#small")
    for tab in ("here", "places", "lines", "ends", "sheet"):
        page.click(f"#tab-{tab}")
        if tab == "lines":
            page.locator("summary").first.click()
        assert violations(page) == [], tab
    page.set_viewport_size({"width": 375, "height": 800})
    assert page.is_visible("#small")


def test_the_page_is_small_runs_its_own_script_alone_and_asks_for_nothing(browser: Browser, tmp_path: Path) -> None:
    text = map_desk("kentucky_tennessee")
    assert len(text.encode()) < 600_000
    assert "default-src 'none'; script-src 'sha256-" in unescape(text)
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    file = tmp_path / "x.html"
    file.write_text(text, "utf-8")
    page.goto(file.as_uri())
    assert asked == [file.as_uri()]


@CASES.frozen_rows
def test_the_desk_speaks_its_readers_language(
    browser: Browser, tmp_path: Path, language: str, words: tuple[str, ...]
) -> None:
    page = opened(browser, tmp_path, FEATURES, language)
    assert page.get_attribute("html", "lang") == language
    page.keyboard.press("s")
    click(page, "E3")
    page.wait_for_selector("#faults .sign")
    said = page.evaluate("document.body.innerText").casefold()
    assert [each for each in words if each.casefold() not in said] == []
    click(page, "D5")
    assert set(re.findall(r"\{\w+\}", page.inner_text("body"))) == set()


def test_no_word_that_the_script_says_has_no_translation() -> None:
    """What stands in the script as a sentence, and is neither a name nor in T("..."), is English in every language."""
    script = map_script()
    loose = re.findall(
        r"""(?:say\(|button\(|"(?:p|h2|h3|label|summary|th|option|button)", \{[^{}]*\}, )"([A-Z][^"]+)\"""", script
    )
    assert loose == []


def test_a_sheet_grows_and_shrinks(desk: Page) -> None:
    desk.click("#tab-sheet")
    desk.fill('[data-key="top.cols"]', "14")
    desk.press('[data-key="top.cols"]', "Tab")
    assert all(len(row.split(":")[1].split()) == 14 for row in doc_of(desk)["cells"]["grid"].splitlines() if ":" in row)
    assert desk.evaluate("Desk.said().faults") == []
    assert tomllib.loads(text_of(desk))["cols"] == 14
