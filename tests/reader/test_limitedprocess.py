"""The process that reads letters: the same letters, and an end to those that take too much."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.core import LetterTooCostly, ReaderLost
from referee.mail.letter.message import read_letter
from referee.reader import limitedprocess
from referee.reader.limitedprocess import Limits
from referee.reader.wire import Reader

ANN = b"From: Ann <ann@example.org>\nSubject: x\nReceived: by us; Thu, 3 Dec 2026 19:42:10 +0000\n"
GOOD = ANN + b"\nPASS\n"
STEP = ANN + b"\nSTEP 3\n"
SEEDS = [path.read_bytes() for path in sorted((Path(__file__).parents[1] / "mail" / "letters").glob("*.eml"))]


@pytest.fixture
def reader() -> Iterator[Reader]:
    made = Reader()
    yield made
    made.close()


def process_of(reader: Reader) -> int:
    running = reader._process._process
    assert running
    return running.pid


def test_a_letter_is_the_same_in_whatever_process_it_is_read(reader: Reader) -> None:
    for raw in (*SEEDS, b"", b"\xff" * 1000, GOOD):
        assert reader.read(raw) == read_letter(raw)


def test_one_process_reads_many_letters_and_ends_with_the_reader(reader: Reader) -> None:
    reader.read(GOOD)
    number = process_of(reader)
    reader.read(GOOD)
    assert process_of(reader) == number
    reader.close()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)
    assert reader.read(GOOD).text == "PASS\n"


def test_a_process_that_was_killed_between_letters_is_replaced(reader: Reader) -> None:
    reader.read(GOOD)
    os.kill(process_of(reader), signal.SIGKILL)
    assert reader.read(GOOD).text == "PASS\n"


def test_signals_to_the_referee_do_not_end_a_letter(reader: Reader) -> None:
    reader.read(GOOD)
    number = process_of(reader)
    for name in (signal.SIGINT, signal.SIGTERM):
        os.kill(number, name)
    assert reader.read(GOOD).text == "PASS\n"
    assert process_of(reader) == number


def test_a_letter_that_takes_too_long_is_given_up_and_the_next_is_read() -> None:
    """No letter of a size that is stored takes so long; this one is thirty times as large."""
    hasty = Reader(Limits(seconds=0))
    with pytest.raises(LetterTooCostly, match="seconds"):
        hasty.read(ANN + b"\n" + b"\xc3\xa9" * 30_000_000)
    assert hasty.read(GOOD).text == "PASS\n"
    hasty.close()


def test_a_process_that_does_not_answer_is_ended() -> None:
    impatient = Reader(Limits(patience=0))
    with pytest.raises(LetterTooCostly):
        impatient.read(GOOD)
    assert not impatient._process._process


def test_a_letter_for_which_there_is_no_memory_is_unreadable_or_lost_and_nothing_else_is() -> None:
    small = Reader(Limits(memory=48 * 1024 * 1024))
    try:
        problems = small.read(ANN + b"\n" + b"\xc3\xa9" * 30_000_000).problems
    except ReaderLost:
        problems = ("unreadable",)
    assert "unreadable" in problems
    small.close()


def test_the_process_is_given_nothing_of_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_IMAP_PASSWORD", "secret")
    reader = Reader()
    reader.read(GOOD)
    environment = Path(f"/proc/{process_of(reader)}/environ")
    told = environment.read_bytes() if environment.exists() else b""
    reader.close()
    assert b"secret" not in told


def test_an_answer_to_one_letter_is_never_taken_for_that_to_another(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader.read(GOOD)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as cut:
        cut.setattr(limitedprocess, "receive", interrupted)
        with pytest.raises(KeyboardInterrupt):
            reader.read(GOOD)
    assert reader.read(STEP).text == "STEP 3\n"
