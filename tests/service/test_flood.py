"""Too many letters, letters of ours that come back, and words to a person: nobody else notices, and none is lost."""

import re
import signal
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.mail.letter.message import Failure, Letter
from referee.reader.wire import Reader
from referee.service.letters import limits
from referee.service.post.bounces import count_failure
from referee.service.umpire.overview import standing
from referee.store import format_time, letters, outbox, transaction
from tests.doomedreader import DEADLY, kill_reader
from tests.posthouse import ANN, BOB, UMPIRE, Clubs, PostHouse, text_of

# A flood of letters: kept, not read, told to the umpire once; and everybody else's are read as ever.


EVE = "eve@example.com"
VOUCHED = "mx.club.example; dmarc=pass header.from=example.org"


def test_of_a_flood_no_more_is_counted_than_makes_one(begun: PostHouse) -> None:
    now = begun.clock.now
    for number in range(limits.IN_ALL + 10):
        begun.club.execute(
            "INSERT INTO letters (hash, source, size, raw, arrived, stored_at, sender, subject, message_id, status, reason, "
            "attempts, trace) VALUES (?, '', 1, x'', ?, ?, ?, '', '', 'done', '', 0, '')",
            [f"{number}", *[format_time(now)] * 2, EVE],
        )
    for sender, whose in ((ANN, "club"), (EVE, "sender")):
        assert letters.unsure_since(begun.club, sender, now - timedelta(days=1))[whose][0] == limits.IN_ALL


@pytest.mark.parametrize(("policy", "vouched"), [("token", False), ("auth-or-confirm", True)])
def test_what_is_proved_goes_first_is_not_counted_and_never_parked(
    club: Clubs, monkeypatch: pytest.MonkeyPatch, policy: str, vouched: bool
) -> None:
    house = club(identity__policy=policy, identity__authserv_id="mx.club.example")
    house.begin()
    kill_reader(monkeypatch, lambda content: signal.SIGXCPU if DEADLY in content else None)
    for number in range(60):  # 300 seconds, as they are counted
        house.write((ANN, BOB, EVE)[number % 3], f"STEP 1 deadly {number}")
    for step in range(1, 61):
        more = {"Authentication_Results": VOUCHED} if vouched else {"To": str(house.post(ANN)[0]["Reply-To"])}
        house.write(ANN, f"STEP {step % 3 + 1}\nPRESS: {step}", "orders", **more)
    house.tick()
    ours = [row.letter for row in house.ours("letter IS NOT NULL")]
    assert ours[0] == 61
    statuses = house.column("SELECT status FROM letters ORDER BY id")
    assert set(statuses[60:]) == {"done"}
    assert statuses[:60].count("parked") == 60
    # Of each sender's so many were read as may take their time.
    spent = house.rows("SELECT sender, sum(seconds) AS seconds FROM letters WHERE id <= 60 GROUP BY sender")
    assert max(row["seconds"] for row in spent) < limits.SECONDS["sender"] + 6


def test_what_is_proved_is_answered_before_a_flood_is_read(coded: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    before, answers = coded.post(ANN), set[int]()
    reads = Reader.read

    def noted(self: Reader, raw: bytes, *more: Any) -> Letter:
        if b"I am Eve" in raw:
            answers.add(len(coded.post(ANN)) - len(before))
        return reads(self, raw, *more)

    monkeypatch.setattr(Reader, "read", noted)
    for number in range(limits.MANY):
        coded.write(EVE, f"I am Eve, {number}")
    assert coded.reply(before[0], "STEP 1").sent == len(coded.post()) - len(before) - len(coded.post(BOB))
    assert answers == {1}


def test_of_a_strangers_large_letter_its_beginning_alone_is_read(
    begun: PostHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    reads = Reader.read

    def noted(self: Reader, raw: bytes, *more: Any) -> Letter:
        read.append(len(raw))
        return reads(self, raw, *more)

    monkeypatch.setattr(Reader, "read", noted)
    begun.write(EVE, "Hello,\nmay I play?\n" + "<" * 900_000, Content_Type="text/html")
    begun.send(ANN, "STEP 1\n-- \n" + "<" * 900_000)
    assert read[0] < limits.SMALL + 500
    assert read[1] > 900_000
    assert begun.rows("SELECT text FROM order_sets")


# Letters of ours that come back: counted to their reader, told to the umpire once, ended by the reader's next letter.


SAMPLES = Path(__file__).parent.parent / "mail" / "bounces"
THEIRS = b"<newsletter.rr1.1.ann.1.0123456789abcdef@club.example>"


def test_a_bounce_is_believed_only_with_an_id_that_its_forger_cannot_know(begun: PostHouse) -> None:
    """Bob knows his own letter's id, and how Ann's would begin."""
    ann, bob = begun.column("SELECT message_id FROM outbox ORDER BY id")
    forged = bob.replace("bob", "ann")
    assert forged != ann
    assert re.fullmatch(r"<newsletter\.rr1\.0\.ann\.1\.[0-9a-f]{16}@club\.example>", ann)
    for message_id in (forged, THEIRS.decode(), "<newsletter.rr1.0.ann.1@club.example>"):
        for sample in ("postfix", "gmail", "qmail"):
            begun.drop((SAMPLES / f"{sample}.eml").read_bytes().replace(THEIRS, message_id.encode()))
            begun.tick()
    assert begun.rows("SELECT * FROM bounces") == []
    assert {row["reason"] for row in begun.rows("SELECT reason FROM letters")} == {"robot: bounce"}


def test_a_bounce_that_names_no_letter_of_ours_counts_for_nothing_but_the_umpire_hears_of_it(begun: PostHouse) -> None:
    """Some servers return nothing of our letter; and anybody could write so."""
    short = (SAMPLES / "qmail.eml").read_bytes().partition(b"--- Below")[0]
    for text in (short, short + b"again\n", short.replace(ANN.encode(), b"eve@example.com")):
        begun.drop(text)
    begun.tick()
    (told,) = begun.post(UMPIRE)
    assert told["Subject"] == "[RR1] Perhaps ANN cannot be reached"
    assert "referee letter 1" in text_of(told)
    assert begun.rows("SELECT * FROM bounces") == []
    assert standing(begun.club, "RR1").unreachable == ()


def test_what_our_own_server_refuses_counts_in_the_same_way(begun: PostHouse) -> None:
    begun.later(days=8)
    for message_id in begun.column("SELECT message_id FROM outbox WHERE recipient = ?", ANN):
        ours = outbox.letter_of_ours(begun.club, message_id)
        assert ours
        with transaction(begun.club):
            failure = Failure(recipient=ANN, action="failed", status="5.0.0")
            count_failure(begun.club, ours, failure, begun.clock.now)
    begun.tick()
    (told,) = begun.post(UMPIRE, "cannot be reached")
    assert "referee letter" not in text_of(told)
    assert standing(begun.club, "RR1").unreachable == ("ANN",)


# What players and strangers ask or tell a person reaches the umpire, once; orders, greetings and banners do not.


def test_of_one_day_the_umpire_is_shown_so_many(begun: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.service.letters.doubts.SHOWN_A_DAY", 3)
    for number in range(5):
        told = begun.says(ANN, f"STEP {1 + number % 3}\nWhat about number {number}?")
        assert ("The umpire is shown them, and answers if they ask something" in told) == (number < 3)
        assert f"What about number {number}?" in told
    assert len(begun.post(UMPIRE)) == 3
