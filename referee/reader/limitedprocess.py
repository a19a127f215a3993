"""A process that answers requests and may die of one: what belongs to one letter takes at most so much time and memory.

It lives from the first request until it is ended, and a new one takes its place when it dies. It knows nothing but what it is
told: no store, no settings, and none of our environment, where passwords may stand.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO

from referee import system
from referee.core import LetterTooCostly, MachineShort, ReaderKilled, ReaderLost, Value, process_wanted

# Contents of known length on a pipe.

LETTER, QUERY = b"L", b"Q"  # what a request begins with: the bytes of a letter follow, or a query
THING, FORGET = b"T", b"F"  # the same of what is told before one: a thing, the key of one that is not spoken of again

LARGEST = 64 * 1024 * 1024  # bytes of what goes to and fro for one letter

COST = struct.Struct(">d")  # what an answer begins with: seconds of the processor that it took

_LENGTH = struct.Struct(">I")


def send(pipe: IO[bytes], content: bytes) -> None:
    """Write a content."""
    pipe.write(_LENGTH.pack(len(content)) + content)
    pipe.flush()


def receive(pipe: IO[bytes]) -> bytes:
    """Return the next content.

    Raises:
        EOFError: the pipe ended.
    """
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    length = int(_LENGTH.unpack(head)[0])
    if length > LARGEST:
        raise EOFError
    content = pipe.read(length)
    if len(content) < length:
        raise EOFError
    return content


Things = Sequence[tuple[str, Callable[[], bytes]]]  # what a request speaks of: each with its key, and how it is told

MOST_THINGS = 40

UNBEGUN = 1  # how Python ends where it cannot even import us

_TRIES = 2
_KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT")


class Limits(Value):
    """What one letter may take: ``seconds`` of the processor, ``memory`` in bytes of address space, ``patience`` in seconds
    until it must have answered (on a loaded machine a second of the processor may take several).
    """

    seconds: int = 5
    memory: int = 512 * 1024 * 1024
    patience: int = 60


class LimitedProcess:
    """Asked one thing after the other."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.spent = 0.0  # seconds of the processor that answers took, as far as they were asked for
        self._process: subprocess.Popen[bytes] | None = None
        self._told: dict[str, None] = {}  # keys, the one used last at the end

    def ask(self, request: bytes, things: Things = ()) -> bytes:
        """Return the answer to *request*, which speaks of these *things*.

        Raises:
            LetterTooCostly: it takes more time than a letter may.
            ReaderLost: the process died of it, twice, and nobody knows why; ReaderKilled: somebody else ended it.
            MachineShort: none can be begun.
        """
        ended = 0
        for _ in range(_TRIES):
            try:
                told = self._answer(request, things)
                self.spent += COST.unpack_from(told)[0]
                return told[COST.size :]
            except (OSError, EOFError):
                ended = self._bury()
            except BaseException:
                self.end()  # an answer that comes too late must not be taken for that to the next request
                raise
        if ended == -system.KILL:
            raise ReaderKilled("the process that reads letters was killed, most likely for want of memory")
        raise ReaderLost(f"the process that reads letters died {_TRIES} times of a request of {len(request)} bytes")

    def end(self) -> int:
        """End the process, dead or alive, and return how it ended; 0 where there is none. The next request begins another."""
        process, self._process, self._told = self._process, None, {}
        if not process:
            return 0
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # what was still to be written is of no use to the dead
                if pipe is not None:
                    pipe.close()
        process.kill()
        return process.wait()

    def _answer(self, request: bytes, things: Things) -> bytes:
        if self._process and self._process.poll() is not None:
            self.end()
        if not self._process:
            self._process = _start(self._limits)
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Event()

        def give_up() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(self._limits.patience, give_up)
        timer.daemon = True
        timer.start()
        try:
            for key, thing in things:
                # Tell a thing that is not known yet; of many the one that was used longest ago is forgotten.
                if key in self._told:
                    del self._told[key]
                else:
                    send(process.stdin, thing())
                self._told[key] = None
                if len(self._told) > MOST_THINGS:
                    oldest = next(iter(self._told))
                    del self._told[oldest]
                    send(process.stdin, FORGET + oldest.encode())
            send(process.stdin, request)
            return receive(process.stdout)
        except (OSError, EOFError):
            if late.is_set():
                raise LetterTooCostly(f"reading the letter takes more than {self._limits.patience} seconds") from None
            raise
        finally:
            timer.cancel()

    def _bury(self) -> int:
        """Forget a process that died, and return how it ended.

        Raises:
            LetterTooCostly: it was killed because the letter took too long.
            MachineShort: it had not begun to listen.
        """
        ended = self.end()
        if ended == -system.OUT_OF_TIME != 0:
            self.spent += self._limits.seconds
            raise LetterTooCostly(f"reading the letter takes more than {self._limits.seconds} seconds")
        if ended == UNBEGUN:
            raise MachineShort(
                "the process that reads letters ended before it could listen, most likely for want of memory"
            )
        return ended


def _start(limits: Limits) -> subprocess.Popen[bytes]:
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    command = [sys.executable, "-m", "referee.reader.worker", str(limits.seconds), str(limits.memory)]
    with process_wanted():
        return subprocess.Popen(  # noqa: S603 (our own interpreter, our own module)
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
        )
