"""A letter out of its bytes. Whatever a stranger sends becomes a ``Letter``; nothing in it is ever raised or run."""

from __future__ import annotations

import email
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from email.message import Message
from email.policy import compat32

from referee.core import LONGEST, Texts, Value, is_address, shared_fields

from .body import Body, read_body, refusal, trim
from .headers import (
    HeaderFields,
    Mailbox,
    addresses,
    decoded_line,
    message_ids,
    parse_date,
    read_head,
    sole_mailbox,
)
from .robots import is_answerable, is_daemon, robot_reason, says_automatic
from .text import WORDS

# What mail servers say of letters of ours that did not arrive: reports after RFC 3464, and the prose of those without. Nothing
# here is believed: whose letter a bounce is about is decided by a Message-ID that only its reader can know.

PROSE_LIMIT = 64 * 1024  # characters; a bounce without a report says what it has to say at its beginning
FAILURES = 20

_PARTS = WORDS["parts"]
_STATUS = re.compile(r"(?<![\d.])([45]\.\d{1,3}\.\d{1,3})(?!\.?\d)")
_SMTP_CODE = re.compile(r"(?:^[ \t]{0,8}|[:<>][ \t]{0,3})(421|4[25]\d|55\d|57\d)(?=[ :-])", re.MULTILINE)
_ID_LINE = re.compile(r"^[> \t|]{0,20}Message-ID:\s{0,4}(<[^<>\s]{3,300}>)", re.IGNORECASE | re.MULTILINE)
_COPY = re.compile(
    r"^[- ]{0,40}(?:below this line is a copy|this is a copy of|original message|returned message|unsent message"
    r"|message header|the header(?:s)? of the original|received:|return-path:)",
    re.IGNORECASE | re.MULTILINE,
)
_STILL_TRYING = re.compile(
    r"not yet been delivered|has been delayed|is delayed|delivery attempts will continue|will (?:keep|continue) (?:to )?tr"
    r"|still being retried|warning: could not send|delivery delayed|no action is required|do not need to resend",
    re.IGNORECASE,
)
_GIVEN_UP = re.compile(
    r"user unknown|unknown user|no such (?:user|mailbox|address|recipient)|not listed in|permanent (?:fatal )?error"
    r"|fail(?:ed|ure)? permanently|does ?n[o']t exist|mailbox (?:unavailable|not found)|invalid recipient|address rejected"
    r"|unable to deliver|could not be delivered|undeliverable|unzustellbar|konnte nicht zugestellt|n'a pas pu être",
    re.IGNORECASE,
)


class Failure(Value):
    """What is said of one recipient, ``recipient`` "" where it is not clear which; ``status`` 4.0.0 or 5.0.0 if guessed."""

    recipient: str
    action: str  # failed, delayed
    status: str

    @property
    def is_final(self) -> bool:
        """Whether nobody tries to deliver that letter any more."""
        return self.action == "failed" or self.status.startswith("5")


class Bounce(Value):
    """What a bounce says. ``letters``: Message-IDs of the letter it is about, those in the returned header first."""

    failures: tuple[Failure, ...]
    letters: Texts

    @property
    def worst(self) -> Failure:
        """The failure that counts: a letter of ours has one recipient."""
        return next((failure for failure in self.failures if failure.is_final), self.failures[0])


def _report_failures(root: Message) -> Iterator[Failure]:
    """Yield the failures of reports in the form of RFC 3464."""
    blocks = (block for part in root.walk() if part.get_content_type() in _PARTS["reports"] for block in _blocks(part))
    for block in blocks:
        action = _field(block, "action").lower()
        statuses = _STATUS.findall(f"{_field(block, 'status')} {_field(block, 'diagnostic-code')}")
        if not (action or statuses) or action in _PARTS["good-news"]:
            continue
        final = action == "failed" or (action != "delayed" and "".join(statuses[:1]).startswith("5"))
        status = statuses[0] if statuses else "5.0.0" if final else "4.0.0"
        # As we addressed it, else as the server at the end of the way calls its reader.
        named = (_field(block, name).rpartition(";")[2] for name in ("original-recipient", "final-recipient"))
        whom = next((found[0] for value in named if (found := addresses((value[: 2 * LONGEST],)))), "")
        yield Failure(recipient=whom, action="failed" if final else "delayed", status=status)


def _blocks(part: Message) -> list[Message]:
    payload = part.get_payload()
    return [block for block in payload if isinstance(block, Message)] if isinstance(payload, list) else []


def _prose_failures(head: HeaderFields, sender: str, root: Message) -> Iterator[Failure]:
    """Yield the failures that a mail server tells in prose (qmail, old Exim and Sendmail, Domino); nobody else is believed."""
    if not is_daemon(head, sender):
        return
    texts = "\n".join(_text(part) for part in _own_parts(root))[:PROSE_LIMIT]
    copy = _COPY.search(texts)
    prose = texts[: copy.start()] if copy else texts
    status = _status_in(prose)
    if status:
        named = addresses(head.all("x-failed-recipients")) or addresses((_ID_LINE.sub("", prose),))
        action = "failed" if status.startswith("5") else "delayed"
        yield Failure(recipient=named[0] if len(named) == 1 else "", action=action, status=status)


