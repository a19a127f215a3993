"""The whole club on one page, for the umpire alone."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from referee.cli import main
from referee.service.deadlines.rescheduling import hold
from referee.service.post.readers import speak
from referee.service.turns.opengames import open_game
from referee.service.turns.proposals import Proposal
from referee.service.umpire.colleagues import name_umpire
from referee.service.umpire.commands import TABLE, parse_command
from referee.service.umpire.digest import club_page
from referee.store import games
from referee.store.database.database import transaction
from tests.browser import too_wide, violations
from tests.posthouse import ANN, REFEREE, UMPIRE, PostHouse

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    """Two games and one that waits: Bob is missing, a letter in Ann's name is held, RR2 is stopped."""
    with PostHouse(tmp_path / "club", identity__policy="token", deadlines__reminders="24") as made:
        made.game(rhythm={"days": 6})
        made.begin()
        made.reply(made.last(ANN, "RR1"), "STEP 2")
        made.send(ANN, "ORDERS RR1 1\nSTEP 3\nEND")
        hold(made.club, "RR2", "x")
        open_game(made.club, Proposal(kind="tinyrace", board="line", rhythm={"days": 7}), 3)
        made.tick()
        yield made


def page(house: PostHouse, address: str = UMPIRE) -> str:
    return club_page(house.club, address).decode()


def words(text: str) -> str:
    told = " ".join(html.unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", text, flags=re.DOTALL)).split())
    return re.sub(r" ([,:])", r"\1", told)


def buttons(text: str) -> list[tuple[str, str, str]]:
    """The letters that buttons write: whereto, subject, body."""
    found = [urlsplit(html.unescape(each)) for each in re.findall('href="(mailto:[^"]+)"', text)]
    told = ((each.path.replace("%40", "@"), parse_qs(each.query)) for each in found)
    return [(path, query["subject"][0], query["body"][0].replace("\r\n", "\n")) for path, query in told]


def test_it_tells_who_is_awaited_what_came_and_what_happens_until_sunday(house: PostHouse) -> None:
    told = words(page(house))
    assert "RR1: Tiny Race, map line Turn 1 is due Sunday 13 December 2026, 20:00 UTC." in told
    assert "ANN Ann: orders are in, a letter waits for the player's word BOB Bob: orders are missing" in told
    assert re.search(
        r"What came Letter 2, Monday 7 December 2026, 12:00 UTC, ANN: held, no code Letter 1, .*: done", told
    )
    assert "until Sunday 13 December 2026 Saturday 12 December 2026, 20:00 UTC reminds BOB of turn 1" in told
    assert "Letters that wait for you Letter 2, RR1, ANN" in told
    assert "Turn 1 is awaited; the game is stopped." in told
    assert "RR3: 3 of 3 seats are free." in told
    assert told.startswith("Railway club, Monday 7 December 2026")


def test_each_button_writes_a_command_that_is_read_and_carries_no_code(house: PostHouse) -> None:
    found = buttons(page(house))
    lines = [subject for _, subject, _ in found]
    expected = [
        "RELEASE 2",
        "DISCARD 2",
        "LETTER 2",
        "DEADLINE RR1 2026-12-16 20:00",
        "PLAY RR1 1",
        "REMIND RR1",
        "HOLD RR1",
    ]
    assert lines == [*expected, *lines[len(expected) :]]
    assert {"REPLACE RR1 BOB STANDBY", "RESUME RR2", "SIGNUPS RR3", "START RR3", "PREVIEW RR1", "WRITE RR1"} <= {*lines}
    for whereto, line, body in found:
        command = parse_command(body)
        assert (whereto, command and command.line) == (REFEREE, line)
        assert command
        assert command.reason or not TABLE[command.name].reasoned or command.name == "WRITE"


def test_the_letter_of_a_button_is_answered_with_one_to_send_back_and_then_done(house: PostHouse) -> None:
    ((whereto, subject, body),) = (each for each in buttons(page(house)) if each[1].startswith("DEADLINE RR1"))
    house.send(UMPIRE, body, subject, To=whereto)
    before = games.game(house.club.db, "RR1").deadline
    assert before is not None
    assert f"{before:%d}" == "13"
    house.reply(house.last(UMPIRE), "CONFIRM")
    after = games.game(house.club.db, "RR1").deadline
    assert after is not None
    assert f"{after:%d}" == "16"


def test_it_is_one_file_that_fetches_nothing_and_tells_no_code_and_no_orders(house: PostHouse) -> None:
    told = page(house)
    assert "default-src &#39;none&#39;" in told or "default-src 'none'; style-src 'unsafe-inline'" in told
    assert not re.search(r"<script|<link|<img|url\(|https?://|STEP", told)
    assert not re.search(r"RR\d-(?:ANN|BOB|UMPIRE)-", told)


def test_the_umpire_of_one_game_sees_that_game_in_his_language(house: PostHouse) -> None:
    bea = "bea@example.org"
    name_umpire(house.club, "RR2", f"Bea <{bea}>")
    with transaction(house.club.db):
        speak(house.club, bea, "de")
    told = page(house, bea)
    assert 'lang="de"' in told
    assert {line.split()[0] for _, line, _ in buttons(told)} == {"FORTSETZEN", "ERSETZEN", "VORSCHAU", "SCHREIBEN"}
    assert "RR1" not in words(told)


@pytest.mark.parametrize("wished", [True, False])
def test_it_is_beside_the_digest_where_a_setting_says_so(house: PostHouse, wished: bool) -> None:
    house.club = replace(house.club, config=replace(house.club.config, digest="07:00", digest_page=wished))
    house.later(days=1)
    digest = house.last(UMPIRE)
    files = [each.get_filename() for each in digest.iter_attachments()]
    assert files == ["club.html"] * wished


def test_the_command_writes_it(house: PostHouse, tmp_path: Path) -> None:
    file, run = tmp_path / "c.html", CliRunner()
    command = ["--club", str(house.folder), "desk"]
    assert run.invoke(main, [*command, "--umpire", "-o", str(file)]).output == f"{file}\n"
    assert "</html>" in file.read_text()
    for wrong in ([], ["RR1", "--umpire"]):
        told = run.invoke(main, command + wrong)
        assert (told.exit_code, "write --umpire for the whole club" in told.output) == (2, True)


@pytest.mark.browser
def test_in_a_browser_axe_has_nothing_to_say_and_it_fits(house: PostHouse, browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "club.html").write_bytes(club_page(house.club, UMPIRE).replace(b"<meta http-equiv", b"<meta data-off"))
    opened = browser.new_page()
    opened.goto((tmp_path / "club.html").as_uri())
    assert violations(opened) == []
    assert too_wide(opened) == []
    opened.close()
