"""Letters that were made to hurt a reader, one for each trap we know of, and what our referee makes of each.

``HOSTILE`` has them by name: the bytes, and the status and reason that the letter gets when it comes from a player.
"""

import re

from msgspec import Struct

from referee.mail.letter.message import Letter
from tests.tables import Tables, repeated

TABLES = Tables(__file__)


class Hostile(Struct, frozen=True):
    """A letter, what becomes of it, and why; ``orders``: whether orders of it are on file afterwards."""

    raw: bytes
    status: str
    reason: str
    orders: bool


def raw_of(text: str, end: str = "\r\n") -> bytes:
    """Return a letter that is written as in ``hostile.toml``."""
    for name, words in TABLES.listed("words").items():
        text = text.replace(named, repeated(words)) if (named := f"{{{name}}}") in text else text
    text = repeated(text, "№").replace("\n", end)
    return re.sub("[\ue080-\ue0ff]", lambda byte: chr(ord(byte[0]) - 0x0400), text).encode("utf-8", "surrogateescape")


def _hostile(fate: str, text: str) -> Hostile:
    status, _, reason = fate.partition(": ")
    return Hostile(raw_of(text), {"taken": "done", "idle": "done"}.get(status, status), reason, status == "taken")


HOSTILE = {name: _hostile(*told) for name, told in TABLES.listed("letters").items()}


def assert_storable(letter: Letter) -> None:
    """No text holds what a database, a header or a line count could stumble over."""
    for line in (
        letter.sender,
        letter.sender_name,
        letter.subject,
        letter.message_id,
        *letter.attachments,
        *letter.references,
        *letter.recipients,
    ):
        assert line.isprintable()
        line.encode()
    for text in (letter.text, *letter.alternatives, *letter.pieces, *letter.enclosed):
        text.encode()
        assert "\0" not in text
        assert "\r" not in text
        assert text.splitlines() == text.removesuffix("\n").split("\n") or not text
