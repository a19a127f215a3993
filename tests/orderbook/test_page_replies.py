"""Replies to letters with pages: programs quote their HTML, with tables, the form in a frame, moves and orders on file."""

from __future__ import annotations

import re
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.mail.letter.message import read_letter
from referee.orderbook import Reading
from tests.orderbook.test_replies import OWN, REPLIES, is_right, read_body

# As they were sent: the newsletter of a fourth round, answers to orders with a fault and to prose, a reminder of orders on file.
PAGES = {
    name: (Path(__file__).parent / f"{name}.html").read_text("utf-8")
    for name in ("newsletter", "acknowledgement", "form", "reminder")
}
LETTERS = Path(__file__).parents[2] / "orders" / "letters"
PROGRAMS = [name for name, kinds in REPLIES.items() if "html" in kinds]


def inside(page: str) -> str:
    return page[page.index("<body") :].partition(">")[2].partition("</body>")[0]


def of_word(page: str) -> str:
    """Return a page as Outlook on Windows quotes it: made anew by Word."""
    page = re.sub(r"</?div[^>]*>", "", page)
    page = re.sub(r"<(p|li|h[1-3])\b[^>]*>", r'<\1 class="MsoNormal" style="margin:0cm">', page)
    return page.replace("</p>", "<o:p></o:p></p>")


def of_gmail_app(page: str) -> str:
    """Return a page as Gmail on a telephone quotes it: without styles and roles."""
    return re.sub(r' (style|class|role|scope)="[^"]*"', "", page)


QUOTED: dict[str, Callable[[str], str]] = {
    "whole": str,
    "inside": inside,
    "word": lambda page: of_word(inside(page)),
    "app": lambda page: of_gmail_app(inside(page)),
}


def test_the_pages_are_full_of_what_looks_like_orders() -> None:
    assert "ORDERS RR1 5" in PAGES["newsletter"]
    assert len(re.findall(r"\d[abc]\) roll \d: \(", PAGES["newsletter"])) > 10
    assert all("1a) (Dublin) - AA18" in PAGES[name] for name in ("acknowledgement", "reminder"))
    assert "<pre" in PAGES["form"]


@pytest.mark.parametrize("how", QUOTED)
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("letter", PAGES)
def test_orders_above_a_quoted_page_are_read_and_nothing_in_it(
    letter: str, name: str, how: str, read: Callable[[str], Reading]
) -> None:
    written = REPLIES[name]["html"].replace("OWN", "<br>".join(OWN)).replace("QUOTE", QUOTED[how](PAGES[letter]))
    reading = read_body(read, "html", written)
    assert is_right(reading), reading
    assert len(reading.unread) <= 3


@pytest.mark.parametrize("file", sorted(LETTERS.glob("page-*.eml")), ids=lambda file: file.stem)
def test_our_own_picture_that_comes_back_is_no_attachment(file: Path) -> None:
    assert read_letter(file.read_bytes()).attachments == ()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("image001.png", ()),
        ("RR1-turn-12-chart.png", ()),
        ("RR1-turn-3-edition-2.png", ()),
        ("IMG_0815.png", ("IMG_0815.png",)),
    ],
)
@pytest.mark.parametrize("kind", ["related", "mixed"])
def test_a_picture_of_his_own_is_named_and_ours_is_not(kind: str, name: str, told: tuple[str, ...]) -> None:
    letter = EmailMessage()
    letter["From"] = "ann@example.com"
    letter.set_content("<p>My orders are on the picture.</p>", subtype="html")
    getattr(letter, f"make_{kind}")()
    getattr(letter, f"add_{'related' if kind == 'related' else 'attachment'}")(
        b"\x89PNG", "image", "png", filename=name, cid="<1@x>", disposition="inline"
    )
    assert read_letter(letter.as_bytes()).attachments == told
