"""Letters that were made to hurt, through the whole service: each is dealt with, and the good one behind it always is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from referee.mail.letter.message import Letter
from referee.reader.limitedprocess import Limits
from referee.reader.reader import Reader
from referee.service.letters.limits import readable
from referee.service.post.collect import fingerprint
from referee.store.letters import letter as stored
from tests.mail.hostile import ANN, HOSTILE
from tests.mail.storable import assert_storable
from tests.posthouse import BOB, PostHouse, text_of

SECONDS = 2  # of the processor, that a letter may take from us


def test_there_are_enough_of_them_and_no_two_are_one_letter() -> None:
    assert len({fingerprint(hostile.raw) for hostile in HOSTILE.values()}) == len(HOSTILE) >= 60


class NotingReader(Reader):
    """Gives a letter no more than ``SECONDS`` of the processor and 512 MB, and notes what it read."""

    def __init__(self) -> None:
        super().__init__(Limits(seconds=SECONDS))
        self.noted: dict[str, Letter] = {}  # by the fingerprints of their bytes

    def read(self, raw: bytes) -> Letter:
        letter = self.noted[fingerprint(raw)] = super().read(raw)
        return letter


@pytest.fixture(scope="module")
def strict() -> Iterator[NotingReader]:
    with closing(NotingReader()) as made:
        yield made


@pytest.fixture(scope="module")
def after(tmp_path_factory: pytest.TempPathFactory, strict: NotingReader) -> Iterator[PostHouse]:
    """A club that has had all of them, behind each a good letter; a few each day, or it would be a flood."""
    folder = tmp_path_factory.mktemp("hostile")
    with (
        PostHouse(folder / "club", strict, mail__replies_per_day=100, deadlines__early_delay=1000) as house,
    ):
        house.begin()
        for number, hostile in enumerate(HOSTILE.values(), start=1):
            house.clock.advance(minutes=75)
            house.drop(hostile.raw)
            house.clock.advance(minutes=1)
            house.write(BOB, "STEP 2")
            if number % 10 == 0:
                house.tick()
        house.tick()
        yield house


def letters(house: PostHouse) -> list[tuple[sqlite3.Row, sqlite3.Row]]:
    """Return (the hostile letter, the good one behind it) in the order of ``HOSTILE``."""
    rows = house.rows("SELECT id, hash, status, reason, trace, attempts FROM letters ORDER BY id")
    return list(zip(rows[::2], rows[1::2], strict=True))


def test_none_of_them_was_a_fault_of_ours(after: PostHouse) -> None:
    assert [row["trace"] for row in after.rows("SELECT trace FROM letters WHERE trace <> ''")] == []


def test_what_becomes_of_it_and_of_the_letter_behind_it(after: PostHouse, strict: NotingReader) -> None:
    """It takes less than two seconds of the processor and 512 MB: the guard is the process's own limit, no clock of ours.

    One test for all letters: two workers that shared them would each have the club live through them all.
    """
    filed = {row["letter"] for row in after.rows("SELECT letter FROM order_sets")}
    for (name, hostile), (row, good) in zip(HOSTILE.items(), letters(after), strict=True):
        assert (row["status"], row["attempts"]) == (hostile.status, 0), name
        # It may say the same as another one before.
        assert row["reason"] == hostile.reason or hostile.status == "done", name
        assert (row["id"] in filed) == hostile.orders, name
        assert (good["status"], good["attempts"]) == ("done", 0), name
        assert good["id"] in filed, name
        letter = strict.noted[fingerprint(readable(after.club, stored(after.club.db, row["id"])))]
        assert "unreadable" not in letter.problems, name
        assert_storable(letter)


def test_no_answer_has_a_header_that_we_did_not_write(after: PostHouse) -> None:
    answers = [each for each in after.post(ANN) if each["Auto-Submitted"] == "auto-replied"]
    assert len(answers) > 12
    for answer in answers:
        assert set(answer.keys()) <= set(after.last(BOB).keys())
        assert "eve@example.com" not in "".join(
            str(answer[name]) for name in ("To", "From", "References", "Message-ID")
        )


def test_what_was_written_is_told_as_it_was_written(after: PostHouse) -> None:
    told = "\n".join(text_of(each) for each in after.post(ANN))
    assert "{{ 7 * 7 }}" in told
    assert "<b>bold</b>" in told
