"""A Maildir as a post office: letters wait in new/, are done in cur/, and go out exactly once."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.core.errors import ConfigError
from referee.mail.maildir import MaildirSource, MaildirTransport, letter_name, make_maildir


@pytest.fixture
def box(tmp_path: Path) -> Path:
    make_maildir(tmp_path / "mail" / "in")
    return tmp_path / "mail" / "in"


def put(box: Path, name: str, raw: bytes = b"x", mtime: int = 0, folder: str = "new") -> None:
    (box / folder / name).write_bytes(raw)
    os.utime(box / folder / name, (mtime, mtime))


def test_letters_wait_oldest_first(box: Path) -> None:
    put(box, "b", b"second", 20)
    put(box, "c", b"first", 10)
    put(box, "a", b"third", 20)
    put(box, "seen:2,S", folder="cur")
    put(box, "half", folder="tmp")
    put(box, ".hidden")
    (box / "new" / "folder").mkdir()
    (box / "new" / "gone").symlink_to(box / "nowhere")
    waiting = MaildirSource(box).waiting()
    assert [(arrival.key, arrival.size) for arrival in waiting] == [("c", 5), ("a", 5), ("b", 6)]
    assert waiting[0].arrived == datetime(1970, 1, 1, 0, 0, 10, tzinfo=UTC)


def test_a_letter_is_read_up_to_the_limit(box: Path) -> None:
    put(box, "a", b"0123456789")
    assert MaildirSource(box).read("a", 4) == b"0123"
    assert MaildirSource(box).read("a", 100) == b"0123456789"


def test_a_letter_that_vanished_is_told(box: Path) -> None:
    with pytest.raises(FileNotFoundError):
        MaildirSource(box).read("gone", 10)


@pytest.mark.parametrize("key", ["../cur/x", "/etc/passwd", "", "..", "a\0b"])
def test_a_path_is_no_key(box: Path, key: str) -> None:
    with pytest.raises(ValueError, match="names no letter"):
        MaildirSource(box).read(key, 10)


def test_done_marks_as_seen_and_may_be_said_twice(box: Path) -> None:
    put(box, "1.a.host")
    source = MaildirSource(box)
    source.done("1.a.host")
    source.done("1.a.host")
    assert source.waiting() == ()
    assert (box / "cur" / "1.a.host:2,S").read_bytes() == b"x"


def test_a_parked_letter_is_kept_aside(box: Path) -> None:
    put(box, "a", b"poison")
    source = MaildirSource(box)
    source.park("a")
    source.park("a")
    assert source.waiting() == ()
    assert (box / ".Parked" / "cur" / "a:2,S").read_bytes() == b"poison"
    assert (box / ".Parked" / "maildirfolder").exists()


def test_a_missing_maildir_is_for_the_umpire_to_mend(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no Maildir"):
        MaildirSource(tmp_path / "nowhere").waiting()
    with pytest.raises(ConfigError, match="no Maildir"):
        MaildirTransport(tmp_path / "nowhere").send("<a@b.c>", b"x")


def test_a_letter_is_delivered_exactly_once(box: Path) -> None:
    transport, source = MaildirTransport(box), MaildirSource(box)
    transport.send("<rr7.1@club.example>", b"one\r\n")
    transport.send("<rr7.1@club.example>", b"one\r\n")
    (arrival,) = source.waiting()
    assert source.read(arrival.key, 100) == b"one\r\n"
    source.done(arrival.key)
    transport.send("<rr7.1@club.example>", b"one\r\n")
    assert source.waiting() == ()
    assert list((box / "tmp").iterdir()) == []


def test_a_delivery_cut_short_is_done_again(box: Path) -> None:
    put(box, f"{letter_name('<a@b.c>')}.{os.getpid()}.1", b"hal", folder="tmp")
    MaildirTransport(box).send("<a@b.c>", b"half")
    assert [path.read_bytes() for path in (box / "new").iterdir()] == [b"half"]


def test_letters_and_folders_are_private(box: Path) -> None:
    MaildirTransport(box).send("<a@b.c>", b"x")
    (letter,) = (box / "new").iterdir()
    assert letter.stat().st_mode & 0o777 == 0o600
    assert (box / "new").stat().st_mode & 0o777 == 0o700


def test_names_of_letters_are_plain_and_different() -> None:
    names = [letter_name(f"<{text}@b.c>") for text in ("a/b", "a:2,S", "a-b", "../../x", "x" * 500, "é")]
    assert len(set(names)) == len(names)
    assert all(name.isascii() and len(name) < 110 and not set(name) & set("/:\0") and name[0] != "." for name in names)
