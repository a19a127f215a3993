"""Folders for what is secret, whatever the umask of the process."""

from __future__ import annotations

from pathlib import Path


def make_folder(path: Path) -> None:
    """Make a folder, with those above it that are missing, that its owner alone can look into; what is there stays as it is.

    Raises:
        OSError: it cannot be made.
    """
    for each in reversed([path, *path.parents]):
        if not each.is_dir():
            each.mkdir(mode=0o700, exist_ok=True)
