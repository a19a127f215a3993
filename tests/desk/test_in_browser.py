"""The order desk in a browser: by finger, mouse, keyboard and list; axe is silent; what is missing or damaged is told."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest

from referee.report.desk import desk_page
from tests.browser import new_page, reload, too_wide, violations
from tests.desk.pages import STATIONERY, desk_of_volldampf, page_of
from tests.games.dampfross.recordedgames import recorded_game
from tests.games.volldampf.wholegame import recorded_game as game_of_volldampf

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

    Shown = Callable[..., Page]  # an order desk, by what is asked, in a browser

pytestmark = pytest.mark.browser

PHONE: Any = {"width": 375, "height": 800}
DESK: Any = {"width": 1280, "height": 900}
MIDDLE_OF = """of => { const one = document.querySelector(of).getBoundingClientRect();
  return [one.x + one.width / 2, one.y + one.height / 2]; }"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll('#board text:not([hidden])')]
  .map(each => parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().d))"""
TO = "to=referee%40club.example"


Files = dict[str, Path]  # order desks, by what is asked


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The desks of a building and of a racing round, and one of Volldampf."""
    folder, turns = tmp_path_factory.mktemp("desks"), recorded_game("usual 4 b")[2]
    racing = next(turn.before for turn in turns if turn.before.phase == "race")
    made = {"build": turns[2].before, "race": racing}
    for name, state in made.items():
        (folder / f"{name}.html").write_text(page_of(state), "utf-8")
    trips = next(turn.before for turn in game_of_volldampf("post together 3")[2][3:] if turn.before.stage == "trips")
    (folder / "trips.html").write_text(desk_of_volldampf(trips), "utf-8")
    return {name: folder / f"{name}.html" for name in (*made, "trips")}


def show(browser: Browser, file: Path, fragment: str = "c=DSE", viewport: Any = PHONE, **context: Any) -> Page:
    page = new_page(browser, viewport, **context)
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto(f"{file.as_uri()}#{fragment}", wait_until="load")
    return page


@pytest.fixture
def shown(browser: Browser, files: Files) -> Shown:
    return lambda name="build", *how, **more: show(browser, files[name], *how, **more)


def text_of(page: Page) -> str:
    return page.input_value("#orders")


@pytest.mark.parametrize("name", ["build", "race"])
def test_axe_has_nothing_to_say_and_it_fits_a_telephone(shown: Shown, name: str) -> None:
    # The page's own policy lets no other script in: axe is run where there is none.
    page = shown(name, bypass_csp=True)
    page.locator("#steps button").first.click()
    assert too_wide(page) == []
    small = page.evaluate(
        "[...document.querySelectorAll('button, select, a.button')].filter(e => e.offsetParent)"
        ".map(e => e.getBoundingClientRect()).filter(r => r.width < 24 || r.height < 24).length"
    )
    assert small == 0
    assert violations(page) == []


def test_a_line_is_drawn_from_the_list_and_taken_back(shown: Shown) -> None:
    page = shown(viewport=DESK)
    page.get_by_role("button", name="Begin at Belfast").click()
    page.locator("#steps button").first.click()
    drawn = text_of(page)
    assert re.fullmatch(r"ORDERS RR1 3\n3a\) \(Belfast\) - \w+\nEND", drawn)
    page.click("#undo")
    assert text_of(page) == "ORDERS RR1 3\nEND"
    page.click("#redo")
    assert text_of(page) == drawn
    page.click("#another")
    page.locator("#steps button").first.click()
    assert text_of(page) != drawn
    page.locator("#tries button").first.click()
    assert text_of(page) == drawn
    reload(page)
    assert text_of(page) == drawn


