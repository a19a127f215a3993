"""Maildirs: any mail server delivers into one, so files are a real post office and need no password.

A letter in ``new/`` waits; one in ``cur/`` is done; one in ``.Parked`` could not be handled.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import re
import shutil
import stat
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path

from referee import system
from referee.core import ConfigError, LetterUnreadable, MailDown, RefereeError

from .interfaces import Arrival, IsKnown

LOOK = 1.0  # seconds between two looks into a Maildir for which somebody waits
PARKED = ".Parked"
ROOM = 1_000_000  # bytes that are left on a disk
WHOLE = 2_000_000  # bytes of a letter by which it is known

_FOLDERS = ("tmp", "new", "cur")
_SEEN = "2,S"
_MARKS = (";",) if os.name == "nt" else (":", ";")  # before flags: not every disk takes a colon, nor Windows any
_FLAGGED = re.compile("[:;](?=2,)")
# Who delivers here may put another thing in the place of a letter that was listed: a link to what they may not read themselves, a
# pipe that is never written to.
_READ = os.O_RDONLY | system.NO_LINK | system.NO_WAIT
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.NO_LINK
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")

log = logging.getLogger(__name__)


class MaildirSource:
    """Letters that a mail server (or anybody) put into a Maildir. Nothing is ever deleted."""

    lasting_keys = False  # who puts files here by hand may use a name twice

    def __init__(self, path: Path) -> None:
        self._path = path
        self._listed: frozenset[str] = frozenset()

    def waiting(self) -> tuple[Arrival, ...]:
        """Return the letters in ``new/``, oldest first.

        Raises:
            ConfigError: there is no Maildir.
            MailDown: it may not be looked into.
        """
        found = []
        entries = _entries(self._path / "new")
        self._listed = frozenset(entry.name for entry in entries)
        for entry in entries:
            try:
                status = entry.lstat()
            except FileNotFoundError:
                continue
            except OSError as error:
                raise MailDown(f"{entry} cannot be looked at: {error.strerror}") from error
            if stat.S_ISREG(status.st_mode) and not entry.name.startswith("."):
                arrived = datetime.fromtimestamp(status.st_mtime, UTC)
                found.append(Arrival(key=entry.name, size=status.st_size, arrived=arrived))
        return tuple(sorted(found, key=lambda arrival: (arrival.arrived, arrival.key)))

    def read(self, key: str, limit: int) -> bytes:
        """Return the letter, at most its first *limit* bytes.

        Raises:
            FileNotFoundError: it has been taken away since it was listed.
            LetterUnreadable: it may not be read, it is no file any more, or the disk does not give it out.
        """
        return _read(self._waiting_file(key), limit)

    def take_out(self, *keys: str) -> tuple[()]:
        """Move letters to ``cur/``, marked as seen. A letter that is gone was moved before: nothing happens to it.

        What cannot be moved stays, with a warning in the log: it is known by its words.
        """
        for key in keys:
            try:
                self._move(key, self._path)
            except OSError as error:
                _warn_of_staying(self._waiting_file(key), error)
        return ()

    def park(self, key: str) -> tuple[()]:
        """Move the letter into the folder ``.Parked``, which is made when needed. Gone, and what stays: as with ``done``."""
        folder = self._path / PARKED
        try:
            make_maildir(folder)
            (folder / "maildirfolder").touch(mode=0o600)
            self._move(key, folder)
        except OSError as error:
            _warn_of_staying(self._waiting_file(key), error)
        return ()

    def reclaim(self, since: datetime, is_known: IsKnown) -> None:
        """Move letters back that came into ``cur/`` since then, as a mail server or program does that looks into the Maildir."""
        for entry in _entries(self._path / "cur"):
            with suppress(FileNotFoundError, LetterUnreadable):
                if entry.lstat().st_ctime >= since.timestamp() and not is_known(_read(entry, WHOLE)):
                    log.info("%s was taken out unread: it waits again", entry)
                    _move_back(entry, self._path / "new", since)

    def bring_back(self, since: datetime) -> datetime | None:
        """Move letters from ``cur/`` and ``.Parked`` back into ``new/``."""
        times = [_move_back(each, self._path / "new", since) for each in self._list_taken()]
        # One that somebody moved back by hand still has the flags of ``cur/``.
        times += [_arrival(entry) for entry in _entries(self._path / "new") if _FLAGGED.search(entry.name)]
        return max((time for time in times if time), default=None)

    def wait(self, seconds: float, stop: threading.Event) -> None:
        """Look every second whether a file has come since letters were last listed."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not stop.wait(min(left, LOOK)):
            if self._has_news():
                return

    def close(self) -> None:
        """Nothing is held open."""

    def _list_taken(self) -> list[Path]:
        parked = self._path / PARKED / "cur"
        return [*_entries(self._path / "cur"), *(_entries(parked) if parked.is_dir() else ())]

    def _has_news(self) -> bool:
        try:
            return any(entry.name not in self._listed for entry in _entries(self._path / "new"))
        except RefereeError:
            return False  # the next pass says what is wrong: who returned at once would keep the loop running hot

    def _move(self, key: str, maildir: Path) -> None:
        """Raises OSError: the letter stays where it is."""
        # The disk is not waited for: a letter that waits again after a power cut is known by its words.
        try:
            _put(self._waiting_file(key), maildir / "cur")
        except FileNotFoundError:
            if not (maildir / "cur").is_dir():
                raise

    def _waiting_file(self, key: str) -> Path:
        """Return the file of a key.

        Raises:
            ValueError: it is a path, not a key that ``waiting`` gave.
        """
        if key in ("", ".", "..") or {"/", os.sep, "\0"} & {*key}:
            raise ValueError(f"{key!r} names no letter")
        return self._path / "new" / key


