"""The players of the demo: each reads the newest newsletter in its letter box and writes its orders."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from msgspec import convert

from referee.bots.trial import ANSWERS
from referee.core import Fields, Pair, Texts, Value, Words
from referee.locale import SOURCE_LANGUAGE
from referee.mail.compose import read_own, text_in
from referee.report.templates import Stationery

from ..umpire.colleagues import press_by

# Who plays a demo of each game: seats and companies, how they write orders, what slips from their pens.


class Cast(Value):
    """A company of players. ``companies`` by code; ``slip``: a pattern in a letter, and what stands there when it is mistyped."""

    kind: str
    board: str
    players: Texts  # as the command line takes them
    companies: Words
    slip: Pair

    def mistype(self, text: str) -> str:
        """Return a letter with a slip of the pen in it."""
        return re.sub(*self.slip, text, count=1, flags=re.MULTILINE)


CASTS: Mapping[str, Cast] = {
    kind: convert({"kind": kind, **row}, Cast)
    for kind, row in tomllib.loads(Path(__file__).with_name("casts.toml").read_text("utf-8")).items()
}


class Newsletter(Value):
    """A newsletter as a player has it: words, and the position file for programs."""

    recipient: str
    reply_to: str  # "" where the letter names no address but the sender's
    subject: str
    message_id: str
    text: str
    seen: Fields
    board: str  # SVG
    page: str  # HTML
    pictures: Mapping[str, bytes]  # those that the page shows, by their Content-ID
    beside: Mapping[str, bytes]  # those that lie beside it, by the names that its words call them
    turn: int
    rounds: tuple[int, int]  # played, and to be played
    finished: bool


def read_newsletters(out: Path, game: str, turn: int) -> tuple[Newsletter, ...]:
    """Return the newsletters of a turn from the Maildir into which the referee sends, in order of their addresses."""
    # A letter's file is named for its Message-ID: a long game has thousands of letters to look through otherwise.
    paths = sorted((out / "new").glob(f"newsletter.{game.lower()}.{turn}.*"))
    found = [read_newsletter(path.read_bytes(), game, turn) for path in paths]
    return tuple(sorted((each for each in found if each), key=lambda each: each.recipient))


def read_newsletter(raw: bytes, game: str, turn: int) -> Newsletter | None:
    """Return the newsletter of a turn, None if the letter is something else."""
    message = read_own(raw)
    attached = {part.get_filename() or "": part for part in message.iter_attachments()}
    name = f"{game}-turn-{turn}.json"
    if name not in attached:
        return None
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
        beside={file: part.get_content() for file, part in attached.items() if file.endswith(".png")},
        turn=turn,
        rounds=(of if finished else int(seen["round"]) - 1, of),
        finished=finished,
    )


def orders_of(
    cast: Cast,
    newsletter: Newsletter,
    code: str,
    game: str,
    stationery: Stationery,
    language: str = SOURCE_LANGUAGE,
    board: str = "",
) -> str:
    """Return the words of a letter of orders, with press about the round that was in a *language*."""
    lines = ANSWERS[cast.kind](newsletter.seen, code, board=board)
    press = press_by(stationery, language, newsletter.seen, code)
    text = "\n".join((f"ORDERS {game} {newsletter.turn + 1}", *lines, "END", *press))
    return f"Hello referee,\n\nhere are my orders.\n\n{text}\n\nBest wishes\n"
