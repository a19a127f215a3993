"""Letters that were made to hurt, and letters whose code went astray: none vanishes, and the good one counts."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from referee.core import mailbox
from referee.mail.letter.message import Letter
from referee.reader.limitedprocess import Limits
from referee.reader.wire import Reader
from referee.service.letters.limits import readable
from referee.service.post.collect import fingerprint
from referee.store.letters import letter as stored
from tests.mail.hostile import HOSTILE, assert_storable
from tests.posthouse import ANN, BOB, UMPIRE, Clubs, PostHouse, line_of, text_of

# Letters that were made to hurt, through the whole service: each is dealt with, and the good one behind it always is.


SECONDS = 2  # of the processor, that a letter may take from us


def test_there_are_enough_of_them_and_no_two_are_one_letter() -> None:
    assert len({fingerprint(hostile.raw) for hostile in HOSTILE.values()}) == len(HOSTILE) >= 60


class NotingReader(Reader):
    """Gives a letter no more than ``SECONDS`` of the processor and 512 MB, and notes what it read."""

    def __init__(self) -> None:
        super().__init__(Limits(seconds=SECONDS))
        self.noted: dict[str, Letter] = {}  # by the fingerprints of their bytes

    def read(self, raw: bytes) -> Letter:
        letter = self.noted[fingerprint(raw)] = super().read(raw)
        return letter


@pytest.fixture(scope="module")
def strict() -> Iterator[NotingReader]:
    with closing(NotingReader()) as made:
        yield made


@pytest.fixture(scope="module")
def after(tmp_path_factory: pytest.TempPathFactory, strict: NotingReader) -> Iterator[PostHouse]:
    """A club that has had all of them, behind each a good letter; a few each day, or it would be a flood."""
    folder = tmp_path_factory.mktemp("hostile")
    with (
        PostHouse(folder / "club", strict, mail__replies_per_day=100, deadlines__early_delay=1000) as house,
    ):
        house.begin()
        for number, hostile in enumerate(HOSTILE.values(), start=1):
            house.wait(minutes=75)
            house.drop(hostile.raw)
            house.wait(minutes=1)
            house.write(BOB, "STEP 2")
            if number % 10 == 0:
                house.tick()
        house.tick()
        yield house


def letters(house: PostHouse) -> list[tuple[sqlite3.Row, sqlite3.Row]]:
    """Return (the hostile letter, the good one behind it) in the order of ``HOSTILE``."""
    rows = house.rows("SELECT id, hash, status, reason, trace, attempts FROM letters ORDER BY id")
    return list(zip(rows[::2], rows[1::2], strict=True))


def test_none_of_them_was_a_fault_of_ours(after: PostHouse) -> None:
    assert after.column("SELECT trace FROM letters WHERE trace <> ''") == []


def test_what_becomes_of_it_and_of_the_letter_behind_it(after: PostHouse, strict: NotingReader) -> None:
    """It takes less than two seconds of the processor and 512 MB: the guard is the process's own limit, no clock of ours.

    One test for all letters: two workers that shared them would each have the club live through them all.
    """
    filed = {row["letter"] for row in after.rows("SELECT letter FROM order_sets")}
    for (name, hostile), (row, good) in zip(HOSTILE.items(), letters(after), strict=True):
        assert (row["status"], row["attempts"]) == (hostile.status, 0), name
        # It may say the same as another one before.
        assert row["reason"] == hostile.reason or hostile.status == "done", name
        assert (row["id"] in filed) == hostile.orders, name
        assert (good["status"], good["attempts"]) == ("done", 0), name
        assert good["id"] in filed, name
        letter = strict.noted[fingerprint(readable(after.club, stored(after.club, row["id"])))]
        assert "unreadable" not in letter.problems, name
        assert_storable(letter)


def test_no_answer_has_a_header_that_we_did_not_write(after: PostHouse) -> None:
    answers = [each for each in after.post(ANN) if each["Auto-Submitted"] == "auto-replied"]
    assert len(answers) > 12
    for answer in answers:
        assert set(answer.keys()) <= set(after.last(BOB).keys())
        assert "eve@example.com" not in "".join(
            str(answer[name]) for name in ("To", "From", "References", "Message-ID")
        )


def test_what_was_written_is_told_as_it_was_written(after: PostHouse) -> None:
    told = "\n".join(text_of(each) for each in after.post(ANN))
    assert "{{ 7 * 7 }}" in told
    assert "<b>bold</b>" in told


# Where To or Subject carries a code that was given out, nothing that may be a person's own words ends in silence.


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
def coded(club: Clubs) -> PostHouse:
    house = club(identity__policy="token")
    house.begin()
    return house


def sent(house: PostHouse, *lines: str, text: str = "STEP 3", top: str | None = None) -> tuple[str, str, str]:
    """Send an answer of Ann's with these header lines; return status, reason and what is on file."""
    ours = house.post(ANN)[0]
    head = [*([] if top is None else [top]), *lines, f"To: {ours['Reply-To']}", f"Subject: Re: {ours['Subject']}"]
    house.drop("\r\n".join([*head, f"Message-ID: <{len(house.sent_files())}@x.example>", "", text]).encode())
    house.tick()
    row = house.rows("SELECT status, reason FROM letters ORDER BY id")[-1]
    return row["status"], row["reason"], ",".join(each["text"] for each in house.rows("SELECT text FROM order_sets"))


