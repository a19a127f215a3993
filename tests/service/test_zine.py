"""The umpire's zine: what was played since the last issue, on paper and for word processors, and nothing secret."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from pypdf import PdfReader

from referee.cli import main
from referee.core.errors import ConfigError, NotFound
from referee.report import zine as report
from referee.service.club.club import Club
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Proposal, parse_player
from referee.service.umpire.colleagues import seat_built_in
from referee.service.umpire.zine import zine
from referee.store import games
from tests.games.volldampf.test_secrets import otherwise, retold
from tests.posthouse import ANN, BOB, PostHouse

WORDS = "# Slowly, but in Company\n\nSince <b>1987</b>.\n\n---\n\nDear *subscribers*,\n\n- pay\n"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    """Two games of which turn 1 was played, with press."""
    with PostHouse(tmp_path / "club") as made:
        for _ in range(2):
            made.game(rhythm={"days": 7})
        play(made, "RR1", "RR2")
        yield made


def play(house: PostHouse, *names: str) -> None:
    for name in names:
        house.write(ANN, "STEP 1\nPRESS: Late again.", f"[{name}]")
        house.write(BOB, "STEP 2", f"[{name}]")
    house.tick()


def parts(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        return {name: packed.read(name).decode() for name in ("content.xml", "styles.xml", "meta.xml")}


def text_of(content: bytes) -> str:
    """The words of a document, a line a paragraph."""
    body = ET.fromstring(parts(content)["content.xml"].replace("<text:s/>", " "))  # noqa: S314 (ours)
    return "\n".join("".join(each.itertext()) for each in body.iter() if each.tag in (f"{TEXT}h", f"{TEXT}p"))


def issue(club: Club, *names: str, name: str = "june", words: str = "") -> str:
    return text_of(zine(club, names, name, ".odt", words)[1])


def test_an_issue_has_the_umpires_words_standings_newsletters_press_and_order_forms(house: PostHouse) -> None:
    told = issue(house.club, "rr2", "RR1", words=WORDS)
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


def test_an_issue_tells_what_was_played_since_the_last_one_and_is_made_again_by_its_name(house: PostHouse) -> None:
    def goes(name: str) -> tuple[int, dict[str, int], dict[str, int]]:
        kept = zine(house.club, ("RR1", "RR2"), name, ".odt")[0]
        return kept.number, kept.since, kept.until

    first = (1, {"RR1": 0, "RR2": 0}, {"RR1": 1, "RR2": 1})
    assert (goes("june"), goes("june")) == (first, first)
    play(house, "RR1")
    assert goes("june") == (1, {"RR1": 0, "RR2": 0}, {"RR1": 2, "RR2": 1})
    play(house, "RR1")
    assert goes("july") == (2, {"RR1": 2, "RR2": 1}, {"RR1": 3, "RR2": 1})
    assert goes("june") == (1, {"RR1": 0, "RR2": 0}, {"RR1": 2, "RR2": 1})
    assert "Nothing was played since the last issue." in issue(house.club, "RR1", "RR2", name="july")


def test_an_issue_without_anything_new_says_so_and_is_none(house: PostHouse) -> None:
    zine(house.club, ("RR1",), "june", ".odt")
    with pytest.raises(
        ConfigError, match="nothing is new: RR1 after turn 1, as issue 1 told; --since DATE prints it again"
    ):
        zine(house.club, ("RR1",), "july", ".odt")
    play(house, "RR1")
    assert zine(house.club, ("RR1",), "july", ".odt")[0].number == 2
    since = house.clock.now.date()
    assert zine(house.club, ("RR1",), "august", ".odt", since=since)[0].since == {"RR1": 0}


def test_headings_and_forms_are_styles_that_a_word_processor_knows(house: PostHouse) -> None:
    made = parts(zine(house.club, ("RR1",), "june", ".odt", WORDS)[1])
    body = ET.fromstring(made["content.xml"])  # noqa: S314 (ours)
    named = {name for each in body.iter() for key, name in each.attrib.items() if key == f"{TEXT}style-name"}
    assert named >= {"Heading_20_1", "Heading_20_2", "Text_20_body", "Preformatted_20_Text", "Emphasis", "Figures"}
    assert [name for name in named if f'style:name="{name}"' not in made["styles.xml"] + made["content.xml"]] == []
    assert {each.get(f"{TEXT}outline-level") for each in body.iter(f"{TEXT}h")} >= {"1", "2"}
    assert "Slowly, but in Company" in made["meta.xml"]
    assert body.findall(".//{urn:oasis:names:tc:opendocument:xmlns:table:1.0}table")


@pytest.mark.parametrize(("layout", "size"), [("a5", (420, 595)), ("a4", (595, 842)), ("booklet", (842, 595))])
def test_a_pdf_has_the_paper_that_was_asked_for(house: PostHouse, layout: str, size: tuple[int, int]) -> None:
    read = PdfReader(io.BytesIO(zine(house.club, ("RR1",), "june", ".pdf", WORDS, layout)[1]))
    assert (round(read.pages[0].mediabox.width), round(read.pages[0].mediabox.height)) == size
    assert "Slowly, but in Company" in read.pages[0].extract_text()


def test_a_booklet_has_the_last_page_beside_the_first_and_the_second_behind_it(house: PostHouse) -> None:
    pages = PdfReader(io.BytesIO(zine(house.club, ("RR1", "RR2"), "june", ".pdf", WORDS, "a5")[1])).pages
    sides = PdfReader(io.BytesIO(zine(house.club, ("RR1", "RR2"), "june", ".pdf", WORDS)[1])).pages
    assert len(sides) == -(-len(pages) // 4) * 2
    for number, page in enumerate(pages):
        beside = sides[min(number, 2 * len(sides) - 1 - number)].extract_text()
        assert [line for line in page.extract_text().splitlines() if line not in beside] == []


def test_no_issue_tells_a_secret(tmp_path: Path) -> None:
    """Rule: with hands, kept orders and hidden cards put otherwise it is the same, word for word."""
    people = [
        f"{code}:{colour}:{code.title()} <{code.lower()}@example.org>"
        for code, colour in (("ANN", "red"), ("BOB", "blue"))
    ]
    with PostHouse(tmp_path / "club") as house:
        proposal = Proposal(
            kind="volldampf", board="deutschland-1925", players=tuple(map(parse_player, people)), rhythm={"days": 7}
        )
        new_game(house.club, proposal, root="root")
        for code in ("ANN", "BOB"):
            house.tick()
            seat_built_in(house.club, "RR1", code, "x")
        while not (last := games.last_turn(house.club.db, "RR1")).turn > 9 and last:
            house.later(hours=1)
        told = issue(house.club, "RR1")
        assert not re.search(
            r"^Deutschland, um 1925: round", told, re.MULTILINE
        )  # captions of pictures that are not there
        position = house.club.positions.of(house.club.db, games.game(house.club.db, "RR1"))
        house.club.db.execute("DROP TRIGGER turns_unchanged")
        changed = 0
        for row in games.turns(house.club.db, "RR1"):
            rules, setup = position.rules, position.setup
            state, events = rules.decode(row.state, setup), rules.decode(row.events, setup)
            other = rules.encode(otherwise(state, None)), rules.encode(tuple(retold(each, None) for each in events))
            changed += other != (row.state, row.events)
            sql = "UPDATE turns SET state = ?, events = ? WHERE game = 'RR1' AND turn = ?"
            house.club.db.execute(sql, (*other, row.turn))
        assert changed
        assert issue(replace(house.club, tools=house.club.tools.having()), "RR1") == told
        assert not re.search(r"@example\.(?!org>)|RR1-(?:ANN|BOB)-", told.replace("ann@", ""))


def test_what_cannot_be_made_is_told_and_changes_nothing(
    house: PostHouse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(NotFound, match="there is no game RR9"):
        zine(house.club, ("RR9",), "june", ".odt")
    with pytest.raises(ConfigError, match=r"a zine is written as \.pdf or \.odt"):
        zine(house.club, ("RR1",), "june", ".doc")
    monkeypatch.setattr(report, "LIBRARIES", ("nosuchlibrary",))
    with pytest.raises(
        ConfigError, match=r"zines need the extra zine, which is not installed: run `pip install '\.\[zine\]'`"
    ):
        zine(house.club, ("RR1",), "june", ".odt")
    assert json.dumps(house.rows("SELECT name FROM club WHERE name LIKE 'zine%'")) == "[]"


def test_the_command_writes_the_file_and_says_how_far_it_goes(house: PostHouse) -> None:
    (house.folder / "june.md").write_text(WORDS)
    run = CliRunner()
    file = house.folder / "june.odt"
    words = [
        "--club",
        str(house.folder),
        "zine",
        "RR1",
        "RR2",
        "-o",
        str(file),
        "--words",
        str(house.folder / "june.md"),
    ]
    assert run.invoke(main, words).output == f"{file}: issue 1, RR1 to turn 1, RR2 to turn 1\n"
    assert "Dear subscribers" in text_of(file.read_bytes())
    (house.folder / "june.md").write_bytes(b"\xff")
    assert "is not UTF-8" in run.invoke(main, words).output
