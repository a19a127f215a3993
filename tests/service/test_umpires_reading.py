"""What the umpire reads: pages with buttons, one digest a day, the club on one page, the status."""

from __future__ import annotations

import html
import json
import re
import tomllib
from collections.abc import Callable
from email.message import EmailMessage
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from referee.service.post import codes as codes_of
from referee.service.post.readers import speak
from referee.service.turns.opengames import signup_list
from referee.service.umpire.colleagues import name_umpire
from referee.service.umpire.commands import TABLE, parse_command
from referee.service.umpire.overview import club_page, week_of
from referee.store import transaction
from tests.browser import new_page, too_wide, violations
from tests.forkedcommands import run_here
from tests.posthouse import ANN, BOB, REFEREE, UMPIRE, Clubs, PostHouse, line_of, text_of
from tests.tables import Tables

CASES = Tables(__file__)

# The umpire's letters are pages with buttons: each is a letter with a whole command and a code of its own, checked as any is.


LINK = re.compile(r'<a [^>]*href="(mailto:[^"]+)"[^>]*>([^<]+)</a>')


@pytest.fixture
def buttoned(club: Clubs) -> PostHouse:
    """A game whose deadline is two days ahead; a letter in Ann's name is held."""
    settings = {"identity__policy": "token", "mail__digest": "07:00", "identity__plus": True}
    made = club(**settings)
    made.begin()
    made.send(ANN, "STEP 2")
    made.answer(BOB, "STEP 1")
    made.later(days=5)
    return made


def page(message: EmailMessage) -> str:
    part = message.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def buttons(message: EmailMessage) -> dict[str, str]:
    """Return the links of a page by what stands on them."""
    return {unescape(label): unescape(href) for href, label in LINK.findall(page(message))}


def press(house: PostHouse, href: str, sender: str = UMPIRE, own: str = "") -> EmailMessage:
    """Send the letter that a button writes, with words of the umpire's *own* below, and return the last one to the umpire."""
    parts = urlsplit(href)
    filled = parse_qs(parts.query)
    house.wait(minutes=1)
    house.send(sender, filled["body"][0].replace("\r\n", "\n") + own, filled["subject"][0], To=unquote(parts.path))
    return house.last(UMPIRE)


def digest(house: PostHouse) -> EmailMessage:
    return house.last(UMPIRE, "1 game runs")


def test_the_digest_has_a_button_for_each_thing_that_can_be_done(buttoned: PostHouse) -> None:
    found = buttons(digest(buttoned))
    assert [*found] == [
        "It counts: release it",
        "Discard it",
        "Read letter 1",
        "Give three days, until Thursday 17 December 2026, 20:00",
        "Play now, with what is in",
        "Remind them now",
        "A built-in player for ANN",
    ]
    assert "RR1: nothing yet from ANN" in page(digest(buttoned))
    assert "If you do nothing, the turn is played at its deadline with what is in." in page(digest(buttoned))
    for label, href in found.items():
        assert href.startswith("mailto:"), label
    codes = re.findall(r"RR1-UMPIRE-\w{8}", " ".join(found.values()))
    assert len({*codes}) == 6
    assert buttoned.acts() == ()


SAMPLE = Path(__file__).parent.parent / "mail" / "bounces" / "postfix.eml"


def writes(house: PostHouse) -> EmailMessage:
    """Have BOB write to the umpire, and return what the umpire is told."""
    house.reply(house.post(BOB)[0], "NOTE: May I build there?")
    return house.last(UMPIRE, "A note from BOB")


def cannot_be_reached(house: PostHouse) -> EmailMessage:
    """Let two letters to BOB come back."""
    ours = b"<newsletter.rr1.1.ann.1.0123456789abcdef@club.example>"
    for number in house.column("SELECT message_id FROM outbox WHERE recipient = ?", BOB)[:2]:
        raw = SAMPLE.read_bytes().replace(ours, number.encode())
        house.drop(raw.replace(b"Subject: ", f"Subject: {house.clock.now:%H%M%S%f} ".encode(), 1))
        house.tick()
        house.wait(minutes=1)
    return house.last(UMPIRE, "BOB cannot be reached")


