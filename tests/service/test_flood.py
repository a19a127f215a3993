"""Too many letters, letters of ours that come back, and words to a person: nobody else notices, and none is lost."""

from __future__ import annotations

import json
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
from referee.store import budgets, outbox
from referee.store.database import transaction
from tests.doomedreader import DEADLY, kill_reader
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, line_of, text_of

# A flood of letters: kept, not read, told to the umpire once; and everybody else's are read as ever.


EVE = "eve@example.com"
VOUCHED = "mx.club.example; dmarc=pass header.from=example.org"
LARGE = "x " * limits.SMALL


def parked(house: PostHouse) -> list[int]:
    return house.column("SELECT id FROM letters WHERE status = 'parked' ORDER BY id")


def earlier(house: PostHouse, count: int, sender: str, game: str | None = None, seconds: float = 0) -> None:
    """Let so many letters of a sender have come and been handled today."""
    with house.club.db.conn:
        for number in range(count):
            values = [
                f"{sender}{game}{number}",
                "x",
                1,
                b"",
                *[house.clock.now.strftime("%Y-%m-%dT%H:%M:%S.%fZ")] * 2,
                sender,
                game,
                seconds,
            ]
            house.club.db.execute(
                "INSERT INTO letters (hash, source, size, raw, arrived, stored_at, sender, subject, message_id, status, "
                "reason, attempts, trace, game, seconds) VALUES (?, ?, ?, ?, ?, ?, ?, '', '', 'done', '', 0, '', ?, ?)",
                values,
            )


@pytest.mark.parametrize("sender", [ANN, "eve@example.com"])
def test_letters_of_one_sender_beyond_fifty_a_day_are_kept_unread(begun: PostHouse, sender: str) -> None:
    earlier(begun, limits.FROM_SENDER - 1, sender.upper())
    for step in (1, 2, 3):
        begun.write(sender, f"STEP {step}")
    begun.send(BOB, "STEP 1")
    assert len(parked(begun)) == 2
    sets = begun.column("SELECT text FROM order_sets WHERE player = 'ANN'")
    assert sets == (["STEP 1"] if sender == ANN else [])
    assert begun.rows("SELECT text FROM order_sets WHERE player = 'BOB'")
    (told,) = begun.post(UMPIRE, "A flood of letters")
    assert f"More than 50 letters of {sender} came within 24 hours" in text_of(told).replace("\n", " ")
    rows = begun.rows("SELECT sender, reason, raw FROM letters WHERE status = 'parked'")
    assert {(row["sender"], row["reason"]) for row in rows} == {(sender, "flood: sender")}
    assert b"STEP 2" in rows[0]["raw"]


def test_of_a_flood_no_more_is_counted_than_makes_one(begun: PostHouse) -> None:
    earlier(begun, limits.IN_ALL + 10, EVE)
    since = begun.clock.now - timedelta(days=1)
    assert budgets.unsure_since(begun.club.db, ANN, since)["club"][0] == limits.IN_ALL
    assert budgets.unsure_since(begun.club.db, EVE, since)["sender"][0] == limits.IN_ALL


def test_after_a_day_the_senders_letters_are_read_again(begun: PostHouse) -> None:
    earlier(begun, limits.FROM_SENDER, ANN)
    begun.wait(days=1, seconds=1)
    begun.send(ANN, "STEP 1")
    assert parked(begun) == []


def test_letters_about_one_game_beyond_five_hundred_a_day_are_kept_unread(begun: PostHouse) -> None:
    earlier(begun, limits.ABOUT_GAME, "somebody@example.org", "RR1")
    begun.send(ANN, "STEP 1")
    assert len(parked(begun)) == 1
    (told,) = begun.post(UMPIRE)
    assert told["Subject"] == "[RR1] A flood of letters"


def test_a_full_game_does_not_close_another_of_the_same_player(begun: PostHouse) -> None:
    begun.game()
    earlier(begun, limits.ABOUT_GAME, "somebody@example.org", "RR1")
    begun.send(ANN, "STEP 1", subject="[RR2]")
    assert parked(begun) == []


def test_the_umpire_is_told_once_a_day_however_many_flood(begun: PostHouse) -> None:
    for sender in ("eve@example.com", "mallory@example.com"):
        earlier(begun, limits.FROM_SENDER, sender)
        begun.write(sender, "x")
        begun.write(sender, "y")
    begun.tick()
    assert len(parked(begun)) == 4
    assert len(begun.post(UMPIRE)) == 1
    begun.wait(days=1)
    earlier(begun, limits.FROM_SENDER, "trudy@example.com")
    begun.send("trudy@example.com", "z")
    assert len(begun.post(UMPIRE)) == 2


