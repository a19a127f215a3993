"""What the club's mail servers say: the mailbox that letters come to, the server that ours leave by."""

from __future__ import annotations

import smtplib
import socket
import ssl
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from referee.config import Config, Imap, Server
from referee.core import ConfigError, LoginRefused, RefereeError, Untrusted, count_of
from referee.mail.letter.headers import HeaderFields, decoded_line, read_head
from referee.mail.letter.tokens import without_tokens
from referee.mail.servers import smtp
from referee.mail.servers.imapline import BROKEN, hang_up, naming, open_line, words_of
from referee.store import open_for_reading

from ..club import login_of
from .finding import Finding, Findings, fault, ok, warning

# What is to be said alike of every line to a mail server: encryption, certificate, and why it could not be opened.

EXPIRES = timedelta(days=14)


def not_opened(section: str, error: RefereeError) -> Finding:
    """Return why a server could not be used, and which settings could mend it."""
    if isinstance(error, Untrusted):
        return fault(error.told, error.remedy)
    if isinstance(error, LoginRefused):
        remedy = (
            f"check {section}.user and the password or token; many providers want an app password or OAuth2 "
            "(docs/setup.md)"
        )
    elif isinstance(error, ConfigError):
        remedy = f"mend it in [{section}] of referee.toml"
    else:
        remedy = f"check {section}.host, {section}.port and {section}.security, and that no firewall is between"
    return fault(str(error), remedy)


def line_findings(server: Server, line: socket.socket | None, now: datetime) -> Findings:
    """Return how safe an open line is."""
    where = f"{server.host}:{server.port} answers"
    if not isinstance(line, ssl.SSLSocket):
        yield ok(f"{where}, without encryption, on this machine")
        return
    yield ok(f"{where}, encrypted by {line.version()}")
    end = (line.getpeercert() or {}).get("notAfter")
    ends = datetime.fromtimestamp(ssl.cert_time_to_seconds(end), UTC) if isinstance(end, str) else None
    if ends and ends - now < EXPIRES:
        sentence = f"its certificate runs out on {ends:%Y-%m-%d}"
        yield warning(sentence, "renew it, or tell whoever runs the server: after that day nothing goes")


LETTER = 1_000_000  # bytes: a newsletter with its board


def smtp_findings(config: Config, now: datetime) -> Findings:
    """Return what is to be said of the server through which letters leave."""
    settings = config.smtp
    try:
        ask = login_of(config, "smtp")
        login = ask()
        client = smtp.open_line(settings, ask, config.folder)
    except RefereeError as error:
        yield not_opened("smtp", error)
        return
    try:
        yield from line_findings(settings, client.sock, now)
        if login.password or login.token:
            yield ok(f"{settings.user} is let in")
        else:
            yield warning("nobody logs in", "set smtp.password_file or smtp.token_command, if the server wants it")
        yield _size(client, config)
        # May we send from our address? The letter is then not begun.
        code, words = client.mail(config.address)
        client.rset()
        if code >= 400:
            sentence = f"the server does not let us send from {config.address}: {code} {smtp.plain_words(words)}"
            yield fault(sentence, "set mail.address to the address of the account, or allow it there")
        else:
            yield ok(f"letters may be sent from {config.address}")
    except smtp.BROKEN as error:
        yield fault(
            f"{settings.host}: {smtp.plain_words(error)}", "try again; if it stays, ask whoever runs the server"
        )
    finally:
        smtp.hang_up(client, polite=True)


def _size(client: smtplib.SMTP, config: Config) -> Finding:
    size, largest = str(client.esmtp_features.get("size", "")), LETTER
    most = int(size) if size.isdecimal() else 0
    with suppress(RefereeError), open_for_reading(config.database) as db:  # what is wrong with it is said elsewhere
        query = "SELECT coalesce(max(max(size, length(raw))), 0) AS size FROM outbox"
        largest = max(largest, next(db.query(query))["size"])
    if most and most < largest:
        return fault(
            f"the server takes letters of at most {most:,} bytes, ours have up to {largest:,}",
            "ask for more, or use another server",
        )
    return ok(f"letters of up to {most:,} bytes are taken" if most else "the server names no limit of size")


# The mailbox on an IMAP server: can we get in, is everything there, what can it do?

DRIFT = timedelta(minutes=5)
SPAM = frozenset(
    ("spam", "junk", "junk e-mail", "junk email", "junk mail", "bulk", "bulk mail", "spamverdacht", "unerwünscht", "junk-e-mail",
     "courrier indésirable", "indésirables", "pourriel", "ongewenste e-mail", "ongewenst")
)  # fmt: skip
SHOWN = 5  # letters in such a folder
SHOWN_OF = 60  # characters of sender and subject
_HEAD, _GIVEN = "BODY.PEEK[HEADER.FIELDS (FROM SUBJECT)]", b"BODY[HEADER.FIELDS (FROM SUBJECT)]"


