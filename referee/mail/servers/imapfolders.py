"""Folders of an IMAP server: how they are called there, and how a letter gets into one without ever being lost."""

from __future__ import annotations

from imapclient import DELETED, IMAPClient
from imapclient.exceptions import IMAPClientError

from referee.core.values import Value
from referee.mail.servers.imapline import BROKEN


class Naming(Value):
    """How a server writes its folders: what all names begin with, and the sign between the levels ("" if there are none)."""

    prefix: str
    sign: str

    def name(self, folder: str) -> str:
        """Return the server's name for a folder that we write as ``Referee/Processed``."""
        if folder.upper() == "INBOX":
            return "INBOX"
        name = folder.replace("/", self.sign) if self.sign else folder
        return name if name.upper().startswith(self.prefix.upper()) else self.prefix + name


def naming(client: IMAPClient) -> Naming:
    """Ask a server how it writes its folders."""
    if client.has_capability("NAMESPACE") and (personal := client.namespace().personal):
        prefix, sign = personal[0]
        return Naming(prefix=_text(prefix), sign=_text(sign))
    listed = client.list_folders("", "")
    return Naming(prefix="", sign=_text(listed[0][1]) if listed else "/")


def move(client: IMAPClient, numbers: list[int], name: str) -> list[int]:
    """Move letters, or as near to it as the server comes. Numbers of letters that are gone do not matter.

    Without MOVE and UIDPLUS they stay, marked: a plain EXPUNGE would delete what other people have marked. Return those that
    were copied, and are there as before: the server lets nobody mark them.
    """
    if client.has_capability("MOVE"):
        client.move(numbers, name)
        return []
    client.copy(numbers, name)
    try:
        client.add_flags(numbers, [DELETED], silent=True)
        if client.has_capability("UIDPLUS"):
            client.uid_expunge(numbers)
    except IMAPClientError as error:
        if isinstance(error, BROKEN):
            raise
    return [number for number in client.search(["UNDELETED"]) if number in numbers]


def move_again(client: IMAPClient, number: int, name: str) -> list[int]:
    """Move a letter after the server said NO: most likely the folder is still to be made. Returns as ``move``."""
    if not client.folder_exists(name):
        client.create_folder(name)
        try:
            client.subscribe_folder(name)
        except IMAPClientError as error:
            if isinstance(error, BROKEN):
                raise
            # Not everybody's mail program shows the folder, then; the letters are in it all the same.
    return move(client, [number], name)


def is_there(client: IMAPClient, number: int) -> bool:
    """Return whether the folder that is open holds a letter of that UID."""
    return number in client.search(["UID", str(number)])


def _text(part: bytes | str | None) -> str:
    return part.decode("ascii", "replace") if isinstance(part, bytes) else part or ""
