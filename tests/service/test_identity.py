"""Whose letter is it? Nothing is carried out that is not proved; the player alone is told; the player's word lets a held letter
count.
"""

import re
import signal
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.service.letters.limits import IN_VAIN
from referee.service.post.codes import tag_of_turn
from referee.store import games
from tests.posthouse import ANN, BOB, REFEREE, UMPIRE, Clubs, PostHouse, line_of, text_of

EVE = "eve@example.com"


@pytest.fixture
def house(club: Clubs) -> PostHouse:
    house = club(identity__policy="token")
    house.begin()
    return house


def code_of(message: EmailMessage) -> str:
    found = re.search(r"\[RR\d+-[A-Z]+-([A-Z2-9]{8})\]", str(message["Subject"]))
    assert found, message["Subject"]
    return found[1]


def sets(house: PostHouse) -> list[tuple[str, str]]:
    return house.tuples("SELECT player, text FROM order_sets ORDER BY id")


def test_every_letter_carries_the_code_in_reply_to_and_subject_and_nowhere_else(house: PostHouse) -> None:
    house.answer(house.post(ANN)[0], "STEP 3")
    house.reply(house.post(BOB)[0], "STEP 2")
    assert sets(house) == [("ANN", "STEP 3"), ("BOB", "STEP 2")]
    sent = house.post(ANN) + house.post(BOB)
    assert len(sent) == 6  # opening, acknowledgement and newsletter of each
    for message in sent:
        code = code_of(message)
        who = "ANN" if ANN in message["To"] else "BOB"
        assert str(message["Reply-To"]).lower() == f"rr1 {who} <referee+rr1-{who}-{code}@club.example>".lower()
        assert message["From"] == f'"The Referee, Railway club" <{REFEREE}>'
        rest = [value for name, value in message.items() if name not in ("Reply-To", "Subject")]
        body = [part.get_content() for part in message.walk() if not part.is_multipart()]
        assert code not in str(rest).upper()
        assert code not in str(body).upper()
        assert REFEREE not in text_of(message)  # nobody is told where to write without a code


def test_no_address_of_a_player_is_in_a_letter_to_another(house: PostHouse) -> None:
    """A whole game is played, with press, notes, letters that are held and strangers that write with a player's code."""
    for _ in range(12):
        if house.value("SELECT status FROM games") != "running":
            break
        for who, other in ((ANN, BOB), (BOB, ANN)):
            house.write(who, f"STEP 1\n\nNOTE: I do not trust {who[:3]}\nEND NOTE")
            house.answer(who, f"STEP 3\n\nPRESS: greetings\nEND PRESS\n\n> From: {other}")
            house.answer(who, "STEP 3", sender=other)
            house.answer(who, "STEP 3", sender=EVE)
        house.tick()
        house.later(days=8)
    assert house.value("SELECT status FROM games") != "running"
    told = {who: b"".join(row.raw for row in house.ours("recipient = ?", who)) for who in (ANN, BOB)}
    assert len(told[ANN]) > 10_000
    for who, others in ((ANN, (BOB, EVE)), (BOB, (ANN, EVE))):
        assert who.encode() in told[who]
        assert not any(other.encode() in told[who] for other in others)


@pytest.mark.parametrize("coded", [False, True])
def test_a_machine_that_answers_every_letter_without_a_sign_falls_silent(house: PostHouse, coded: bool) -> None:
    """Without its code it writes to our plain address, with a subject of its own; most answer where that is wanted."""
    answered, text = 0, "Thank you for your letter. I am at sea until May."
    for _ in range(60):
        sent = house.post(ANN)
        for ours in sent[answered:]:
            if coded:
                house.answer(ours, f"PRESS: {text}")
            else:
                house.write(ANN, text, "Away")
        answered = len(sent)
        house.tick()
        house.wait(hours=20)
    turns = house.value("SELECT turn FROM games") - 1
    assert turns >= 6
    answers = [each for each in house.post(ANN) if "newsletter" not in str(each["Message-ID"])]
    assert len(answers) == IN_VAIN
    silence = "no more answers follow" if coded else "machines that answer each other must fall silent"
    assert [silence in line_of(each) for each in answers] == [False, False, True]
    assert len(house.post(UMPIRE, "is told no more of letters in that name")) in range(not coded, turns + 2)


def test_reading_a_letter_says_that_it_would_wait(house: PostHouse) -> None:
    fresh = house.write(ANN, "STEP 3", subject="orders").rename(house.folder / "fresh.eml")
    read = house.command("read", str(fresh))
    assert read.stderr == "referee: it would wait for its player's word: no code\n"
    assert "Orders" in read.stdout or "orders" in read.stdout
    coded = house.answer(house.post(ANN)[0], "STEP 3").rename(house.folder / "coded.eml")
    assert house.command("read", str(coded)).stderr == ""


def test_each_club_has_a_key_of_its_own(house: PostHouse, tmp_path: Path) -> None:
    with PostHouse(tmp_path / "other", identity__policy="token") as other:
        other.begin()
        assert code_of(other.post(ANN)[0]) != code_of(house.post(ANN)[0])


def test_a_player_has_another_code_each_turn_and_in_each_game(race: PostHouse) -> None:
    seats = [*games.players(race.club, "RR1"), *games.players(race.club, "RR2")]
    found = {tag_of_turn(race.club, seat, turn).token for seat in seats for turn in range(50)}
    assert len(found) == 200


@pytest.mark.parametrize("step", ["receive:begun", "receive:filing", "receive:handled", "send:sent"])
def test_a_power_cut_leaves_a_held_letter_held_once_and_taken_once(house: PostHouse, step: str) -> None:
    house.write(ANN, "STEP 3", subject="orders")
    assert house.tick_apart(crash_at=step).returncode == -signal.SIGKILL
    assert house.tick_apart().returncode == 0
    # what the dead process was about to send is leased for five minutes
    house.later(minutes=10)
    assert len(house.rows("SELECT * FROM held_letters")) == 1
    (notice,) = house.post(ANN, "yours?")
    house.answer(notice, "CONFIRM")
    assert house.tick_apart(crash_at=step).returncode == -signal.SIGKILL
    assert house.tick_apart().returncode == 0
    house.later(minutes=10)
    assert sets(house) == [("ANN", "STEP 3")]
    assert len(house.post(ANN, "Orders for turn 1 received")) == 1


def test_a_signature_that_is_checked_here_proves_a_letter(club: Clubs, monkeypatch: pytest.MonkeyPatch) -> None:
    signed = Path(__file__).parent.parent / "mail" / "signed"
    key = (signed / "key.txt").read_bytes().strip()
    monkeypatch.setattr("dkim.dnsplug._get_txt", lambda name, timeout=5: key)
    letter = (signed / "player.eml").read_bytes()
    house = club(identity__policy="auth-or-confirm", identity__dkim=True)
    house.game()
    house.drop(letter.replace(b"STEP 3", b"STEP 1"))
    house.drop(letter)
    house.tick()
    fates = house.tuples("SELECT status, reason FROM letters ORDER BY id")
    assert fates == [("held", "nobody vouches for the sender"), ("done", "")]
    assert sets(house) == [("ANN", "STEP 3")]
