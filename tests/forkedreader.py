"""Processes that read letters, forked from one that has imported everything: to import it takes longer than a letter.

What runs in them is ``referee.reader.worker``, with its limits, its pipes and none of our environment. How a club begins them is
tested in ``tests/reader``.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkContext, ForkServerContext
from multiprocessing.util import Finalize
from typing import IO, Any, cast

from referee.reader import limitedprocess, worker
from referee.reader.limitedprocess import Limits

begin_as_in_a_club = limitedprocess._start


class Forked:
    """A process as ``subprocess.Popen`` has it, as far as readers are concerned."""

    def __init__(self, limits: Limits, parent: ForkContext | ForkServerContext) -> None:
        asked, ask = multiprocessing.Pipe(duplex=False)
        answer, answered = multiprocessing.Pipe(duplex=False)
        self._process = parent.Process(target=_read, args=(asked, answered, limits), daemon=True)
        self._process.start()
        self._parent = os.getpid()
        # It is deaf to the kinder signal that daemons are ended with.
        self._at_the_end = Finalize(None, self._process.kill, exitpriority=10)
        self._code: int | None = None
        for end in (asked, answered):
            end.close()
        self.stdin, self.stdout = _file(ask, "wb"), _file(answer, "rb")
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def poll(self) -> int | None:
        """A process that a test forks has no part in it: two of them would take each other's answers."""
        if os.getpid() != self._parent:
            return 0
        return self._process.exitcode if self._code is None else self._code

    def kill(self) -> None:
        if self.poll() is None:
            self._process.kill()

    def wait(self) -> int:
        if os.getpid() == self._parent and self._code is None:
            self._process.join()
            self._code = self._process.exitcode
            self._at_the_end.cancel()
            self._process.close()  # thousands are begun, and each has files open
        return self.poll() or 0


def forking(parent: ForkContext | ForkServerContext) -> Callable[[Limits], subprocess.Popen[bytes]]:
    """Return what begins a reader, as ``limitedprocess._start`` does; in a process that a test forks it is that itself."""
    here = os.getpid()

    def begin(limits: Limits) -> subprocess.Popen[bytes]:
        if os.getpid() != here:
            return begin_as_in_a_club(limits)
        return cast("subprocess.Popen[bytes]", Forked(limits, parent))

    return begin


def _file(end: Connection[Any, Any], mode: str) -> IO[Any]:
    with end:
        return open(os.dup(end.fileno()), mode)  # noqa: PTH123 (no path; whoever ends the process closes it)


def _read(asked: Connection[Any, Any], answered: Connection[Any, Any], limits: Limits) -> None:
    for number, end in enumerate((asked.fileno(), answered.fileno(), os.open(os.devnull, os.O_WRONLY))):
        os.dup2(end, number)
    os.closerange(3, 4096)  # what was open where it was forked is none of its business
    kept = {name: os.environ[name] for name in limitedprocess._KEPT if name in os.environ}
    os.environ.clear()
    os.environ.update(kept)
    sys.stdin = open(0)  # noqa: SIM115
    worker.main(limits.seconds, limits.memory)
    os._exit(0)
