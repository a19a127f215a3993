"""Letters that are not where they should be: copied but not gone, taken out by another program, or those of another club."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.service.doctor.database import database_findings
from tests.mail.imapbox import PLAIN
from tests.posthouse import ANN, UMPIRE, PostHouse, text_of
from tests.servers.fixtures import server_with
from tests.service.test_recovery import OnServer


@pytest.fixture
def now(tmp_path: Path) -> Iterator[PostHouse]:
    """A club of this very time: the disk says when a file was moved."""
    with PostHouse(tmp_path / "club") as house:
        house.clock.now = datetime.now(UTC)
        house.begin()
        yield house


def said(house: PostHouse) -> list[str]:
    return [each.text for each in database_findings(house.club.config, house.clock.now) if each.topic == "inbox"]


def statuses(house: PostHouse) -> list[str]:
    return [row["status"] for row in house.rows("SELECT status FROM letters ORDER BY id")]


def taken_out(path: Path, flags: str = ":2,") -> Path:
    """Move a letter as Dovecot does that lists the folder, or mutt when it was read."""
    return path.rename(path.parents[1] / "cur" / f"{path.name}{flags}")


@pytest.mark.dovecot
@pytest.mark.parametrize("capability", ["IMAP4rev1 UIDPLUS NAMESPACE", "IMAP4rev1"])
def test_what_nobody_may_mark_as_deleted_is_copied_once_and_told(tmp_path: Path, mailbox: str, capability: str) -> None:
    rights = "mail_plugins = acl\nplugin {\n  acl = vfile\n}"
    with server_with(capability, more=rights) as server:
        server.deliver(mailbox, PLAIN)
        allowed = server.folder / "mail" / mailbox / "Maildir" / "dovecot-acl"
        allowed.write_text("owner lrwsipk\n")  # but for t: to mark as deleted
        with OnServer(tmp_path / "club", server, mailbox) as house:
            house.game()
            for _ in range(5):
                house.tick_again()
            assert len(server.folder_letters(mailbox, "Referee.Processed")) == 1
            assert len(server.folder_letters(mailbox)) == 1
            assert statuses(house) == ["held"]
            (told,) = house.post(UMPIRE, "Letters stay in the inbox")
            assert "copied letters that were stored to Referee/Processed" in text_of(told).replace("\n", " ")
            assert said(house)[0].startswith("letters stay in imap.folder")


@pytest.mark.parametrize("flags", [":2,", ":2,S", ":2,RS"])
def test_a_letter_that_another_program_took_out_unread_is_read(now: PostHouse, flags: str) -> None:
    taken_out(now.write(ANN, "STEP 3"), flags)
    now.clock.now = datetime.now(UTC)
    now.tick()
    assert statuses(now) == ["done"]


def test_letters_that_were_read_are_not_read_again_whatever_they_are_called(now: PostHouse) -> None:
    first = now.write(ANN, "STEP 3")
    now.tick()
    shutil.copy(next((now.folder / "mail" / "in" / "cur").iterdir()), first.parents[1] / "cur" / "another:2,S")
    for _ in range(3):
        now.tick()
    assert statuses(now) == ["done"]
    assert sorted(path.name for path in (first.parents[1] / "cur").iterdir()) == [f"{first.name}:2,S", "another:2,S"]


def test_a_letter_with_another_clubs_code_is_told_once_a_day(tmp_path: Path) -> None:
    with (
        PostHouse(tmp_path / "ours", identity__policy="token") as ours,
        PostHouse(tmp_path / "theirs", identity__policy="token") as theirs,
    ):
        theirs.begin()
        (opening,) = theirs.post(ANN)
        for _ in range(2):
            ours.reply(opening, "STEP 3")
        assert statuses(ours) == ["ignored", "ignored"]
        (told,) = ours.post(UMPIRE, "A letter for another club?")
        assert "answers a letter about RR1, with a code that this club has never given out" in text_of(told).replace(
            "\n", " "
        )
        assert "code of another club" in said(ours)[0]
        theirs.reply(opening, "STEP 3")
        assert theirs.post(UMPIRE) == []
