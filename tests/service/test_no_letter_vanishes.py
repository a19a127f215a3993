"""Where To or Subject carries a code that was given out, nothing that may be a person's own words ends in silence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.core.address import mailbox
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, line_of
from tests.service.test_amendments import begin

READ = (
    "Smith, Ann <{}>",
    "Ann :-) <{}>",
    "Ann :-( <{}>",
    "Ann Smith (Jr.) <{}>",
    "Ann Smith, (Jr.) <{}>",
    "Ann Smith (Jr. <{}>",
    "=?utf-8?Q?Smith, Ann?= <{}>",
    "=?utf-8?Q?Ann Smith?= <{}>",
    "Ann <{}>;",
    "Ann <{}>,",
    "{};",
    "Ann <mailto:{}>",
    "mailto:{}",
    "Ann: at home <{}>",
    "Ann < {} >",
    "Ann <{}> :-)",
    '"ann@work.example" <{}>',
    "[Ann] <{}>",
)
ASKED = (
    "=?utf-8?Q?Ann_<ann=40example.org>?=",
    "=?utf-8?Q?ann=40example.org?=",
    "ann@work.example <{}>",
    "Ann @ Home <{}>",
    "{}, eve@example.com",
    "<{}> <eve@example.com>",
    "Ann <<{}>>",
    "Ann: <{}>;",
    '"Ann <{}>',
    "Ann",
    "",
)
TOP = {"mbox's mark": ">From ann@example.org Mon Dec  7 12:00:00 2026", "a blank line": "", "garbage": "~ 12 garbage"}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    with PostHouse(tmp_path / "club", identity__policy="token") as house:
        house.begin()
        yield house


def sent(house: PostHouse, *lines: str, text: str = "STEP 3", top: str | None = None) -> tuple[str, str, str]:
    """Send an answer of Ann's with these header lines; return status, reason and what is on file."""
    ours = house.post(ANN)[0]
    head = [*([] if top is None else [top]), *lines, f"To: {ours['Reply-To']}", f"Subject: Re: {ours['Subject']}"]
    house.drop("\r\n".join([*head, f"Message-ID: <{len(house.sent_files())}@x.example>", "", text]).encode())
    house.tick()
    row = house.rows("SELECT status, reason FROM letters ORDER BY id")[-1]
    return row["status"], row["reason"], ",".join(each["text"] for each in house.rows("SELECT text FROM order_sets"))


@pytest.mark.parametrize("shape", READ)
def test_one_sender_whom_a_person_sees_is_read(house: PostHouse, shape: str) -> None:
    assert sent(house, f"From: {shape.format(ANN)}") == ("done", "", "STEP 3")


@pytest.mark.parametrize("shape", ASKED)
def test_a_sender_in_doubt_is_held_and_asked_about_at_the_known_address(house: PostHouse, shape: str) -> None:
    assert sent(house, f"From: {shape.format(ANN)}") == ("held", "a player's code, but no one sender", "")
    notice = house.last(ANN)
    assert "does not say clearly who sent it" in line_of(notice)
    house.reply(notice, "CONFIRM")
    assert [row["text"] for row in house.rows("SELECT text FROM order_sets")] == ["STEP 3"]


@pytest.mark.parametrize("line", TOP.values(), ids=TOP)
def test_a_line_on_top_that_is_no_header_line_hides_nobody(house: PostHouse, line: str) -> None:
    assert sent(house, f"From: {ANN}", top=line) == ("done", "", "STEP 3")


def test_a_letter_without_a_return_path_is_read_where_it_gives_orders(house: PostHouse) -> None:
    assert sent(house, "Return-Path: <>", f"From: {ANN}") == ("done", "", "STEP 3")
    assert "STEP 3" in house.told(ANN)