def test_a_finger_lays_track_by_tapping_twice_and_draws_on_by_dragging(shown: Shown) -> None:
    page = shown(has_touch=True)
    page.get_by_role("button", name="Begin at Belfast").tap()
    page.locator("#board").scroll_into_view_if_needed()
    x, y = page.evaluate(MIDDLE_OF, "#marks .step")
    page.touchscreen.tap(x, y)
    assert text_of(page) == "ORDERS RR1 3\nEND"
    assert page.inner_text("#ghost") != ""
    page.touchscreen.tap(x, y)
    assert "(Belfast) - " in text_of(page)
    before = text_of(page)
    tip = page.evaluate(MIDDLE_OF, "#marks .tip")
    ahead = page.evaluate(MIDDLE_OF, "#marks .step")
    page.mouse.move(*tip)
    page.mouse.down()
    page.mouse.move(*ahead, steps=6)
    page.mouse.up()
    assert text_of(page) != before


def test_a_mouse_lays_at_once_and_what_cannot_be_done_is_said_beside_the_board(shown: Shown) -> None:
    page = shown(viewport=DESK)
    page.get_by_role("button", name="Begin at Belfast").click()
    page.locator("#steps button").first.focus()
    page.mouse.move(*page.evaluate(MIDDLE_OF, "#marks .step"))
    assert re.fullmatch(r"[A-Z]+\d+|[A-Z]\w+", page.text_content("#board > title") or "")
    page.mouse.click(*page.evaluate(MIDDLE_OF, "#marks .step"))
    assert re.search(r"3a\) \(Belfast\) - \w+\n", text_of(page))
    page.click("#all")
    page.mouse.click(*page.evaluate(MIDDLE_OF, "#board"))
    said = page.inner_text("#ghost")
    assert said
    assert said == page.inner_text("#live")


def test_the_keyboard_alone_plays_a_whole_round(shown: Shown) -> None:
    """From the page's beginning to the copied text with Tab and Enter, and nothing else."""
    page = shown(permissions=["clipboard-read", "clipboard-write"])

    def tab_to(selector: str) -> None:
        for _ in range(200):
            page.keyboard.press("Tab")
            if page.evaluate("at => document.activeElement.matches(at)", selector):
                return
        pytest.fail(f"Tab does not lead to {selector}")

    tab_to("#steps button")
    for roll in ("3a)", "3b)", "3c)"):
        assert page.inner_text("#tabs [aria-pressed=true]").startswith(roll)
        for _ in range(4):
            page.keyboard.press("Enter")
            if f"{roll} (" in text_of(page) and " 0" in page.inner_text("#tabs [aria-pressed=true]"):
                break
        if roll != "3c)":
            tab_to("#next")
            page.keyboard.press("Enter")
            assert page.evaluate("document.activeElement.matches('#steps button')")
    tab_to("#copy")
    page.keyboard.press("Enter")
    page.locator("#done", has_text="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert [line[:3] for line in copied.split("\n")[1:4]] == ["3a)", "3b)", "3c)"]


def test_the_keyboard_alone_plays_a_roll(shown: Shown) -> None:
    page = shown(viewport=DESK)
    page.focus("#steps button")
    page.keyboard.press("Enter")
    page.focus("#board")
    for key in "wedsaq":
        page.keyboard.press(key)
        told = page.inner_text("#live")
        if "cost" in told:
            page.keyboard.press("Enter")
            break
    assert "3a) (" in text_of(page)
    page.focus("#board")
    page.keyboard.press("Backspace")
    assert "3a) (" not in text_of(page)


def test_the_list_is_gone_through_by_the_keyboard_alone(shown: Shown) -> None:
    """The buttons are made anew with each step: whoever presses one stays in the list, and goes on to the next part."""
    page = shown(viewport=DESK)
    page.focus("#steps button")
    for _ in range(3):
        page.keyboard.press("Enter")
    (line,) = [each for each in text_of(page).split("\n") if each.startswith("3a)")]
    while page.locator("#steps").evaluate("list => list.contains(document.activeElement)"):
        page.keyboard.press("Tab")
    page.focus("#next")
    page.keyboard.press("Enter")
    assert page.inner_text("#tabs [aria-pressed=true]").startswith("3b)")
    assert page.evaluate("document.activeElement.closest('#steps') !== null")
    page.keyboard.press("Enter")
    assert line in text_of(page)


