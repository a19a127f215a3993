"""What is enclosed in letters of ours is kept once; they leave as the bytes that were written, or wait."""

import base64
import hashlib
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.core import Enclosed, LetterDamaged, size_of_letter, whole_letter
from referee.store import Database, OutboxRow, create_store, files, outbox, transaction
from referee.store.files import IN_LZMA
from tests.tables import Tables

CASES = Tables(__file__)

BOARD, OTHER = b"<svg>board</svg>" * 500, bytes(range(256))
WORDS = b"Subject: a\r\n\r\n--=_1\r\n\r\n--=_1\r\n\r\n--=_1--\r\n"
AT = 23
A_LETTER = OutboxRow(
    key="a",
    game=None,
    turn=None,
    player=None,
    kind="newsletter",
    recipient="ann@example.org",
    message_id="<a@club.example>",
    raw=WORDS,
    created=datetime(2026, 12, 7, 12, 0, tzinfo=UTC),
    files=(Enclosed(at=AT, content=BOARD), Enclosed(at=AT + 10, content=OTHER)),
)


def lines(content: bytes) -> bytes:
    encoded = base64.b64encode(content)
    return b"".join(encoded[at : at + 76] + b"\r\n" for at in range(0, len(encoded), 76))


WHOLE = WORDS[:AT] + lines(BOARD) + WORDS[AT : AT + 10] + lines(OTHER) + WORDS[AT + 10 :]


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    made = create_store(tmp_path / "referee.db")
    with transaction(made):
        outbox.put(made, A_LETTER)
        outbox.put(made, A_LETTER.but(key="b", recipient="bob@example.net", message_id="<b@club.example>"))
    yield made
    made.close()


def kept(db: Database) -> list[str]:
    return [row["hash"] for row in db.query("SELECT hash FROM files")]


def spoil(db: Database, sql: str, *values: object) -> None:
    """Change what our own code never changes, as a failing disk does."""
    for name in ("files_unchanged", "files_undeleted", "letters_of_ours_unchanged"):
        db.execute(f"DROP TRIGGER {name}")
    db.execute(sql, list(values))
    db.conn.commit()


@CASES.rows
def test_a_file_stands_in_its_letter_as_base64_in_lines_of_76(size: int) -> None:
    content = bytes(number % 251 for number in range(size))
    enclosed = (Enclosed(at=3, content=content), Enclosed(at=3, content=b"x"))
    whole = whole_letter(b"abcdef", enclosed)
    assert whole == b"abc" + lines(content) + lines(b"x") + b"def"
    assert size_of_letter(b"abcdef", enclosed) == len(whole)


def test_letters_with_the_same_files_keep_them_once_and_leave_whole(db: Database) -> None:
    assert len(kept(db)) == 2
    for number in (1, 2):
        row = outbox.outgoing(db, number)
        assert row.size == len(WHOLE)
        assert files.whole(db, row).raw == WHOLE
    stored = next(db.query("SELECT sum(length(raw)) + (SELECT sum(length(packed)) FROM files) AS size FROM outbox"))
    assert stored["size"] < len(WHOLE) // 10


def test_who_answers_a_letter_is_compared_with_its_words(db: Database) -> None:
    (answered,) = outbox.letters_by_id(db, ["<a@club.example>"], 30)
    (last,) = outbox.last_to(db, "bob@example.net", 3, 9999)
    assert (answered.raw, last.raw) == (WORDS[:30], WORDS)


@pytest.mark.parametrize(
    "sql", ["UPDATE files SET packed = x'00'", "DELETE FROM files", "INSERT OR REPLACE INTO files SELECT * FROM files"]
)
def test_a_file_is_never_changed_deleted_or_replaced(db: Database, sql: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="a file of ours is never"), transaction(db):
        db.execute(sql)


@CASES.rows
def test_a_letter_that_is_damaged_is_not_made_whole_and_told(db: Database, sql: str, told: str) -> None:
    assert files.damaged_letters(db) == ()
    spoil(db, sql)
    with pytest.raises(LetterDamaged, match=told):
        files.whole(db, outbox.outgoing(db, 1))
    if "size" not in sql:  # nothing but sending it asks for that
        (first, *_) = files.damaged_letters(db)
        assert told in first.what
        assert first.letters[0] == 1
        assert first.waiting


@pytest.mark.parametrize(("content", "begin"), [(BOARD * 3, IN_LZMA), (b"\x89PNG" + OTHER, b"x")])
def test_boards_are_packed_tightly_and_pictures_which_are_packed_already_at_once(
    db: Database, content: bytes, begin: bytes
) -> None:
    letter = A_LETTER.but(key="c", message_id="<c@club.example>", files=(Enclosed(at=AT, content=content),))
    with transaction(db):
        outbox.put(db, letter)
    (row,) = db.query("SELECT packed FROM files WHERE hash = ?", [name_of(content)])
    assert row["packed"].startswith(begin)
    assert files.whole(db, outbox.outgoing(db, 3)).raw == whole_letter(WORDS, letter.files)


def test_a_letter_whose_board_is_damaged_is_read_without_it(db: Database) -> None:
    board = next(name for name in kept(db) if name in outbox.outgoing(db, 1).enclosed.split(" ")[0])
    spoil(db, "UPDATE files SET packed = x'0011' WHERE hash = ?", board)
    words = files.words_of(outbox.outgoing(db, 1))
    assert words.raw == WORDS
    assert files.with_files(db, words).raw == WORDS[: AT + 10] + lines(OTHER) + WORDS[AT + 10 :]


def name_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