def test_the_umpire_has_a_letter_of_a_flood_read_all_the_same(begun: PostHouse) -> None:
    earlier(begun, limits.FROM_SENDER, ANN)
    begun.send(ANN, "STEP 3")
    (number,) = parked(begun)
    assert begun.command("letter", str(number), "--again").returncode == 0
    begun.tick()
    assert begun.column("SELECT text FROM order_sets") == ["STEP 3"]
    refused = begun.command("letter", str(number), "--again")
    assert refused.stderr == f"referee: no letter {number} is parked\n"
    assert refused.returncode != 0


def test_a_letter_without_a_sender_is_no_flood(begun: PostHouse) -> None:
    begun.drop(b"Subject: x\r\n\r\nSTEP 1\r\n")
    begun.tick()
    assert begun.value("SELECT reason FROM letters") == "no sender"


@pytest.mark.parametrize(
    ("sender", "seconds", "text", "reason"),
    [
        (ANN, limits.SECONDS["sender"], "STEP 1", "flood: sender, seconds"),
        (ANN, limits.SECONDS["sender"] - 1, LARGE, "too many"),
        (f"eve@{ANN.partition('@')[2]}", limits.SECONDS["domain"], LARGE, "flood: domain, seconds"),
        (f"eve@{ANN.partition('@')[2]}", limits.SECONDS["domain"], "STEP 1", ""),
        (EVE, limits.SECONDS["club"], LARGE, "flood: club, seconds"),
        (EVE, limits.SECONDS["club"], "STEP 1", ""),
        (EVE, limits.SECONDS["domain"], LARGE, "too many"),
    ],
)
def test_what_nothing_proves_takes_so_much_time_of_a_day_and_then_what_is_small_is_read(
    begun: PostHouse, sender: str, seconds: float, text: str, reason: str
) -> None:
    earlier(begun, 10, sender, seconds=seconds / 10)
    begun.send(ANN, text)
    (row,) = begun.rows("SELECT status, reason FROM letters WHERE source NOT LIKE 'x'")
    assert row["reason"] == reason if reason.startswith("flood") else row["status"] == "done", row["reason"]
    told = [line_of(each) for each in begun.post(UMPIRE, "A flood of letters")]
    assert len(told) == reason.startswith("flood")
    assert all("whatever is proved is read as ever" in each for each in told)


@pytest.mark.parametrize(("policy", "vouched"), [("token", False), ("auth-or-confirm", True)])
def test_what_is_proved_goes_first_is_not_counted_and_never_parked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, policy: str, vouched: bool
) -> None:
    settings = {"identity__policy": policy, "identity__authserv_id": "mx.club.example"}
    with PostHouse(tmp_path / "proving", **settings) as house:
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


def test_what_is_proved_is_answered_before_a_flood_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with PostHouse(tmp_path / "proving", identity__policy="token") as house:
        house.begin()
        before, answers = house.post(ANN), set[int]()
        reads = Reader.read

        def noted(self: Reader, raw: bytes, *more: Any) -> Letter:
            if b"I am Eve" in raw:
                answers.add(len(house.post(ANN)) - len(before))
            return reads(self, raw, *more)

        monkeypatch.setattr(Reader, "read", noted)
        for number in range(limits.MANY):
            house.write(EVE, f"I am Eve, {number}")
        assert house.reply(before[0], "STEP 1").sent == len(house.post()) - len(before) - len(house.post(BOB))
        assert answers == {1}


def test_after_a_flood_in_his_name_the_umpires_command_with_its_code_is_carried_out(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "proving", identity__policy="token") as house:
        house.game()
        house.send(UMPIRE, "HOLD RR1\nI am ill.", "a command")
        for number in range(60):
            house.write(UMPIRE, f"HOLD RR1\n{number}", "a command")
        house.reply(UMPIRE, "HOLD RR1\nI am ill.")
        assert parked(house)
        assert house.value("SELECT stopped_at FROM games")
        assert house.rows("SELECT status, reason FROM letters WHERE id = 62")[0]["status"] == "done"


def test_one_letter_of_each_goes_before_the_second_of_anybody(begun: PostHouse) -> None:
    for number in range(10):
        begun.write(ANN, f"STEP {number % 3 + 1}\nPRESS: {number}")
    begun.send(BOB, "STEP 2")
    assert [row.letter for row in begun.ours("letter IS NOT NULL")][:3] == [1, 11, 2]
    (last,) = begun.rows("SELECT text FROM order_sets WHERE player = 'ANN' ORDER BY arrived DESC, id DESC LIMIT 1")
    assert last["text"] == "STEP 1"  # of one sender's the last that came counts, as ever


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