def test_before_a_company_is_chosen_the_page_says_what_to_do(shown: Shown) -> None:
    page = shown("build", "", viewport=DESK)
    assert "Whose orders do you write?" in page.inner_text("#asking")
    assert page.inner_text("#notes") == ""
    assert page.is_hidden("#orders")
    shown_of_it = page.locator("#board").bounding_box()
    assert shown_of_it
    assert shown_of_it["y"] + shown_of_it["height"] <= DESK["height"]
    page.mouse.click(*page.evaluate(MIDDLE_OF, "#board"))
    page.focus("#board")
    page.keyboard.press("ArrowDown")
    assert page.inner_text("#live") != ""
    page.focus("#readers button")
    page.keyboard.press("Enter")
    assert page.is_hidden("#asking")
    assert page.is_visible("#orders")
    assert page.evaluate("document.activeElement.matches('#tabs button')")


def test_the_page_that_asks_who_one_is_fits_a_telephone(shown: Shown) -> None:
    page = shown("build", "", bypass_csp=True)
    assert (too_wide(page), violations(page)) == ([], [])
    assert page.locator("#readers button").count() == page.locator("#who option").count() - 1
    assert page.evaluate(
        "document.querySelector('#asking').offsetTop < document.querySelector('#board').parentElement.offsetTop"
    )
    assert page.evaluate(SMALLEST) >= 7


def test_what_is_typed_is_drawn_and_what_cannot_be_read_stays(shown: Shown) -> None:
    page = shown(viewport=DESK)
    page.fill("#orders", "ORDERS RR1 3\n3a) (Belfast) - AD6 - AD5\nwhatever is this\nEND")
    assert "Belfast - AD6: cost 1" in page.inner_text("#told-lines")
    assert "whatever is this: this page cannot read the line" in page.inner_text("#unread")
    assert "whatever is this" in text_of(page)
    page.fill("#orders", "3b) (Belfast) - AD5")
    page.locator("#tabs button").nth(1).click()
    assert "Belfast - AD6" in page.inner_text("#told-lines")


def test_who_orders_nothing_passes_by_a_button_and_who_then_orders_does_not(shown: Shown) -> None:
    page = shown(viewport=DESK)
    page.get_by_role("button", name="PASS", exact=True).click()
    assert text_of(page).split("\n")[1:] == ["PASS", "END"]
    assert page.inner_text("#unread") == ""
    page.get_by_role("button", name="Begin at Belfast").click()
    page.locator("#steps button").first.click()
    assert "PASS" not in text_of(page)
    assert "3a) (Belfast)" in text_of(page)


def test_the_letter_is_made_up_to_what_programs_take(shown: Shown) -> None:
    page = shown("build", f"c=DSE&{TO}")
    page.get_by_role("button", name="Begin at Belfast").click()
    page.locator("#steps button").first.click()
    link = page.get_attribute("#mail", "href") or ""
    assert link.startswith("mailto:referee@club.example?subject=RR1%203&body=ORDERS%20RR1%203%0D%0A3a)%20(Belfast)")
    assert unquote(link).endswith("END\r\n")
    page.fill("#press", "All aboard! " * 200)
    assert page.is_hidden("#mail")
    assert "too long" in page.inner_text("#how")
    assert "PRESS: All aboard!" in text_of(page)


@pytest.mark.parametrize("to", ["evil@evil.example", "referee@club.example.evil.example", "a@xclub.example"])
def test_nothing_is_mailed_to_an_address_that_is_none_of_the_clubs(shown: Shown, to: str) -> None:
    page = shown("build", f"c=GSW&to={to}")
    assert page.is_hidden("#mail")
    assert page.get_attribute("#mail", "href") is None
    assert f"wants the letter to go to {to}, which is no address of this club's" in page.inner_text("#how")


@pytest.mark.parametrize("word", ["__proto__", "constructor", "toString"])
def test_words_that_every_object_knows_are_none_of_the_page(shown: Shown, word: str) -> None:
    page = shown("build", f"c=GSW&l={word}")
    assert page.get_attribute("html", "lang") == "en"
    assert "order desk" in page.title()
    page.fill("#orders", f"ORDERS RR1 3\n{word} {word}\n3a) ({word})\nEND")
    assert page.locator("#unread li").count()


