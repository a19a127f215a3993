"""Newsletters as pages, the umpire's zine, and how a game ends."""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable
from email.message import EmailMessage
from html.parser import HTMLParser
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from pypdf import PageObject, PdfReader

from referee.core import ConfigError, NotFound
from referee.core.picture import Drawing, Print, Text
from referee.core.record import NO_DICE
from referee.games.dampfross import GAME as DAMPFROSS
from referee.games.dampfross.report.picture import COLOURS
from referee.report import zine as report
from referee.report.paper import letter_pdf
from referee.resources import template_folders
from referee.service.club import Club
from referee.service.post.observers import watch_code
from referee.service.turns.gamefile import Invited, Proposal, parse_player
from referee.service.turns.newgames import new_game
from referee.service.turns.newsletters import paper_of_turn
from referee.service.umpire.zine import zine
from tests import pages
from tests.browser import new_page
from tests.forkedcommands import run_here
from tests.games.dampfross.wholegame import setup_of
from tests.games.volldampf.test_secrets import otherwise, retold
from tests.posthouse import ANN, BOB, Clubs, PostHouse, line_of, text_of
from tests.tables import Tables

CASES = Tables(__file__)

# Newsletters as HTML beside the text: what is for the reader first, nothing fetched, nothing that a player wrote is markup.


if TYPE_CHECKING:
    from playwright.sync_api import Browser

NASTY = "<script>a(1)</script><img src=//x.y>"
SEATS = (
    Invited(code="GSW", colour="red", name="Ann", address="ann@example.org", company=NASTY),
    parse_player(f"MGW:blue:{NASTY} <bob@example.org>"),
    parse_player("BNC:green:Cyd <cyd@example.org>"),
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
    return Page(re.sub(r'<p class="(?:caption|days)".*?</p>', "", part.get_content()))


@pytest.fixture
def published(club: Clubs) -> PostHouse:
    """A game of three, its first round played: one order of MGW's could not be obeyed to the end."""
    made = club()
    made.new("dampfross", "ireland", *SEATS, rhythm={"days": 14}, root="root")
    made.tick()
    made.write("ann@example.org", f"HOME Dublin\nPRESS: {NASTY}")
    made.send("bob@example.org", "HOME Belfast")
    made.later(days=15)
    return made


def newsletter(house: PostHouse, reader: str) -> EmailMessage:
    return house.last(reader, "Round 1 of 12")


def test_the_text_is_whole_without_the_page(published: PostHouse) -> None:
    plain = newsletter(published, "ann@example.org").get_body(("plain",))
    assert plain is not None
    for words in ("Accounts", "Standings, with", "Deadline:", "ORDERS RR1 2", "The dice"):
        assert words in plain.get_content()


def test_nothing_a_player_wrote_is_markup_and_nothing_is_fetched(published: PostHouse) -> None:
    letter = newsletter(published, "ann@example.org")
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


def test_it_begins_with_the_reader_and_ends_with_the_dice(published: PostHouse) -> None:
    letter = newsletter(published, "bob@example.org")
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
    assert "1= 20 0 0 place (was 1) units (0)" in text


def test_every_picture_has_words_for_those_who_do_not_see_it(published: PostHouse) -> None:
    page = page_of(newsletter(published, "ann@example.org"))
    told = [found.get("alt") or "" for tag, found in page.elements if tag == "img"]
    assert any("Ireland after round 1" in words for words in told)
    assert all(len(words) > 20 and "  " not in words for words in told)


def test_what_one_says_of_oneself_is_not_said_to_another(published: PostHouse) -> None:
    published.write("ann@example.org", "2a) (Dublin) - AB17")
    published.later(days=15)
    letters = (published.last(f"{name}@example.org", "Round 2 of 12") for name in ("ann", "bob"))
    ann, bob = (page_of(letter).text for letter in letters)
    own = re.compile(r"Your round (.*?) What you decide now")
    assert own.findall(ann) != own.findall(bob)
    assert "MGW" not in own.findall(ann)[0]


def test_an_umpires_own_template_takes_the_place_of_the_page(published: PostHouse) -> None:
    folder = published.folder / "templates" / "common"
    folder.mkdir(parents=True)
    (folder / "letter.css").write_text("p { margin: 77px; }\n", "utf-8")
    published.later(days=15)
    part = published.last("ann@example.org", "Round 2 of 12").get_body(("html",))
    assert part is not None
    assert 'style="margin:77px"' in part.get_content()


def enclosed_in(letter: EmailMessage) -> set[str]:
    return {f"cid:{part['Content-ID'].strip('<>')}" for part in letter.walk() if part["Content-ID"]}


def test_openings_and_answers_say_as_html_what_they_say_as_text(published: PostHouse) -> None:
    published.send("bob@example.org", f"STATUS\nMAP\nPRESS: {NASTY}\n1a) nowhere")
    for letter in (published.post("bob@example.org")[0], published.last("bob@example.org")):
        page = page_of(letter)
        assert page.open == []
        assert "script" not in {tag for tag, _ in page.elements}
        assert [tag for tag, _ in page.elements].count("h1") == 1
        shown = {found.get("src") for tag, found in page.elements if tag == "img"}
        assert shown == enclosed_in(letter)
        assert len(shown) == (2 if "opens" in str(letter["Subject"]) else 1)  # an opening draws its example, too
        if len(shown) == 2:
            rest = page.text.rpartition("Hello")[2]  # the line beside the subject greets before
            heads = (
                "you lead",
                "Deadline:",
                "Your first order",
                "Lines may look",
                "ORDERS RR1 1 ",
                "Who plays",
                "The dice",
            )
            assert [rest.count(head) for head in heads] == [1] * len(heads)
            assert sorted(heads, key=rest.index) == list(heads)
            continue
        told = re.sub(r"[-=]{3,}|^ *(- |[|])", " ", text_of(letter), flags=re.MULTILINE)
        assert re.sub(r"[\s–−-]+", "", page.text).endswith(re.sub(r"[\s–−-]+", "", told.partition("\n\n")[2]))


def test_who_reads_text_alone_has_answers_so(published: PostHouse) -> None:
    published.send("bob@example.org", "FORMAT TEXT")
    published.send("bob@example.org", "STATUS")
    assert published.last("bob@example.org").get_body(("html",)) is None


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
    published: PostHouse, wish: str, coloured: bool
) -> None:
    published.send("ann@example.org", f"FORMAT TEXT\n{wish}")
    assert ("The ground of the map is white." in published.text("ann@example.org")) != coloured
    published.later(days=15)
    sea = " ".join(f"{int(COLOURS['sea'][n : n + 2], 16) / 255:.4f}" for n in (1, 3, 5))
    painted = {
        " ".join(f"{float(part):.4f}" for part in found.split()) for found in SHADES.findall(paper_of(published)[1])
    }
    assert (sea in painted) == coloured


