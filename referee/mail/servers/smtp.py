"""Sending through a mail server (SMTP): one letter to one recipient in one transaction, several of them on one line.

What the server answers to a recipient or to the letter is about that recipient alone, unless its words say (``refusals``) that it
does not want us; what it answers to the login or to the sender is about all letters; a line lost while a letter is handed over
leaves open whether it left. A server that takes commands together (PIPELINING, RFC 2920) is given a letter's envelope at once: it
is waited for twice a letter instead of four times.
"""

from __future__ import annotations

import base64
import re
import smtplib
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

from referee.config.values import Smtp
from referee.core import Interrupted, LoginRefused, MailDown, Refused, Rejected, TryLater, Unclear

from ..letter.text import clean_line
from .certificates import certificate_error, no_tls, trusting
from .login import Credentials, Login, login_with, mechanism, oauthbearer, speaks_of, xoauth2

# A line to an SMTP server: connected, encrypted, logged in; and its ways to fail sorted by who must act.

# Whatever of these comes out of the library, the line is given up. (A command with a line break raises ValueError.)
BROKEN = (smtplib.SMTPException, OSError, ValueError)

_WORDS = 200  # of a server's words in ours
_ACCEPTED, _ASKED, _LOGGED_IN = 250, 334, 235


Answer = tuple[int, bytes]
Answers = Iterator[Answer]


def open_line(settings: Smtp, ask: Credentials, folder: Path) -> smtplib.SMTP:
    """Return a connection that is logged in, if we have a password or token. Files are seen from *folder*, the club's.

    Raises:
        MailDown: the server is not there, not to be trusted, or busy.
        LoginRefused: it does not know us.
        ConfigError: a setting is wrong.
    """
    return login_with(ask, lambda login: _open_session(settings, login, folder))


def hang_up(client: smtplib.SMTP, polite: bool = False) -> None:
    """Close a line, whatever state it is in; *polite*: say good-bye, if that takes no longer than a second."""
    try:
        if polite and client.sock is not None:
            client.sock.settimeout(1)
            client.quit()
    except BROKEN:
        pass  # it was closed already
    finally:
        client.close()


def place_of(settings: Smtp) -> str:
    """Return how sentences call the server."""
    return f"SMTP server {settings.host}:{settings.port}"


def plain_words(words: object) -> str:
    """Return what a server said in one short line of ASCII that is safe in a log, a letter and on a terminal."""
    text = words.decode("utf-8", "replace") if isinstance(words, bytes) else str(words)
    return clean_line(text.replace("\n", " "), _WORDS).encode("ascii", "replace").decode()


def _open_session(settings: Smtp, login: Login, folder: Path) -> smtplib.SMTP:
    client = _connect(settings, folder)
    try:
        if login.password or login.token:
            _log_in(client, settings, login)
    except BaseException:
        hang_up(client)
        raise
    return client


def _connect(settings: Smtp, folder: Path) -> smtplib.SMTP:
    trusted = None if settings.security == "none" else trusting("smtp", settings.ca_file, folder)
    client: smtplib.SMTP | None = None
    try:
        client = _call(settings, trusted)
        _greet(client)
        if settings.security == "starttls":
            if not client.has_extn("starttls"):
                raise MailDown(f"{place_of(settings)} offers no STARTTLS: nothing is sent unencrypted (smtp.security)")
            client.starttls(context=trusted)
            _greet(client)
    except MailDown:
        assert client
        hang_up(client)
        raise
    except BROKEN as error:
        if client:
            hang_up(client)
        raise _unreachable(settings, error) from error
    return client


def _call(settings: Smtp, trusted: ssl.SSLContext | None) -> smtplib.SMTP:
    host = settings.host.removeprefix("[").removesuffix("]")
    if settings.security == "tls":
        return smtplib.SMTP_SSL(host, settings.port, _own_name(), timeout=settings.timeout, context=trusted)
    return smtplib.SMTP(host, settings.port, _own_name(), timeout=settings.timeout)


def _greet(client: smtplib.SMTP) -> None:
    code, words = client.ehlo()
    if code != _ACCEPTED:
        raise smtplib.SMTPHeloError(code, words)


def _unreachable(settings: Smtp, error: BaseException) -> MailDown:
    where = place_of(settings)
    if isinstance(error, ssl.SSLCertVerificationError):
        return certificate_error(where, "smtp", settings.host, error)
    if isinstance(error, smtplib.SMTPResponseException):
        return MailDown(f"{where} sends us away: {error.smtp_code} {plain_words(error.smtp_error)}")
    return MailDown(f"{where} cannot be reached: {no_tls(error, 'smtp') or plain_words(error) or type(error).__name__}")


