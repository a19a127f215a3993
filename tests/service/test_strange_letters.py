"""Letters from strangers, machines and nobody; broken, late, large and doubled ones."""

from __future__ import annotations

import os

import pytest

from referee.core.errors import ConfigError, MailDown
from referee.service.post.collect import LIMIT, fingerprint
from tests.posthouse import ANN, BOB, REFEREE, UMPIRE, PostHouse, line_of, text_of


@pytest.fixture(autouse=True)
def game(house: PostHouse) -> None:
    house.begin()


def status(house: PostHouse) -> list[tuple[str, str]]:
    return [(row["status"], row["reason"]) for row in house.rows("SELECT status, reason FROM letters ORDER BY id")]


def answers(house: PostHouse) -> int:
    """Return how many letters went out after the two of the opening."""
    return len(house.sent_files()) - 2


@pytest.mark.parametrize(
    ("sender", "headers", "reason"),
    [
        ("eve@example.com", {}, "stranger"),
        (ANN, {"Auto-Submitted": "auto-replied"}, "robot: auto-submitted, with orders"),
        (ANN, {"X-Autoreply": "yes"}, "robot: auto-reply, with orders"),
        (ANN, {"X-Referee-Game": "RR1"}, "robot: own letter"),
        ("mailer-daemon@example.org", {}, "robot: bounce"),
        (REFEREE, {}, "our own address"),
        ("referee+rr1@club.example", {}, "our own address"),
    ],
)
def test_strangers_and_machines_are_kept_and_never_answered(
    house: PostHouse, sender: str, headers: dict[str, str], reason: str
) -> None:
    house.send(sender, "STEP 3", **headers)
    assert status(house) == [("ignored", reason)]
    assert len(house.post(UMPIRE)) == (reason == "stranger" or "with orders" in reason)
    assert answers(house) == len(house.post(UMPIRE))
    assert house.rows("SELECT * FROM order_sets") == []


def test_a_letter_delivered_twice_is_one_letter(house: PostHouse) -> None:
    raw = f"From: {ANN}\r\nMessage-ID: <a@example.org>\r\nSubject: [RR1]\r\n\r\nSTEP 3\r\n".encode()
    house.drop(b"Received: from one by us; Mon, 7 Dec 2026 11:00:00 +0000\r\n" + raw)
    house.drop(b"Received: from two\r\n by us; Mon, 7 Dec 2026 11:30:00 +0000\r\nX-Spam: no\r\n" + raw)
    house.tick()
    house.drop(raw)
    house.tick()
    assert status(house) == [("done", ""), ("ignored", "copy"), ("ignored", "copy")]
    assert len(house.rows("SELECT * FROM order_sets")) == answers(house) == 1
    assert not list((house.folder / "mail" / "in" / "new").iterdir())


def test_the_very_same_bytes_are_stored_once(house: PostHouse) -> None:
    """As after a power cut between storing and moving, or from a folder out of which nothing can be moved."""
    for line in (b"", b"X-Spam: no\r\n", b"", b"X-Spam: no\r\n"):
        house.drop(line + f"From: {ANN}\r\nSubject: [RR1]\r\n\r\nSTEP 3\r\n".encode())
        house.tick()
    assert status(house) == [("done", ""), ("ignored", "copy")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("X-Autoreply: yes", "robot: auto-reply, with orders"),
        ("X-Referee-Game: RR1", "robot: own letter"),
    ],
)
@pytest.mark.parametrize("together", [True, False])
def test_who_sends_a_players_letter_before_him_as_a_machines_does_not_take_it_from_him(
    house: PostHouse, line: str, reason: str, together: bool
) -> None:
    raw = f"From: {ANN}\r\nMessage-ID: <a@example.org>\r\nSubject: [RR1]\r\n\r\nSTEP 3\r\n".encode()
    house.drop(f"{line}\r\n".encode() + raw)
    if not together:
        house.tick()
    house.drop(raw)
    house.tick()
    assert status(house) == [("ignored", reason), ("done", "")]
    assert len(house.rows("SELECT * FROM order_sets")) == len(house.post(ANN)) - 1 == 1