@pytest.mark.parametrize("shape", READ)
def test_one_sender_whom_a_person_sees_is_read(coded: PostHouse, shape: str) -> None:
    assert sent(coded, f"From: {shape.format(ANN)}") == ("done", "", "STEP 3")


@pytest.mark.parametrize("shape", ASKED)
def test_a_sender_in_doubt_is_held_and_asked_about_at_the_known_address(coded: PostHouse, shape: str) -> None:
    assert sent(coded, f"From: {shape.format(ANN)}") == ("held", "a player's code, but no one sender", "")
    notice = coded.last(ANN)
    assert "does not say clearly who sent it" in line_of(notice)
    coded.reply(notice, "CONFIRM")
    assert coded.column("SELECT text FROM order_sets") == ["STEP 3"]


@pytest.mark.parametrize("line", TOP.values(), ids=TOP)
def test_a_line_on_top_that_is_no_header_line_hides_nobody(coded: PostHouse, line: str) -> None:
    assert sent(coded, f"From: {ANN}", top=line) == ("done", "", "STEP 3")


def test_a_letter_without_a_return_path_is_read_where_it_gives_orders(coded: PostHouse) -> None:
    assert sent(coded, "Return-Path: <>", f"From: {ANN}") == ("done", "", "STEP 3")
    assert "STEP 3" in coded.told(ANN)


SILENT = (
    (("Return-Path: <>",), "I am at sea until May."),
    (("Return-Path: <>",), "I am at sea.\n\n> STEP 3"),
    (("Auto-Submitted: auto-replied",), "I am at sea.\n\n> STEP 3"),
    (("From: MAILER-DAEMON@mx.example", "Return-Path: <>"), "It failed.\n\nSTEP 3"),
    (("Content-Type: message/disposition-notification",), "STEP 3"),
)


@pytest.mark.parametrize(("lines", "text"), SILENT)
def test_what_no_person_wrote_stays_silent(coded: PostHouse, lines: tuple[str, ...], text: str) -> None:
    before = len(coded.sent_files())
    status, reason, filed = sent(coded, *lines, *([] if "From" in lines[0] else [f"From: {ANN}"]), text=text)
    assert (status, filed, len(coded.sent_files())) == ("ignored", "", before)
    assert reason.startswith("robot")


@pytest.mark.parametrize("mark", ["Auto-Submitted: auto-generated", "Auto-Submitted: auto-replied", "X-Autoreply: yes"])
def test_the_umpire_is_told_of_orders_in_a_machines_letters_once_a_turn(coded: PostHouse, mark: str) -> None:
    for text in ("STEP 3", "STEP 2", "STEP 1"):
        status, reason, filed = sent(coded, mark, f"From: {ANN}", text=text)
        assert (status, filed) == ("ignored", "")
        assert reason.endswith(", with orders")
    (told,) = coded.post(UMPIRE)
    assert "Letter 1, of ANN or with that player's code, gives orders" in line_of(told)
    assert len(coded.post(ANN)) == 1
    coded.later(days=8)
    sent(coded, mark, f"From: {ANN}")
    assert "4 letters of this game came so" in coded.told(UMPIRE)
    coded.command("accept", "4")
    assert coded.column("SELECT text FROM order_sets") == ["STEP 3"]


@pytest.mark.parametrize(
    "mark", ["Auto-Submitted: auto-generated", "Auto-Submitted: auto-forwarded", "Return-Path: <>"]
)
def test_a_setting_says_that_a_rule_redirects_the_clubs_mail(club: Clubs, mark: str) -> None:
    house = club(identity__policy="token", mail__redirected=True)
    house.begin()
    assert sent(house, mark, f"From: {ANN}") == ("done", "", "STEP 3")
    assert "STEP 3" in house.told(ANN)
    assert sent(house, "Auto-Submitted: auto-replied", f"From: {ANN}", text="I am away.")[1] == "robot: auto-submitted"


