"""What is enclosed in letters of ours, boards above all: each file once, packed, under its hash; what is given up for good."""

from __future__ import annotations

import hashlib
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import cache, lru_cache, partial

from referee.core import Enclosed, LetterDamaged, Numbers, Pair, Value, size_of_letter, whole_letter

from .club import OF_READERS
from .database import Database, Number, Update, change, column, select
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
    return row.but(raw=zlib.compress(row.raw, QUICK), enclosed=" ".join(names), size=size, files=())


def words_of(row: OutboxRow) -> OutboxRow:
    """Return a letter as it is kept with its words, but without what is in the files enclosed. Raises LetterDamaged."""
    return row.but(raw=_unpack(row.raw, f"letter {row.id} of the outbox")) if row.enclosed else row


def whole(db: Database, row: OutboxRow) -> OutboxRow:
    """Return a letter as it leaves: the bytes that were written.

    Raises:
        LetterDamaged: they are not there any more.
    """
    if not row.enclosed:
        return row
    words = words_of(row).raw
    raw = whole_letter(words, [Enclosed(at=at, content=file_of(db, name)) for at, name in _names(row)])
    if len(raw) != row.size:
        raise LetterDamaged(f"letter {row.id} of the outbox is damaged: it has {len(raw)} of {row.size} bytes")
    return row.but(raw=raw, enclosed="", size=0)


def readable(raw: bytes, enclosed: str) -> bytes:
    """Return the words of a letter by its columns, nothing where they are damaged."""
    try:
        return _unpack(raw, "") if enclosed else raw
    except LetterDamaged:
        return b""


def with_files(db: Database, row: OutboxRow) -> OutboxRow:
    """Return a letter of which there are the words alone with its files; those that are damaged stay empty."""
    found = []
    for at, name in _names(row):
        with suppress(LetterDamaged):
            found.append(Enclosed(at=at, content=file_of(db, name)))
    return row.but(raw=whole_letter(row.raw, found), enclosed="", size=0)


def damaged_letters(db: Database, game: str = "") -> tuple[Damage, ...]:
    """Return what is damaged of the letters of one game or of all, by turns. Each file is read once."""
    file_fault = cache(partial(_fault_of, file_of, db))
    sql = "SELECT * FROM outbox WHERE enclosed <> '' AND (? = '' OR game = ?) ORDER BY id"
    found: dict[tuple[str, int | None], list[OutboxRow]] = {}
    for row in select(db, OutboxRow, sql, game, game):
        what = (
            _fault_of(words_of, row)
            or _fault_of(_names, row)
            or next((fault for _, name in _names(row) if (fault := file_fault(name))), "")
        )
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


def _fault_of(act: Callable[..., object], *given: object) -> str:
    try:
        act(*given)
    except LetterDamaged as error:
        return str(error)
    return ""


def _keep(db: Database, content: bytes) -> str:
    """Keep a file unless it is there; return its name."""
    name = _name_of(content)
    if not column(db, "SELECT 1 FROM files WHERE hash = ?", name):
        db.execute("INSERT INTO files (hash, size, packed) VALUES (?, ?, ?)", [name, len(content), _pack(content)])
    return name


@lru_cache(maxsize=8)
def _name_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def file_of(db: Database, name: str) -> bytes:
    """Return a file. Raises LetterDamaged: it is missing, or not what its name says."""
    what = f"file {name[:12]}, which is enclosed in letters of the outbox,"
    found = column(db, "SELECT packed FROM files WHERE hash = ?", name)
    if not found:
        raise LetterDamaged(f"{what} is missing")
    content = _unpack(found[0], what)
    if hashlib.sha256(content).hexdigest() != name:
        raise LetterDamaged(f"{what} is damaged: its bytes are not those that were written")
    return content


def _pack(content: bytes) -> bytes:
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


def _unpack(raw: bytes, what: str) -> bytes:
    try:
        return unpack(raw, MOST)
    except ValueError as error:
        raise LetterDamaged(f"{what} is damaged: {error}") from error


def _names(row: OutboxRow) -> list[tuple[int, str]]:
    """Return the files in a letter: behind how many bytes of its words each stands, and its name."""
    try:
        return [(int(at), name) for at, name in (each.split(":") for each in row.enclosed.split())]
    except ValueError as error:
        raise LetterDamaged(f"letter {row.id} of the outbox is damaged: nobody knows its files") from error


# What is given up for good: the bytes of old letters, and all that names a person who wants to be forgotten. Turns, throws
# and acts are never touched: their hashes cover them.

NEVER = ("turns", "typed_throws", "acts", "games", "files")  # of these nothing is rewritten

_ABOUT_ENDED = "(game IS NULL OR game IN (SELECT id FROM games WHERE status <> 'running' AND statements_due IS NULL))"
_LAST_NEWSLETTER = "kind = 'newsletter' AND turn = (SELECT max(turn) FROM turns WHERE turns.game = outbox.game)"
_AT_ONCE = 500  # letters a pass