def test_the_fingerprint_leaves_out_the_way_and_nothing_else() -> None:
    way = b"Received: from a\r\n\tby b\r\nSubject: x\r\n\r\nReceived: in the body"
    assert fingerprint(way) == fingerprint(b"Subject: x\r\n\r\nReceived: in the body")
    assert fingerprint(way) != fingerprint(b"Subject: y\r\n\r\nReceived: in the body")
    assert fingerprint(way) != fingerprint(b"Subject: x\r\n\r\nReceived: in the Body")
    assert fingerprint(b"") != fingerprint(b"\r\n\r\n")


def test_the_same_words_in_a_new_letter_are_a_new_letter(house: PostHouse) -> None:
    for _ in range(2):
        house.write(ANN, "STEP 3")
    house.tick()
    assert answers(house) == 2


def test_a_player_is_answered_so_many_times_a_day_and_heard_always(house: PostHouse) -> None:
    for number in range(12):
        house.write(ANN, f"STEP {number % 3 + 1}")
    house.tick()
    assert len(house.post(ANN)) - 1 == 10
    assert len(house.rows("SELECT * FROM order_sets")) == 12
    house.clock.advance(days=1, minutes=1)
    house.send(ANN, "STEP 3")
    assert len(house.post(ANN)) - 1 == 11


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        pytest.param(b"Subject: [RR1]\r\n\r\n", "There was no text in it", id="empty"),
        pytest.param(
            b"Subject: [RR1]\r\n\r\n> the weather\r\n", "There was no text of your own in it", id="quotes alone"
        ),
        pytest.param(b"Subject: [RR9]\r\n\r\nSTEP 1\r\n", "It names the game RR9", id="a game that is not his"),
        pytest.param(
            b"Subject: [RR1]\r\nContent-Type: multipart/encrypted; boundary=b\r\n\r\n--b--\r\n",
            "It is encrypted",
            id="encrypted",
        ),
        pytest.param(b"Subject: [RR1]\r\n\r\n" + b"x" * LIMIT, "larger than 2 MB", id="too large"),
    ],
)
def test_a_known_player_is_told_once_what_was_wrong(house: PostHouse, raw: bytes, words: str) -> None:
    house.drop(f"From: Ann <{ANN}>\r\n".encode() + raw)
    house.tick()
    house.tick()
    assert words in house.told(ANN)
    assert house.last(ANN)["Subject"] == "[RR1] Your letter was not taken"
    assert answers(house) == 1


def test_of_a_large_letter_the_first_part_is_kept_and_the_original_parked(house: PostHouse) -> None:
    house.drop(f"From: {ANN}\r\nSubject: [RR1]\r\n\r\nSTEP 3\r\n".encode() + b"x" * 5_000_000)
    house.send(BOB, "STEP 3")
    assert status(house) == [("parked", "too-large"), ("done", "")]
    assert len(house.rows("SELECT raw FROM letters")[0]["raw"]) == 256_000
    told = house.text(ANN)
    assert "None of it counts; what of it are orders, send once more:\n\n| STEP 3\n" in told.replace(
        "once\nmore", "once more"
    )
    assert len(told) < 5000
    (parked,) = (house.folder / "mail" / "in" / ".Parked" / "cur").iterdir()
    assert parked.stat().st_size > 5_000_000


def test_a_broken_character_set_does_not_stop_the_post(house: PostHouse) -> None:
    head = f"From: {ANN}\r\nSubject: [RR1]\r\nContent-Type: text/plain; charset=klingon-8\r\n\r\n"
    house.drop(head.encode() + b"STEP 3\r\n\xff\xfe\x80 \r\n")
    house.tick()
    assert status(house) == [("done", "")]
    assert "STEP 3" in house.told(ANN)


def test_garbage_is_kept_and_the_next_letter_handled(house: PostHouse) -> None:
    for raw in (b"", b"\0" * 100, b"From: \xff\r\n\r\n", os.urandom(5000)):
        house.drop(raw)
    house.send(ANN, "STEP 3")
    assert [each[0] for each in status(house)] == ["ignored"] * 4 + ["done"]


