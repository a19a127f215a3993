"""What a letter says: the part of a MIME message that its sender sees as text, found within limits."""

from __future__ import annotations

import email
import quopri
import re
from dataclasses import dataclass, field
from email.errors import CloseBoundaryNotFoundDefect
from email.message import Message
from email.policy import compat32
from typing import Any

from referee.mail.headers import CONTENT_FIELD_BYTES, decoded_line, from_base64
from referee.mail.htmltext import html_text
from referee.mail.text import clean_line, decode_text, has_letter, normalise, unflow

PART_LIMIT = 50
DEPTH_LIMIT = 20
LINE_LIMIT = 40_000  # a base64 attachment of 2 MB has 28,000
TEXT_LIMIT = 512 * 1024  # bytes of text in a letter
NAME_LIMIT = 100

_CONTENT_TYPE = re.compile(rb"(?:^|[\r\n])content-type:", re.IGNORECASE)
_CONTAINER = re.compile(rb"(?:multipart|message)/", re.IGNORECASE)
_CONTENT_FIELD = re.compile(
    rb"(?:^|(?<=[\r\n]))content-[a-z-]{1,40}:[^\r\n]*+(?:(?:\r\n|\r|\n)[ \t][^\r\n]*+)*+", re.IGNORECASE
)
_LINE_END = re.compile(rb"\r\n|\r|\n")
_PGP = re.compile(r"^-----BEGIN PGP MESSAGE-----", re.MULTILINE)
_SEALED = frozenset({"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})
_PLAIN = frozenset({"text/plain", "text/markdown"})
_TEXTS = _PLAIN | {"text/html"}
_FIRST_ONLY = frozenset({"multipart/signed", "multipart/related", "multipart/report"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """What ``read_letter`` tells of a body; the fields are those of ``Letter``."""

    text: str = ""
    alternatives: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()


def read_body(content: bytes) -> Body:
    """Return the body of a message of which *content* holds the Content- fields, an empty line and the rest."""
    refusal = _refusal(content)
    if refusal:
        return Body(problems=(refusal,))
    trimmed, cut = _trimmed(content)
    root = email.message_from_bytes(trimmed, policy=compat32)
    parts = list(root.walk())
    if len(parts) > PART_LIMIT:
        return Body(problems=("too-many-parts",))
    reading = _Reading()
    versions = reading.read(root)
    if cut or any(isinstance(defect, CloseBoundaryNotFoundDefect) for part in parts for defect in part.defects):
        reading.note("cut-off")
    return reading.body(versions)


def _refusal(content: bytes) -> str:
    """Return the problem that forbids parsing, "" for none.

    Every level of nesting needs a declared container, so counting declarations bounds the parser's recursion; lines that
    begin with ``--`` are no measure, a quoted newsletter is full of them.
    """
    if len(_CONTENT_TYPE.findall(content)) > PART_LIMIT:
        return "too-many-parts"
    declared = sum(len(_CONTAINER.findall(match[0])) for match in _CONTENT_FIELD.finditer(content))
    return "too-deep" if declared > DEPTH_LIMIT else ""


def _trimmed(content: bytes) -> tuple[bytes, bool]:
    """Return *content* without what takes long to read (endless fields, lines beyond the limit), and whether lines were cut."""
    trimmed = _CONTENT_FIELD.sub(
        lambda match: match[0] if len(match[0]) <= CONTENT_FIELD_BYTES else b"x-dropped: ", content
    )
    for count, match in enumerate(_LINE_END.finditer(trimmed), start=1):
        if count >= LINE_LIMIT:
            return trimmed[: match.end()], match.end() < len(trimmed)
    return trimmed, False


@dataclass(frozen=True, slots=True)
class _Versions:
    """The text of a part as a reader of plain text and as a reader of HTML sees it; None where it has no text."""

    plain: str | None = None
    rich: str | None = None
    chosen: bool = False  # the letter carried both, by itself


@dataclass(slots=True)
class _Reading:
    """A walk over the parts of one letter. At most ``DEPTH_LIMIT`` levels are ever entered."""

    problems: dict[str, None] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    files: list[Message] = field(default_factory=list)  # text attachments, read only where there is no other text
    room: int = TEXT_LIMIT

    def note(self, problem: str) -> None:
        """Remember a problem, once."""
        self.problems[problem] = None

    def read(self, part: Message) -> _Versions:
        """Return the text of *part* and all in it."""
        kind, children = part.get_content_type(), _children(part)
        if kind in _SEALED:
            self.note("encrypted")
            return _Versions()
        if kind == "multipart/alternative" and children:
            return self._choice(children)
        if kind in _FIRST_ONLY and children:
            self.names += [_name(child) for child in children[1:] if not _is_signature(child)]
            return self.read(children[0])
        if kind.startswith("multipart/") and children:
            return _joined([self.read(child) for child in children])
        if kind in _TEXTS or kind.startswith("multipart/"):
            return self._leaf(part)
        self.names.append(_name(part))
        return _Versions()

    def body(self, versions: _Versions) -> Body:
        """Return the whole result; the plain version is the text where there are two."""
        text = versions.plain or ""
        if not has_letter(text):
            text = self._file_text() or text
        else:
            self.names += [_name(part) for part in self.files]
        if _PGP.search(text):
            self.note("encrypted")
            text = ""
        if not has_letter(text) and "encrypted" not in self.problems:
            self.note("no-text")
        other = versions.rich if versions.chosen and versions.rich and versions.rich != text else None
        return Body(
            text=text,
            alternatives=(other,) if other else (),
            problems=tuple(self.problems),
            attachments=tuple(self.names),
        )

    def _leaf(self, part: Message) -> _Versions:
        if part.get_content_disposition() == "attachment" or _file_name(part):
            if part.get_content_type() == "text/html":
                self.names.append(_name(part))
            else:
                self.files.append(part)
            return _Versions()
        text = self._text(part)
        return _Versions(text, text)

    def _choice(self, children: list[Message]) -> _Versions:
        """Plain text if there is any in it, else what the last of the others says."""
        plain: str | None = None
        rich: str | None = None
        for child in children:
            versions = self.read(child)
            if plain is None and (child.get_content_type() in _PLAIN or versions.chosen):
                plain = versions.plain
            if child.get_content_type() not in _PLAIN and has_letter(versions.rich or ""):
                rich = versions.rich
        if rich is None:
            return _Versions(plain, plain)
        if plain is None or not has_letter(plain):
            return _Versions(rich, rich)
        return _Versions(plain, rich, chosen=True)

    def _file_text(self) -> str:
        """Return the text of the first text attachment that has any; all others are only named."""
        found = ""
        for part in self.files:
            text = "" if found else self._text(part)
            if has_letter(text):
                found = text
                self.note("from-attachment")
            else:
                self.names.append(_name(part))
        return found

    def _text(self, part: Message) -> str:
        raw = _content(part)
        if len(raw) > self.room:
            self.note("too-large")
        raw = raw[: self.room]
        self.room -= len(raw)
        text, sure = decode_text(raw, _parameter(part, "charset"))
        if not sure:
            self.note("bad-charset")
        if part.get_content_type() == "text/html":
            return normalise(html_text(text))[:TEXT_LIMIT]
        if _parameter(part, "format").lower() == "flowed":
            text = unflow(text, _parameter(part, "delsp").lower() == "yes")
        return normalise(text)[:TEXT_LIMIT]


def _joined(versions: list[_Versions]) -> _Versions:
    """Return parts that are shown one below the other."""
    plain = [version.plain for version in versions if version.plain is not None]
    rich = [version.rich for version in versions if version.rich is not None]
    if not plain:
        return _Versions()
    return _Versions("\n".join(plain), "\n".join(rich), any(version.chosen for version in versions))


def _children(part: Message) -> list[Message]:
    """Return the parts of a multipart; an enclosed message has none that are read."""
    payload: Any = part.get_payload() if part.is_multipart() else []
    return (
        [] if part.get_content_maintype() == "message" else [child for child in payload if isinstance(child, Message)]
    )


def _content(part: Message) -> bytes:
    """Return the bytes of a part that has no parts, its transfer encoding undone."""
    encoding = (str(part.get("content-transfer-encoding", "")).split() or [""])[0].lower()
    # Without the field the standard library hands out the bytes as they came, and asks no foreign codec.
    del part["content-transfer-encoding"]
    payload = part.get_payload(decode=True)
    raw = payload if isinstance(payload, bytes) else b""
    if encoding == "quoted-printable":
        return quopri.decodestring(raw)
    return from_base64(raw) if encoding == "base64" else raw


def _parameter(part: Message, name: str) -> str:
    """Return a parameter of Content-Type, "" where it is missing or cannot be read."""
    try:
        value = part.get_param(name)
    except (ValueError, LookupError, TypeError):
        return ""
    return value if isinstance(value, str) else ""


def _file_name(part: Message) -> str:
    try:
        name = part.get_filename()
    except (ValueError, LookupError, TypeError):
        return "?"
    return decoded_line(str(name).encode("utf-8", "replace").decode(), NAME_LIMIT) if name else ""


def _name(part: Message) -> str:
    """Return what an unread part is called: its file name, else its type."""
    return _file_name(part) or clean_line(part.get_content_type(), NAME_LIMIT)


def _is_signature(part: Message) -> bool:
    return part.get_content_type().endswith(("-signature", "/pgp-signature"))