def _log_in(client: smtplib.SMTP, settings: Smtp, login: Login) -> None:
    where = place_of(settings)
    offered = frozenset(str(client.esmtp_features.get("auth", "")).upper().split())
    if not offered:
        raise MailDown(f"{where} takes no logins on this line (smtp.security, smtp.port)")
    try:
        code, words = _prove(client, settings, login, offered)
    except BROKEN as error:
        raise MailDown(f"{where} broke off the login: {plain_words(error)}") from None
    if code == _LOGGED_IN:
        return
    if 400 <= code < 500:  # the server's trouble, or too many logins of late: both pass
        raise MailDown(f"{where} lets nobody in now: {code} {plain_words(words)}")
    raise LoginRefused(f"{where} does not let {login.user} in: {code} {plain_words(words)}")


def _prove(client: smtplib.SMTP, settings: Smtp, login: Login, offered: frozenset[str]) -> Answer:
    """Say who we are and return the server's last answer. (``smtplib`` can say it in ASCII alone.)"""
    if login.token:
        name = mechanism(offered)
        bearer = name == "OAUTHBEARER"
        said = oauthbearer(login, settings.host, settings.port) if bearer else xoauth2(login)
        code, words = client.docmd("AUTH", f"{name} {_encode(said)}")
        # Asked a second time, the client is told why it is refused, and must answer before the refusal itself comes.
        return client.docmd(_encode("\1") if bearer else "") if code == _ASKED else (code, words)
    if "PLAIN" in offered or "LOGIN" not in offered:
        return client.docmd("AUTH", "PLAIN " + _encode(f"\0{login.user}\0{login.password}"))
    code, words = client.docmd("AUTH", "LOGIN " + _encode(login.user))
    return client.docmd(_encode(login.password)) if code == _ASKED else (code, words)


