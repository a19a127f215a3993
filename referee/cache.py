"""Files of a folder that spare a process work another one has done. Nothing is lost with them, and none is ever trusted blindly.

A file counts if it is ours alone to write, whole, and made by this very version for this very key; any other is passed over and
made anew. It holds a SHA-256 of what follows, then the content.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

from referee import __version__, system

MOST = 400  # files; beyond that the folder is emptied: templates of many versions have come and gone
LARGEST = 4_000_000  # bytes of one

_DIGEST = hashlib.sha256().digest_size


class Cache:
    """What may be taken from a folder, which need not be there; several processes may fill it at once."""

    def __init__(self, folder: Path | None) -> None:
        """*folder*: None where nothing is kept."""
        self._folder = folder

    def read(self, key: str) -> bytes | None:
        """Return what was kept under a key; None where nothing was, or where it cannot be trusted."""
        if not self._folder:
            return None
        with suppress(OSError):
            handle = os.open(self._place(key), os.O_RDONLY | system.NO_LINK | system.NO_WAIT)
            with os.fdopen(handle, "rb") as file:
                told = file.read(LARGEST) if _is_ours(os.fstat(handle)) else b""
            if hashlib.sha256(told[_DIGEST:]).digest() == told[:_DIGEST]:
                return told[_DIGEST:]
        return None

    def write(self, key: str, content: bytes) -> None:
        """Keep *content* under a key. Where that cannot be done, nothing is said: it is only work that is not spared."""
        if not self._folder or len(content) > LARGEST - _DIGEST:
            return
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, exist_ok=True)
            self._make_room(self._folder)
            place = self._place(key)
            draft = place.with_suffix(f".{os.getpid()}")
            handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY | system.NO_LINK, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(content).digest() + content)
            draft.replace(place)

    def _place(self, key: str) -> Path:
        assert self._folder
        made_by = f"{__version__} {sys.version} {sys.byteorder}"
        return self._folder / hashlib.sha256(f"{made_by}\n{key}".encode()).hexdigest()[:40]

    def _make_room(self, folder: Path) -> None:
        entries = list(folder.iterdir())
        for each in entries if len(entries) >= MOST else ():
            each.unlink(missing_ok=True)


NOTHING_KEPT = Cache(None)


def _is_ours(found: os.stat_result) -> bool:
    return stat.S_ISREG(found.st_mode) and found.st_uid == system.our_id() and not system.others_may(found, 0o022)
