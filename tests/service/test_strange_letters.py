"""Letters from strangers, machines and nobody; broken, costly and deadly ones."""

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from typing import NoReturn

import pytest

from referee.core import ConfigError, MailDown
from referee.reader import limitedprocess
from referee.reader.wire import Reader
from referee.service.letters.limits import IN_VAIN
from referee.service.post.collect import collect, fingerprint
from referee.service.tick import Undelivered
from referee.store import games, transaction
from tests.doomedreader import DEADLY, kill_reader
from tests.forkedreader import begin_as_in_a_club
from tests.posthouse import ANN, BOB, READER, UMPIRE, Clubs, PostHouse, line_of, text_of

# Letters from strangers, machines and nobody; broken, late, large and doubled ones.


def status(house: PostHouse) -> list[tuple[str, str]]:
    return house.tuples("SELECT status, reason FROM letters ORDER BY id")


def test_the_fingerprint_leaves_out_the_way_and_nothing_else() -> None:
    way = b"Received: from a\r\n\tby b\r\nSubject: x\r\n\r\nReceived: in the body"
    assert fingerprint(way) == fingerprint(b"Subject: x\r\n\r\nReceived: in the body")
    assert fingerprint(way) != fingerprint(b"Subject: y\r\n\r\nReceived: in the body")
    assert fingerprint(way) != fingerprint(b"Subject: x\r\n\r\nReceived: in the Body")
    assert fingerprint(b"") != fingerprint(b"\r\n\r\n")


def test_of_a_large_letter_the_first_part_is_kept_and_the_original_parked(begun: PostHouse) -> None:
    begun.drop(f"From: {ANN}\r\nSubject: [RR1]\r\n\r\nSTEP 3\r\n".encode() + b"x" * 5_000_000)
    begun.send(BOB, "STEP 3")
    assert status(begun) == [("parked", "too-large"), ("done", "")]
    assert len(begun.value("SELECT raw FROM letters")) == 256_000
    told = begun.text(ANN)
    assert "None of it counts; what of it are orders, send once more:\n\n| STEP 3\n" in told.replace("send\n", "send ")
    assert len(told) < 5000
    (parked,) = (begun.folder / "mail" / "in" / ".Parked" / "cur").iterdir()
    assert parked.stat().st_size > 5_000_000


def test_a_broken_character_set_does_not_stop_the_post(begun: PostHouse) -> None:
    head = f"From: {ANN}\r\nSubject: [RR1]\r\nContent-Type: text/plain; charset=klingon-8\r\n\r\n"
    begun.drop(head.encode() + b"STEP 3\r\n\xff\xfe\x80 \r\n")
    begun.tick()
    assert status(begun) == [("done", "")]
    assert "STEP 3" in begun.told(ANN)


def test_garbage_is_kept_and_the_next_letter_handled(begun: PostHouse) -> None:
    for raw in (b"", b"\0" * 100, b"From: \xff\r\n\r\n", os.urandom(5000)):
        begun.drop(raw)
    begun.send(ANN, "STEP 3")
    assert [each[0] for each in status(begun)] == ["ignored"] * 4 + ["done"]


def test_letters_wait_while_the_umpires_own_template_is_damaged(begun: PostHouse) -> None:
    own = begun.folder / "templates" / "common" / "acknowledgement.txt.j2"
    own.parent.mkdir(parents=True)
    own.write_text("Subject: ok\n{% if %}")
    begun.write(ANN, "STEP 1\nSTANDBY\nABSENT 2030-12-20\nADDRESS anna@new.example\nPRESS TO BOB: Soon!")
    brought = (
        "SELECT letter FROM order_sets UNION ALL SELECT letter FROM press UNION ALL SELECT since FROM standbys "
        "UNION ALL SELECT since FROM absences UNION ALL SELECT after FROM address_changes"
    )
    for _ in range(2):  # how it is when a letter is handled alone stands below
        with pytest.raises(ConfigError, match=r"acknowledgement\.txt\.j2:2"):
            begun.tick()
        assert not begun.rows(brought)
        assert not begun.rows("SELECT * FROM outbox WHERE kind IN ('address', 'press')")
    own.write_text("Subject: mine\n\nThanks, {{ reader.name }}.")
    begun.tick()
    assert status(begun) == [("done", "")]
    assert begun.last(ANN)["Subject"] == "[RR1] mine"
    assert len(begun.rows(brought)) == 5


