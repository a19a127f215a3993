"""Dovecot (IMAP and LMTP) for tests: any name logs in with one password, or with a token that we sign."""

from __future__ import annotations

import base64
import hashlib
import hmac
import imaplib
import json
import os
import pwd
import secrets
import shutil
import signal
import smtplib
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

PASSWORD = "railway"  # noqa: S105 (of a server that lives as long as a test)
PATIENCE = 20  # seconds for a server to come up or go away
STARTS = 5

_KEY = b"0123456789abcdef0123456789abcdef"
_CONF = """
base_dir = {folder}/run
state_dir = {folder}/run
libexec_dir = {programs}
log_path = {folder}/dovecot.log
protocols = {protocols}
listen = 127.0.0.1
ssl = yes
ssl_cert = <{folder}/cert.pem
ssl_key = <{folder}/key.pem
disable_plaintext_auth = no
auth_mechanisms = {mechanisms}
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
auth_username_format = %Ln
auth_failure_delay = 0
recipient_delimiter = +
mail_location = maildir:~/Maildir
mail_fsync = never
mail_max_userip_connections = 50
first_valid_uid = 1
{more}
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {folder}/oauth2.conf
}}
passdb {{
  driver = static
  mechanisms = plain login
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/mail/%n allow_all_users=yes
}}
namespace inbox {{
  inbox = yes
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
service auth {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    address = 127.0.0.1
    port = {imap}
  }}
  inet_listener imaps {{
    address = 127.0.0.1
    port = {imaps}
    ssl = yes
  }}
}}
"""
_LMTP = """
service lmtp {{
  user = {user}
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
"""
_OAUTH = """
introspection_mode = local
local_validation_key_dict = fs:posix:prefix={folder}/keys/
username_attribute = sub
"""


@cache
def programs() -> Path:
    """Return where Dovecot's programs for each protocol lie."""
    told = subprocess.run(["doveconf", "-d", "-h", "libexec_dir"], capture_output=True, text=True, check=True).stdout
    return Path(told.strip())


def why_no_dovecot() -> str:
    """Return why no Dovecot with IMAP can be started here, "" if one can."""
    if any(shutil.which(each) is None for each in ("dovecot", "doveconf", "openssl")):
        return "dovecot or openssl is not installed (apt-get install dovecot-imapd openssl)"
    told = subprocess.run(["dovecot", "--version"], capture_output=True, text=True, check=False).stdout
    if not told.startswith("2.3."):
        return f"Dovecot {told.split()[0]} reads another language of settings than 2.3"
    return "" if (programs() / "imap").exists() else "dovecot has no IMAP (apt-get install dovecot-imapd)"