class MaildirTransport:
    """Delivers into a Maildir, each letter exactly once: its file is named after its message id."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._names: set[str] | None = None  # of the letters there, since the first one was sent

    def send(self, message_id: str, raw: bytes, recipient: str = "", envelope_sender: str = "") -> None:
        """Put *raw* into ``new/``, whoever the recipient is. If a letter of that id lies there or in ``cur/``, nothing happens.

        Raises:
            ConfigError: there is no Maildir.
            OSError: the disk is full or fails.
        """
        name = letter_name(message_id)
        if self._lies_here(name):
            return
        disk = shutil.disk_usage(self._path)
        if disk.total and disk.free < len(raw) + ROOM:  # else the note that it did not leave would find no room either
            raise OSError(errno.ENOSPC, f"{disk.free // 1000} kB are left on its disk, make room", str(self._path))
        draft = self._path / "tmp" / f"{name}.{os.getpid()}.{threading.get_ident()}"
        # One that was cut short; or a link that somebody has put there, to be written through.
        draft.unlink(missing_ok=True)
        try:
            with os.fdopen(os.open(draft, _WRITE, 0o600), "wb") as file:
                file.write(raw)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            draft.unlink(missing_ok=True)
            raise
        draft.rename(self._path / "new" / name)
        system.sync(self._path / "new")
        assert self._names is not None
        self._names.add(name)

    def find_sent(self, message_id: str) -> bytes | None:
        """Return the letter of that id that lies in ``new/`` or ``cur/``."""
        name = letter_name(message_id)
        found = [self._path / "new" / name, *(self._path / "cur").glob(f"{name}*")]
        return next((path.read_bytes() for path in found if path.is_file() and not path.is_symlink()), None)

    def close(self) -> None:
        """Look anew what lies there when the next letter is sent."""
        self._names = None

    def _lies_here(self, name: str) -> bool:
        if self._names is None:
            places = (entry.name for folder in ("new", "cur") for entry in _entries(self._path / folder))
            self._names = {_FLAGGED.split(place)[0] for place in places}
        return name in self._names


def make_maildir(path: Path) -> None:
    """Make a Maildir that its owner alone can read; one that exists stays as it is."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    for folder in _FOLDERS:
        (path / folder).mkdir(mode=0o700, exist_ok=True)


def letter_name(message_id: str) -> str:
    """Return the file name of a letter we send: readable, without path or flag characters, different for different ids."""
    readable = _UNSAFE.sub("-", message_id.strip("<>"))[:80].strip("-.")
    return f"{readable}.{hashlib.sha256(message_id.encode()).hexdigest()[:12]}.eml"


def _read(path: Path, limit: int) -> bytes:
    """Raises FileNotFoundError and LetterUnreadable, as ``MaildirSource.read``."""
    try:
        with os.fdopen(os.open(path, _READ), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError(errno.EINVAL, "it is no file")
            return file.read(limit)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise LetterUnreadable(f"{path} cannot be read: {error.strerror}") from error


def _move_back(path: Path, new: Path, since: datetime) -> datetime | None:
    """Move a letter among those that wait; return when it arrived, None for one that was taken out before *since* or is gone."""
    try:
        status = path.lstat()
        # It arrived at the first of these times, and was taken out at the other.
        taken = datetime.fromtimestamp(max(status.st_mtime, status.st_ctime), UTC)
        if taken < since or not stat.S_ISREG(status.st_mode):
            return None
        path.rename(_free_name(new, _FLAGGED.split(path.name)[0]))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise MailDown(f"{path} cannot be moved back: {error.strerror}") from error
    return datetime.fromtimestamp(status.st_mtime, UTC)


def _arrival(path: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(path.lstat().st_mtime, UTC)
    except FileNotFoundError:
        return None


def _entries(folder: Path) -> list[Path]:
    """Return the files of a Maildir's folder.

    Raises:
        ConfigError: it is not there.
        MailDown: it may not be read.
    """
    try:
        return list(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ConfigError(f"{folder.parent}: no Maildir (it needs the folders tmp, new and cur)") from error
    except OSError as error:
        raise MailDown(f"{folder} cannot be read: {error.strerror}") from error


def _put(letter: Path, folder: Path) -> None:
    """Put a letter away: who drops files by hand may use a name again, and the letter before is not to be lost."""
    name, flags = [*_FLAGGED.split(letter.name), _SEEN][:2]
    for mark in _MARKS:
        try:
            letter.rename(_free_name(folder, name, mark + flags))
        except OSError as error:
            if error.errno != errno.EINVAL or mark == _MARKS[-1]:
                raise
        else:
            return


def _free_name(folder: Path, name: str, flags: str = "") -> Path:
    places = (folder / f"{name}{number}{flags}" for number in chain([""], (f".{again}" for again in count(2))))
    return next(place for place in places if not os.path.lexists(place))


def _warn_of_staying(path: Path, error: OSError) -> None:
    log.warning("%s stays where it is: %s", path, error.strerror)
