"""Pages of newsletters in a browser: on a telephone and a desk, light, dark and with colours turned round, by axe's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.browser import new_page, too_wide, violations
from tests.pages import opening_page, page_of, plain_page, turns, values_of, volldampf_page, volldampf_turns

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SHORT_PRESS = [{"player": "GSW", "code": "GSW", "name": "", "company": "", "colour": "", "text": "a" * 90 + "\nb c"}]

SCREENS = (1280, 375, 320)

pytestmark = pytest.mark.browser


def opened(browser: Browser, content: str, width: int = 375, scheme: Any = "light") -> Page:
    page = new_page(browser, {"width": width, "height": 800}, {"color_scheme": scheme})
    page.route("**/*", lambda route: route.abort())
    page.set_content(content, wait_until="domcontentloaded")
    return page


def shown(browser: Browser, turn: int, width: int = 375, scheme: Any = "light") -> Page:
    return opened(browser, page_of({**values_of(turn), "press": SHORT_PRESS}), width, scheme)


@pytest.mark.parametrize("turn", [1, 4, 8, 12])
@pytest.mark.parametrize("width", [320, 375, 1280])
def test_nothing_is_wider_than_the_screen(browser: Browser, turn: int, width: int) -> None:
    page = shown(browser, turn, width)
    wide = page.evaluate(
        "[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth)"
        ".map(e => e.outerHTML.slice(0, 80))"
    )
    assert wide == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("turn", [4, 12])
def test_axe_has_nothing_to_say(browser: Browser, turn: int) -> None:
    page = shown(browser, turn)
    assert violations(page, "{rules: {region: {enabled: false}}}") == []


EVERYTHING = f"""RR1: Dampfross
==============
Occasion

- one {"word " * 30}
- two
| quoted {"word " * 30}

Head
----
company  before  races  builds  now  change  luck  sum  other
-------  ------  -----  ------  ---  ------  ----  ---  -----
GSW         120     20      -3  137     +17  -3.5    1      2

  COMMAND
      What it does.
So:
    1a) (Dublin) - {"Y17 - " * 30}

{"-" * 40}
Foot {"x" * 60}
"""


def test_what_only_the_dark_or_a_telephone_shows_is_found(browser: Browser) -> None:
    dark = "<style>@media (prefers-color-scheme: dark) { p { color: #222; background: #000; } }</style>"
    page = opened(browser, f"<html lang=en><title>A</title>{dark}<main><h1>A</h1><p>Words</p></main>")
    assert [rule for rule, _ in violations(page)] == ["color-contrast"]
    page.set_content("<p style='width: 400px'>Words</p>")
    assert too_wide(page) == [375]


@pytest.mark.parametrize("kind", ["opening", "plain"])
def test_letters_without_a_page_of_their_own_are_as_good(browser: Browser, kind: str) -> None:
    page = opened(browser, opening_page() if kind == "opening" else plain_page(EVERYTHING))
    assert too_wide(page, SCREENS) == []
    assert violations(page, "{rules: {region: {enabled: false}}}") == []


@pytest.mark.parametrize("turn", [12, 13, 15, 20])
def test_newsletters_of_volldampf_are_as_good(browser: Browser, turn: int) -> None:
    page = opened(browser, volldampf_page(turn))
    assert too_wide(page, SCREENS) == []
    assert half_coloured(page) == []
    assert violations(page, "{rules: {region: {enabled: false}}}") == []


def half_coloured(page: Page) -> list[str]:
    """Return what has a colour of its own without a background, or one without the other: no program turns that round whole."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('body *')].filter(e => !e.style.color !== !e.style.backgroundColor)"
        ".map(e => e.outerHTML.slice(0, 80))"
    )
    return found


