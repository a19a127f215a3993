"""Files in letters of ours come to be kept once, packed. Frozen: what is released is never changed."""

from __future__ import annotations

import base64
import hashlib
import zlib
from typing import TYPE_CHECKING

from referee.core.regex import regex

if TYPE_CHECKING:
    from sqlite_utils import Database

SHRINKING = "m016_files_once"  # the file may be made smaller after it

_KEPT = "SELECT RAISE(ABORT, '{} is never changed, deleted or replaced')"
_FILE = regex(
    rb"\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment;[^\r\n]*\r\n\r\n"
    rb"(?P<lines>(?:[A-Za-z0-9+/]{1,76}={0,2}\r\n)+)(?=--=_)"
)


def m016_files_once(db: Database) -> None:
    """What is enclosed in letters of ours, boards above all, is kept once for all of them, packed."""
    db.create_table(
        "files",
        {"hash": str, "size": int, "packed": bytes},
        pk="hash",
        not_null={"size", "packed"},
        strict=True,
    )
    for name, act in {"unchanged": "UPDATE", "undeleted": "DELETE"}.items():
        db.execute(f"CREATE TRIGGER files_{name} BEFORE {act} ON files BEGIN {_KEPT.format('a file of ours')}; END")
    again = "EXISTS (SELECT 1 FROM files WHERE hash = NEW.hash)"
    db.execute(
        f"CREATE TRIGGER files_unreplaced BEFORE INSERT ON files WHEN {again} BEGIN {_KEPT.format('a file of ours')}; END"
    )
    db.execute("ALTER TABLE outbox ADD COLUMN enclosed TEXT NOT NULL DEFAULT ''")
    db.execute("ALTER TABLE outbox ADD COLUMN size INTEGER NOT NULL DEFAULT 0")
    db.execute("DROP TRIGGER letters_of_ours_unchanged")
    for number in [row["id"] for row in db.query("SELECT id FROM outbox")]:
        _pack(db, number)
    db.execute(
        "CREATE TRIGGER letters_of_ours_unchanged BEFORE UPDATE OF id, key, recipient, message_id, raw, enclosed, size "
        f"ON outbox BEGIN {_KEPT.format('a letter of ours')}; END"
    )


def _pack(db: Database, number: int) -> None:
    """Keep the files of a letter apart from it, if the same bytes can be made of both again."""
    raw = next(iter(db.query("SELECT raw FROM outbox WHERE id = ?", [number])))["raw"]
    words, names, files, begin = b"", [], [], 0
    for found in _FILE.finditer(raw):
        words += raw[begin : found.start("lines")]
        begin = found.end()
        content = base64.b64decode(found["lines"])
        if base64.encodebytes(content).replace(b"\n", b"\r\n") != found["lines"]:
            return
        files.append(content)
        names.append(f"{len(words)}:{hashlib.sha256(content).hexdigest()}")
    if not files:
        return
    words += raw[begin:]
    for content in files:
        name = hashlib.sha256(content).hexdigest()
        if not list(db.query("SELECT 1 FROM files WHERE hash = ?", [name])):
            packed = zlib.compress(content)
            db.execute("INSERT INTO files (hash, size, packed) VALUES (?, ?, ?)", [name, len(content), packed])
    values = [zlib.compress(words), " ".join(names), len(raw), number]
    db.execute("UPDATE outbox SET raw = ?, enclosed = ?, size = ? WHERE id = ?", values)
