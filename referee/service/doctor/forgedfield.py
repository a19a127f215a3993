"""Does our mail server take forged Authentication-Results out? A letter to ourselves that bears one tells it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import datetime

from referee.config import Config
from referee.core.errors import RefereeError
from referee.service.doctor.finding import Finding, fault, ok, warning
from referee.service.doctor.roundtrip import EACH, LOOKS, letters_back, mail

TOPIC = "forgery"


def forgery_findings(config: Config, now: datetime) -> Iterator[Finding]:
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
