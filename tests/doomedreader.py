"""The process that reads letters, killed when a test wants it."""

import os
import subprocess
from collections.abc import Callable
from typing import IO

import pytest

from referee.reader import limitedprocess
from referee.reader.limitedprocess import Limits
from tests.posthouse import READER

DEADLY = b"deadly"


def kill_reader(monkeypatch: pytest.MonkeyPatch, signal_for: Callable[[bytes], int | None]) -> None:
    """Kill the process with the signal that *signal_for* gives for what it is about to be sent; None leaves it alone."""
    READER.close()  # begins a process anew, which is then ours to kill
    processes: list[subprocess.Popen[bytes]] = []
    start, send = limitedprocess._start, limitedprocess.send

    def started(limits: Limits) -> subprocess.Popen[bytes]:
        processes.append(start(limits))
        return processes[-1]

    def sent(pipe: IO[bytes], content: bytes) -> None:
        signal = signal_for(content)
        if signal is not None:
            os.kill(processes[-1].pid, signal)
        send(pipe, content)

    monkeypatch.setattr(limitedprocess, "_start", started)
    monkeypatch.setattr(limitedprocess, "send", sent)
