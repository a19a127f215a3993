"""A letter out of its bytes. Whatever a stranger sends becomes a ``Letter``; nothing in it is ever raised or run."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from msgspec.structs import replace

from referee.core.address import is_address
from referee.core.values import Value
from referee.mail.letter.body import Body, read_body
from referee.mail.letter.bounces import Bounce, read_bounce
from referee.mail.letter.headers import (
    Head,
    Mailbox,
    addresses,
    decoded_line,
    message_ids,
    parse_date,
    read_head,
    sole_mailbox,
)
from referee.mail.letter.robots import is_answerable, robot_reason, says_automatic

SUBJECT_LIMIT = 250
TOO_COSTLY = "too-costly"


class Letter(Value):
    """What a letter says and who sent it.

    ``sender`` is the one From mailbox, its domain in lower case and ASCII, "" if there is not exactly one; ``addressed``
    the addresses in To and Cc, ``recipients`` those and the ones in Delivered-To. ``text`` ends its lines with LF; quotes out of
    HTML begin with ``> ``.

    ``alternatives`` are other versions of the whole text that the letter carries (HTML beside plain text): the sender may
    have seen one of these instead. ``pieces`` are the texts of its parts where ``text`` is joined from more than one,
    ``enclosed`` those of text attachments and documents. ``arrived`` comes from the topmost Received, UTC, never from Date.

    ``robot`` says why it was written by a machine (``robots.robot_reason``, or ``calendar``: the answer to an invitation);
    ``answerable`` whether an answer may go to ``sender``; ``bounce`` what a mail server says of a letter that did not arrive,
    of which nothing is proved. ``attachments`` are the names of parts that are not its text, ``unopened`` of those of them that
    should be documents (``.docx``, ``.odt``) and gave no text, each with why: ``no-document``, ``large-document``.

    ``problems``: ``bad-from``; ``no-text``; ``encrypted``; ``winmail`` (a part in Outlook's own format, which is not
    opened); ``too-many-headers``, ``too-many-parts``, ``too-deep``,
    ``unreadable`` (nothing was read); ``too-large``, ``cut-off`` (its end is missing); ``bad-charset`` (characters had to be
    guessed); ``from-attachment`` (the text stood in an attachment); ``too-costly`` (its header alone was read); and of
    a quoted order form what ``orderbook.lifted`` says.
    """

    sender: str = ""
    sender_name: str = ""
    addressed: tuple[str, ...] = ()
    recipients: tuple[str, ...] = ()
    subject: str = ""
    message_id: str = ""
    references: tuple[str, ...] = ()
    text: str = ""
    alternatives: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    enclosed: tuple[str, ...] = ()
    arrived: datetime | None = None
    robot: str = ""
    answerable: bool = False
    bounce: Bounce | None = None
    problems: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    unopened: tuple[tuple[str, str], ...] = ()


def read_letter(raw: bytes) -> Letter:
    """Return the letter that *raw* (RFC 5322, any line ends, possibly cut short) holds. Never raises."""
    try:
        head, content = read_head(raw)
        return _letter(head, _body(head, content), content)
    except Exception:
        # Law: a poison letter must not stop the queue. What no reader foresaw is a letter without a sender.
        return Letter(problems=("unreadable",))


def codeless(letter: Letter, plain: Callable[[str], str]) -> Letter:
    """Return *letter* without codes, which *plain* takes out, in its texts and in the names of its parts."""
    return replace(
        letter,
        text=plain(letter.text),
        alternatives=tuple(map(plain, letter.alternatives)),
        pieces=tuple(map(plain, letter.pieces)),
        enclosed=tuple(map(plain, letter.enclosed)),
        attachments=tuple(map(plain, letter.attachments)),
        unopened=tuple((plain(name), why) for name, why in letter.unopened),
    )


def unread(letter: Letter) -> Letter:
    """Return what the header of a letter says, without what stands below it."""
    problems = (*letter.problems, TOO_COSTLY)
    return replace(letter, text="", alternatives=(), pieces=(), enclosed=(), attachments=(), problems=problems)


def _body(head: Head, content: bytes) -> Body:
    """Return the body; a fault in it leaves the sender known, so that he can be told."""
    if head.overfull:
        return Body(problems=("too-many-headers",))
    try:
        return read_body(content)
    except Exception:
        return Body(problems=("unreadable",))


def _bounce(head: Head, sender: str, content: bytes) -> Bounce | None:
    """Return what is said of a letter that did not arrive; a fault in it leaves a letter that says nothing of the kind."""
    try:
        return read_bounce(head, sender, content)
    except Exception:
        return None


def _letter(head: Head, body: Body, content: bytes) -> Letter:
    sender = sole_mailbox(head.all("from"))
    mailbox = sender or Mailbox(address="")
    robot = robot_reason(head, mailbox.address) or body.robot
    answerable = is_answerable(head, mailbox.address) and is_address(mailbox.address)
    return Letter(
        sender=mailbox.address,
        sender_name=mailbox.name,
        addressed=addresses(head.all("to") + head.all("cc")),
        recipients=addresses(head.all("to") + head.all("cc") + head.all("delivered-to")),
        subject=decoded_line(head.first("subject"), SUBJECT_LIMIT),
        message_id=next(iter(message_ids((head.first("message-id"),))), ""),
        references=message_ids((*head.all("references"), *head.all("in-reply-to"))),
        text=body.text,
        alternatives=body.alternatives,
        pieces=body.pieces,
        enclosed=body.enclosed,
        arrived=_arrival(head),
        robot=robot,
        answerable=answerable and not robot and not says_automatic(body.text),
        bounce=_bounce(head, mailbox.address, content) if robot == "bounce" and not head.overfull else None,
        problems=(() if sender else ("bad-from",)) + body.problems,
        attachments=body.attachments,
        unopened=body.unopened,
    )


def _arrival(head: Head) -> datetime | None:
    """Return the time in the topmost Received, written by the server that delivered to us."""
    return parse_date(head.first("received").rpartition(";")[2])
