"""Whose letter is it? Nothing is carried out that is not proved; the player alone is told; his word lets a held letter count."""

import re
import signal
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.service.letters.doubtful import NOTICES_A_DAY, NOTICES_IN_A_ROW
from referee.service.letters.limits import IN_VAIN
from referee.service.post.codes import tag_of_turn
from referee.store import games
from tests.posthouse import ANN, BOB, REFEREE, UMPIRE, Clubs, PostHouse, line_of, text_of

EVE = "eve@example.com"
AUTH = "mx.club.example"
PASS = f"{AUTH}; dmarc=pass header.from=example.org"


@pytest.fixture
def house(club: Clubs) -> PostHouse:
    house = club(identity__policy="token")
    house.begin()
    return house


def opening(house: PostHouse, recipient: str) -> EmailMessage:
    return house.post(recipient)[0]


def code_of(message: EmailMessage) -> str:
    found = re.search(r"\[RR\d+-[A-Z]+-([A-Z2-9]{8})\]", str(message["Subject"]))
    assert found, message["Subject"]
    return found[1]


def sets(house: PostHouse) -> list[tuple[str, str]]:
    return house.tuples("SELECT player, text FROM order_sets ORDER BY id")


def letters(house: PostHouse) -> list[tuple[str, str]]:
    return house.tuples("SELECT status, reason FROM letters ORDER BY id")


def test_every_letter_carries_the_code_in_reply_to_and_subject_and_nowhere_else(house: PostHouse) -> None:
    house.answer(opening(house, ANN), "STEP 3")
    house.reply(opening(house, BOB), "STEP 2")
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


def test_the_subject_alone_will_do_in_any_case_of_letters(club: Clubs) -> None:
    house = club(identity__policy="token", identity__plus=False)
    house.begin()
    ours = house.post(ANN)[0]
    assert ours["Reply-To"] is None
    house.send(ANN, "STEP 3", subject=f"AW: {ours['Subject']}".lower())
    assert sets(house) == [("ANN", "STEP 3")]


def test_the_address_alone_will_do_where_a_program_writes_a_subject_of_its_own(house: PostHouse) -> None:
    ours = house.post(ANN)[0]
    house.send(ANN, "STEP 3", subject="my orders", To=str(ours["Reply-To"]))
    assert sets(house) == [("ANN", "STEP 3")]


def test_who_is_asked_which_game_gets_no_code_that_would_decide_it(house: PostHouse) -> None:
    house.begin()
    house.send(ANN, "STEP 2", subject="orders")
    told = house.last(ANN)
    assert "more than one game" in line_of(told)
    assert told["Reply-To"] is None
    assert "RR2-ANN" not in str(told["Subject"])


def test_wrong_codes_are_told_once_a_day_and_then_passed_over_but_never_shut_the_player_out(house: PostHouse) -> None:
    """Somebody guesses in Ann's name: with a right code her own letters are taken, however many wrong ones came."""
    for number in range(14):
        house.write(ANN, "STEP 1", subject=f"[RR1-ANN-AAAAAA{number // 8 + 2}{number % 8 + 2}] x")
    house.tick()
    assert [reason for _, reason in letters(house)] == ["wrong code"] * 10 + ["no code after too many wrong ones"] * 4
    assert [status for status, _ in letters(house)] == ["held"] * 10 + ["ignored"] * 4
    assert len(house.post(ANN)) == 2
    (told,) = house.post(UMPIRE)
    assert "Wrong codes in the name of ANN" in told["Subject"]
    house.reply(house.post(ANN)[0], "STEP 3")
    assert sets(house) == [("ANN", "STEP 3")]