def _encode(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _own_name() -> str:
    """Return what we call ourselves (EHLO): this machine's name if it is whole. No name server is asked: that may take long."""
    name = socket.gethostname()
    whole = name.isascii() and "." in name and all(each.isalnum() or each in ".-" for each in name)
    return name if whole else "[127.0.0.1]"


LETTERS = 100  # on one line; providers end it after so many, or more

_DONE, _WILL_FORWARD, _GO_ON, _CLOSING = 250, 251, 354, 421
_TOO_LARGE = (523, 552)  # said to the sender, but because of this letter's size
_NO_SUCH_ADDRESS = 553
_WHO_ARE_YOU = 530

_FULL_MAILBOX = "5.2.2 "  # said with 5xx, but it passes (RFC 3463)
_ADDRESS = re.compile(r"[^\s<>\x00-\x1f\x7f]{1,200}@[^\s<>\x00-\x1f\x7f]{1,250}")  # nothing that could end a command


class SmtpTransport:
    """Sends through the server of ``smtp.host``. The line is opened by the first letter and kept for those after it."""

    def __init__(self, settings: Smtp, ask: Credentials, folder: Path) -> None:
        """*folder*: the club's."""
        self._settings = settings
        self._ask = ask
        self._folder = folder
        self._client: smtplib.SMTP | None = None
        self._letters = 0  # on this line

    def send(self, message_id: str, raw: bytes, recipient: str, envelope_sender: str) -> None:
        """Send these very bytes to one recipient; *envelope_sender* is told of failures, "" means nobody.

        Raises:
            MailDown, LoginRefused: nobody can be sent anything now; this letter has not left.
            Interrupted: the line broke while this letter was handed over; whether it left is unknown.
            Rejected: nor can anybody, by what the server says of us.
            TryLater, Refused: the server does not take this letter for this recipient, now or ever; Unclear: or nothing of ours.
            ConfigError: a setting is wrong.
        """
        client, answers = self._line_for(len(raw), recipient, envelope_sender)
        try:
            code, words = next(answers)
            taken = code in (_DONE, _WILL_FORWARD)
            if taken:
                code, words = next(answers)
            if taken and code == _GO_ON:
                client.send(_as_data(raw))
                answers = iter(())
                code, words = client.getreply()
                if code == _DONE:
                    self._letters += 1
                    return
        except BROKEN as error:
            raise self._interruption(message_id, error) from error
        # Leave a letter that the server does not take. Raises what its answer means.
        self._letters += 1
        self._begin_anew(client, answers)
        raise self._no(code, words)

    def find_sent(self, message_id: str) -> bytes | None:
        """Return None: no server says what it was given."""
        return None

    def close(self) -> None:
        """Say good-bye, if a line is open; a later letter opens it anew."""
        self._hang_up(polite=True)

    def _line_for(self, size: int, recipient: str, sender: str) -> tuple[smtplib.SMTP, Answers]:
        """Return a line on which the server has taken the sender, and what it says to the recipient, then to the wish to begin.
        A line that it has closed meanwhile is opened anew.
        """
        if self._letters >= LETTERS:
            self.close()
        if self._client:
            try:
                return self._give_envelope(self._client, size, recipient, sender)
            except MailDown:
                pass  # a server may end a line that it finds too old
        self._client = open_line(self._settings, self._ask, self._folder)
        return self._give_envelope(self._client, size, recipient, sender)

    def _give_envelope(
        self, client: smtplib.SMTP, size: int, recipient: str, sender: str
    ) -> tuple[smtplib.SMTP, Answers]:
        answers = _answers(client, _envelope(client, size, recipient, sender))
        try:
            code, words = next(answers)
        except BROKEN as error:
            self._hang_up()
            raise MailDown(f"{place_of(self._settings)} broke off: {plain_words(error)}") from error
        if code == _DONE:
            return client, answers
        self._begin_anew(client, answers)
        if code in _TOO_LARGE:
            raise Refused(code, plain_words(words))
        self._hang_up()
        raise MailDown(f"{place_of(self._settings)} does not take letters from {sender}: {code} {plain_words(words)}")

    def _begin_anew(self, client: smtplib.SMTP, answers: Answers) -> None:
        """Take back what was begun, so that the line serves other letters; each login counts with providers.

        *answers*: those still to come to what was said together.
        """
        try:
            for code, _ in answers if _together(client) else ():
                if code == _GO_ON:  # it waits for a letter to nobody
                    client.docmd(".")
            taken_back = client.rset()[0] == _DONE
        except BROKEN:
            taken_back = False
        if not taken_back:
            self._hang_up()

    def _interruption(self, message_id: str, error: BaseException) -> Interrupted:
        self._hang_up()
        return Interrupted(
            f"{place_of(self._settings)} broke off while it was given {message_id}: {plain_words(error)}"
        )

    def _no(self, code: int, words: bytes) -> MailDown | TryLater | Refused:
        """Return what an answer about a recipient or the letter means."""
        said, place = plain_words(words), place_of(self._settings)
        if code == _CLOSING:
            return MailDown(f"{place} is closing: {said}")
        if code == _WHO_ARE_YOU:
            return MailDown(f"{place} wants a login: {said}")
        whom = speaks_of(words.decode("utf-8", "replace"))
        if 400 <= code < 600 and whom == "us":
            return Rejected(f"{place} refuses us: {code} {said}")
        if 400 <= code < 500 or (code < 600 and said.startswith(_FULL_MAILBOX)):
            return TryLater(code, said)
        if 500 <= code < 600:
            return (Refused if whom else Unclear)(code, said)
        return Interrupted(f"{place} gave an answer that means nothing: {code} {said}")

    def _hang_up(self, polite: bool = False) -> None:
        client, self._client, self._letters = self._client, None, 0
        if client:
            hang_up(client, polite)


def _envelope(client: smtplib.SMTP, size: int, recipient: str, sender: str) -> tuple[bytes, ...]:
    """Return the commands before a letter: from whom, to whom, begin. Raises Refused: the server could not be told."""
    if not _ADDRESS.fullmatch(recipient) or (sender and not _ADDRESS.fullmatch(sender)):
        raise Refused(_NO_SUCH_ADDRESS, "one of the envelope's addresses is none")
    options = f" size={size}" if client.has_extn("size") else ""
    if not (recipient + sender).isascii():
        if not client.has_extn("smtputf8"):
            raise Refused(_NO_SUCH_ADDRESS, "the server takes no addresses beyond ASCII (SMTPUTF8)")
        options += " SMTPUTF8"
    sender, recipient = smtplib.quoteaddr(sender), smtplib.quoteaddr(recipient)
    return f"mail FROM:{sender}{options}\r\n".encode(), f"rcpt TO:{recipient}\r\n".encode(), b"data\r\n"


def _answers(client: smtplib.SMTP, commands: tuple[bytes, ...]) -> Answers:
    """Give the server commands and yield what it says to each; one that does not take them together is given the next when its
    answer is asked for.
    """
    together = _together(client)
    if together:
        client.send(b"".join(commands))
    for command in commands:
        if not together:
            client.send(command)
        yield client.getreply()


def _together(client: smtplib.SMTP) -> bool:
    return client.has_extn("pipelining")


def _as_data(raw: bytes) -> bytes:
    """Return a letter as it is given: no line of it can be taken for its end."""
    quoted = re.sub(rb"(?m)^\.", b"..", raw)
    return quoted + (b"" if quoted.endswith(b"\r\n") else b"\r\n") + b".\r\n"
