"""One process at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.core.errors import ConfigError


@contextmanager
def alone(path: Path) -> Iterator[bool]:
    """Hold the lock of a file; False if another process holds it. It ends with the process, however that ends.

    Raises:
        ConfigError: the file is another account's, or the folder cannot be written.
    """
    try:
        handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        told = f"{path} cannot be opened: {error.strerror}; run every command as the account that the club belongs to"
        raise ConfigError(told) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(handle)
