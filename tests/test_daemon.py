"""`referee run` as a service: it is woken, watched, stopped, and never runs twice."""

import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.daemon import until_signalled
from tests.posthouse import ANN, INSTALLED, ROOT, PostHouse
from tests.servers.dovecot import Dovecot
from tests.servers.fakeimap import Mailbox, fake_imap
from tests.servers.fixtures import need_dovecot
from tests.service.test_post_by_imap import imap_house, letter

PATIENCE = 120  # seconds: of a machine that has much else to do


@pytest.fixture
def told_socket(tmp_path: Path) -> Iterator[socket.socket]:
    """Where systemd listens."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "notify"))
        listener.settimeout(PATIENCE)
        yield listener


@contextmanager
def running(house: PostHouse, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """Run the service on a club (see ``servicerun``); it is killed at the end if it does not stop by itself."""
    (house.folder / "passes").write_bytes(b"")
    path = os.pathsep.join((str(ROOT), str(INSTALLED)))
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.servicerun", "--club", str(house.folder), "run"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "PASSES": str(house.folder / "passes"), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def until(true: Callable[[], object]) -> bool:
    """Return whether something comes true before our patience ends."""
    end = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def stop(process: subprocess.Popen[str], number: int = signal.SIGTERM) -> tuple[str, str]:
    process.send_signal(number)
    return process.communicate(timeout=PATIENCE)


def answered(house: PostHouse) -> bool:
    return bool(house.rows("SELECT 1 FROM outbox WHERE kind = 'acknowledgement' AND state = 'sent'"))


def passes(house: PostHouse) -> int:
    """Return how many passes the service has made, good and broken ones."""
    return (house.folder / "passes").stat().st_size


@pytest.mark.dovecot
def test_a_letter_wakes_the_service_and_a_signal_ends_it_while_it_waits(
    tmp_path: Path, dovecot: Dovecot, mailbox: str
) -> None:
    """Long before the hour between two passes is over."""
    with imap_house(tmp_path / "club", dovecot.ports.imap, mailbox, mail__poll=3600) as house:
        house.game()
        with running(house) as process:
            assert until(lambda: passes(house))
            dovecot.deliver(mailbox, letter(ANN, "STEP 3"))
            assert until(lambda: answered(house))
            out, err = stop(process)
    assert (process.returncode, err) == (0, "")
    assert "letters handled: 1" in out


def test_a_letter_in_the_maildir_wakes_the_service_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", mail__poll=3600) as house:
        house.clock.today()
        house.game()
        with running(house) as process:
            assert until(lambda: passes(house))
            house.write(ANN, "STEP 3")
            assert until(lambda: answered(house))
            _, err = stop(process, signal.SIGINT)
    assert (process.returncode, err) == (0, "")


def test_a_signal_while_the_loop_goes_to_sleep_does_not_hold_it_up() -> None:
    """A signal is handled by the thread that may just be holding the lock of what it waits for."""
    with until_signalled() as stop:
        signal.setitimer(signal.ITIMER_REAL, 20)  # else the test itself would hang
        with vars(stop)["_cond"]:
            signal.raise_signal(signal.SIGTERM)
        assert stop.wait(20)


def test_a_frozen_server_in_the_middle_of_a_pass_holds_up_no_end(tmp_path: Path) -> None:
    """The server would be waited for many minutes."""
    mailbox = Mailbox()
    with (
        fake_imap(mailbox) as port,
        imap_house(tmp_path / "club", port, "referee", mail__poll=1, imap__timeout=600) as house,
        running(house) as process,
    ):
        assert until(lambda: mailbox.heard[-1:] == ["IDLE"])
        mailbox.frozen.set()
        assert until(lambda: mailbox.heard[-1:] == ["NOOP"])  # a pass has begun, and has no answer
        _, err = stop(process)
        mailbox.frozen.clear()
    assert process.returncode == 0
    assert err == "referee: the last pass took longer than 1 seconds: broken off, the next one goes on from there\n"


def test_settings_that_are_wrong_end_the_service_when_it_starts_and_are_borne_later(tmp_path: Path) -> None:
    mailbox = Mailbox()
    with fake_imap(mailbox) as port, imap_house(tmp_path / "club", port, "referee", mail__poll=1) as house:
        secret, away = house.folder / "secret", house.folder / "away"
        secret.rename(away)
        at_once = house.command("run")
        assert (at_once.returncode, at_once.stdout) == (78, "")
        assert "secret cannot be read" in at_once.stderr
        away.rename(secret)
        with running(house) as process:
            assert until(lambda: passes(house))
            secret.rename(away)
            mailbox.poison.add(1)
            mailbox.letters[1] = letter(ANN, "STEP 3")  # at which the line is cut: a new login is needed
            assert until(lambda: mailbox.heard.count("FETCH") > 1)
            before = passes(house)
            assert until(lambda: passes(house) > before + 2)
            mailbox.poison.clear()
            away.rename(secret)
            assert until(lambda: mailbox.letters == {})
            _, err = stop(process)
    assert process.returncode == 0
    assert err.count("secret cannot be read") == 1, "the log says once what is wrong"


def test_a_second_service_for_the_same_club_says_so_and_ends(house: PostHouse) -> None:
    with running(house) as process:
        assert until(lambda: passes(house))
        second = house.command("run")
        assert (second.returncode, second.stdout) == (75, "")
        assert "another `referee run` is at work" in second.stderr
        stop(process)
    with running(house) as process:  # the lock ends with the process
        assert until(lambda: passes(house))
        stop(process)
    assert process.returncode == 0


def test_systemd_is_told_when_the_service_is_ready_alive_and_stopping(
    house: PostHouse, told_socket: socket.socket
) -> None:
    with running(house, NOTIFY_SOCKET=told_socket.getsockname(), WATCHDOG_USEC="2000000") as process:
        words = [told_socket.recv(100) for _ in range(4)]
        process.send_signal(signal.SIGTERM)
        while words[-1] != b"STOPPING=1":
            words.append(told_socket.recv(100))
    assert words[0] == b"READY=1"
    assert set(words[1:-1]) == {b"WATCHDOG=1"}


@pytest.mark.dovecot
def test_the_watchdog_starves_while_the_inbox_cannot_be_read_and_the_service_comes_back_by_itself(
    tmp_path: Path, mailbox: str, told_socket: socket.socket
) -> None:
    need_dovecot()
    with Dovecot() as server, imap_house(tmp_path / "club", server.ports.imap, mailbox, mail__poll=1) as house:
        server.kill()
        notify = told_socket.getsockname()
        with running(house, NOTIFY_SOCKET=notify) as process:
            assert told_socket.recv(100) == b"READY=1"
            assert until(lambda: passes(house) > 2)
            assert select.select([told_socket], [], [], 0)[0] == []
            server.start()
            assert told_socket.recv(100) == b"WATCHDOG=1"
            _, err = stop(process)
    assert err.count("cannot be reached") == 1, "the log says once what is down"
    assert process.returncode == 0


@pytest.mark.dovecot
def test_a_line_that_breaks_while_it_waits_is_told_once_and_only_if_it_cannot_be_opened_anew(
    tmp_path: Path, mailbox: str, told_socket: socket.socket
) -> None:
    need_dovecot()
    with (
        Dovecot() as server,
        imap_house(tmp_path / "club", server.ports.imap, mailbox, mail__poll=1) as house,
        running(house, NOTIFY_SOCKET=told_socket.getsockname()) as process,
    ):
        assert [told_socket.recv(100) for _ in range(2)] == [b"READY=1", b"WATCHDOG=1"]
        server.kill()
        before = passes(house)
        assert until(lambda: passes(house) > before + 1)  # it has tried to open the line anew
        _, err = stop(process)
    assert [line for line in err.splitlines() if "cannot be reached" not in line] == []
    assert err.count("cannot be reached") == 1
