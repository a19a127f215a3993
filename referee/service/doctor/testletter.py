"""A letter that only says that letters get through."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import datetime

from referee.config import Config
from referee.core.errors import NotTaken, RefereeError
from referee.mail.compose import Outgoing, compose
from referee.report.templates import Stationery
from referee.resources import template_folders
from referee.service.club.club import transport_of
from referee.service.doctor.finding import Finding, fault, ok

TOPIC = "letter"


def send_test_letter(config: Config, recipient: str, now: datetime) -> Iterator[Finding]:
    """Send a test letter to *recipient*, at once and beside the outbox."""
    own_id = f"<doctor.{secrets.token_hex(8)}@{config.address.rpartition('@')[2]}>"
    try:
        raw = plain_letter(config, recipient, now, own_id)
        transport = transport_of(config)
        try:
            transport.send(own_id, raw, recipient, config.address)
        finally:
            transport.close()
    except NotTaken as error:
        yield fault(
            TOPIC, f"{recipient}: the server does not take it: {error}", "read what it says; the address is right?"
        )
    except RefereeError as error:
        yield fault(TOPIC, str(error), "mend what is said of the outbox")
    else:
        sentence = f"a test letter to {recipient} left"
        yield ok(
            TOPIC, f"{sentence}; look whether it arrives, in which folder, and what its Authentication-Results say"
        )


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
