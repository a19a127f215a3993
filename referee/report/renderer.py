"""A drawing made into a file by a library, in a process of its own: one that hurts the library hurts nothing else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec

from referee.core.errors import ConfigError, RefereeError, how_to_install, process_wanted
from referee.core.values import Value

PATIENCE = 60  # seconds


class NotInstalled(ConfigError):
    """The extra that draws a kind of file is not installed."""


class Renderer(Value):
    """A kind of file: its ``name``, how what its programs write must ``begin``, the ``extra`` of ours that draws it with the
    ``libraries`` it needs, and how people call what is drawn (``what``).
    """

    name: str
    begin: bytes
    extra: str
    libraries: tuple[str, ...]
    what: str

    @property
    def is_installed(self) -> bool:
        return all(find_spec(library) is not None for library in self.libraries)

    def render(self, program: str, told: str, arguments: Sequence[object]) -> bytes:
        """Return what *program*, in Python, writes when it reads what it is *told*.

        Raises:
            NotInstalled: the extra is missing.
            RefereeError: the renderer failed or took too long; MachineShort: it could not be begun.
        """
        command = [sys.executable, "-I", "-c", program, *map(str, arguments)]
        failed = f"The board was not drawn as {self.name}"
        try:
            with process_wanted():
                done = subprocess.run(  # noqa: S603 - the command is ours alone; the drawing goes in by the pipe
                    command, input=told.encode("utf-8"), capture_output=True, timeout=PATIENCE, check=False
                )
        except subprocess.TimeoutExpired as error:
            raise RefereeError(f"{failed}: the renderer took over {PATIENCE} seconds.") from error
        if done.returncode == 0 and done.stdout.startswith(self.begin):
            return done.stdout
        said = done.stderr.decode("utf-8", "replace").strip()
        if any(f"No module named '{each}'" in said for each in self.libraries):
            lacking = f"need the extra {self.extra}, which is not installed"
            raise NotInstalled(f"{self.what} {lacking}: {how_to_install(self.extra)}, or ask for an .svg")
        raise RefereeError(f"{failed}: {said.splitlines()[-1] if said else 'the renderer ended early'}.")
