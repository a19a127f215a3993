"""A line to an SMTP server: connected, encrypted, logged in; and its ways to fail sorted by who must act."""

from __future__ import annotations

import base64
import smtplib
import socket
import ssl
from pathlib import Path

from referee.config.values import Smtp
from referee.core.errors import LoginRefused, MailDown
from referee.mail.letter.text import clean_line
from referee.mail.servers.certificates import no_tls, trusting, untrusted
from referee.mail.servers.login import Credentials, Login, logged_in, mechanism, oauthbearer, xoauth2

# Whatever of these comes out of the library, the line is given up. (A command with a line break raises ValueError.)
BROKEN = (smtplib.SMTPException, OSError, ValueError)

_WORDS = 200  # of a server's words in ours
_DONE, _ASKED, _LOGGED_IN = 250, 334, 235


def open_line(settings: Smtp, ask: Credentials, folder: Path) -> smtplib.SMTP:
    """Return a connection that is logged in, if we have a password or token. Files are seen from *folder*, the club's.

    Raises:
        MailDown: the server is not there, not to be trusted, or busy.
        LoginRefused: it does not know us.
        ConfigError: a setting is wrong.
    """
    return logged_in(ask, lambda login: _logged_in(settings, login, folder))


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


def _logged_in(settings: Smtp, login: Login, folder: Path) -> smtplib.SMTP:
    client = _connected(settings, folder)
    try:
        if login.password or login.token:
            _log_in(client, settings, login)
    except BaseException:
        hang_up(client)
        raise
    return client


def _connected(settings: Smtp, folder: Path) -> smtplib.SMTP:
    trusted = None if settings.security == "none" else trusting("smtp", settings.ca_file, folder)
    client: smtplib.SMTP | None = None
    try:
        client = _called(settings, trusted)
        _greet(client)
        if settings.security == "starttls":
            _encrypt(client, settings, trusted)
    except MailDown:
        assert client is not None
        hang_up(client)
        raise
    except BROKEN as error:
        if client is not None:
            hang_up(client)
        raise _unreachable(settings, error) from error
    return client


def _called(settings: Smtp, trusted: ssl.SSLContext | None) -> smtplib.SMTP:
    host = settings.host.removeprefix("[").removesuffix("]")
    if settings.security == "tls":
        return smtplib.SMTP_SSL(host, settings.port, _own_name(), timeout=settings.timeout, context=trusted)
    return smtplib.SMTP(host, settings.port, _own_name(), timeout=settings.timeout)


def _encrypt(client: smtplib.SMTP, settings: Smtp, trusted: ssl.SSLContext | None) -> None:
    if not client.has_extn("starttls"):
        raise MailDown(f"{place_of(settings)} offers no STARTTLS: nothing is sent unencrypted (smtp.security)")
    client.starttls(context=trusted)
    _greet(client)


def _greet(client: smtplib.SMTP) -> None:
    code, words = client.ehlo()
    if code != _DONE:
        raise smtplib.SMTPHeloError(code, words)


def _unreachable(settings: Smtp, error: BaseException) -> MailDown:
    where = place_of(settings)
    if isinstance(error, ssl.SSLCertVerificationError):
        return untrusted(where, "smtp", settings.host, error)
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


def _prove(client: smtplib.SMTP, settings: Smtp, login: Login, offered: frozenset[str]) -> tuple[int, bytes]:
    """Say who we are and return the server's last answer. (``smtplib`` can say it in ASCII alone.)"""
    if login.token:
        name = mechanism(offered)
        bearer = name == "OAUTHBEARER"
        said = oauthbearer(login, settings.host, settings.port) if bearer else xoauth2(login)
        code, words = client.docmd("AUTH", f"{name} {_encoded(said)}")
        # Asked a second time, the client is told why it is refused, and must answer before the refusal itself comes.
        return client.docmd(_encoded("\1") if bearer else "") if code == _ASKED else (code, words)
    if "PLAIN" in offered or "LOGIN" not in offered:
        return client.docmd("AUTH", "PLAIN " + _encoded(f"\0{login.user}\0{login.password}"))
    code, words = client.docmd("AUTH", "LOGIN " + _encoded(login.user))
    return client.docmd(_encoded(login.password)) if code == _ASKED else (code, words)


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _own_name() -> str:
    """Return what we call ourselves (EHLO): this machine's name if it is whole. No name server is asked: that may take long."""
    name = socket.gethostname()
    whole = name.isascii() and "." in name and all(each.isalnum() or each in ".-" for each in name)
    return name if whole else "[127.0.0.1]"
