"""Postfix for tests: a real mail server between a club and the world, which bounces what the world does not take.

Letters to ``club.example`` are put into the Maildir ``inbox``; all others go to the server at a port of this machine.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path

from referee.mail.maildir import make_maildir
from tests.servers.dovecot import free_port

PATIENCE = 30  # seconds for the server to come up, and for a letter to be bounced

_MAIN = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/postfix.log
maillog_file_prefixes = {folder}
meta_directory = /etc/postfix
daemon_directory = {daemons}
mail_owner = postfix
setgid_group = postdrop
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
myhostname = mx.club.example
mydestination =
alias_maps =
alias_database =
local_recipient_maps =
smtp_host_lookup = native
smtp_dns_support_level = disabled
smtpd_forbid_bare_newline = yes
recipient_delimiter = +
virtual_mailbox_domains = club.example
virtual_mailbox_base = {folder}
virtual_mailbox_maps = static:inbox/
virtual_minimum_uid = 1
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
relayhost = [127.0.0.1]:{world}
relay_domains =
minimal_backoff_time = 1s
maximal_backoff_time = 2s
queue_run_delay = 1s
"""
_MASTER = """
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
lmtp unix - - n - - lmtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


@cache
def why_no_postfix() -> str:
    """Return why no Postfix can be started here, "" if one can."""
    if shutil.which("postfix") is None:
        return "postfix is not installed"
    if os.getuid() != 0:
        return "postfix starts as root alone"
    return "" if shutil.which("postconf") else "postconf is not installed"


class Postfix:
    """One Postfix with settings of its own, *more* of them; *world*: the port of the server that stands for all others."""

    def __init__(self, world: int, more: str = "") -> None:
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="pf"))
        self.inbox = self.folder / "inbox"
        self.settings = self.folder / "etc"
        self._write(world, more)

    def __enter__(self) -> Postfix:
        self._command("start")
        return self

    def __exit__(self, *_: object) -> None:
        self._command("stop")
        shutil.rmtree(self.folder)

    def log(self) -> str:
        """Return what it logged."""
        path = self.folder / "postfix.log"
        return path.read_text() if path.exists() else ""

    def arrived(self, count: int) -> list[Path]:
        """Return the letters in the inbox, when there are as many.

        Raises:
            TimeoutError: they did not come.
        """
        end = time.monotonic() + PATIENCE
        while len(found := sorted((self.inbox / "new").iterdir())) < count:
            if time.monotonic() > end:
                raise TimeoutError(self.log())
            time.sleep(0.05)
        return found

    def pause(self) -> None:
        """Let it work for a moment."""
        time.sleep(0.05)

    def _write(self, world: int, more: str) -> None:
        self.folder.chmod(0o755)
        owner = pwd.getpwnam("mail")
        daemons = subprocess.run(["postconf", "-dh", "daemon_directory"], capture_output=True, text=True, check=True)
        values = {"folder": self.folder, "uid": owner.pw_uid, "gid": owner.pw_gid, "world": world, "port": self.port}
        for name in ("etc", "queue", "data"):
            (self.folder / name).mkdir()
        shutil.chown(self.folder / "data", "postfix")
        text = _MAIN.format(**values, daemons=daemons.stdout.strip())
        told = {line.partition(" =")[0] for line in more.splitlines()}
        kept = [line for line in text.splitlines() if line.partition(" =")[0] not in told]
        (self.settings / "main.cf").write_text("\n".join([*kept, more, ""]))
        (self.settings / "master.cf").write_text(_MASTER.format(**values))
        make_maildir(self.inbox)
        for path in (self.inbox, *self.inbox.iterdir()):
            os.chown(path, owner.pw_uid, owner.pw_gid)

    def _command(self, word: str) -> None:
        done = subprocess.run(
            ["postfix", "-c", str(self.settings), word], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        if done.returncode:
            raise RuntimeError(f"postfix {word}: {done.stderr}{self.log()}")