def test_a_letter_we_cannot_handle_is_tried_three_times_then_parked_and_told(house: PostHouse) -> None:
    house.write(ANN, "STEP 13")
    house.write(BOB, "STEP 3")
    for left in ("stored", "stored", "parked", "parked"):
        house.tick()
        assert status(house)[0][0] == left
    assert status(house)[1] == ("done", "")
    (row,) = house.rows("SELECT attempts, trace FROM letters WHERE id = 1")
    assert row["attempts"] == 3
    assert "the rules stumbled" in row["trace"]
    (letter,) = house.post(UMPIRE)
    assert "A letter was parked" in letter["Subject"]
    assert answers(house) == 2


def test_many_letters_that_cannot_be_handled_fill_no_mailbox_of_the_umpires(house: PostHouse) -> None:
    for number in range(1, 26):
        house.write(ANN, f"STEP 13\nPRESS: {number}")
    for _ in range(4):
        house.tick()
    assert [each[0] for each in status(house)] == ["parked"] * 25
    assert len(house.post(UMPIRE, "A letter was parked")) == 20
    (more,) = house.post(UMPIRE, "More letters were parked")
    assert "of 20 letters within 24 hours that could not be handled" in line_of(more)
    house.clock.advance(hours=24)
    house.write(ANN, "STEP 13")
    for _ in range(3):
        house.tick()
    assert len(house.post(UMPIRE, "A letter was parked")) == 21


def test_letters_wait_while_the_umpires_own_template_is_damaged(house: PostHouse) -> None:
    own = house.folder / "templates" / "common" / "acknowledgement.txt.j2"
    own.parent.mkdir(parents=True)
    own.write_text("Subject: ok\n{% if %}")
    house.write(ANN, "STEP 1")
    for _ in range(2):  # how it is when a letter is handled alone: tests/service/test_deadly_letters.py
        with pytest.raises(ConfigError, match=r"acknowledgement\.txt\.j2:2"):
            house.tick()
    own.write_text("Subject: mine\n\nThanks, {{ reader.name }}.")
    house.tick()
    assert status(house) == [("done", "")]
    assert house.last(ANN)["Subject"] == "[RR1] mine"


def test_after_the_end_a_player_is_told_so(house: PostHouse) -> None:
    house.club.db.execute("UPDATE games SET status = 'finished', deadline = NULL")
    house.send(ANN, "STEP 3")
    assert status(house) == [("refused", "over")]
    assert "The game is over." in house.told(ANN)


def test_a_player_of_two_games_is_asked_which_one(house: PostHouse) -> None:
    house.game()
    house.send(ANN, "STEP 3", subject="my move")
    text = line_of(house.post(ANN, "not taken")[0])
    assert "Your games: RR1 and RR2." in text
    assert "ORDERS RR1" in text


def test_a_letter_that_asks_for_no_answer_gives_orders_without_one(house: PostHouse) -> None:
    house.send(ANN, "STEP 3", X_Auto_Response_Suppress="All")
    assert status(house) == [("done", "")]
    assert answers(house) == 0


def test_the_senders_capitals_do_not_matter(house: PostHouse) -> None:
    house.send("Ann@EXAMPLE.org", "STEP 3")
    assert status(house) == [("done", "")]


def test_a_subject_cannot_add_a_header(house: PostHouse) -> None:
    house.send(ANN, "", subject="=?utf-8?q?[RR1]=0D=0ABcc:_eve@example.com?=")
    answer = house.last(ANN)
    assert answer["Bcc"] is None
    assert "eve@example.com" in text_of(answer)


def test_what_cannot_be_sent_waits_and_goes_out_unchanged(house: PostHouse) -> None:
    house.write(ANN, "STEP 3")
    out = house.folder / "mail" / "out" / "tmp"
    out.rename(out.with_name("away"))
    with pytest.raises(MailDown, match="letters wait in the outbox"):
        house.tick()
    assert status(house) == [("done", "")]
    before = house.rows("SELECT raw, message_id, attempts FROM outbox WHERE state = 'waiting'")
    assert [row["attempts"] for row in before] == [1]
    out.with_name("away").rename(out)
    assert house.later(hours=1).sent == 1
    assert before[0]["raw"] in [path.read_bytes() for path in house.sent_files()]
