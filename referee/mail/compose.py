"""Our letters as bytes.

Nothing a player wrote can add a header line: values are cleaned and encoded, and the result is read again.
"""

from __future__ import annotations

import base64
import binascii
import email
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.policy import compat32, default
from email.utils import format_datetime
from functools import lru_cache

from referee.core import Enclosed, Texts, Value, is_address, whole_letter

from .letter.headers import NAME_LIMIT, addresses, is_message_id
from .letter.robots import OWN_HEADER
from .letter.text import clean_line, split_lines

SUBJECT_LIMIT = 200
REFERENCES_LIMIT = 20
LINES = 2048  # that are kept as written: the letters of a turn have most of theirs in common

_WORD_BYTES = 42  # of UTF-8 in an encoded word: 56 characters of base64
_SHORT = 60  # characters of plain ASCII that stand on one header line
_PLAIN_NAME = re.compile(r"[A-Za-z0-9 !#$%&'*+/=?^_`{|}~-]*")
_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_MEDIA_TYPE = re.compile(r"[a-z]+/[a-z0-9][a-z0-9.+-]{0,60}")
_ALTERNATIVES = re.compile(rb'multipart/alternative;\s+boundary="([^"]+)"')
_CONTROL = re.compile(r"[\0-\x08\n-\x1f\x7f-\x9f]")  # all but the tab
_GAME_ID = re.compile(r"[A-Za-z0-9-]{1,40}")
_AUTO = ("auto-replied", "auto-generated")

Field = tuple[str, str]


class Attachment(Value, kw_only=False):
    """A file of ours in a letter; ``name`` is never taken from anything received.

    ``shown``: a picture that is seen with the words; it has a Content-ID, its name before the domain of the Message-ID.
    """

    name: str
    media_type: str
    content: bytes
    shown: bool = False


Attachments = tuple[Attachment, ...]


class Outgoing(Value):
    """A letter to one recipient. ``date`` is aware; ``auto`` is ``auto-replied`` (answers) or ``auto-generated``.

    ``reply_to``: where answers go, "" for the sender's own address; ``bulk``: others get the like; ``unsubscribe``: where a
    letter goes that asks for no more of them, "" for nowhere; ``page``: the text as HTML, "" for none; ``language``: of both.
    """

    sender: str
    sender_name: str
    recipient: str
    recipient_name: str
    subject: str
    text: str
    date: datetime
    message_id: str
    auto: str
    reply_to: str = ""
    reply_to_name: str = ""
    bulk: bool = False
    unsubscribe: str = ""
    in_reply_to: str = ""
    references: Texts = ()
    page: str = ""
    language: str = ""
    attachments: Attachments = ()
    game_id: str = ""


class Composed(Value):
    """A letter in bytes: its ``words``, and the ``files`` whose lines stand between them."""

    words: bytes
    files: tuple[Enclosed, ...] = ()

    @property
    def raw(self) -> bytes:
        """The letter ready to be sent."""
        return whole_letter(self.words, self.files)


def compose(letter: Outgoing) -> bytes:
    """Return the letter ready to be sent. Raises ValueError as ``letter_bytes``."""
    return letter_bytes(letter).raw


def letter_bytes(letter: Outgoing) -> Composed:
    """Return the letter in bytes, its lines ended by CR LF; the same *letter* always gives the same bytes.

    Names, subject and text may hold anything. Ids of other people's letters that are no ids are left out.

    Raises:
        ValueError: what is ours to choose is wrong (an address, the message id, a naive date, an attachment's name), or
            the finished bytes have other header lines than were meant.
    """
    if not is_address(letter.sender) or not is_address(letter.recipient):
        raise ValueError(f"{letter.sender!r} to {letter.recipient!r}: one of them is no address")
    if not is_message_id(letter.message_id):
        raise ValueError(f"{letter.message_id!r} is no message id (<words@domain>)")
    if not letter.date.tzinfo:
        raise ValueError(f"the date {letter.date} has no time zone")
    if letter.auto not in _AUTO:
        raise ValueError(f"{letter.auto!r} is none of {', '.join(_AUTO)}")
    for address in (letter.unsubscribe, letter.reply_to):
        if address and not is_address(address):
            raise ValueError(f"{address!r} is no address")
    if letter.game_id and not _GAME_ID.fullmatch(letter.game_id):
        raise ValueError(f"{letter.game_id!r} is no game id (letters, digits and -)")
    beside = [_file_part(file, letter.message_id) for file in letter.attachments if not _in_page(file, letter)]
    whole = _body(letter)
    whole = _several("mixed", letter.message_id, [whole, *beside]) if beside else whole
    fields = [*_own_fields(letter), *whole.fields]
    head = _write_fields(fields)
    raw = (head + whole.words).encode("ascii")
    _verify(raw, fields)
    return Composed(words=raw, files=tuple(file.but(at=file.at + len(head)) for file in whole.files))


