"""Writes the letter that recorded ones answer: python -m tests.letters.record.ours FILE [LANGUAGE]

The opening of a game of Dampfross to Ann, as our outbox sends it, without its pictures.
"""

import sys
import tempfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

from tests.letters.corpus import SEATS
from tests.posthouse import PostHouse, begun_games


def opening() -> bytes:
    with tempfile.TemporaryDirectory() as folder, PostHouse(Path(folder) / "club") as house:
        begun_games(house, SEATS)
        house.tick()
        sent = next(each for each in house.post("ann@example.org") if "Dampfross" in str(each))
        message = message_from_bytes(sent.as_bytes())
    text = next(part for part in message.walk() if part.get_content_type() == "multipart/alternative")
    for part in text.walk():
        if part.get_content_type() == "multipart/related":
            page = next(each for each in part.walk() if each.get_content_type() == "text/html")
            _become(part, page)
    if text is not message:
        _become(message, text)
    return bytes(message)


def _become(message: Message, part: Message) -> None:
    for name in ("Content-Type", "Content-Transfer-Encoding", "Content-Disposition"):
        del message[name]
        if part[name]:
            message[name] = part[name]
    message.set_payload(part.get_payload())


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(opening())