def bounce(house: PostHouse, sample: str, message_id: str) -> None:
    """Let a sample arrive, as if it were about that letter of ours; each at another time, as no two servers write alike."""
    raw = (SAMPLES / f"{sample}.eml").read_bytes().replace(THEIRS, message_id.encode())
    house.drop(raw.replace(b"Subject: ", f"Subject: {house.clock.now:%H%M%S%f} ".encode(), 1))
    house.tick()
    house.wait(minutes=1)


def ids(house: PostHouse, recipient: str) -> list[str]:
    return house.column("SELECT message_id FROM outbox WHERE recipient = ?", recipient)


def unreachable(house: PostHouse) -> tuple[str, ...]:
    return standing(house.club, "RR1").unreachable


def second_letter(house: PostHouse, player: str = ANN) -> None:
    """Make another letter of ours to the player: the newsletter of turn 1."""
    house.later(days=8)
    assert len(ids(house, player)) == 2


@pytest.mark.parametrize("sample", ["postfix", "exim-old", "microsoft365", "gmail", "qmail", "domino-prose", "gmx"])
def test_two_letters_that_come_back_make_a_player_unreachable(begun: PostHouse, sample: str) -> None:
    second_letter(begun)
    first, second = ids(begun, ANN)
    bounce(begun, sample, first)
    assert not begun.post(UMPIRE, "cannot be reached")
    assert unreachable(begun) == ()
    bounce(begun, sample, second)
    (told,) = begun.post(UMPIRE, "cannot be reached")
    assert told["Subject"] == "[RR1] ANN cannot be reached"
    assert ANN in text_of(told)
    assert "Running games: RR1." in text_of(told)
    assert unreachable(begun) == ("ANN",)
    bounce(begun, sample, first)
    assert len(begun.post(UMPIRE, "cannot be reached")) == 1


def test_the_umpire_sees_it_where_the_games_stand(begun: PostHouse) -> None:
    second_letter(begun)
    for message_id in ids(begun, ANN):
        bounce(begun, "postfix", message_id)
    assert "  ANN      missing, unreachable: letters to this player come back\n" in begun.command("status").stdout
    assert json.loads(begun.command("status", "--json").stdout)[0]["unreachable"] == ["ANN"]


def test_one_letter_counts_once_however_often_it_comes_back(begun: PostHouse) -> None:
    (first,) = ids(begun, ANN)
    for sample in ("postfix", "gmail", "qmail", "sendmail"):
        bounce(begun, sample, first)
    assert unreachable(begun) == ()
    assert len(begun.rows("SELECT * FROM bounces")) == 4


def test_a_letter_that_is_late_for_five_days_makes_a_player_unreachable(begun: PostHouse) -> None:
    (first,) = ids(begun, ANN)
    for hours in (4, 4 * 24):
        begun.wait(hours=hours)
        bounce(begun, "postfix-delayed", first)
        assert unreachable(begun) == ()
    begun.wait(days=1)
    bounce(begun, "exim-warning", first)
    assert unreachable(begun) == ("ANN",)


def test_a_letter_given_up_after_five_days_of_trying_is_enough(begun: PostHouse) -> None:
    begun.wait(days=5, minutes=1)
    bounce(begun, "courier-expired", ids(begun, ANN)[0])
    assert unreachable(begun) == ("ANN",)


def test_single_delays_with_quiet_weeks_between_mean_nothing(begun: PostHouse) -> None:
    begun.wait(hours=4)
    bounce(begun, "postfix-delayed", ids(begun, ANN)[0])
    second_letter(begun)
    begun.wait(hours=4)
    bounce(begun, "postfix-delayed", ids(begun, ANN)[1])
    assert unreachable(begun) == ()


def test_a_letter_from_the_player_ends_it_and_what_came_before_counts_no_more(begun: PostHouse) -> None:
    second_letter(begun)
    for message_id in ids(begun, ANN):
        bounce(begun, "postfix", message_id)
    assert unreachable(begun) == ("ANN",)
    begun.send(ANN, "STEP 3")
    assert unreachable(begun) == ()
    bounce(begun, "postfix", ids(begun, ANN)[-1])
    assert unreachable(begun) == ()
    what = begun.column("SELECT what FROM log WHERE what IN ('unreachable', 'reachable')")
    assert what == ["unreachable", "reachable"]


def test_a_machine_at_the_players_address_does_not_end_it(begun: PostHouse) -> None:
    second_letter(begun)
    for message_id in ids(begun, ANN):
        bounce(begun, "postfix", message_id)
    begun.send(ANN, "I am away", Auto_Submitted="auto-replied")
    assert unreachable(begun) == ("ANN",)


