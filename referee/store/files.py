"""What is enclosed in letters of ours, boards above all: each file once, packed, under the hash of its bytes."""

from __future__ import annotations

import hashlib
import lzma
import zlib
from contextlib import suppress
from functools import cache, lru_cache, partial

from msgspec.structs import replace

from referee.core import LetterDamaged, Numbers, Value
from referee.core.address import Enclosed, size_of_letter, whole_letter

from .database import Database, column, select
from .rows import OutboxRow

MOST = 50_000_000  # bytes of a file or a letter of ours
DRAWN, PNG = b"<", b"\x89PNG"  # how a board begins, and a picture, which is packed already; a position is small
IN_LZMA = b"\xfd7zXZ\0"  # how such a file begins; all others are in zlib
QUICK = 4  # of 9, for words: what is above takes twice as long for each 5 % of the bytes
MEMORY = 1 << 26  # bytes that LZMA may take: whoever packs says how many it needs
# A larger dictionary takes as long to be made as a board to be packed; higher presets ten times as long for a tenth less.
LIGHT = [{"id": lzma.FILTER_LZMA2, "preset": 1, "dict_size": 1 << 18}]


class Damage(Value):
    """What is damaged, and the letters of ours that cannot be sent as they were written; ``waiting``: one is still to be sent."""

    what: str
    turn: int | None
    letters: Numbers
    waiting: bool


def pack(db: Database, row: OutboxRow) -> OutboxRow:
    """Return a letter as it is kept, and keep the files in it. Inside a transaction."""
    if not row.files:
        return row
    names = [f"{each.at}:{_keep(db, each.content)}" for each in row.files]
    size = size_of_letter(row.raw, row.files)
    return replace(row, raw=zlib.compress(row.raw, QUICK), enclosed=" ".join(names), size=size, files=())


def words_of(row: OutboxRow) -> OutboxRow:
    """Return a letter as it is kept with its words, but without what is in the files enclosed. Raises LetterDamaged."""
    return replace(row, raw=_unpacked(row.raw, f"letter {row.id} of the outbox")) if row.enclosed else row


def whole(db: Database, row: OutboxRow) -> OutboxRow:
    """Return a letter as it leaves: the bytes that were written.

    Raises:
        LetterDamaged: they are not there any more.
    """
    if not row.enclosed:
        return row
    words = words_of(row).raw
    raw = whole_letter(words, [Enclosed(at=at, content=_file(db, name)) for at, name in _names(row)])
    if len(raw) != row.size:
        raise LetterDamaged(f"letter {row.id} of the outbox is damaged: it has {len(raw)} of {row.size} bytes")
    return replace(row, raw=raw, enclosed="", size=0)


def readable(raw: bytes, enclosed: str) -> bytes:
    """Return the words of a letter by its columns, nothing where they are damaged."""
    try:
        return _unpacked(raw, "") if enclosed else raw
    except LetterDamaged:
        return b""


def with_files(db: Database, row: OutboxRow) -> OutboxRow:
    """Return a letter of which there are the words alone with its files; those that are damaged stay empty."""
    found = []
    for at, name in _names(row):
        with suppress(LetterDamaged):
            found.append(Enclosed(at=at, content=_file(db, name)))
    return replace(row, raw=whole_letter(row.raw, found), enclosed="", size=0)


def damaged_letters(db: Database, game: str = "") -> tuple[Damage, ...]:
    """Return what is damaged of the letters of one game or of all, by turns. Each file is read once."""
    file_fault = cache(partial(_file_fault, db))
    sql = "SELECT * FROM outbox WHERE enclosed <> '' AND (? = '' OR game = ?) ORDER BY id"
    found: dict[tuple[str, int | None], list[OutboxRow]] = {}
    for row in select(db, OutboxRow, sql, game, game):
        what = _letter_fault(row) or next((fault for _, name in _names(row) if (fault := file_fault(name))), "")
        if what:
            found.setdefault((what, row.turn), []).append(row)
    return tuple(
        Damage(
            what=what,
            turn=turn,
            letters=tuple(row.id for row in rows),
            waiting=any(row.state == "waiting" for row in rows),
        )
        for (what, turn), rows in found.items()
    )


def _letter_fault(row: OutboxRow) -> str:
    try:
        words_of(row)
        _names(row)
    except LetterDamaged as error:
        return str(error)
    return ""


def _keep(db: Database, content: bytes) -> str:
    """Keep a file unless it is there; return its name."""
    name = _name_of(content)
    if not column(db, "SELECT 1 FROM files WHERE hash = ?", name):
        db.execute("INSERT INTO files (hash, size, packed) VALUES (?, ?, ?)", [name, len(content), _packed(content)])
    return name


@lru_cache(maxsize=8)
def _name_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _file(db: Database, name: str) -> bytes:
    """Return a file. Raises LetterDamaged."""
    what = f"file {name[:12]}, which is enclosed in letters of the outbox,"
    found = column(db, "SELECT packed FROM files WHERE hash = ?", name)
    if not found:
        raise LetterDamaged(f"{what} is missing")
    content = _unpacked(found[0], what)
    if hashlib.sha256(content).hexdigest() != name:
        raise LetterDamaged(f"{what} is damaged: its bytes are not those that were written")
    return content


def _file_fault(db: Database, name: str) -> str:
    try:
        _file(db, name)
    except LetterDamaged as error:
        return str(error)
    return ""


def _packed(content: bytes) -> bytes:
    """Return a file as it is kept: a board has a quarter less in LZMA than in zlib, and is packed nearly as fast."""
    if content.startswith(DRAWN):
        return lzma.compress(content, filters=LIGHT)
    return zlib.compress(content, 0 if content.startswith(PNG) else -1)


def unpack(raw: bytes, most: int) -> bytes:
    """Return what is in a packed file: a thousand bytes from outside may be a thousand million.

    Raises:
        ValueError: it is damaged, or there are more than *most* bytes in it; no more than these are made.
    """
    made = lzma.LZMADecompressor(memlimit=MEMORY) if raw.startswith(IN_LZMA) else zlib.decompressobj()
    try:
        plain = made.decompress(raw, most + 1)
    except (zlib.error, lzma.LZMAError) as error:
        raise ValueError(str(error)) from error
    if len(plain) > most:
        raise ValueError(f"more than {most:,} bytes are packed in it")
    if not made.eof:
        raise ValueError("it was cut off")
    return plain


def _unpacked(raw: bytes, what: str) -> bytes:
    try:
        return unpack(raw, MOST)
    except ValueError as error:
        raise LetterDamaged(f"{what} is damaged: {error}") from error


def check_file(db: Database, name: str) -> None:
    """Raises LetterDamaged: a file is missing, or not what its name says."""
    _file(db, name)


def _names(row: OutboxRow) -> list[tuple[int, str]]:
    """Return the files in a letter: behind how many bytes of its words each stands, and its name."""
    try:
        return [(int(at), name) for at, name in (each.split(":") for each in row.enclosed.split())]
    except ValueError as error:
        raise LetterDamaged(f"letter {row.id} of the outbox is damaged: nobody knows its files") from error
