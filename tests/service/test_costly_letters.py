"""One letter never stops the service: what takes more than a letter may is parked, its writer is told once, and all else goes on.

What a letter takes from the service's own process is its time of the processor; other work on the machine counts for nothing.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from referee.reader import limitedprocess
from referee.reader.reader import Reader
from referee.service.letters.limits import IN_VAIN
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Proposal, parse_player
from tests.doomedreader import DEADLY, kill_reader
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, line_of

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


def status(house: PostHouse) -> list[tuple[str, str]]:
    return [(row["status"], row["reason"]) for row in house.rows("SELECT status, reason FROM letters ORDER BY id")]


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
    assert status(house) == [("parked", "too-costly"), ("done", "")]
    (row,) = house.rows("SELECT attempts, trace, game, player FROM letters WHERE id = 1")
    assert (row["attempts"], row["game"], row["player"]) == (1, "RR1", "ANN")
    assert "takes more than 5 seconds" in row["trace"]
    assert (told(house, ANN), told(house, BOB)) == (1, 0)
    assert len(house.post(UMPIRE, "A letter was parked")) == 1


def test_of_a_strangers_the_umpire_alone_hears(house: PostHouse, deadly: list[bytes]) -> None:
    deadly[:] = [limitedprocess.LETTER]
    house.game()
    house.send("eve@example.com", "deadly")
    assert status(house) == [("parked", "stranger")]
    assert house.post("eve@example.com") == []


def test_in_a_players_name_without_his_code_it_takes_nothing_from_him(
    tmp_path_factory: pytest.TempPathFactory, deadly: list[bytes]
) -> None:
    with PostHouse(tmp_path_factory.mktemp("forged") / "club", identity__policy="token") as house:
        house.begin()
        for number in range(8):
            house.send(ANN, f"STEP 1 deadly {number}")
        house.reply(house.post(ANN)[0], "STEP 3")
        assert status(house) == [("parked", "no code, too-costly")] * 8 + [("done", "")]
        assert told(house, ANN) == IN_VAIN  # as of any letters in his name
        assert house.rows("SELECT text FROM order_sets")[0]["text"] == "STEP 3"


def test_after_too_many_wrong_codes_nothing_is_asked_about_a_letter(
    tmp_path_factory: pytest.TempPathFactory, deadly: list[bytes]
) -> None:
    with PostHouse(
        tmp_path_factory.mktemp("shut") / "club", identity__policy="token", identity__wrong_codes=1
    ) as house:
        house.game()
        house.send(ANN, "STEP 1", "[RR1-ANN-AAAAAAAA]")
        house.send(ANN, "STEP 1 deadly")
        assert [each[0] for each in status(house)] == ["held", "ignored"]


@pytest.fixture(scope="module")
def ireland(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostHouse]:
    """A game with 1,400 names, and the limits as they are in earnest."""
    folder = tmp_path_factory.mktemp("ireland")
    with closing(Reader()) as reader, PostHouse(folder / "club", reader, mail__replies_per_day=100) as house:
        players = (f"GSW:red:Ann <{ANN}>", f"MGW:blue:Bob <{BOB}>", "BNC:green:Cyd <cyd@example.org>")
        new_game(house.club, Proposal(kind="dampfross", board="ireland", players=tuple(map(parse_player, players))))
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
