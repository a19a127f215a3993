"""The players of the demo: each reads the newest newsletter in its letter box and writes its orders."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

from referee.bots import dampfross

Lines = Callable[[Mapping[str, Any], str], tuple[str, ...]]

PRESS = (
    "The directors of {company} look back on a satisfying season.",
    "{company} denies all rumours about its viaduct.",
    "Has anybody seen the gauge we ordered? {company}",
    "Travel by {company}: slowly, but in company!",
)

WRITERS: Mapping[str, Lines] = {"dampfross": dampfross.answer}


@dataclass(frozen=True, slots=True, kw_only=True)
class Newsletter:
    """A newsletter as a player has it: words, and the position file for programs."""

    recipient: str
    subject: str
    message_id: str
    text: str
    seen: Mapping[str, Any]
    board: str  # SVG
    turn: int
    finished: bool


def read_newsletters(out: Path, game: str, turn: int) -> tuple[Newsletter, ...]:
    """Return the newsletters of a turn from the Maildir into which the referee sends, in order of their addresses."""
    found = []
    # A letter's file is named for its Message-ID: a long game has thousands of letters to look through otherwise.
    for path in sorted((out / "new").glob(f"newsletter.{game.lower()}.{turn}.*")):
        message = message_from_bytes(path.read_bytes(), policy=default)
        assert isinstance(message, EmailMessage)
        attached = {part.get_filename() or "": part for part in message.iter_attachments()}
        names = [name for name in attached if name.endswith(f"-turn-{turn}.json")]
        if names:
            found.append(_newsletter(message, attached, names[0], turn))
    return tuple(sorted(found, key=lambda each: each.recipient))


def orders_of(kind: str, newsletter: Newsletter, code: str, game: str, company: str) -> str:
    """Return the words of a letter of orders, now and then with a word of press."""
    turn = newsletter.turn + 1
    lines = WRITERS[kind](newsletter.seen, code)
    text = "\n".join((f"ORDERS {game} {turn}", *lines, "END"))
    place = sum(map(ord, code)) + turn
    if place % 4 == 0:
        text += f"\n\nPRESS: {PRESS[place // 4 % len(PRESS)].format(company=company or code)}\nEND PRESS"
    return f"Hello referee,\n\nhere are my orders.\n\n{text}\n\nBest wishes\n"


def _newsletter(message: EmailMessage, attached: Mapping[str, Any], name: str, turn: int) -> Newsletter:
    body = message.get_body(("plain",))
    seen = json.loads(attached[name].get_content())
    return Newsletter(
        recipient=message["To"].addresses[0].addr_spec,
        subject=str(message["Subject"]),
        message_id=str(message["Message-ID"]),
        text=body.get_content().replace("\r\n", "\n") if body is not None else "",
        seen=seen,
        board=attached[name.replace(".json", ".svg")].get_content().decode(),
        turn=turn,
        finished=bool(seen["winners"]),
    )