def writes_prose(house: PostHouse) -> EmailMessage:
    """Have BOB write a letter in which nothing is an order."""
    house.reply(house.post(BOB)[0], "I wonder whether the bridge in the south is free for all of us, dear umpire.")
    return house.last(UMPIRE)


def is_over(house: PostHouse) -> EmailMessage:
    """End the game after its first turn, and let a day pass."""
    house.game()
    house.later(days=3)
    house.act("END RR1", "x")
    house.later(days=1)
    return house.last(UMPIRE, "1 game runs")


def is_full(house: PostHouse) -> EmailMessage:
    """Let both seats of an open game be taken."""
    row = house.open(2)
    word = signup_list(house.club, row.id).word
    for stranger in ("eve@example.org", "dora@example.org"):
        house.send(stranger, word)
        house.reply(stranger, "CONFIRM")
    return house.last(UMPIRE, "All seats are taken")


@pytest.mark.parametrize(
    ("cause", "label", "game", "kind", "said", "back"),
    [
        (digest, "It counts", "RR1", "accept", "the letter of ANN counts", ""),
        (digest, "Discard it", "RR1", "discard", "Letter 1 is discarded", "Take it back: release it"),
        (digest, "Give three days", "RR1", "deadline", "turn 1 is due", "Back to the old deadline"),
        (digest, "Remind them", "RR1", "remind", "reminded now: ANN", ""),
        (digest, "Play now", "RR1", "play", "turn 1 is played now", "Take the turn back"),
        (cannot_be_reached, "Give three days", "RR1", "deadline", "turn 1 is due", "Back to the old deadline"),
        (writes, "Answer BOB", "RR1", "write", "written to BOB", ""),
        (writes, "Tell everybody", "RR1", "note", "Kept for the next newsletter as U1", "Take U1 back"),
        (writes_prose, "Answer BOB", "RR1", "write", "written to BOB", ""),
        (writes_prose, "Tell everybody", "RR1", "note", "Kept for the next newsletter as U1", "Take U1 back"),
        (is_over, "Put it into the archive", "RR1", "archive", "RR1 is in the archive", "Take it out again"),
        (is_full, "Begin the game", "RR2", "", "RR2 begins", ""),
    ],
)
def test_a_button_of_every_kind_does_one_thing_however_often_it_is_pressed_and_is_taken_back(
    buttoned: PostHouse,
    cause: Callable[[PostHouse], EmailMessage],
    label: str,
    game: str,
    kind: str,
    said: str,
    back: str,
) -> None:
    href = next(href for name, href in buttons(cause(buttoned)).items() if name.startswith(label))
    own = "" if parse_qs(urlsplit(href).query)["body"][0].strip().count("\n") else "\nYes."
    before, due = len(buttoned.acts()), buttoned.row().deadline
    answer = press(buttoned, href, own=own)
    assert said in line_of(answer)
    done = buttoned.did()
    assert done[before:] == [kind] * bool(kind)
    again = press(buttoned, href, own=own)
    assert "was used before" in text_of(again) or game == "RR2", text_of(again)
    assert buttoned.did() == done
    if back:
        taken_back = press(buttoned, buttons(answer)[back], own=own)
        assert len(buttoned.acts()) == len(done) + 1, text_of(taken_back)
    if kind == "deadline":
        assert buttoned.row().deadline == due


def test_a_button_of_last_month_says_that_its_time_is_over_and_brings_a_fresh_one(buttoned: PostHouse) -> None:
    href = buttons(digest(buttoned))["Discard it"]
    buttoned.later(days=30)
    answer = press(buttoned, href)
    assert "The time of this button or code is over" in line_of(answer)
    assert "discard" not in buttoned.did()
    press(buttoned, buttons(answer)["Yes, do it"])
    assert "discard" in buttoned.did()


def test_a_button_does_its_own_command_alone_and_from_its_readers_address_alone(buttoned: PostHouse) -> None:
    href = buttons(digest(buttoned))["Remind them now"]
    press(buttoned, href, "eve@example.com")
    press(buttoned, href.replace("REMIND", "HOLD"))
    assert buttoned.acts() == ()


