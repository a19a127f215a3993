"""A copy of a club's folder from which it can be set up again."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from referee.config import FILE, Config
from referee.core.errors import ConfigError
from referee.core.values import Value
from referee.service.club.private import make_folder
from referee.store.database.backup import copy_store

OWN_FOLDERS = ("maps", "templates", "orders")  # what an umpire may have put into the club's folder


class Backup(Value):
    """A copy that was made: where, of what, and the ``secrets`` that are deliberately not in it (settings that name files)."""

    folder: Path
    copied: tuple[str, ...]
    secrets: tuple[str, ...]


def back_up(config: Config, into: Path, watch: Callable[[int, int], None] | None = None) -> Backup:
    """Copy settings, database and the umpire's own files of a club into the new folder *into*.

    The referee may run meanwhile. *watch*: as of ``copy_store``.

    Every letter is in the database, so the Maildirs are not copied; passwords are not either.

    Raises:
        ConfigError: the folder is there already, or something cannot be read or written.
        StoreBusy: the database cannot be copied now.
    """
    if into.exists():
        raise ConfigError(f"{into} is there already: name a folder that is not, so that no backup is ever overwritten")
    draft = into.with_name(f".{into.name}.{os.getpid()}.part")
    try:
        make_folder(draft.parent)
        draft.mkdir(mode=0o700)
        copied = _copied(config, draft, watch)
        _sync(draft)
        draft.rename(into)
    except OSError as error:
        raise ConfigError(f"{into} cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    servers = {"imap": config.imap, "smtp": config.smtp}
    secrets = tuple(f"{section}.password_file" for section, server in servers.items() if server.password_file)
    return Backup(folder=into, copied=copied, secrets=secrets)


def _copied(config: Config, draft: Path, watch: Callable[[int, int], None] | None) -> tuple[str, ...]:
    copy_store(config.database, draft / config.database.name, watch)
    _copy_file(config.folder / FILE, draft / FILE)
    copied = [FILE, config.database.name]
    for name in OWN_FOLDERS:
        if (config.folder / name).is_dir():
            _copy_folder(config.folder / name, draft / name)
            copied.append(f"{name}/")
    return tuple(copied)


def _copy_folder(source: Path, copy: Path) -> None:
    copy.mkdir(mode=0o700)
    for entry in sorted(source.iterdir()):
        if entry.is_dir():
            _copy_folder(entry, copy / entry.name)
        elif entry.is_file():
            _copy_file(entry, copy / entry.name)


def _copy_file(source: Path, copy: Path) -> None:
    with os.fdopen(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        file.write(source.read_bytes())


def _sync(folder: Path) -> None:
    """Make the copies outlive a power cut."""
    for path in (*folder.rglob("*"), folder):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