def test_headings_on_paper_are_bold_and_two_columns_fill_its_pages() -> None:
    sheet = Drawing(width=20, height=10, background="#ffffff", parts=(), title="A")
    source = (template_folders("dampfross", None)[-1] / "letter.typ").read_text("utf-8")
    assert b"DejaVuSans-Bold" in letter_pdf(source, "A", "en", "<h1>A</h1><h2>b</h2><p>c</p>", sheet, {})
    assert letter_pdf(source, "A", "en", pages.page_of(pages.values_of(9)), sheet, {}).count(b"/MediaBox") == 3


@pytest.mark.parametrize(("lines", "shown"), [(20, True), (110, False), (150, True)])
def test_a_close_up_on_paper_fills_a_page_that_is_there_anyway(lines: int, shown: bool) -> None:
    near = Drawing(width=50, height=60, background="#ffffff", parts=(Text((25, 9), "Near", 9, "#000000"),), title="A")
    source = (template_folders("dampfross", None)[-1] / "letter.typ").read_text("utf-8")
    page = "<h1>A</h1>" + "<p>b</p>" * lines + '<img src="cid:x-closeup.png@y" alt="c">'
    without, told = (
        [each.extract_text() for each in PdfReader(io.BytesIO(letter_pdf(source, "A", "en", page, near, beside))).pages]
        for beside in ({}, {"x-closeup.png": near})
    )
    assert len(without) == len(told) == 2 + (lines > 110)
    assert ("Near" in told[-2]) == shown


def _letters_by_size(pages: Iterable[PageObject]) -> Counter[float]:
    """Return how many letters of each size, in points, stand on pages."""
    found = Counter[float]()

    def visit(text: str, page: list[float], line: list[float], _font: object, size: float) -> None:
        along = hypot(line[0] * page[0] + line[1] * page[2], line[0] * page[1] + line[1] * page[3])
        found[round(size * along, 2)] += len("".join(text.split()))

    for each in pages:
        each.extract_text(visitor_text=visit)
    return +found