def test_the_words_to_send_stand_in_the_text_and_below_the_buttons(buttoned: PostHouse) -> None:
    for told in (text_of(digest(buttoned)), page(digest(buttoned))):
        for words in ("RELEASE 1", "DEADLINE RR1 2026-12-17 20:00", "PLAY RR1 1"):
            assert words in told
    assert not re.search(r"UMPIRE-\w{8}", text_of(digest(buttoned)))
    assert "<img" not in page(digest(buttoned))


@CASES.frozen_rows
def test_buttons_speak_the_umpires_language(buttoned: PostHouse, language: str, words: tuple[str, ...]) -> None:
    buttoned.says(UMPIRE, f"LANGUAGE {language}")
    buttoned.reply(UMPIRE, "CONFIRM")
    buttoned.later(days=1)
    last = next(each for each in reversed(buttoned.post(UMPIRE)) if words[1] in page_or_nothing(each))
    found = buttons(last)
    assert any(words[0] in label for label in found)
    assert any(unquote(href).find(words[1]) > 0 for href in found.values())
    assert press(buttoned, next(href for href in found.values() if words[1] in unquote(href)))
    assert "deadline" in buttoned.did()


def page_or_nothing(message: EmailMessage) -> str:
    return page(message) if message.get_body(("html",)) is not None else ""


@CASES.rows
def test_what_a_player_writes_to_the_umpire_can_be_answered_by_a_button(
    buttoned: PostHouse, text: str, label: str, command: str
) -> None:
    buttoned.reply(next(each for each in buttoned.post(BOB) if "BOB-" in each["Subject"]), text)
    href = buttons(buttoned.last(UMPIRE))[label]
    assert command in unquote(href)


def test_a_mistyped_command_changes_nothing_and_is_answered_with_the_one_that_was_meant(buttoned: PostHouse) -> None:
    assert "REMINDD is no command (did you mean REMIND?)" in buttoned.says(UMPIRE, "REMINDD RR1", "x")
    assert buttoned.acts() == ()


def test_each_act_that_is_taken_back_is_a_command() -> None:
    cases = tomllib.loads(Path(codes_of.__file__).with_name("buttons.toml").read_text())["cases"]
    assert {each.split("-")[1] for each in cases if each.startswith("back-")} <= {*TABLE}


# The umpire's digest: one letter a day, with how all games stand and what was not urgent.


BEA = "bea@example.org"


@pytest.fixture
def daily(club: Clubs) -> PostHouse:
    """Monday 7 December, 12:00 UTC, which is 13:00 in Berlin."""
    zone = "Europe/Berlin"
    made = club(mail__digest="07:00", club__zone=zone, deadlines__outlook=24)
    made.game(rhythm={"days": 7, "hour": "20:00"})
    made.game(rhythm={"days": 14, "hour": "20:00"})
    return made


def pass_hours(house: PostHouse, hours: int) -> None:
    for _ in range(hours):
        house.later(hours=1)


def test_one_letter_a_day_says_how_all_games_stand(daily: PostHouse) -> None:
    daily.send(ANN, "STEP 2", "[RR1]")
    (first,) = daily.post(UMPIRE)  # it is past seven today
    assert first["Subject"] == "[Railway club] 2 games run"
    assert "RR1      1  2026-12-14 20:00  BOB      -" in text_of(first)
    assert (
        "By itself until Sunday ---------------------- - Sunday 13 December 2026, 20:00 (Europe/Berlin), that is 19:00"
        " UTC: RR1 tells you how turn 1 stands [deadlines.outlook = 24]"
    ) in line_of(first)
    pass_hours(daily, 17)
    assert len(daily.post(UMPIRE)) == 1
    pass_hours(daily, 1)
    assert len(daily.post(UMPIRE)) == 2
    pass_hours(daily, 23)
    assert len(daily.post(UMPIRE)) == 2


def test_a_game_without_a_deadline_stands_in_it_too(daily: PostHouse) -> None:
    daily.game(rhythm={"days": 7, "missing": "extend", "extension": 1})
    for _ in range(9):
        pass_hours(daily, 24)
    daily.tick()
    assert "RR3      1  when all are in   ANN BOB  -" in daily.text(UMPIRE)