def without_page(raw: bytes) -> bytes:
    """Return the part of a letter of ours that is its text, without its header and the page behind it; as it is where it has
    no page.
    """
    match = _ALTERNATIVES.search(raw)
    if not match:
        return raw
    between = b"\n--" + match[1]
    text = raw.find(between, match.end())
    page = raw.find(between, text + 1)
    if not 0 < text < page:
        return raw
    return raw[raw.index(b"\n", text + len(between)) + 1 : page].removesuffix(b"\r")


class _Part(Value, kw_only=False):
    """A part of a letter: its header lines, what stands below them, and the files whose lines stand between that."""

    fields: list[Field]
    words: str
    files: list[Enclosed]


def _body(letter: Outgoing) -> _Part:
    """Return what is read: the text, beside it the page with the pictures that it shows."""
    text = _Part(*_text_part(letter.text), [])
    if not letter.page:
        return text
    page = _Part(*_text_part(letter.page, "html"), [])
    shown = [_file_part(file, letter.message_id) for file in letter.attachments if _in_page(file, letter)]
    if shown:
        page = _several("related", letter.message_id, [page, *shown], '; type="text/html"')
    return _several("alternative", letter.message_id, [text, page])


def _in_page(file: Attachment, letter: Outgoing) -> bool:
    return file.shown and f"cid:{content_id(file.name, _domain(letter.message_id))}" in letter.page


def _several(kind: str, message_id: str, parts: list[_Part], more: str = "") -> _Part:
    """Return parts as one; its boundary follows from the letter alone, and no encoding used here writes =_ ."""
    seed = message_id if kind == "mixed" else f"{kind} {message_id}"
    boundary = "=_" + hashlib.sha256(seed.encode()).hexdigest()[:32]
    words, files = "", []
    for part in parts:
        words += f"--{boundary}\r\n{_write_fields(part.fields)}"
        files += [file.but(at=file.at + len(words)) for file in part.files]
        words += part.words
    field = ("Content-Type", f'multipart/{kind}; boundary="{boundary}"{more}')
    return _Part([field], f"{words}--{boundary}--\r\n", files)


def _file_part(file: Attachment, message_id: str) -> _Part:
    return _Part(_file_fields(file, message_id), "", [Enclosed(at=0, content=file.content)])


def _own_fields(letter: Outgoing) -> list[Field]:
    references = [reference for reference in letter.references if is_message_id(reference)]
    fields = [
        ("From", _mailbox(letter.sender_name, letter.sender)),
        ("To", _mailbox(letter.recipient_name, letter.recipient)),
        ("Reply-To", _mailbox(letter.reply_to_name, letter.reply_to) if letter.reply_to else ""),
        ("Subject", _words(clean_line(letter.subject, SUBJECT_LIMIT))),
        ("Date", format_datetime(letter.date)),
        ("Message-ID", letter.message_id),
        ("In-Reply-To", letter.in_reply_to if is_message_id(letter.in_reply_to) else ""),
        ("References", "\r\n ".join(dict.fromkeys(references[-REFERENCES_LIMIT:]))),
        ("Auto-Submitted", letter.auto),
        ("X-Auto-Response-Suppress", "All"),
        ("Precedence", "bulk" if letter.bulk else ""),
        ("List-Unsubscribe", f"<mailto:{letter.unsubscribe}?subject=unsubscribe>" if letter.unsubscribe else ""),
        (OWN_HEADER, letter.game_id or "none"),
        ("Content-Language", letter.language),
        ("MIME-Version", "1.0"),
    ]
    return [(name, value) for name, value in fields if value or name == "Subject"]


def _mailbox(name: str, address: str) -> str:
    cleaned = clean_line(name, NAME_LIMIT)
    if not cleaned:
        return address
    if cleaned.isascii() and "=?" not in cleaned:
        quoted = cleaned.replace("\\", "\\\\").replace('"', '\\"')
        return f"{cleaned if _PLAIN_NAME.fullmatch(cleaned) else chr(34) + quoted + chr(34)}\r\n <{address}>"
    return f"{_words(cleaned)}\r\n <{address}>"


def _words(text: str) -> str:
    """Return *text* for a header: as it is where it is short ASCII, else in RFC 2047 words on lines of their own."""
    if text.isascii() and len(text) <= _SHORT and "=?" not in text:
        return text
    return "\r\n ".join(f"=?utf-8?b?{base64.b64encode(chunk).decode()}?=" for chunk in _chunks(text))


def _chunks(text: str) -> Iterator[bytes]:
    """Yield *text* in UTF-8, cut between characters."""
    chunk = b""
    for letter in text:
        encoded = letter.encode("utf-8", "replace")
        if len(chunk) + len(encoded) > _WORD_BYTES:
            yield chunk
            chunk = b""
        chunk += encoded
    yield chunk


def _text_part(text: str, kind: str = "plain") -> tuple[list[Field], str]:
    fields = [("Content-Type", f'text/{kind}; charset="utf-8"'), ("Content-Transfer-Encoding", "quoted-printable")]
    return fields, "".join(f"{_printable(line)}\r\n" for line in split_lines(text.removesuffix("\n")))


