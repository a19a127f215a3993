"""A Maildir as a post office: letters wait in new/, are done in cur/, and go out exactly once."""

import os
import socket
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.core import ConfigError, LetterUnreadable
from referee.mail.maildir import MaildirSource, MaildirTransport, letter_name, make_maildir
from tests.mail.boxes import Stop


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
    source.take_out("1.a.host")
    source.take_out("1.a.host")
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


def test_a_second_letter_of_the_same_name_does_not_overwrite_the_first(box: Path) -> None:
    """Whoever puts files there by hand may use a name twice; of a parked letter ours may be the only whole copy."""
    source = MaildirSource(box)
    for raw in (b"one", b"two", b"three"):
        put(box, "a", raw)
        source.take_out("a")
        put(box, "b:2,F", raw)
        source.park("b:2,F")
    done = {path.name: path.read_bytes() for path in (box / "cur").iterdir()}
    assert done == {"a:2,S": b"one", "a.2:2,S": b"two", "a.3:2,S": b"three"}
    parked = {path.name: path.read_bytes() for path in (box / ".Parked" / "cur").iterdir()}
    assert parked == {"b:2,F": b"one", "b.2:2,F": b"two", "b.3:2,F": b"three"}


def test_a_letter_that_cannot_be_moved_stays_with_a_warning(box: Path, caplog: pytest.LogCaptureFixture) -> None:
    name = "x" * 255  # as long as a name can be
    put(box, name)
    put(box, "a")
    source = MaildirSource(box)
    source.take_out(name, "a")
    source.park(name)
    assert [path.name for path in (box / "new").iterdir()] == [name]
    assert caplog.text.count("stays where it is: File name too long") == 2


@pytest.mark.parametrize("other", ["folder", "link", "pipe", "socket"])
def test_what_is_put_in_the_place_of_a_letter_is_neither_read_nor_taken_for_gone(box: Path, other: str) -> None:
    """A link may lead to what its maker may not read; nobody may ever write into a pipe."""
    put(box, "a")
    source = MaildirSource(box)
    source.waiting()
    place = box / "new" / "a"
    place.unlink()
    (box.parent / "secret").write_text("the dice to come")
    with socket.socket(socket.AF_UNIX) as listener:
        if other == "folder":
            place.mkdir()
        elif other == "link":
            place.symlink_to(box.parent / "secret")
        elif other == "pipe":
            os.mkfifo(place)
        else:
            listener.bind(str(place))
        with pytest.raises(LetterUnreadable, match="a cannot be read: "):
            source.read("a", 10)


def test_who_waits_for_a_folder_that_went_away_does_not_return_at_once(box: Path) -> None:
    """Else the loop would run hot until somebody brought it back."""
    source = MaildirSource(box)
    source.waiting()
    (box / "new").rmdir()
    stop = Stop(looks=5)
    source.wait(600, stop)
    assert stop.gave_up


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
    source.take_out(arrival.key)
    transport.send("<rr7.1@club.example>", b"one\r\n")
    assert source.waiting() == ()
    assert list((box / "tmp").iterdir()) == []


def test_a_delivery_cut_short_is_done_again(box: Path) -> None:
    put(box, f"{letter_name('<a@b.c>')}.{os.getpid()}.1", b"hal", folder="tmp")
    MaildirTransport(box).send("<a@b.c>", b"half")
    assert [path.read_bytes() for path in (box / "new").iterdir()] == [b"half"]


@pytest.mark.parametrize("target", ["referee.toml", "nothing"])
def test_a_draft_is_written_through_no_link(box: Path, target: str) -> None:
    """Whoever may write into tmp/ could else have files of the club's overwritten."""
    aim = box.parent / target
    (box.parent / "referee.toml").write_text("settings")
    (box / "tmp" / f"{letter_name('<a@b.c>')}.{os.getpid()}.{threading.get_ident()}").symlink_to(aim)
    MaildirTransport(box).send("<a@b.c>", b"half")
    assert [path.read_bytes() for path in (box / "new").iterdir() if not path.is_symlink()] == [b"half"]
    assert (box.parent / "referee.toml").read_text() == "settings"
    assert not (box.parent / "nothing").exists()


def test_letters_and_folders_are_private(box: Path) -> None:
    MaildirTransport(box).send("<a@b.c>", b"x")
    (letter,) = (box / "new").iterdir()
    assert letter.stat().st_mode & 0o777 == 0o600
    assert (box / "new").stat().st_mode & 0o777 == 0o700


def test_names_of_letters_are_plain_and_different() -> None:
    names = [letter_name(f"<{text}@b.c>") for text in ("a/b", "a:2,S", "a-b", "../../x", "x" * 500, "é")]
    assert len(set(names)) == len(names)
    assert all(name.isascii() and len(name) < 110 and not set(name) & set("/:\0") and name[0] != "." for name in names)