def test_what_is_not_urgent_waits_for_the_digest(daily: PostHouse) -> None:
    daily.tick()
    daily.write(ANN, "ABSENT 2026-12-10 to 2026-12-11", "[RR1]")
    daily.send(ANN, "NOTE: where is the map?", "[RR1]")
    assert [str(each["Subject"]) for each in daily.post(UMPIRE)[1:]] == ["[RR1] A note from ANN"]
    pass_hours(daily, 18)
    digest = daily.text(UMPIRE)
    assert "[RR1] ANN is away\n-----------------\n" in digest
    assert "ANN is away from Thursday 10 December 2026 to Friday 11 December 2026." in " ".join(digest.split())
    assert digest.count("The referee alone reads answers to this letter.") == 1
    pass_hours(daily, 24)
    assert "ANN is away" not in daily.told(UMPIRE)


def test_the_outlook_stands_in_the_digest_before_its_deadline(daily: PostHouse) -> None:
    pass_hours(daily, 150)
    assert daily.post(UMPIRE, "before its deadline") == []
    pass_hours(daily, 24)
    (digest,) = daily.post(UMPIRE, "before its deadline")
    assert "games run" in digest["Subject"]
    assert "Missing:    ANN, BOB" in text_of(digest)


def test_the_umpires_of_a_game_have_a_digest_of_their_games_alone(daily: PostHouse) -> None:
    name_umpire(daily.club, "RR2", f"Bea <{BEA}>")
    daily.send(ANN, "STEP 2", "[RR2]")
    (hers,) = daily.post(BEA, "1 game runs")
    assert "RR2      1  2026-12-21 20:00  BOB      -" in text_of(hers)
    assert "RR1" not in text_of(hers)
    pass_hours(daily, 24)
    assert len(daily.post(BEA, "1 game runs")) == 2
    assert "RR1" in daily.told(UMPIRE, "2 games run")


def test_a_club_without_a_digest_has_letters_of_their_own(club: Clubs) -> None:
    house = club()
    house.game()
    house.send(ANN, "ABSENT 2026-12-10 to 2026-12-11")
    assert [str(each["Subject"]) for each in house.post(UMPIRE)] == ["[RR1] ANN is away"]


