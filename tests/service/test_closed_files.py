"""Files and folders of the club that its account may not read or write: the post goes on, or says in a sentence why not."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, text_of
from tests.rights import plain_command


@pytest.fixture
def post(tmp_path: Path) -> Iterator[PostHouse]:
    """A club with a game whose opening is out, at the machine's time."""
    with PostHouse(tmp_path / "club") as house:
        house.clock.now = datetime.now(UTC)
        house.begin()
        yield house
        for path in house.folder.rglob("*"):
            path.chmod(0o700 if path.is_dir() else 0o600)


def statuses(post: PostHouse) -> list[str]:
    return [row["status"] for row in post.rows("SELECT status FROM letters ORDER BY id")]


def test_a_letter_that_may_not_be_read_keeps_no_other_waiting_and_the_umpire_hears_of_it(post: PostHouse) -> None:
    closed = post.write(ANN, "STEP 1")
    post.write(BOB, "STEP 3")
    closed.chmod(0)
    first = plain_command(post.folder, "tick")
    assert (first.returncode, first.stdout) == (0, "letters handled: 1, letters sent: 1\n")
    assert f"{closed} cannot be read: Permission denied" in first.stderr
    assert "Traceback" not in first.stderr
    assert statuses(post) == ["done"]
    assert closed.exists()
    for _ in range(2):
        plain_command(post.folder, "tick")
    assert statuses(post) == ["done", "parked"]
    (told,) = post.post(UMPIRE)
    assert "could not be read in three passes" in text_of(told)
    assert "Permission denied" in text_of(told)
    (parked,) = (post.folder / "mail" / "in" / ".Parked" / "cur").iterdir()
    last = plain_command(post.folder, "tick")
    assert (last.returncode, last.stderr) == (0, "")
    parked.chmod(0o600)
    parked.rename(closed)
    assert "letters handled: 1, turns played: RR1/1" in plain_command(post.folder, "tick").stdout
    assert statuses(post) == ["done", "parked", "done"]


def test_a_letter_that_may_neither_be_read_nor_moved_is_told_of_once(post: PostHouse) -> None:
    post.write(ANN, "STEP 1").chmod(0)
    (post.folder / "mail" / "in" / "new").chmod(0o500)
    for _ in range(5):
        assert plain_command(post.folder, "tick").returncode == 0
    assert statuses(post) == ["parked"]
    assert len(post.post(UMPIRE)) == 1
    assert len(post.rows("SELECT 1 FROM log WHERE what = 'letter-parked'")) == 1


def test_letters_that_cannot_be_moved_are_answered_once_and_moved_when_they_can(post: PostHouse) -> None:
    done = post.folder / "mail" / "in" / "cur"
    waiting = post.write(ANN, "STEP 3")
    done.chmod(0o500)
    for _ in range(2):
        told = plain_command(post.folder, "tick")
        assert (told.returncode, told.stderr) == (0, f"referee: {waiting} stays where it is: Permission denied\n")
    assert statuses(post) == ["done"]
    assert len(post.post(ANN, "Orders for turn 1 received")) == 1
    done.chmod(0o700)
    assert plain_command(post.folder, "tick").stderr == ""
    assert [path.name for path in done.iterdir()] == [f"{waiting.name}:2,S"]


def test_an_inbox_that_may_not_be_looked_into_is_an_inbox_that_is_down(post: PostHouse) -> None:
    inbox = post.folder / "mail" / "in" / "new"
    for mode in (0, 0o400):
        inbox.chmod(0o700)
        letter = post.write(ANN, "STEP 3")
        inbox.chmod(mode)
        told = plain_command(post.folder, "tick")
        assert told.returncode == 75
        assert told.stderr.startswith(f"referee: {inbox if mode == 0 else letter.parent}")
        assert told.stderr.endswith("Permission denied\n")
        assert told.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["tick", "run"])
def test_a_lock_of_another_account_is_a_sentence(post: PostHouse, command: str) -> None:
    lock = post.folder / f"{command}.lock"
    lock.touch()
    lock.chmod(0)
    told = plain_command(post.folder, command)
    assert told.returncode == 78
    assert told.stderr == (
        f"referee: {lock} cannot be opened: Permission denied; run every command as the account that the club belongs to\n"
    )


@pytest.mark.parametrize("command", ["tick", "status"])
def test_a_database_of_another_account_is_a_sentence(post: PostHouse, command: str) -> None:
    (post.folder / "referee.db").chmod(0o200)
    told = plain_command(post.folder, command)
    assert told.returncode == 78
    assert told.stderr == (
        f"referee: {post.folder}/referee.db may not be read and written: run every command as the account "
        "that the club belongs to, or mend mode and mount\n"
    )


def test_the_doctor_sees_letters_and_folders_that_are_closed_without_asking_any_server(post: PostHouse) -> None:
    letter = post.write(ANN, "STEP 3")
    letter.chmod(0)
    (post.folder / "mail" / "in" / "cur").chmod(0o500)
    told = plain_command(post.folder, "doctor", "--local")
    assert told.returncode == 1
    assert f"{post.folder}/mail/in/cur cannot be read and written: mend its owner and mode" in told.stdout
    (post.folder / "mail" / "in" / "cur").chmod(0o700)
    told = plain_command(post.folder, "doctor", "--local")
    assert f"1 letter that waits cannot be read: {letter}: mend owner and mode" in told.stdout


@pytest.mark.parametrize(("path", "mode"), [("", 0o500), ("referee.db", 0o400), ("referee.db", 0)])
def test_the_doctor_takes_no_closed_folder_for_a_damaged_database(post: PostHouse, path: str, mode: int) -> None:
    post.club.db.close()  # the files that SQLite keeps beside an open database are gone
    (post.folder / path).chmod(mode)
    told = plain_command(post.folder, "doctor", "--local")
    (post.folder / path).chmod(0o700)
    assert told.returncode == 1
    assert "Traceback" not in told.stderr
    assert "backup" not in told.stdout
    assert "fault    " in told.stdout
