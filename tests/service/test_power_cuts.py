"""The power is cut at every labelled step of a pass, and at random moments: no letter is lost, doubled or blamed."""

import email
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.service import club
from tests.posthouse import ANN, BOB, Clubs, PostHouse
from tests.servers.dovecot import Dovecot
from tests.servers.fixtures import need_dovecot
from tests.servers.gateway import gateway
from tests.servers.mailhost import smtp_settings
from tests.service.test_post_by_imap import imap_house, letter

# The power is cut at every labelled step of a pass over real mail servers: IMAP in, SMTP out.


SERVED = ("receive:moved", "send:sent", "guard:moved")


def cut_at(steps: tuple[str, ...]) -> pytest.MarkDecorator:
    rows = [step if step in SERVED else pytest.param(step, marks=pytest.mark.testlong) for step in steps]
    return pytest.mark.parametrize("name", rows)


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[Dovecot, int]]:
    """A Dovecot for these tests alone, as the players' mailboxes fill up, and the port of its gateway."""
    need_dovecot()
    with Dovecot() as server, gateway(server.lmtp) as port:
        yield server, port


@pytest.fixture
def served(tmp_path: Path, servers: tuple[Dovecot, int], mailbox: str) -> Iterator[PostHouse]:
    server, port = servers
    out = {**smtp_settings(port), "smtp__password_file": "secret"}
    with imap_house(tmp_path / "club", server.ports.imap, mailbox, **out) as made:
        yield made


def received(server: Dovecot, house: PostHouse) -> dict[str, list[bytes]]:
    """Return what reached the players of this club, by Message-ID, without the lines that the servers wrote on top."""
    ours = {row.message_id: row.raw for row in house.ours()}
    found: dict[str, list[bytes]] = {name: [] for name in ours}
    for player in ("ann", "bob", "umpire"):
        for _, raw in server.folder_letters(player):
            name = str(email.message_from_bytes(raw)["Message-ID"])
            if name in found:
                found[name].append(raw[-len(ours[name]) :])
    return found


@pytest.mark.dovecot
@cut_at(club.PASS_STEPS)
def test_a_power_cut_at_any_step_counts_each_order_once_and_loses_no_letter(
    served: PostHouse, servers: tuple[Dovecot, int], mailbox: str, name: str
) -> None:
    server, _ = servers
    served.game()
    server.deliver(mailbox, letter(ANN, "STEP 3\r\nPRESS: hello"))
    server.deliver(mailbox, letter(BOB, "STEP 3", 2))
    assert served.tick_apart(crash_at=name).returncode == -9, "the process was not killed"
    served.clock.today(minutes=6)  # the dead process's lease is over
    served.tick()
    served.later(minutes=6)
    assert served.column("SELECT status FROM letters") == ["done", "done"]
    assert served.column("SELECT text FROM order_sets") == ["STEP 3", "STEP 3"]
    assert len(served.rows("SELECT * FROM press")) == 1
    assert served.column("SELECT turn FROM turns ORDER BY turn") == [0, 1]
    assert server.folder_letters(mailbox) == []
    assert len(server.folder_letters(mailbox, "Referee.Processed")) == 2
    written = {row.message_id: row.raw for row in served.ours()}
    assert len(written) == 6
    arrived = received(server, served)
    for number, raw in written.items():
        assert arrived[number], f"{number} was lost"
        assert set(arrived[number]) == {raw}
    # Only where it is unknown whether a letter left is it sent again.
    again = sum(len(copies) - 1 for copies in arrived.values())
    assert again == (1 if name == "send:sent" else 0)


