"""Where the players of the demo have their mail: on this machine beside the referee's, or in mailboxes on servers."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Protocol

from msgspec.structs import replace

from referee.config import Config, SettingValue
from referee.core.errors import MailDown
from referee.core.values import Value
from referee.mail.interfaces import Source
from referee.service.club.club import Club
from referee.service.club.transports import source_of, transport_of
from referee.service.demo.players import Newsletter, read_newsletter, read_newsletters
from referee.service.tick import tick
from referee.store import letters

PATIENCE = 120  # seconds for a letter to come through the servers
SIZE_LIMIT = 20_000_000  # bytes of a letter that a player reads


class Servers(Value):
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


class Mailboxes(Protocol):
    """The players' mail."""

    def newsletters(self, game: str, turn: int) -> tuple[Newsletter, ...]:
        """Return everybody's newsletter of a turn, in order of addresses."""
        ...

    def write(self, number: int, sender: str, recipient: str, raw: bytes) -> None:
        """Post a letter to the referee; they are numbered from 1."""
        ...

    def close(self) -> None:
        """Let go of the mailboxes."""
        ...


class Folders:
    """The players read what lies in the referee's Maildir for letters that leave, and deliver into the one for others."""

    def __init__(self, config: Config) -> None:
        self._config = config

    def newsletters(self, game: str, turn: int) -> tuple[Newsletter, ...]:
        """Return what was sent."""
        return read_newsletters(self._config.mail_out, game, turn)

    def write(self, number: int, sender: str, recipient: str, raw: bytes) -> None:
        """Deliver as a mail server does: written aside, then moved."""
        name = f"{number:05}.demo"
        aside = self._config.mail_in / "tmp" / name
        aside.write_bytes(raw)
        aside.rename(self._config.mail_in / "new" / name)

    def close(self) -> None:
        """Nothing is held open."""


class Accounts:
    """Each player has a mailbox of his own on the referee's servers, and logs in with his address."""

    def __init__(self, club: Club, players: tuple[str, ...]) -> None:
        """*players*: their addresses."""
        own = {address: _account(club.config, address) for address in sorted(players)}
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
                source.done(arrival.key)
            for raw in reversed(self._read[address]):
                found = read_newsletter(raw, game, turn)
                if found is not None:
                    self._read[address].clear()
                    return found
            source.wait(5, threading.Event())
        raise MailDown(f"the newsletter of turn {turn} did not reach {address}")


def tick_until_read(club: Club, number: int) -> None:
    """Make passes until the referee has had so many letters: on servers they may be on their way for a while.

    Raises:
        MailDown: they have not come for two minutes.
    """
    end = time.monotonic() + PATIENCE
    tick(club)
    while len(letters.listed(club.db)) < number:
        if time.monotonic() > end:
            raise MailDown(f"{number} letters were written to the referee, and not all of them came")
        club.source.wait(5, threading.Event())
        tick(club)


def _account(config: Config, address: str) -> Config:
    return replace(config, imap=replace(config.imap, user=address), smtp=replace(config.smtp, user=address))
