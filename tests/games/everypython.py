"""Every Python there is, to see that the rules print the same on all of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def interpreters() -> list[str]:
    """Return the one that runs this, and of each other version the one on the path."""
    others = [shutil.which(f"python3.{minor}") for minor in (11, 12, 13, 14) if minor != sys.version_info.minor]
    return [sys.executable, *(path for path in others if path is not None)]


def printed_by(python: str, program: str) -> list[str]:
    """Return the words that *program* prints, with hashes of strings as chance has them; skip where it cannot be run."""
    version = subprocess.run(
        [python, "-c", "import sys; print(sys.version_info >= (3, 11))"], capture_output=True, text=True
    )
    if version.stdout.strip() != "True":
        pytest.skip(f"{python} cannot be run here: {version.stderr.strip()[:80]}")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "random"}
    return subprocess.run(
        [python, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    ).stdout.split()