def test_a_bounce_is_believed_only_with_an_id_that_its_forger_cannot_know(begun: PostHouse) -> None:
    """Bob knows his own letter's id, and how Ann's would begin."""
    ann, bob = ids(begun, ANN)[0], ids(begun, BOB)[0]
    forged = bob.replace("bob", "ann")
    assert forged != ann
    assert re.fullmatch(r"<newsletter\.rr1\.0\.ann\.1\.[0-9a-f]{16}@club\.example>", ann)
    for message_id in (forged, THEIRS.decode(), "<newsletter.rr1.0.ann.1@club.example>"):
        for sample in ("postfix", "gmail", "qmail"):
            bounce(begun, sample, message_id)
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
    assert unreachable(begun) == ()


def test_a_bounce_of_his_own_letter_counts_to_nobody_else(begun: PostHouse) -> None:
    """Bob writes Ann's address into the report of a letter that he was sent himself."""
    second_letter(begun, BOB)
    for message_id in ids(begun, BOB):
        bounce(begun, "postfix", message_id)  # it names Ann as the recipient
    assert unreachable(begun) == ("BOB",)
    (told,) = begun.post(UMPIRE, "cannot be reached")
    assert f"The address that failed is {ANN}" in text_of(told)


def test_somebody_who_is_unreachable_is_written_to_and_awaited_as_ever(begun: PostHouse) -> None:
    second_letter(begun)
    for message_id in ids(begun, ANN):
        bounce(begun, "postfix", message_id)
    deadline = begun.value("SELECT deadline FROM games")
    assert begun.send(BOB, "STEP 1").turns == ()
    assert begun.value("SELECT deadline FROM games") == deadline
    assert begun.later(days=7).turns == ("RR1/2",)
    assert "missing: ANN" in begun.told(ANN)


def test_bounces_are_never_answered_and_those_to_the_umpire_tell_him_nothing(begun: PostHouse) -> None:
    begun.send(ANN, "STEP 3\nNOTE: one")
    sent = len(begun.sent_files())
    (note,) = ids(begun, UMPIRE)
    for sample in ("postfix", "gmail", "microsoft365"):
        bounce(begun, sample, note)
    assert len(begun.sent_files()) == sent


def test_what_our_own_server_refuses_counts_in_the_same_way(begun: PostHouse) -> None:
    second_letter(begun)
    for message_id in ids(begun, ANN):
        ours = outbox.letter_of_ours(begun.club.db, message_id)
        assert ours is not None
        with transaction(begun.club.db):
            failure = Failure(recipient=ANN, action="failed", status="5.0.0")
            count_failure(begun.club, ours, failure, begun.clock.now)
    begun.tick()
    (told,) = begun.post(UMPIRE, "cannot be reached")
    assert "referee letter" not in text_of(told)
    assert unreachable(begun) == ("ANN",)


# What players and strangers ask or tell a person reaches the umpire, once; orders, greetings and banners do not.


SHOWN = "The umpire is shown them, and answers himself if they ask something"
STRANGER = "carol@elsewhere.example"


def answer_to(house: PostHouse, text: str, sender: str = ANN) -> str:
    house.wait(minutes=1)
    return house.says(sender, text)


def to_umpire(house: PostHouse) -> list[str]:
    return [line_of(letter) for letter in house.post(UMPIRE)]


@pytest.mark.parametrize(
    "words",
    [
        "My wife is ill.",
        "QUESTION: what does a mountain cost?",
        "May I have the rules?",
        "I shall move house next week and have no mail until Friday.",
    ],
)
@pytest.mark.parametrize("around", ["{}", "Hello Peter,\n\n{}\n\nKind regards,\nAnn Byrne", "STEP 2\n\n{}\n\nCheers"])
def test_what_is_said_to_a_person_goes_to_the_umpire(begun: PostHouse, words: str, around: str) -> None:
    told = answer_to(begun, around.format(words))
    assert SHOWN in told
    assert words in told
    assert "not read" not in told
    (note,) = to_umpire(begun)
    assert words in note
    assert "Your answer to this letter goes straight to ANN" in note
    assert "STEP" not in note
    assert "regards" not in note
    assert begun.post(UMPIRE)[0]["Reply-To"] == ANN
    assert ("STEP 2" in told) == ("STEP" in around)