def _status_in(prose: str) -> str:
    if _STILL_TRYING.search(prose):
        return next((code for code in _STATUS.findall(prose) if code.startswith("4")), "4.0.0")
    codes = _STATUS.findall(prose) or [f"{code[0]}.0.0" for code in _SMTP_CODE.findall(prose)]
    # A server that has given up after days of 4xx says so in words.
    return codes[0] if codes else "5.0.0" if _GIVEN_UP.search(prose) else ""


def _returned_ids(root: Message) -> Iterator[str]:
    """Yield the Message-IDs in what a bounce returns of our letter: its header as a part, or as text."""
    for part in root.walk():
        if part.get_content_type() in _PARTS["returned"]:
            enclosed = _blocks(part)
            ids = [_field(enclosed[0], "message-id")] if enclosed else _ID_LINE.findall(_text(part))
            yield from message_ids(tuple(ids))
    for part in _own_parts(root):
        yield from message_ids(tuple(_ID_LINE.findall(_text(part))))


def _own_parts(root: Message) -> Iterator[Message]:
    """Yield the texts of the bounce itself, none of the letter that it returns."""
    waiting = [root]
    while waiting:
        part = waiting.pop(0)
        if part.get_content_maintype() == "multipart":
            waiting[:0] = _blocks(part)
        elif part.get_content_maintype() == "text" and part.get_content_type() not in _PARTS["returned"]:
            yield part


def _field(message: Message, name: str) -> str:
    return " ".join(str(message.get(name, "")).split())


def _text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    return payload.decode("latin-1") if isinstance(payload, bytes) else ""


SUBJECT_LIMIT = 250
TOO_COSTLY = "too-costly"


class Letter(Body):
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
    a quoted order form what ``orderbook.lift_form`` says.
    """

    sender: str = ""
    sender_name: str = ""
    addressed: Texts = ()
    recipients: Texts = ()
    subject: str = ""
    message_id: str = ""
    references: Texts = ()
    arrived: datetime | None = None
    answerable: bool = False
    bounce: Bounce | None = None


def read_letter(raw: bytes) -> Letter:
    """Return the letter that *raw* (RFC 5322, any line ends, possibly cut short) holds. Never raises."""
    try:
        head, content = read_head(raw)
        body = _body(head, content)
        sender = sole_mailbox(head.all("from"))
        mailbox = sender or Mailbox(address="")
        robot = robot_reason(head, mailbox.address) or body.robot
        answerable = is_answerable(head, mailbox.address) and is_address(mailbox.address)
        return Letter(**shared_fields(body, Letter)).but(
            sender=mailbox.address,
            sender_name=mailbox.name,
            addressed=addresses(head.all("to") + head.all("cc")),
            recipients=addresses(head.all("to") + head.all("cc") + head.all("delivered-to")),
            subject=decoded_line(head.first("subject"), SUBJECT_LIMIT),
            message_id=next(iter(message_ids((head.first("message-id"),))), ""),
            references=message_ids((*head.all("references"), *head.all("in-reply-to"))),
            arrived=parse_date(head.first("received").rpartition(";")[2]),
            robot=robot,
            answerable=answerable and not robot and not says_automatic(body.text),
            bounce=_bounce(head, mailbox.address, content) if robot == "bounce" and not head.overfull else None,
            problems=(() if sender else ("bad-from",)) + body.problems,
        )
    except Exception:
        # Law: a poison letter must not stop the queue. What no reader foresaw is a letter without a sender.
        return Letter(problems=("unreadable",))


def codeless(letter: Letter, plain: Callable[[str], str]) -> Letter:
    """Return *letter* without codes, which *plain* takes out, in its texts and in the names of its parts."""
    return letter.but(
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
    return letter.but(text="", alternatives=(), pieces=(), enclosed=(), attachments=(), problems=problems)


def _body(head: HeaderFields, content: bytes) -> Body:
    """Return the body; a fault in it leaves the sender known, who can be told."""
    if head.overfull:
        return Body(problems=("too-many-headers",))
    try:
        return read_body(content)
    except Exception:
        return Body(problems=("unreadable",))


def _bounce(head: HeaderFields, sender: str, content: bytes) -> Bounce | None:
    """Return what is said of a letter that did not arrive; a fault in it leaves a letter that says nothing of the kind."""
    try:
        if refusal(content):
            return None
        root = email.message_from_bytes(trim(content)[0], policy=compat32)
        failures = tuple(_report_failures(root)) or tuple(_prose_failures(head, sender, root))
        # Of what it answers the nearest first.
        answered = (*message_ids(head.all("in-reply-to")), *reversed(message_ids(head.all("references"))))
        letters = dict.fromkeys((*_returned_ids(root), *answered))
        return Bounce(failures=failures[:FAILURES], letters=tuple(letters)) if failures else None
    except Exception:
        return None
