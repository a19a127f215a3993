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
from referee.mail.compose import Attachments, files_in, read_own, text_in
from referee.report.templates import Stationery

from ..umpire.colleagues import press_by

# Who plays a demo of each game: seats and companies, how they write orders, what slips from their pens.


class Cast(Value):
    """A company of players. ``more``: at practice; ``companies`` by code; ``slip``: a pattern in a letter, and its slip."""

    kind: str
    board: str
    players: Texts  # as the command line takes them
    more: Texts
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
    """A newsletter as a player has it: words and the files beside them. ``seen``: the position, {} without JSON."""

    recipient: str
    reply_to: str  # "" where the letter names no address but the sender's
    subject: str
    message_id: str
    text: str
    seen: Fields
    page: str  # HTML
    files: Attachments
    turn: int

    @property
    def finished(self) -> bool:
        """Whether it is the last one."""
        return bool(self.seen["winners"])

    @property
    def rounds(self) -> tuple[int, int]:
        """The rounds played, and to be played."""
        of = int(self.seen["last_round"])
        return of if self.finished else int(self.seen["round"]) - 1, of


def read_newsletters(out: Path, game: str, turn: int) -> tuple[Newsletter, ...]:
    """Return the newsletters of a turn from the Maildir into which the referee sends, in order of their addresses."""
    # A letter's file is named for its Message-ID: a long game has thousands of letters to look through otherwise.
    paths = sorted((out / "new").glob(f"newsletter.{game.lower()}.{turn}.*"))
    found = [read_newsletter(path.read_bytes(), game, turn) for path in paths]
    return tuple(sorted(found, key=lambda each: each.recipient))


def read_newsletter(raw: bytes, game: str, turn: int) -> Newsletter:
    """Return the newsletter of a turn; ``seen`` is {} where the letter is something else."""
    message = read_own(raw)
    page = message.get_body(("html",))
    files = tuple(files_in(message))
    positions = (file.content for file in files if file.name == f"{game}-turn-{turn}.json")
    return Newsletter(
        recipient=message["To"].addresses[0].addr_spec,
        reply_to=message["Reply-To"].addresses[0].addr_spec if message["Reply-To"] else "",
        subject=str(message["Subject"]),
        message_id=str(message["Message-ID"]),
        text=text_in(message),
        seen=json.loads(next(positions, b"{}")),
        page=page.get_content().replace("\r\n", "\n") if page is not None else "",
        files=files,
        turn=turn,
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