@pytest.mark.dovecot
@cut_at(club.GUARD_STEPS)
def test_a_power_cut_while_deadlines_are_moved_moves_each_once_and_counts_what_came_after_it(
    served: PostHouse, servers: tuple[Dovecot, int], mailbox: str, name: str
) -> None:
    """The referee was away for eight days, in which the deadline fell; a letter came on the last of them."""
    server, _ = servers
    settings = served.folder / "referee.toml"
    settings.write_text(settings.read_text("utf-8").replace("downtime_hold = 0", "downtime_hold = 24"), "utf-8")
    served.clock.today(days=-8)
    served.begin()
    server.deliver(mailbox, letter(ANN, "STEP 3"))
    assert served.tick_apart(crash_at=name).returncode == -9, "the process was not killed"
    served.clock.today(minutes=6)  # the dead process's lease is over
    assert served.tick_again().turns == ()
    (moved,) = served.rows("SELECT text FROM log WHERE what = 'deadline-moved'")
    (due,) = served.rows("SELECT deadline FROM games")
    assert moved["text"].endswith(f" -> {due['deadline']}")
    assert timedelta(hours=23) < datetime.fromisoformat(due["deadline"]) - served.clock.now < timedelta(hours=24)
    assert served.column("SELECT text FROM order_sets") == ["STEP 3"]
    kinds = served.column("SELECT kind FROM outbox WHERE kind != 'newsletter' ORDER BY kind")
    assert kinds == ["acknowledgement", "outage", "postponed", "postponed"]
    written = {row.message_id: row.raw for row in served.ours()}
    arrived = received(server, served)
    assert {
        number: copies for number, copies in arrived.items() if len(copies) != 1 or copies[0] != written[number]
    } == {}
    served.later(hours=13)
    served.wait(hours=13)
    assert served.tick_again().turns == ("RR1/1",)


@pytest.mark.dovecot
def test_letters_of_an_outage_that_a_power_cut_ended_are_counted_in_time(
    served: PostHouse, servers: tuple[Dovecot, int], mailbox: str
) -> None:
    """The letter lay there by the deadline; the pass that fetched it died; the next one plays the turn with it."""
    server, _ = servers
    served.begin()
    served.club.execute("UPDATE games SET deadline = ?", [datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")])
    served.club.conn.commit()
    server.deliver(mailbox, letter(ANN, "STEP 3"))
    assert served.tick_apart(crash_at="receive:stored").returncode == -9
    served.clock.today(hours=2)
    assert served.tick().turns == ("RR1/1",)
    assert served.column("SELECT player FROM order_sets") == ["ANN"]


# The power is cut at random moments of a pass, in a process of its own: no letter is blamed for it, lost or counted twice.


CUTS = 12  # of one club
CUTTERS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)  # the power, whoever stops us, Ctrl-C


def cut_after(house: PostHouse, seconds: float, by: signal.Signals) -> None:
    """Begin a pass and end it then, unless it is done by then."""
    with house.begun("tick") as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(by)


def assert_undisturbed(house: PostHouse, ours: int) -> None:
    """All letters were handled, and no more or less than so many *ours* written and sent, each once."""
    rows = house.rows("SELECT status, trace FROM letters")
    assert {(row["status"], row["trace"]) for row in rows} == {("done", "")}
    written = house.column("SELECT message_id FROM outbox ORDER BY id")
    assert [str(letter["Message-ID"]) for letter in house.post()] == written
    assert len(house.sent_files()) == len(written) == ours


@pytest.mark.parametrize(("step", "cuts"), [("receive:begun", 5), ("receive:filing", 3)])
def test_a_cut_is_no_attempt(house: PostHouse, step: str, cuts: int) -> None:
    """After three of them the letter is handled in a process of its own, which dies of none."""
    house.clock.today()
    house.game()
    house.write(ANN, "STEP 3")
    for _ in range(cuts):
        assert house.tick_apart(crash_at=step).returncode == -9, "the process was not killed"
    assert house.tick_apart().returncode == 0
    assert_undisturbed(house, 3)


@pytest.mark.testlong
@pytest.mark.parametrize("seed", range(4))
def test_cuts_at_random_moments_park_double_and_lose_nothing(club: Clubs, seed: int) -> None:
    """In every second club there is but one letter, so that all cuts meet the same."""
    chance = random.Random(seed)  # noqa: S311
    house = club()
    house.clock.today()
    began = time.monotonic()
    assert house.tick_apart().returncode == 0
    longest = time.monotonic() - began
    house.game()
    house.write(ANN, "STEP 3\nPRESS: hello")
    if seed % 2:
        house.write(BOB, "STEP 3")
    for _ in range(CUTS):
        cut_after(house, chance.uniform(0, longest), chance.choice(CUTTERS))
    house.clock.today(minutes=6)  # a dead process's lease is over
    house.tick()
    assert_undisturbed(house, 6 if seed % 2 else 3)
    assert len(house.rows("SELECT * FROM turns")) == 1 + seed % 2
    assert house.column("SELECT text FROM press") == ["hello"]