@pytest.mark.parametrize("fragment", ["c=NOBODY", "c=%E0%A4%A", "", "to=nonsense"])
def test_a_damaged_address_is_told_and_readers_say_who_they_are(shown: Shown, fragment: str) -> None:
    page = shown("build", fragment)
    assert page.is_hidden("#orders")
    assert ("damaged" in page.inner_text("#notes")) == fragment.startswith("c=")
    page.select_option("#who", "MGW")
    assert page.is_visible("#orders")
    assert "answer to the newsletter" in page.inner_text("#how")


def test_where_nothing_may_be_kept_or_copied_the_text_stays(browser: Browser, files: Files) -> None:
    page = new_page(browser, PHONE)
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }});"
        "Object.defineProperty(navigator, 'clipboard', {value: undefined}); document.execCommand = () => false;"
    )
    page.goto(f"{files['build'].as_uri()}#c=GSW&l=de")
    assert "bewahrt für diese Seite nichts auf" in page.inner_text("#notes")
    page.click("#copy")
    assert "kopiere es selbst" in page.inner_text("#done")
    assert text_of(page) == "ORDERS RR1 3\nEND"


def test_without_scripts_it_says_what_to_do(browser: Browser, shown: Shown) -> None:
    page = shown(java_script_enabled=False)
    assert "Open" in page.inner_text("#plain") or "open it in a browser" in page.inner_text("#plain")
    assert page.is_hidden("#desk")


def test_a_race_is_entered_over_drawn_track(shown: Shown) -> None:
    page = shown("race", viewport=DESK)
    for tab in page.locator("#tabs button", has_text="Race").all():
        tab.click()
        page.get_by_role("button", name=re.compile("^Draw the route from")).first.click()
        if (onward := page.get_by_role("button", name=re.compile("^On to the end by the shortest way"))).count():
            onward.click()
            break
    assert re.search(r"RUN \d+: .+ - ", text_of(page))
    told = page.inner_text("#told-lines") + page.inner_text("#faults")
    assert re.search(r"\d+ hex-sides, \d+ climbs, tolls|hex-sides on own track", told)


UNSEEN = """() => { const sheet = document.querySelector('#board').getBoundingClientRect();
  return [...document.querySelectorAll('#marks .end')].map(each => each.getBoundingClientRect())
    .filter(at => at.left < sheet.left || at.right > sheet.right || at.top < sheet.top || at.bottom > sheet.bottom); }"""


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["telephone", "desk"])
def test_a_desk_opens_on_the_whole_of_its_first_race_and_says_between_what(shown: Shown, viewport: Any) -> None:
    for code in ("GSW", "MGW", "BNC", "DSE"):
        page = shown("race", f"c={code}", viewport=viewport)
        assert page.locator("#marks .end").count() >= 2
        assert page.evaluate(UNSEEN) == []
        assert page.inner_text("#title") == "Race 1: Donegal – Dundalk"
        assert page.evaluate("document.querySelector('#title').offsetTop < document.querySelector('.frame').offsetTop")
        assert page.locator("#tabs button").nth(1).inner_text() == "Race 2\nDownpatrick – Ballina"


def test_a_race_that_is_opened_is_seen_from_end_to_end_and_a_complaint_names_it(shown: Shown) -> None:
    page = shown("race")
    for tab in page.locator("#tabs button", has_text="Race").all():
        tab.click()
        assert page.evaluate(UNSEEN) == [], tab.inner_text()
        for step in ("Draw the route from", "On to the end by the shortest way"):
            for button in page.locator("#steps button", has_text=re.compile(f"^{step}")).all()[:1]:
                button.click()
        if page.locator("#faults li").count():
            assert page.inner_text("#faults").startswith("{}: ".format(*re.split(" ✓|\n", tab.inner_text())))
            break
    else:
        pytest.fail("no route was refused")