def test_a_subject_cannot_add_a_header(begun: PostHouse) -> None:
    begun.send(ANN, "", subject="=?utf-8?q?[RR1]=0D=0ABcc:_eve@example.com?=")
    answer = begun.last(ANN)
    assert answer["Bcc"] is None
    assert "eve@example.com" in text_of(answer)


def test_what_cannot_be_sent_waits_and_goes_out_unchanged(begun: PostHouse) -> None:
    begun.write(ANN, "STEP 3")
    out = begun.folder / "mail" / "out" / "tmp"
    out.rename(out.with_name("away"))
    with pytest.raises(MailDown, match="letters wait in the outbox"):
        begun.tick()
    assert status(begun) == [("done", "")]
    before = begun.rows("SELECT raw, message_id, attempts FROM outbox WHERE state = 'waiting'")
    assert [row["attempts"] for row in before] == [1]
    out.with_name("away").rename(out)
    assert begun.later(hours=1).sent == 1
    assert before[0]["raw"] in [path.read_bytes() for path in begun.sent_files()]


# One letter never stops the service: what takes more than a letter may is parked, its writer is told once, and all else goes on.


TOLD = "takes longer to read than a letter may"
OWN = 2.0  # seconds of the processor that a letter may take in the service's own process


@pytest.fixture
def deadly(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Kill the process, as for its time, whenever what begins as in the list reaches it with the word in it."""
    kinds: list[bytes] = [limitedprocess.QUERY]
    kill_reader(
        monkeypatch,
        lambda content: signal.SIGXCPU if DEADLY in content and content[:1] in kinds else None,
    )
    return kinds


def told(house: PostHouse, reader: str) -> int:
    return sum(TOLD in line_of(each) for each in house.post(reader))


@pytest.mark.parametrize("kind", [limitedprocess.QUERY, limitedprocess.LETTER], ids=["understood", "read"])
def test_its_writer_and_the_umpire_are_told_once(house: PostHouse, deadly: list[bytes], kind: bytes) -> None:
    deadly[:] = [kind]
    house.game()
    house.write(ANN, "STEP 1 deadly")
    house.write(BOB, "STEP 2")
    for _ in range(3):
        house.tick()
    assert house.tuples("SELECT status, reason, attempts, game, player FROM letters ORDER BY id") == [
        ("parked", "too-costly", 1, "RR1", "ANN"),
        ("done", "", 0, "RR1", "BOB"),
    ]
    assert "takes more than 5 seconds" in house.value("SELECT trace FROM letters")
    assert (told(house, ANN), told(house, BOB)) == (1, 0)
    assert len(house.post(UMPIRE, "A letter was parked")) == 1


def test_of_a_strangers_the_umpire_alone_hears(house: PostHouse, deadly: list[bytes]) -> None:
    deadly[:] = [limitedprocess.LETTER]
    house.game()
    house.send("eve@example.com", "deadly")
    assert status(house) == [("parked", "stranger")]
    assert house.post("eve@example.com") == []


@pytest.mark.usefixtures("deadly")
def test_in_a_players_name_without_the_code_it_takes_nothing_from_the_player(coded: PostHouse) -> None:
    for number in range(8):
        coded.send(ANN, f"STEP 1 deadly {number}")
    coded.reply(coded.post(ANN)[0], "STEP 3")
    assert status(coded) == [("parked", "no code, too-costly")] * 8 + [("done", "")]
    assert told(coded, ANN) == IN_VAIN  # as of any letters in that name
    assert coded.value("SELECT text FROM order_sets") == "STEP 3"


@pytest.mark.usefixtures("deadly")
def test_after_too_many_wrong_codes_nothing_is_asked_about_a_letter(club: Clubs) -> None:
    house = club(identity__policy="token", identity__wrong_codes=1)
    house.game()
    house.send(ANN, "STEP 1", "[RR1-ANN-AAAAAAAA]")
    house.send(ANN, "STEP 1 deadly")
    assert [each[0] for each in status(house)] == ["held", "ignored"]


@pytest.fixture(scope="module")
def ireland(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostHouse]:
    """A game with 1,400 names, and the limits as they are in earnest."""
    folder = tmp_path_factory.mktemp("ireland")
    with closing(Reader()) as reader, PostHouse(folder / "club", reader, mail__replies_per_day=100) as house:
        house.ireland()
        house.send(ANN, "PASS")
        yield house


def parts(number: int, text: str) -> str:
    part = "--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
    return "".join(f"{part}{text.replace('@', str(at))}\r\n" for at in range(number)) + "--b--\r\n"


SLIPS = "".join(f"1{'abc'[line % 3]}) (Dubln@x{line}) - Cokr@x{line} - Belfst@x{line}\r\n" for line in range(600))
MANY = ("Content-Type: multipart/mixed; boundary=b", parts(40, SLIPS))
PLAIN = "Content-Type: text/plain; charset=utf-8"
HOSTILE = {
    "blanks behind PRESS TO": (PLAIN, "PRESS TO A" + " " * 480_000 + "b: hello"),
    "blanks behind RESEND": (PLAIN, "RESEND RR1" + " " * 480_000 + "x"),
    "dots behind ADDRESS": (PLAIN, "ADDRESS a@" + "." * 480_000),
    "marks on a letter": (PLAIN, "a" + "\u0315\u0300" * 120_000),
    "forty texts of slips": MANY,
    "a hundred thousand slips": (PLAIN, "ORDERS\r\n" + "Dubln\r\n" * 60_000 + "END"),
    "orders as long as they may be": (PLAIN, ("RUN 7: " + "12 - 13 - " * 195 + "44\r\n") * 200),
    "orders behind each other": (PLAIN, ("1a) (Dubln) - Y17 1b) (Corkk) - X " * 58 + "\r\n") * 200),
    "orders that stay as they were": (
        PLAIN,
        "".join(f"RUN {number} as before\r\n" for number in range(200)) + "HOME Cork",
    ),
    "best routes": (PLAIN, "".join(f"RUN {number}: FASTEST OR CHEAPEST\r\n" for number in range(200))),
    "as HTML too": (
        "Content-Type: multipart/alternative; boundary=b",
        parts(1, SLIPS).removesuffix("--b--\r\n")
        + "--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
        + SLIPS.replace("\r\n", "<br>")
        + "\r\n--b--\r\n",
    ),
}


LONG = ("forty texts of slips", "a hundred thousand slips", "orders as long as they may be", "as HTML too")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.testlong) if name in LONG else name for name in HOSTILE]
)
def test_no_letter_keeps_the_service_itself_busy(name: str, ireland: PostHouse) -> None:
    kind, text = HOSTILE[name]
    ireland.drop(f"From: {ANN}\r\nSubject: {name}\r\n{kind}\r\n\r\n{text}".encode())
    ireland.write(BOB, f"ORDERS\nHOME Dublin\nEND\nPRESS: {name}")
    began = time.process_time()
    ireland.tick()
    assert time.process_time() - began < OWN
    hostile, good = status(ireland)[-2:]
    assert hostile[0] in ("done", "refused", "parked"), hostile
    assert hostile[0] != "parked" or hostile[1] == "too-costly"
    assert good[0] == "done"


# A letter that kills the process that reads it is parked, and the next one is handled.


@pytest.fixture
def kills(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Kill the process with the signal in the list whenever a letter with the word reaches it."""
    signals: list[int] = [signal.SIGXCPU]
    kill_reader(monkeypatch, lambda content: signals[0] if DEADLY in content else None)
    return signals


def fates(house: PostHouse) -> list[tuple[str, int]]:
    return house.tuples("SELECT status, attempts FROM letters ORDER BY id")


def test_one_that_is_read_ahead_takes_no_other_with_it(race: PostHouse, kills: list[int]) -> None:
    race.write(BOB, "STEP 2")
    race.write(ANN, "STEP 1 deadly")
    race.send(ANN, "STEP 3")
    assert fates(race) == [("done", 0), ("parked", 1), ("done", 0)]
    assert race.column("SELECT text FROM order_sets ORDER BY id") == ["STEP 2", "STEP 3"]


def test_one_of_which_nobody_knows_why_is_tried_three_times(house: PostHouse, kills: list[int]) -> None:
    kills[0] = signal.SIGSEGV
    house.game()
    house.write(ANN, "STEP 1 deadly")
    house.send(BOB, "STEP 2")
    assert fates(house) == [("stored", 1), ("done", 0)]
    house.tick()
    house.tick()
    assert fates(house) == [("parked", 3), ("done", 0)]


def test_a_reader_killed_for_want_of_memory_is_no_try_and_turns_wait(house: PostHouse, kills: list[int]) -> None:
    """All else of the pass is made, but it ends with 75. After a day the letter is to blame."""
    kills[0] = signal.SIGKILL
    house.begin()
    with transaction(house.club):
        games.write(house.club, "RR1", deadline=house.clock.now + timedelta(hours=5))
    house.write(ANN, "STEP 1 deadly")
    house.write(BOB, "STEP 2")
    for _ in range(5):
        with pytest.raises(
            Undelivered, match=r"wait to be read: .* was killed, most likely for want of memory"
        ) as caught:
            house.tick()
        assert caught.value.exit_code == 75
        house.wait(hours=2)
    assert fates(house) == [("stored", 0), ("done", 0)]
    assert len(house.post(BOB)) == 2, "the other one is answered"
    assert house.value("SELECT turn FROM games") == 1
    house.wait(days=1)
    for attempts in (1, 2, 3):
        house.tick()
        assert fates(house)[0][1] == attempts
    assert house.value("SELECT turn FROM games") == 2


def refuse(*_: object, **__: object) -> NoReturn:
    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))


