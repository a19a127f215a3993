"""Where the players of the demo have their mail: on this machine beside the referee's, or in mailboxes on servers."""

from __future__ import annotations

import html
import textwrap
import threading
import time
from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr
from pathlib import Path

from referee.config import Config, SettingValue
from referee.core import MailDown, Texts, Value
from referee.mail.interfaces import Source
from referee.store import letters

from ..club import Club, source_of, transport_of
from ..tick import tick
from .players import Newsletter, read_newsletter, read_newsletters

PATIENCE = 120  # seconds for a letter to come through the servers
SIZE_LIMIT = 20_000_000  # bytes of a letter that a player reads


class DemoServers(Value):
    """Where everybody of the demo has a mailbox (``imap``) and sends from it (``smtp``), all with one password in a file."""

    imap: tuple[str, int]
    smtp: tuple[str, int]
    password_file: Path
    security: str = "tls"
    ca_file: str = ""

    def settings(self) -> dict[str, SettingValue]:
        """Return the lines of ``referee.toml`` that say so."""
        told: dict[str, SettingValue] = {"smtp.per_minute": 6000}
        for section, (host, port) in (("imap", self.imap), ("smtp", self.smtp)):
            told |= {f"{section}.host": host, f"{section}.port": port, f"{section}.security": self.security}
            told |= {f"{section}.password_file": str(self.password_file.absolute())}
            told |= {f"{section}.ca_file": str(Path(self.ca_file).absolute()) if self.ca_file else ""}
        return told


class Folders:
    """The players read what lies in the referee's Maildir for letters that leave, and deliver into the one for others."""

    def __init__(self, config: Config) -> None:
        self._config = config

    def newsletters(self, game: str, turn: int) -> tuple[Newsletter, ...]:
        """Return everybody's newsletter of a turn, in order of addresses."""
        return read_newsletters(self._config.mail_out, game, turn)

    def write(self, number: int, sender: str, recipient: str, raw: bytes) -> None:
        """Deliver a letter to the referee as a mail server does, written aside, then moved; they are numbered from 1."""
        name = f"{number:05}.demo"
        aside = self._config.mail_in / "tmp" / name
        aside.write_bytes(raw)
        aside.rename(self._config.mail_in / "new" / name)

    def close(self) -> None:
        """Nothing is held open."""


class Accounts:
    """Each player has a mailbox of their own on the referee's servers, and logs in with their address."""

    def __init__(self, club: Club, players: Texts) -> None:
        """*players*: their addresses."""
        imap, smtp = club.config.imap, club.config.smtp
        own = {
            address: club.config.but(imap=imap.but(user=address), smtp=smtp.but(user=address))
            for address in sorted(players)
        }
        self._sources = {address: source_of(config, club.clock) for address, config in own.items()}
        self._transports = {address: transport_of(config) for address, config in own.items()}
        self._read: dict[str, list[bytes]] = {address: [] for address in own}

    def newsletters(self, game: str, turn: int) -> tuple[Newsletter, ...]:
        """Return them when they have come.

        Raises:
            MailDown: some have not, for two minutes.
        """
        return tuple(self._newsletter(address, source, game, turn) for address, source in self._sources.items())

    def write(self, number: int, sender: str, recipient: str, raw: bytes) -> None:
        """Send the letter from the player's account."""
        self._transports[sender].send(f"<{number}>", raw, recipient, sender)

    def close(self) -> None:
        """Log out everywhere."""
        for source in self._sources.values():
            source.close()
        for transport in self._transports.values():
            transport.close()

    def _newsletter(self, address: str, source: Source, game: str, turn: int) -> Newsletter:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for arrival in source.waiting():
                self._read[address].append(source.read(arrival.key, SIZE_LIMIT))
                source.take_out(arrival.key)
            for raw in reversed(self._read[address]):
                found = read_newsletter(raw, game, turn)
                if found.seen:
                    self._read[address].clear()
                    return found
            source.wait(5, threading.Event())
        raise MailDown(f"the newsletter of turn {turn} did not reach {address}")


Mailboxes = Folders | Accounts  # the players' mail


def tick_until_read(club: Club, number: int) -> None:
    """Make passes until the referee has had so many letters: on servers they may be on their way for a while.

    Raises:
        MailDown: they have not come for two minutes.
    """
    end = time.monotonic() + PATIENCE
    tick(club)
    while len(letters.listed(club, "")) < number:
        if time.monotonic() > end:
            raise MailDown(f"{number} letters were written to the referee, and not all of them came")
        club.source.wait(5, threading.Event())
        tick(club)