def test_a_chart_keeps_the_colours_of_its_companies_in_the_dark(browser: Browser) -> None:
    """Its chips stand on the same page, and are not turned round."""
    page = shown(browser, 4, 375, "dark")
    assert set(page.evaluate("[...document.images].map(one => getComputedStyle(one).filter)")) == {"none"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_words_have_a_colour_without_a_background(browser: Browser, scheme: str) -> None:
    """What a mail program turns round is turned round whole."""
    page = shown(browser, 4, 375, scheme)
    assert half_coloured(page) == []
    chips = page.evaluate("[...document.querySelectorAll('.chip')].filter(e => e.style.color).length")
    assert chips > 6


def test_there_are_turns_of_both_phases() -> None:
    assert [turns()[turn - 1].before.phase for turn in (1, 4, 8, 12)] == ["build", "build", "race", "race"]
    assert [volldampf_turns()[turn - 1].before.stage for turn in (12, 13, 15)] == ["auction", "build", "trip"]


@pytest.mark.parametrize("language", ["de", "fr", "nl"])
def test_letters_in_longer_words_are_no_wider(browser: Browser, language: str) -> None:
    page = opened(browser, "")
    for turn in (4, 12):
        for letter in (page_of(values_of(turn), language), volldampf_page(turn + 8, language)):
            page.set_content(letter, wait_until="domcontentloaded")
            assert too_wide(page, SCREENS) == []


@pytest.mark.parametrize("width", [320, 375])
def test_heads_of_columns_can_be_read_on_a_telephone(browser: Browser, width: int) -> None:
    page = opened(browser, page_of(values_of(12)) + volldampf_page(15), width)
    sizes = page.evaluate(
        "[...document.querySelectorAll('th[scope=col]')].map(e => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert min(sizes) >= 11


def test_a_link_has_the_colour_of_links(browser: Browser) -> None:
    """A browser's own blue is none of the sheet's."""
    values = values_of(4)
    letter = page_of({**values, "zine": {**values["zine"], "site": "https://club.example/"}})
    colours = [
        opened(browser, letter, 375, scheme).evaluate("getComputedStyle(document.querySelector('.caption a')).color")
        for scheme in ("light", "dark")
    ]
    assert colours == ["rgb(22, 50, 74)", "rgb(138, 184, 255)"]


MISALIGNED = """[...document.querySelectorAll('.figures')].flatMap(table => {
    const [heads, ...rows] = [...table.rows].map(row => [...row.cells].map(cell => getComputedStyle(cell).textAlign));
    const side = name => name.replace('-webkit-', '').replace('start', 'left');
    return rows.flatMap(row => row.filter((one, n) => table.rows[0].cells[n].innerText && side(one) !== side(heads[n])));
})"""


@pytest.mark.parametrize("game", ["dampfross", "volldampf"])
def test_tables_have_heads_above_their_figures_and_quiet_rules(browser: Browser, game: str) -> None:
    page = opened(browser, page_of(values_of(9)) if game == "dampfross" else volldampf_page(15))
    assert page.evaluate(MISALIGNED) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        rules = "[...document.querySelectorAll('.figures tr')].map(row => getComputedStyle(row).borderBottomColor)"
        assert set(page.evaluate(rules)) == {"rgb(149, 138, 112)"}  # 3.4:1 on the paper, 5:1 in the dark


def test_printed_chips_and_bars_keep_their_ground(browser: Browser) -> None:
    page = shown(browser, 9)
    page.emulate_media(media="print")
    kept = "[...document.querySelectorAll('.bar, .chip')].map(each => getComputedStyle(each).printColorAdjust)"
    assert set(page.evaluate(kept)) == {"exact"}


BOARD_HEIGHT = """async () => {
    const board = document.querySelector('img[width="600"]');
    board.src = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1451"/>';
    await board.decode();
    return board.getBoundingClientRect().height;
}"""


def test_a_printed_board_is_as_high_as_a_page(browser: Browser) -> None:
    page = opened(browser, volldampf_page(15), 718)  # what A4 has between its margins
    page.emulate_media(media="print")
    assert 970 < page.evaluate(BOARD_HEIGHT) < 980  # 1047 fit