def test_nothing_is_said_of_rings_where_there_are_none(shown: Shown) -> None:
    page = shown("race")
    page.get_by_role("button", name=re.compile("^FASTEST")).click()
    for tab in page.locator("#tabs button").all():
        tab.click()
        rings = page.locator("#marks .step").count() > 0
        assert (page.is_visible("#lay"), page.is_visible("#aim")) == (rings, rings), tab.inner_text()
    page.get_by_role("button", name=re.compile("^Begin at")).first.click()
    assert page.is_visible("#lay")
    while page.locator("#marks .step").count():
        page.click("#steps li:nth-child(1) button")
    assert (page.is_visible("#lay"), page.is_visible("#aim")) == (False, False)


WRITTEN = """() => {
  const sheet = document.querySelector('.frame').getBoundingClientRect(), spots = new Map();
  const texts = [...document.querySelectorAll('#names text')];
  for (let at = 0; at < texts.length; at += 2) {
    const [one, other] = texts.slice(at, at + 2).map(each => each.getBoundingClientRect());
    spots.set(texts[at].textContent + texts[at + 1].textContent, [one.height, (one.right + other.left) / 2, one.top]);
  }
  return Object.fromEntries([...spots].filter(([, [, x, y]]) => x > sheet.left && x < sheet.right && y > sheet.top));
}"""


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["telephone", "desk"])
def test_the_hexes_that_buttons_name_are_named_on_the_board_and_rulers_stay_in_sight(
    shown: Shown, viewport: Any
) -> None:
    page = shown(viewport=viewport)
    page.get_by_role("button", name="Begin at Belfast").click()
    page.click("#closer")
    named = page.evaluate(WRITTEN)
    steps = [each.partition(":")[0] for each in page.locator("#steps button").all_inner_texts()]
    asked = {each for each in steps if re.fullmatch(r"[A-Z]+\d+", each)}
    assert asked
    assert asked <= named.keys()
    assert min(height for height, _, _ in named.values()) >= 9
    letters = page.locator('#rulers [data-way="x"] text').all_text_contents()
    numbers = page.locator('#rulers [data-way="y"] text').all_text_contents()
    assert {"AC", "AD"} & {*letters}
    assert {"6", "7", "8"} & {*numbers}
    ruler = '#rulers [data-way="x"] text'
    before = page.evaluate(MIDDLE_OF, ruler)
    x, y = page.evaluate(MIDDLE_OF, "#board")
    page.mouse.move(x + 30, y + 120)
    page.mouse.down()
    page.mouse.move(x + 50, y + 80, steps=4)
    after = page.evaluate(MIDDLE_OF, ruler)
    page.mouse.up()
    assert [round(after[0] - before[0]), after[1]] == [20, before[1]]
    page.click("#all")
    assert page.locator("#names text, #rulers text").count() == 0


def test_no_ring_covers_the_code_of_a_city(shown: Shown) -> None:
    page = shown(viewport=DESK)
    page.get_by_role("button", name="Begin at Belfast").click()
    inside = """() => { const [mark] = document.querySelectorAll('#marks .tip'), at = mark.getBoundingClientRect();
      return [getComputedStyle(mark).fill, ...[...document.querySelectorAll('#board g[aria-hidden] text')]
        .filter(each => each.textContent === '21-22').map(each => each.getBoundingClientRect())
        .map(code => code.left > at.right || code.right < at.left || code.top > at.bottom || code.bottom < at.top)]; }"""
    assert page.evaluate(inside) == ["none", True]


# Of words on the map: whether they, and what is drawn right before them, are left out.
LEFT_OUT = """words => [...document.querySelectorAll('#board [aria-hidden] > g[font-size]:not([paint-order]) text:first-child')]
  .filter(each => RegExp(`^(${words})$`).test(each.textContent))
  .filter(each => Number(each.getAttribute('y')) < document.getElementById('board').dataset.area.split(' ')[3])
  .map(each => [each, each.parentNode.previousElementSibling].map(one => one.hasAttribute('hidden')))"""