def why_no_lmtp() -> str:
    """Return why no Dovecot takes letters here, "" if one does."""
    return "" if (programs() / "lmtp").exists() else "dovecot has no LMTP (apt-get install dovecot-lmtpd)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """Where a server listens on 127.0.0.1: ``imap`` with STARTTLS, ``imaps`` with TLS."""

    imap: int
    imaps: int


class Dovecot:
    """A server of its own; stopped and cleared away at the end of the ``with``.

    *capability*: what it says it can, instead of all that it can; *more*: further settings.
    """

    def __init__(
        self, capability: str = "", more: str = "", mechanisms: str = "plain login xoauth2 oauthbearer"
    ) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="dc"))  # a short path: sockets lie in it
        self.ports = Ports(imap=free_port(), imaps=free_port())
        self._lmtp = 0 if why_no_lmtp() else free_port()
        self._process: subprocess.Popen[bytes] | None = None
        if capability:
            more += f"\nprotocol imap {{\n  imap_capability = {capability}\n}}\n"
        owner = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        self._owner = owner
        user = owner.pw_name
        group = subprocess.run(["id", "-gn", user], capture_output=True, text=True, check=True).stdout.strip()
        values: dict[str, object] = {"folder": self.folder, "user": user, "group": group}
        values |= {
            "uid": owner.pw_uid,
            "gid": owner.pw_gid,
            "imap": self.ports.imap,
            "imaps": self.ports.imaps,
            "programs": programs(),
            "lmtp": self._lmtp,
        }
        for name, text in certificate().items():
            (self.folder / name).write_text(text)
        (self.folder / "mail").mkdir()
        keys = self.folder / "keys" / "default" / "HS256"
        keys.mkdir(parents=True)
        (keys / "default").write_text(base64.b64encode(_KEY).decode())
        (self.folder / "oauth2.conf").write_text(_OAUTH.format(**values))
        values |= {"protocols": "imap lmtp" if self._lmtp else "imap"}
        conf = _CONF.format(**values, more=more, mechanisms=mechanisms, password=PASSWORD)
        conf += _LMTP.format(**values) if self._lmtp else ""
        (self.folder / "dovecot.conf").write_text(conf)
        if os.geteuid() == 0:
            for path in (self.folder, *self.folder.rglob("*")):
                os.chown(path, owner.pw_uid, owner.pw_gid)

    @property
    def ca_file(self) -> Path:
        """The certificate by which a client knows this server."""
        return self.folder / "cert.pem"

    @property
    def lmtp(self) -> int:
        """The port at which it takes letters; the test that asks for it is skipped where it takes none."""
        if not self._lmtp:
            pytest.skip(why_no_lmtp())
        return self._lmtp

    @property
    def _listening(self) -> list[int]:
        return [port for port in (self.ports.imap, self.ports.imaps, self._lmtp) if port]

    def __enter__(self) -> Dovecot:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self) -> None:
        """Start it and wait until it answers; again where something of the one before was still in its way, so that it ended."""
        for _ in range(STARTS):
            process = self._process = self._begun()
            if all(_answers(port, process) for port in self._listening if port != self.ports.imaps):
                return
            if process.poll() is None:
                break
        raise AssertionError(f"Dovecot does not answer:\n{self.log()}")

    def _begun(self) -> subprocess.Popen[bytes]:
        root = os.geteuid() == 0
        return subprocess.Popen(
            ["dovecot", "-F", "-c", str(self.folder / "dovecot.conf")],
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=self._owner.pw_uid if root else None,
            group=self._owner.pw_gid if root else None,
            extra_groups=[] if root else None,
        )

    def kill(self) -> None:
        """End it and all its processes at once, as a power cut does."""
        if self._process:
            self._signal(signal.SIGKILL)
            self._process.wait(PATIENCE)
            self._process = None
            end = time.monotonic() + PATIENCE
            while any(map(_is_open, self._listening)) and time.monotonic() < end:
                time.sleep(0.02)

    def freeze(self) -> None:
        """Let it fall silent: connections stay, nothing answers."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def lose_indexes(self, user: str) -> None:
        """Lose what the server knows about a mailbox beside the letters: it numbers them anew, with another UIDVALIDITY."""
        lost = self._validity(user)
        while self._validity(user) == lost:  # it is the time in seconds, or ahead of it after many new mailboxes
            for path in (self.folder / "mail" / user / "Maildir").glob("dovecot*"):
                path.unlink(missing_ok=True)
            time.sleep(0.05)

    def log(self) -> str:
        """Return what the server wrote about itself."""
        path = self.folder / "dovecot.log"
        return path.read_text("utf-8", "replace") if path.exists() else ""

    def deliver(self, user: str, raw: bytes, sender: str = "ann@example.org") -> None:
        """Deliver a letter as a mail server does."""
        with smtplib.LMTP("127.0.0.1", self.lmtp) as client:
            client.sendmail(sender, [f"{user}@example.org"], raw)

    def client(self, user: str) -> imaplib.IMAP4:
        """Return a mail program of the owner's, with the inbox open; it logs out at the end of a ``with``."""
        client = imaplib.IMAP4("127.0.0.1", self.ports.imap, timeout=10)
        client.login(user, PASSWORD)
        client.select("INBOX")
        return client

    def folder_letters(self, user: str, folder: str = "INBOX") -> list[tuple[bytes, bytes]]:
        """Return flags and bytes of the letters in a folder, in the server's order; none where there is no such folder."""
        with self.client(user) as client:
            if client.select(f'"{folder}"', readonly=True)[0] != "OK":
                return []
            numbers = client.search(None, "ALL")[1][0].split()
            answers = [client.fetch(number.decode(), "(FLAGS BODY.PEEK[])")[1] for number in numbers]
            return [_flags_and_bytes(answer) for answer in answers]

    def _validity(self, user: str) -> bytes:
        with self.client(user) as client:
            return bytes(client.response("UIDVALIDITY")[1][0])

    def _signal(self, number: int) -> None:
        """Signal every process of the server: its children have groups of their own."""
        for process in _family(self._process.pid if self._process else 0):
            try:
                os.kill(process, number)
            except ProcessLookupError:
                continue


def token(user: str, seconds: int = 3600) -> str:
    """Return a token of *user* that runs out in so many seconds."""
    now = int(time.time())
    head = {"alg": "HS256", "typ": "JWT"}
    claims = {"sub": user, "iat": now - 7200, "exp": now + seconds, "iss": "tests", "aud": "tests"}
    parts = ".".join(_url64(json.dumps(part).encode()) for part in (head, claims))
    return f"{parts}.{_url64(hmac.digest(_KEY, parts.encode(), hashlib.sha256))}"


@cache
def certificate() -> dict[str, str]:
    """Return a certificate for localhost and its key, signed by nobody else."""
    with tempfile.TemporaryDirectory() as folder:
        subject = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
        made = ("-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem", "-days", "2")
        command = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject, *made)
        subprocess.run(command, capture_output=True, check=True)
        return {name: (Path(folder) / name).read_text() for name in ("cert.pem", "key.pem")}


def free_port() -> int:
    """Return a port of 127.0.0.1 on which nobody listens now; none of those that the system gives to whoever asks for any."""
    while True:
        port = 20_000 + secrets.randbelow(10_000)
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port


def _family(process: int) -> list[int]:
    """Return the ids of a process and all that descend from it."""
    if not process:
        return []
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        children.setdefault(int(fields[1]), []).append(int(path.parent.name))
    family = [process]
    for one in family:
        family += children.get(one, [])
    return family


def _answers(port: int, process: subprocess.Popen[bytes]) -> bool:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), 1) as line:
                if line.recv(10):
                    return True
        except OSError:
            time.sleep(0.02)
    return False


def _is_open(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 0.5).close()
    except OSError:
        return False
    return True


def _flags_and_bytes(answer: Sequence[object]) -> tuple[bytes, bytes]:
    first = next(part for part in answer if isinstance(part, tuple))
    rest = b"".join(part for part in answer if isinstance(part, bytes))
    return first[0] + rest, first[1]


def _url64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