# Gives up the bytes of letters that came before a time, wait for nobody and are about no game that is played.
drop_letters = Update[datetime](
    "UPDATE letters SET raw = x'', trace = '' WHERE id IN (SELECT id FROM letters WHERE arrived < ? AND raw <> x'' "  # noqa: S608 (our own words)
    f"AND status NOT IN ('stored', 'parked', 'held') AND {_ABOUT_ENDED} LIMIT {_AT_ONCE})"
)


# Gives up the bytes of letters of ours that were written before a time, are not to be sent and are about no game that is played;
# the last newsletters of a game stay.
drop_outbox = Update[datetime](
    "UPDATE outbox SET raw = x'', enclosed = '', size = 0 WHERE id IN (SELECT id FROM outbox WHERE created < ? "  # noqa: S608 (our own words)
    f"AND raw <> x'' AND state <> 'waiting' AND {_ABOUT_ENDED} AND NOT ({_LAST_NEWSLETTER}) LIMIT {_AT_ONCE})"
)


def drop_files(db: Database) -> int:
    """Delete the files that no letter of ours encloses any more; return how many. Inside a transaction."""
    enclosed = column(db, "SELECT enclosed FROM outbox WHERE enclosed <> ''")
    named = {name.partition(":")[2] for each in enclosed for name in each.split()}
    lost = [name for name in column(db, "SELECT hash FROM files") if name not in named]
    for name in lost:
        change(db, "DELETE FROM files WHERE hash = ?", name)
    return len(lost)


def is_known(db: Database, address: str) -> bool:
    """Return whether a letter came from an address or went there, or it stands on a list."""
    found = (
        "SELECT 1 FROM letters WHERE lower(sender) = ?",
        "SELECT 1 FROM outbox WHERE lower(recipient) = ?",
        "SELECT 1 FROM standbys WHERE lower(address) = ?",
        "SELECT 1 FROM observers WHERE lower(address) = ?",
        "SELECT 1 FROM signups WHERE lower(address) = ?",
    )
    return any(column(db, f"{sql} LIMIT 1", address.lower()) for sql in found)


# How many people were forgotten, and one more.
next_alias = Number[()]("SELECT count(*) + 1 FROM log WHERE what = 'forgotten'")


@contextmanager
def overwriting(db: Database) -> Iterator[None]:
    """What is given up inside is overwritten on the disk, not only unlinked. Outside of transactions."""
    db.conn.execute("PRAGMA secure_delete=ON").fetchall()
    try:
        yield
    finally:
        db.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        db.conn.execute("PRAGMA secure_delete=OFF").fetchall()


def forget_address(db: Database, address: str, alias: str) -> None:
    """Put an *alias* in the place of an address wherever it stands, and give up the bytes of every letter from it, to it or with
    it in its words. Of the seats at that address the code alone is left. Inside a transaction.
    """
    here = re.compile(rf"(?<![\w.+-]){re.escape(address)}(?![\w-]|\.\w)", re.IGNORECASE)
    change(db, "UPDATE players SET name = code WHERE lower(address) = ?", address.lower())
    for table in ("observers", "standbys"):
        change(db, f"UPDATE {table} SET ended_at = coalesce(ended_at, since) WHERE lower(address) = ?", address.lower())  # noqa: S608
    for table in ("signups", "standbys"):
        change(db, f"UPDATE {table} SET name = '-' WHERE lower(address) = ?", address.lower())  # noqa: S608 (our own names)
    for number in [row["id"] for row in db.query("SELECT id, sender FROM letters") if here.fullmatch(row["sender"])]:
        change(db, "UPDATE letters SET raw = x'', subject = '', message_id = '', trace = '' WHERE id = ?", number)
    for number in _ours_with(db, here):
        change(db, "UPDATE outbox SET raw = x'', enclosed = '', size = 0 WHERE id = ?", number)
    for kind in OF_READERS:
        change(db, "DELETE FROM club WHERE lower(name) = ?", f"{kind} {address.lower()}")
    # Put the alias into every text of every table.
    for table, name in _texts(db):
        may = "raw = x''" if table == "outbox" else "1"  # a letter of ours that is whole stays as it is
        told = db.query(f"SELECT rowid AS number, {name} AS text FROM {table} WHERE {may} AND instr({name}, '@')")  # noqa: S608 (our own names)
        for row in list(told):
            text = here.sub(alias, row["text"])
            if text != row["text"]:
                change(db, f"UPDATE {table} SET {name} = ? WHERE rowid = ?", text, row["number"])  # noqa: S608 (our own names)


def _ours_with(db: Database, here: re.Pattern[str]) -> list[int]:
    found = []
    for row in db.query("SELECT id, recipient, state, raw, enclosed FROM outbox WHERE raw <> x''"):
        words = readable(row["raw"], row["enclosed"]).decode("utf-8", "replace")
        if row["state"] != "waiting" and (here.fullmatch(row["recipient"]) or here.search(words)):
            found.append(row["id"])
    return found


def _texts(db: Database) -> Iterator[Pair]:
    columns = (
        "SELECT tables.name AS at, columns.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns "
        "WHERE tables.type = 'table' AND columns.type = 'TEXT'"
    )
    for row in list(db.query(columns)):
        if row["at"] not in NEVER and not row["at"].startswith("_"):
            yield row["at"], row["name"]
