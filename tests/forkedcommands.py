"""Commands in processes of their own, forked from one that has imported everything: to import it takes most of a command's time.

What it is that runs is ``python -m referee``, with arguments, an environment and streams of its own, and it may be killed; its
reader of letters is forked in its turn.
"""

import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from referee.cli import main
from referee.reader import limitedprocess
from referee.service import club
from tests.forkedreader import forking

ROOT = Path(__file__).parent.parent
PATIENCE = 60  # seconds

_STREAMS = {1: "out", 2: "err"}  # by the numbers that the system knows them by
PARENT = multiprocessing.get_context("forkserver")
PARENT.set_forkserver_preload(["tests.everymodule"])


def run_here(*words: object, **how: Any) -> Result:
    """Run ``referee`` with *words* in this process."""
    return CliRunner().invoke(main, [*map(str, words)], **how)


def run_program(command: Sequence[str | Path], *, check: bool = False, **how: Any) -> subprocess.CompletedProcess[str]:
    """Run another program, and keep what it says."""
    return subprocess.run(command, capture_output=True, text=True, check=check, **how)


def run_forked(
    arguments: Sequence[str], environment: Mapping[str, str], first: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run ``referee`` with *arguments* in an environment of its own; *first* is done by its process before all else.

    Raises:
        subprocess.TimeoutExpired: it takes too long, and was killed.
    """
    with tempfile.TemporaryDirectory() as folder:
        process = PARENT.Process(
            target=_become, args=(list(arguments), dict(environment), folder, str(club.CACHE), first)
        )
        process.start()
        process.join(PATIENCE)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(list(arguments), PATIENCE)
        code = process.exitcode
        process.close()
        out, err = (Path(folder, name).read_text() for name in _STREAMS.values())
    return subprocess.CompletedProcess(list(arguments), code, out, err)


def _become(
    arguments: list[str],
    environment: dict[str, str],
    folder: str,
    cached: str,
    first: Callable[[], None] | None,
) -> None:
    """Be ``python -m referee``, from the fork on."""
    for number, name in _STREAMS.items():
        os.dup2(os.open(Path(folder, name), os.O_WRONLY | os.O_CREAT), number)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(ROOT)
    club.CACHE = cached
    limitedprocess._start = forking(multiprocessing.get_context("fork"))  # type: ignore[assignment]
    if first:
        first()
    sys.argv = ["referee", *arguments]
    runpy.run_module("referee", run_name="__main__", alter_sys=True)