def test_why_letters_wait_is_said_in_the_umpires_language(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", mail__digest="07:00", club__language="de", identity__policy="token") as house:
        house.game()
        house.send(ANN, "STEP 2", "my orders")
        pass_hours(house, 24)
        digest = house.told(UMPIRE)
    assert "Brief 1 im Namen von ANN, RR1: kein Code" in digest


# The whole club on one page, for the umpire alone.


if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def busy(club: Clubs) -> PostHouse:
    """Two games and one that waits: Bob is missing, a letter in Ann's name is held, RR2 is stopped."""
    made = club(identity__policy="token", deadlines__reminders="24")
    made.game(rhythm={"days": 6})
    made.begin()
    made.reply(made.last(ANN, "RR1"), "STEP 2")
    made.send(ANN, "ORDERS RR1 1\nSTEP 3\nEND")
    made.act("HOLD RR2", "x")
    made.open(3)
    made.tick()
    return made


def page_of(house: PostHouse, address: str = UMPIRE) -> str:
    return club_page(house.club, address, week_of(house.club)).decode()


def words(text: str) -> str:
    told = " ".join(html.unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", text, flags=re.DOTALL)).split())
    return re.sub(r" ([,:])", r"\1", told)


def buttons_on(text: str) -> list[tuple[str, str, str]]:
    """The letters that buttons write: whereto, subject, body."""
    found = [urlsplit(html.unescape(each)) for each in re.findall('href="(mailto:[^"]+)"', text)]
    told = ((each.path.replace("%40", "@"), parse_qs(each.query)) for each in found)
    return [(path, query["subject"][0], query["body"][0].replace("\r\n", "\n")) for path, query in told]


def test_it_tells_who_is_awaited_what_came_and_what_happens_until_sunday(busy: PostHouse) -> None:
    told = words(page_of(busy))
    assert "RR1: Tiny Race, map line Turn 1 is due Sunday 13 December 2026, 20:00 UTC." in told
    assert "ANN Ann: orders are in, a letter waits for the player's word BOB Bob: orders are missing" in told
    assert re.search(
        r"What came Letter 2, Monday 7 December 2026, 12:00 UTC, ANN: held, no code Letter 1, .*: taken", told
    )
    assert "until Sunday 13 December 2026 Saturday 12 December 2026, 20:00 UTC reminds BOB of turn 1" in told
    assert "Letters that wait for you Letter 2, RR1, ANN" in told
    assert "Turn 1 is awaited; the game is stopped." in told
    assert "RR3: 3 of 3 seats are free." in told
    assert told.startswith("Railway club, Monday 7 December 2026")


def test_each_button_writes_a_command_that_is_read_and_carries_no_code(busy: PostHouse) -> None:
    found = buttons_on(page_of(busy))
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
    assert {"REPLACE RR1 BOB BUILT-IN", "RESUME RR2", "SIGNUPS RR3", "START RR3", "PREVIEW RR1", "WRITE RR1"} <= {
        *lines
    }
    for whereto, line, body in found:
        command = parse_command(body)
        assert (whereto, command and command.line) == (REFEREE, line)
        assert command
        assert command.reason or not TABLE[command.name].reasoned or command.name == "WRITE"


def test_the_letter_of_a_button_is_answered_with_one_to_send_back_and_then_done(busy: PostHouse) -> None:
    acts = {"DISCARD": "discard", "DEADLINE": "deadline", "REMIND": "remind", "HOLD": "hold"}
    acts |= {"RESUME": "resume"}
    for whereto, line, body in buttons_on(page_of(busy)):
        name, game = line.split()[0], line.split()[1]
        if name not in acts:
            continue
        known = "RR2" if game == "RR2" else "RR1"
        before = busy.did(known)
        busy.wait(minutes=1)
        busy.send(UMPIRE, body, line, To=whereto)
        assert busy.did(known) == before, line
        press(busy, buttons(busy.last(UMPIRE))["Yes, do it"])
        assert busy.did(known) == [*before, acts.pop(name)], line
    assert not acts


def test_it_is_one_file_that_fetches_nothing_and_tells_no_code_and_no_orders(busy: PostHouse) -> None:
    told = page_of(busy)
    assert "default-src &#39;none&#39;" in told or "default-src 'none'; style-src 'unsafe-inline'" in told
    assert not re.search(r"<script|<link|<img|url\(|https?://|STEP", told)
    assert not re.search(r"RR\d-(?:ANN|BOB|UMPIRE)-", told)


def test_the_umpire_of_one_game_sees_that_game_in_their_language(busy: PostHouse) -> None:
    bea = "bea@example.org"
    name_umpire(busy.club, "RR2", f"Bea <{bea}>")
    with transaction(busy.club):
        speak(busy.club, bea, "de")
    told = page_of(busy, bea)
    assert 'lang="de"' in told
    assert {line.split()[0] for _, line, _ in buttons_on(told)} == {"FORTSETZEN", "ERSETZEN", "VORSCHAU", "SCHREIBEN"}
    assert "RR1" not in words(told)


@pytest.mark.parametrize("wished", [True, False])
def test_it_is_beside_the_digest_where_a_setting_says_so(busy: PostHouse, wished: bool) -> None:
    busy.club = busy.club.but(config=busy.club.config.but(digest="07:00", digest_page=wished))
    busy.later(days=1)
    digest = busy.last(UMPIRE)
    files = [each.get_filename() for each in digest.iter_attachments()]
    assert files == ["club.html"] * wished


def test_the_command_writes_it(busy: PostHouse, tmp_path: Path) -> None:
    file = tmp_path / "c.html"
    command = ["--club", busy.folder, "desk"]
    assert run_here(*command, "--umpire", "-o", file).output == f"{file}\n"
    assert "</html>" in file.read_text()
    for wrong in ([], ["RR1", "--umpire"]):
        told = run_here(*command, *wrong)
        assert (told.exit_code, "write --umpire for the whole club" in told.output) == (2, True)


@pytest.mark.browser
def test_in_a_browser_axe_has_nothing_to_say_and_it_fits(busy: PostHouse, browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "club.html").write_text(page_of(busy).replace("<meta http-equiv", "<meta data-off"), "utf-8")
    opened = new_page(browser)
    opened.goto((tmp_path / "club.html").as_uri())
    assert violations(opened) == []
    assert too_wide(opened) == []


# `referee status`: what waits for whom, what is due when, what went wrong, in a table.


def shown(house: PostHouse) -> list[str]:
    told = house.command("status")
    assert (told.returncode, told.stderr) == (0, "")
    return told.stdout.splitlines()


def test_several_games_are_a_table_with_what_needs_the_umpire_first(house: PostHouse) -> None:
    for year in (2076, 2046, 2066, 2056):  # the command reads the machine's clock
        house.act(f"DEADLINE {house.game()} {year}-06-01 20:00", "x")
    house.write(ANN, "STEP 2", "[RR1]")
    house.write(BOB, "STEP 9", "[RR1]")
    house.send(ANN, "RESIGN FOR GOOD", "[RR2]")
    house.act("HOLD RR3", "x")
    house.club.execute("UPDATE games SET deadline = NULL, extended = 2 WHERE id = 'RR4'")
    assert shown(house) == [
        "game  turn  due (UTC)             in   missing  doubtful",
        "RR4   1     when all are in       0/2  ANN BOB  -         given more time",
        "RR2   1     Fri 2046-06-01 20:00  0/2  BOB      ANN",
        "RR1   1     Mon 2076-06-01 20:00  1/2  -        BOB",
        "RR3   1     stopped               0/2  ANN BOB  -",
    ]
    told = json.loads(house.command("status", "--json").stdout)
    assert [(each["missing"], each["doubtful"]) for each in told][:2] == [([], ["BOB"]), (["BOB"], ["ANN"])]


def test_what_is_overdue_and_what_lies_parked_and_held_is_said(race: PostHouse) -> None:
    race.game()
    race.club.execute("UPDATE games SET deadline = '2020-01-01T20:00:00.000000Z' WHERE id = 'RR2'")
    race.send(ANN, "STEP 2", "[RR1]")
    race.club.execute("UPDATE letters SET status = 'parked'")
    race.club.execute("UPDATE games SET deadline = '2020-01-01T20:00:00.000000Z', status = 'running' WHERE id = 'RR2'")
    race.club.execute("UPDATE outbox SET state = 'failed', failed_at = created WHERE id = 1")
    lines = shown(race)
    assert lines[1].endswith("overdue")
    assert lines[1].startswith("RR2 ")
    assert "1 letter is parked: see `referee letters --status parked`" in lines
    assert "1 letter of ours has failed: see `referee outbox`" in lines


def test_a_held_letter_of_a_turn_long_gone_is_no_more_told(club: Clubs) -> None:
    house = club(identity__policy="token")
    house.game()
    house.write(ANN, "STEP 2", "[RR1]")
    for number in ("1 letter is held", "1 letter is held", ""):
        house.tick()
        assert number in "\n".join(shown(house))
        house.wait(days=14)
    assert "held" not in "\n".join(shown(house))


def test_games_that_are_over_are_named_in_one_line(house: PostHouse) -> None:
    for _ in range(3):
        house.game()
    house.club.execute("UPDATE games SET status = 'finished', deadline = NULL WHERE id = 'RR2'")
    assert shown(house)[-1] == "over: RR2"
    house.club.execute("UPDATE games SET status = 'finished', deadline = NULL WHERE id = 'RR3'")
    assert "  ANN      missing" in shown(house)  # the only one that runs is shown in full


def test_a_club_without_games_says_what_makes_one(house: PostHouse) -> None:
    told = house.command("status")
    assert (told.returncode, told.stdout) == (0, "")
    assert "no game runs: `referee game open KIND`" in told.stderr
    assert house.command("status", "--json").stdout.strip() == "[]"


def test_what_needs_the_umpire_has_a_colour_on_a_terminal(begun: PostHouse) -> None:
    told = run_here("--club", begun.folder, "status", color=True).stdout
    assert "\x1b[31mmissing" in told
    assert "\x1b[" not in begun.command("status").stdout
