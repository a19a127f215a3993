"""Letters read in a process of its own, which may die of one: reading takes at most so much time and memory.

The process lives from the first letter until the reader is closed, and a new one takes its place when it dies. It knows
nothing but the bytes it is given: no store, no settings, and none of our environment, where passwords may stand.
"""

from __future__ import annotations

import json
import math
import os
import resource
import select
import signal
import struct
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import IO, Any

from referee.core.errors import LetterTooCostly, ReaderLost
from referee.mail.letter.bounces import Bounce, Failure
from referee.mail.letter.message import Letter, read_letter

LARGEST = 64 * 1024 * 1024  # bytes of what goes to and fro for one letter

_LENGTH = struct.Struct(">I")
_TRIES = 2
_KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one letter may take: ``seconds`` of the processor, ``memory`` in bytes of address space, ``patience`` in seconds
    until an answer must have begun (on a loaded machine a second of the processor may take several).
    """

    seconds: int = 5
    memory: int = 512 * 1024 * 1024
    patience: int = 60


class Reader:
    """``read_letter`` in another process. One letter at a time."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._process: subprocess.Popen[bytes] | None = None
        self._begun: bytes | None = None  # what it was given and has not answered yet

    def read(self, raw: bytes, following: bytes = b"") -> Letter:
        """Return the letter that *raw* holds. *following*, if any, is most likely asked for next: it is read meanwhile.

        Raises:
            LetterTooCostly: it takes more time than a letter may.
            ReaderLost: the process died of it, twice, and nobody knows why.
        """
        letter = self._read(raw)
        if following:
            self._begin(following)
        return letter

    def close(self) -> None:
        """End the process, if there is one; the next letter begins another."""
        self._end()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:
            self._end()
        if self._process is None:
            self._process = _start(self._limits)
        return self._process

    def _read(self, raw: bytes) -> Letter:
        for _ in range(_TRIES):
            try:
                return self._answer(raw)
            except (OSError, EOFError):
                self._bury()
            except BaseException:
                self._end()  # an answer that comes too late must not be taken for that to the next letter
                raise
        raise ReaderLost(f"the process that reads letters died {_TRIES} times of one letter of {len(raw)} bytes")

    def _begin(self, raw: bytes) -> None:
        try:
            self._given(raw)
        except OSError:
            self._end()  # who asks for it meets what is wrong
        except BaseException:
            self._end()
            raise

    def _given(self, raw: bytes) -> subprocess.Popen[bytes]:
        """Return the process, which reads this letter and no other."""
        if self._begun not in (None, raw):
            self._end()
        process = self._running()
        if self._begun is None:
            assert process.stdin is not None
            _send(process.stdin, raw)
            self._begun = raw
        return process

    def _answer(self, raw: bytes) -> Letter:
        process = self._given(raw)
        assert process.stdout is not None
        if not select.select([process.stdout], [], [], self._limits.patience)[0]:
            raise LetterTooCostly(f"reading the letter takes more than {self._limits.patience} seconds")
        told = _receive(process.stdout)
        self._begun = None
        return _letter_of(told)

    def _bury(self) -> None:
        """Forget a process that died.

        Raises:
            LetterTooCostly: it was killed because the letter took too long.
        """
        if self._end() == -signal.SIGXCPU:
            raise LetterTooCostly(f"reading the letter takes more than {self._limits.seconds} seconds")

    def _end(self) -> int:
        """End the process, dead or alive, and return how it ended; 0 where there is none."""
        process, self._process, self._begun = self._process, None, None
        if process is None:
            return 0
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # what was still to be written is of no use to the dead
                if pipe is not None:
                    pipe.close()
        process.kill()
        return process.wait()


def main(seconds: int, memory: int) -> None:
    """Read letters from standard input and write what they say to standard output, until there are no more."""
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_IGN)  # meant for the referee, who finishes the letter and then lets us go
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _lower(resource.RLIMIT_AS, memory)
    incoming, outgoing = sys.stdin.buffer, sys.stdout.buffer
    while (raw := _receive(incoming, last=True)) is not None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        _lower(resource.RLIMIT_CPU, math.ceil(used.ru_utime + used.ru_stime) + seconds)
        _send(outgoing, _told(read_letter(raw)))


def _start(limits: Limits) -> subprocess.Popen[bytes]:
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(  # noqa: S603 (our own interpreter, our own module)
        [sys.executable, "-m", "referee.mail.letter.worker", str(limits.seconds), str(limits.memory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )


def _lower(limit: int, most: int) -> None:
    """Set the limit at which we are told to stop; the one that nobody can raise again stays."""
    hard = resource.getrlimit(limit)[1]
    resource.setrlimit(limit, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _send(pipe: IO[bytes], content: bytes) -> None:
    pipe.write(_LENGTH.pack(len(content)) + content)
    pipe.flush()


def _receive(pipe: IO[bytes], *, last: bool = False) -> bytes | None:
    """Return the next content of a pipe; None where it has ended, if this may be the *last*.

    Raises:
        EOFError: the pipe ended in the middle, or where something was to come.
    """
    head = pipe.read(_LENGTH.size)
    if not head and last:
        return None
    content = pipe.read(_length(head))
    if len(content) < _length(head):
        raise EOFError
    return content


def _length(head: bytes) -> int:
    if len(head) < _LENGTH.size or _LENGTH.unpack(head)[0] > LARGEST:
        raise EOFError
    return int(_LENGTH.unpack(head)[0])


def _told(letter: Letter) -> bytes:
    values = {each.name: getattr(letter, each.name) for each in fields(Letter)}
    values["arrived"] = letter.arrived.isoformat() if letter.arrived else None
    values["bounce"] = asdict(letter.bounce) if letter.bounce else None
    return json.dumps(values).encode("ascii")


def _letter_of(told: bytes | None) -> Letter:
    values = {name: _frozen(value) for name, value in json.loads(told or b"{}").items()}
    values["arrived"] = datetime.fromisoformat(values["arrived"]) if values["arrived"] else None
    values["bounce"] = _bounce_of(values["bounce"])
    return Letter(**values)


def _bounce_of(told: dict[str, Any] | None) -> Bounce | None:
    if told is None:
        return None
    failures = tuple(Failure(**each) for each in told["failures"])
    return Bounce(failures=failures, letters=tuple(told["letters"]))


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