def test_letters_in_a_players_name_cost_him_a_few_letters_and_none_of_his_answers(house: PostHouse) -> None:
    for _ in range(20):
        house.write(ANN, "STEP 1", subject="orders")
    house.tick()
    assert len(house.post(ANN, "yours?")) == NOTICES_A_DAY
    house.wait(days=2)
    house.send(ANN, "STEP 1", subject="orders")
    assert len(house.post(ANN, "yours?")) == NOTICES_IN_A_ROW
    house.reply(house.post(ANN)[0], "STEP 3")
    assert "Your orders are in." in house.text(ANN)
    house.write(ANN, "STEP 1", subject="orders")  # and now he is told again
    house.later(days=1)
    assert len(house.post(ANN, "yours?")) == NOTICES_IN_A_ROW + 1


def test_the_umpire_learns_once_that_a_player_hears_no_more_of_letters_in_his_name(house: PostHouse) -> None:
    """Any forger can bring that about; the next one without a code may be the player's own."""
    for _ in range(NOTICES_A_DAY):
        house.write(ANN, "STEP 1", subject="orders")
    house.tick()
    assert house.post(UMPIRE) == []
    for _ in range(3):
        house.send(ANN, "STEP 3", subject="my orders")
    assert len(house.post(ANN, "yours?")) == NOTICES_A_DAY
    (told,) = house.post(UMPIRE)
    assert f"Letter {NOTICES_A_DAY + 1} is the first" in line_of(told)
    assert "The referee alone reads answers to this letter." in text_of(told)
    assert len(house.rows("SELECT * FROM log WHERE what = 'answers-stopped'")) == 1


def test_a_machine_that_answers_without_code_and_without_a_sign_falls_silent(house: PostHouse) -> None:
    """It answers every letter to our plain address, with a subject of its own."""
    answered = 0
    for _ in range(60):
        sent = house.post(ANN)
        for _ in sent[answered:]:
            house.write(ANN, "Thank you for your letter. I am at sea until May.", subject="Away")
        answered = len(sent)
        house.tick()
        house.wait(hours=20)
    turns = house.value("SELECT turn FROM games") - 1
    assert turns >= 6
    notices = [each for each in house.post(ANN) if "newsletter" not in str(each["Message-ID"])]
    assert len(notices) == IN_VAIN
    silence = "machines that answer each other must fall silent"
    assert [silence in line_of(each) for each in notices] == [False, False, True]
    assert 1 <= len(house.post(UMPIRE, "is told no more of letters in his name")) <= turns + 1


def test_a_machine_that_answers_with_its_code_and_without_a_sign_falls_silent(house: PostHouse) -> None:
    """It answers every letter where that wants to be answered, as most do."""
    answered = 0
    for _ in range(40):
        sent = house.post(ANN)
        for ours in sent[answered:]:
            house.answer(ours, "PRESS: Thank you for your letter. I am at sea until May.")
        answered = len(sent)
        house.tick()
        house.wait(hours=20)
    turns = house.value("SELECT turn FROM games") - 1
    assert turns >= 4
    answers = [each for each in house.post(ANN) if "newsletter" not in str(each["Message-ID"])]
    assert len(answers) == IN_VAIN
    assert ["no more answers follow" in line_of(each) for each in answers] == [False, False, True]


def test_press_that_quotes_a_code_is_printed_without_it(house: PostHouse) -> None:
    ours = house.post(ANN)[0]
    code = code_of(ours)
    house.answer(
        ours, f"STEP 3\n\nPRESS: Look, {ours['Subject']} and referee+rr1-ann-{code.lower()}@club.example!\nEND PRESS"
    )
    house.reply(opening(house, BOB), "STEP 2")
    assert "Look, [RR1]" in house.text(BOB)
    assert code not in house.last(BOB).as_string().upper()
    assert code not in str([tuple(row) for row in house.rows("SELECT subject FROM letters")])