def test_a_list_that_writes_its_own_address_over_letters_is_held_and_told_to_the_known_address(
    coded: PostHouse,
) -> None:
    lines = ("From: Ann via Players <players@lists.example>", "List-Id: <players.lists.example>", f"Reply-To: {ANN}")
    assert sent(coded, *lines)[:2] == ("held", "a player's code, but not that player's address")
    assert "but not from your address" in coded.told(ANN)
    assert coded.post("players@lists.example") == []
    assert len(coded.post(BOB)) == 1


WAITS = ("Yes", "OK", "", "Yes, it is mine.", "Hi referee, it is from me", "Ja", "Please do confirm it for me")


@pytest.mark.parametrize("words", WAITS)
def test_an_answer_that_does_not_confirm_is_told_that_the_letter_still_waits(coded: PostHouse, words: str) -> None:
    coded.send(ANN, "STEP 3", subject="orders")
    coded.reply(ANN, words)
    told = coded.last(ANN)
    assert "still waits, and nothing of it counts" in line_of(told)
    coded.reply(told, "CONFIRM")
    assert coded.column("SELECT text FROM order_sets") == ["STEP 3"]
    assert "still waits" not in coded.told(ANN)


@pytest.mark.parametrize("subject", ["CONFIRM {}", "confirm", "{} CONFIRM", "Bestätigen", "CONFIRM: {}"])
def test_confirm_in_the_subject_counts_where_the_letter_says_nothing(coded: PostHouse, subject: str) -> None:
    coded.send(ANN, "STEP 3", subject="orders")
    notice = coded.last(ANN)
    coded.reply(notice, "> STEP 3", Subject=subject.format(f"Re: {notice['Subject']}"))
    assert coded.column("SELECT text FROM order_sets") == ["STEP 3"]


def test_confirm_in_the_subject_counts_for_nothing_where_the_letter_says_more(coded: PostHouse) -> None:
    coded.send(ANN, "STEP 3", subject="orders")
    coded.reply(ANN, "I did not write this.", Subject="CONFIRM")
    assert coded.rows("SELECT text FROM order_sets") == []


@pytest.mark.parametrize(
    "text", ["HOME Dublin\n1a) (Dublin) - AB17\n1b) none\n1c) none", "ORDERS RR1 1\nHOME Dublin\n1a) none\nEND"]
)
def test_orders_for_a_turn_that_was_played_are_told_so(house: PostHouse, text: str) -> None:
    house.ireland()
    house.later(days=15)
    house.wait(hours=3)
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
def test_a_photo_alone_is_told_about_and_the_umpire_sees_it(house: PostHouse, text: str, file: str) -> None:
    house.ireland()
    head = f"From: {ANN}\r\nSubject: [RR1]\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    photo = f"--b\r\nContent-Type: {file}\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--b--\r\n"
    house.drop(f"{head}--b\r\nContent-Type: text/plain\r\n\r\n{text}\r\n{photo}".encode())
    house.tick()
    name = file.rpartition("=")[2]
    told = house.told(ANN)
    assert f"not read: {name}. What is read is the text of a letter" in told
    assert name in house.text(UMPIRE)


def test_a_second_press_says_whose_place_it_takes(house: PostHouse) -> None:
    house.ireland()
    for text in ("PRESS: All aboard!", "PRESS: Mind the gap!\n\nAnn"):
        house.send(ANN, text)
    told = house.told(ANN)
    assert "Yours of this letter takes its place" in told
    assert "| All aboard!" in told
    assert house.column("SELECT text FROM press") == ["All aboard!", "Mind the gap!"]


@pytest.mark.parametrize(
    ("sender", "known"),
    [
        ("AnnSmith@googlemail.com", True),
        ("a.n.n.smith@gmail.com", True),
        ("ann.smith+games@gmail.com", False),
        ("annsmith@gmail.example", False),
    ],
)
def test_a_box_of_gmail_is_one_whatever_its_dots_and_its_name(coded: PostHouse, sender: str, known: bool) -> None:
    coded.command("address", "RR1", "ANN", "ann.smith@gmail.com")
    coded.tick()
    coded.reply("ann.smith@gmail.com", "STEP 3", sender)
    assert bool(coded.rows("SELECT 1 FROM order_sets WHERE player = 'ANN'")) is known


def test_dots_of_another_provider_make_another_box() -> None:
    assert mailbox("a.b@proton.example") != mailbox("ab@proton.example")
