"""An IMAP server that misbehaves as it is told: for what a real one does once in years."""

import re
import socket
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

DATE = '"07-Dec-2026 12:00:00 +0000"'

PATIENCE = 30  # seconds

Answer = Callable[[str, str], bytes | None]


@dataclass(slots=True)
class Mailbox:
    """What the server holds and how it misbehaves.

    *letters*: by UID; *dates*: INTERNALDATE by UID, as it goes over the wire; *poison*: UIDs at whose fetching the line is
    cut; *refused*: commands that are answered with NO; *fixed*: UIDs that are moved nowhere, nor any with them; *snared*: UIDs
    at whose moving the line is cut; *blank*: UIDs that are given out as NIL; *unsized*: UIDs of which no size is told; *idling*:
    what it says to IDLE, in one piece, *later*, when it is *told* to, and *idled*, when we have waited enough.
    """

    letters: dict[int, bytes] = field(default_factory=dict)
    dates: dict[int, str] = field(default_factory=dict)
    poison: set[int] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    fixed: set[int] = field(default_factory=set)
    snared: set[int] = field(default_factory=set)
    blank: set[int] = field(default_factory=set)
    unsized: set[int] = field(default_factory=set)
    validity: int = 7
    folders: tuple[str, ...] = ("INBOX", "Referee/Processed", "Referee/Parked")
    capability: str = "IMAP4rev1 IDLE MOVE UIDPLUS"
    idling: bytes = b"+ idling\r\n"
    later: bytes = b""
    idled: bytes = b""
    told: threading.Event = field(default_factory=threading.Event)
    frozen: threading.Event = field(default_factory=threading.Event)  # nothing is answered
    heard: list[str] = field(default_factory=list)  # commands, in order
    lines: int = 0  # connections so far


@contextmanager
def fake_imap(mailbox: Mailbox) -> Iterator[int]:
    """Serve a mailbox on 127.0.0.1, at the port that is returned."""

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            mailbox.lines += 1
            try:
                _serve(mailbox, self)
            except (ConnectionError, ValueError):
                return

    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield int(server.server_address[1])
        finally:
            server.shutdown()
            thread.join()


def _serve(mailbox: Mailbox, line: socketserver.StreamRequestHandler) -> None:
    line.wfile.write(f"* OK [CAPABILITY {mailbox.capability}] ready\r\n".encode())
    while told := line.rfile.readline().decode("ascii", "replace").strip():
        tag, _, command = told.partition(" ")
        name = command.upper().removeprefix("UID ").partition(" ")[0]
        mailbox.heard.append(name)
        while mailbox.frozen.is_set():
            time.sleep(0.02)
        if name in mailbox.refused or (name == "MOVE" and mailbox.fixed.intersection(_numbers(command))):
            line.wfile.write(f"{tag} NO not today\r\n".encode())
        elif name == "IDLE":
            line.wfile.write(mailbox.idling)
            if mailbox.later:
                mailbox.told.wait(PATIENCE)
                line.wfile.write(mailbox.later)
            line.rfile.readline()
            line.wfile.write(mailbox.idled + f"{tag} OK idled\r\n".encode())
        elif _poisoned(mailbox, name, command):
            line.connection.shutdown(socket.SHUT_RDWR)
        else:
            line.wfile.write(_answer(mailbox, name, command) + f"{tag} OK done\r\n".encode())
        if name == "LOGOUT":
            return


def _poisoned(mailbox: Mailbox, name: str, command: str) -> bool:
    deadly = mailbox.snared if name == "MOVE" else mailbox.poison if name == "FETCH" and "BODY" in command else set()
    return not deadly.isdisjoint(_numbers(command))


def _answer(mailbox: Mailbox, name: str, command: str) -> bytes:
    if name == "CAPABILITY":
        return f"* CAPABILITY {mailbox.capability}\r\n".encode()
    if name == "LIST":
        return b"".join(
            b'* LIST (\\HasNoChildren) "/" "%s"\r\n' % folder.encode()
            for folder in mailbox.folders
            if command.endswith((f'"{folder}"', f" {folder}", '""'))
        )
    if name == "SELECT":
        return f"* {len(mailbox.letters)} EXISTS\r\n* OK [UIDVALIDITY {mailbox.validity}] valid\r\n".encode()
    if name == "SEARCH":
        wanted = re.search(r"UID (\d+)$", command)
        found = [number for number in mailbox.letters if not wanted or number == int(wanted[1])]
        return f"* SEARCH {' '.join(map(str, found))}".rstrip().encode() + b"\r\n"
    if name == "FETCH":
        return b"".join(_fetched(mailbox, number, command) for number in _numbers(command) if number in mailbox.letters)
    if name == "MOVE":
        for number in _numbers(command):
            mailbox.letters.pop(number, None)
    return b""


def _fetched(mailbox: Mailbox, number: int, command: str) -> bytes:
    raw, date = mailbox.letters[number], mailbox.dates.get(number, DATE)
    parts = [b"UID %d" % number]
    if "RFC822.SIZE" in command and number not in mailbox.unsized:
        parts.append(b"RFC822.SIZE %d" % len(raw))
    if "INTERNALDATE" in command:
        parts.append(f"INTERNALDATE {date}".encode())
    if "BODY" in command and number in mailbox.blank:
        parts.append(b"BODY[] NIL")
    elif "BODY" in command:
        part = re.search(r"<0\.(\d+)>", command)
        told = raw[: int(part[1])] if part else raw
        parts.append(b"BODY[]%s {%d}\r\n" % (b"<0>" if part else b"", len(told)) + told)
    return b"* %d FETCH (" % number + b" ".join(parts) + b")\r\n"


def _numbers(command: str) -> list[int]:
    match = re.match(r"UID \w+ ([\d,]+)", command)
    return [int(number) for number in match[1].split(",")] if match else []
