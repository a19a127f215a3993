"""The mailbox on an IMAP server: can we get in, is everything there, what can it do?"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError
from msgspec.structs import replace

from referee.config import Config, Imap
from referee.core.errors import RefereeError
from referee.core.texts.wording import counted
from referee.mail.letter.headers import Head, decoded_line, read_head
from referee.mail.letter.tokens import without_tokens
from referee.mail.servers.imapfolders import naming
from referee.mail.servers.imapline import BROKEN, hang_up, open_line, words_of
from referee.service.club.club import check_security, login_of
from referee.service.doctor.finding import Finding, fault, ok, warning
from referee.service.doctor.smtp import line_findings, not_opened

TOPIC = "inbox"
DRIFT = timedelta(minutes=5)
SPAM = frozenset(
    ("spam", "junk", "junk e-mail", "junk email", "junk mail", "bulk", "bulk mail", "spamverdacht", "unerwünscht", "junk-e-mail",
     "courrier indésirable", "indésirables", "pourriel", "ongewenste e-mail", "ongewenst")
)  # fmt: skip
SHOWN = 5  # letters in such a folder
SHOWN_OF = 60  # characters of sender and subject
_HEAD, _GIVEN = "BODY.PEEK[HEADER.FIELDS (FROM SUBJECT)]", b"BODY[HEADER.FIELDS (FROM SUBJECT)]"


def imap_findings(config: Config, now: datetime) -> Iterator[Finding]:
    """Return what is to be said of the server on which letters arrive. No letter is fetched, none is marked."""
    settings = replace(config.imap, user=config.imap.user or config.address)
    try:
        check_security(settings, "imap")
        client = open_line(settings, login_of(config, "imap"), config.folder)
    except RefereeError as error:
        yield not_opened(TOPIC, "imap", error)
        return
    try:
        yield from line_findings(TOPIC, settings, client.socket(), now)
        yield ok(TOPIC, f"{settings.user} is let in")
        yield from _folders(client, settings, now)
        yield from _abilities(client, settings)
        yield from _spam(client)
    except (IMAPClientError, *BROKEN) as error:
        yield fault(TOPIC, f"{settings.host}: {words_of(error)}", "try again; if it stays, ask whoever runs the server")
    finally:
        hang_up(client, polite=True)


def _folders(client: IMAPClient, settings: Imap, now: datetime) -> Iterator[Finding]:
    names = naming(client)
    name = names.name(settings.folder)
    if not client.folder_exists(name):
        yield fault(TOPIC, f"there is no folder {settings.folder!r}", "mend imap.folder, or make the folder")
        return
    client.select_folder(name, readonly=True)
    waiting = sorted(client.search(["UNDELETED"]))
    yield ok(TOPIC, f"{counted(len(waiting), 'letter waits', 'letters wait')} in {settings.folder}")
    yield from _clock(client, waiting, now)
    for folder in (settings.processed, settings.parked):
        yield _put_away(client, folder, names.name(folder))


def _spam(client: IMAPClient) -> Iterator[Finding]:
    """Look what a filter has laid aside: a player's letter there is one that never came."""
    for flags, sign, name in client.list_folders():
        last = name.rpartition(sign.decode("ascii", "replace") if sign else "/")[2].casefold()
        if b"\\Noselect" in flags or (b"\\Junk" not in flags and last not in SPAM):
            continue
        client.select_folder(name, readonly=True)
        numbers = sorted(client.search(["UNDELETED"]))
        found = f"{counted(len(numbers), 'letter lies', 'letters lie')} in {name}"
        if not numbers:
            yield ok(TOPIC, found)
            continue
        heads = client.fetch(numbers[-SHOWN:], [_HEAD]) if numbers else {}
        told = "; ".join(_told(read_head(bytes(head.get(_GIVEN) or b""))[0]) for _, head in sorted(heads.items()))
        yield warning(
            TOPIC, f"{found}, the last of them: {told}", "move players' letters to the inbox, and mend the filter"
        )


def _told(head: Head) -> str:
    sender, subject = (without_tokens(decoded_line(head.first(name), SHOWN_OF)) for name in ("from", "subject"))
    return f"{sender}: {subject}"


def _put_away(client: IMAPClient, folder: str, name: str) -> Finding:
    """Say whether letters can go into *folder*. It is made if it is not there, as the next letter would do."""
    if client.folder_exists(name):
        return ok(TOPIC, f"the folder {folder} is there")
    try:
        client.create_folder(name)
    except IMAPClientError as error:
        if isinstance(error, BROKEN):
            raise
        return fault(
            TOPIC, f"the folder {folder} cannot be made: {words_of(error)}", "make it by hand, or name another"
        )
    return ok(TOPIC, f"the folder {folder} was not there; it is now")


def _abilities(client: IMAPClient, settings: Imap) -> Iterator[Finding]:
    if not settings.idle:
        yield ok(TOPIC, "new letters are looked for every `mail.poll` seconds (imap.idle is off)")
    elif client.has_capability("IDLE"):
        yield ok(TOPIC, "the server tells of new letters at once (IDLE)")
    else:
        yield warning(
            TOPIC, "the server does not tell of new letters (no IDLE)", "letters wait for `mail.poll` seconds"
        )
    moves = [name for name in ("MOVE", "UIDPLUS") if client.has_capability(name)]
    if moves:
        yield ok(TOPIC, f"letters that were stored can be put away ({moves[0]})")
    else:
        sentence = "the server can neither move nor delete single letters (no MOVE, no UIDPLUS)"
        yield warning(TOPIC, sentence, f"they stay in {settings.folder}, marked as deleted; empty it now and then")


def _clock(client: IMAPClient, numbers: list[int], now: datetime) -> Iterator[Finding]:
    """The server's clock says when a letter arrived: the newest one cannot have come later than now."""
    if not numbers:
        return
    stamp = client.fetch(numbers[-1:], ["INTERNALDATE"]).get(numbers[-1], {}).get(b"INTERNALDATE")
    if stamp is not None and stamp.tzinfo is not None and stamp.astimezone(UTC) > now + DRIFT:
        ahead = f"the newest letter arrived at {stamp.astimezone(UTC):%Y-%m-%d %H:%M} UTC, which is still to come"
        yield warning(TOPIC, ahead, "set this machine's clock (NTP), or tell whoever runs the server")
