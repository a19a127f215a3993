"""A mail server (SMTP) inside the test: it keeps what it takes, and fails as it is told."""

from __future__ import annotations

import asyncio
import base64
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import AuthResult, LoginPassword

from referee.config import SettingValue
from tests.servers.dovecot import free_port
from tests.servers.listening import Listening

DROP = "drop"  # instead of an answer: the line is cut
USER, PASSWORD = "referee@club.example", "Pässwörd"


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A letter that was taken: whom the envelope names, and the bytes."""

    sender: str
    recipients: tuple[str, ...]
    raw: bytes


def smtp_settings(port: int) -> dict[str, SettingValue]:
    """Return the settings of a club whose letters leave here."""
    return {"smtp__host": "127.0.0.1", "smtp__port": port, "smtp__security": "none"}


class MailHost:
    """What it says is set before a letter comes: ``to_sender`` (to MAIL), by recipient ("": to all others) ``to_recipient``
    (RCPT) and ``to_letter`` (after the letter's last byte; with ``DROP`` it has been taken). ``slow``: seconds until it
    says that.
    """

    def __init__(
        self,
        *,
        security: str = "none",
        certificate: Path | None = None,
        mechanisms: str = "",
        token: str = "",
        together: bool = True,
    ) -> None:
        """*certificate*: a PEM file with the key in it; *mechanisms*: what logins are offered, "" none; *together*: it takes
        commands together, as most do.
        """
        self.letters: list[Taken] = []
        self.logins: list[str] = []
        self.lines = 0
        self.to_sender = ""
        self.to_login = ""
        self.to_recipient: dict[str, str] = {}
        self.to_letter: dict[str, str] = {}
        self.slow = 0.0
        self.port = free_port()
        self.smtp = smtp_settings(self.port)
        self._token, self._together = token, together
        self._settings = {**_encryption(security, certificate), **self._logins(frozenset(mechanisms.split()))}
        self._controller: Listening | None = None

    def __enter__(self) -> MailHost:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Listen at the port."""
        settings = {"hostname": "127.0.0.1", "port": self.port, "enable_SMTPUTF8": False, **self._settings}
        self._controller = Listening(self, **settings)
        self._controller.start()

    def stop(self) -> None:
        """Go away; nobody answers at the port any more."""
        if self._controller:
            self._controller.stop()
            self._controller = None

    def to(self, recipient: str) -> list[bytes]:
        """Return the letters taken for one recipient."""
        return [each.raw for each in self.letters if each.recipients == (recipient,)]

    def _logins(self, offered: frozenset[str]) -> dict[str, Any]:
        if not offered:
            return {"auth_require_tls": True}
        barred = frozenset({"PLAIN", "LOGIN", "XOAUTH2", "OAUTHBEARER"}) - offered
        return {"authenticator": self._admit, "auth_require_tls": False, "auth_exclude_mechanism": barred}

    # The names below are those of the library.

    async def handle_EHLO(  # noqa: N802
        self, server: Any, session: Any, envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        self.lines += 1
        session.host_name = hostname
        return [*responses[:-1], *(["250-PIPELINING"] if self._together else []), responses[-1]]

    async def handle_MAIL(  # noqa: N802
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if self.to_sender:
            return self.to_sender
        envelope.mail_from = address
        return "250 2.1.0 go on"

    async def handle_RCPT(  # noqa: N802
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if refused := self.to_recipient.get(address, self.to_recipient.get("")):
            return refused
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 go on"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        if self.slow:
            await asyncio.sleep(self.slow)
        answer = self.to_letter.get(envelope.rcpt_tos[0], self.to_letter.get("", ""))
        if answer in ("", DROP):
            sender, recipients = envelope.mail_from.strip("<>"), tuple(envelope.rcpt_tos)
            self.letters.append(Taken(sender=sender, recipients=recipients, raw=envelope.original_content))
        if answer == DROP:
            server.transport.abort()
        return answer or "250 2.0.0 taken"

    async def auth_XOAUTH2(self, server: Any, args: list[str]) -> AuthResult:  # noqa: N802
        return await self._token_shown(server, args, f"user={USER}\1auth=Bearer {self._token}\1\1")

    async def auth_OAUTHBEARER(self, server: Any, args: list[str]) -> AuthResult:  # noqa: N802
        where = f"host=127.0.0.1\1port={self.port}"
        return await self._token_shown(server, args, f"n,a={USER},\1{where}\1auth=Bearer {self._token}\1\1")

    async def _token_shown(self, server: Any, args: list[str], right: str) -> AuthResult:
        self.logins.append(args[0])
        if len(args) == 2 and base64.b64decode(args[1]).decode() == right:
            return AuthResult(success=True)
        await server.challenge_auth('{"status":"401"}')
        return AuthResult(success=False, handled=False)

    def _admit(self, server: Any, session: Any, envelope: Any, mechanism: str, shown: Any) -> AuthResult:
        self.logins.append(mechanism)
        if self.to_login:
            return AuthResult(success=False, handled=False, message=self.to_login)
        right = isinstance(shown, LoginPassword) and (shown.login.decode(), shown.password.decode()) == (USER, PASSWORD)
        return AuthResult(success=right, handled=False)


def _encryption(security: str, certificate: Path | None) -> dict[str, Any]:
    if not certificate:
        return {}
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    return {"ssl_context": context} if security == "tls" else {"tls_context": context, "require_starttls": True}
