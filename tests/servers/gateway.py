"""A mail server that takes letters by SMTP and hands them to another by LMTP: what stands between a referee and a mailbox."""

import asyncio
import smtplib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from aiosmtpd.smtp import AuthResult, LoginPassword

from tests.servers.dovecot import PASSWORD, free_port
from tests.servers.listening import Listening

TEMPORARY = "451 4.3.0 try again later"


class _Handler:
    def __init__(self, lmtp: int, change: Callable[[bytes], bytes], refuses: str) -> None:
        self._lmtp, self._change, self._refuses = lmtp, change, refuses

    async def handle_EHLO(  # noqa: N802 (the library's name)
        self, server: Any, session: Any, envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        return [*responses[:-1], "250-PIPELINING", responses[-1]]  # as real ones say, and the library's can

    async def handle_MAIL(  # noqa: N802 (the library's name)
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if not session.authenticated:
            return "530 5.7.0 log in first"
        envelope.mail_from = address
        return "250 2.1.0 yes"

    async def handle_RCPT(  # noqa: N802 (the library's name)
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if self._refuses and self._refuses in address:
            return "550 5.1.1 no such user"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 yes"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 (the library's name)
        def hand_over() -> None:
            with smtplib.LMTP("127.0.0.1", self._lmtp, timeout=20) as client:
                client.sendmail(envelope.mail_from or "", envelope.rcpt_tos, self._change(envelope.original_content))

        try:
            await asyncio.to_thread(hand_over)
        except smtplib.SMTPRecipientsRefused:
            return "550 5.1.1 refused"
        except (OSError, smtplib.SMTPException):
            return TEMPORARY
        return "250 2.0.0 delivered"


def _let_in(server: Any, session: Any, envelope: Any, mechanism: str, told: Any) -> AuthResult:
    return AuthResult(success=isinstance(told, LoginPassword) and told.password == PASSWORD.encode(), handled=False)


@contextmanager
def gateway(lmtp: int, change: Callable[[bytes], bytes] = bytes, refuses: str = "") -> Iterator[int]:
    """Take letters by SMTP from whoever logs in, at the port that is returned; hand them to the LMTP server at port *lmtp*.

    *change*: what it makes of each; *refuses*: recipients with this in them.
    """
    port = free_port()
    server = Listening(
        _Handler(lmtp, change, refuses),
        hostname="127.0.0.1",
        port=port,
        data_size_limit=20_000_000,
        auth_require_tls=False,
        authenticator=_let_in,
    )
    server.start()
    try:
        yield port
    finally:
        server.stop()
