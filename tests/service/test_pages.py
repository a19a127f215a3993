"""Newsletters as HTML beside the text: what is for the reader first, nothing fetched, nothing that a player wrote is markup."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from email.message import EmailMessage
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from referee.core.picture.drawing import Drawing
from referee.games.dampfross.report.picture.palette import SEA
from referee.report.paper import letter_pdf
from referee.resources import template_folders
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Invited, Proposal
from tests import pages
from tests.posthouse import PostHouse, line_of, text_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NASTY = "<script>a(1)</script><img src=//x.y>"
SEATS = (
    Invited(code="GSW", colour="red", name="Ann", address="ann@example.org", company=NASTY),
    Invited(code="MGW", colour="blue", name=NASTY, address="bob@example.org"),
    Invited(code="BNC", colour="green", name="Cyd", address="cyd@example.org"),
)
VOID = ("meta", "img", "br", "link", "hr", "input")


class Page(HTMLParser):
    """What is on a page: its elements with their attributes, and its words."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def page_of(letter: EmailMessage) -> Page:
    part = letter.get_body(("html",))
    assert part is not None
    return Page(re.sub(r'<p class="caption".*?</p>', "", part.get_content()))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    """A game of three, its first round played: one order of MGW's could not be obeyed to the end."""
    with PostHouse(tmp_path / "club") as made:
        new_game(made.club, Proposal(kind="dampfross", board="ireland", players=SEATS, rhythm={"days": 14}), "root")
        made.tick()
        made.write("ann@example.org", f"HOME Dublin\nPRESS: {NASTY}")
        made.send("bob@example.org", "HOME Belfast")
        made.later(days=15)
        yield made


def newsletter(house: PostHouse, reader: str) -> EmailMessage:
    return house.last(reader, "Round 1 of 12")


def test_the_text_is_whole_without_the_page(house: PostHouse) -> None:
    plain = newsletter(house, "ann@example.org").get_body(("plain",))
    assert plain is not None
    for words in ("Accounts", "Standings, with", "Deadline:", "ORDERS RR1 2", "The dice"):
        assert words in plain.get_content()


def test_nothing_a_player_wrote_is_markup_and_nothing_is_fetched(house: PostHouse) -> None:
    letter = newsletter(house, "ann@example.org")
    page = page_of(letter)
    assert page.open == []
    assert "script" not in {tag for tag, _ in page.elements}
    assert NASTY in page.text
    enclosed = {f"cid:{part['Content-ID'].strip('<>')}" for part in letter.walk() if part["Content-ID"]}
    assert enclosed
    asked = [
        value for _, found in page.elements for name, value in found.items() if name in ("src", "href", "background")
    ]
    assert set(asked) <= enclosed
    assert not any("url(" in (found.get("style") or "") for _, found in page.elements)


def test_it_begins_with_the_reader_and_ends_with_the_dice(house: PostHouse) -> None:
    letter = newsletter(house, "bob@example.org")
    plain = line_of(letter)
    text = page_of(letter).text.partition("RR1: Dampfross")[2]
    heads = (
        "Standings",
        "Your round",
        "What you decide now",
        "Deadline:",
        "Order form",
        "ORDERS RR1 2",
        "Accounts",
        "The dice",
    )
    for face in (text, plain):
        at = [face.index(head) for head in heads]
        assert at == sorted(at)
    assert "had 20 and has 20 (0)" in text


def test_every_picture_has_words_for_those_who_do_not_see_it(house: PostHouse) -> None:
    page = page_of(newsletter(house, "ann@example.org"))
    told = [found.get("alt") or "" for tag, found in page.elements if tag == "img"]
    assert any("Ireland after round 1" in words for words in told)
    assert all(len(words) > 20 and "  " not in words for words in told)


def test_what_one_says_of_himself_is_not_said_to_another(house: PostHouse) -> None:
    ann, bob = (page_of(newsletter(house, f"{name}@example.org")).text for name in ("ann", "bob"))
    own = re.compile(r"Your round (.*?) What you decide now")
    assert own.findall(ann) != own.findall(bob)
    assert "MGW" not in own.findall(ann)[0]


def test_an_umpires_own_template_takes_the_place_of_the_page(house: PostHouse) -> None:
    folder = house.folder / "templates" / "common"
    folder.mkdir(parents=True)
    (folder / "letter.css").write_text("p { margin: 77px; }\n", "utf-8")
    house.later(days=15)
    part = house.last("ann@example.org", "Round 2 of 12").get_body(("html",))
    assert part is not None
    assert 'style="margin: 77px;"' in part.get_content()


def enclosed_in(letter: EmailMessage) -> set[str]:
    return {f"cid:{part['Content-ID'].strip('<>')}" for part in letter.walk() if part["Content-ID"]}


