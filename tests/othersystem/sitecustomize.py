# mypy: ignore-errors
"""A Python that begins with this folder on its path finds what it would find on Windows, as far as can be pretended."""

import builtins
import errno
import io
import os
import re
import select
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
import warnings
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType

import filelock

_LACKING = ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog")
_NAMES = {
    os: (
        "O_NOFOLLOW",
        "O_NONBLOCK",
        "O_DIRECTORY",
        "O_CLOEXEC",
        "geteuid",
        "getuid",
        "getegid",
        "getgid",
        "statvfs",
        "chown",
        "fork",
        "forkpty",
        "setsid",
        "killpg",
        "getpgid",
        "getloadavg",
        "uname",
        "mkfifo",
    ),
    signal: ("SIGKILL", "SIGXCPU", "SIGALRM", "SIGHUP", "SIGUSR1", "SIGUSR2", "setitimer", "alarm", "ITIMER_REAL"),
    socket: ("AF_UNIX", "SOCK_CLOEXEC", "SOCK_NONBLOCK"),
    time: ("clock_gettime", "CLOCK_BOOTTIME", "tzset"),
    select: ("poll", "epoll"),
}
_FORBIDDEN = re.compile(r'[<>:"|?*\\]|[. ]$')
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


class _Nowhere(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in _LACKING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def _checked(path):
    name = os.fsdecode(path).rpartition("/")[2] if isinstance(path, str | bytes | os.PathLike) else ""
    if name not in ("", ".", "..") and (_FORBIDDEN.search(name) or _RESERVED.fullmatch(name)):
        raise OSError(errno.EINVAL, "The filename, directory name, or volume label syntax is incorrect", name)


def _strict(act, *, onto=""):
    def done(path, *rest, **named):
        _checked(path)
        if onto:
            _checked(rest[0])
            if onto == "new" and os.path.lexists(rest[0]):
                raise FileExistsError(errno.EEXIST, "Cannot create a file when that file already exists", str(rest[0]))
        return act(path, *rest, **named)

    return done


def _opened(path, flags, *rest, **named):
    _checked(path)
    if Path(path).is_dir():
        raise PermissionError(errno.EACCES, "Permission denied", path)
    return _open(path, flags, *rest, **named)


def _seen(act):
    """Modes say nothing, and everything belongs to nobody."""

    def done(*args, **named):
        found = act(*args, **named)
        rights = 0o777 if stat.S_ISDIR(found.st_mode) else 0o666
        more = {name: getattr(found, name) for name in dir(found) if name.startswith("st_")}
        return os.stat_result((stat.S_IFMT(found.st_mode) | rights, *found[1:4], 0, 0, *found[6:10]), more)

    return done


# The lock's library has what it needs: on Windows it locks by other means.
_whole = ModuleType("os")
_whole.__dict__.update(os.__dict__)
for module in [each for name, each in sys.modules.items() if name.startswith(filelock.__name__)]:
    if hasattr(module, "os"):
        module.os = _whole

_open = os.open
os.open = _opened
builtins.open = io.open = _strict(io.open)
os.mkdir = _strict(os.mkdir)
os.rename, os.replace = _strict(os.rename, onto="new"), _strict(os.replace, onto="old")
os.stat, os.lstat, os.fstat = map(_seen, (os.stat, os.lstat, os.fstat))
shutil._use_fd_functions = False
_disk = _whole.statvfs
shutil.disk_usage = lambda path: shutil._ntuple_diskusage(*3 * (_disk(path).f_bavail * _disk(path).f_frsize,))
subprocess.Popen.kill = lambda process: process.poll() is None and os.kill(process.pid, 9)
warnings.filterwarnings("error", category=EncodingWarning)
warnings.filterwarnings("ignore", category=EncodingWarning, module="zoneinfo|click")
for module, names in _NAMES.items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
for name in _LACKING:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, _Nowhere())
