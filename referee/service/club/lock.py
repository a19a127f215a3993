"""One process at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from referee.core.errors import ConfigError, TemporaryTrouble

PASSES = "tick.lock"  # in the club's folder: who makes a pass holds it


_OURS: set[Path] = set()  # locks that this process holds


class PassRunning(TemporaryTrouble):
    """A pass is being made, so that nothing can be changed under its hands."""


@contextmanager
def between_passes(folder: Path) -> Iterator[None]:
    """Hold off passes while the umpire changes a game.

    Raises:
        PassRunning: one is being made, or another act of the umpire's.
        ConfigError: as ``alone``.
    """
    if folder / PASSES in _OURS:  # within a pass: the umpire's letters are carried out by it
        yield
        return
    with alone(folder / PASSES) as ours:
        if not ours:
            raise PassRunning(
                "a pass of the referee is running: nothing was changed, give the command again in a moment"
            )
        yield


@contextmanager
def alone(path: Path) -> Iterator[bool]:
    """Hold the lock of a file; False if another process holds it. It ends with the process, however that ends.

    Raises:
        ConfigError: the file is another account's, or the folder cannot be written.
    """
    lock = FileLock(path, timeout=0, mode=0o600)
    try:
        lock.acquire()
    except Timeout:
        yield False
        return
    except OSError as error:
        told = f"{path} cannot be opened: {error.strerror}; run every command as the account that the club belongs to"
        raise ConfigError(told) from error
    _OURS.add(path)
    try:
        yield True
    finally:
        _OURS.remove(path)
        lock.release()