SILENT = (
    (("Return-Path: <>",), "I am at sea until May."),
    (("Return-Path: <>",), "I am at sea.\n\n> STEP 3"),
    (("Auto-Submitted: auto-replied",), "I am at sea.\n\n> STEP 3"),
    (("From: MAILER-DAEMON@mx.example", "Return-Path: <>"), "It failed.\n\nSTEP 3"),
    (("Content-Type: message/disposition-notification",), "STEP 3"),
)


@pytest.mark.parametrize(("lines", "text"), SILENT)
def test_what_no_person_wrote_stays_silent(house: PostHouse, lines: tuple[str, ...], text: str) -> None:
    before = len(house.sent_files())
    status, reason, filed = sent(house, *lines, *([] if "From" in lines[0] else [f"From: {ANN}"]), text=text)
    assert (status, filed, len(house.sent_files())) == ("ignored", "", before)
    assert reason.startswith("robot")


@pytest.mark.parametrize("mark", ["Auto-Submitted: auto-generated", "Auto-Submitted: auto-replied", "X-Autoreply: yes"])
def test_the_umpire_is_told_of_orders_in_a_machines_letters_once_a_turn(house: PostHouse, mark: str) -> None:
    for text in ("STEP 3", "STEP 2", "STEP 1"):
        status, reason, filed = sent(house, mark, f"From: {ANN}", text=text)
        assert (status, filed) == ("ignored", "")
        assert reason.endswith(", with orders")
    (told,) = house.post(UMPIRE)
    assert "Letter 1, of ANN or with his code, gives orders" in line_of(told)
    assert len(house.post(ANN)) == 1
    house.later(days=8)
    sent(house, mark, f"From: {ANN}")
    assert "4 letters of this game came so" in house.told(UMPIRE)
    house.command("accept", "4")
    assert [row["text"] for row in house.rows("SELECT text FROM order_sets")] == ["STEP 3"]


@pytest.mark.parametrize(
    "mark", ["Auto-Submitted: auto-generated", "Auto-Submitted: auto-forwarded", "Return-Path: <>"]
)
def test_a_setting_says_that_a_rule_redirects_the_clubs_mail(tmp_path: Path, mark: str) -> None:
    with PostHouse(tmp_path / "club", identity__policy="token", mail__redirected=True) as house:
        house.begin()
        assert sent(house, mark, f"From: {ANN}") == ("done", "", "STEP 3")
        assert "STEP 3" in house.told(ANN)
        assert (
            sent(house, "Auto-Submitted: auto-replied", f"From: {ANN}", text="I am away.")[1] == "robot: auto-submitted"
        )


def test_a_list_that_writes_its_own_address_over_letters_is_held_and_told_to_the_known_address(
    house: PostHouse,
) -> None:
    lines = ("From: Ann via Players <players@lists.example>", "List-Id: <players.lists.example>", f"Reply-To: {ANN}")
    assert sent(house, *lines)[:2] == ("held", "a player's code, but not his address")
    assert "but not from your address" in house.told(ANN)
    assert house.post("players@lists.example") == []
    assert len(house.post(BOB)) == 1


WAITS = ("Yes", "OK", "", "Yes, it is mine.", "Hi referee, it is from me", "Ja", "Please do confirm it for me")


@pytest.mark.parametrize("words", WAITS)
def test_an_answer_that_does_not_confirm_is_told_that_the_letter_still_waits(house: PostHouse, words: str) -> None:
    house.send(ANN, "STEP 3", subject="orders")
    house.reply(house.last(ANN), words)
    told = house.last(ANN)
    assert "still waits, and nothing of it counts" in line_of(told)
    house.reply(told, "CONFIRM")
    assert [row["text"] for row in house.rows("SELECT text FROM order_sets")] == ["STEP 3"]
    assert "still waits" not in house.told(ANN)


@pytest.mark.parametrize("subject", ["CONFIRM {}", "confirm", "{} CONFIRM", "Bestätigen", "CONFIRM: {}"])
def test_confirm_in_the_subject_counts_where_the_letter_says_nothing(house: PostHouse, subject: str) -> None:
    house.send(ANN, "STEP 3", subject="orders")
    notice = house.last(ANN)
    house.reply(notice, "> STEP 3", Subject=subject.format(f"Re: {notice['Subject']}"))
    assert [row["text"] for row in house.rows("SELECT text FROM order_sets")] == ["STEP 3"]


