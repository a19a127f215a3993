"""What is enclosed in letters of ours is kept once; they leave as the bytes that were written, or wait."""

from __future__ import annotations

import base64
import hashlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.core.enclosed import Enclosed, size_of_letter, whole_letter
from referee.core.errors import LetterDamaged
from referee.core.unpacking import IN_LZMA
from referee.games.dampfross import GAME
from referee.mail.compose import Attachment, Outgoing, compose
from referee.report.svg import svg
from referee.store import files, outbox
from referee.store.database.connection import Database
from referee.store.database.database import create_store, open_store, transaction
from referee.store.database.rows import OutboxRow
from tests.games.dampfross.recordedgames import recorded_game

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
OLD = Path(__file__).parent / "old" / "club-m015.sql"


def lines(content: bytes) -> bytes:
    encoded = base64.b64encode(content)
    return b"".join(encoded[at : at + 76] + b"\r\n" for at in range(0, len(encoded), 76))


WHOLE = WORDS[:AT] + lines(BOARD) + WORDS[AT : AT + 10] + lines(OTHER) + WORDS[AT + 10 :]


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    made = create_store(tmp_path / "referee.db")
    with transaction(made):
        outbox.put(made, A_LETTER)
        outbox.put(made, replace(A_LETTER, key="b", recipient="bob@example.net", message_id="<b@club.example>"))
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


@pytest.mark.parametrize("size", [0, 1, 2, 3, 56, 57, 58, 113, 114, 115, 5000])
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
    (answered,) = outbox.answered(db, ["<a@club.example>"], 30)
    (last,) = outbox.last_to(db, "bob@example.net", 3, 9999)
    assert (answered.raw, last.raw) == (WORDS[:30], WORDS)


@pytest.mark.parametrize(
    "sql", ["UPDATE files SET packed = x'00'", "DELETE FROM files", "INSERT OR REPLACE INTO files SELECT * FROM files"]
)
def test_a_file_is_never_changed_deleted_or_replaced(db: Database, sql: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="a file of ours is never"), transaction(db):
        db.execute(sql)


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("UPDATE files SET packed = x'0011'", "damaged"),
        ("UPDATE files SET packed = x'fd377a585a000011'", "damaged"),
        ("UPDATE files SET packed = substr(packed, 1, 40)", "damaged"),
        ("UPDATE files SET packed = (SELECT max(packed) FROM files)", "its bytes are not those that were written"),
        ("DELETE FROM files", "is missing"),
        ("UPDATE outbox SET raw = x'0011'", "letter 1 of the outbox is damaged"),
        ("UPDATE outbox SET enclosed = 'x'", "nobody knows its files"),
        ("UPDATE outbox SET size = 7", "bytes"),
    ],
)
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
    letter = replace(A_LETTER, key="c", message_id="<c@club.example>", files=(Enclosed(at=AT, content=content),))
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


def test_letters_of_an_old_club_leave_as_the_bytes_that_were_written(tmp_path: Path) -> None:
    path = tmp_path / "referee.db"
    with sqlite3.connect(path) as old:
        old.executescript(OLD.read_text("utf-8"))
        before = dict(old.execute("SELECT id, raw FROM outbox"))
        with_files = {number for number, raw in before.items() if b"base64\r\nContent-Disposition" in raw}
    old.close()
    db = open_store(path)
    try:
        rows = {number: outbox.outgoing(db, number) for number in before}
        assert {number for number, row in rows.items() if row.enclosed} == with_files
        assert len(with_files) == 7
        assert {number: files.whole(db, row).raw for number, row in rows.items()} == before
        assert 0 < len(kept(db)) < sum(len(row.enclosed.split()) for row in rows.values())
        assert files.damaged_letters(db) == ()
        with pytest.raises(sqlite3.IntegrityError, match="a letter of ours is never"), transaction(db):
            db.execute("UPDATE outbox SET enclosed = ''")
    finally:
        db.close()


def test_a_club_with_real_boards_is_brought_up_to_date(tmp_path: Path) -> None:
    """Each board of a game of six, once for each player, comes to lie there once, and each letter leaves as it was written."""
    path = tmp_path / "referee.db"
    turns = recorded_game("usual 6 d")[2][-3:]
    boards = [svg(GAME.drawing(turn.outcome.state)).encode() for turn in turns]
    seen = [json.dumps(GAME.view(turn.outcome.state, None), indent=1).encode() for turn in turns]
    with sqlite3.connect(path) as old:
        old.executescript(OLD.read_text("utf-8"))
        names = [name for _, name, *_ in old.execute("PRAGMA table_info(outbox)")]
        copied = ", ".join(f":{name}" if name in ("id", "key", "message_id", "raw") else name for name in names)
        written = {100 + number: each for number, each in enumerate(letters_with(boards, seen))}
        for number, raw in written.items():
            values = {"id": number, "key": f"real {number}", "message_id": f"<{number}@x.org>", "raw": raw}
            old.execute(f"INSERT INTO outbox SELECT {copied} FROM outbox WHERE id = 9", values)  # noqa: S608
    old.close()
    before = path.stat().st_size
    db = open_store(path)
    try:
        rows = {number: outbox.outgoing(db, number) for number in written}
        assert {number: files.whole(db, row).raw for number, row in rows.items()} == written
        for content in (*boards, *seen):
            assert [row["size"] for row in db.query("SELECT size FROM files WHERE hash = ?", [name_of(content)])] == [
                len(content)
            ]
        assert files.damaged_letters(db) == ()
    finally:
        db.close()
    assert before > len(written) * len(boards[0])
    assert path.stat().st_size < before / 10


def letters_with(boards: list[bytes], seen: list[bytes]) -> Iterator[bytes]:
    """Give a letter with each board and position to each of six players."""
    for turn, (board, position) in enumerate(zip(boards, seen, strict=True)):
        files_of_turn = (
            Attachment(name=f"RR1-turn-{turn}.svg", media_type="image/svg+xml", content=board),
            Attachment(name=f"RR1-turn-{turn}.json", media_type="application/json", content=position),
        )
        for player in "ABCDEF":
            yield compose(
                Outgoing(
                    sender="referee@club.example",
                    sender_name="The Club",
                    recipient=f"{player}@example.org",
                    recipient_name=player,
                    subject=f"[RR1] round {turn}",
                    text="What happened, told at length.\n" * 60,
                    date=datetime(2026, 12, 7, 12, turn, tzinfo=UTC),
                    message_id=f"<{turn}.{player}@club.example>",
                    auto="auto-generated",
                    attachments=files_of_turn,
                )
            )


def name_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_an_old_letter_of_which_the_same_bytes_could_not_be_made_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "referee.db"
    with sqlite3.connect(path) as old:
        old.executescript(OLD.read_text("utf-8"))
        (raw,) = old.execute("SELECT raw FROM outbox WHERE id = 9").fetchone()
        head, mark, rest = raw.partition(b"Content-Disposition: attachment")
        fields, gap, content = rest.partition(b"\r\n\r\n")
        odd = head + mark + fields + gap + content[:8] + b"\r\n" + content[8:]
        old.execute("DROP TRIGGER letters_of_ours_unchanged")
        old.execute("UPDATE outbox SET raw = ? WHERE id = 9", [odd])
        old.execute("CREATE TRIGGER letters_of_ours_unchanged BEFORE UPDATE OF raw ON outbox BEGIN SELECT 1; END")
    old.close()
    db = open_store(path)
    try:
        assert (outbox.outgoing(db, 9).raw, outbox.outgoing(db, 9).enclosed) == (odd, "")
    finally:
        db.close()
