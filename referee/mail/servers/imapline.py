"""A line to an IMAP server: connected, encrypted, logged in; and its ways to fail sorted by who must act."""

from __future__ import annotations

import logging
import re
import ssl
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from imapclient import DELETED, IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError, ProtocolError

from referee.config.values import Imap
from referee.core import LoginRefused, MailDown, Texts, Value

from ..letter.text import clean_line
from .certificates import certificate_error, no_tls, trusting
from .login import Credentials, Login, login_with, mechanism, oauthbearer, xoauth2

CONNECT = 10  # seconds until a server must have answered the first time

# Whatever of these comes out of the library, nobody knows what of an answer is still on the wire: the line is given up.
# (A closed file raises ValueError, an answer that no server should give any of the others.)
BROKEN = (
    IMAPClientAbortError,
    ProtocolError,
    OSError,
    ValueError,
    AssertionError,
    AttributeError,
    TypeError,
    LookupError,
    OverflowError,
)

_WORDS = 200  # of a server's words in ours
_BUSY = re.compile(
    r"\[(UNAVAILABLE|INUSE|LIMIT|SERVERBUG|THROTTLED)\]|temporar|too many|try again|maximum number", re.I
)
_ATOM = re.compile(r"[A-Za-z0-9!#$&'+,./:;<=>?@^_`|}~-]+")

# The library logs every line of the wire for debugging: letters, which are secret until the turn is played.
logging.getLogger("imapclient").setLevel(logging.WARNING)


def open_line(settings: Imap, ask: Credentials, folder: Path) -> IMAPClient:
    """Return a connection that is logged in. Files are seen from *folder*, the club's.

    Raises:
        MailDown: the server is not there, not to be trusted, or busy.
        LoginRefused: it does not know us.
        ConfigError: a setting is wrong.
    """
    return login_with(ask, lambda login: _open_session(settings, login, folder))


def hang_up(client: IMAPClient, polite: bool = False) -> None:
    """Close a line, whatever state it is in; *polite*: say good-bye, if that takes no longer than a second."""
    try:
        if polite:
            client.socket().settimeout(1)
            client.logout()
        else:
            client.shutdown()
    except (IMAPClientError, *BROKEN):
        try:
            client.shutdown()
        except (IMAPClientError, *BROKEN):
            return  # it was closed already


def words_of(error: BaseException) -> str:
    """Return what went wrong in one short line that is safe in a log."""
    return clean_line(str(error), _WORDS) or type(error).__name__


def _open_session(settings: Imap, login: Login, folder: Path) -> IMAPClient:
    client = _connect(settings, folder)
    try:
        _log_in(client, settings, login)
    except BaseException:
        hang_up(client)
        raise
    return client


def _connect(settings: Imap, folder: Path) -> IMAPClient:
    where = f"IMAP server {settings.host}:{settings.port}"
    trusted = trusting("imap", settings.ca_file, folder)
    host = settings.host.removeprefix("[").removesuffix("]")
    timeout = SocketTimeout(connect=min(CONNECT, settings.timeout), read=settings.timeout)
    encrypted = settings.security == "tls"
    client = None
    try:
        client = IMAPClient(
            host, settings.port, ssl=encrypted, ssl_context=trusted if encrypted else None, timeout=timeout
        )
        client.normalise_times = False  # else times would come as naive local ones
        if settings.security == "starttls":
            if not client.has_capability("STARTTLS"):
                raise MailDown(f"{where} offers no STARTTLS: nothing is sent unencrypted (imap.security)")
            client.starttls(trusted)
    except MailDown:
        assert client is not None
        hang_up(client)
        raise
    except (IMAPClientError, *BROKEN) as error:
        if client is not None:
            hang_up(client)
        if isinstance(error, ssl.SSLCertVerificationError):
            raise certificate_error(where, "imap", host, error) from error
        raise MailDown(f"{where} cannot be reached: {no_tls(error, 'imap') or words_of(error)}") from error
    return client


def _log_in(client: IMAPClient, settings: Imap, login: Login) -> None:
    where = f"IMAP server {settings.host}:{settings.port}"
    try:
        offered = frozenset(word.decode("ascii", "replace").upper() for word in client.capabilities())
        if login.token:
            _show_token(client, settings, login, offered)
        elif "AUTH=PLAIN" in offered:
            client.plain_login(login.user, login.password)
        elif "LOGINDISABLED" in offered:
            raise MailDown(f"{where} takes no password on this line (imap.security)")
        elif login.password.isascii() and _ATOM.fullmatch(login.user):
            client.login(login.user, login.password)
        else:
            raise MailDown(f"{where} takes only ASCII letters in names and passwords")
    except LoginError as error:
        said = words_of(error)
        if _BUSY.search(said):
            raise MailDown(f"{where} lets nobody in now: {said}") from None
        raise LoginRefused(f"{where} does not let {settings.user} in: {said}") from None
    except (IMAPClientError, *BROKEN) as error:
        raise MailDown(f"{where} broke off the login: {words_of(error)}") from None


def _show_token(client: IMAPClient, settings: Imap, login: Login, offered: frozenset[str]) -> None:
    name = mechanism(frozenset(word.removeprefix("AUTH=") for word in offered))
    bearer = name == "OAUTHBEARER"
    answers = [oauthbearer(login, settings.host, settings.port), "\1"] if bearer else [xoauth2(login), ""]
    # Asked a second time, the client is told why it is refused, and must answer before the refusal itself comes.
    client.sasl_login(name, lambda challenge: answers.pop(0) if answers else "")