@pytest.mark.parametrize(
    ("name", "tags", "signs"),
    [("race", "GSW|MGW|BNC|DSE", "33|35|41|62|64"), ("trips", r"(ANN|BOB|CID) \d+", "[BRVY]|HAM|BER|10")],
)
def test_words_that_cannot_be_read_leave_no_plate_behind(shown: Shown, name: str, tags: str, signs: str) -> None:
    """But discs, cubes and symbols stay without their words."""
    page = shown(name, "", viewport=PHONE)
    assert {*map(tuple, page.evaluate(LEFT_OUT, tags))} == {(True, True)}
    assert {*map(tuple, page.evaluate(LEFT_OUT, signs))} == {(True, False)}
    for _ in range(6):
        page.click("#closer")
    assert {*map(tuple, page.evaluate(LEFT_OUT, f"{tags}|{signs}"))} == {(False, False)}


LEGEND = """() => {
  const [left, , , bottom] = document.getElementById('board').dataset.area.split(' ').map(Number);
  return [...document.querySelectorAll('#board > [aria-hidden]:first-of-type > g')]
    .filter(each => [...each.querySelectorAll('text')].some(text => text.textContent && text.getAttribute('y') > bottom + left))
    .map(each => each.hasAttribute('hidden'));
}"""


def test_a_legend_whose_words_cannot_be_read_leaves_no_symbols_below_the_board(shown: Shown) -> None:
    page = shown("trips", "", viewport=PHONE)
    hidden = page.evaluate(LEGEND)
    assert len(hidden) > 10
    assert all(hidden)
    for _ in range(3):
        page.click("#closer")
    assert not any(page.evaluate(LEGEND))


# Names that lie on the codes in discs: of their boxes, which are higher than their letters, the middle counts.
COVERED = """() => {
  const boxes = of => [...document.querySelectorAll(`#board [aria-hidden] > ${of} text:not([hidden])`)]
    .map(each => [each.textContent, each.getBoundingClientRect()]);
  const codes = boxes('g:has(> circle) + g[font-size]').map(each => each[1]);
  const meets = (name, code) => name.left < code.right && code.left < name.right
    && name.top + name.height / 4 < code.bottom && code.top < name.bottom - name.height / 4;
  const covered = boxes('g[paint-order]').filter(([, name]) => codes.some(code => meets(name, code)));
  return [codes.length, covered.map(([words]) => words)];
}"""


def test_names_that_are_written_larger_keep_clear_of_the_codes_of_cities(shown: Shown) -> None:
    codes, covered = shown("build", "", viewport=DESK).evaluate(COVERED)
    assert codes > 20
    assert covered == []


def test_the_text_is_copied_and_a_paste_that_cannot_be_read_stays(shown: Shown) -> None:
    page = shown(permissions=["clipboard-read", "clipboard-write"])
    pasted = "Hello,\nmy orders as always\n3a) (Nowhere) - AD6"
    page.fill("#orders", pasted)
    assert len(page.locator("#unread li").all()) > 0
    page.focus("#press")
    assert text_of(page) == pasted
    page.click("#copy")
    page.locator("#done", has_text="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == f"{pasted}\n"


@pytest.mark.parametrize("enclosed", [False, True])
def test_a_game_without_a_script_has_a_desk_of_its_forms(browser: Browser, tmp_path: Path, *, enclosed: bool) -> None:
    told = {
        "club": "Club",
        "game": "TG1",
        "turn": 2,
        "url": "",
        "page": "",
        "domain": "club.example",
        "players": [{"code": "ANN", "name": "Ann"}],
    }
    file = tmp_path / "plain.html"
    forms = {"forms": {"ANN": ["STEP 1", "PASS"]}}
    file.write_text(desk_page(STATIONERY, "", "en", told, forms, None, enclosed=enclosed), "utf-8")
    page = show(browser, file, f"c=ANN&{TO}", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="STEP 1").click()
    assert text_of(page) == "ORDERS TG1 2\nSTEP 1\nEND"
    page.fill("#press", "Onward")
    page.click("#copy")
    page.locator("#done", has_text="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == "ORDERS TG1 2\nSTEP 1\nEND\n\nPRESS: Onward\n"
    assert unquote(page.get_attribute("#mail", "href") or "").endswith("PRESS: Onward\r\n")
    page.fill("#orders", "ORDERS TG1 2\nSTEP 3\nEND")
    page.click("#undo")
    assert "STEP 1" in text_of(page)