def test_a_renewed_code_makes_older_ones_void_and_the_player_gets_the_new_one(house: PostHouse) -> None:
    old = house.post(ANN)[0]
    shown = house.command("code", "RR1", "ann")
    assert shown.stdout.splitlines() == [str(old["Reply-To"]).partition("<")[2].strip(">"), f"[RR1-ANN-{code_of(old)}]"]
    renewed = house.command("code", "RR1", "ANN", "--renew").stdout.split()
    assert renewed != shown.stdout.split()
    house.reply(old, "STEP 1")
    assert sets(house) == []
    assert letters(house) == [("held", "code of an earlier turn")]
    (new,) = house.post(ANN, "A new code")
    assert f"[RR1-ANN-{code_of(new)}]" == renewed[1]
    house.reply(new, "STEP 3")
    assert sets(house) == [("ANN", "STEP 3")]


def test_a_code_of_nobody_is_an_error_of_the_command_line(house: PostHouse) -> None:
    assert house.command("code", "RR1", "EVE").returncode == 65
    assert house.command("code", "RR9", "ANN").returncode == 65


def test_reading_a_letter_says_that_it_would_wait(house: PostHouse) -> None:
    fresh = house.write(ANN, "STEP 3", subject="orders").rename(house.folder / "fresh.eml")
    read = house.command("read", str(fresh))
    assert read.stderr == "referee: it would wait for its player's word: no code\n"
    assert "Orders" in read.stdout or "orders" in read.stdout
    coded = house.answer(house.post(ANN)[0], "STEP 3").rename(house.folder / "coded.eml")
    assert house.command("read", str(coded)).stderr == ""


def test_status_tells_whose_letter_waits(house: PostHouse) -> None:
    house.send(ANN, "STEP 3", subject="orders")
    told = house.command("status").stdout
    assert re.search(r"ANN +missing, a letter waits", told)
    assert not re.search(r"BOB +missing, a", told)


def test_each_club_has_a_key_of_its_own(house: PostHouse, tmp_path: Path) -> None:
    with PostHouse(tmp_path / "other", identity__policy="token") as other:
        other.begin()
        assert code_of(other.post(ANN)[0]) != code_of(house.post(ANN)[0])


def test_a_player_has_another_code_each_turn_and_in_each_game(house: PostHouse) -> None:
    house.game()
    seats = [*games.players(house.club.db, "RR1"), *games.players(house.club.db, "RR2")]
    found = {tag_of_turn(house.club, seat, turn).token for seat in seats for turn in range(50)}
    assert len(found) == 200


@pytest.mark.parametrize("step", ["receive:begun", "receive:filing", "receive:handled", "send:sent"])
def test_a_power_cut_leaves_a_held_letter_held_once_and_taken_once(house: PostHouse, step: str) -> None:
    house.write(ANN, "STEP 3", subject="orders")
    assert house.tick_apart(crash_at=step).returncode == -signal.SIGKILL
    assert house.tick_apart().returncode == 0
    house.wait(minutes=10)  # what the dead process was about to send is leased for five minutes
    house.tick()
    assert len(house.rows("SELECT * FROM held_letters")) == 1
    (notice,) = house.post(ANN, "yours?")
    house.answer(notice, "CONFIRM")
    assert house.tick_apart(crash_at=step).returncode == -signal.SIGKILL
    assert house.tick_apart().returncode == 0
    house.later(minutes=10)
    assert sets(house) == [("ANN", "STEP 3")]
    assert len(house.post(ANN, "Orders for turn 1 received")) == 1


@pytest.fixture
def confirming(club: Clubs) -> PostHouse:
    house = club(identity__policy="auth-or-confirm", identity__authserv_id=AUTH)
    house.begin()
    return house


@pytest.mark.parametrize(
    ("subject", "number"), [("Re: [RR1-ANN-{}]", 10), ("Re: [RR1]", NOTICES_IN_A_ROW), ("Re: [RR1]", 12)]
)
def test_no_letters_in_a_players_name_keep_from_him_that_his_own_with_its_code_waits(
    confirming: PostHouse, subject: str, number: int
) -> None:
    for each in range(number):
        confirming.write(ANN, f"STEP {each}", subject.format("ABCDEFGHJKLM"[each] * 8))
    confirming.tick()
    confirming.reply(opening(confirming, ANN), "STEP 3")
    confirming.reply(ANN, "CONFIRM")
    assert sets(confirming) == [("ANN", "STEP 3")]


