"""The players of the demo: each reads the newest newsletter in its letter box and writes its orders."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from msgspec import field

from referee.bots import dampfross, volldampf
from referee.core.values import Value
from referee.locale import SOURCE_LANGUAGE
from referee.mail.compose import read_own, text_in
from referee.report.templates import Stationery
from referee.service.umpire.colleagues import press_by

# Who plays a demo of each game: seats and companies, how they write orders, what slips from their pens.

Lines = Callable[..., tuple[str, ...]]  # of a view, a code and, as ``board``, the text of a board


class Cast(Value):
    """A company of players. ``companies`` by code; ``slip``: a pattern in a letter, and what stands there when it is mistyped."""

    kind: str
    lines: Lines
    board: str = ""
    players: tuple[str, ...] = ()  # as the command line takes them
    companies: Mapping[str, str] = field(default_factory=dict)
    slip: tuple[str, str]

    def mistyped(self, text: str) -> str:
        """Return a letter with a slip of the pen in it."""
        return re.sub(*self.slip, text, count=1, flags=re.MULTILINE)


DAMPFROSS = Cast(
    kind="dampfross",
    lines=dampfross.answer,
    board="ireland",
    players=(
        "GSW:red:Ann <ann@example.org>",
        "MGW:blue:Bill <bill@example.org>",
        "BNC:green:Cate <cate@example.org>",
        "DSE:black:Dónal <donal@example.org>",
        "GNR:orange:Eva Müller <eva@example.org>",
    ),
    companies={
        "GSW": "Great Southern & Western",
        "MGW": "Midland Great Western",
        "BNC": "Belfast & Northern Counties",
        "DSE": "Dublin & South Eastern",
        "GNR": "Great Northern",
    },
    slip=(r"\nEND$", r" - ZZ99\nEND"),  # the last line of orders goes on to a hex that is on no map
)

VOLLDAMPF = Cast(
    kind="volldampf",
    lines=volldampf.answer,
    board="deutschland-1925",
    players=(
        "PRE:blue:Anna <anna@example.org>",
        "SAX:red:Bernd <bernd@example.org>",
        "BAY:green:Cläre Möller <claere@example.org>",
        "BAD:orange:Dieter <dieter@example.org>",
    ),
    companies={
        "PRE": "Preußische Staatsbahn",
        "SAX": "Sächsische Staatsbahn",
        "BAY": "Bayerische Staatsbahn",
        "BAD": "Badische Staatsbahn",
    },
    slip=(r"^(BUILD \d: |MOVE \d: |RANK )", r"\1Atlantis-"),  # a city that is on no board
)

CASTS: Mapping[str, Cast] = {cast.kind: cast for cast in (DAMPFROSS, VOLLDAMPF)}


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
    beside: Mapping[str, bytes]  # those that lie beside it, by the names that its words call them
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
    cast: Cast,
    newsletter: Newsletter,
    code: str,
    game: str,
    stationery: Stationery,
    language: str = SOURCE_LANGUAGE,
    board: str = "",
) -> str:
    """Return the words of a letter of orders, with press about the round that was in a *language*."""
    lines = cast.lines(newsletter.seen, code, board=board)
    press = press_by(stationery, language, newsletter.seen, code)
    text = "\n".join((f"ORDERS {game} {newsletter.turn + 1}", *lines, "END", *press))
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
        beside={file: part.get_content() for file, part in attached.items() if file.endswith(".png")},
        turn=turn,
        rounds=(of if finished else int(seen["round"]) - 1, of),
        finished=finished,
    )