# How different mail programs write the same orders. Each program turns words and the letter being answered into
# bytes.


class Answer(Value):
    """What a player wants to say, and the letter it answers."""

    sender: str
    sender_name: str
    recipient: str
    subject: str
    text: str
    original: str  # the body of the letter that is answered
    original_id: str
    written: datetime
    message_id: str


Program = Callable[[Answer], bytes]


def plain(answer: Answer) -> bytes:
    """Write UTF-8 as it stands, the orders alone."""
    return _compose(answer, answer.text)


def quoted_printable(answer: Answer) -> bytes:
    """Write Latin-1 where it suffices, quoted-printable, above the quoted newsletter, as many do."""
    text = f"{answer.text}\n\n{_quotation(answer)}"
    charset = "iso-8859-1" if max(text) <= "\xff" else "utf-8"
    return _compose(answer, text, charset=charset, cte="quoted-printable")


def base64(answer: Answer) -> bytes:
    """Write everything in base64, with a signature."""
    text = f"{answer.text}\n\n-- \n{answer.sender_name}\nRUN 1: this is a signature and no order\n"
    return _compose(answer, text, cte="base64")


def format_flowed(answer: Answer) -> bytes:
    """Write format=flowed: long lines are broken softly at 72 columns, each with a space at its end."""
    lines = []
    for line in answer.text.split("\n"):
        wrapped = textwrap.wrap(line, 71, break_long_words=False, break_on_hyphens=False) or [""]
        lines += [f"{part} " for part in wrapped[:-1]] + wrapped[-1:]
    message = _message(answer)
    message.set_content("\n".join(lines), cte="8bit")
    message.set_param("format", "flowed")
    return message.as_bytes(policy=SMTP)


def hard_wrapped(answer: Answer) -> bytes:
    """Break long lines at 72 columns for good, below a line that says who wrote the newsletter, with a signature."""
    text = "\n".join(
        "\n".join(textwrap.wrap(line, 72, break_long_words=False, break_on_hyphens=False)) if line else ""
        for line in answer.text.split("\n")
    )
    return _compose(answer, f"{text}\n\nSent from my steam engine\n\n{_quotation(answer)}")


def html_with_text(answer: Answer) -> bytes:
    """Write plain text and the same in HTML, the newsletter quoted in both."""
    message = _message(answer)
    message.set_content(f"{answer.text}\n\n{_quotation(answer)}", cte="quoted-printable")
    message.add_alternative(_page(answer), subtype="html", cte="quoted-printable")
    return message.as_bytes(policy=SMTP)


def html_alone(answer: Answer) -> bytes:
    """Write HTML and nothing else."""
    message = _message(answer)
    message.set_content(_page(answer), subtype="html", cte="base64")
    return message.as_bytes(policy=SMTP)


PROGRAMS: tuple[Program, ...] = (
    plain,
    quoted_printable,
    base64,
    format_flowed,
    hard_wrapped,
    html_with_text,
    html_alone,
)


def _message(answer: Answer) -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    message["From"] = formataddr((answer.sender_name, answer.sender))
    message["To"] = answer.recipient
    message["Subject"] = f"Re: {answer.subject}"
    message["Date"] = format_datetime(answer.written)
    message["Message-ID"] = answer.message_id
    message["In-Reply-To"] = message["References"] = answer.original_id
    return message


def _compose(answer: Answer, text: str, charset: str = "utf-8", cte: str = "8bit") -> bytes:
    message = _message(answer)
    message.set_content(text, charset=charset, cte=cte)
    return message.as_bytes(policy=SMTP)


def _quotation(answer: Answer) -> str:
    quoted = "\n".join(f"> {line}".rstrip() for line in answer.original.split("\n"))
    return f"On {answer.written:%d %b %Y} the referee wrote:\n{quoted}"


def _page(answer: Answer) -> str:
    lines = "<br>\n".join(html.escape(line) for line in answer.text.split("\n"))
    original = "<br>\n".join(html.escape(line) for line in answer.original.split("\n"))
    return (
        f"<html><head><title>Re</title></head><body><div>{lines}</div><br>"
        f'<div class="gmail_quote">The referee wrote:<br><blockquote>{original}</blockquote></div></body></html>'
    )
