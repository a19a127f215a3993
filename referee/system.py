"""What not every system has: Windows knows no owners of files, no modes and no limits, macOS does not limit memory."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal

if sys.platform != "win32":
    with suppress(ImportError):
        import resource
    with suppress(ImportError):
        import pwd

KILL: int = getattr(signal, "SIGKILL", signal.SIGTERM)  # how a process is ended that is not asked
OUT_OF_TIME: int = getattr(
    signal, "SIGXCPU", 0
)  # how one ends that has used up the time of the processor; 0: none does

# Flags of os.open: no link is followed, and no pipe waited for.
NO_LINK: int = getattr(os, "O_NOFOLLOW", 0)
NO_WAIT: int = getattr(os, "O_NONBLOCK", 0)

HAS_OWNERS = hasattr(os, "geteuid")
LIMITS_TIME = "resource" in globals()
LIMITS_MEMORY = LIMITS_TIME and sys.platform != "darwin"

our_id: Callable[[], int] = getattr(os, "geteuid", lambda: 0)  # 0 is what files belong to where there are no owners


def others_may(status: os.stat_result, rights: int = 0o077) -> int:
    """Return which *rights* others than the owner have; where there are no owners, folders say that and not modes."""
    return status.st_mode & rights if HAS_OWNERS else 0


def name_of(user: int) -> str:
    """Return the name of an account."""
    if sys.platform != "win32":
        with suppress(KeyError, NameError):
            return pwd.getpwuid(user).pw_name
    return f"user {user}"


def limit(what: Literal["CPU", "AS", "CORE"], most: int, *, for_good: bool = False) -> None:
    """Limit this process, in seconds or bytes, as far as the system does: elsewhere who waits for it has patience alone."""
    if sys.platform != "win32" and LIMITS_TIME:
        number = getattr(resource, f"RLIMIT_{what}")
        hard = resource.getrlimit(number)[1]
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with suppress(*(ValueError,) if what == "AS" else ()):  # macOS lets nobody limit memory
            resource.setrlimit(number, (soft, soft if for_good else hard))


def sync(path: Path) -> None:
    """Make a file, or what became of the names in a folder, outlive a power cut; Windows keeps those by itself."""
    with suppress(*() if HAS_OWNERS else (OSError,)):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_whole(path: Path, content: bytes, mode: int = 0o600, *, lasting: bool = True) -> None:
    """Write a file whole or not at all: beside, and then renamed. *lasting*: no power cut takes it after that."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    draft.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        draft.chmod(mode)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
