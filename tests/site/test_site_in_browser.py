"""The club's pages in a browser: by axe's rules, no wider than a telephone, without scripts; and the film, watched."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser import invalid, new_page, too_wide, violations
from tests.posthouse import ANN, BOB, PostHouse, begun_games

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAGES = ("index.html", "records.html", "RR1/index.html", "RR1/turn-1.html", "RR1/whole.html", "RR1/film.html")

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "club"
    with PostHouse(folder, publish__folder="www") as house:
        house.begin()
        for turn in (1, 2):
            for sender in (ANN, BOB):
                house.write(sender, f"ORDERS RR1 {turn}\nSTEP 1\nEND")
            house.tick()
    return folder / "www"


def opened(browser: Browser, page: Path, width: int = 375, media: Any = None, **context: Any) -> Page:
    shown = new_page(browser, {"width": width, "height": 800}, media, **context)
    shown.goto(page.as_uri(), wait_until="load")
    return shown


@pytest.mark.parametrize("place", PAGES)
def test_pages_fit_a_telephone_and_axe_has_nothing_to_say(browser: Browser, site: Path, place: str) -> None:
    page = opened(browser, site / place)
    assert too_wide(page) == []
    assert violations(page) == []


def test_every_page_is_valid_html(site: Path, tmp_path: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert {page.relative_to(site).as_posix() for page in pages} > {*PAGES}
    assert invalid(pages, tmp_path) == []


def test_what_is_no_valid_html_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<!DOCTYPE html><html lang="en"><head><title>A</title></head><body><ul><p>A</p></ul></body></html>')
    assert invalid([page], tmp_path) != []


def frame(page: Page) -> str:
    """Return the turn that the film says it shows, and that it has groups of no other turn in view."""
    wrong = page.evaluate(
        "[...document.querySelectorAll('[data-to]')].filter(e => (getComputedStyle(e).display !== 'none') !== "
        "(+e.dataset.from <= +slider.value && +slider.value <= +e.dataset.to)).length"
    )
    assert wrong == 0
    return page.inner_text("#where")


def test_the_film_is_led_by_buttons_slider_and_keys(browser: Browser, site: Path) -> None:
    faults: list[str] = []
    page = opened(browser, site / "RR1/film.html")
    page.on("pageerror", lambda error: faults.append(str(error)))
    assert frame(page) == "Turn 2"
    page.click("#back")
    assert frame(page) == "Turn 1"
    page.locator("#slider").fill("0")
    assert frame(page) == "Opening"
    page.focus("#play")
    for key, shown in (("ArrowRight", "Turn 1"), ("End", "Turn 2"), ("ArrowLeft", "Turn 1"), ("Home", "Opening")):
        page.keyboard.press(key)
        assert frame(page) == shown
    assert faults == []


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_film_plays_to_the_end_and_stops(browser: Browser, site: Path, motion: Any) -> None:
    page = opened(browser, site / "RR1/film.html", media={"reduced_motion": motion})
    page.select_option("#speed", "4")
    page.click("#play")
    assert page.inner_text("#play") == "Pause"
    page.wait_for_function("slider.value === '2' && play.textContent === 'Play'")
    assert frame(page) == "Turn 2"


def test_a_pause_stops_the_film_where_it_is(browser: Browser, tmp_path: Path) -> None:
    """In the middle of a turn: who pauses while trains run wants to look. Then it goes on, or they turn to another turn."""
    with PostHouse(tmp_path / "club", publish__folder="www") as house:
        seats = [f"ANN:red:Ann <{ANN}>", f"BOB:blue:Bob <{BOB}>", "CEC:green:Cecil <cecil@example.org>"]
        begun_games(house, {"dampfross": seats, "volldampf": seats})
        house.tick()
        for sender in (ANN, BOB, "cecil@example.org"):  # what they build costs a point: no roll is too low for it
            house.write(sender, "ORDERS RR1 1\nHOME Dublin\n1a) (Dublin) - Dun Laoghaire\nEND")
        house.tick()
    page = opened(browser, tmp_path / "club" / "www" / "RR1" / "film.html")
    page.select_option("#speed", "4")
    begun = "play.click(); play.click(); caption.textContent"  # at once, so that no machine is too slow for the second
    assert page.evaluate(begun) == "Track of turn 1"
    page.wait_for_timeout(1500)  # longer than the turn lasts
    assert (page.inner_text("#play"), page.inner_text("#caption"), page.input_value("#slider")) == (
        "Play",
        "Track of turn 1",
        "0",
    )
    page.click("#play")
    page.wait_for_function("slider.value === '1' && play.textContent === 'Play'")
    assert page.evaluate(begun) == "Track of turn 1"
    page.click("#on")
    page.wait_for_timeout(1000)
    assert (page.inner_text("#play"), frame(page), page.locator("#laid *").count()) == ("Play", "Turn 1", 0)
    page.goto((tmp_path / "club" / "www" / "RR1" / "turn-1.html").as_uri())
    assert "(Dublin) – Dún Laoghaire" in page.inner_text("article")


def test_without_scripts_the_last_board_is_shown(browser: Browser, site: Path) -> None:
    page = opened(browser, site / "RR1/film.html", java_script_enabled=False)
    assert not page.locator("#play").is_visible()
    assert page.locator("noscript").inner_text() or "The film needs a browser" in page.content()
    assert page.locator(".back").is_visible()
    page.goto((site / "RR1" / "index.html").as_uri())
    inside = page.frame_locator("iframe")
    assert (inside.locator("h1").is_visible(), inside.locator(".back").is_visible()) == (True, False)


def test_a_printed_page_shows_its_board_without_the_film_and_cuts_nothing(browser: Browser, site: Path) -> None:
    page = opened(browser, site / "RR1/index.html", 700)
    board = "[...document.querySelectorAll('figure img, iframe')].map(each => each.getClientRects().length)"
    cut = "[...document.querySelectorAll('.wide, .bars li, img')].map(getComputedStyle)"
    cut += ".filter(look => look.overflowX == 'auto' || look.display != 'block' && look.breakInside != 'avoid').length"
    assert page.evaluate(board) == [1, 1]
    assert page.evaluate(cut) > 0
    page.emulate_media(media="print")
    assert page.evaluate(board) == [1, 0]
    assert page.evaluate(cut) == 0


def test_what_has_a_colour_keeps_it_on_paper(browser: Browser, site: Path) -> None:
    """Also where a browser prints no backgrounds, as it does unless it is told to: an income track is nothing else."""
    page = opened(browser, site / "RR1/turn-1.html")
    lane = "<table class=lane><tr><td style='background-color:#c6331d;color:#fff'>"
    page.evaluate(f'document.querySelector("article").innerHTML += "{lane}"')
    assert page.evaluate("getComputedStyle(document.querySelector('.lane td')).printColorAdjust") == "exact"


@pytest.mark.parametrize("width", [375, 1280])
def test_the_first_page_shows_whole_boards(browser: Browser, site: Path, width: int) -> None:
    page = opened(browser, site / "index.html", width)
    assert page.evaluate("[...document.querySelectorAll('.tile img')].map(one => getComputedStyle(one).objectFit)") == [
        "contain"
    ]