def test_an_opening_on_paper_shows_its_reader_a_first_order(house: PostHouse) -> None:
    house.ireland()
    for code, other in (("GSW", "MGW"), ("MGW", "GSW")):
        first, *_ = PdfReader(io.BytesIO(paper_of_turn(house.club, "RR1", 0, code, "a4", "a4"))).pages
        told = first.extract_text()
        assert f"{code}: a first order with prices" in told
        assert f"{other}: a first order" not in told


@pytest.mark.parametrize(
    ("board", "paper", "whole"),
    [
        ("bavaria", "letter", 1),
        *(
            pytest.param(*each, marks=pytest.mark.testlong)
            for each in (("france", "letter", 1), ("bavaria", "a4", 1), ("russia", "a4", 1), ("ireland", "a2", 0))
        ),
    ],
)
def test_all_lettering_of_a_board_has_five_points_on_paper(board: str, paper: str, whole: int) -> None:
    """Where the names of hexes would be finer the whole board is without them, and two halves of the map have them."""
    state = DAMPFROSS.start(DAMPFROSS.lay_out(setup_of(3, board)), NO_DICE).state
    source = (template_folders("dampfross", None)[-1] / "letter.typ").read_text("utf-8")
    drawing = DAMPFROSS.drawing(state, str, Print(paper=True))
    made = letter_pdf(source, "A", "en", "<h1>A</h1>", drawing, {}, map_paper=paper)
    _, *sheets = PdfReader(io.BytesIO(made)).pages
    assert len(sheets) == 1 + 2 * whole
    assert min(_letters_by_size(sheets)) >= 5
    assert max(_letters_by_size(sheets[whole:]).values()) >= sum(
        len(state.board.hex_name(each)) for each in state.board.ground
    )


ZINE = {
    "zine__name": "The Despatch",
    "zine__issue": "No. 214",
    "zine__umpire": "Paula Fox",
    "zine__word": f"Boilers hot! {NASTY}",
}


def test_masthead_and_colophon_say_who_publishes_a_letter(club: Clubs) -> None:
    house = club(zine__contact="12 Canal Street", **ZINE)
    for _ in range(2):
        house.new("dampfross", "ireland", *SEATS, rhythm={"days": 14}, root="root")
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
    assert re.search(r">−\d+|\s−\d+", page)
    forms = re.findall(r"<pre.*?</pre>", pages.opening_page(), re.DOTALL)
    assert any("(Belfast) - " in form for form in forms)
    assert not any("–" in form for form in forms)


@pytest.mark.browser
def test_newcomers_see_who_they_are_and_until_when_on_the_first_screen_and_what_a_first_order_costs(
    browser: Browser, published: PostHouse
) -> None:
    part = published.post("bob@example.org")[0].get_body(("html",))
    assert part is not None
    sheet = new_page(browser, {"width": 375, "height": 667})
    sheet.set_content(part.get_content(), wait_until="domcontentloaded")
    for words in (".card .chip", ".due"):
        box = sheet.locator(words).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 667
    told = sheet.locator(".in").inner_text()
    assert re.search(r"YOUR FIRST ORDER.*\n1a\) \(.*\n1a\)\t\d of \d points", told, re.DOTALL)


# The umpire's zine: what was played since the last issue, on paper and for word processors, and nothing secret.


WORDS = "# Slowly, but in Company\n\nSince <b>1987</b>.\n\n---\n\nDear *subscribers*,\n\n- pay\n"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"


@pytest.fixture
def printed(club: Clubs) -> PostHouse:
    """Two games of which turn 1 was played, with press."""
    made = club()
    for _ in range(2):
        made.game(rhythm={"days": 7})
    play(made, "RR1", "RR2")
    return made


def play(house: PostHouse, *names: str) -> None:
    for name in names:
        house.write(ANN, "STEP 1\nPRESS: Late again.", f"[{name}]")
        house.write(BOB, "STEP 2", f"[{name}]")
    house.tick()