# What an IMAP server says of letters, read without trusting it.


def begin_idle(client: IMAPClient) -> bool:
    """Let the server tell of letters as they come (IDLE); return whether it has told of one by then.

    The library's own takes whatever comes before the consent for a refusal, and does not look at what comes together with it
    before more comes.

    Raises:
        IMAPClientError: the server refuses, and waits for the next command.
        OSError: it says good-bye.
    """
    line = client._imap
    tag = client._idle_tag = line._command("IDLE")
    woken = []
    while (answer := line._get_response()) is not None:
        if line.tagged_commands[tag] is not None:
            raise IMAPClientError(f"IDLE refused: {line.tagged_commands.pop(tag)}")
        woken.append(_tells_of_a_letter(answer.split()[1:]))
    woken += [_tells_of_a_letter(answer.split()[1:]) for answer in _at_hand(client)]
    return any(woken)


def wait_for_letter(client: IMAPClient, seconds: float) -> bool:
    """Return whether a server that idles tells of a letter within *seconds*.

    Raises:
        OSError: the line is dead.
    """
    began = time.monotonic()
    answer = client.idle_check(timeout=seconds)
    if not answer and time.monotonic() - began < seconds / 2:
        raise OSError("the server has hung up")  # the library says so by returning nothing too early
    return any(_tells_of_a_letter(words) for words in answer)


def _at_hand(client: IMAPClient) -> list[bytes]:
    """Return the lines that have come, without waiting for any."""
    lines: list[bytes] = []
    socket = client.socket()
    patience = socket.gettimeout()
    socket.setblocking(False)
    try:
        while True:
            lines.append(client._imap._get_line())
    except (OSError, IMAPClientAbortError) as error:
        if isinstance(error, IMAPClientAbortError) and "EOF" not in str(error):
            raise
        return lines  # there are no more; or the line is dead, which the next look at it tells
    finally:
        socket.settimeout(patience)


def _tells_of_a_letter(words: Sequence[object]) -> bool:
    """Return whether a line of a server's does. Raises OSError: it is its last."""
    if words[0] == b"BYE":
        raise OSError("the server says good-bye")
    return any(word in (b"EXISTS", b"RECENT") for word in words[1:2])


def describe(
    client: IMAPClient, numbers: list[int], items: Texts = ("RFC822.SIZE", "INTERNALDATE")
) -> dict[int, dict[bytes, Any]]:
    """Return size and time of letters by UID; without what nobody can read."""
    try:
        return client.fetch(numbers, items)  # type: ignore[no-any-return]
    except (ValueError, OverflowError, TypeError, LookupError, AssertionError):
        rows: dict[int, dict[bytes, Any]] = {}
        for number in numbers if len(numbers) > 1 else []:
            rows |= describe(client, [number], items)
        return describe(client, numbers, items[:1]) if len(numbers) == 1 and len(items) > 1 else rows


def in_utc(time_told: datetime | None) -> datetime | None:
    try:
        return time_told.astimezone(UTC) if time_told and time_told.tzinfo else None
    except OverflowError:
        return None


# Folders of an IMAP server: how they are called there, and how a letter gets into one without ever being lost.


class Naming(Value):
    """How a server writes its folders: what all names begin with, and the sign between the levels ("" if there are none)."""

    prefix: str
    sign: str

    def name(self, folder: str) -> str:
        """Return the server's name for a folder that we write as ``Referee/Processed``."""
        if folder.upper() == "INBOX":
            return "INBOX"
        name = folder.replace("/", self.sign) if self.sign else folder
        return name if name.upper().startswith(self.prefix.upper()) else self.prefix + name


def naming(client: IMAPClient) -> Naming:
    """Ask a server how it writes its folders."""
    if client.has_capability("NAMESPACE") and (personal := client.namespace().personal):
        prefix, sign = personal[0]
        return Naming(prefix=_text(prefix), sign=_text(sign))
    listed = client.list_folders("", "")
    return Naming(prefix="", sign=_text(listed[0][1]) if listed else "/")


def move(client: IMAPClient, numbers: list[int], name: str) -> list[int]:
    """Move letters, or as near to it as the server comes. Numbers of letters that are gone do not matter.

    Without MOVE and UIDPLUS they stay, marked: a plain EXPUNGE would delete what other people have marked. Return those that
    were copied, and are there as before: the server lets nobody mark them.
    """
    if client.has_capability("MOVE"):
        client.move(numbers, name)
        return []
    client.copy(numbers, name)
    try:
        client.add_flags(numbers, [DELETED], silent=True)
        if client.has_capability("UIDPLUS"):
            client.uid_expunge(numbers)
    except BROKEN:
        raise
    except IMAPClientError:
        pass
    return [number for number in client.search(["UNDELETED"]) if number in numbers]


def move_again(client: IMAPClient, number: int, name: str) -> list[int]:
    """Move a letter after the server said NO: most likely the folder is still to be made. Returns as ``move``."""
    if not client.folder_exists(name):
        client.create_folder(name)
        try:
            client.subscribe_folder(name)
        except BROKEN:
            raise
        except IMAPClientError:
            pass  # not everybody's mail program shows the folder, then; the letters are in it all the same
    return move(client, [number], name)


def is_there(client: IMAPClient, number: int) -> bool:
    """Return whether the folder that is open holds a letter of that UID."""
    return number in client.search(["UID", str(number)])


def _text(part: bytes | str | None) -> str:
    return part.decode("ascii", "replace") if isinstance(part, bytes) else part or ""