def test_openings_and_answers_say_as_html_what_they_say_as_text(house: PostHouse) -> None:
    house.send("bob@example.org", f"STATUS\nMAP\nPRESS: {NASTY}\n1a) nowhere")
    for letter in (house.post("bob@example.org")[0], house.last("bob@example.org")):
        page = page_of(letter)
        assert page.open == []
        assert "script" not in {tag for tag, _ in page.elements}
        assert [tag for tag, _ in page.elements].count("h1") == 1
        shown = {found.get("src") for tag, found in page.elements if tag == "img"}
        assert shown == enclosed_in(letter)
        assert len(shown) == 1
        told = re.sub(r"[-=]{3,}|^ *(- |[|])", " ", text_of(letter), flags=re.MULTILINE)
        assert re.sub(r"[\s–−-]+", "", page.text).endswith(re.sub(r"[\s–−-]+", "", told.partition("\n\n")[2]))


def test_who_reads_text_alone_has_his_answers_so(house: PostHouse) -> None:
    house.send("bob@example.org", "FORMAT TEXT")
    house.send("bob@example.org", "STATUS")
    assert house.last("bob@example.org").get_body(("html",)) is None


SHADES = re.compile(rb"([\d.]+ [\d.]+ [\d.]+) (?:rg|scn?)\b")


def paper_of(house: PostHouse) -> tuple[bytes, bytes]:
    """Return a newsletter on paper, and what is painted on its pages."""
    (paper,) = (
        part.get_content()
        for part in house.last("ann@example.org", "Round 2 of 12").walk()
        if part.get_content_type() == "application/pdf"
    )
    streams = re.findall(rb"/FlateDecode.*?stream\r?\n(.*?)endstream", paper, re.DOTALL)
    return paper, b"\n".join(zlib.decompressobj().decompress(each) for each in streams)


@pytest.mark.parametrize(("wish", "coloured"), [("ATTACH PDF", True), ("ATTACH PDF GREY", False)])
def test_the_board_of_a_newsletter_on_paper_has_its_colours_unless_they_are_not_wished(
    house: PostHouse, wish: str, coloured: bool
) -> None:
    house.send("ann@example.org", f"FORMAT TEXT\n{wish}")
    assert ("The ground of the map is white." in house.text("ann@example.org")) != coloured
    house.later(days=15)
    sea = " ".join(f"{int(SEA[n : n + 2], 16) / 255:.4f}" for n in (1, 3, 5))
    painted = {" ".join(f"{float(part):.4f}" for part in found.split()) for found in SHADES.findall(paper_of(house)[1])}
    assert (sea in painted) == coloured


def test_headings_on_paper_are_bold_and_two_columns_fill_its_pages() -> None:
    sheet = Drawing(width=20, height=10, background="#ffffff", parts=(), title="A")
    source = (template_folders("dampfross", None)[-1] / "letter.typ").read_text("utf-8")
    assert b"DejaVuSans-Bold" in letter_pdf(source, "A", "en", "<h1>A</h1><h2>b</h2><p>c</p>", sheet, None)
    assert letter_pdf(source, "A", "en", pages.page_of(pages.values_of(9)), sheet, None).count(b"/MediaBox") == 3


ZINE = {
    "zine__name": "The Despatch",
    "zine__issue": "No. 214",
    "zine__umpire": "Paula Fox",
    "zine__word": f"Boilers hot! {NASTY}",
}


def test_masthead_and_colophon_say_who_publishes_a_letter(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", zine__contact="12 Canal Street", **ZINE) as house:
        for _ in range(2):
            new_game(
                house.club, Proposal(kind="dampfross", board="ireland", players=SEATS, rhythm={"days": 14}), "root"
            )
        house.tick()
        house.send("ann@example.org", "HOME Dublin\nPRESS: Steam!")
        house.later(days=15)
        letters = house.post("ann@example.org")
        told = [page_of(letter).text for letter in letters]
        newsletter = next(page for page in told if "Round 1 of 12" in page)
        for page in told:
            assert "The Despatch · No. 214 · " in page
            assert "Umpire: Paula Fox, 12 Canal Street" in page
        for words in (ZINE["zine__word"], "Next deadline: ", "Other games of the club: RR2 (Dampfross, turn 1)"):
            assert words in newsletter
        # A dateline: where and when.
        assert re.search(r"Dublin, \w+ \d+ \w+ \d{4} Steam!", newsletter)


def test_a_page_has_the_dashes_of_print_and_its_form_those_of_a_keyboard() -> None:
    page = pages.page_of(pages.values_of(9))
    assert " – " in page
    assert re.search(r"\d−\d+\[[A-Z]{3}\]", page)
    forms = re.findall(r"<pre.*?</pre>", pages.opening_page(), re.DOTALL)
    assert any("(Belfast) - " in form for form in forms)
    assert not any("–" in form for form in forms)


@pytest.mark.browser
def test_a_newcomer_sees_who_he_is_and_until_when_on_the_first_screen_and_what_a_first_order_costs(
    browser: Browser, house: PostHouse
) -> None:
    part = house.post("bob@example.org")[0].get_body(("html",))
    assert part is not None
    sheet = browser.new_context(viewport={"width": 375, "height": 667}).new_page()
    sheet.set_content(part.get_content(), wait_until="domcontentloaded")
    for words in (".card .chip", ".due"):
        box = sheet.locator(words).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 667
    told = sheet.locator(".in").inner_text()
    assert re.search(r"YOUR FIRST ORDER.*1a\) \(.*It costs \d points? of your first roll, \d\.", told, re.DOTALL)
    sheet.context.close()