def parts(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        return {name: packed.read(name).decode() for name in ("content.xml", "styles.xml", "meta.xml")}


def words_of(content: bytes) -> str:
    """The words of a document, a line a paragraph."""
    body = ET.fromstring(parts(content)["content.xml"].replace("<text:s/>", " "))  # noqa: S314 (ours)
    return "\n".join("".join(each.itertext()) for each in body.iter() if each.tag in (f"{TEXT}h", f"{TEXT}p"))


def issue(club: Club, *names: str, name: str = "june", words: str = "") -> str:
    return words_of(zine(club, names, name, ".odt", words)[1])


def test_an_issue_has_the_umpires_words_standings_newsletters_press_and_order_forms(printed: PostHouse) -> None:
    told = issue(printed.club, "rr2", "RR1", words=WORDS)
    assert told.startswith("Slowly, but in Company\nSince <b>1987</b>.\nNo. 1, Monday 7 December 2026\nEditorial\n")
    order = (
        "How the games stand",
        "RR2: ",
        "RR1: ",
        "Late again.",
        "RR1: ",
        "Late again.",
        "Order forms",
        "ORDERS RR2 2",
    )
    assert re.search(".*".join(map(re.escape, order)), told, re.DOTALL)
    assert "Due Monday 14 December 2026, 20:00 UTC" in told


def test_an_issue_tells_what_was_played_since_the_last_one_and_is_made_again_by_its_name(printed: PostHouse) -> None:
    def goes(name: str) -> tuple[int, dict[str, int], dict[str, int]]:
        kept = zine(printed.club, ("RR1", "RR2"), name, ".odt")[0]
        return kept.number, kept.since, kept.until

    first = (1, {"RR1": 0, "RR2": 0}, {"RR1": 1, "RR2": 1})
    assert (goes("june"), goes("june")) == (first, first)
    play(printed, "RR1")
    assert goes("june") == (1, {"RR1": 0, "RR2": 0}, {"RR1": 2, "RR2": 1})
    play(printed, "RR1")
    assert goes("july") == (2, {"RR1": 2, "RR2": 1}, {"RR1": 3, "RR2": 1})
    assert goes("june") == (1, {"RR1": 0, "RR2": 0}, {"RR1": 2, "RR2": 1})
    assert "Nothing was played since the last issue." in issue(printed.club, "RR1", "RR2", name="july")


def test_an_issue_without_anything_new_says_so_and_is_none(printed: PostHouse) -> None:
    zine(printed.club, ("RR1",), "june", ".odt")
    with pytest.raises(
        ConfigError, match="nothing is new: RR1 after turn 1, as issue 1 told; --since DATE prints it again"
    ):
        zine(printed.club, ("RR1",), "july", ".odt")
    play(printed, "RR1")
    assert zine(printed.club, ("RR1",), "july", ".odt")[0].number == 2
    since = printed.clock.now.date()
    assert zine(printed.club, ("RR1",), "august", ".odt", since=since)[0].since == {"RR1": 0}


def test_headings_and_forms_are_styles_that_a_word_processor_knows(printed: PostHouse) -> None:
    made = parts(zine(printed.club, ("RR1",), "june", ".odt", WORDS)[1])
    body = ET.fromstring(made["content.xml"])  # noqa: S314 (ours)
    named = {name for each in body.iter() for key, name in each.attrib.items() if key == f"{TEXT}style-name"}
    assert named >= {"Heading_20_1", "Heading_20_2", "Text_20_body", "Preformatted_20_Text", "Emphasis", "Figures"}
    assert [name for name in named if f'style:name="{name}"' not in made["styles.xml"] + made["content.xml"]] == []
    assert {each.get(f"{TEXT}outline-level") for each in body.iter(f"{TEXT}h")} >= {"1", "2"}
    assert "Slowly, but in Company" in made["meta.xml"]
    assert body.findall(".//{urn:oasis:names:tc:opendocument:xmlns:table:1.0}table")


@CASES.frozen_rows
def test_a_pdf_has_the_paper_that_was_asked_for(printed: PostHouse, layout: str, size: tuple[int, int]) -> None:
    read = PdfReader(io.BytesIO(zine(printed.club, ("RR1",), "june", ".pdf", WORDS, layout)[1]))
    assert (round(read.pages[0].mediabox.width), round(read.pages[0].mediabox.height)) == size
    assert "Slowly, but in Company" in read.pages[0].extract_text()


def test_a_booklet_has_the_last_page_beside_the_first_and_the_second_behind_it(printed: PostHouse) -> None:
    pages = PdfReader(io.BytesIO(zine(printed.club, ("RR1", "RR2"), "june", ".pdf", WORDS, "a5")[1])).pages
    sides = PdfReader(io.BytesIO(zine(printed.club, ("RR1", "RR2"), "june", ".pdf", WORDS)[1])).pages
    assert len(sides) == -(-len(pages) // 4) * 2
    for number, page in enumerate(pages):
        beside = sides[min(number, 2 * len(sides) - 1 - number)].extract_text()
        assert [line for line in page.extract_text().splitlines() if line not in beside] == []


def test_no_issue_tells_a_secret(club: Clubs) -> None:
    """Rule: with hands, kept orders and hidden cards put otherwise it is the same, word for word."""
    people = [
        f"{code}:{colour}:{code.title()} <{code.lower()}@example.org>"
        for code, colour in (("ANN", "red"), ("BOB", "blue"))
    ]
    house = club()
    proposal = Proposal(
        kind="volldampf", board="deutschland-1925", players=tuple(map(parse_player, people)), rhythm={"days": 7}
    )
    new_game(house.club, proposal, root="root")
    for code in ("ANN", "BOB"):
        house.tick()
        house.act(f"REPLACE RR1 {code} BUILT-IN", "x")
    while not (last := house.last_turn()).turn > 9 and last:
        house.later(hours=1)
    told = issue(house.club, "RR1")
    assert not re.search(r"^Deutschland, um 1925: round", told, re.MULTILINE)  # captions of pictures that are not there
    position = house.position()
    house.club.execute("DROP TRIGGER turns_unchanged")
    changed = 0
    for row in house.turns():
        rules, setup = position.rules, position.setup
        state, events = rules.decode(row.state, setup), rules.decode(row.events, setup)
        other = rules.encode(otherwise(state, None)), rules.encode(tuple(retold(each, None) for each in events))
        changed += other != (row.state, row.events)
        sql = "UPDATE turns SET state = ?, events = ? WHERE game = 'RR1' AND turn = ?"
        house.club.execute(sql, (*other, row.turn))
    assert changed
    assert issue(house.club.but(tools=house.club.tools.having()), "RR1") == told
    assert not re.search(r"@example\.(?!org>)|RR1-(?:ANN|BOB)-", told.replace("ann@", ""))


def test_what_cannot_be_made_is_told_and_changes_nothing(
    printed: PostHouse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(NotFound, match="there is no game RR9"):
        zine(printed.club, ("RR9",), "june", ".odt")
    with pytest.raises(ConfigError, match=r"a zine is written as \.pdf or \.odt"):
        zine(printed.club, ("RR1",), "june", ".doc")
    monkeypatch.setattr(report, "LIBRARIES", ("nosuchlibrary",))
    with pytest.raises(
        ConfigError, match=r"zines need the extra zine, which is not installed: run `pip install '\.\[zine\]'`"
    ):
        zine(printed.club, ("RR1",), "june", ".odt")
    assert json.dumps(printed.rows("SELECT name FROM club WHERE name LIKE 'zine%'")) == "[]"


def test_the_command_writes_the_file_and_says_how_far_it_goes(printed: PostHouse) -> None:
    (printed.folder / "june.md").write_text(WORDS)
    file = printed.folder / "june.odt"
    words = ("--club", printed.folder, "zine", "RR1", "RR2", "-o", file, "--words", printed.folder / "june.md")
    assert run_here(*words).output == f"{file}: issue 1, RR1 to turn 1, RR2 to turn 1\n"
    assert "Dear subscribers" in words_of(file.read_bytes())
    (printed.folder / "june.md").write_bytes(b"\xff")
    assert "is not UTF-8" in run_here(*words).output


# How a game ends: closing statements with a deadline of their own, and the archive.


EVE = "eve@example.com"


@pytest.fixture
def ending(club: Clubs) -> PostHouse:
    made = club(identity__policy="token")
    made.begin(rhythm={"days": 7, "statements": 10})
    made.send(EVE, f"WATCH {watch_code(made.club, 'RR1')}")
    made.reply(made.post(EVE)[0], "CONFIRM")
    return made


def play_out(house: PostHouse) -> None:
    """Play until the game is over."""
    while house.row().status == "running":
        for player in (ANN, BOB):
            house.answer([each for each in house.post(player) if each["Reply-To"]][-1], "STEP 3")
        house.tick()


def flat(house: PostHouse, reader: str, words: str) -> list[str]:
    return [line_of(each) for each in house.post(reader, words)]


def test_last_words_are_asked_for_taken_and_told_to_all_after_their_deadline(ending: PostHouse) -> None:
    play_out(ending)
    (asked,) = flat(ending, ANN, "What do you say of the game?")
    assert "Thursday 17 December 2026, 20:00" in asked
    assert not ending.post(EVE, "What do you say of the game?")
    last = ending.last(ANN)
    ending.reply(last, "PRESS: Well played.")
    ending.answer(last, "STATEMENT: Well played, Bob!\nThe wind was with you.")
    ending.reply(BOB, "STEP 3")
    assert "It is kept, and is mailed to all" in flat(ending, ANN, "Your closing statement")[-1]
    assert flat(ending, BOB, "The game is over")
    ending.later(days=9)
    assert not ending.post(BOB, "Well played")
    ending.wait(days=2)
    for _ in range(2):
        ending.tick()
    for reader in (ANN, BOB, EVE):
        (told,) = flat(ending, reader, "What the players say of the game")
        assert "Ann, ANN" in told
        assert "| Well played, Bob! | The wind was with you." in told
        assert "Bob, BOB" not in told
    ending.reply(last, "PRESS: One more word.")
    assert "The game is over" in flat(ending, ANN, "Your letter was not taken")[-1]
    assert not ending.faults()


def test_where_nobody_writes_nothing_is_sent(ending: PostHouse) -> None:
    play_out(ending)
    before = len(ending.sent_files())
    ending.later(days=11)
    assert len(ending.sent_files()) == before
    assert not ending.row().statements_due


def test_a_statement_that_is_too_long_is_not_taken(ending: PostHouse) -> None:
    play_out(ending)
    ending.reply(ANN, "PRESS: " + "word " * 3000)
    assert "10000 are possible: it was not taken" in flat(ending, ANN, "Your closing statement")[-1]
    ending.later(days=11)
    assert not ending.post(BOB, "What the players say of the game")


def test_a_game_whose_last_turn_is_undone_awaits_no_statements_before_it_ends_again(ending: PostHouse) -> None:
    play_out(ending)
    ending.reply(ANN, "PRESS: Well played.")
    ending.act(f"UNDO RR1 {ending.last_turn().turn}", "My mistake.")
    assert not ending.row().statements_due
    ending.later(days=12)
    assert ending.row().status == "finished"
    assert not ending.post(BOB, "What the players say of the game")
    ending.later(days=11)
    assert flat(ending, BOB, "Well played.")


def test_none_are_asked_for_where_the_calendar_wants_none(club: Clubs) -> None:
    house = club(identity__policy="token", deadlines__statements=0)
    house.begin()
    play_out(house)
    assert not house.post(ANN, "What do you say of the game?")
    house.reply(ANN, "PRESS: Well played.")
    assert flat(house, ANN, "Your letter was not taken")


def test_a_game_in_the_archive_leaves_the_lists_and_nothing_else(ending: PostHouse) -> None:
    with pytest.raises(ConfigError, match="RR1 is not over: turn 1 is awaited"):
        ending.act("ARCHIVE RR1")
    play_out(ending)
    ending.begin()
    assert ending.command("game", "archive", "rr1").stdout.startswith("RR1 is in the archive.\n")
    ending.act("ARCHIVE RR1")
    assert [line.split("\t")[0] for line in ending.command("game", "list").stdout.split("\n")] == ["RR2", ""]
    assert ending.command("game", "list", "--all").stdout.startswith("RR1\ttinyrace\tfinished")
    assert "RR1" not in ending.command("status").stdout
    assert "over after turn" in ending.command("status", "RR1").stdout
    assert ending.command("verify", "RR1").returncode == 0
    assert ending.command("newsletter", "RR1").stdout
    kinds = [each["kind"] for each in json.loads(ending.command("log", "RR1", "--json").stdout)]
    assert kinds == ["archive"]
    ending.reply([each for each in ending.post(ANN, "Turn") if "RR1" in each["Subject"]][-1], "STATUS")
    assert flat(ending, ANN, "The game is over.")
    assert ending.command("game", "archive", "RR1", "--back").stdout == "RR1 is taken out of the archive.\n"
    assert ending.command("game", "list").stdout.startswith("RR1\t")
