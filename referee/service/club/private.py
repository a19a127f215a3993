"""Folders for what is secret, whatever the umask of the process."""

from __future__ import annotations

import shlex
import stat
from pathlib import Path

from referee.core.errors import ConfigError

_WRITERS, _OTHERS = 0o022, 0o077


def make_folder(path: Path) -> None:
    """Make a folder, with those above it that are missing, that its owner alone can look into; what is there stays as it is.

    Raises:
        OSError: it cannot be made.
    """
    for each in reversed([path, *path.parents]):
        if not each.is_dir():
            each.mkdir(mode=0o700, exist_ok=True)


def take_folder(path: Path) -> None:
    """Make a folder as ``make_folder`` does, or close an empty one to everybody but its owner.

    Raises:
        ConfigError: there is something in it already, and others may write there: what we keep they could exchange.
        OSError: it cannot be made.
    """
    make_folder(path)
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & _OTHERS and not any(path.iterdir()):
        path.chmod(mode & ~_OTHERS)
    elif mode & _WRITERS:
        remedy = f"`chmod go-w {shlex.quote(str(path))}`, or name a folder that is not there yet"
        raise ConfigError(f"{path}: others may write into this folder, and it is not empty: {remedy}")