@pytest.mark.parametrize(
    ("where", "name", "broken", "said"),
    [
        (subprocess, "Popen", refuse, "no process can be begun on this machine now"),
        # as Python does without memory for what it imports
        (sys, "executable", "false", "ended before it could listen"),
    ],
)
def test_a_process_that_cannot_be_begun_or_ends_at_once_is_the_machines_fault_and_no_letter_is_parked(
    begun: PostHouse, monkeypatch: pytest.MonkeyPatch, where: object, name: str, broken: object, said: str
) -> None:
    begun.write(ANN, "STEP 1")
    READER.close()
    with monkeypatch.context() as short:
        short.setattr(limitedprocess, "_start", begin_as_in_a_club)
        short.setattr(where, name, broken)
        for _ in range(5):
            with pytest.raises(Undelivered, match=said):
                begun.tick()
            begun.wait(hours=12)
    assert fates(begun) == [("stored", 0)]
    begun.tick()
    assert fates(begun) == [("done", 0)]


def test_one_that_kills_whoever_handles_it_is_parked_and_the_next_handled(house: PostHouse) -> None:
    """Three times it looks like a power cut; then the letter is handled in a process of its own. What letters mean is asked in
    another one, which has none of our environment.
    """
    house.clock.today()
    house.game()
    house.send(ANN, "STEP 3")
    house.write(ANN, "ORDERS?")  # what is on file is reckoned in ours
    house.write(BOB, "STEP 2")
    for _ in range(3):
        assert house.command("tick", TINYGAME_DEADLY="3").returncode == -signal.SIGKILL
        assert fates(house)[1:] == [("stored", 0), ("stored", 0)]
    told = house.command("tick", TINYGAME_DEADLY="3")
    assert (told.returncode, fates(house)) == (0, [("done", 0), ("parked", 1), ("done", 0)])
    assert "was ended by signal 9" in house.value("SELECT trace FROM letters WHERE id = 2")
    assert "A letter was parked" in house.post(UMPIRE)[0]["Subject"]


def test_what_is_to_be_mended_first_is_no_fault_of_a_letter_that_is_handled_alone(race: PostHouse) -> None:
    race.write(ANN, "STEP 1")
    own = race.folder / "templates" / "common" / "acknowledgement.txt.j2"
    own.parent.mkdir(parents=True)
    own.write_text("Subject: ok\n{% if %}")
    for _ in range(4):  # the last of them by a process of its own
        with pytest.raises(ConfigError, match=r"acknowledgement\.txt\.j2:2"):
            race.tick()
    own.unlink()
    race.tick()
    assert fates(race) == [("done", 0)]


def test_a_command_of_the_umpires_is_one_too_where_it_is_handled_alone(house: PostHouse) -> None:
    house.clock.today()
    house.game()
    house.write(UMPIRE, "LOG RR1", "a command")
    collect(house.club)
    house.club.execute("UPDATE letters SET begun = 3")
    house.command("tick")
    assert [dict(row) for row in house.rows("SELECT status, reason FROM letters")] == [
        {"status": "done", "reason": "command of the umpire"}
    ]
