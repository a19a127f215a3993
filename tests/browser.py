"""A browser for tests of pages, and axe's rules; a test that asks for it is skipped, with the reason, where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = Path("/usr/bin/chromium")
AXE = Path(__file__).parents[1] / "node_modules" / "axe-core" / "axe.min.js"
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium for all tests; each opens a context of its own, and closes it."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.is_file():
        pytest.skip("chromium is not installed")
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(CHROMIUM), args=OPTIONS)
        yield opened
        opened.close()


def violations(page: Page, options: str = "{}") -> list[tuple[str, str]]:
    """Return what axe finds wrong with a page, by rule and place; skips the test where axe-core is not installed."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed (npm install --no-save axe-core)")
    page.add_script_tag(path=str(AXE))
    found = page.evaluate(f"axe.run({options})")
    return [(each["id"], each["nodes"][0]["html"]) for each in found["violations"]]