def test_confirm_in_the_subject_counts_for_nothing_where_the_letter_says_more(house: PostHouse) -> None:
    house.send(ANN, "STEP 3", subject="orders")
    house.reply(house.last(ANN), "I did not write this.", Subject="CONFIRM")
    assert house.rows("SELECT text FROM order_sets") == []


@pytest.mark.parametrize(
    "text", ["HOME Dublin\n1a) (Dublin) - AB17\n1b) none\n1c) none", "ORDERS RR1 1\nHOME Dublin\n1a) none\nEND"]
)
def test_orders_for_a_turn_that_was_played_are_told_so(tmp_path: Path, text: str) -> None:
    with PostHouse(tmp_path / "other") as house:
        begin(house)
        house.later(days=15)
        house.clock.advance(hours=3)
        told = house.says(ANN, text)
        assert "Turn 1 was played Tuesday 22 December 2026" in told
        assert "came Tuesday 22 December 2026" in told
        assert "too late" in told
        (row,) = house.rows("SELECT status, reason FROM letters")
        assert (row["status"], row["reason"]) == ("done", "for a turn that was played")
        (note,) = house.post(UMPIRE, "too late for turn 1")
        assert "referee undo RR1 1 --because WHY, then referee accept 1" in line_of(note)
        assert "referee undo RR1 1" in house.command("accept", "1").stderr


@pytest.mark.parametrize("text", ["", "Sent from my iPhone", "Ann", "-- \nAnn"])
@pytest.mark.parametrize(
    "file", ["image/heic; name=IMG_1.HEIC", "application/pdf; name=orders.pdf", "image/jpeg; name=map.jpg"]
)
def test_a_photo_alone_is_told_about_and_the_umpire_sees_it(tmp_path: Path, text: str, file: str) -> None:
    with PostHouse(tmp_path / "other") as house:
        begin(house)
        head = (
            f"From: {ANN}\r\nSubject: [RR1]\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
        )
        photo = f"--b\r\nContent-Type: {file}\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--b--\r\n"
        house.drop(f"{head}--b\r\nContent-Type: text/plain\r\n\r\n{text}\r\n{photo}".encode())
        house.tick()
        name = file.rpartition("=")[2]
        told = house.told(ANN)
        assert f"not read: {name}. What is read is the text of a letter" in told
        assert name in house.text(UMPIRE)


def test_a_second_press_says_whose_place_it_takes(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "other") as house:
        begin(house)
        for text in ("PRESS: All aboard!", "PRESS: Mind the gap!\n\nAnn"):
            house.send(ANN, text)
        told = house.told(ANN)
        assert "Yours of this letter takes its place" in told
        assert "| All aboard!" in told
        assert [row["text"] for row in house.rows("SELECT text FROM press")] == ["All aboard!", "Mind the gap!"]


@pytest.mark.parametrize(
    ("sender", "known"),
    [
        ("AnnSmith@googlemail.com", True),
        ("a.n.n.smith@gmail.com", True),
        ("ann.smith+games@gmail.com", False),
        ("annsmith@gmail.example", False),
    ],
)
def test_a_box_of_gmail_is_one_whatever_its_dots_and_its_name(house: PostHouse, sender: str, known: bool) -> None:
    house.command("address", "RR1", "ANN", "ann.smith@gmail.com")
    house.tick()
    house.reply(house.last("ann.smith@gmail.com"), "STEP 3", sender)
    assert bool(house.rows("SELECT 1 FROM order_sets WHERE player = 'ANN'")) is known


def test_dots_of_another_provider_make_another_box() -> None:
    assert mailbox("a.b@proton.example") != mailbox("ab@proton.example")
