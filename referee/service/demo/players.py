"""The players of the demo: each reads the newest newsletter in its letter box and writes its orders."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from referee.core.values import Value
from referee.mail.ownletters import read_own, text_in
from referee.service.demo.casts import Cast


class Newsletter(Value):
    """A newsletter as a player has it: words, and the position file for programs."""

    recipient: str
    reply_to: str  # "" where the letter names no address but the sender's
    subject: str
    message_id: str
    text: str
    seen: Mapping[str, Any]
    board: str  # SVG
    page: str  # HTML
    pictures: Mapping[str, bytes]  # those that the page shows, by their Content-ID
    turn: int
    rounds: tuple[int, int]  # played, and to be played
    finished: bool


def read_newsletters(out: Path, game: str, turn: int) -> tuple[Newsletter, ...]:
    """Return the newsletters of a turn from the Maildir into which the referee sends, in order of their addresses."""
    # A letter's file is named for its Message-ID: a long game has thousands of letters to look through otherwise.
    paths = sorted((out / "new").glob(f"newsletter.{game.lower()}.{turn}.*"))
    found = [read_newsletter(path.read_bytes(), game, turn) for path in paths]
    return tuple(sorted((each for each in found if each is not None), key=lambda each: each.recipient))


def read_newsletter(raw: bytes, game: str, turn: int) -> Newsletter | None:
    """Return the newsletter of a turn, None if the letter is something else."""
    message = read_own(raw)
    attached = {part.get_filename() or "": part for part in message.iter_attachments()}
    name = f"{game}-turn-{turn}.json"
    return _newsletter(message, attached, name, turn) if name in attached else None


def orders_of(
    cast: Cast, newsletter: Newsletter, code: str, game: str, company: str, translate: Callable[[str], str] = str
) -> str:
    """Return the words of a letter of orders, now and then with a word of press, which *translate* puts into a language."""
    turn = newsletter.turn + 1
    lines = cast.lines(newsletter.seen, code)
    text = "\n".join((f"ORDERS {game} {turn}", *lines, "END"))
    place = sum(map(ord, code)) + turn
    if place % 4 == 0:
        press = translate(cast.press[(place // 4 + ord(code[-1])) % len(cast.press)])
        text += f"\n\nPRESS: {press.format(company=company or code)}\nEND PRESS"
    return f"Hello referee,\n\nhere are my orders.\n\n{text}\n\nBest wishes\n"


def _newsletter(message: EmailMessage, attached: Mapping[str, Any], name: str, turn: int) -> Newsletter:
    page = message.get_body(("html",))
    seen = json.loads(attached[name].get_content())
    finished, of = bool(seen["winners"]), int(seen["last_round"])
    return Newsletter(
        recipient=message["To"].addresses[0].addr_spec,
        reply_to=message["Reply-To"].addresses[0].addr_spec if message["Reply-To"] else "",
        subject=str(message["Subject"]),
        message_id=str(message["Message-ID"]),
        text=text_in(message),
        seen=seen,
        board=attached[name.replace(".json", ".svg")].get_content().decode(),
        page=page.get_content().replace("\r\n", "\n") if page is not None else "",
        pictures={part["Content-ID"].strip("<>"): part.get_content() for part in message.walk() if part["Content-ID"]},
        turn=turn,
        rounds=(of if finished else int(seen["round"]) - 1, of),
        finished=finished,
    )