@lru_cache(maxsize=LINES)
def _printable(line: str) -> str:
    """Return one line in quoted-printable; controls are left out, and nothing on it means something to a mail server."""
    kept = _CONTROL.sub("", line).encode("utf-8", "replace")
    encoded = binascii.b2a_qp(kept, istext=False).decode("ascii").replace("=\n", "=\r\n")
    if encoded.startswith("From "):
        return "=46" + encoded[1:]
    return "=2E" + encoded[1:] if encoded.startswith(".") else encoded


def _file_fields(file: Attachment, message_id: str) -> list[Field]:
    if not _FILE_NAME.fullmatch(file.name) or _MEDIA_TYPE.fullmatch(file.media_type) is None:
        raise ValueError(f"attachment {file.name!r} ({file.media_type!r}): no plain file name or no media type")
    charset = '; charset="utf-8"' if file.media_type.startswith("text/") else ""
    fields = [("Content-Type", f"{file.media_type}{charset}"), ("Content-Transfer-Encoding", "base64")]
    if not file.shown:
        return [*fields, ("Content-Disposition", f'attachment; filename="{file.name}"')]
    # Without a disposition some programs list a picture that is shown as an attachment, too.
    shown = [
        ("Content-ID", f"<{content_id(file.name, _domain(message_id))}>"),
        ("Content-Disposition", f'inline; filename="{file.name}"'),
    ]
    return [*fields, *shown]


def _domain(message_id: str) -> str:
    return message_id.rpartition("@")[2].rstrip(">")


def content_id(name: str, domain: str) -> str:
    """Return what HTML calls a file that is shown, after ``cid:``; *domain*: ours."""
    return f"{name}@{domain}"


def _write_fields(fields: list[Field]) -> str:
    return "".join(f"{name}: {value}\r\n" for name, value in fields) + "\r\n"


def _verify(raw: bytes, fields: list[Field]) -> None:
    """Read the finished bytes again.

    Raises:
        ValueError: a reader finds other header lines than *fields* (CVE-2024-6923 let a subject add some).
    """
    head = raw[: raw.find(b"\r\n\r\n") + 4]  # no reader finds one below
    found = sorted(name for name, _ in BytesHeaderParser(policy=compat32).parsebytes(head).items())
    if found != sorted(name for name, _ in fields):
        raise ValueError(f"the letter would have the header lines {', '.join(found)}")


# A finished letter of ours, read once more before it leaves: an error in making letters must not reach a mail server.

_ONCE = ("from", "to", "date", "message-id", "subject", "mime-version")
_NEVER = re.compile(r"cc|bcc|return-path|received|delivered-to|return-receipt-to|disposition-notification-to|resent-.*")
_LONGEST_LINE = 998  # bytes without its end (RFC 5322)


def fault_of(raw: bytes, message_id: str, recipient: str) -> str:
    """Return why these bytes must not be sent to *recipient*, "" if nothing speaks against it."""
    if b"\0" in raw or not raw.count(b"\r\n") == raw.count(b"\r") == raw.count(b"\n"):
        return "a line does not end with CR LF"
    if max(map(len, raw.split(b"\r\n"))) > _LONGEST_LINE:
        return "a line is too long"
    head = raw.partition(b"\r\n\r\n")[0]
    message = BytesHeaderParser(policy=compat32).parsebytes(head + b"\r\n\r\n")
    found = Counter(name.lower() for name in message)
    wrong = [name for name in _ONCE if found[name] != 1] + [name for name in found if _NEVER.fullmatch(name)]
    if wrong:
        return f"it has too many or too few lines {', '.join(wrong)}"
    if message["Message-ID"] != message_id:
        return "its Message-ID is another letter's"
    return "" if addresses((str(message["To"]),)) == addresses((recipient,)) else "it is written to somebody else"


# Letters of ours read again, as a mail program reads them. What others wrote is read by ``mail.letter``.

# A header line's value is made anew whenever it is asked for, which takes most of the time of reading a letter.
_READING = default.clone(header_factory=lru_cache(maxsize=1024)(default.header_factory))


def read_own(raw: bytes) -> EmailMessage:
    """Return a letter of ours, with the values of its header lines."""
    letter = email.message_from_bytes(raw, policy=_READING)
    assert isinstance(letter, EmailMessage)
    return letter


def text_in(letter: EmailMessage) -> str:
    """Return the text of a letter of ours, each line ended by LF; "" where there is none."""
    part = letter.get_body(("plain",))
    return str(part.get_content()).replace("\r\n", "\n") if part is not None else ""


def files_in(letter: EmailMessage) -> Iterator[Attachment]:
    """Yield the files in a letter of ours, those that its page shows among them."""
    for part in letter.walk():
        if (name := part.get_filename()) and isinstance(part, EmailMessage):
            content = part.get_content()
            raw = content if isinstance(content, bytes) else str(content).encode()
            yield Attachment(name, part.get_content_type(), raw, shown=part.get_content_disposition() == "inline")