def test_a_machine_that_sends_a_code_back_is_told_so_a_few_times(confirming: PostHouse) -> None:
    for each in range(8):
        confirming.reply(ANN, f"I am away, {each}.")
    assert len(confirming.post(ANN)) <= 1 + NOTICES_IN_A_ROW


SIGNED = "v=1; a=rsa-sha256; d=example.org; h=from:to:date:subject; bh=x; b=x"
DIRECT = f"{PASS}; spf=pass smtp.mailfrom=ann@example.org"
NOW, OLD = "Mon, 07 Dec 2026 12:00:00 +0000", "Wed, 02 Dec 2026 12:00:00 +0000"


@pytest.mark.parametrize(
    ("more", "counts"),
    [
        ({"To": "Bob <bob@example.net>"}, False),
        ({"To": "bob@example.net", "Cc": "Referee <referee+rr1@club.example>"}, True),
        ({"To": "referee@club.example.evil.example"}, False),
        ({"Date": OLD}, False),
        ({"Date": NOW}, True),
        ({"DKIM_Signature": SIGNED, "Date": NOW}, True),
        ({"DKIM_Signature": SIGNED}, False),
        ({"DKIM_Signature": SIGNED, "Date": OLD}, False),
        ({"DKIM_Signature": SIGNED.replace("to:", ""), "Date": NOW}, False),
        ({"DKIM_Signature": f"{SIGNED}; l=10", "Date": NOW}, False),
        ({"DKIM_Signature": SIGNED, "Date": NOW, "To": f"{BOB}\r\nTo: {REFEREE}"}, False),
        ({"DKIM_Signature": SIGNED, "Date": NOW, "To": BOB, "Cc": REFEREE}, False),  # anybody can add a Cc
        ({"DKIM_Signature": SIGNED.replace("to:", "to:cc:"), "Date": NOW, "To": BOB, "Cc": REFEREE}, True),
        ({"DKIM_Signature": SIGNED.replace("to:", ""), "Date": NOW, "Authentication_Results": DIRECT}, True),
    ],
)
def test_a_letter_to_somebody_else_or_of_another_week_is_nobodys_orders_when_it_is_handed_on(
    confirming: PostHouse, more: dict[str, str], counts: bool
) -> None:
    confirming.send(ANN, "STEP 3", **{"subject": "orders", "Authentication_Results": PASS, **more})
    assert letters(confirming) == [("done", "") if counts else ("held", "nobody vouches for the sender")]


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
    assert letters(house) == [("held", "nobody vouches for the sender"), ("done", "")]
    assert sets(house) == [("ANN", "STEP 3")]


def test_a_forged_field_of_results_below_the_border_is_not_believed(confirming: PostHouse) -> None:
    forged = {"Received": "from a by evil.example; Mon, 07 Dec 2026 12:00:00 +0000", "Authentication_Results": PASS}
    confirming.write(ANN, "STEP 3", subject="orders", **forged)
    raw = next((confirming.folder / "mail" / "in" / "new").iterdir())
    lines = raw.read_bytes().split(b"\r\n")
    top = [line for line in lines if line.startswith((b"Received", b"Auth"))]
    raw.write_bytes(b"\r\n".join(sorted(top, reverse=True) + [line for line in lines if line not in top]))
    confirming.tick()
    assert letters(confirming) == [("held", "nobody vouches for the sender")]


def test_the_policy_of_the_address_alone_uses_no_codes(club: Clubs) -> None:
    house = club(identity__policy="address")
    house.begin()
    ours = house.post(ANN)[0]
    assert ours["Reply-To"] is None
    assert str(ours["Subject"]).startswith("[RR1] ")
    assert REFEREE in text_of(ours)
    refused = house.command("code", "RR1", "ANN")
    assert refused.returncode == 78
    assert "no codes are used" in refused.stderr
