"""Does our mail server take forged Authentication-Results out? A letter to ourselves that bears one tells it."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime

from referee.config import Config
from referee.core.errors import LetterUnreadable, RefereeError
from referee.mail.interfaces import Source
from referee.mail.letter.headers import HEAD_BYTES, Head, read_head
from referee.service.club.transports import source_of, transport_of
from referee.service.doctor.finding import Finding, fault, ok, warning
from referee.service.doctor.testletter import plain_letter
from referee.store.database.checkup import looked_into

TOPIC = "forgery"
LOOKS, EACH = 30, 2  # times that the inbox is looked into, seconds between


def forgery_findings(config: Config, now: datetime) -> Iterator[Finding]:
    """Send ourselves a letter with a field of our server's name, and say what became of that; nothing where none is believed."""
    name, own = config.identity.authserv_id or config.identity.profile, config.address
    if not name:
        return
    mark = secrets.token_hex(8)
    own_id = f"<doctor.{mark}@{own.rpartition('@')[2]}>"
    forged = f"Authentication-Results: {name}; dmarc=pass policy.forged={mark} header.from={own.rpartition('@')[2]}\r\n"
    try:
        with closing(transport_of(config)) as transport:
            transport.send(own_id, forged.encode() + plain_letter(config, own, now, own_id), own, own)
        head = _back(config, own_id, now)
    except RefereeError as error:
        yield fault(TOPIC, str(error), "mend what is said of inbox and outbox")
        return
    if head is None:
        sentence = f"a letter to {own} with a forged Authentication-Results is not back after {LOOKS * EACH} seconds"
        yield warning(TOPIC, sentence, "try again; it tells whether the server takes such fields out")
    elif mark in " ".join(head.all("authentication-results")):
        found = (
            fault if mark in head.first("authentication-results") else warning
        )  # below its own field none is believed, but it may write none
        yield found(
            TOPIC,
            f"the mail server lets a forged Authentication-Results of {name} through: anybody's letters may pass for proved",
            'have it take out what bears its own name (RFC 8601, 5), or set identity.policy to "token"',
        )
    else:
        yield ok(TOPIC, f"the mail server takes out a forged Authentication-Results of {name}")


def _back(config: Config, own_id: str, now: datetime) -> Head | None:
    """Return the header of our letter as it came back: it waits, or a pass has taken it meanwhile; None if it did not."""
    with closing(source_of(config, lambda: now)) as source:
        for _ in range(LOOKS):
            for raw in (*_waiting(source), *_stored(config)):
                head = read_head(raw)[0]
                if head.first("message-id") == own_id:
                    return head
            source.wait(EACH, threading.Event())
    return None


def _waiting(source: Source) -> Iterator[bytes]:
    for arrival in reversed(source.waiting()):
        with suppress(FileNotFoundError, LetterUnreadable):
            yield source.read(arrival.key, HEAD_BYTES)


def _stored(config: Config) -> Iterator[bytes]:
    with looked_into(config.database) as db:
        yield from (row["raw"] for row in db.query("SELECT raw FROM letters ORDER BY id DESC LIMIT 50"))
