"""The command as an account that may not do everything: root, as which tests may run, reads and writes whatever it likes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.posthouse import INSTALLED, ROOT

_LOST = "-dac_override,-dac_read_search"  # the rights by which modes of files mean nothing to root


def plain_command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``referee`` with *arguments* on the club in *folder*, bound by the modes of its files."""
    command = [sys.executable, "-m", "referee", "--club", str(folder), *arguments]
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root cannot give up its rights: there is no setpriv (util-linux)")
        command = ["setpriv", f"--bounding-set={_LOST}", f"--inh-caps={_LOST}", *command]
    path = os.pathsep.join((str(ROOT), str(INSTALLED)))
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)
