"""The command as an account that may not do everything: root, as which tests may run, reads and writes whatever it likes."""

import ctypes
import os
import subprocess
from pathlib import Path

from tests.forkedcommands import run_forked
from tests.posthouse import environment

# The rights by which modes of files mean nothing to root: CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH.
_LOST = (1, 2)
_VERSION, _DROP = 0x20080522, 24  # of the system's table of rights; PR_CAPBSET_DROP


def plain_command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``referee`` with *arguments* on the club in *folder*, bound by the modes of its files."""
    return run_forked(("--club", str(folder), *arguments), environment(), _give_up_rights)


def _give_up_rights() -> None:
    """Be bound by the modes of files from now on, in this process and in those that it begins."""
    if os.geteuid():
        return
    system = ctypes.CDLL(None, use_errno=True)
    head = (ctypes.c_uint32 * 2)(_VERSION, 0)
    rights = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; of the first 32 rights, then of the others
    assert system.capget(head, rights) == 0
    for right in _LOST:
        assert system.prctl(_DROP, right, 0, 0, 0) == 0
        for place in range(3):
            rights[place] &= ~(1 << right)
    assert system.capset(head, rights) == 0
