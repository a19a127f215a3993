"""One letter handled in a process of its own, with limits, that ends with the one which began it (``receive``)."""

from __future__ import annotations

import os
import sys
import threading
from datetime import datetime
from pathlib import Path

from referee import system
from referee.config import read_config
from referee.core import RefereeError
from referee.store import letters

from .club import open_club
from .receive import handle

SECONDS = 60  # of the processor
MEMORY = 768 * 1024**2  # bytes of address space: less than our service has in all


def main(folder: str, number: str, now: str) -> int:
    """Handle a letter as of *now*; return the exit code, which says nothing but that it could not be done so."""
    threading.Thread(target=_end_with_standard_input, daemon=True).start()
    system.limit("CPU", SECONDS, for_good=True)
    system.limit("AS", MEMORY, for_good=True)
    system.limit("CORE", 0, for_good=True)
    os.umask(0o077)
    time = datetime.fromisoformat(now)
    try:
        with open_club(read_config(Path(folder)), lambda: time) as club:
            handle(club, letters.letter(club, int(number)))
    except RefereeError as error:
        return error.exit_code
    except MemoryError:
        os.kill(os.getpid(), system.KILL)  # as whoever had no limit would end
    return 0


def _end_with_standard_input() -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