@pytest.mark.parametrize(
    "text",
    [
        "STEP 2",
        "Dear Peter,\n\nSTEP 2\n\nMany thanks,\nAnn Byrne\nCork",
        "Hi Peter, here are my orders for turn 1:\n\nSTEP 2",
        "Here are the orders.\n\nSTEP 2\n\n-- \nAnn Byrne\nShe who dares, wins, they say",
        "CAUTION: This email originated from outside of the firm.\nDo not click links unless you know the sender.\n\nSTEP 2",
        "STEP 2\n\nThis e-mail and any attachments are confidential and may be\nprivileged. Delete it if it is not for you.",
        "STEP 2\nPRESS: My wife is ill.",
        "STEP 2\n\nSent from my iPhone",
    ],
)
def test_greetings_signatures_and_banners_do_not(begun: PostHouse, text: str) -> None:
    told = answer_to(begun, text)
    assert "STEP 2" in told
    assert SHOWN not in told
    assert "CAUTION" not in told
    assert to_umpire(begun) == []


def test_the_same_words_go_to_him_once(begun: PostHouse) -> None:
    assert SHOWN in answer_to(begun, "STEP 2\nI play for the love of steam.")
    told = answer_to(begun, "STEP 1\nI play for the love of steam.")
    assert SHOWN not in told
    assert "These lines were not read as orders: - line 2: I play for the love of steam." in told
    assert len(to_umpire(begun)) == 1


def test_a_question_of_another_turn_goes_to_him_again(begun: PostHouse) -> None:
    assert SHOWN in answer_to(begun, "STEP 2\nWhen is the next one due?")
    begun.later(days=8)
    assert SHOWN in answer_to(begun, "STEP 2\nWhen is the next one due?")
    assert len(to_umpire(begun)) == 2


def test_of_a_long_letter_he_is_told_that_there_is_more(begun: PostHouse) -> None:
    answer_to(begun, "".join(f"This is verse {number} of a poem.\n" for number in range(30)))
    assert "The letter has 10 more lines that were not read: referee letters finds it." in to_umpire(begun)[0]


def test_of_one_day_he_is_shown_so_many(begun: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.service.letters.doubtful.SHOWN_A_DAY", 3)
    for number in range(5):
        told = answer_to(begun, f"STEP {1 + number % 3}\nWhat about number {number}?")
        assert (SHOWN in told) == (number < 3)
        assert f"What about number {number}?" in told
    assert len(to_umpire(begun)) == 3


def test_a_late_letter_with_words_reaches_him_too(begun: PostHouse) -> None:
    begun.wait(days=8)
    begun.send(ANN, "STEP 2\nSorry, I was in hospital.")
    assert "I was in hospital" in to_umpire(begun)[0]


def test_a_stranger_is_shown_to_the_umpire_and_never_answered(begun: PostHouse) -> None:
    begun.send(STRANGER, "Dear referee,\nmay I join?\n\n> STEP 1", subject="A question")
    (note,) = to_umpire(begun)
    assert f"{STRANGER} plays in no game here, and is not answered:" in note
    assert "Subject: A question" in note
    assert "may I join?" in note
    assert "STEP" not in note
    assert begun.post(UMPIRE)[0]["Reply-To"] == STRANGER
    assert begun.post(STRANGER) == []


def test_of_strangers_he_is_shown_three_letters_a_day_one_of_each(begun: PostHouse) -> None:
    for number in (1, 1, 2, 3, 4, 5):
        begun.wait(minutes=1)
        begun.send(f"spam{number}@elsewhere.example", f"Buy {number} now!")
    assert [note.partition(" plays")[0][-22:] for note in to_umpire(begun)] == [
        f"spam{number}@elsewhere.example"[-22:] for number in (1, 2, 3)
    ]
    begun.wait(days=1)
    begun.send("spam5@elsewhere.example", "Buy again!")
    assert len(to_umpire(begun)) == 4


@pytest.mark.parametrize(
    ("sender", "headers"),
    [
        (STRANGER, {"Auto-Submitted": "auto-replied"}),
        (STRANGER, {"List-Id": "<list.example>", "Precedence": "bulk"}),
        (UMPIRE, {}),
    ],
)
def test_machines_and_the_umpire_himself_are_not_shown(begun: PostHouse, sender: str, headers: dict[str, str]) -> None:
    begun.send(sender, "May I join?", **{name.replace("-", "_"): value for name, value in headers.items()})
    assert to_umpire(begun) == []


def test_where_there_is_no_umpire_the_answer_says_that_nobody_reads_it(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "alone", mail__umpire="") as house:
        house.begin()
        said = " ".join(answer_to(house, "What does a mountain cost?").split())
        assert "nobody reads them: this club has named no umpire" in said
        assert "HELP, RULES, MAP, STATUS" in said
        assert SHOWN not in said
