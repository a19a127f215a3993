"""Every Python there is, to see that the rules print the same on all of them."""

import os
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from filelock import FileLock

ROOT = Path(__file__).parents[2]
STANDS_ON = f"msgspec=={version('msgspec')}"  # the one library that the rules need


def interpreters() -> list[str]:
    """Return the one that runs this, and of each other version the one on the path."""
    others = [shutil.which(f"python3.{minor}") for minor in (11, 12, 13, 14) if minor != sys.version_info.minor]
    return [sys.executable, *(path for path in others if path is not None)]


def printed_by(python: str, program: str) -> list[str]:
    """Return the words that *program* prints, with hashes of strings as chance has them; skip where it cannot be run."""
    # Where pyenv's own name for it lies on the path, it runs the version that is asked for, not the one that is chosen.
    chosen = {} if python == sys.executable else {"PYENV_VERSION": Path(python).name.removeprefix("python")}
    environment = {**os.environ, **chosen, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "random"}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([python, *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    if chosen:
        libraries = Path(sys.prefix) / "others" / Path(python).name
        libraries.parent.mkdir(exist_ok=True)
        with FileLock(f"{libraries}.lock"):
            if not libraries.exists():
                done = run("-m", "pip", "install", "--quiet", "--retries", "1", "--target", str(libraries), STANDS_ON)
                if done.returncode:
                    shutil.rmtree(libraries, ignore_errors=True)
                    pytest.skip(f"{python} cannot be run here with {STANDS_ON}: {done.stderr.strip()[-120:]}")
        environment["PYTHONPATH"] += os.pathsep + str(libraries)
    done = run("-c", program)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()
