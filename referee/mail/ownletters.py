"""Letters of ours read again, as a mail program reads them. What others wrote is read by ``mail.letter``."""

from __future__ import annotations

import email
from collections.abc import Iterator
from email.message import EmailMessage
from email.policy import default
from functools import lru_cache

# A header line's value is made anew whenever it is asked for, which takes most of the time of reading a letter.
_READING = default.clone(header_factory=lru_cache(maxsize=1024)(default.header_factory))


def read_own(raw: bytes) -> EmailMessage:
    """Return a letter of ours, with the values of its header lines."""
    letter = email.message_from_bytes(raw, policy=_READING)
    assert isinstance(letter, EmailMessage)
    return letter


def text_in(letter: EmailMessage) -> str:
    """Return the text of a letter of ours, each line ended by LF; "" where there is none."""
    part = letter.get_body(("plain",))
    return str(part.get_content()).replace("\r\n", "\n") if part is not None else ""


def files_in(letter: EmailMessage) -> Iterator[EmailMessage]:
    """Yield the files in a letter of ours, those that its page shows among them."""
    for part in letter.walk():
        if part.get_filename() and isinstance(part, EmailMessage):
            yield part