def imap_findings(config: Config, now: datetime) -> Findings:
    """Return what is to be said of the server on which letters arrive. No letter is fetched, none is marked."""
    settings = config.imap
    try:
        client = open_line(settings, login_of(config, "imap"), config.folder)
    except RefereeError as error:
        yield not_opened("imap", error)
        return
    try:
        yield from line_findings(settings, client.socket(), now)
        yield ok(f"{settings.user} is let in")
        yield from _folders(client, settings, now)
        yield from _abilities(client, settings)
        yield from _spam(client)
    except (IMAPClientError, *BROKEN) as error:
        yield fault(f"{settings.host}: {words_of(error)}", "try again; if it stays, ask whoever runs the server")
    finally:
        hang_up(client, polite=True)


def _folders(client: IMAPClient, settings: Imap, now: datetime) -> Findings:
    names = naming(client)
    name = names.name(settings.folder)
    if not client.folder_exists(name):
        yield fault(f"there is no folder {settings.folder!r}", "mend imap.folder, or make the folder")
        return
    client.select_folder(name, readonly=True)
    waiting = sorted(client.search(["UNDELETED"]))
    yield ok(f"{count_of(len(waiting), 'letter waits', 'letters wait')} in {settings.folder}")
    # The server's clock says when a letter arrived: the newest one cannot have come later than now.
    newest = client.fetch(waiting[-1:], ["INTERNALDATE"]).get(waiting[-1], {}) if waiting else {}
    stamp = newest.get(b"INTERNALDATE")
    if stamp is not None and stamp.tzinfo is not None and stamp.astimezone(UTC) > now + DRIFT:
        ahead = f"the newest letter arrived at {stamp.astimezone(UTC):%Y-%m-%d %H:%M} UTC, which is still to come"
        yield warning(ahead, "set this machine's clock (NTP), or tell whoever runs the server")
    for folder in (settings.processed, settings.parked):
        yield _put_away(client, folder, names.name(folder))


def _spam(client: IMAPClient) -> Findings:
    """Look what a filter has laid aside: a player's letter there is one that never came."""
    for flags, sign, name in client.list_folders():
        last = name.rpartition(sign.decode("ascii", "replace") if sign else "/")[2].casefold()
        if b"\\Noselect" in flags or (b"\\Junk" not in flags and last not in SPAM):
            continue
        client.select_folder(name, readonly=True)
        numbers = sorted(client.search(["UNDELETED"]))
        found = f"{count_of(len(numbers), 'letter lies', 'letters lie')} in {name}"
        if not numbers:
            yield ok(found)
            continue
        heads = client.fetch(numbers[-SHOWN:], [_HEAD])
        told = "; ".join(
            _letter_line(read_head(bytes(head.get(_GIVEN) or b""))[0]) for _, head in sorted(heads.items())
        )
        yield warning(f"{found}, the last of them: {told}", "move players' letters to the inbox, and mend the filter")


def _letter_line(head: HeaderFields) -> str:
    sender, subject = (without_tokens(decoded_line(head.first(name), SHOWN_OF)) for name in ("from", "subject"))
    return f"{sender}: {subject}"


def _put_away(client: IMAPClient, folder: str, name: str) -> Finding:
    """Say whether letters can go into *folder*. It is made if it is not there, as the next letter would do."""
    if client.folder_exists(name):
        return ok(f"the folder {folder} is there")
    try:
        client.create_folder(name)
    except BROKEN:
        raise
    except IMAPClientError as error:
        return fault(f"the folder {folder} cannot be made: {words_of(error)}", "make it by hand, or name another")
    return ok(f"the folder {folder} was not there; it is now")


def _abilities(client: IMAPClient, settings: Imap) -> Findings:
    if not settings.idle:
        yield ok("new letters are looked for every `mail.poll` seconds (imap.idle is off)")
    elif client.has_capability("IDLE"):
        yield ok("the server tells of new letters at once (IDLE)")
    else:
        yield warning("the server does not tell of new letters (no IDLE)", "letters wait for `mail.poll` seconds")
    moves = [name for name in ("MOVE", "UIDPLUS") if client.has_capability(name)]
    if moves:
        yield ok(f"letters that were stored can be put away ({moves[0]})")
    else:
        sentence = "the server can neither move nor delete single letters (no MOVE, no UIDPLUS)"
        yield warning(sentence, f"they stay in {settings.folder}, marked as deleted; empty it now and then")
