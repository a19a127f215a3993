"""Work on one letter in a process of its own: a power cut ends that and us, a deadly letter ends that alone and is to blame."""

from __future__ import annotations

import os
import subprocess
import sys

from referee.core.errors import LetterDeadly
from referee.service.club.club import Club
from referee.store import letters

PATIENCE = 300  # seconds

_MODULE = "referee.service.apart"


def work_apart(club: Club, number: int) -> bool:
    """Handle a stored letter in a process of its own; return whether that is done.

    Raises:
        LetterDeadly: that process died of it, or did not end.
    """
    command = [sys.executable, "-m", _MODULE, str(club.config.folder), str(number), club.clock().isoformat()]
    path = os.pathsep.join(path for path in sys.path if path)
    environment = {name: value for name, value in os.environ.items() if name != "REFEREE_CRASH_AT"} | {
        "PYTHONPATH": path
    }
    # It ends when its standard input does, so that it never outlives us and our lock.
    with subprocess.Popen(  # noqa: S603 (our own interpreter, our own module)
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            code = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise LetterDeadly(f"whoever handles it is not done in {PATIENCE} seconds") from None
    if code < 0:
        raise LetterDeadly(f"the process that handled it alone was ended by signal {-code}")
    return letters.letter(club.db, number).status != "stored"
