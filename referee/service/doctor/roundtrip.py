"""Letters from us to ourselves: which of them come back, and what the mail server made of them."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Collection, Iterator
from contextlib import closing, suppress
from datetime import datetime

from referee.config import Config
from referee.core import LetterUnreadable, NotTaken, RefereeError, Refused, Texts, Value
from referee.mail.compose import Outgoing, compose
from referee.mail.interfaces import Source
from referee.mail.letter.headers import HEAD_BYTES, HeaderFields, read_head
from referee.report.templates import Stationery
from referee.resources import template_folders
from referee.store import open_for_reading

from ..club import source_of, transport_of
from .finding import Finding, Findings, fault, ok, warning

# A letter that only says that letters get through.


def send_test_letter(config: Config, recipient: str, now: datetime) -> Findings:
    """Send a test letter to *recipient*, at once and beside the outbox."""
    try:
        mail(config, recipient, now)
    except NotTaken as error:
        yield fault(f"{recipient}: the server does not take it: {error}", "read what it says; the address is right?")
    except RefereeError as error:
        yield fault(str(error), "mend what is said of the outbox")
    else:
        sentence = f"a test letter to {recipient} left"
        yield ok(f"{sentence}; look whether it arrives, in which folder, and what its Authentication-Results say")


def plain_letter(config: Config, recipient: str, now: datetime, own_id: str) -> bytes:
    """Return a letter that says nothing but that it got through."""
    stationery = Stationery(lambda game: template_folders(game, config.folder / "templates"))
    values = {"club": config.club, "address": config.address}
    written = stationery.letter("doctor", "", config.language, config.zone, values)
    letter = Outgoing(
        sender=config.address,
        sender_name=config.sender_name,
        recipient=recipient,
        recipient_name="",
        subject=written.subject,
        text=written.text,
        date=now,
        message_id=own_id,
        auto="auto-generated",
    )
    return compose(letter)


PLUS = "plus"
LOOKS, EACH = 30, 2  # times that the inbox is looked into, seconds between


class RoundTrip(Value):
    """``plain``, ``plus``: the headers of letters to both forms of our address as they came back, None where one did not;
    ``refused``: what the server said of the second at once.
    """

    plain: HeaderFields | None
    plus: HeaderFields | None
    refused: str


def round_trip(config: Config, now: datetime) -> RoundTrip:
    """Mail ourselves a letter, and one through the plus address. Raises RefereeError: the first could not leave."""
    plain, plus, refused = mail(config, config.address, now), "", ""
    try:
        plus = mail(config, config.address.replace("@", f"+test-{secrets.token_hex(4)}@"), now)
    except Refused as error:
        refused = str(error)
    heads = letters_back(config, {plain, plus} - {""}, now)
    return RoundTrip(plain=heads.get(plain), plus=heads.get(plus), refused=refused)


def plus_findings(config: Config, now: datetime) -> Findings:
    """Say whether answers to a plus address come; nothing where none is used, or letters leave by no server."""
    if not (config.identity.plus and config.smtp.host):
        return
    try:
        yield plus_finding(config, round_trip(config, now))
    except RefereeError as error:
        yield fault(str(error), "mend what is said of inbox and outbox")


def plus_finding(config: Config, trip: RoundTrip) -> Finding:
    """Return what a round trip says of the plus address."""
    address = config.address.replace("@", "+...@")
    if trip.plus:
        return ok(f"letters to {address} arrive")
    mend = "set identity.plus to false: players are then known by the code in the subject"
    if trip.refused:
        return fault(f"the mail server takes no letters to {address}: {trip.refused}", mend)
    if trip.plain:
        return fault(f"a letter to {address} is not back after {LOOKS * EACH} seconds, one without + is", mend)
    sentence = f"letters to {config.address} and {address} are not back after {LOOKS * EACH} seconds"
    return warning(sentence, "look for them in the mailbox and among the spam, then try again")


def mail(config: Config, recipient: str, now: datetime, above: bytes = b"") -> str:
    """Send a test letter at once and beside the outbox, with lines *above* its header, and return its Message-ID."""
    own_id = f"<doctor.{secrets.token_hex(8)}@{config.address.rpartition('@')[2]}>"
    with closing(transport_of(config)) as transport:
        transport.send(own_id, above + plain_letter(config, recipient, now, own_id), recipient, config.address)
    return own_id


def letters_back(config: Config, ids: Collection[str], now: datetime) -> dict[str, HeaderFields]:
    """Return the headers of our letters that came back, and put those away that wait: a pass may have taken them meanwhile."""
    heads: dict[str, HeaderFields] = {}
    with closing(source_of(config, lambda: now)) as source:
        for _ in range(LOOKS):
            for key, raw in (*_waiting(source), *_stored_letters(config)):
                head = read_head(raw)[0]
                if head.first("message-id") in ids:
                    heads[head.first("message-id")] = head
                    source.take_out(*key)
            if len(heads) == len(ids):
                break
            source.wait(EACH, threading.Event())
    return heads


def _waiting(source: Source) -> Iterator[tuple[Texts, bytes]]:
    for arrival in reversed(source.waiting()):
        with suppress(FileNotFoundError, LetterUnreadable):
            yield (arrival.key,), source.read(arrival.key, HEAD_BYTES)


def _stored_letters(config: Config) -> Iterator[tuple[Texts, bytes]]:
    with open_for_reading(config.database) as db:
        yield from (((), row["raw"]) for row in db.query("SELECT raw FROM letters ORDER BY id DESC LIMIT 50"))


# Does our mail server take forged Authentication-Results out? A letter to ourselves that bears one tells it.

FORGERY = "forgery"


def forgery_findings(config: Config, now: datetime) -> Findings:
    """Send ourselves a letter with a field of our server's name, and say what became of that; nothing where none is believed."""
    name, own = config.identity.authserv_id or config.identity.profile, config.address
    if not name:
        return
    mark = secrets.token_hex(8)
    forged = f"Authentication-Results: {name}; dmarc=pass policy.forged={mark} header.from={own.rpartition('@')[2]}\r\n"
    try:
        own_id = mail(config, own, now, forged.encode())
        head = letters_back(config, {own_id}, now).get(own_id)
    except RefereeError as error:
        yield fault(str(error), "mend what is said of inbox and outbox")
        return
    if not head:
        sentence = f"a letter to {own} with a forged Authentication-Results is not back after {LOOKS * EACH} seconds"
        yield warning(sentence, "try again; it tells whether the server takes such fields out")
    elif mark in " ".join(head.all("authentication-results")):
        found = (
            fault if mark in head.first("authentication-results") else warning
        )  # below its own field none is believed, but it may write none
        yield found(
            f"the mail server lets a forged Authentication-Results of {name} through: anybody's letters may pass for proved",
            'have it take out what bears its own name (RFC 8601, 5), or set identity.policy to "token"',
        )
    else:
        yield ok(f"the mail server takes out a forged Authentication-Results of {name}")
