"""A browser for tests of pages, axe's rules, a validator; a test that asks for one skips, with the reason, where it lacks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.forkedcommands import run_program

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = Path("/usr/bin/chromium")
AXE = Path(__file__).parents[1] / "node_modules" / "axe-core" / "axe.min.js"
VALIDATOR = AXE.parents[1] / ".bin" / "html-validate"
# The standard's own rules. What is left out is taste: styles in an element are what mail programs read, and dots are allowed.
RULES = {
    "extends": ["html-validate:standard"],
    "rules": {"no-inline-style": "off", "prefer-tbody": "off", "valid-id": ["error", {"relaxed": True}]},
}
COLOURS = ["color-contrast", "link-in-text-block"]  # axe's rules of which light and dark make a difference
SCREEN: Any = {"width": 1280, "height": 720}
FORGET = "try { localStorage.clear() } catch { /* it has none */ }"  # the next page knows nothing of this one
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
# Pages of tests have their contexts in common: to make one takes Chromium longer than most tests take.
_CONTEXTS: dict[str, BrowserContext] = {}  # by their options; the first page of each stays, and is empty


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A Chromium for all tests."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.is_file():
        pytest.skip("chromium is not installed")
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(CHROMIUM), args=OPTIONS)
        yield opened
        opened.close()
        _CONTEXTS.clear()


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """The same for one test: what it opens is closed behind it, for pages go on drawing as long as they are open."""
    there = {page for context in chromium.contexts for page in context.pages}
    yield chromium
    for context in chromium.contexts:
        for page in context.pages[context in _CONTEXTS.values() :]:
            if page not in there:
                page.evaluate(FORGET)
                page.close()
        if not context.pages:
            context.close()


def new_page(browser: Browser, viewport: Any = SCREEN, media: Any = None, **options: Any) -> Page:
    """Return an empty page that knows of no other one; *media*: what it emulates, *options*: those of its context."""
    if (name := repr(options)) not in _CONTEXTS:
        _CONTEXTS[name] = browser.new_context(**options)
        _CONTEXTS[name].new_page()
    page = _CONTEXTS[name].new_page()
    page.set_viewport_size(viewport)
    page.emulate_media(**media or {})
    return page


def reload(page: Page) -> None:
    """Load a page anew once all that it kept is the browser's, so that another page sees it: what is not yet is lost."""
    beside = page.context.new_page()
    beside.goto(Path(__file__).as_uri())  # any file: all have what is kept in common
    kept = page.evaluate("localStorage.last = String(performance.now())")
    beside.wait_for_function("kept => localStorage.last === kept", arg=kept, polling=20)  # ms
    beside.close()
    page.reload()


def violations(page: Page, options: str = "{}") -> list[tuple[str, str]]:
    """Return what axe finds wrong with a page, by rule and place: everything in the light, in the dark the colours. Skips the
    test where axe-core is not installed.
    """
    if not AXE.is_file():
        pytest.skip("axe-core is not installed (npm install --no-save axe-core)")
    page.emulate_media(color_scheme="light")
    page.add_script_tag(path=str(AXE))
    found = page.evaluate(f"axe.run({options})")["violations"]
    page.emulate_media(color_scheme="dark")
    found += page.evaluate(f"axe.run({{runOnly: {COLOURS}}})")["violations"]
    return [(each["id"], each["nodes"][0]["html"][:200]) for each in found]


def too_wide(page: Page, screens: Iterable[int] = (1280, 375)) -> list[int]:
    """Return on which screens, by their width in pixels, a page has to be moved from side to side: a telephone's and a desk's."""
    wide = []
    for width in screens:
        page.set_viewport_size({"width": width, "height": 800})
        if page.evaluate("document.documentElement.scrollWidth") > width:
            wide.append(width)
    return wide


def invalid(pages: Iterable[Path], folder: Path) -> list[str]:
    """Return what is no valid HTML in pages, line by line, with a *folder* to write in; skips the test where no validator is."""
    if not VALIDATOR.exists():
        pytest.skip("html-validate is not installed (npm install --no-save html-validate@8)")
    rules = folder / "rules.json"
    rules.write_text(json.dumps(RULES), "utf-8")
    call = [str(VALIDATOR), "--config", str(rules), "--formatter", "text", *map(str, pages)]
    done = run_program(call)
    return (done.stdout + done.stderr).splitlines()
